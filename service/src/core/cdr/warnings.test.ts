import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columns, type RawRecord } from './record.ts';
import { checkRecord } from './rules.ts';
import { check, now, reference, warningsOf } from './sample-record.ts';

describe('warnings', () => {
  test.each<[RawRecord, string]>([
    [{ imei_caller: '490154203237510' }, 'imei_caller IMEI_CHECK_DIGIT'],
    [{ call_type: 'TELEPATHY' }, 'call_type CALL_TYPE_UNKNOWN'],
    [{ call_status: 'PERHAPS' }, 'call_status CALL_STATUS_UNKNOWN'],
    [{ caller_location_latitude: '0.0', caller_location_longitude: '-0' }, 'caller_location_latitude LOCATION_ZERO'],
    [{ receiver_number: '112' }, 'receiver_number SHORT_CODE'],
    [{ receiver_number: '*131#' }, 'receiver_number SHORT_CODE'],
    [{ caller_number: 'MyBank', call_type: 'sms' }, 'caller_number SENDER_NAME'],
    [
      {
        call_start_time: '2026-11-20T10:00:00Z',
        call_end_time: '2026-11-21T10:00:01Z',
        call_duration_seconds: '86401',
      },
      'call_duration_seconds DURATION_LONG',
    ],
  ])('%j is recorded with %s', (change, expected) => {
    expect(warningsOf(change)).toEqual([expected]);
  });

  test('a record is late after seven days, not before', () => {
    const end = Date.UTC(2026, 10, 21, 10, 2);
    expect(warningsOf({}, end + 7 * 86_400_000)).toEqual([]);
    expect(warningsOf({}, end + 7 * 86_400_000 + 1)).toEqual(['call_end_time LATE']);
  });

  test('14 and 16 digits of an IMEI carry no check digit', () => {
    expect(warningsOf({ imei_caller: '49015420323751', imei_receiver: '4901542032375101' })).toEqual([]);
  });

  test('an unknown type is UNCLASSIFIED, its word is kept', () => {
    const { record } = check({ call_type: 'Telepathy' });
    expect(record?.callType).toBe('UNCLASSIFIED');
    expect(record?.values.call_type).toBe('Telepathy');
  });
});

describe('properties', () => {
  const anyText = fc.oneof(
    fc.string(),
    fc.constantFrom('', '0', '-1', '1e400', '2026-02-30T00:00:00Z', '+234803', '__proto__', '\u0000'),
  );
  const anyRaw = fc.record(Object.fromEntries(columns.map((c) => [c, anyText])), { requiredKeys: [] });

  test('any text gives either a record or errors, never both, and no personal value is quoted', () => {
    fc.assert(
      fc.property(anyRaw, (change) => {
        const { record, errors, warnings } = check(change as RawRecord);
        expect(record === undefined).toBe(errors.length > 0);
        for (const f of [...errors, ...warnings]) if (/imei|location/.test(f.column)) expect(f.value).toBeUndefined();
      }),
    );
  });

  test('canonical values pass the rules again and come out unchanged', () => {
    const times = fc.date({ min: new Date(0), max: new Date(now), noInvalidDate: true });
    fc.assert(
      fc.property(times, fc.nat(100_000), fc.bigInt({ min: 0n, max: 10n ** 20n }), (at, seconds, cost) => {
        const start = at.getTime() - seconds * 1000;
        fc.pre(start >= 0);
        const once = check({
          call_start_time: new Date(start).toISOString(),
          call_end_time: at.toISOString(),
          call_duration_seconds: `${seconds}.0`,
          billing_information_call_cost: `${cost}e-6`,
          billing_information_currency: 'usd',
          caller_number: '0012025550123',
        });
        expect(once.errors).toEqual([]);
        const values = once.record?.values ?? {};
        const raw = Object.fromEntries(
          Object.entries(values).map(([c, v]) => [c, typeof v === 'object' ? v.text : v?.toString()]),
        );
        expect(checkRecord(raw, { now, reference }).record).toEqual(once.record);
      }),
    );
  });
});
