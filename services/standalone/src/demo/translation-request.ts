import { type Language, languages } from './dictionary.ts';

/** What a requester wants translated, as far as it was said. */
export interface TranslationRequest {
  readonly phrase?: string | undefined;
  readonly language?: Language | undefined;
}

const names = languages.join('|');
const quotedPhrase = /["“«](.+?)["”»]/s;
const languageAfterPreposition = new RegExp(`\\b(?:into|in|to)\\s+(${names})\\b[.?!]*`, 'i');
const languageAlone = new RegExp(`^\\W*(${names})\\W*$`, 'i');
const politeness = /\bplease\b/gi;
const command = /^\W*(?:(?:can|could|would) you )?translate\b\s*:?/i;
const destination = /\s*\binto\b.*$/is;

/** Reads one message, such as `Translate "good morning" into French`, or just `French`. */
export function readTranslationRequest(text: string): TranslationRequest {
  const quoted = quotedPhrase.exec(text)?.[1];
  const rest = text.replace(quotedPhrase, '').replace(politeness, '');
  const language = languageIn(rest);
  const unquoted = rest
    .replace(languageAfterPreposition, '')
    .replace(languageAlone, '')
    .replace(command, '')
    .replace(destination, '')
    .trim();
  return { phrase: quoted ?? phraseIn(unquoted), language };
}

/** All messages of a task together: a later one completes or corrects those before it. */
export function combineTranslationRequests(texts: readonly string[]): TranslationRequest {
  return texts.map(readTranslationRequest).reduce(
    (combined, request) => ({
      phrase: request.phrase ?? combined.phrase,
      language: request.language ?? combined.language,
    }),
    {},
  );
}

function languageIn(text: string): Language | undefined {
  const name = (languageAfterPreposition.exec(text) ?? languageAlone.exec(text))?.[1];
  return languages.find((language) => language.toLowerCase() === name?.toLowerCase());
}

function phraseIn(text: string): string | undefined {
  return /\p{L}/u.test(text) ? text : undefined;
}
