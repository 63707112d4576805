// A request's canonical form, used to distinguish repetitions from changes: known fields only, keys sorted, numbers as plain
// decimal text, personal values as keyed hashes.
import { isObject, type Json, type JsonObject, parseJson } from './json.ts';
import { formatDecimal, Numeral } from './money.ts';
import { capitals, type Reference } from './reference.ts';
import { Refusal } from './refusal.ts';

/** JSON text of a parsed value with sorted keys. Undefined members are left out. */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Numeral) return value.decimal ? formatDecimal(value.decimal) : value.text;
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value !== null && typeof value === 'object') {
    const members: string[] = [];
    for (const key of Object.keys(value).sort()) {
      const v = (value as Record<string, unknown>)[key];
      if (v !== undefined) members.push(`${JSON.stringify(key)}:${canonical(v)}`);
    }
    return `{${members.join()}}`;
  }
  return JSON.stringify(value);
}

/**
 * Two canonical requests as they are compared: a code counts in whatever letters it is written, and so do the two forms of
 * a country. Both stay as they are if they are equal.
 */
export function asCompared(reference: Pick<Reference, 'country'>, before: string, after: string): [string, string] {
  return before === after ? [before, after] : [inOneSpelling(reference, before), inOneSpelling(reference, after)];
}

function inOneSpelling(reference: Pick<Reference, 'country'>, request: string): string {
  const body = parseJson(request) as JsonObject;
  for (const part of [body, body.taxDetails].filter(isObject))
    for (const [field, v] of Object.entries(part))
      if (typeof v === 'string' && field === 'currency') part[field] = capitals(v);
      else if (typeof v === 'string' && countryFields.has(field)) {
        const country = reference.country(v);
        if (!(country instanceof Refusal)) part[field] = country.alpha2;
      }
  return canonical(body);
}

const countryFields = new Set(['countryCode', 'customerCountry', 'suppliedFrom']);

/**
 * The first field, in the order given, in which two canonical requests differ, as a path (`items[0].price`).
 * @returns undefined if they are equal
 */
export function firstDifference(before: string, after: string, order: readonly string[]): string | undefined {
  return before === after ? undefined : differ(parseJson(before), parseJson(after), '', order);
}

function differ(a: Json | undefined, b: Json | undefined, path: string, order: readonly string[]): string | undefined {
  if (a !== undefined && b !== undefined && canonical(a) === canonical(b)) return undefined;
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      const inner = differ(a[i], b[i], `${path}[${i}]`, []);
      if (inner !== undefined) return inner;
    }
    return path;
  }
  if (isObject(a) && isObject(b)) {
    for (const key of new Set([...order, ...Object.keys(a), ...Object.keys(b)])) {
      if (a[key] === undefined && b[key] === undefined) continue;
      const inner = differ(a[key], b[key], path ? `${path}.${key}` : key, []);
      if (inner !== undefined) return inner;
    }
  }
  return path;
}
