// Access to schedules of reports: as to the reports that they make. People who only look change their own alone.
import { fromWire } from '../../../core/ids.ts';
import { notFound, phrase, refuse, said } from '../../../core/refusal.ts';
import { reviewers } from '../../../core/roles.ts';
import { findAccount } from '../../accounts/index.ts';
import type { Call, Needs } from '../../kernel/operation.ts';
import { kindNamed } from '../kinds.ts';
import { kindsFor } from '../report-access.ts';
import { findAnySchedule, findSchedule } from './schedule-store.ts';

/** The schedule in the path with its account and kind, if the key may see it. @throws NOT_FOUND */
export async function scheduleOf(s: Needs<'db'>, call: Pick<Call, 'principal' | 'params' | 'onBehalfOf'>) {
  const { principal, onBehalfOf } = call;
  const id = fromWire('reportSchedule', call.params.scheduleId ?? '');
  const schedule =
    id && (await (principal.kind === 'operator' ? findAnySchedule(s.db, id) : findSchedule(s.db, principal.psp, id)));
  const account = schedule && (await findAccount(s.db, schedule.psp, schedule.account));
  const kind = schedule && kindNamed(schedule.kind);
  const isVisible =
    schedule &&
    kindsFor(principal).includes(schedule.kind) &&
    (onBehalfOf === undefined || onBehalfOf === schedule.account);
  if (!isVisible || !account || !kind) throw notFound();
  return { schedule, account, kind };
}

/** The same, for who changes or ends it: administrators, reviewers, and who made it. @throws NOT_FOUND, ROLE */
export async function scheduleToChange(s: Needs<'db'>, call: Parameters<typeof scheduleOf>[1]) {
  const found = await scheduleOf(s, call);
  const { role, actor } = call.principal;
  if (role !== undefined && !reviewers.includes(role) && found.schedule.createdBy !== actor)
    throw refuse(
      'ROLE',
      said`a schedule is changed and ended by administrators, reviewers and who made it; your role is ${phrase(role)}`,
    );
  return found;
}
