import { once } from 'node:events';
import { z } from 'zod';
import { endProcess } from '../support/node-process.ts';
import { TestRelay } from '../support/relay.ts';
import { readFirstLine, spawnSource } from '../support/spawn-source.ts';
import { startProxy } from './proxy.ts';

const createdSchema = z.object({ token: z.string() });

const callee = 'tck_agent';
const requester = 'tck_client';

export interface SystemUnderTest {
  /** Where the card of the agent is below `/.well-known/`. */
  readonly origin: string;
  /** The agent's A2A address. */
  readonly address: string;
  stop(): Promise<void>;
}

export interface SystemOptions {
  /** Asked for where a card is got: the kit for 1.0 refuses fields of 0.3 in it. */
  readonly cardVersion?: string;
  /** Of the agent: with any it has an extended card. */
  readonly extendedSkills: readonly string[];
}

/** A relay of its own, the agent that serves the kit's scenarios, and the proxy before them. */
export async function startSystem(options: SystemOptions): Promise<SystemUnderTest> {
  // The kit's receiver of push notifications listens on this machine.
  const relay = await TestRelay.start({ RELAY_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8,::1' });
  const agentToken = await register(relay, callee, {
    description: 'Does what the conformance kit asks for.',
    skills: [skillOf('scenarios')],
    extended_skills: options.extendedSkills.map(skillOf),
  });
  const token = await register(relay, requester);
  const settings = { RELAY_URL: relay.url, RELAY_TOKEN: agentToken };
  const agent = spawnSource('test/conformance/tck-agent.ts', [], settings);
  agent.stderr?.pipe(process.stderr);
  const ended = once(agent, 'exit').then(() => Promise.reject(new Error('the agent ended')));
  await Promise.race([readFirstLine(agent), ended]);
  ended.catch(() => undefined);
  const { cardVersion } = options;
  const proxy = await startProxy({ relayUrl: relay.url, handle: callee, token, cardVersion });
  return {
    origin: proxy.url,
    address: `${proxy.url}/${callee}`,
    stop: async () => {
      proxy.close();
      await endProcess(agent, 'SIGTERM');
      await relay.stop();
    },
  };
}

const skillOf = (id: string) => ({ id, name: id, description: `The skill ${id}.`, tags: [id] });

async function register(relay: TestRelay, handle: string, profile = {}): Promise<string> {
  const { admin_token: adminToken } = await relay.credentials();
  const response = await fetch(`${relay.url}/v1/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ handle, ...profile }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return createdSchema.parse(await response.json()).token;
}
