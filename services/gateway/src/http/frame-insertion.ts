import { Transform, type TransformCallback } from 'node:stream';
import { FrameBoundaries } from './frame-boundaries.ts';

/** Passes the bytes of a WebSocket on, and can put a frame of its own between two of them. */
export class FrameInsertion extends Transform {
  readonly #boundaries = new FrameBoundaries();
  #waiting: Buffer | undefined;

  /** At once where no frame is on its way, else behind that one. */
  insert(frame: Buffer): void {
    if (this.writableEnded || this.destroyed) return;
    if (this.#boundaries.isBetweenFrames) this.push(frame);
    else this.#waiting = frame;
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let pushed = 0;
    for (let at = 0; at < bytes.length; ) {
      at += this.#boundaries.passFrame(bytes.subarray(at));
      if (!this.#waiting || !this.#boundaries.isBetweenFrames) continue;
      this.push(bytes.subarray(pushed, at));
      this.push(this.#waiting);
      this.#waiting = undefined;
      pushed = at;
    }
    if (pushed < bytes.length) this.push(bytes.subarray(pushed));
    done();
  }
}
