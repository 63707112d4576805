import { type TObject, Type } from 'typebox';
import { refuse, said } from '../../../core/refusal.ts';
import { dayParameters } from '../../../core/reports/schedule.ts';
import { roles } from '../../../core/roles.ts';
import { ReportScheduleResource, Rhythm } from '../../../entries/reports.ts';
import { Id, operation } from '../../kernel/operation.ts';
import { keysOf } from '../../kernel/scopes.ts';
import { anyParameters, kindNamed, kindNames } from '../kinds.ts';
import { reportedAccount } from '../report-access.ts';
import { parametersOf } from '../request.ts';
import { createSchedule, type Plan, type ScheduleNeeds } from '../schedules/change-schedule.ts';
import { scheduleResource } from '../schedules/schedule-store.ts';

const { onDay, covers, ...rhythm } = Rhythm;

const body: TObject = Type.Object({
  kind: Type.Enum(kindNames, { description: 'Kind of the report, as listReportKinds has it.' }),
  clientId: Type.Optional(Id("With an operator's key: the PSP or client concerned.")),
  ...rhythm,
  onDay: Type.Optional(onDay),
  covers: Type.Optional(covers),
  // Those that a schedule fills in are known, so that they are refused and not dropped.
  ...anyParameters.properties,
});

export const createReportSchedule = operation({
  id: 'createReportSchedule',
  method: 'POST',
  path: '/v1/report-schedule',
  tag: 'Reports',
  summary: 'Schedule a report for every day, week or month',
  description:
    'Each report covers what has ended by then (`covers` FINISHED, the default) or what is still running; the parameters `period`, `quarter`, `from` and `to` are filled in. The event report.completed names the schedule. Reports that were due while the service was down are made afterwards, the last 12. If an equal schedule exists, that one is returned.',
  audience: ['psp', 'operator'],
  roles,
  body,
  content: ReportScheduleResource,
  example: { kind: 'feeStatement', every: 'MONTH', onDay: 2, hour: 6, timeZone: 'Africa/Lagos' },
  refusals: ['NOT_FOUND', 'UNKNOWN_COUNTRY', 'LIMIT_REACHED'],
  async handle(call, s: ScheduleNeeds) {
    const { principal, now } = call;
    const {
      kind: name,
      clientId,
      every,
      onDay: day,
      hour,
      timeZone,
      covers: covered,
      ...given
    } = call.body as {
      kind: string;
      clientId?: string;
    } & Omit<Plan, 'parameters' | 'onDay' | 'covers'> &
      Partial<Plan>;
    const kind = kindNamed(name);
    if (!kind?.audience.includes(principal.kind))
      throw refuse('AUDIENCE', said`the report '${name}' is for ${keysOf(kind?.audience ?? [])}`);
    const account = await reportedAccount(s, call, clientId);
    const parameters = lasting(kind, given);
    const plan = { every, onDay: day ?? null, hour, timeZone, covers: covered ?? ('FINISHED' as const), parameters };
    const { schedule, known } = await createSchedule(s, principal, kind, account, plan, now);
    return {
      message: known ? 'an equal schedule exists already' : 'report scheduled',
      content: scheduleResource(schedule),
      replayed: known,
    };
  },
});

/** @throws Refusal if one is no parameter of the kind, is filled in by the schedule, or is missing */
export function lasting(kind: Parameters<typeof parametersOf>[0], given: Readonly<Record<string, unknown>>) {
  const named = dayParameters.find((p) => given[p] !== undefined);
  if (named !== undefined)
    throw refuse(
      'FIELD_INVALID',
      said`the field '${named}' is filled in by the schedule for each report; leave it out`,
    );
  const filled = Object.fromEntries(
    dayParameters.filter((p) => kind.parameters.required?.includes(p)).map((p) => [p, p] as const),
  );
  const all = parametersOf(kind, { ...given, ...filled });
  return Object.fromEntries(Object.entries(all).filter(([name]) => !(name in filled)));
}
