// The forms of single fields of a call detail record: times, telephone numbers, device numbers.
// Each reader returns the canonical value, or undefined if the text does not have the form.
import { type Decimal, pow10 } from '../money.ts';

/** The start or end of a call. */
export interface CallTime {
  /** Exact and canonical: `2026-11-21T10:00:00.25Z`, the fraction without trailing zeros. */
  readonly text: string;
  /** Milliseconds since the Unix epoch; finer digits are cut off, since calls are measured in seconds. */
  readonly ms: number;
}

/** A cache of days: the records of a file are of few days. */
const days = new Map<string, number | undefined>();

/** Milliseconds of midnight; undefined for a day that does not exist. @param text `2026-11-21` */
function readDay(text: string): number | undefined {
  if (days.has(text)) return days.get(text);
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  // A month or day that does not exist rolls over into another one.
  const exists = year >= 1970 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (days.size >= 1000) days.clear();
  days.set(text, exists ? ms : undefined);
  return exists ? ms : undefined;
}

const timeText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|\+00:00)$/;
const twoDigits = (text: string, at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;

/** A strict ISO 8601 UTC date-time, with `Z` or `+00:00`, from 1970 on; no leap second, no hour 24. */
export function readTime(text: string): CallTime | undefined {
  if (!timeText.test(text)) return undefined;
  const midnight = readDay(text.slice(0, 10));
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  if (midnight === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const ms = midnight + ((hour * 60 + minute) * 60 + second) * 1000;
  if (text.length === 20) return { text, ms };
  const fraction = (/\.(\d+)/.exec(text)?.[1] ?? '').replace(/0+$/, '');
  return {
    text: `${text.slice(0, 19)}${fraction && `.${fraction}`}Z`,
    ms: ms + Number(fraction.slice(0, 3).padEnd(3, '0')),
  };
}

/** One side of a call. */
export interface Party {
  /** Canonical: E.164 with `+`; a short code or name as given. */
  readonly text: string;
  readonly kind: 'E164' | 'SHORT_CODE' | 'SENDER_NAME' | 'ACCESS_POINT' | 'WITHHELD';
  /** True if the number was sent as dialled within the account's country and completed with its calling code. */
  readonly isNational?: true;
}

/** Completes 7 to 15 digits without + or 00 to E.164; undefined if no numbering plan has such a number. */
export type CompleteNumber = (digits: string) => string | undefined;

const e164 = /^\+[1-9]\d{6,14}$/;

/**
 * Reads a telephone number, a short or service code, or the name of an SMS sender.
 * @param complete if it is missing, digits need + or 00
 */
export function readParty(text: string, complete?: CompleteNumber): Party | undefined {
  const number = text.startsWith('00') ? `+${text.slice(2)}` : text;
  if (e164.test(number)) return { text: number, kind: 'E164' };
  const completed = complete && /^\d{7,15}$/.test(text) ? complete(text) : undefined;
  if (completed !== undefined && e164.test(completed))
    return { text: completed, kind: 'E164', ...(completed === `+${text}` ? {} : { isNational: true }) };
  // A longer one that begins with 00 is what is left of an international number.
  if (/^(?!00\d\d)\d{2,6}$/.test(text) || /^[*#][\d*#]{1,15}$/.test(text)) return { text, kind: 'SHORT_CODE' };
  // GSM lets an SMS carry a name of up to 11 characters as its sender.
  if (/^[A-Za-z0-9 ._&+-]{1,11}$/.test(text) && /[A-Za-z]/.test(text)) return { text, kind: 'SENDER_NAME' };
  return undefined;
}

/** Stands for the number of a caller who withheld it (RFC 3323, 4.1.1.3: `Anonymous`). */
export const withheldNumber = 'ANONYMOUS';

/** Words that switches write in place of a number that was not presented, in upper case. */
const withheldWords = new Set([
  withheldNumber,
  'RESTRICTED',
  'WITHHELD',
  'PRIVATE',
  'UNAVAILABLE',
  'UNKNOWN',
  'CLIR',
  'ANONYMOUS@ANONYMOUS.INVALID',
  'SIP:ANONYMOUS@ANONYMOUS.INVALID',
]);

export const readWithheld = (text: string): Party | undefined =>
  withheldWords.has(text.trim().toUpperCase()) ? { text: withheldNumber, kind: 'WITHHELD' } : undefined;

/** The name of the access point that a data session went to (3GPP TS 23.003, 9.1): labels joined by dots. */
export const readAccessPoint = (text: string): Party | undefined =>
  /^(?!\d+$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/.test(text)
    ? { text, kind: 'ACCESS_POINT' }
    : undefined;

/** IMEI: 14 digits without check digit, 15 with it, 16 with a software version. */
export const isImei = (text: string): boolean => /^\d{14,16}$/.test(text);

/** Whether the last digit of a 15-digit IMEI is its Luhn check digit; true for other lengths, which have none. */
export function checkDigitHolds(imei: string): boolean {
  if (imei.length !== 15) return true;
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const digit = imei.charCodeAt(i) - 48;
    const twice = i % 2 === 1 ? digit * 2 : digit;
    sum += twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 === 0;
}

/** Whether low ≤ d ≤ high. */
export const within = (d: Decimal, low: number, high: number): boolean => {
  const one = pow10(d.scale);
  return d.units >= BigInt(low) * one && d.units <= BigInt(high) * one;
};

export function readBoolean(text: string): boolean | undefined {
  const t = text.toLowerCase();
  return t === 'true' ? true : t === 'false' ? false : undefined;
}
