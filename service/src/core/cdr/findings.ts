// Findings of the rules about a record: errors, which reject it, and warnings, which are recorded with it.
import type { Column } from './record.ts';

/** Machine-readable codes with their meaning; a reference page can be generated from them. */
export const errorCodes = {
  REQUIRED: 'A required field is missing.',
  TEXT_INVALID: 'A text is blank or holds control characters.',
  TEXT_TOO_LONG: 'A text is longer than its field allows.',
  NUMBER_EXPECTED: 'The value is not a number, or has more than 38 digits.',
  INTEGER_EXPECTED: 'The value is not a whole number of seconds from 0 to 2147483647.',
  BOOLEAN_EXPECTED: 'The value is neither true nor false.',
  TIME_INVALID: 'The value is not an ISO 8601 UTC date-time.',
  END_BEFORE_START: 'The call ends before it starts.',
  DURATION_MISMATCH: 'The duration is longer than end minus start by a minute or more.',
  START_IN_FUTURE: 'The call starts more than five minutes ahead of the time of receipt.',
  PARTY_INVALID:
    "The value is neither an international number nor a national one of the account's country, nor a short code, nor the sender name of an SMS.",
  COORDINATE_RANGE: 'A latitude is outside -90 to 90 or a longitude outside -180 to 180.',
  COORDINATE_HALF: 'A location has only one of latitude and longitude.',
  IMEI_INVALID: 'The value does not have 14 to 16 digits.',
  CURRENCY_UNKNOWN: 'The currency is not in ISO 4217, or was not in use on the day of the call.',
  NEGATIVE: 'The value is negative.',
  PERCENTAGE_RANGE: 'The value is outside 0 to 100.',
} as const;

const warningCodes = {
  SHORT_CODE: 'A party is a short code.',
  NATIONAL_NUMBER: "A party was sent as a national number and is read by the account's country.",
  SENDER_NAME: 'The caller is the sender name of a message.',
  DURATION_BILLED: 'The duration is not the time between start and end: it is taken as the billed one.',
  DURATION_LONG: 'The call lasts longer than 24 hours.',
  LATE: 'The record arrives more than seven days after the call.',
  CALL_TYPE_UNKNOWN: 'The call type is not known; the record is UNCLASSIFIED.',
  CALL_STATUS_UNKNOWN: 'The call status is not known; it is UNCLASSIFIED.',
  LOCATION_ZERO: 'The location is latitude 0, longitude 0, which is usually a missing one.',
  FOREIGN_NETWORK: "The network is another one than the account's; roaming makes that lawful.",
  IMEI_CHECK_DIGIT: "The IMEI's check digit does not hold; many networks send 0 for it.",
} as const;

export type ErrorCode = keyof typeof errorCodes;
export type WarningCode = keyof typeof warningCodes;

interface Found {
  readonly column: Column;
  /** A sentence for the sender. Never quotes personal data. */
  readonly message: string;
  /** The value sent, cut to 40 characters, a telephone number as its mask; absent if it is personal or missing. */
  readonly value?: string;
}
export interface RecordError extends Found {
  readonly code: ErrorCode;
  readonly severity: 'error';
}
export interface RecordWarning extends Found {
  readonly code: WarningCode;
  readonly severity: 'warning';
}
