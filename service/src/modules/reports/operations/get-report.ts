import { filedForDaysOf, filingsOfReports } from '../../filing/index.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { reportOf } from '../report-access.ts';
import { listSeries } from '../report-store.ts';
import { ReportDetail, reportDetail } from '../resource.ts';

export const getReport = operation({
  id: 'getReport',
  method: 'GET',
  path: '/v1/report/:reportId',
  tag: 'Reports',
  summary: 'A report with its progress, manifest and revisions',
  audience: ['psp', 'client', 'operator', 'authority'],
  content: ReportDetail,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'reference' | 'rates'>) {
    const report = await reportOf(s, call);
    const all = await listSeries(s.db, report);
    // Other revisions were not filed with the authority.
    const series = call.principal.view === undefined ? all : all.filter((r) => r.id === report.id);
    const filings = await filingsOfReports(s.db, [report]);
    const filing = filings.get(report.id);
    const filedInstead = filing ? undefined : await filedForDaysOf(s, report, call.now);
    return { message: 'report found', content: reportDetail(report, series, call.now, { filing, filedInstead }) };
  },
});
