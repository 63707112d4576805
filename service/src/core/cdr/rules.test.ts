import { describe, expect, test } from 'vitest';
import { check, errorsOf, good, now, reference } from '../../../test/support/sample-cdr.ts';
import { pathOf, type RawRecord, requiredColumns } from './record.ts';
import { checkRecord } from './rules.ts';

describe('a good record', () => {
  test('becomes a typed one, without errors or warnings', () => {
    const { record, errors, warnings } = check({});
    expect(errors).toEqual([]);
    expect(warnings).toEqual([]);
    expect(record).toMatchObject({
      cdrId: 'CDR-1',
      caller: { kind: 'E164' },
      receiver: { text: '+2348059876543', kind: 'E164' },
      durationS: 120,
      callType: 'VOICE',
      callStatus: 'COMPLETED',
      cost: '24.5001',
      currency: 'NGN',
    });
    expect(record?.values).toMatchObject({
      receiver_number: '+2348059876543',
      billing_information_currency: 'NGN',
      recording_available: true,
    });
  });

  test('needs no more than the required columns', () => {
    const least = Object.fromEntries(requiredColumns.map((c) => [c, good[c]]));
    expect(checkRecord(least, { now, reference }).record).toBeDefined();
  });

  test.each(['internet', 'web.gprs.mtnnigeria.net', 'internet4g.mnc030.mcc621.gprs', '3gnet'])(
    'takes a data session to the access point %s, without a warning',
    (receiver) => {
      const { record, warnings } = check({ call_type: 'DATA', receiver_number: receiver });
      expect(record?.receiver).toEqual({ text: receiver, kind: 'ACCESS_POINT' });
      expect(warnings).toEqual([]);
    },
  );

  test('keeps a cost of 38 digits exactly', () => {
    expect(check({ billing_information_call_cost: '12345678901234567890.123456789012345678' }).record?.cost).toBe(
      '12345678901234567890.123456789012345678',
    );
  });
});

