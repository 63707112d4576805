// Wire forms of reports.
import { accountWire, toWire } from '../../core/ids.ts';
import { FilingResource } from '../../entries/filings.ts';
import { AsOf, Parameters, ReportFile } from '../../entries/reports.ts';
import { reportStates } from '../../records/reports.ts';
import { type Filing, filingResource } from '../filing/index.ts';
import { Extended, Named, Nullable, Type } from '../kernel/operation.ts';
import { changesOf } from './manifest.ts';
import type { Report } from './report-store.ts';

export const ReportStateName = Type.Enum(reportStates);

export const ReportFiled = Named('ReportFiled', 'The return that the report was filed as.', {
  filingId: Type.String({ description: 'Id of the filed return, `fil_…`.' }),
  reference: Type.String({ description: "The authority's reference of the return." }),
  filedOn: Type.String({ description: 'Day on which it was filed, `YYYY-MM-DD`.' }),
  filedBy: Type.String({ description: 'The key or person that recorded it.' }),
});

export const ReportResource = Named('Report', 'A report: its parameters, state and documents.', {
  reportId: Type.String(),
  clientId: Type.String({ description: 'The account concerned; for a PSP, the PSP and all its clients.' }),
  kind: Type.String({ description: 'Kind of report, as listReportKinds names it.' }),
  parameters: Parameters,
  state: ReportStateName,
  progress: Named('ReportProgress', 'Progress of the report.', {
    percent: Type.Integer(),
    etaSeconds: Nullable(Type.Integer({ description: 'Estimated seconds left; null if unknown or done.' })),
  }),
  reason: Nullable(Type.String({ description: 'Why it failed.' })),
  revision: Type.Integer({ description: 'Counts the reports of the same parameters that were run again.' }),
  provisional: Nullable(Type.Boolean({ description: 'True if its period was still open.' })),
  asOf: Nullable(AsOf),
  requestedBy: Type.String({ description: 'The key or person that requested it.' }),
  createdAt: Type.String(),
  startedAt: Nullable(Type.String(), 'When it was started, ISO 8601 UTC; null while it is queued.'),
  finishedAt: Nullable(Type.String()),
  scheduleId: Nullable(Type.String(), 'The schedule it was made for, `rsc_…`; null if it was requested by itself.'),
  filed: Nullable(ReportFiled, 'The return that it was filed as; null if it was not filed.'),
  links: Nullable(
    Type.Object(
      {
        json: Type.String({ description: 'Path of the JSON document.' }),
        page: Type.String({ description: 'Path of the page for people.' }),
        xml: Type.Optional(Type.String({ description: 'Path of the XML document, if there is one.' })),
        xlsx: Type.Optional(Type.String({ description: 'Path of the workbook, if there is one.' })),
        csv: Type.Array(
          Named('ReportCsvLink', 'A section as CSV.', {
            section: Type.String({ description: 'Name of the section.' }),
            href: Type.String({ description: 'Path of the document.' }),
          }),
          { description: 'Paths of the sections as CSV.' },
        ),
      },
      { $id: 'ReportLinks', description: 'Paths of its documents, once it is done.' },
    ),
    'Paths of its documents; null until it is done.',
  ),
});

const Fact = Named('ReportFact', 'A fact about the report.', {
  name: Type.String(),
  title: Type.String(),
  value: Type.String({ description: 'The value, for people.' }),
});
const Section = Named('ReportFileSection', 'A section of the report, with the hash of its content.', {
  name: Type.String(),
  title: Type.String(),
  rows: Type.Integer({ description: 'Number of rows.' }),
  sha256: Type.String(),
});
export const ReportDetail = Extended(ReportResource, 'ReportDetail', 'A report with its manifest and its revisions.', {
  manifest: Nullable(
    Named('ReportManifest', 'Inputs of the report, and the hashes of its documents.', {
      title: Type.String(),
      dataset: Type.String({ description: 'Version of the tax rules in force.' }),
      inputs: Type.Array(Fact, { description: 'Inputs of the report.' }),
      contentSha256: Type.String({ description: 'Hash of the content; equal in two revisions with the same content.' }),
      sections: Type.Array(Section),
      files: Type.Array(ReportFile, { description: 'Its documents.' }),
      french: Type.Optional(
        Type.Record(Type.String(), Type.String(), { description: 'Texts of the report in French, by their English.' }),
      ),
    }),
    'Inputs and hashes; null until it is done.',
  ),
  changes: Nullable(
    Type.Object(
      {
        since: Type.Integer({ description: 'The last completed revision before it.' }),
        changed: Type.Boolean({ description: 'True if its content differs from the revision before it.' }),
        sections: Type.Array(Type.String(), { description: 'Sections that differ.' }),
      },
      { $id: 'ReportChanges', description: 'Differences from the previous revision.' },
    ),
  ),
  filedInstead: Nullable(
    FilingResource,
    'The return of the same form and taxpayer that was filed for days of its period, so that this one cannot be; null if there is none.',
  ),
  revisions: Type.Array(
    Named('ReportRevision', 'A revision of the report.', {
      reportId: Type.String(),
      revision: Type.Integer(),
      state: ReportStateName,
    }),
    { description: 'All revisions with these parameters, oldest first.' },
  ),
});

