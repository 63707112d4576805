// Whom a call assigns work to: the caller, another person who signs in here, or nobody.
import { fromWire } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { userNames } from '../users/index.ts';

/** @param asked undefined for the caller, null for nobody @throws FIELD_INVALID */
export async function assigneeOf(
  s: Needs<'db'>,
  call: Pick<Call, 'principal'>,
  asked: string | null | undefined,
): Promise<string | null> {
  const { principal } = call;
  if (asked === undefined) return principal.actor;
  if (asked === null || asked === principal.actor) return asked;
  const id = fromWire('user', asked);
  // Staff acting as a PSP may also assign it to their own colleagues.
  const own = principal.kind === 'operator' || principal.staff ? undefined : principal.psp;
  if (id === undefined || !(await userNames(s.db, own, [id])).has(id))
    throw refuse('FIELD_INVALID', "the field 'assignee' names nobody who signs in here");
  return asked;
}
