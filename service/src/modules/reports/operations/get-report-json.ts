import { type Needs, operation } from '../../kernel/operation.ts';
import { download, shared } from '../report-download.ts';
import { ReportJson } from '../resource.ts';

export const getReportJson = operation({
  ...shared,
  id: 'getReportJson',
  path: '/v1/report/:reportId/json',
  summary: 'A report as JSON',
  description: 'Head, facts and sections. Amounts are exact decimal strings. The header repr-digest has its hash.',
  produces: 'application/json',
  content: ReportJson,
  handle: (call, s: Needs<'db'>) => download(s, call, 'json'),
});
