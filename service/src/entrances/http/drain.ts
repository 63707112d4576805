// Stopping without losing anybody: requests that were read are answered, later ones are told that the service
// is stopping, and connections that only wait are closed.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../core/refusal.ts';

/** Watches a server's requests from its first route on. @returns what stops it */
export function drains(app: FastifyInstance): () => Promise<void> {
  const active = new Set<FastifyRequest>();
  let stopping = false;
  let idle: (() => void) | undefined;

  app.addHook('onRequest', async (_request, reply) => {
    if (!stopping) return;
    reply.header('connection', 'close');
    throw refuse('OVERLOADED', 'the service is stopping; nothing was recorded', 1);
  });
  // From here on the body has been read: a request that never ends is not waited for.
  app.addHook('preHandler', async (request, reply) => {
    active.add(request);
    // A reply closes also where its caller has gone away before it was there.
    reply.raw.once('close', () => {
      active.delete(request);
      if (active.size === 0) idle?.();
    });
  });

  return async () => {
    stopping = true;
    const closed = app.close();
    if (active.size > 0) await new Promise<void>((resolve) => (idle = resolve));
    app.server.closeAllConnections();
    await closed;
  };
}
