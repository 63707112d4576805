// Schedules of reports. When the next one is due is kept beside, without an entry.
import type { Parameters } from '../core/reports/manifest.ts';
import type { Covers, Every } from '../core/reports/schedule.ts';
import {
  accountId,
  defineRecord,
  int4,
  json,
  optional,
  pspId,
  put,
  text,
  textOf,
  timestamptz,
  uuid,
} from './define.ts';

export const reportSchedules = defineRecord({
  table: 'report_schedules',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    kind: text,
    parameters: json<Parameters>(),
    every: textOf<Every>(),
    on_day: optional(int4),
    hour: int4,
    time_zone: text,
    covers: textOf<Covers>(),
    state: textOf<'ACTIVE' | 'ENDED'>(),
    version: int4,
    created_by: text,
    created_at: timestamptz,
    updated_at: timestamptz,
    next_at: optional(timestamptz),
    problem: optional(text),
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
  told: true,
});
