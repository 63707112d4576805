// Call detail records, their files, months and declarations: the resources as returned and journalled, and their
// entries.
import { callTypes } from '../core/cdr/call-types.ts';
import { cdrClasses } from '../core/cdr/classify.ts';
import { fileStates } from '../records/cdr-files.ts';
import { Reason } from './accounts.ts';
import { entry } from './define.ts';
import { Extended, Money, Named, Nullable, Type } from './schema.ts';

export const Warnings = Type.Array(
  Named('CallWarning', 'Something odd about a field, which is no reason to refuse the record.', {
    column: Type.String(),
    code: Type.String(),
    message: Type.String(),
  }),
);
export const CallTypeName = Type.Enum(callTypes);

const shownLocation = Type.Optional(
  Type.Union(
    [
      Named('Place', 'A place on earth, in degrees.', {
        latitude: Type.Number({ description: 'Degrees, -90 to 90.' }),
        longitude: Type.Number({ description: 'Degrees, -180 to 180.' }),
      }),
      Type.Literal('erased'),
    ],
    {
      description: 'With `?expand=personal` only; `erased` where its person was erased.',
    },
  ),
);
const shownImei = Type.Optional(
  Type.String({ description: 'With `?expand=personal` only; `erased` where its person was erased.' }),
);

/** A record as returned in lists and details, and stored in the journal. */
export const CdrResource = Named('CallDetailRecord', 'A call detail record as it was recorded.', {
  cdrId: Type.String(),
  clientId: Type.String(),
  recordedBy: Type.String(),
  callType: CallTypeName,
  record: Named('CallDetails', 'The record in the fields it came in, with numbers in E.164.', {
    cdr_id: Type.String(),
    timestamp: Type.Optional(Type.String({ description: 'When the record was made, ISO 8601 UTC.' })),
    caller_number: Type.String({
      description:
        'The calling number in E.164, or as it was sent if it is none; `erased` where its person was erased.',
    }),
    receiver_number: Type.String({
      description: 'The called number in E.164, or as it was sent if it is none; `erased` where its person was erased.',
    }),
    call_start_time: Type.String({ description: 'Start of the call, ISO 8601 UTC.' }),
    call_end_time: Type.String({ description: 'End of the call, ISO 8601 UTC.' }),
    call_duration_seconds: Type.Integer({ description: 'Duration in seconds.' }),
    call_type: Type.String({ description: 'Type of the call, as the operator names it.' }),
    call_status: Type.Optional(Type.String({ description: 'Status of the call, as the operator names it.' })),
    caller_location: shownLocation,
    receiver_location: shownLocation,
    network_provider: Type.String({ description: 'The network that carried the call.' }),
    imei_caller: shownImei,
    imei_receiver: shownImei,
    billing_information: Named('CallBilling', 'Cost of the call.', {
      call_cost: Money('Cost of the call, before tax.'),
      currency: Type.String(),
      billing_plan: Type.Optional(Type.String({ description: 'Name of the plan.' })),
      data_used_kb: Type.Optional(Type.Number({ description: 'Kilobytes of a data session.' })),
    }),
    voip_details: Type.Optional(
      Named('CallQuality', 'Measurements of a call over IP.', {
        codec: Type.Optional(Type.String({ description: 'Name of the codec.' })),
        packet_loss_percentage: Type.Optional(Type.Number({ description: 'Packet loss in percent, 0 to 100.' })),
        jitter_ms: Type.Optional(Type.Number({ description: 'Jitter in milliseconds.' })),
        latency_ms: Type.Optional(Type.Number({ description: 'Latency in milliseconds.' })),
      }),
    ),
    recording_available: Type.Optional(Type.Boolean({ description: 'True if there is a recording of the call.' })),
  }),
  warnings: Warnings,
  createdAt: Type.String(),
  withdrawal: Type.Optional(
    Named('CallWithdrawn', 'The record counts no more.', {
      withdrawnAt: Type.String({ description: 'When it was withdrawn, ISO 8601 UTC.' }),
      reason: Type.String(),
      supersededBy: Nullable(Type.String({ description: 'The record in its place; null if there is none.' })),
    }),
  ),
});

const RecordedCall = Extended(
  CdrResource,
  'RecordedCall',
  'A call detail record as it was recorded: masks stand for telephone numbers, their last digits as `*`.',
  {
    callerHash: Type.Optional(Type.String({ description: 'Keyed hash of a number that is hidden.' })),
    receiverHash: Type.Optional(Type.String({ description: 'Keyed hash of a number that is hidden.' })),
  },
);

const count = (description: string) => Type.Integer({ description });

