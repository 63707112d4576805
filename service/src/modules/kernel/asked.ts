// The record that a request names by its id. One that the caller may not see is answered as an unknown id is.
import { fromWire, type IdKind } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import type { Call } from './operation.ts';

/** @throws NOT_FOUND if it is no id of this kind */
export function idAsked<K extends IdKind>(kind: K, wire: string | undefined) {
  const id = fromWire(kind, wire ?? '');
  if (id === undefined) throw notFound();
  return id;
}

/** As `idAsked`, of a parameter that may be absent. @throws NOT_FOUND */
export const idIfAsked = <K extends IdKind>(kind: K, wire: string | undefined) =>
  wire === undefined ? undefined : idAsked(kind, wire);

/** @throws NOT_FOUND */
export async function recordAsked<K extends IdKind, R>(
  kind: K,
  wire: string | undefined,
  find: (id: ReturnType<typeof idAsked<K>>) => Promise<R | undefined>,
): Promise<R> {
  const found = await find(idAsked(kind, wire));
  if (found === undefined) throw notFound();
  return found;
}

/** Whether a call reaches what an account has: a client its own; a PSP all it found, or those of the client it names. */
export const reaches = ({ principal, onBehalfOf }: Pick<Call, 'principal' | 'onBehalfOf'>, account: string): boolean =>
  (principal.kind !== 'client' || account === principal.account) && (onBehalfOf ?? account) === account;

/** As `recordAsked`, but only a record of an account that the call reaches. @throws NOT_FOUND */
export async function ownRecordAsked<K extends IdKind, R extends { readonly account: string }>(
  call: Pick<Call, 'principal' | 'onBehalfOf'>,
  ...asked: Parameters<typeof recordAsked<K, R>>
): Promise<R> {
  const found = await recordAsked(...asked);
  if (!reaches(call, found.account)) throw notFound();
  return found;
}
