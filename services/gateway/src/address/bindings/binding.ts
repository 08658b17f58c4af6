import type { Refusal } from '@relay/protocol';

/** How what an operation answers goes over the wire, once a codec has written it. */
export interface Binding {
  /** Of an answer that is no stream. */
  readonly contentType: string;
  /** The JSON text of a result. */
  readonly encodeResult: (result: unknown) => string;
  /** The last frame of a stream that failed. */
  readonly encodeLastError: (refusal: Refusal) => string;
}
