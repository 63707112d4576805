// The second person of a case: another one than who proposed, and, where REQUIRE_TWO_PERSONS names cases, two people who
// signed in and are independent of each other.

import type { Case } from '../../core/cases/case.ts';
import { fromWire } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import { reviewers } from '../../core/roles.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { areIndependent, expectStillHere } from '../users/index.ts';

/** @throws TWO_PERSONS, STATE_CONFLICT if who proposed may not any more */
export async function expectTwoPersons(s: Needs<'db' | 'settings'>, c: Case, approver: Principal): Promise<void> {
  if (c.proposed !== null) await expectStillHere(s.db, c.proposed.by, reviewers);
  if (c.proposed === null || !s.settings.requireTwoPersons.includes('cases')) return;
  const proposer = c.proposed.by.startsWith('usr_') ? fromWire('user', c.proposed.by) : undefined;
  if (proposer === undefined)
    throw refuse('TWO_PERSONS', 'it was proposed with a key; reject it, and have a person who signed in propose it');
  if (approver.session === undefined)
    throw refuse('TWO_PERSONS', 'what is proposed in a case is approved by people who signed in');
  if (!(await areIndependent(s.db, proposer, approver.session.user)))
    throw refuse(
      'TWO_PERSONS',
      'who proposed and who approves are not independent: one of them, or the same third person, made both sign-ins or reset a password of theirs',
    );
}
