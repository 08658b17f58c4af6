/** How a command ends, for scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  unavailable: 3,
  notAllowed: 4,
  notFound: 5,
  refused: 6,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'It is done.',
  failed: 'It failed: the task ended badly, `doctor` found a fault, or a bug showed.',
  usage: 'The command line or a setting is wrong. Nothing was done.',
  unavailable: 'Relay, NATS or Redis cannot be reached, or is overloaded. Try again later.',
  notAllowed: 'There is no token, or Relay does not take it for this.',
  notFound: 'There is nothing of that name.',
  refused: 'Relay refused it, such as a handle that is taken. Nothing was changed.',
};
