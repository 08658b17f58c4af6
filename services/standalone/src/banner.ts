import { credentialsPath } from './credentials.ts';

interface ReadyRelay {
  readonly url: string;
  readonly dataDir: string;
  readonly demo: boolean;
}

/** The token is read from the file when the command runs, so none is printed. */
export function renderBanner({ url, dataDir, demo }: ReadyRelay): string {
  const ready = `Relay is ready at ${url}\n`;
  return demo ? `${ready}\nAsk the demo translator:\n\n${renderCurl(url, dataDir)}\n` : ready;
}

function renderCurl(url: string, dataDir: string): string {
  const readToken = `sed -n 's/.*"planner": "\\(.*\\)".*/\\1/p' ${quote(credentialsPath(dataDir))}`;
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: {
      message: { role: 'ROLE_USER', parts: [{ text: 'Translate "good morning" into French' }] },
    },
  };
  return [
    `curl -s ${quote(`${url}/translator`)}`,
    `-H "Authorization: Bearer $(${readToken})"`,
    "-H 'Content-Type: application/json'",
    "-H 'A2A-Version: 1.0'",
    `-d ${quote(JSON.stringify(request))}`,
  ].join(' \\\n  ');
}

/** For a POSIX shell. */
const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
