// A caller's submission, as stored and as restored: the plain part in the record's canonical request, the personal part
// sealed separately, with a keyed hash in its place.
import { type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { canonical } from '../../core/request.ts';
import { isBlind, type Vault } from '../../platform/sealed-secrets.ts';
import { erased } from './subjects.ts';

/** @param personal names of the fields that are sealed */
export function blinded(
  vault: Pick<Vault, 'blind'>,
  body: Readonly<Record<string, unknown>>,
  personal: readonly string[],
): Record<string, unknown> {
  const kept = { ...body };
  for (const field of personal) if (kept[field] !== undefined) kept[field] = vault.blind(canonical(kept[field]));
  return kept;
}

/**
 * @param request the record's canonical request, in which personal fields are keyed hashes
 * @param personal names of the fields that are sealed
 * @param opened the sealed part, as `readPersonal` opens it
 */
export function asSubmitted(request: string, personal: readonly string[], opened: unknown): Record<string, unknown> {
  const { operation: _, ...body } = parseJson(request) as JsonObject;
  const parts = typeof opened === 'object' ? (opened as Readonly<Record<string, unknown>> | null) : null;
  for (const field of personal) if (isBlind(body[field])) body[field] = (parts?.[field] as Json) ?? erased;
  return body;
}
