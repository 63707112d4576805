// Reads members of JSON documents; a fault names the place, as `observations[3].d`.
import { type Json, type JsonObject } from '../json.ts';
import { formatDecimal, Numeral } from '../money.ts';
import { FileFault } from './quotes.ts';

export const isObject = (v: Json | undefined): v is JsonObject =>
  typeof v === 'object' && v !== null && !Array.isArray(v) && !(v instanceof Numeral);

export function listAt(v: Json | undefined, place: string): readonly Json[] {
  if (!Array.isArray(v)) throw new FileFault(`${place} is not a list`);
  return v;
}

export function objectAt(v: Json | undefined, place: string): JsonObject {
  if (!isObject(v)) throw new FileFault(`${place} is not an object`);
  return v;
}

export function textAt(v: Json | undefined, place: string): string {
  if (typeof v !== 'string') throw new FileFault(`${place} is not text`);
  return v.trim();
}

/** A number's text, without an exponent, or a text. */
export function numberAt(v: Json | undefined, place: string): string {
  if (typeof v === 'string') return v.trim();
  if (!(v instanceof Numeral)) throw new FileFault(`${place} is not a number`);
  return /[eE]/.test(v.text) && v.decimal ? formatDecimal(v.decimal) : v.text;
}

/** Adds the place to a fault. @throws FileFault */
export function atPlace<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (e) {
    throw e instanceof FileFault && e.at === undefined && !e.message.startsWith(place)
      ? new FileFault(`${place}: ${e.message}`)
      : e;
  }
}
