// Findings of the rules about a record: errors, which reject it, and warnings, which are recorded with it.
import type { Column } from './record.ts';

/** Machine-readable codes with their meaning, as the reference page of call detail files lists them. */
export const errorCodes = {
  REQUIRED: 'A required field is missing.',
  TEXT_INVALID: 'A text is blank or holds control characters.',
  TEXT_TOO_LONG: 'A text is longer than its field allows.',
  NUMBER_EXPECTED: 'The value is not a number with a decimal point, such as 1234.50, or has more than 38 digits.',
  INTEGER_EXPECTED: 'The value is not a whole number of seconds from 0 to 2147483647.',
  BOOLEAN_EXPECTED: 'The value is neither true nor false.',
  TIME_INVALID: 'The value is not an ISO 8601 UTC date-time.',
  END_BEFORE_START: 'The call ends before it starts.',
  DURATION_MISMATCH: 'The duration is longer than end minus start by a minute or more.',
  START_IN_FUTURE: 'The call starts more than five minutes ahead of the time of receipt.',
  PARTY_INVALID:
    "The value is neither an international number nor a national one of the account's country, nor a short code, nor the sender name of an SMS or the access point of a data session.",
  COORDINATE_RANGE: 'A latitude is outside -90 to 90 or a longitude outside -180 to 180.',
  COORDINATE_HALF: 'A location has only one of latitude and longitude.',
  IMEI_INVALID: 'The value does not have 14 to 16 digits.',
  CURRENCY_UNKNOWN: 'The currency is not in ISO 4217, or was not in use on the day of the call.',
  NEGATIVE: 'The value is negative.',
  PERCENTAGE_RANGE: 'The value is outside 0 to 100.',
} as const;

export const warningCodes = {
  SHORT_CODE: 'A party is a short code.',
  NUMBER_WITHHELD: 'The caller withheld the number, or it was not passed on: it is kept as `ANONYMOUS`.',
  NATIONAL_NUMBER: "A party was sent as a national number and is read by the account's country.",
  SENDER_NAME: 'The caller is the sender name of a message.',
  DURATION_BILLED: 'The duration is not the time between start and end: it is taken as the billed one.',
  DURATION_LONG: 'The call lasts longer than 24 hours.',
  LATE: 'The record arrives more than seven days after the call.',
  CALL_TYPE_UNKNOWN: 'The call type is not known; the record is UNCLASSIFIED.',
  CALL_STATUS_UNKNOWN: 'The call status is not known; it is UNCLASSIFIED.',
  UNANSWERED_CHARGED: 'The call status says that the call was not put through, and it has a cost, which is taxed.',
  LOCATION_ZERO: 'The location is latitude 0, longitude 0, which is usually a missing one.',
  FOREIGN_NETWORK: "The network is another one than the account's; roaming makes that lawful.",
  IMEI_CHECK_DIGIT: "The IMEI's check digit does not hold; many networks send 0 for it.",
} as const;

/** Codes of findings about a file or a line of it, apart from the rules of a record. */
export const fileCodes = {
  FILE_TOO_LARGE: 'The file is larger than `CDR_FILE_LIMIT`. It is kept out whole.',
  NOT_UTF8: 'The file is compressed or in another encoding, or the line is not text in UTF-8.',
  LINE_ENDS: 'The lines end with CR alone. The file is kept out whole.',
  SEPARATOR: 'The fields are not separated by commas. The file is kept out whole.',
  HEADER_MISSING: 'The first line names no columns. The file is kept out whole.',
  COLUMN_MISSING: 'A required column is missing. The file is kept out whole.',
  COLUMN_DOUBLED: 'A column stands more than once. The file is kept out whole.',
  COLUMN_UNKNOWN: 'A column is not known and is passed over. A warning.',
  NO_RECORDS: 'The file has a header and no records. A warning.',
  LAST_LINE_OPEN: 'The last line does not end with LF and is no trailer: the file may have been cut off. A warning.',
  TRAILER_MALFORMED: 'The trailer does not have its form. The file is kept out whole.',
  TRAILER_MISMATCH: 'The trailer declares another number of records: the file was cut off. It is kept out whole.',
  CONTROL_SUM: 'A sum that the trailer declares is another one than that of the lines. A warning.',
  SEQUENCE_GAP: 'Files with the numbers before are missing. A warning.',
  LINE_TOO_LONG: 'The line is longer than 65,536 bytes.',
  FIELD_COUNT: 'The line has more or fewer fields than the header. A decimal comma without quotes does that.',
  QUOTE_OPEN: 'A field begins with a quote that does not end in its line.',
  QUOTE_MISPLACED: 'A field has a quote inside that is not doubled, or goes on after its closing quote.',
  CDR_ID_CONFLICT: 'The cdr_id is on record with other content, or was withdrawn.',
  CORRECTION_MALFORMED:
    'The first line that marks a file as a correction does not have its form. The file is kept out whole.',
} as const;

export type ErrorCode = keyof typeof errorCodes;
export type WarningCode = keyof typeof warningCodes;
export type FileCode = keyof typeof fileCodes;

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