/** Fields common to a file's states, lists and journal entry. */
export const fileFields = {
  fileName: Type.String(),
  sha256: Nullable(Type.String()),
  sizeBytes: Type.Integer({ description: 'Size in bytes.' }),
  receivedAt: Type.String({ description: 'When the file was received, ISO 8601 UTC.' }),
  pickedUpAt: Type.String({ description: 'When it was taken from the drop, ISO 8601 UTC.' }),
  completedAt: Nullable(Type.String(), 'When its last line was read, ISO 8601 UTC; null until then.'),
  state: Type.Enum(fileStates),
  duplicateOf: Type.Optional(Type.String({ description: 'The file with the same content that came first.' })),
  counts: Type.Object(
    {
      total: count('All data lines.'),
      accepted: count('Lines that were recorded.'),
      rejected: count('Lines that were rejected.'),
      duplicate: count('Lines whose record already existed.'),
      warned: count('Accepted lines with a warning.'),
      corrected: Type.Optional(
        Type.Integer({ description: 'Lines accepted in place of another record. Only in files that correct.' }),
      ),
      withdrawn: Type.Optional(
        Type.Integer({ description: 'Records that were withdrawn with the file. Absent if none were.' }),
      ),
    },
    { $id: 'LineCounts', description: 'Data lines; each is accepted, rejected or a duplicate.' },
  ),
  control: Named('ControlFigures', 'Control totals stated by the file, and those counted in it.', {
    declared: Nullable(
      Named('DeclaredFileTotals', 'Totals that the file or its companion states.', {
        records: Type.Integer(),
        sumDuration: Nullable(Type.String()),
        sumCost: Nullable(Type.String()),
      }),
      'Totals that the file states; null if it states none.',
    ),
    computed: Named('ComputedFileTotals', 'Totals of the lines of the file.', {
      records: Type.Integer(),
      sumDuration: Type.String(),
      sumCost: Type.String(),
    }),
  }),
  errorSummary: Type.Array(
    Named('FindingCount', 'Number of occurrences of a finding.', {
      code: Type.String(),
      count: count('Number of occurrences.'),
    }),
  ),
};

const fileId = Type.String({ description: 'Id of the file, `cdrf_…`.' });

const WithdrawnRecords = Type.Array(
  Named('WithdrawnCall', 'A call detail record that counts no more.', {
    cdrId: Type.String(),
    supersededBy: Nullable(Type.String({ description: 'The record in its place; null if there is none.' })),
  }),
);

const FilePortion = Named('CallDetailFilePortion', 'Lines of a file that were recorded in one commit.', {
  fileId,
  fileName: Type.String(),
  sha256: Nullable(Type.String(), 'SHA-256 of the whole file, in hex.'),
  fromLine: Type.Integer({ description: 'Number of its first line.' }),
  fromByte: Type.Integer({ description: 'Place of its first byte in the file.' }),
  toByte: Type.Integer({ description: 'Place after its last byte.' }),
  accepted: Type.Integer({ description: 'Lines that were recorded.' }),
  duplicate: Type.Integer({ description: 'Lines that were on record before.' }),
  rejected: Type.Integer({ description: 'Lines that were rejected.' }),
  firstCdrId: Type.Optional(Type.String({ description: 'The first record, `cdr_…`; absent where there is none.' })),
  lastCdrId: Type.Optional(Type.String({ description: 'The last record, `cdr_…`; absent where there is none.' })),
  corrected: Type.Optional(Type.Integer({ description: 'Lines recorded in place of another record.' })),
  withdrawn: Type.Optional(
    Named('CorrectedCalls', 'Call detail records that its lines correct, and why.', {
      reason: Type.String(),
      records: WithdrawnRecords,
    }),
  ),
  recordsSha256: Type.String({
    description: 'SHA-256 over the lines `<id> <cdr_id> <SHA-256 of the text>` of its records, in hex.',
  }),
  rowsSha256: Type.String({ description: 'SHA-256 over the digests of its stored rows, in hex.' }),
  rowsColumns: Type.Integer({ description: 'Number of columns that were hashed.' }),
});

export const DeclarationResource = Named(
  'CallDeclaration',
  'Figures that an operator declared to the authority for a month.',
  {
    declarationId: Type.String(),
    clientId: Type.String(),
    recordedBy: Nullable(Type.String({ description: 'Null where staff recorded it.' })),
    period: Type.String(),
    revision: Type.Integer({ description: 'Counts the declarations of the account and period, from 1.' }),
    current: Type.Boolean({ description: 'True if no later declaration supersedes it.' }),
    lineCount: Type.Integer({ description: 'Number of its lines.' }),
    createdAt: Type.String(),
  },
);

