/** So many messages within so long, of whomever the key stands for. */
export interface Window {
  readonly key: string;
  readonly limit: number;
  readonly milliseconds: number;
  /** Whose message it is, where only messages count that follow one of somebody else. */
  readonly turnOf?: string | undefined;
}

/** The window that has no room, and in how many milliseconds it will. */
export interface FullWindow {
  readonly window: Window;
  readonly wait: number;
}
