// The documents of a report, byte for byte as hashed in its manifest.
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { toWire } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { pageStyle } from '../../../core/reports/page-style.ts';
import type { Database } from '../../../platform/database.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, operation, type Reply } from '../../kernel/operation.ts';
import { csvName } from '../manifest.ts';
import { reportOf } from '../reach.ts';
import { findReportFile, type Report, type ReportFile } from '../report-store.ts';
import { ReportJson } from '../resource.ts';

const styleHash = createHash('sha256').update(pageStyle).digest('base64');
/** The page may display itself and load nothing. */
const pagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox`;

const endings = { json: 'json', page: 'html', csv: 'csv', xml: 'xml' } as const;
type DocumentName = keyof typeof endings;

/**
 * A document of a finished report.
 * @param section section of a CSV; optional if the report has only one
 * @throws Refusal
 */
export async function documentOf(
  db: Database,
  report: Report,
  name: DocumentName,
  section?: string,
): Promise<ReportFile> {
  if (report.state === 'FAILED') throw refuse('STATE_CONFLICT', `the report failed: ${report.reason}`);
  if (report.manifest === null)
    throw refuse('STATE_CONFLICT', `the report is ${report.state} (${report.percent} %); ask again when it is DONE`);
  const sections = report.manifest.sections.map((s) => s.name);
  const wanted = section ?? (sections.length === 1 ? sections[0] : undefined);
  if (name === 'csv' && (wanted === undefined || !sections.includes(wanted)))
    throw refuse('QUERY_INVALID', `the query parameter 'section' must be one of ${sections.join(', ')}`);
  const file = await findReportFile(db, report, name === 'csv' ? csvName(wanted as string) : name);
  if (!file && name === 'xml') throw refuse('NOT_FOUND', `the report '${report.kind}' has no XML`);
  if (!file) throw new Error(`the report ${report.id} has no document ${name}`);
  return file;
}

export const fileName = (report: Report, file: ReportFile, name: DocumentName): string =>
  [report.kind, ...(name === 'csv' ? [file.name.slice(csvName('').length)] : []), toWire('report', report.id)]
    .join('-')
    .concat(`.${endings[name]}`);

async function download(s: Needs<'db'>, call: Call, name: DocumentName, section?: string): Promise<Reply> {
  const report = await reportOf(s, call);
  const file = await documentOf(s.db, report, name, section);
  return {
    message: 'document',
    content: undefined,
    text: file.content,
    headers: {
      'content-disposition': `${name === 'page' ? 'inline' : 'attachment'}; filename="${fileName(report, file, name)}"`,
      'repr-digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
      'x-content-type-options': 'nosniff',
      ...(name === 'page' ? { 'content-security-policy': pagePolicy, 'referrer-policy': 'no-referrer' } : {}),
    },
  };
}

const shared = {
  method: 'GET',
  tag: 'Reports',
  audience: ['psp', 'client', 'operator'],
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
} as const;

export const getReportJson = operation({
  ...shared,
  id: 'getReportJson',
  path: '/v1/report/:reportId/json',
  summary: 'A report as JSON',
  description:
    'Head, facts and sections. Amounts are exact decimal strings. The header repr-digest has the hash of the document.',
  produces: 'application/json',
  content: ReportJson,
  handle: (call, s: Needs<'db'>) => download(s, call, 'json'),
});

export const getReportCsv = operation({
  ...shared,
  id: 'getReportCsv',
  path: '/v1/report/:reportId/csv',
  summary: 'A section of a report as CSV',
  description:
    'RFC 4180, UTF-8. Text that a spreadsheet would read as a formula is prefixed with an apostrophe; figures are not.',
  query: Type.Object({
    section: Type.Optional(
      Type.String({ description: 'Name of the section; may be omitted if the report has only one.', maxLength: 64 }),
    ),
  }),
  produces: 'text/csv',
  content: Type.String(),
  handle: (call, s: Needs<'db'>) => download(s, call, 'csv', call.query.section),
});

export const getReportPage = operation({
  ...shared,
  id: 'getReportPage',
  path: '/v1/report/:reportId/page',
  summary: 'A report as a printable page',
  description: 'Self-contained HTML without scripts. Long sections are truncated; the CSV has all rows.',
  produces: 'text/html',
  content: Type.String(),
  handle: (call, s: Needs<'db'>) => download(s, call, 'page'),
});

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
