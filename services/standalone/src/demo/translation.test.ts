import { describe, expect, it } from 'vitest';
import { dictionary, languages } from './dictionary.ts';
import { translate } from './translation.ts';

describe('translate', () => {
  it.each([
    ['good morning', 'French', 'bonjour'],
    ['good morning', 'German', 'guten Morgen'],
    ['good morning', 'Spanish', 'buenos días'],
    ['Good Morning!', 'French', 'bonjour'],
    ['hello, world', 'Spanish', 'hola mundo'],
    ['Thank you and see you tomorrow', 'German', 'danke und bis morgen'],
    ['tea tomorrow', 'French', 'thé demain'],
    ['hello Berta', 'German', 'hallo berta'],
  ] as const)('%s in %s: %s', (text, language, translation) => {
    expect(translate(text, language)).toBe(translation);
  });

  it.each(['', '?!', 'quantum chromodynamics'])('knows not a word of %j', (text) => {
    expect(translate(text, 'French')).toBeUndefined();
  });

  it('finds every entry of the dictionary', () => {
    const entries = [...dictionary].flatMap(([phrase, translations]) =>
      languages.map((language) => [translate(phrase, language), translations[language]]),
    );
    for (const [found, expected] of entries) expect(found).toBe(expected);
  });
});