export const ReportJson = Named('ReportDocument', 'The figures of a report.', {
  schemaVersion: Type.Integer({ description: 'Version of the document format.' }),
  reportId: Type.String(),
  kind: Type.String({ description: 'Kind of report, as listReportKinds names it.' }),
  clientId: Type.String(),
  parameters: Parameters,
  revision: Type.Integer(),
  asOf: AsOf,
  dataset: Type.String(),
  title: Type.String(),
  provisional: Type.Boolean({ description: 'True if the period was still open when the report was made.' }),
  facts: Type.Array(Fact, { description: 'Facts about the report and its inputs.' }),
  sections: Type.Array(
    Named('ReportSection', 'A table of the report.', {
      name: Type.String(),
      title: Type.String(),
      note: Type.Optional(Type.String({ description: 'Note for readers of the table.' })),
      columns: Type.Array(
        Named('ReportColumn', 'A column of a table.', {
          name: Type.String(),
          title: Type.String(),
          type: Type.Enum(['text', 'count', 'decimal', 'money', 'percent', 'date', 'time'], {
            description: 'Type of its values.',
          }),
        }),
        { description: 'The columns of the table.' },
      ),
      rows: Type.Array(
        Type.Object(
          { open: Type.Optional(Type.String({ description: 'API path of the records in the row.' })) },
          {
            $id: 'ReportRow',
            additionalProperties: true,
            description: 'By column name: strings, integers for counts, or null.',
          },
        ),
        { description: 'The rows of the table.' },
      ),
      chart: Type.Optional(
        Named('ReportChart', 'Chart of the table.', {
          kind: Type.Enum(['bar', 'line'], { description: 'Type of the chart.' }),
          label: Type.String({ description: 'Column that labels the chart.' }),
          values: Type.Array(Type.String(), { description: 'Columns that the chart shows.' }),
        }),
      ),
    }),
  ),
});

/**
 * @param now milliseconds since the epoch
 * @param filing the return it was filed as
 */
export function reportResource(r: Report, now: number, filing?: Filing) {
  const reportId = toWire('report', r.id);
  const at = `/v1/report/${reportId}`;
  return {
    reportId,
    clientId: accountWire(r.psp, r.account),
    kind: r.kind,
    parameters: r.parameters,
    state: r.state,
    progress: { percent: r.percent, etaSeconds: etaOf(r, now) },
    reason: r.reason,
    revision: r.revision,
    provisional: r.provisional,
    asOf: r.asOf === null || r.asOfSeq === null ? null : { time: r.asOf, journalSeq: r.asOfSeq },
    requestedBy: r.requestedBy,
    createdAt: r.createdAt,
    startedAt: r.startedAt,
    finishedAt: r.finishedAt,
    scheduleId: r.schedule === null ? null : toWire('reportSchedule', r.schedule),
    filed: filing === undefined ? null : filedAs(filing),
    links:
      r.manifest === null
        ? null
        : {
            json: `${at}/json`,
            page: `${at}/page`,
            ...(r.manifest.files.some((f) => f.name === 'xml') ? { xml: `${at}/xml` } : {}),
            ...(r.manifest.files.some((f) => f.name === 'xlsx') ? { xlsx: `${at}/xlsx` } : {}),
            csv: r.manifest.sections.map(({ name }) => ({ section: name, href: `${at}/csv?section=${name}` })),
          },
  };
}

export const filedAs = (f: Filing) => ({
  filingId: toWire('filing', f.id),
  reference: f.reference,
  filedOn: f.filedOn,
  filedBy: f.filedBy,
});

/** Estimated from the part done and the time it took. */
function etaOf(r: Report, now: number): number | null {
  if (r.state !== 'RUNNING' || r.percent === 0 || r.startedAt === null) return null;
  const elapsedS = Math.max(0, now - Date.parse(r.startedAt)) / 1000;
  return Math.ceil((elapsedS * (100 - r.percent)) / r.percent);
}

interface FiledAs {
  readonly filing: Filing | undefined;
  readonly filedInstead: Filing | undefined;
}

/** @param series all revisions, oldest first */
export function reportDetail(r: Report, series: readonly Report[], now: number, { filing, filedInstead }: FiledAs) {
  const before = series.findLast((x) => x.revision < r.revision && x.state === 'DONE');
  return {
    ...reportResource(r, now, filing),
    manifest: r.manifest,
    changes:
      r.manifest && before?.manifest ? { since: before.revision, ...changesOf(before.manifest, r.manifest) } : null,
    filedInstead: filedInstead === undefined ? null : filingResource(filedInstead),
    revisions: series.map((x) => ({ reportId: toWire('report', x.id), revision: x.revision, state: x.state })),
  };
}

/** The report's journal data: hashes of the figures, not the figures themselves. */
export const journalData = (r: Report) => ({
  reportId: toWire('report', r.id),
  kind: r.kind,
  parameters: r.parameters,
  revision: r.revision,
  state: r.state,
  ...(r.schedule === null || r.dueAt === null
    ? {}
    : { scheduleId: toWire('reportSchedule', r.schedule), dueAt: r.dueAt }),
  ...(r.reason === null ? {} : { reason: r.reason }),
  ...(r.manifest === null || r.provisional === null || r.asOf === null || r.asOfSeq === null
    ? {}
    : {
        provisional: r.provisional,
        asOf: { time: r.asOf, journalSeq: r.asOfSeq },
        dataset: r.manifest.dataset,
        contentSha256: r.manifest.contentSha256,
        files: r.manifest.files,
      }),
});
