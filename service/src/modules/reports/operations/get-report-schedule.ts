// GET /v1/report-schedule/:scheduleId: one schedule of reports.
import { ReportScheduleResource } from '../../../entries/reports.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { scheduleOf } from '../schedules/schedule-access.ts';
import { scheduleResource, scheduleState } from '../schedules/schedule-store.ts';

export const getReportSchedule = operation({
  id: 'getReportSchedule',
  method: 'GET',
  path: '/v1/report-schedule/:scheduleId',
  tag: 'Reports',
  summary: 'The schedule of a report',
  audience: ['psp', 'operator'],
  content: ReportScheduleResource,
  conditional: true,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { schedule } = await scheduleOf(s, call);
    return { message: 'schedule found', content: scheduleResource(schedule), state: scheduleState(schedule) };
  },
});
