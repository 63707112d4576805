// Reads members of JSON documents; a fault names the place, as `observations[3].d`.
import { isObject, type Json, type JsonObject } from '../json.ts';
import { formatDecimal, Numeral } from '../money.ts';
import { said } from '../said.ts';
import { FileFault } from './quotes.ts';

export function listAt(v: Json | undefined, place: string): readonly Json[] {
  if (!Array.isArray(v)) throw new FileFault(said`${place} is not a list`);
  return v;
}

export function objectAt(v: Json | undefined, place: string): JsonObject {
  if (!isObject(v)) throw new FileFault(said`${place} is not an object`);
  return v;
}

export function textAt(v: Json | undefined, place: string): string {
  if (typeof v !== 'string') throw new FileFault(said`${place} is not text`);
  return v.trim();
}

/** A number's text, without an exponent, or a text. */
export function numberAt(v: Json | undefined, place: string): string {
  if (typeof v === 'string') return v.trim();
  if (!(v instanceof Numeral)) throw new FileFault(said`${place} is not a number`);
  return /[eE]/.test(v.text) && v.decimal ? formatDecimal(v.decimal) : v.text;
}

/**
 * Reads each member of a list; a fault says which one.
 * @param place of the list; empty for the whole file
 * @throws FileFault
 */
export function eachAt(v: Json | undefined, place: string, read: (member: Json) => void): void {
  for (const [i, member] of listAt(v, place || 'the file').entries())
    try {
      read(member);
    } catch (e) {
      throw e instanceof FileFault && e.at === undefined ? new FileFault(said`${place}[${i}]: ${e.said}`) : e;
    }
}