export const DeclarationDetail = Extended(
  DeclarationResource,
  'CallDeclarationDetail',
  'A declaration with its lines.',
  {
    lines: Type.Array(
      Named('CallDeclarationLine', 'Declared figures of a class, a tax and a currency.', {
        class: Nullable(Type.Enum(cdrClasses), 'The class; null for all classes together.'),
        taxCode: Nullable(Type.String(), 'Code of the tax; null for all taxes together.'),
        currency: Type.String(),
        records: Nullable(Type.Number(), 'Number of records; null if it was not declared.'),
        minutes: Nullable(Type.Number(), 'Minutes of calls; null if it was not declared.'),
        dataMb: Nullable(Type.Number(), 'Megabytes of data sessions, of 1,024 kilobytes; null if it was not declared.'),
        gross: Nullable(Type.Number(), 'Cost of the records, before tax; null if it was not declared.'),
        taxable: Nullable(Type.Number()),
        tax: Nullable(Type.Number()),
      }),
    ),
  },
);

/** A login of the file drop. */
export const loginFields = {
  loginId: Type.String(),
  clientId: Type.String({ description: 'The account whose drop it opens.' }),
  username: Type.String({ description: 'User name of the login.' }),
  name: Type.String({ description: 'Purpose of the login.' }),
  password: Type.Boolean({ description: 'True if the login has a password; keys work in addition.' }),
  publicKeys: Type.Array(Type.String({ description: 'Fingerprint, as `ssh-keygen -l` shows it.' })),
  state: Type.Enum(['ACTIVE', 'REVOKED']),
  createdAt: Type.String(),
  revokedAt: Nullable(Type.String()),
};
export const Login = Named('SftpLogin', 'A login of the file drop.', loginFields);

export const cdrEntries = {
  'cdr.recorded/1': entry('A call detail record was recorded.', { data: CdrResource }),
  'cdr.recorded/2': entry('A call detail record was recorded; its telephone numbers are hidden.', {
    data: RecordedCall,
  }),
  'cdr.file_portion/1': entry('Lines of a file of call detail records were recorded.', { data: FilePortion }),
  'cdr.file_completed/1': entry('A file of call detail records was read to its end.', {
    data: Named('CompletedCallDetailFile', 'A file of call detail records that was read to its end.', {
      fileId,
      ...fileFields,
    }),
  }),
  'cdr.lines_written_off/1': entry('Rejected lines of a file were given up.', {
    data: Named('WrittenOffLines', 'Rejected lines that were given up.', {
      fileId,
      reason: Type.String(),
      count: Type.Integer({ description: 'How many lines were given up.' }),
      lines: Type.Array(Type.Integer(), { description: 'Their numbers, at most the first thousand.' }),
    }),
  }),
  'cdr.withdrawn/1': entry('A call detail record was withdrawn, or corrected by another one.', {
    data: Named('CallWithdrawal', 'A call detail record that counts no more, and why.', {
      reason: Type.String(),
      records: WithdrawnRecords,
    }),
  }),
  'cdr.lines_withdrawn/1': entry('Call detail records of a file were withdrawn.', {
    data: Named('CallWithdrawals', 'Call detail records that count no more, and why.', {
      fileId,
      reason: Type.String(),
      records: WithdrawnRecords,
    }),
  }),
  'cdr.period_closed/1': entry('A month of call detail records was closed.', {
    data: Named('ClosedMonth', 'A month whose records were closed.', {
      clientId: Type.String(),
      period: Type.String(),
      country: Type.String({ description: 'Country whose taxes apply, ISO 3166-1 alpha-2.' }),
    }),
  }),
  'cdr.declared/1': entry('Figures for a month were declared to the authority.', {
    data: DeclarationDetail,
    evidence: Named('DeclarationEvidence', 'What was declared, and what it replaces.', {
      content: Type.String({ description: 'SHA-256 of the stored lines, in hex.' }),
      supersedes: Nullable(Type.String(), 'The declaration that it supersedes; null if it is the first.'),
    }),
  }),
  'sftp_login.issued/1': entry('A login of the file drop was created.', {
    data: Login,
    evidence: Type.Optional(Reason),
  }),
  'sftp_login.updated/1': entry('A key was added to a login of the file drop.', {
    data: Login,
    evidence: Type.Optional(Reason),
  }),
  'sftp_login.revoked/1': entry('A login of the file drop was revoked.', {
    data: Login,
    evidence: Type.Optional(Reason),
  }),
};
