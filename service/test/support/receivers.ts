// Real receivers of webhooks on this machine, over http or https, which answer as a test requests and record what they
// receive.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

/** The receivers' certificate, for clients to trust: valid for localhost, 127.0.0.1, ::1 and *.hooks.test. */
export const testCertificate = readFileSync(join(import.meta.dirname, 'fixtures/test-certificate.pem'), 'utf8');

export interface Received {
  /** performance.now() when the last byte was received. */
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a receiver does with a request that it has read. */
export type Behaviour = (request: Received, response: ServerResponse, socket: Socket) => void;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** In order of arrival. */
  readonly received: readonly Received[];
  /** Connections accepted so far, whether or not a request followed. */
  readonly connections: number;
  /** Number of open connections. */
  readonly open: number;
  behave(behaviour: Behaviour): void;
  stop(): Promise<void>;
}

export interface ReceiverOptions {
  readonly tls?: boolean;
  readonly behaviour?: Behaviour;
  readonly host?: string;
  readonly port?: number;
}

/** Starts a receiver; by default on a free port of 127.0.0.1, answering 200. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { tls = false, host = '127.0.0.1', port = 0 } = options;
  let behaviour = options.behaviour ?? answers(200);
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = tls ? createSecureServer({ cert: testCertificate, key: testCertificate }) : createServer();
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one: Received = {
        atMs: performance.now(),
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      received.push(one);
      behaviour(one, response, request.socket);
    });
  });
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, host, listening));
  const taken = (server.address() as AddressInfo).port;
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${taken}/hook`,
    port: taken,
    received,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    behave: (b) => {
      behaviour = b;
    },
    stop: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const s of sockets) s.destroy();
      }),
  };
}

export const answers =
  (status: number, body: string | Buffer = '', headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

/** Uses one behaviour after the other, and the last one for all further requests. */
export function inTurn(...behaviours: readonly Behaviour[]): Behaviour {
  let next = 0;
  return (request, response, socket) => {
    const one = behaviours[Math.min(next++, behaviours.length - 1)];
    one?.(request, response, socket);
  };
}

/** Reads the request and never answers. */
export const hangs: Behaviour = () => undefined;

/** Cuts the connection instead of answering. */
export const resets: Behaviour = (_, __, socket) => {
  // Under TLS the TCP connection is not accessible; closing without a TLS alert has the same effect.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
};

/** Closes the connection properly, without an answer. */
export const hangsUp: Behaviour = (_, __, socket) => {
  socket.end();
};

/** Answers with a megabyte. */
export const floods = (status = 200): Behaviour => answers(status, 'x'.repeat(1 << 20));

/** Writes to the connection again and again until it is closed. */
const keepsWriting = (socket: Socket, everyMs: number, next: () => string): void => {
  const timer = setInterval(() => socket.write(next()), everyMs);
  socket.on('close', () => clearInterval(timer));
};

/** Sends the head of its answer one byte at a time and never ends it. */
export const dripsHeaders: Behaviour = (_, __, socket) => {
  const head = 'HTTP/1.1 200 OK\r\nX-Slow: ';
  let at = 0;
  keepsWriting(socket, 10, () => head[at++] ?? 'a');
};

/** Sends an endless head as fast as it is read. */
export const floodsHeaders: Behaviour = (_, __, socket) => {
  socket.write('HTTP/1.1 200 OK\r\n');
  keepsWriting(socket, 1, () => `X-Much: ${'a'.repeat(4096)}\r\n`);
};

/** Sends the head, then an endless body, one byte at a time with pauses. */
export const dripsBody =
  (status = 200): Behaviour =>
  (_, __, socket) => {
    socket.write(`HTTP/1.1 ${status} Slow\r\nContent-Length: 1000000\r\n\r\n`);
    keepsWriting(socket, 10, () => 'b');
  };

/** Sends an endless body as fast as it is read. */
export const floodsBody =
  (status = 200): Behaviour =>
  (_, __, socket) => {
    socket.write(`HTTP/1.1 ${status} Much\r\nContent-Length: 1000000000000\r\n\r\n`);
    keepsWriting(socket, 1, () => 'c'.repeat(4096));
  };

/** Sends the head and half of the announced body, then cuts the connection. */
export const breaksOff =
  (status = 200): Behaviour =>
  (_, __, socket) => {
    socket.write(`HTTP/1.1 ${status} Half\r\nContent-Length: 100\r\n\r\nhalf`, () =>
      setImmediate(() => socket.destroy()),
    );
  };

/** Sends these bytes and closes the connection. */
export const says =
  (bytes: string): Behaviour =>
  (_, __, socket) => {
    socket.end(bytes);
  };
