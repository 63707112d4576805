// Wire forms of reports.
import { Type } from 'typebox';
import { toWire } from '../../core/ids.ts';
import { accountWire } from '../../core/transaction.ts';
import { changesOf } from './manifest.ts';
import { type Report, reportStates } from './report-store.ts';

const orNull = <T extends Type.TSchema>(t: T) => Type.Union([t, Type.Null()]);
const Parameters = Type.Object({}, { additionalProperties: true, description: 'As they were asked for.' });

export const ReportStateName = Type.Enum([...reportStates]);

export const ReportResource = Type.Object({
  reportId: Type.String(),
  clientId: Type.String({ description: "The account concerned. A PSP's: the PSP and all its clients." }),
  kind: Type.String(),
  parameters: Parameters,
  state: ReportStateName,
  progress: Type.Object({
    percent: Type.Integer(),
    etaSeconds: orNull(Type.Integer({ description: 'Null where nothing is known yet, and when it is done.' })),
  }),
  reason: orNull(Type.String({ description: 'Why it failed.' })),
  revision: Type.Integer({ description: 'Counts the reports of the same parameters that were run again.' }),
  provisional: orNull(Type.Boolean({ description: 'Whether its period was still open.' })),
  asOf: orNull(
    Type.Object(
      { time: Type.String(), journalSeq: Type.Integer() },
      { description: "The one moment of all its figures: the time, and the PSP's last journal entry then." },
    ),
  ),
  requestedBy: Type.String({ description: 'The key, or the login name of a person.' }),
  createdAt: Type.String(),
  startedAt: orNull(Type.String()),
  finishedAt: orNull(Type.String()),
  links: orNull(
    Type.Object(
      {
        json: Type.String(),
        page: Type.String(),
        xml: Type.Optional(Type.String({ description: 'Where the report has one.' })),
        csv: Type.Array(Type.Object({ section: Type.String(), href: Type.String() })),
      },
      { description: 'Its documents, once it is done.' },
    ),
  ),
});

const Section = Type.Object({ name: Type.String(), title: Type.String(), rows: Type.Integer(), sha256: Type.String() });
const File = Type.Object({
  name: Type.String({ description: '`json`, `page`, `xml` where there is one, or `csv:` and the section.' }),
  contentType: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
});

export const ReportDetail = Type.Object({
  ...ReportResource.properties,
  manifest: orNull(
    Type.Object({
      title: Type.String(),
      dataset: Type.String({ description: 'Version of the tax rules in force.' }),
      inputs: Type.Array(Type.Object({ name: Type.String(), title: Type.String(), value: Type.String() })),
      contentSha256: Type.String({ description: 'Two revisions with the same one say the same.' }),
      sections: Type.Array(Section),
      files: Type.Array(File),
    }),
  ),
  changes: orNull(
    Type.Object(
      {
        since: Type.Integer({ description: 'The last revision before it that was done.' }),
        changed: Type.Boolean(),
        sections: Type.Array(Type.String(), { description: 'Those that say something else.' }),
      },
      { description: 'What it says otherwise than the revision before it.' },
    ),
  ),
  revisions: Type.Array(Type.Object({ reportId: Type.String(), revision: Type.Integer(), state: ReportStateName })),
});

/** The JSON document. */
export const ReportJson = Type.Object({
  schemaVersion: Type.Integer(),
  reportId: Type.String(),
  kind: Type.String(),
  clientId: Type.String(),
  parameters: Parameters,
  revision: Type.Integer(),
  asOf: Type.Object({ journalSeq: Type.Integer(), time: Type.String() }),
  dataset: Type.String(),
  title: Type.String(),
  provisional: Type.Boolean(),
  facts: Type.Array(Type.Object({ name: Type.String(), title: Type.String(), value: Type.String() })),
  sections: Type.Array(
    Type.Object({
      name: Type.String(),
      title: Type.String(),
      note: Type.Optional(Type.String()),
      columns: Type.Array(
        Type.Object({
          name: Type.String(),
          title: Type.String(),
          type: Type.Enum(['text', 'count', 'decimal', 'money', 'percent', 'date', 'time']),
        }),
      ),
      rows: Type.Array(
        Type.Object(
          { open: Type.Optional(Type.String({ description: 'API path of what the line is made of.' })) },
          { additionalProperties: true, description: 'By column name: texts, whole numbers for counts, or null.' },
        ),
      ),
      chart: Type.Optional(
        Type.Object({ kind: Type.Enum(['bar', 'line']), label: Type.String(), values: Type.Array(Type.String()) }),
      ),
    }),
  ),
});

/** @param now milliseconds since the epoch */
export function reportResource(r: Report, now: number) {
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
    links:
      r.manifest === null
        ? null
        : {
            json: `${at}/json`,
            page: `${at}/page`,
            ...(r.manifest.files.some((f) => f.name === 'xml') ? { xml: `${at}/xml` } : {}),
            csv: r.manifest.sections.map(({ name }) => ({ section: name, href: `${at}/csv?section=${name}` })),
          },
  };
}

/** From what is done and the time it took. */
function etaOf(r: Report, now: number): number | null {
  if (r.state !== 'RUNNING' || r.percent === 0 || r.startedAt === null) return null;
  const elapsedS = Math.max(0, now - Date.parse(r.startedAt)) / 1000;
  return Math.ceil((elapsedS * (100 - r.percent)) / r.percent);
}

/** @param series all revisions, oldest first */
export function reportDetail(r: Report, series: readonly Report[], now: number) {
  const before = series.findLast((x) => x.revision < r.revision && x.state === 'DONE');
  return {
    ...reportResource(r, now),
    manifest: r.manifest,
    changes:
      r.manifest && before?.manifest ? { since: before.revision, ...changesOf(before.manifest, r.manifest) } : null,
    revisions: series.map((x) => ({ reportId: toWire('report', x.id), revision: x.revision, state: x.state })),
  };
}

/** What stands in the journal of it: no figures, but the hashes that hold them. */
export const journalData = (r: Report) => ({
  reportId: toWire('report', r.id),
  kind: r.kind,
  parameters: r.parameters,
  revision: r.revision,
  state: r.state,
  ...(r.reason === null ? {} : { reason: r.reason }),
  ...(r.manifest === null
    ? {}
    : {
        provisional: r.provisional,
        asOf: { time: r.asOf, journalSeq: r.asOfSeq },
        dataset: r.manifest.dataset,
        contentSha256: r.manifest.contentSha256,
        files: r.manifest.files,
      }),
});
