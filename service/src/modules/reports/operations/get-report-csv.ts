import { Id, type Needs, operation, Type } from '../../kernel/operation.ts';
import { download, shared } from '../report-download.ts';

export const getReportCsv = operation({
  ...shared,
  id: 'getReportCsv',
  path: '/v1/report/:reportId/csv',
  summary: 'A section of a report as CSV',
  description:
    'RFC 4180, UTF-8. Text that a spreadsheet would read as a formula, from its beginning or from a semicolon on, gets an apostrophe there; figures do not.',
  query: Type.Object({
    section: Type.Optional(Id('Name of the section; may be omitted if the report has only one.')),
  }),
  produces: 'text/csv',
  content: Type.String(),
  handle: (call, s: Needs<'db'>) => download(s, call, 'csv', call.query.section),
});
