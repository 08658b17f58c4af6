const masked = 0x80;
const maskBytes = 4;

/** Follows the frames of a WebSocket in its bytes (RFC 6455 §5.2), to know where one ends. */
export class FrameBoundaries {
  /** Of the frame whose head is not complete. */
  #head: number[] = [];
  #payloadLeft = 0;

  get isBetweenFrames(): boolean {
    return this.#head.length === 0 && this.#payloadLeft === 0;
  }

  /** Goes on to the end of a frame or of the bytes. @returns how many bytes that were */
  passFrame(bytes: Buffer): number {
    const head = this.#payloadLeft === 0 ? this.#passHead(bytes) : 0;
    const payload = Math.min(this.#payloadLeft, bytes.length - head);
    this.#payloadLeft -= payload;
    return head + payload;
  }

  #passHead(bytes: Buffer): number {
    for (const [at, byte] of bytes.entries()) {
      this.#head.push(byte);
      if (this.#head.length < headLength(this.#head)) continue;
      this.#payloadLeft = payloadLength(Buffer.from(this.#head));
      this.#head = [];
      return at + 1;
    }
    return bytes.length;
  }
}

/** The second byte says how long the head is. */
function headLength([, second]: readonly number[]): number {
  if (second === undefined) return 2;
  const mask = second & masked ? maskBytes : 0;
  return 2 + lengthBytes(second) + mask;
}

function payloadLength(head: Buffer): number {
  const second = head.readUInt8(1);
  const bytes = lengthBytes(second);
  if (bytes === 0) return second & ~masked;
  return bytes === 2 ? head.readUInt16BE(2) : Number(head.readBigUInt64BE(2));
}

/** How many bytes behind the second one hold the length of the payload. */
function lengthBytes(second: number): number {
  const length = second & ~masked;
  if (length < 126) return 0;
  return length === 126 ? 2 : 8;
}
