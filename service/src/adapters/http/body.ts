// Reads a request's body: UTF-8 and strict JSON, each with its refusal; and which content type that is.
import { TextDecoder } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { type Json, JsonError, parseJson } from '../../core/json.ts';
import { refuse, said } from '../../core/refusal.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const contentType = () => refuse('CONTENT_TYPE', 'the header Content-Type must be application/json');

/** The body as strict JSON. @throws BODY_MALFORMED */
export function parseBody(request: FastifyRequest): Json {
  const raw = request.body;
  if (!Buffer.isBuffer(raw) || raw.length === 0)
    throw refuse('BODY_MALFORMED', 'the body is empty; a JSON object is expected');
  let text: string;
  try {
    text = utf8.decode(raw);
  } catch {
    throw refuse('BODY_MALFORMED', 'the body is not valid UTF-8');
  }
  try {
    return parseJson(text);
  } catch (e) {
    if (e instanceof JsonError) throw refuse('BODY_MALFORMED', said`the body is not acceptable JSON: ${e.message}`);
    throw e;
  }
}

export function isJson(type: string | undefined): boolean {
  if (type === 'application/json') return true;
  if (type === undefined) return false;
  const [media, ...parameters] = type.split(';').map((p) => p.trim().toLowerCase());
  return (
    media === 'application/json' &&
    parameters.every((p) => p === '' || p === 'charset=utf-8' || p === 'charset="utf-8"')
  );
}
