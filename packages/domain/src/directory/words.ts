import { stemmer } from 'stemmer';

/** They say nothing of what an agent does. */
const emptyWords = new Set(
  (
    'a an and are as at be by can could do does for from get give have help how i in into is it its me my ' +
    'need of on or our please should so some that the their them this to us want we what which who will ' +
    'with would you your'
  ).split(' '),
);

const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Scripts that are written without spaces between words. */
const unspacedPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const longestWord = 64;
const mostAskedFor = 24;

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** A text as it is compared: without case, accents and variants of letters. */
export function fold(text: string): string {
  const bare = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  return bare.normalize('NFC').toLowerCase();
}

/**
 * The words of a text that say something, in order, as they are compared: English ones by their stem, so that
 * `translates` and `Translation` are the same.
 */
export function wordsOf(text: string): string[] {
  const words = fold(text).match(wordPattern) ?? [];
  return words.flatMap(separate).flatMap((word) => {
    if (emptyWords.has(word)) return [];
    return [(/^[a-z]+$/.test(word) ? stemmer(word) : word).slice(0, longestWord)];
  });
}

/** The words of a search, each once; of very many the first ones. */
export function wordsAskedFor(text: string): string[] {
  return [...new Set(wordsOf(text))].slice(0, mostAskedFor);
}

function separate(run: string): string[] {
  if (!unspacedPattern.test(run)) return [run];
  return [...segmenter.segment(run)].flatMap(({ segment }) => segment.match(wordPattern) ?? []);
}
