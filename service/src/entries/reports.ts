// Reports: the entries about them. The journal has no figures, only the hashes that cover them.
import { coverings, rhythms } from '../core/reports/schedule.ts';
import { reportStates } from '../records/reports.ts';
import { entry } from './define.ts';
import { Named, Nullable, Type } from './schema.ts';

export const Parameters = Type.Object(
  {},
  { $id: 'ReportParameters', additionalProperties: true, description: 'Parameters of the request.' },
);

export const AsOf = Type.Object(
  {
    time: Type.String({ description: 'The moment, ISO 8601 UTC.' }),
    journalSeq: Type.Integer({ description: "Number of the PSP's last journal entry at that moment." }),
  },
  { $id: 'AsOf', description: "The moment of all figures: the time, and the PSP's last journal entry." },
);

export const ReportFile = Named('ReportFile', 'A document of the report.', {
  name: Type.String({
    description: '`json`, `page`, `xml`, `xlsx`, or `csv:` and the section; `:fr` or `:en` for people.',
  }),
  contentType: Type.String({ description: 'Media type.' }),
  bytes: Type.Integer({ description: 'Size in bytes.' }),
  sha256: Type.String(),
});

const report = {
  data: Named('ReportRecord', 'A report as it is kept in the journal.', {
    reportId: Type.String(),
    kind: Type.String({ description: 'Kind of the report.' }),
    parameters: Parameters,
    revision: Type.Integer({ description: 'Counts the reports of the same parameters that were run again.' }),
    state: Type.Enum(reportStates),
    reason: Type.Optional(Type.String({ description: 'Why it failed.' })),
    provisional: Type.Optional(Type.Boolean({ description: 'True if its period was still open.' })),
    asOf: Type.Optional(AsOf),
    dataset: Type.Optional(Type.String({ description: 'Version of the tax rules in force.' })),
    contentSha256: Type.Optional(
      Type.String({ description: 'Hash of the content; equal in two revisions with the same content.' }),
    ),
    scheduleId: Type.Optional(Type.String({ description: 'The schedule it was made for, `rsc_…`.' })),
    dueAt: Type.Optional(Type.String({ description: 'When it was due by its schedule, ISO 8601 UTC.' })),
    files: Type.Optional(Type.Array(ReportFile, { description: 'Its documents.' })),
  }),
};

export const Rhythm = {
  every: Type.Enum(rhythms, { description: 'Rhythm of the reports.' }),
  onDay: Type.Integer({
    description: 'Day of the week, 1 is Monday, or of the month; in a shorter month its last day.',
    minimum: 1,
    maximum: 31,
  }),
  hour: Type.Integer({ description: 'Hour of the day, 0 to 23, in the time zone.', minimum: 0, maximum: 23 }),
  timeZone: Type.String({ description: 'IANA time zone, such as Africa/Lagos.', minLength: 1, maxLength: 64 }),
  covers: Type.Enum(coverings, {
    description:
      'FINISHED: the last month or quarter that has ended or, for kinds that take days, the day, week or month before. RUNNING: the one that is not over.',
  }),
};

export const ReportScheduleResource = Named('ReportSchedule', 'A report that is made again and again.', {
  scheduleId: Type.String({ description: 'Its id, `rsc_…`.' }),
  clientId: Type.String({ description: 'The account concerned; for a PSP, the PSP and all its clients.' }),
  kind: Type.String({ description: 'Kind of the report.' }),
  parameters: Parameters,
  ...Rhythm,
  onDay: Nullable(Type.Integer(), 'Day of the week, 1 is Monday, or of the month; null for every day.'),
  state: Type.Enum(['ACTIVE', 'ENDED']),
  nextAt: Nullable(Type.String(), 'When the next report is due, ISO 8601 UTC; null once it has ended.'),
  problem: Nullable(Type.String(), 'Why the last report that was due could not be requested; null if it was.'),
  version: Type.Integer(),
  createdBy: Type.String({ description: 'The key or person that created it.' }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

const schedule = { data: ReportScheduleResource };

export const reportEntries = {
  'report.requested/1': entry('A report was requested.', report),
  'report.completed/1': entry('A report was made.', report),
  'report.completed/2': entry('A report was made; announced.', report),
  'report.failed/1': entry('A report could not be made.', report),
  'report.failed/2': entry('A report could not be made; announced.', report),
  'report_schedule.created/1': entry('A report was scheduled.', schedule),
  'report_schedule.changed/1': entry('The schedule of a report was changed.', schedule),
  'report_schedule.ended/1': entry('The schedule of a report was ended.', schedule),
};
