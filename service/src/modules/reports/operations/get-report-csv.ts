import { Id, type Needs, operation, Type } from '../../kernel/operation.ts';
import { download, InLanguage, shared } from '../report-download.ts';

export const getReportCsv = operation({
  ...shared,
  id: 'getReportCsv',
  path: '/v1/report/:reportId/csv',
  summary: 'A section of a report as CSV',
  description:
    'RFC 4180, UTF-8, headed by field names; with `language` in words, for spreadsheets of it (French: semicolons, decimal commas). Text that one would read as a formula gets an apostrophe.',
  query: Type.Object({
    section: Type.Optional(Id('Name of the section; may be omitted if there is only one.')),
    language: InLanguage,
  }),
  produces: 'text/csv',
  content: Type.String(),
  handle: (call, s: Needs<'db'>) => download(s, call, 'csv', call.query.section, call.query.language),
});
