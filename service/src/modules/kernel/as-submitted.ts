// What a caller submitted, put together again from what is kept of it: the plain part in the record's canonical request,
// the personal part sealed beside it.
import { type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { isBlind } from '../../platform/sealed-secrets.ts';
import { erased } from './subjects.ts';

/**
 * @param request the record's canonical request, in which personal fields are keyed hashes
 * @param personal names of the fields that are sealed
 * @param opened what was sealed of it, as `readPersonal` opens it
 */
export function asSubmitted(request: string, personal: readonly string[], opened: unknown): Record<string, unknown> {
  const { operation: _, ...body } = parseJson(request) as JsonObject;
  const parts = typeof opened === 'object' ? (opened as Readonly<Record<string, unknown>> | null) : null;
  for (const field of personal) if (isBlind(body[field])) body[field] = (parts?.[field] as Json) ?? erased;
  return body;
}
