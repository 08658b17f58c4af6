/** Where a command reads its surroundings, and where it writes. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** What was asked for. */
  readonly stdout: Output;
  /** Progress and problems. */
  readonly stderr: Output;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}
