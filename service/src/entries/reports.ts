// Reports: the entries about them. The journal has no figures, only the hashes that cover them.
import { Type } from 'typebox';
import { reportStates } from '../records/reports.ts';
import { entry } from './define.ts';
import { Named } from './schema.ts';

export const Parameters = Type.Object(
  {},
  { $id: 'ReportParameters', additionalProperties: true, description: 'Parameters of the request.' },
);

export const AsOf = Type.Object(
  { time: Type.String(), journalSeq: Type.Integer() },
  { $id: 'AsOf', description: "The moment of all figures: the time, and the PSP's last journal entry." },
);

export const ReportFile = Named('ReportFile', 'A document of the report.', {
  name: Type.String({ description: '`json`, `page`, `xml` or `xlsx` if there is one, or `csv:` and the section.' }),
  contentType: Type.String(),
  bytes: Type.Integer(),
  sha256: Type.String(),
});

const report = {
  data: Named('ReportRecord', 'A report as it is kept in the journal.', {
    reportId: Type.String(),
    kind: Type.String({ description: 'Kind of the report.' }),
    parameters: Parameters,
    revision: Type.Integer({ description: 'Counts the reports of the same parameters that were run again.' }),
    state: Type.Enum([...reportStates]),
    reason: Type.Optional(Type.String({ description: 'Why it failed.' })),
    provisional: Type.Optional(Type.Boolean({ description: 'True if its period was still open.' })),
    asOf: Type.Optional(AsOf),
    dataset: Type.Optional(Type.String({ description: 'Version of the tax rules in force.' })),
    contentSha256: Type.Optional(
      Type.String({ description: 'Hash of the content; equal in two revisions with the same content.' }),
    ),
    files: Type.Optional(Type.Array(ReportFile, { description: 'Its documents.' })),
  }),
};

export const reportEntries = {
  'report.requested/1': entry('A report was requested.', report),
  'report.completed/1': entry('A report was made.', report),
  'report.failed/1': entry('A report could not be made.', report),
};
