// Unassigns what a person had to work on who may not any more, so that it is nobody's and found as such. Each is a change of
// its own; a call that was cut off is finished by repeating it.
import { assigned } from '../../core/cases/case.ts';
import { toWire } from '../../core/ids.ts';
import type { Call } from '../kernel/operation.ts';
import { letGoReviews } from '../reviews/index.ts';
import { casesAssignedTo } from './case-store.ts';
import { type CaseNeeds, changeCase } from './change-case.ts';

/** @param user a UUID */
export async function letGo(s: CaseNeeds, call: Pick<Call, 'principal' | 'now'>, user: string): Promise<void> {
  const actor = toWire('user', user);
  for (const found of await casesAssignedTo(s.db, actor))
    await changeCase(s, call, found, {
      step: 'assign',
      message: 'case unassigned',
      to: (c) => (c.assignee === actor && c.state !== 'CLOSED' ? assigned(null)(c) : c),
      items: [],
    });
  await letGoReviews(s, call, actor);
}
