// Schedules of reports. When the next one is due is kept beside, without an entry.
import type { Parameters } from '../core/reports/manifest.ts';
import type { Covers, Every } from '../core/reports/schedule.ts';
import { column, defineRecord, put } from './define.ts';

export const reportSchedules = defineRecord({
  table: 'report_schedules',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    kind: column.text,
    parameters: column.json<Parameters>(),
    every: column.textOf<Every>(),
    on_day: column.optional(column.int4),
    hour: column.int4,
    time_zone: column.text,
    covers: column.textOf<Covers>(),
    state: column.textOf<'ACTIVE' | 'ENDED'>(),
    version: column.int4,
    created_by: column.text,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
    next_at: column.optional(column.timestamptz),
    problem: column.optional(column.text),
  },
  writes: {
    report_schedules: put(
      'parameters',
      'every',
      'on_day',
      'hour',
      'time_zone',
      'covers',
      'state',
      'version',
      'updated_at',
      'next_at',
      'problem',
    ),
  },
  vouched: 'updated_at',
  resource: 'reportSchedule',
  journaled: true,
});
