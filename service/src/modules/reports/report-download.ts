// Sends a document of a report: the name of the file, its headers and its bytes.
import { createHash } from 'node:crypto';
import { toWire } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import { type Language, languages, phrase, said } from '../../core/said.ts';
import type { Database } from '../../platform/database.ts';
import { type Call, type Needs, type Reply, Type } from '../kernel/operation.ts';
import { csvName, languageName } from './manifest.ts';
import { reportOf } from './report-access.ts';
import { findReportFile, type Report, type ReportFile } from './report-store.ts';

/** The page may display itself and load nothing. Its style is its own: it may be of an earlier version. */
export function pagePolicy(page: string): string {
  const [, style = ''] = /<style>([^<]*)<\/style>/.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox`;
}

const endings = { json: 'json', page: 'html', csv: 'csv', xml: 'xml', xlsx: 'xlsx' } as const;
type DocumentName = keyof typeof endings;

/** What people read, by its language. */
const nameIn: { readonly [N in DocumentName]?: (language: Language, section?: string) => string } = {
  csv: (language, section = '') => csvName(section, language),
  page: (language) => languageName('page', language),
  xlsx: (language) => languageName('xlsx', language),
};

/**
 * A document of a finished report.
 * @param section section of a CSV; optional if the report has only one
 * @param language what people read of it is in this language; reports of earlier versions have but what is named without one
 * @throws Refusal
 */
export async function documentOf(
  db: Database,
  report: Report,
  name: DocumentName,
  section?: string,
  language?: Language,
): Promise<ReportFile> {
  if (report.state === 'FAILED') throw refuse('STATE_CONFLICT', said`the report failed: ${report.reason}`);
  if (report.manifest === null)
    throw refuse(
      'STATE_CONFLICT',
      said`the report is ${phrase(report.state)} (${report.percent} %); ask again when it is DONE`,
    );
  const sections = report.manifest.sections.map((s) => s.name);
  const wanted = section ?? (sections.length === 1 ? sections[0] : undefined);
  if (name === 'csv' && (wanted === undefined || !sections.includes(wanted)))
    throw refuse('QUERY_INVALID', said`the query parameter 'section' must be one of ${sections.join(', ')}`);
  const plain = name === 'csv' ? csvName(wanted as string) : name;
  const named = (language && nameIn[name]?.(language, wanted)) ?? plain;
  const file =
    (await findReportFile(db, report, named)) ??
    (named === plain ? undefined : await findReportFile(db, report, plain));
  if (!file && name === 'xml') throw refuse('NOT_FOUND', said`the report '${report.kind}' has no XML`);
  if (!file && name === 'xlsx')
    throw refuse(
      'NOT_FOUND',
      'the report has no workbook: it is too large for one, or was made by an earlier version; take the CSV of its sections, or run it again',
    );
  if (!file) throw new Error(`the report ${report.id} has no document ${name}`);
  return file;
}

const fileName = (report: Report, file: ReportFile, name: DocumentName): string =>
  [
    report.kind,
    ...(name === 'csv' ? [file.name.slice(csvName('').length).replace(':', '-')] : []),
    toWire('report', report.id),
  ]
    .join('-')
    .concat(`.${endings[name]}`);

export async function download(
  s: Needs<'db'>,
  call: Call,
  name: DocumentName,
  section?: string,
  language?: Language,
): Promise<Reply> {
  const report = await reportOf(s, call);
  const file = await documentOf(s.db, report, name, section, language);
  return {
    message: 'document',
    content: undefined,
    text: name === 'xlsx' ? Buffer.from(file.content, 'base64') : file.content,
    headers: {
      'content-disposition': `${name === 'page' ? 'inline' : 'attachment'}; filename="${fileName(report, file, name)}"`,
      'repr-digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
      'x-content-type-options': 'nosniff',
      ...(name === 'page'
        ? { 'content-security-policy': pagePolicy(file.content), 'referrer-policy': 'no-referrer' }
        : {}),
    },
  };
}

export const InLanguage = Type.Optional(
  Type.Enum(languages, { description: 'Language of headings, names and figures.' }),
);

export const shared = {
  method: 'GET',
  tag: 'Reports',
  audience: ['psp', 'client', 'operator', 'authority'],
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
} as const;
