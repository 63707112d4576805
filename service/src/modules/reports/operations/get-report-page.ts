import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { download, InLanguage, shared } from '../report-download.ts';

export const getReportPage = operation({
  ...shared,
  id: 'getReportPage',
  path: '/v1/report/:reportId/page',
  summary: 'A report as a printable page',
  description: 'Self-contained HTML without scripts. Long sections are cut; the CSV has all rows.',
  query: Type.Object({
    language: InLanguage,
  }),
  produces: 'text/html',
  content: Type.String(),
  handle: (call, s: Needs<'db'>) => download(s, call, 'page', undefined, call.query.language),
});
