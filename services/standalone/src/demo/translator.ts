import { type TaskContext, textOf } from '@relay/sdk';
import { languages } from './dictionary.ts';
import { translate } from './translation.ts';
import { combineTranslationRequests } from './translation-request.ts';

/** Translates a phrase, and asks for what the requester has not said. */
export async function translateTask(context: TaskContext): Promise<void> {
  const { phrase, language } = combineTranslationRequests(textsOfRequester(context));
  if (phrase === undefined) return void (await context.ask('What shall I translate?'));
  if (language === undefined) {
    return void (await context.ask(`Into which language: ${languages.join(', ')}?`));
  }
  await context.working(`Translating into ${language}`);
  const translation = translate(phrase, language);
  if (translation === undefined) {
    return void (await context.reject('I know a few words only, and none of these.'));
  }
  await context.artifact({
    artifactId: 'translation',
    name: `Translation into ${language}`,
    parts: [{ text: translation }],
  });
  await context.finish();
}

function textsOfRequester({ task }: TaskContext): string[] {
  return (task.history ?? []).filter(({ role }) => role === 'ROLE_USER').map(textOf);
}
