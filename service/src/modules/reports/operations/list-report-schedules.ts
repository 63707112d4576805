import { ReportScheduleResource } from '../../../entries/reports.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { listedReports } from '../report-access.ts';
import { listSchedules, scheduleResource } from '../schedules/schedule-store.ts';

export const listReportSchedules = operation({
  id: 'listReportSchedules',
  method: 'GET',
  path: '/v1/report-schedule',
  tag: 'Reports',
  summary: 'List schedules of reports',
  description: 'listReports with `scheduleId` has the reports of one.',
  audience: ['psp', 'operator'],
  query: Type.Object({
    ...pageQuery,
    state: Type.Optional(Type.Enum(['ACTIVE', 'ENDED'])),
    ...clientQuery,
  }),
  content: Page(ReportScheduleResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { query } = call;
    const { limit, before } = readPage('reportSchedule', query);
    const reach = await listedReports(s, call, query.clientId);
    const rows = await listSchedules(s.db, { ...reach, state: query.state, before, limit });
    return { message: 'schedules', content: page('reportSchedule', rows, limit, scheduleResource) };
  },
});
