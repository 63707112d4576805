// Requests and answers must mean the same to every reader: headers that two programs could read differently are
// refused, and browsers must not guess.
import type { IncomingMessage } from 'node:http';
import { refuse, said } from '../../core/refusal.ts';

/** @throws QUERY_INVALID, CONTENT_TYPE if proxies and services could read the request differently */
export function unambiguous({ headers, headersDistinct }: IncomingMessage): void {
  for (const name of ['host', 'content-type', 'x-api-key', 'authorization', 'x-psp-id', 'x-client-id'])
    if ((headersDistinct[name]?.length ?? 0) > 1)
      throw refuse('QUERY_INVALID', said`the header '${name}' was sent twice`);
  const bearer = headers.authorization?.startsWith('Bearer ') ? headers.authorization.slice(7) : undefined;
  if (bearer !== undefined && headers['x-api-key'] !== undefined && bearer !== headers['x-api-key'])
    throw refuse('QUERY_INVALID', "the headers 'x-api-key' and 'authorization' carry two different keys");
  const transfer = headers['transfer-encoding'];
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked')
    throw refuse('CONTENT_TYPE', "the header 'transfer-encoding' may be 'chunked' only: send the body as it is");
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity')
    throw refuse('CONTENT_TYPE', "the header 'content-encoding' is not supported: send the body as it is");
}

/** Sent with every API answer. @param baseUrl the public address; if it uses TLS, browsers stay on it */
export const safetyHeaders = (baseUrl: string | undefined): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  ...(baseUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});
