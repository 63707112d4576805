// A proxy between clients and the service that cuts connections, repeats requests and lets them overtake one another.
// It forwards bytes unchanged and only recognises where an HTTP request ends.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * The fate of a request: forwarded; cut before any byte is forwarded, in the middle of its bytes, after all of them, or
 * in the middle of its reply; forwarded late; or forwarded twice, the second time late.
 */
export type Fate = 'pass' | 'cut before' | 'cut within' | 'cut after' | 'cut answer' | 'late' | 'twice';

export interface FaultProxyOptions {
  readonly target: () => { host: string; port: number };
  /** Returns the fate of the next request. */
  readonly fate: (request: Buffer) => Fate;
  /** Returns the delay of a late request in milliseconds. */
  readonly lateMs?: () => number;
}

export class FaultProxy {
  readonly #o: FaultProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Number of requests by fate. */
  readonly counts: Partial<Record<Fate, number>> = {};

  private constructor(o: FaultProxyOptions) {
    this.#o = o;
    this.#server = createServer((client) => this.#serve(client));
  }

  static async start(o: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(o);
    await new Promise<void>((listening) => proxy.#server.listen(0, '127.0.0.1', listening));
    return proxy;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Number of requests that were cut. */
  get cuts(): number {
    return Object.entries(this.counts).reduce((n, [fate, of]) => n + (fate.startsWith('cut') ? of : 0), 0);
  }

  /** Resolves when no delayed request is left. */
  async drained(): Promise<void> {
    while (this.#timers.size > 0) await new Promise((r) => setTimeout(r, 10));
  }

  async stop(): Promise<void> {
    for (const t of this.#timers) clearTimeout(t);
    for (const s of this.#sockets) s.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }

  #watch(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  #later(work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, this.#o.lateMs?.() ?? 0);
    this.#timers.add(timer);
  }

  #upstream(): Socket {
    return this.#watch(connect(this.#o.target()));
  }

  #serve(client: Socket): void {
    this.#watch(client);
    const up = this.#upstream();
    let cutAnswer = false;
    up.on('data', (chunk) => {
      if (!cutAnswer) client.write(chunk);
      else client.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => cut(client, up));
    });
    up.on('close', () => client.destroy());
    client.on('close', () => up.destroySoon());
    let read: Buffer = Buffer.alloc(0);
    client.on('data', (chunk) => {
      read = Buffer.concat([read, chunk]);
      const end = endOfRequest(read);
      if (end === undefined) return;
      const request = read.subarray(0, end);
      read = read.subarray(end);
      const fate = this.#o.fate(request);
      this.counts[fate] = (this.counts[fate] ?? 0) + 1;
      if (fate === 'cut before') cut(client, up);
      else if (fate === 'cut within') up.write(request.subarray(0, request.length >> 1), () => cut(client, up));
      // The service has the whole request, and its reply is lost.
      else if (fate === 'cut after') up.write(request, () => client.resetAndDestroy());
      else if (fate === 'late') this.#later(() => up.write(request));
      else {
        cutAnswer = fate === 'cut answer';
        up.write(request);
        if (fate === 'twice') this.#later(() => this.#upstream().end(request).resume());
      }
    });
  }
}

function cut(...sockets: Socket[]): void {
  for (const s of sockets) s.resetAndDestroy();
}

/** Number of bytes to the end of the first request; undefined while it is incomplete. */
function endOfRequest(bytes: Buffer): number | undefined {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(bytes.subarray(0, head).toString('latin1'))?.[1] ?? 0);
  const end = head + 4 + length;
  return bytes.length >= end ? end : undefined;
}
