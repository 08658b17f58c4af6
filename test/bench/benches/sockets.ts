import { renderSockets, type SocketsOutcome } from '../report/sockets-report.ts';
import { tell } from '../report/tell.ts';
import { measureSockets } from '../sockets/measure-sockets.ts';
import {
  type StartedServer,
  startBareServer,
  startRelayServer,
} from '../sockets/socket-servers.ts';
import type { Bench } from './bench.ts';

/** What idle sockets cost, how soon all are back after a cut, and how fast one event reaches many. */
export const benchSockets: Bench = async ({ options, relay }) => {
  const outcomes: SocketsOutcome[] = [
    await outcomeOf('bare ws', startBareServer, options.sockets),
    await outcomeOf('relay, one process', () => startRelayServer(relay), options.sockets),
  ];
  const title = `sockets: ${options.sockets} idle ones, and an event to 1000 of one agent`;
  return { text: renderSockets(title, outcomes), data: [{ title, outcomes }] };
};

async function outcomeOf(
  name: string,
  start: () => Promise<StartedServer>,
  sockets: number,
): Promise<SocketsOutcome> {
  tell(`starting ${name}`);
  const server = await start();
  try {
    return { name, result: await measureSockets(server, sockets) };
  } finally {
    await server.stop();
  }
}
