// Errors that are not refusals but have an answer of their own: the framework's, by code, and those of a database that
// is temporarily unavailable; and what is logged of a refusal.
import type { FastifyRequest } from 'fastify';
import { type Refusal, refuse, said } from '../../core/refusal.ts';
import { gaveWay, isAway } from '../../platform/database-away.ts';
import { errorFields } from '../../platform/log.ts';
import { coarseNetwork } from '../../platform/network.ts';
import { contentType } from './body.ts';
import { bodyTooLarge } from './gate.ts';

/**
 * @param largestBody maximum body size at the address, in bytes
 * @returns undefined for a fault, whose details are not disclosed
 */
export function faultRefusal(error: unknown, largestBody: number): Refusal | undefined {
  if (isAway(error) || gaveWay(error))
    return refuse(
      'UNKNOWN_OUTCOME',
      'the database does not answer just now; repeat the same request, with the same ref if it has one',
      1,
    );
  const { code = '', statusCode: status } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(largestBody);
  // The caller's connection broke while its body was read.
  if (code === 'ECONNRESET' && status === 400)
    return refuse('BODY_MALFORMED', 'the connection ended before the end of the body');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return contentType();
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return refuse('BODY_MALFORMED', 'the body is shorter or longer than its Content-Length');
  if (code === 'FST_ERR_REOPENED_CLOSE_SERVER' || status === 503)
    return refuse('OVERLOADED', 'the service is stopping; nothing was recorded', 1);
  if (code.startsWith('FST_') && status !== undefined && status < 500)
    return refuse('BODY_MALFORMED', 'the request is malformed');
  return undefined;
}

/** What is said of a fault. */
export const broken = said`something went wrong here; nothing more is known to be recorded. Repeat the request with the same ref.`;

/** Fields of the log line of a refusal. @param error what was thrown, which may be the refusal */
export const refusedFields = (request: FastifyRequest, status: number, refusal: Refusal, error: unknown) => ({
  requestId: request.id,
  method: request.method,
  route: request.routeOptions?.url,
  status,
  code: refusal.code,
  // Refused or throttled callers are logged with their network.
  ...(status === 401 || status === 403 || status === 429 ? { network: coarseNetwork(request.ip) } : {}),
  // The refusal does not say why the database was unavailable, so the log does.
  ...(refusal.code === 'UNKNOWN_OUTCOME' && refusal !== error ? errorFields(error) : {}),
});
