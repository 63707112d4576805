import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { download, InLanguage, shared } from '../report-download.ts';
import { workbookType } from '../workbook.ts';

export const getReportXlsx = operation({
  ...shared,
  id: 'getReportXlsx',
  path: '/v1/report/:reportId/xlsx',
  summary: 'A report as a workbook (XLSX)',
  description:
    'A sheet on the report, and one for each section. A figure of more than 15 digits is text, since a spreadsheet would round it; texts are never formulas. Very large reports have none.',
  query: Type.Object({ language: InLanguage }),
  produces: workbookType,
  content: Type.String({ format: 'binary' }),
  handle: (call, s: Needs<'db'>) => download(s, call, 'xlsx', undefined, call.query.language),
});
