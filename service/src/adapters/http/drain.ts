// Graceful shutdown. At first the service only announces it: it serves as before, but each answer closes its
// connection, so that callers and load balancers go elsewhere. Once no connection is accepted any more, requests
// already read are answered, later ones get the answer that the service is stopping, and idle connections are closed.
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../core/refusal.ts';
import { isFromHere } from './door.ts';
import { endUnread, hosted, unexpected } from './not-http.ts';

/** Time for a caller to close an idle connection that has been ended, or to send its request over a new one. */
const partingMs = 500;

export interface Drain {
  /** Whether callers should go elsewhere. */
  readonly leaving: boolean;
  /** Whether what was begun is being finished, and nothing else is. */
  readonly stopping: boolean;
  /** From here on each answer closes its connection. */
  leave(): void;
  /** @param closeDoors stops accepting connections */
  stop(closeDoors: () => Promise<void>): Promise<void>;
}

const cutsNone = () => undefined;

/**
 * A server whose connections only its drain closes: Node's own closing would cut connections that look idle but whose
 * first request is on its way.
 */
export function drainedServer(options: ServerOptions, handler: RequestListener): Server {
  const server = createServer({ ...options, requireHostHeader: false }, hosted(handler));
  server.closeIdleConnections = cutsNone;
  // A caller that sends `Expect: 100-continue` receives 100 once its headers have been accepted.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', unexpected);
  return server;
}

/**
 * Watches a server's requests from its first route on.
 * @param most connections at once; further ones are closed, but not those from this machine's command line
 */
export function drains(app: FastifyInstance, most: number): Drain {
  const active = new Set<FastifyRequest>();
  const sockets = new Set<Socket>();
  /** Connections with an unanswered request. */
  const busy = new Set<Socket>();
  /** Connections that have carried a request. */
  const used = new WeakSet<Socket>();
  let leaving = false;
  let stopping = false;
  let changed: (() => void) | undefined;
  /** Set while the listeners are being closed. */
  let closing: Promise<void> | undefined;

  app.server.on('connection', (socket: Socket) => {
    if (sockets.size >= most && !isFromHere(socket)) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      changed?.();
    });
  });
  app.server.prependListener('request', (request, response) => {
    const { socket } = request;
    if (leaving) response.setHeader('connection', 'close');
    busy.add(socket);
    used.add(socket);
    response.once('close', () => {
      busy.delete(socket);
      endUnread(request);
    });
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    if (stopping) throw refuse('OVERLOADED', 'the service is stopping; nothing was recorded', 1);
    // Answers wait until the listeners are closed, so that no caller reconnects while they are closing.
    if (closing) return closing;
    done();
  });
  // From here on the body has been read: a request that never ends is not waited for.
  app.addHook('preHandler', (request, reply, done) => {
    // Its caller left before it was let in: nothing more will be said about it.
    if (reply.raw.destroyed) return done();
    active.add(request);
    // A reply also closes if its caller left before it was sent.
    reply.raw.once('close', () => {
      active.delete(request);
      changed?.();
    });
    done();
  });

  /** Resolves once the condition holds, or after so many milliseconds. */
  async function until(holds: () => boolean, mostMs?: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let late = false;
    if (mostMs !== undefined)
      timer = setTimeout(() => {
        late = true;
        changed?.();
      }, mostMs);
    while (!late && !holds()) await new Promise<void>((resolve) => (changed = resolve));
    clearTimeout(timer);
  }

  return {
    get leaving() {
      return leaving;
    },
    get stopping() {
      return stopping;
    },
    leave() {
      leaving = true;
    },
    async stop(closeDoors) {
      leaving = true;
      closing = closeDoors();
      await closing;
      stopping = true;
      // These are half-closed and still read: closing at once would reset requests on their way here. A connection that
      // has carried no request yet is left open: its first one is on its way and is answered.
      for (const s of sockets) if (!busy.has(s) && used.has(s)) s.end();
      await until(() => sockets.size === 0, partingMs);
      const closed = app.close();
      await until(() => active.size === 0);
      app.server.closeAllConnections();
      await closed;
    },
  };
}
