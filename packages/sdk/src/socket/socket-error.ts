/** Relay closed the WebSocket, or something made it end. */
export class RelaySocketError extends Error {
  override readonly name = 'RelaySocketError';
  /** The WebSocket close code. */
  readonly closeCode: number | undefined;

  constructor(message: string, closeCode?: number, options?: ErrorOptions) {
    super(message, options);
    this.closeCode = closeCode;
  }
}

/** The other side does not keep to the protocol. Trying again would not help. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
