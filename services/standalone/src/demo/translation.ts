import { dictionary, type Language } from './dictionary.ts';

const longestPhrase = Math.max(...[...dictionary.keys()].map((phrase) => wordsOf(phrase).length));

/** The translation, word by word where a phrase is not known; none when not a word of it is. */
export function translate(text: string, language: Language): string | undefined {
  const words = wordsOf(text);
  const translated: string[] = [];
  let known = 0;
  for (let position = 0; position < words.length; ) {
    const phrase = longestKnownPhrase(words.slice(position, position + longestPhrase));
    const translation = dictionary.get(phrase.join(' '))?.[language];
    if (translation !== undefined) known += 1;
    translated.push(translation ?? phrase.join(' '));
    position += phrase.length;
  }
  return known > 0 ? translated.join(' ') : undefined;
}

/** The most words from the beginning that the dictionary knows together, at least one. */
function longestKnownPhrase(words: readonly string[]): readonly string[] {
  for (let length = words.length; length > 1; length -= 1) {
    const phrase = words.slice(0, length);
    if (dictionary.has(phrase.join(' '))) return phrase;
  }
  return words.slice(0, 1);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}'-]+/gu) ?? [];
}
