import { z } from 'zod';
import type { TrackedProcess } from '../measure/processes.ts';
import { RemoteProcess } from '../remote/remote-process.ts';
import type { Agent } from './orders.ts';

/** An agent written with Relay's SDK, in a process of its own. */
export class SdkAgent {
  readonly #remote: RemoteProcess;

  private constructor(remote: RemoteProcess) {
    this.#remote = remote;
  }

  /** Completes each task. */
  static start(this: void, agent: Agent): Promise<SdkAgent> {
    return SdkAgent.#connect('./sdk-agent-process.js', agent);
  }

  /** Takes no tasks, and replies to each message in its chat. */
  static startInChats(this: void, agent: Agent): Promise<SdkAgent> {
    return SdkAgent.#connect('./chat-agent-process.js', agent);
  }

  static async #connect(path: string, agent: Agent): Promise<SdkAgent> {
    const module = new URL(path, import.meta.url);
    const remote = RemoteProcess.start('SDK agent', module);
    await remote.call('connect', agent, z.undefined());
    return new SdkAgent(remote);
  }

  get process(): TrackedProcess {
    return { name: 'SDK agent', pid: this.#remote.pid };
  }

  stop(): Promise<void> {
    return this.#remote.stop();
  }
}
