import type { HasAccounts } from '../../accounts/index.ts';
import { filingsOfReports } from '../../filing/index.ts';
import { idIfAsked } from '../../kernel/asked.ts';
import { Id, type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { kindNames } from '../kinds.ts';
import { listedReports } from '../report-access.ts';
import { listReports as list } from '../report-store.ts';
import { ReportResource, ReportStateName, reportResource } from '../resource.ts';

export const listReports = operation({
  id: 'listReports',
  method: 'GET',
  path: '/v1/report',
  tag: 'Reports',
  summary: 'List reports',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object({
    ...pageQuery,
    kind: Type.Optional(Type.Enum(kindNames)),
    state: Type.Optional(ReportStateName),
    scheduleId: Type.Optional(Id('Only those of this schedule.')),
    ...clientQuery,
  }),
  content: Page(ReportResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { query, now } = call;
    const { limit, before } = readPage('report', query);
    const reach = await listedReports(s, call, query.clientId);
    const schedule = idIfAsked('reportSchedule', query.scheduleId);
    const rows = await list(s.db, { ...reach, kind: query.kind, state: query.state, schedule, before, limit });
    const filings = await filingsOfReports(s.db, rows);
    const shown = (r: (typeof rows)[number]) => reportResource(r, now, filings.get(r.id));
    return { message: 'reports', content: page('report', rows, limit, shown) };
  },
});
