// The rules of single columns and pairs: call type, parties, locations, devices, currency, usage. Each reads its
// columns and reports errors and warnings; it returns undefined if the value is absent or an error was reported.

import type { Reference } from '../reference.ts';
import { Refusal, said } from '../refusal.ts';
import { type CallStatus, type CallType, readCallStatus, readCallType } from './call-types.ts';
import {
  type CompleteNumber,
  checkDigitHolds,
  isImei,
  type Party,
  readAccessPoint,
  readBoolean,
  readParty,
  readWithheld,
  within,
} from './fields.ts';
import { maskNumber } from './masks.ts';
import type { Reading } from './reading.ts';
import type { Column } from './record.ts';

export function readType(r: Reading): CallType | undefined {
  const text = r.text('call_type');
  const type = text === undefined ? undefined : readCallType(text);
  if (type === 'UNCLASSIFIED')
    r.warn('call_type', 'CALL_TYPE_UNKNOWN', 'is not a known call type; recorded as UNCLASSIFIED');
  return type;
}

export function readStatus(r: Reading): CallStatus | undefined {
  const text = r.text('call_status');
  const status = text === undefined ? undefined : readCallStatus(text);
  if (status === 'UNCLASSIFIED')
    r.warn('call_status', 'CALL_STATUS_UNKNOWN', 'is not a known call status; recorded as UNCLASSIFIED');
  return status;
}

/** @param name what may stand in place of a number */
export function readNumber(
  r: Reading,
  c: Column,
  name: 'SENDER_NAME' | 'ACCESS_POINT' | undefined,
  complete: CompleteNumber | undefined,
): Party | undefined {
  let sent = '';
  const party = r.read(
    c,
    (t) => {
      sent = t;
      const p = readParty(t, complete);
      if (p && (p.kind !== 'SENDER_NAME' || name === 'SENDER_NAME')) return p;
      return (
        (name === 'ACCESS_POINT' ? readAccessPoint(t) : undefined) ??
        (c === 'caller_number' ? readWithheld(t) : undefined) ??
        r.fail(
          c,
          'PARTY_INVALID',
          "is no telephone number: send + or 00, the country code and the number (E.164), the same digits without +, or a national number of the account's country",
        )
      );
    },
    (p) => p.text,
  );
  if (party?.isNational)
    r.warn(c, 'NATIONAL_NUMBER', said`was sent as ${maskNumber(sent)} and is read as ${maskNumber(party.text)}`);
  if (party?.kind === 'SHORT_CODE') r.warn(c, 'SHORT_CODE', 'is a short code, not an E.164 number');
  if (party?.kind === 'WITHHELD') r.warn(c, 'NUMBER_WITHHELD', 'is not presented: the caller is nobody that is known');
  if (party?.kind === 'SENDER_NAME') r.warn(c, 'SENDER_NAME', 'is the sender name of a message, not an E.164 number');
  return party;
}

export function readLocation(r: Reading, latitude: Column, longitude: Column): void {
  if (r.given(latitude) || r.given(longitude)) readDegrees(r, latitude, longitude);
}

function readDegrees(r: Reading, latitude: Column, longitude: Column): void {
  const degrees = (c: Column, most: number) =>
    r.decimal(c, (d) =>
      within(d, -most, most) ? d : r.fail(c, 'COORDINATE_RANGE', said`must lie between -${most} and ${most}`),
    );
  const lat = degrees(latitude, 90);
  const lng = degrees(longitude, 180);
  if (r.given(latitude) !== r.given(longitude)) {
    const [missing, given] = r.given(latitude) ? [longitude, latitude] : [latitude, longitude];
    r.fail(missing, 'COORDINATE_HALF', said`is missing while ${r.name(given)} is given`);
  }
  if (lat?.units === 0n && lng?.units === 0n)
    r.warn(
      latitude,
      'LOCATION_ZERO',
      said`and ${r.name(longitude)} are both 0, which usually stands for an unknown place`,
    );
}

export function readImei(r: Reading, c: Column): void {
  if (r.given(c)) readDevice(r, c);
}

function readDevice(r: Reading, c: Column): void {
  const imei = r.read(
    c,
    (t) => (isImei(t) ? t : r.fail(c, 'IMEI_INVALID', 'must have 14 to 16 digits')),
    (t) => t,
  );
  // Only a warning: networks send 0 in place of the check digit.
  if (imei !== undefined && !checkDigitHolds(imei))
    r.warn(c, 'IMEI_CHECK_DIGIT', 'has a check digit that does not hold');
}

/** @param date ISO date of the call: a late record may have a code that was withdrawn since */
export function readCurrency(r: Reading, reference: Pick<Reference, 'asset'>, date: string): string | undefined {
  const c = 'billing_information_currency';
  return r.read(
    c,
    (t) => {
      const asset = reference.asset(t, date, false);
      return asset instanceof Refusal
        ? r.fail(c, 'CURRENCY_UNKNOWN', said`is not an ISO 4217 currency code in use on ${date}`)
        : asset.code;
    },
    (code) => code,
  );
}

/** Checks the columns that no other rule or result uses: they are only recorded. */
export function readUsage(r: Reading): void {
  r.text('billing_information_billing_plan');
  r.nonNegative('billing_information_data_used_kb');
  r.text('voip_details_codec');
  const loss = 'voip_details_packet_loss_percentage';
  r.decimal(loss, (d) => (within(d, 0, 100) ? d : r.fail(loss, 'PERCENTAGE_RANGE', 'must lie between 0 and 100')));
  r.nonNegative('voip_details_jitter_ms');
  r.nonNegative('voip_details_latency_ms');
  const recording = 'recording_available';
  r.read(
    recording,
    (t) => readBoolean(t) ?? r.fail(recording, 'BOOLEAN_EXPECTED', 'must be true or false'),
    (b) => b,
  );
}
