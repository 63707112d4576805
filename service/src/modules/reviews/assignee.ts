// Whom a call assigns work to: the caller, another person who may do it, or nobody.

import { Type } from 'typebox';
import { fromWire, type PspId } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import { reviewers } from '../../core/roles.ts';
import { findAccount } from '../accounts/index.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { findUser } from '../users/index.ts';

/** The body of a call that assigns work. */
export const Assigning = Type.Object({
  assignee: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
      description: '`usr_…`; null unassigns it; default: the caller.',
    }),
  ),
  from: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
      description:
        'The `assignee` that the caller saw, null for nobody. If it is another one by then, the call is refused with STATE_CONFLICT.',
    }),
  ),
});

/**
 * @param asked undefined for the caller, null for nobody
 * @param psp whose work it is
 * @throws FIELD_INVALID
 */
export async function assigneeOf(
  s: Needs<'db'>,
  call: Pick<Call, 'principal'>,
  asked: string | null | undefined,
  psp: PspId,
): Promise<string | null> {
  const { principal } = call;
  if (asked === undefined) return principal.actor;
  if (asked === null || asked === principal.actor) return asked;
  // Staff acting as a PSP may also assign it to their own colleagues.
  const isStaff = principal.kind === 'operator' || principal.staff !== undefined;
  const id = fromWire('user', asked);
  const user = id && (await findUser(s.db, id, isStaff ? undefined : psp));
  const worksHere = user && (user.account === psp || (isStaff && (await isOperators(s, user.psp, user.account))));
  if (!worksHere) throw refuse('FIELD_INVALID', "the field 'assignee' names nobody who signs in here");
  if (user.state !== 'ACTIVE' || !reviewers.some((role) => role === user.role))
    throw refuse(
      'FIELD_INVALID',
      "the field 'assignee' names somebody who may not work on it: it takes the role reviewer or administrator, and a sign-in that is not disabled",
    );
  return asked;
}

const isOperators = async (s: Needs<'db'>, psp: PspId, account: string): Promise<boolean> =>
  (await findAccount(s.db, psp, account))?.kind === 'operator';
