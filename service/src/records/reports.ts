// Reports. Progress is stored without an entry; the request and the result each have one.
import type { Manifest, Parameters } from '../core/reports/manifest.ts';
import {
  accountId,
  bool,
  change,
  defineRecord,
  insert,
  int4,
  int8,
  json,
  optional,
  pspId,
  text,
  textOf,
  timestamptz,
  uuid,
} from './define.ts';

export const reportStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED'] as const;

export const reports = defineRecord({
  table: 'reports',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    /** The first report with its parameters, of which it is a revision. */
    series_id: uuid,
    revision: int4,
    account_id: accountId,
    kind: text,
    parameters: json<Parameters>(),
    state: textOf<(typeof reportStates)[number]>(),
    percent: int4,
    /** How many times a process has started it. */
    begun: int4,
    reason: optional(text),
    provisional: optional(bool),
    as_of: optional(timestamptz),
    as_of_seq: optional(int8),
    manifest: optional(json<Manifest>()),
    requested_by: text,
    created_at: timestamptz,
    started_at: optional(timestamptz),
    finished_at: optional(timestamptz),
    /** The schedule it was made for, and when it was due. */
    schedule_id: optional(uuid),
    due_at: optional(timestamptz),
  },
  writes: {
    report_rows: insert,
    report_ends: change('state', 'percent', 'reason', 'provisional', 'as_of', 'as_of_seq', 'manifest', 'finished_at'),
  },
});
