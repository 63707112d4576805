// Stopping without losing anybody. First the service is only being left: it serves as before, but each answer says that
// its connection ends there, so that callers and balancers go elsewhere. Then requests that were read are answered, later
// ones are told that the service is stopping, and connections that only wait are closed.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../core/refusal.ts';

/** How long a caller has to close an idle connection whose end he was sent. */
const partingMs = 500;

export interface Drain {
  /** Whether callers are to go elsewhere. */
  readonly leaving: boolean;
  /** From here on each answer ends its connection. */
  leave(): void;
  stop(): Promise<void>;
}

/** Watches a server's requests from its first route on. */
export function drains(app: FastifyInstance): Drain {
  const active = new Set<FastifyRequest>();
  const sockets = new Set<Socket>();
  /** Connections with a request that came and was not answered. */
  const busy = new Set<Socket>();
  let leaving = false;
  let stopping = false;
  let changed: (() => void) | undefined;

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
    response.once('close', () => busy.delete(socket));
  });
  app.addHook('onRequest', async () => {
    if (stopping) throw refuse('OVERLOADED', 'the service is stopping; nothing was recorded', 1);
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
    async stop() {
      leaving = stopping = true;
      // Their end is sent, and they are read on: to close at once would reset what is on its way to here.
      const parting = [...sockets].filter((s) => !busy.has(s));
      for (const s of parting) s.end();
      await until(() => parting.every((s) => s.closed), partingMs);
      const closed = app.close();
      await until(() => active.size === 0);
      app.server.closeAllConnections();
      await closed;
    },
  };
}
