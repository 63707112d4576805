import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, good, now, reference, warningsOf } from '../../../test/support/sample-cdr.ts';
import { completeNumber } from '../../platform/completed-numbers.ts';
import { columns, type RawRecord, writeValues } from './record.ts';
import { checkRecord } from './rules.ts';

describe('warnings', () => {
  test.each<[RawRecord, string]>([
    [{ imei_caller: '490154203237510' }, 'imei_caller IMEI_CHECK_DIGIT'],
    [{ call_type: 'TELEPATHY' }, 'call_type CALL_TYPE_UNKNOWN'],
    [{ call_status: 'PERHAPS' }, 'call_status CALL_STATUS_UNKNOWN'],
    [{ caller_location_latitude: '0.0', caller_location_longitude: '-0' }, 'caller_location_latitude LOCATION_ZERO'],
    ...['NO_ANSWER', 'Missed', 'busy', 'UNDELIV'].map((call_status): [RawRecord, string] => [
      { call_status },
      'billing_information_call_cost UNANSWERED_CHARGED',
    ]),
    [{ receiver_number: '112' }, 'receiver_number SHORT_CODE'],
    [{ receiver_number: '*131#' }, 'receiver_number SHORT_CODE'],
    [{ caller_number: 'MyBank', call_type: 'sms' }, 'caller_number SENDER_NAME'],
    ...[
      'anonymous',
      'RESTRICTED',
      'Private',
      'withheld',
      'Unavailable',
      'unknown',
      'sip:anonymous@anonymous.invalid',
    ].map((caller_number): [RawRecord, string] => [{ caller_number }, 'caller_number NUMBER_WITHHELD']),
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

  test('a withheld number is kept as one word, whichever was sent, and only of the caller', () => {
    for (const caller_number of ['Restricted', 'ANONYMOUS'])
      expect(check({ caller_number }).record?.caller).toEqual({ text: 'ANONYMOUS', kind: 'WITHHELD' });
    expect(check({ receiver_number: 'ANONYMOUS' }).errors).toMatchObject([{ code: 'PARTY_INVALID' }]);
  });

  test('a call that was not put through and costs nothing is as it should be', () => {
    expect(warningsOf({ call_status: 'NO_ANSWER', billing_information_call_cost: '0.00' })).toEqual([]);
  });

  test('what is left of an international prefix is no short code', () => {
    for (const receiver_number of ['0000', '00234', '000000'])
      expect(check({ receiver_number }).errors).toMatchObject([{ code: 'PARTY_INVALID' }]);
    expect(warningsOf({ receiver_number: '000' })).toEqual(['receiver_number SHORT_CODE']);
  });

  test.each([
    ['60', 'ringing was not billed'],
    ['0', 'the call was not answered'],
    ['118', 'two seconds less'],
    ['122', 'two seconds more'],
    ['179', 'billed by the minute begun'],
  ])('a duration of %s s of a call of 120 s is recorded as the billed one: %s', (duration) => {
    expect(warningsOf({ call_duration_seconds: duration })).toEqual(['call_duration_seconds DURATION_BILLED']);
    expect(check({ call_duration_seconds: duration }).record?.durationS).toBe(Number(duration));
  });

  test('a second of rounding either way is not remarked on', () => {
    for (const duration of ['119', '120', '121']) expect(warningsOf({ call_duration_seconds: duration })).toEqual([]);
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

describe('numbers without + or 00', () => {
  const read = (change: RawRecord, country?: string) =>
    checkRecord({ ...good, ...change }, { now, reference, completeNumber: (d) => completeNumber(d, country) });

  test('are recorded in E.164: an MSISDN silently, a national one with a warning that says what was sent', () => {
    const { record, warnings } = read({ caller_number: '2348031234567', receiver_number: '08059876543' }, 'NG');
    expect([record?.caller.text, record?.receiver.text]).toEqual(['+2348031234567', '+2348059876543']);
    expect(record?.values).toMatchObject({ caller_number: '+2348031234567', receiver_number: '+2348059876543' });
    expect(warnings).toEqual([
      {
        column: 'receiver_number',
        code: 'NATIONAL_NUMBER',
        severity: 'warning',
        message: "the field 'receiver_number' was sent as 080598***** and is read as +23480598*****",
        value: '080598*****',
      },
    ]);
  });

  test('give the same record as the same numbers in E.164', () => {
    const sent = read({ caller_number: '08031234567', receiver_number: '2348059876543' }, 'NG').record;
    expect(writeValues(sent?.values ?? {})).toBe(writeValues(read({}).record?.values ?? {}));
  });

  test('are refused where they fit no numbering plan, and national ones where the account has no country', () => {
    for (const [number, country] of [
      ['08031234567', undefined],
      ['08031234567', 'KE'],
      ['1234567', 'NG'],
    ] as const)
      expect(read({ caller_number: number }, country).errors.map((e) => e.code)).toEqual(['PARTY_INVALID']);
  });

  test('leave short and emergency codes what they are', () => {
    for (const code of ['112', '199', '32311', '*556#'])
      expect(read({ receiver_number: code }, 'NG').warnings.map((w) => w.code)).toEqual(['SHORT_CODE']);
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
        for (const f of [...errors, ...warnings]) {
          if (/imei|location/.test(f.column)) expect(f.value).toBeUndefined();
          if (/number/.test(f.column)) expect(f.value ?? '').not.toMatch(/(\d\D*){9}/);
        }
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
