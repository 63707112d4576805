// The one set of rules for call detail records, received by REST or as CSV. Checks a record as received and returns a
// typed record or its errors, with warnings in both cases. Each record is checked without regard to others.

import { type Decimal, formatDecimal } from '../money.ts';
import type { Reference } from '../reference.ts';
import { said } from '../said.ts';
import { type CallStatus, type CallType, unansweredWords } from './call-types.ts';
import { readCurrency, readImei, readLocation, readNumber, readStatus, readType, readUsage } from './column-rules.ts';
import type { CallTime, CompleteNumber, Party } from './fields.ts';
import type { RecordError, RecordWarning } from './findings.ts';
import { Reading } from './reading.ts';
import { type Column, type ColumnValues, type RawRecord, requiredColumns } from './record.ts';

/** A valid record. */
export interface CallRecord {
  readonly cdrId: string;
  readonly caller: Party;
  readonly receiver: Party;
  readonly start: CallTime;
  readonly end: CallTime;
  /** Seconds. */
  readonly durationS: number;
  readonly callType: CallType;
  readonly callStatus: CallStatus | undefined;
  readonly networkProvider: string;
  /** Plain decimal text. May have more decimals than the currency, since prices of calls are smaller than coins. */
  readonly cost: string;
  /** ISO 4217, upper case. */
  readonly currency: string;
  /** Every column given, in canonical form. */
  readonly values: ColumnValues;
}

export interface RuleContext {
  /** When the record was received, milliseconds since the epoch. */
  readonly now: number;
  readonly reference: Pick<Reference, 'asset'>;
  /** Returns the name of a column in messages: by default its own name, for JSON the dotted path. */
  readonly nameOf?: (column: Column) => string;
  /** Whether a network is foreign to the account; undefined if that is unknown. */
  readonly isForeign?: ((networkProvider: string) => boolean | undefined) | undefined;
  /** Completes numbers sent without + or 00, using the account's country. */
  readonly completeNumber?: CompleteNumber | undefined;
}

export interface Checked {
  /** Present exactly when there is no error. */
  readonly record?: CallRecord;
  /** Errors and warnings are in column order. */
  readonly errors: readonly RecordError[];
  readonly warnings: readonly RecordWarning[];
}

const dayS = 86_400;
const minuteMs = 60_000;
const aheadMs = 5 * minuteMs;
const lateMs = 7 * dayS * 1000;
/** The largest integer of PostgreSQL. */
const maxDurationS = 2_147_483_647;

/** Checks one record against every rule; returns all errors and warnings at once. */
export function checkRecord(raw: RawRecord, context: RuleContext): Checked {
  const r = new Reading(raw, context.nameOf ?? String);
  for (const c of requiredColumns) if (!r.given(c)) r.fail(c, 'REQUIRED', 'is required');
  r.time('timestamp');
  const callType = readType(r);
  const callStatus = readStatus(r);
  const start = r.time('call_start_time');
  const end = r.time('call_end_time');
  const durationS = readDuration(r);
  checkTimes(r, context.now, start, end, durationS);
  readLocation(r, 'caller_location_latitude', 'caller_location_longitude');
  readLocation(r, 'receiver_location_latitude', 'receiver_location_longitude');
  readImei(r, 'imei_caller');
  readImei(r, 'imei_receiver');
  readUsage(r);
  const read = {
    cdrId: r.text('cdr_id'),
    // If the type is not valid, a name is allowed: the error of the type is enough.
    caller: readNumber(
      r,
      'caller_number',
      callType === undefined || callType === 'SMS' || callType === 'MMS' ? 'SENDER_NAME' : undefined,
      context.completeNumber,
    ),
    receiver: readNumber(
      r,
      'receiver_number',
      callType === undefined || callType === 'DATA' ? 'ACCESS_POINT' : undefined,
      context.completeNumber,
    ),
    start,
    end,
    durationS,
    callType,
    networkProvider: readNetwork(r, context),
    cost: readCost(r, callStatus),
    currency: readCurrency(r, context.reference, (start?.text ?? new Date(context.now).toISOString()).slice(0, 10)),
  };
  const { errors, warnings, values } = r;
  if (errors.length > 0 || !complete(read)) return { errors, warnings };
  return { record: { ...read, cost: formatDecimal(read.cost), callStatus, values }, errors, warnings };
}

/** Tells the compiler that without errors all required columns are there. */
const complete = <T extends object>(read: T): read is { [K in keyof T]: Exclude<T[K], undefined> } =>
  !Object.values(read).includes(undefined);

function readNetwork(r: Reading, { isForeign }: RuleContext): string | undefined {
  const network = r.text('network_provider');
  if (network !== undefined && isForeign?.(network))
    r.warn('network_provider', 'FOREIGN_NETWORK', 'is another network than the one the account is registered under');
  return network;
}

function readDuration(r: Reading): number | undefined {
  const c = 'call_duration_seconds';
  const d = r.nonNegative(c, (v) =>
    v.scale === 0 && v.units <= maxDurationS
      ? v
      : r.fail(c, 'INTEGER_EXPECTED', said`must be a whole number of seconds, at most ${maxDurationS}`),
  );
  return d && Number(d.units);
}

function readCost(r: Reading, status: CallStatus | undefined): Decimal | undefined {
  const c = 'billing_information_call_cost';
  const cost = r.nonNegative(c);
  if (cost && cost.units > 0n && status !== undefined && unansweredWords.includes(status))
    r.warn(
      c,
      'UNANSWERED_CHARGED',
      said`is above 0, though ${r.name('call_status')} says that the call was not put through; it is taxed`,
    );
  return cost;
}

function checkTimes(
  r: Reading,
  now: number,
  start: CallTime | undefined,
  end: CallTime | undefined,
  durationS: number | undefined,
): void {
  if (durationS !== undefined && durationS > dayS)
    r.warn('call_duration_seconds', 'DURATION_LONG', 'is longer than 24 hours');
  if (start && start.ms > now + aheadMs)
    r.fail('call_start_time', 'START_IN_FUTURE', 'is more than 5 minutes in the future');
  if (end && now - end.ms > lateMs) r.warn('call_end_time', 'LATE', 'is more than 7 days ago: the record is late');
  if (!start || !end) return;
  if (end.ms < start.ms) r.fail('call_end_time', 'END_BEFORE_START', said`is before ${r.name('call_start_time')}`);
  else if (durationS !== undefined) checkDuration(r, durationS * 1000 - (end.ms - start.ms));
}

/** @param excessMs the duration minus the time between start and end */
function checkDuration(r: Reading, excessMs: number): void {
  const c = 'call_duration_seconds';
  const between = said`${r.name('call_end_time')} minus ${r.name('call_start_time')}`;
  // A billed duration excludes ringing and set-up, and may be rounded up to a full minute.
  if (excessMs >= minuteMs) r.fail(c, 'DURATION_MISMATCH', said`is longer by a minute or more than ${between}`);
  else if (Math.abs(excessMs) > 1000)
    r.warn(c, 'DURATION_BILLED', said`differs from ${between}; it is taken as the billed duration`);
}