describe('errors', () => {
  test.each(requiredColumns)('%s is required, empty is missing', (c) => {
    expect(errorsOf({ [c]: undefined })).toContain(`${c} REQUIRED`);
    expect(check({ [c]: '' }).errors.find((e) => e.column === c)?.message).toBe(`the field '${c}' is required`);
  });

  test.each<[RawRecord, string]>([
    [{ call_end_time: '2026-11-21T09:59:59Z' }, 'call_end_time END_BEFORE_START'],
    [{ call_duration_seconds: '180' }, 'call_duration_seconds DURATION_MISMATCH'],
    [{ call_end_time: '2026-11-21T10:01:00Z' }, 'call_duration_seconds DURATION_MISMATCH'],
    [{ call_duration_seconds: '120.5' }, 'call_duration_seconds INTEGER_EXPECTED'],
    [{ call_duration_seconds: '2147483648' }, 'call_duration_seconds INTEGER_EXPECTED'],
    [{ call_duration_seconds: 'two' }, 'call_duration_seconds NUMBER_EXPECTED'],
    [{ call_duration_seconds: '-1' }, 'call_duration_seconds NEGATIVE'],
    [{ timestamp: 'yesterday' }, 'timestamp TIME_INVALID'],
    [{ caller_number: '08031234567' }, 'caller_number PARTY_INVALID'],
    [{ caller_number: '+0348031234567' }, 'caller_number PARTY_INVALID'],
    [{ receiver_number: '+1234567890123456' }, 'receiver_number PARTY_INVALID'],
    [{ caller_number: 'MyBank' }, 'caller_number PARTY_INVALID'],
    [{ receiver_number: 'MyBank', call_type: 'SMS' }, 'receiver_number PARTY_INVALID'],
    [{ receiver_number: 'internet' }, 'receiver_number PARTY_INVALID'],
    [{ receiver_number: 'web..mtn', call_type: 'DATA' }, 'receiver_number PARTY_INVALID'],
    [{ receiver_number: '-web', call_type: 'DATA' }, 'receiver_number PARTY_INVALID'],
    [{ receiver_number: 'a_b', call_type: 'DATA' }, 'receiver_number PARTY_INVALID'],
    [{ receiver_number: '123456789', call_type: 'DATA' }, 'receiver_number PARTY_INVALID'],
    [{ caller_number: 'internet', call_type: 'DATA' }, 'caller_number PARTY_INVALID'],
    [{ caller_location_latitude: '90.0000001' }, 'caller_location_latitude COORDINATE_RANGE'],
    [{ caller_location_longitude: '-180.1' }, 'caller_location_longitude COORDINATE_RANGE'],
    [{ receiver_location_latitude: '1' }, 'receiver_location_longitude COORDINATE_HALF'],
    [{ caller_location_latitude: '' }, 'caller_location_latitude COORDINATE_HALF'],
    [{ billing_information_currency: 'ABC' }, 'billing_information_currency CURRENCY_UNKNOWN'],
    [{ billing_information_currency: 'BTC' }, 'billing_information_currency CURRENCY_UNKNOWN'],
    [{ billing_information_call_cost: '-0.01' }, 'billing_information_call_cost NEGATIVE'],
    [{ billing_information_call_cost: '1,50' }, 'billing_information_call_cost NUMBER_EXPECTED'],
    [{ billing_information_call_cost: '1'.repeat(39) }, 'billing_information_call_cost NUMBER_EXPECTED'],
    [{ billing_information_data_used_kb: '-1' }, 'billing_information_data_used_kb NEGATIVE'],
    [{ voip_details_packet_loss_percentage: '100.1' }, 'voip_details_packet_loss_percentage PERCENTAGE_RANGE'],
    [{ voip_details_packet_loss_percentage: '-0.1' }, 'voip_details_packet_loss_percentage PERCENTAGE_RANGE'],
    [{ voip_details_jitter_ms: '-1' }, 'voip_details_jitter_ms NEGATIVE'],
    [{ voip_details_latency_ms: '-1' }, 'voip_details_latency_ms NEGATIVE'],
    [{ imei_caller: '4901542032375' }, 'imei_caller IMEI_INVALID'],
    [{ imei_receiver: '49015420323751-8' }, 'imei_receiver IMEI_INVALID'],
    [{ recording_available: 'yes' }, 'recording_available BOOLEAN_EXPECTED'],
    [{ network_provider: '  ' }, 'network_provider TEXT_INVALID'],
    [{ cdr_id: 'a\u0000b' }, 'cdr_id TEXT_INVALID'],
    [{ cdr_id: 'a'.repeat(201) }, 'cdr_id TEXT_TOO_LONG'],
  ])('%j is refused as %s, and as nothing else', (change, expected) => {
    expect(errorsOf(change)).toEqual([expected]);
  });

  test('a start more than five minutes ahead is refused, five minutes are not', () => {
    const call = (start: string, end: string) => ({
      call_start_time: start,
      call_end_time: end,
      call_duration_seconds: '0',
    });
    expect(errorsOf(call('2026-11-21T12:05:00.001Z', '2026-11-21T12:05:00.001Z'))).toEqual([
      'call_start_time START_IN_FUTURE',
    ]);
    expect(errorsOf(call('2026-11-21T12:05:00Z', '2026-11-21T12:05:00Z'))).toEqual([]);
  });

  test('a currency withdrawn since is accepted for a call of its time', () => {
    const day = (d: string): RawRecord => ({
      call_start_time: `${d}T10:00:00Z`,
      call_end_time: `${d}T10:02:00Z`,
      billing_information_currency: 'BGN',
    });
    expect(errorsOf(day('2025-12-31'))).toEqual([]);
    expect(errorsOf(day('2026-11-21'))).toEqual(['billing_information_currency CURRENCY_UNKNOWN']);
  });

  test('are told all at once, in column order, with what was sent unless it is personal', () => {
    const { errors, record } = check({
      imei_caller: '12',
      call_end_time: 'x',
      cdr_id: '',
      billing_information_call_cost: '-3',
    });
    expect(record).toBeUndefined();
    expect(errors.map((e) => [e.column, e.value])).toEqual([
      ['cdr_id', undefined],
      ['call_end_time', 'x'],
      ['imei_caller', undefined],
      ['billing_information_call_cost', '-3'],
    ]);
  });

  test('name the field as the sender wrote it', () => {
    const { errors } = checkRecord(
      { ...good, billing_information_call_cost: '-1' },
      { now, reference, nameOf: pathOf },
    );
    expect(errors[0]?.message).toBe("the field 'billing_information.call_cost' must not be negative");
  });
});
