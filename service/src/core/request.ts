// A request's canonical form, used to distinguish repetitions from changes: known fields only, keys sorted, numbers as plain
// decimal text, personal values as keyed hashes.
import { isObject, type Json, parseJson } from './json.ts';
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
