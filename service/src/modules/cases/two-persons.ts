// The second person of a case: another one than who proposed, and, where REQUIRE_TWO_PERSONS names cases, two people who
// signed in and are independent of each other.

import type { Case } from '../../core/cases/case.ts';
import { reviewers } from '../../core/roles.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { expectAnother, expectStillHere } from '../users/index.ts';

/** @throws TWO_PERSONS, STATE_CONFLICT if who proposed may not any more */
export async function expectTwoPersons(s: Needs<'db' | 'settings'>, c: Case, approver: Principal): Promise<void> {
  if (c.proposed === null) return;
  await expectStillHere(s.db, c.proposed.by, reviewers);
  await expectAnother(s.db, c.proposed.by, approver, s.settings.requireTwoPersons.includes('cases'));
}
