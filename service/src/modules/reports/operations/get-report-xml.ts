import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { download, shared } from '../report-download.ts';

export const getReportXml = operation({
  ...shared,
  id: 'getReportXml',
  path: '/v1/report/:reportId/xml',
  summary: 'A report as XML, in the form an authority requires',
  description: 'The payment-data message of the report cesop. Other reports have no XML.',
  produces: 'application/xml',
  content: Type.String(),
  handle: (call, s: Needs<'db'>) => download(s, call, 'xml'),
});
