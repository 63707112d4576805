// A request's canonical form, by which repetitions are told from changes: known fields only, keys sorted,
// numbers as their plain decimal text, personal values as keyed hashes.
import { type JsonObject, parseJson } from './json.ts';
import { formatDecimal, Numeral } from './money.ts';

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
 * The first field, in the order given, in which two canonical requests differ, as a dotted path.
 * @returns undefined when they are equal
 */
export function firstDifference(before: string, after: string, order: readonly string[]): string | undefined {
  if (before === after) return undefined;
  const a = parseJson(before) as JsonObject;
  const b = parseJson(after) as JsonObject;
  for (const key of [...order, ...Object.keys(a), ...Object.keys(b)]) {
    const x = a[key] === undefined ? undefined : canonical(a[key]);
    const y = b[key] === undefined ? undefined : canonical(b[key]);
    if (x !== y) return key;
  }
  return undefined;
}
