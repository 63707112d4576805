// The parts of a request that its route does not read: path, path parameters and query.
import type { FastifyRequest } from 'fastify';
import { notFound } from '../../core/refusal.ts';

/** Path parameters. No stored text contains NUL, so an address with one matches nothing. */
export function paramsOf(request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  if (Object.values(params).some((v) => v.includes('\0'))) throw notFound();
  return params;
}

export const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] as string;

export const queryOf = (request: FastifyRequest) => {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
};
