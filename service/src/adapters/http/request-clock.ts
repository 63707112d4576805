// Measures how long a request takes from its headers on. The framework's own clock (`reply.elapsedTime`) runs only if
// the framework logs, and is 0 otherwise.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { monotonicClock } from '../../platform/clock.ts';

interface TimedRequest extends FastifyRequest {
  /** Monotonic milliseconds. */
  begunAt: number;
}

/** When requests arrived that had to wait before they were let in. */
export const arrivedAt = new WeakMap<IncomingMessage, number>();

/** Records when each request starts. Must be called before routes are added. */
export function timeRequests(app: FastifyInstance): void {
  app.decorateRequest('begunAt', 0);
  app.addHook('onRequest', (request, _reply, done) => {
    (request as TimedRequest).begunAt = arrivedAt.get(request.raw) ?? monotonicClock();
    done();
  });
}

/** Milliseconds since the request's headers were read. */
export const elapsedOf = (request: FastifyRequest): number => monotonicClock() - (request as TimedRequest).begunAt;
