import { roles } from '../../../core/roles.ts';
import { ReportScheduleResource } from '../../../entries/reports.ts';
import { operation } from '../../kernel/operation.ts';
import { endSchedule, type ScheduleNeeds } from '../schedules/change-schedule.ts';
import { scheduleToChange } from '../schedules/schedule-access.ts';
import { scheduleResource } from '../schedules/schedule-store.ts';

export const endReportSchedule = operation({
  id: 'endReportSchedule',
  method: 'POST',
  path: '/v1/report-schedule/:scheduleId/end',
  tag: 'Reports',
  summary: 'End the schedule of a report',
  description: 'At once. Reports that were made stay.',
  audience: ['psp', 'operator'],
  roles,
  idempotent: true,
  content: ReportScheduleResource,
  refusals: ['NOT_FOUND'],
  async handle(call, s: ScheduleNeeds) {
    const { schedule: before } = await scheduleToChange(s, call);
    const { schedule, known } = await endSchedule(s, call.principal, before, call.now);
    return {
      message: known ? 'the schedule had ended' : 'schedule ended',
      content: scheduleResource(schedule),
      replayed: known,
    };
  },
});
