// Reports. Progress is stored without an entry; the request and the result each have one.
import type { Manifest, Parameters } from '../core/reports/manifest.ts';
import { change, column, defineRecord, insert } from './define.ts';

export const reportStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED'] as const;

export const reports = defineRecord({
  table: 'reports',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    /** The first report with its parameters, of which it is a revision. */
    series_id: column.uuid,
    revision: column.int4,
    account_id: column.accountId,
    kind: column.text,
    parameters: column.json<Parameters>(),
    state: column.textOf<(typeof reportStates)[number]>(),
    percent: column.int4,
    /** How many times a process has started it. */
    begun: column.int4,
    reason: column.optional(column.text),
    provisional: column.optional(column.bool),
    as_of: column.optional(column.timestamptz),
    as_of_seq: column.optional(column.int8),
    manifest: column.optional(column.json<Manifest>()),
    requested_by: column.text,
    created_at: column.timestamptz,
    started_at: column.optional(column.timestamptz),
    finished_at: column.optional(column.timestamptz),
    /** The schedule it was made for, and when it was due. */
    schedule_id: column.optional(column.uuid),
    due_at: column.optional(column.timestamptz),
  },
  resource: 'report',
  journaled: true,
  writes: {
    report_rows: insert,
    report_ends: change('state', 'percent', 'reason', 'provisional', 'as_of', 'as_of_seq', 'manifest', 'finished_at'),
  },
});
