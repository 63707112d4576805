// A record that breaks no rule, and what the rules say when it is changed.

import type { RawRecord } from '../../src/core/cdr/record.ts';
import { checkRecord } from '../../src/core/cdr/rules.ts';
import { Reference } from '../../src/core/reference.ts';

const currency = (code: string, validTo: string | null = null) => ({
  code,
  decimals: 2,
  name: code,
  validFrom: null,
  validTo,
});
export const reference = new Reference({
  currencies: [currency('NGN'), currency('USD'), currency('BGN', '2026-02-01')],
  assets: [{ symbol: 'BTC', network: 'BITCOIN', decimals: 8, name: 'Bitcoin' }],
  countries: [],
  aliases: {},
  mccs: [],
});
export const now = Date.UTC(2026, 10, 21, 12);

export const good: RawRecord = {
  cdr_id: 'CDR-1',
  timestamp: '2026-11-21T10:02:05Z',
  caller_number: '+2348031234567',
  receiver_number: '002348059876543',
  call_start_time: '2026-11-21T10:00:00Z',
  call_end_time: '2026-11-21T10:02:00Z',
  call_duration_seconds: '120',
  call_type: 'VOICE',
  call_status: 'COMPLETED',
  caller_location_latitude: '6.5244',
  caller_location_longitude: '3.3792',
  network_provider: 'MTN',
  imei_caller: '490154203237518',
  billing_information_call_cost: '24.5001',
  billing_information_currency: 'ngn',
  recording_available: 'TRUE',
};
export const check = (change: RawRecord, at = now) => checkRecord({ ...good, ...change }, { now: at, reference });
export const errorsOf = (change: RawRecord) => check(change).errors.map((e) => `${e.column} ${e.code}`);
/** Warnings of a record that breaks no rule; an error shows among them. */
export const warningsOf = (change: RawRecord, at = now) => {
  const { errors, warnings } = check(change, at);
  return [...errors, ...warnings].map((f) => `${f.column} ${f.code}`);
};
