// POST /v1/report-schedule/:scheduleId: change when a scheduled report is made, or its parameters.
import { type TObject, Type } from 'typebox';
import { roles } from '../../../core/roles.ts';
import { ReportScheduleResource, Rhythm } from '../../../entries/reports.ts';
import { operation } from '../../kernel/operation.ts';
import { anyParameters } from '../kinds.ts';
import { changeSchedule, type Plan, type ScheduleNeeds } from '../schedules/change-schedule.ts';
import { scheduleToChange } from '../schedules/schedule-access.ts';
import { scheduleResource, scheduleState } from '../schedules/schedule-store.ts';
import { lasting } from './create-report-schedule.ts';

const body: TObject = Type.Object({
  ...Object.fromEntries(Object.entries(Rhythm).map(([name, schema]) => [name, Type.Optional(schema)])),
  ...anyParameters.properties,
});

export const changeReportSchedule = operation({
  id: 'changeReportSchedule',
  method: 'POST',
  path: '/v1/report-schedule/:scheduleId',
  tag: 'Reports',
  summary: 'Change the schedule of a report',
  description: 'Fields that are left out do not change. The next report is the first one due from now on.',
  audience: ['psp', 'operator'],
  roles,
  idempotent: true,
  body,
  content: ReportScheduleResource,
  conditional: 'getReportSchedule',
  example: { hour: 7 },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: ScheduleNeeds) {
    const { principal, now } = call;
    const { schedule: before, account, kind } = await scheduleToChange(s, call);
    const { every, onDay, hour, timeZone, covers, ...given } = call.body as Partial<Plan>;
    const plan = Object.fromEntries(
      Object.entries({ every, onDay, hour, timeZone, covers }).filter(([, v]) => v !== undefined),
    ) as Partial<Plan>;
    const asked = (current: Plan) => ({ ...plan, parameters: lasting(kind, { ...current.parameters, ...given }) });
    const changed = await changeSchedule(s, principal, kind, account, before, asked, now, call.condition);
    return {
      message: changed.known ? 'nothing changed' : 'schedule changed',
      content: scheduleResource(changed.schedule),
      replayed: changed.known,
      state: scheduleState(changed.schedule),
    };
  },
});
