// Stopping without losing anybody. First the service is only being left: it serves as before, but each answer says that
// its connection ends there, so that callers and balancers go elsewhere. When nobody new is let in any more, requests that
// were read are answered, later ones are told that the service is stopping, and connections that only wait are closed.
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../core/refusal.ts';

/** How long a caller has to close an idle connection whose end he was sent, or to send his request over a new one. */
const partingMs = 500;

export interface Drain {
  /** Whether callers are to go elsewhere. */
  readonly leaving: boolean;
  /** From here on each answer ends its connection. */
  leave(): void;
  /** @param closeDoors has no connection accepted any more */
  stop(closeDoors: () => Promise<void>): Promise<void>;
}

const cutsNone = () => undefined;

/**
 * A server whose connections are ended by its drain alone: Node's closing would cut what looks idle to it, connections
 * whose first request is on its way included.
 */
export function drainedServer(options: ServerOptions, handler: RequestListener): Server {
  const server = createServer(options, handler);
  server.closeIdleConnections = cutsNone;
  return server;
}

/** Watches a server's requests from its first route on. */
export function drains(app: FastifyInstance): Drain {
  const active = new Set<FastifyRequest>();
  const sockets = new Set<Socket>();
  /** Connections with a request that came and was not answered. */
  const busy = new Set<Socket>();
  /** Connections that had a request. */
  const used = new WeakSet<Socket>();
  let leaving = false;
  let stopping = false;
  let changed: (() => void) | undefined;
  /** While the doors are being closed. */
  let closing: Promise<void> | undefined;

  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      changed?.();
    });
  });
  app.server.prependListener('request', ({ socket }, response) => {
    if (leaving) response.setHeader('connection', 'close');
    busy.add(socket);
    used.add(socket);
    response.once('close', () => busy.delete(socket));
  });
  app.addHook('onRequest', async () => {
    if (stopping) throw refuse('OVERLOADED', 'the service is stopping; nothing was recorded', 1);
    // Whoever waits for an answer comes to no door in the moment in which it closes.
    await closing;
  });
  // From here on the body has been read: a request that never ends is not waited for.
  app.addHook('preHandler', async (request, reply) => {
    active.add(request);
    // A reply closes also where its caller has gone away before it was there.
    reply.raw.once('close', () => {
      active.delete(request);
      changed?.();
    });
  });

  /** Until it holds, or for so many milliseconds. */
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
    leave() {
      leaving = true;
    },
    async stop(closeDoors) {
      leaving = true;
      closing = closeDoors();
      await closing;
      stopping = true;
      // Their end is sent, and they are read on: to close at once would reset what is on its way to here. Where no request
      // came yet, it is what is on its way: it is answered.
      for (const s of sockets) if (!busy.has(s) && used.has(s)) s.end();
      await until(() => sockets.size === 0, partingMs);
      const closed = app.close();
      await until(() => active.size === 0);
      app.server.closeAllConnections();
      await closed;
    },
  };
}
