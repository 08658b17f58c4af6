import { type RawData, WebSocket } from 'ws';

/** Whom a WebSocket tells what happens to it. */
export interface WebSocketListener {
  onMessage(data: RawData, isBinary: boolean): void;
  onPing(payload: Buffer): void;
  onClose(code: number): void;
}

/** A WebSocket whose listeners are shared by all: thousands are idle at once, and each closure would count. */
export class AgentWebSocket extends WebSocket {
  #listener: WebSocketListener | undefined;

  listen(listener: WebSocketListener): void {
    this.#listener = listener;
    this.on('message', tellMessage).on('ping', tellPing).on('close', tellClose).on('error', ignore);
  }

  tell(event: (listener: WebSocketListener) => void): void {
    if (this.#listener) event(this.#listener);
  }
}

function tellMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  if (this instanceof AgentWebSocket) this.tell((listener) => listener.onMessage(data, isBinary));
}

function tellPing(this: WebSocket, payload: Buffer): void {
  if (this instanceof AgentWebSocket) this.tell((listener) => listener.onPing(payload));
}

function tellClose(this: WebSocket, code: number): void {
  if (this instanceof AgentWebSocket) this.tell((listener) => listener.onClose(code));
}

/** A close always follows. */
function ignore(): void {}
