import { describe, expect, it } from 'vitest';
import { combineTranslationRequests, readTranslationRequest } from './translation-request.ts';

describe('readTranslationRequest', () => {
  it.each([
    ['Translate "good morning" into French', 'good morning', 'French'],
    ['translate “thank you” to german, please', 'thank you', 'German'],
    ['Please translate «hello» in SPANISH.', 'hello', 'Spanish'],
    ['Translate good morning into French', 'good morning', 'French'],
    ['Could you translate: see you tomorrow into German?', 'see you tomorrow', 'German'],
    ['Translate "I speak German" into French', 'I speak German', 'French'],
    ['Translate "good morning"', 'good morning', undefined],
    ['Translate "good morning" into Klingon', 'good morning', undefined],
    ['Translate good morning into Klingon', 'good morning', undefined],
    ['Translate into French', undefined, 'French'],
    ['good night', 'good night', undefined],
    ['French', undefined, 'French'],
    ['French, please!', undefined, 'French'],
    ['Into German please.', undefined, 'German'],
    ['', undefined, undefined],
    ['Translate', undefined, undefined],
  ])('%s', (text, phrase, language) => {
    expect(readTranslationRequest(text)).toEqual({ phrase, language });
  });
});

describe('combineTranslationRequests', () => {
  it('completes a request with the answer to a question', () => {
    expect(combineTranslationRequests(['Translate "good morning"', 'French'])).toEqual({
      phrase: 'good morning',
      language: 'French',
    });
    expect(combineTranslationRequests(['Translate into French', 'good night'])).toEqual({
      phrase: 'good night',
      language: 'French',
    });
  });

  it('lets what was said later win', () => {
    const texts = ['Translate "good morning" into French', '"good night"', 'in Spanish'];
    expect(combineTranslationRequests(texts)).toEqual({
      phrase: 'good night',
      language: 'Spanish',
    });
  });

  it('knows nothing when nothing was said', () => {
    expect(combineTranslationRequests([])).toEqual({});
  });
});
