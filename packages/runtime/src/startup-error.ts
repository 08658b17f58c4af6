/** Something the operator can put right: told in one line, without a stack. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}
