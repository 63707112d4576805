// Reads a parsed body or query by an operation's schema: no coercion, no defaults, nothing dropped silently. The first
// missing field in the schema's order is reported first, other faults only if nothing is missing. Null counts as
// absent, because serializers write null for fields a program left out.
import { shownPlainly, steeringCharacter } from '../../core/characters.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { Numeral } from '../../core/money.ts';
import { nearNames } from '../../core/near-names.ts';
import { clip } from '../../core/reference.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import { either, phrase, type Said, said, type Value } from '../../core/said.ts';
import { countryHint, missingHint } from './field-hints.ts';
import type { Schema } from './schema.ts';
import { formats } from './text-formats.ts';

export type { Schema };

export interface ReadResult {
  readonly value: unknown;
  /** Dotted paths of the body's unknown fields. */
  readonly ignored: readonly string[];
}

/** The value that was read. @param ignored gets the unknown fields @throws Refusal */
export function take(read: ReadResult | Refusal, ignored: string[]): unknown {
  if (read instanceof Refusal) throw read;
  ignored.push(...read.ignored);
  return read.value;
}

class Faults {
  missing: { readonly path: string; readonly hint: Value } | undefined;
  fault: Refusal | undefined;
  readonly ignored: string[] = [];
  readonly #isQuery: boolean;

  constructor(isQuery = false) {
    this.#isQuery = isQuery;
  }

  /** Names twenty, and says whether there were more. */
  ignore(path: string): void {
    if (this.ignored.length < 20) this.ignored.push(path);
    else if (this.ignored.length === 20) this.ignored.push('...');
  }

  invalid(path: string, what: Said): void {
    this.fault ??= this.#isQuery
      ? refuse('QUERY_INVALID', said`the query parameter '${path}' ${what}`)
      : refuse('FIELD_INVALID', said`the field '${path}' ${what}`);
  }
}

export function readBody(schema: Schema, json: Json): ReadResult | Refusal {
  if (!isObject(json)) return refuse('BODY_MALFORMED', 'the body must be a JSON object');
  const faults = new Faults();
  const value = readObject(schema, json, '', faults);
  if (faults.missing !== undefined)
    return refuse('FIELD_REQUIRED', said`the field '${faults.missing.path}' is required${faults.missing.hint}`);
  return faults.fault ?? { value, ignored: faults.ignored };
}

const noProperties: Readonly<Record<string, Schema>> = {};

function readObject(schema: Schema, json: JsonObject, path: string, faults: Faults): Record<string, unknown> {
  const at = (name: string) => (path ? `${path}.${name}` : name);
  const properties = schema.properties ?? noProperties;
  const names = Object.keys(json);
  if (schema.maxProperties !== undefined && names.length > schema.maxProperties) {
    faults.invalid(path, said`may have at most ${schema.maxProperties} members`);
    return {};
  }
  const out: Record<string, unknown> = {};
  for (const [name, property] of membersOf(properties)) {
    const v = givenOf(property, json, name);
    if (v !== undefined) out[name] = readValue(property, v, at(name), faults);
    else if (schema.required?.includes(name))
      faults.missing ??= { path: at(name), hint: missingHint(name, json, Object.keys(properties)) };
  }
  const [pattern] = Object.entries(schema.patternProperties ?? {});
  for (const name of names) {
    if (Object.hasOwn(properties, name)) continue;
    const value = json[name] as Json;
    if (pattern) {
      if (name === '__proto__' || name.length === 0 || name.length > 40)
        faults.invalid(path, said`has a member with the unusable name '${clip(name)}'`);
      else if (steeringCharacter(name))
        faults.invalid(path, said`has a member whose name holds ${steeringCharacter(name)}`);
      else if (value !== null) out[name] = readValue(pattern[1], value, at(name), faults);
    } else if (schema.additionalProperties === true) {
      if (name === '__proto__') faults.invalid(path, said`has a member named '__proto__'`);
      else {
        checkFree(name, path, faults);
        checkFree(value, at(name), faults);
        out[name] = value;
      }
    } else faults.ignore(at(name));
  }
  return out;
}

/** The member's value; undefined if it is absent, or null and its schema gives null no meaning. */
function givenOf(schema: Schema, json: JsonObject, name: string): Json | undefined {
  const v = Object.hasOwn(json, name) ? json[name] : undefined;
  return v === null && !schema.anyOf?.some((s) => s.type === 'null') ? undefined : v;
}

/** Free-form members keep their form; their numbers must be exactly representable and their texts safe to display. */
function checkFree(v: Json, path: string, faults: Faults): void {
  if (v instanceof Numeral) {
    if (!v.decimal) faults.invalid(path, said`must have at most 38 digits`);
  } else if (typeof v === 'string') {
    const steering = steeringCharacter(v, true);
    if (steering) faults.invalid(shownPlainly(path), said`holds ${steering}; leave it out`);
  } else if (Array.isArray(v)) for (const [i, x] of v.entries()) checkFree(x, `${path}[${i}]`, faults);
  else if (isObject(v))
    for (const [name, x] of Object.entries(v)) {
      checkFree(name, path, faults);
      checkFree(x, `${path}.${name}`, faults);
    }
}

type Properties = Readonly<Record<string, Schema>>;
const members = new WeakMap<Properties, readonly (readonly [string, Schema])[]>();

/** A schema's properties as a list, cached. */
function membersOf(properties: Properties): readonly (readonly [string, Schema])[] {
  let list = members.get(properties);
  if (!list) members.set(properties, (list = Object.entries(properties)));
  return list;
}

function readValue(schema: Schema, v: Json, path: string, faults: Faults): unknown {
  if (schema.anyOf) {
    const [only, ...others] = schema.anyOf.filter((s) => s.type !== 'null');
    if (only && others.length === 0) return v === null ? null : readValue(only, v, path, faults);
  }
  if (schema.enum) {
    if (typeof v === 'string' && schema.enum.includes(v)) return v;
    faults.invalid(path, said`must be one of ${schema.enum.join(', ')}`);
    return undefined;
  }
  if (Array.isArray(schema.type)) {
    const isInteger = v instanceof Numeral && /^\d{1,38}$/.test(v.text);
    return readString(schema, isInteger ? v.text : v, path, faults);
  }
  switch (schema.type) {
    case 'string':
      return readString(schema, v, path, faults);
    case 'number':
      return readNumber(schema, v, path, faults);
    case 'integer': {
      const n = v instanceof Numeral ? Number(v.text) : undefined;
      if (n === undefined) faults.invalid(path, said`must be a whole number, not ${nameOf(v)}`);
      else if (!Number.isSafeInteger(n) || !isWhole(v as Numeral)) faults.invalid(path, said`must be a whole number`);
      else if (
        (schema.minimum !== undefined && n < schema.minimum) ||
        (schema.maximum !== undefined && n > schema.maximum)
      )
        faults.invalid(path, said`must be a whole number${range(schema)}`);
      return n;
    }
    case 'boolean':
      if (typeof v !== 'boolean') faults.invalid(path, said`must be true or false, not ${nameOf(v)}`);
      return v;
    case 'object':
      if (isObject(v)) return readObject(schema, v, path, faults);
      faults.invalid(path, said`must be an object, not ${nameOf(v)}`);
      return undefined;
    case 'array': {
      if (!Array.isArray(v)) {
        faults.invalid(path, said`must be an array, not ${nameOf(v)}`);
        return undefined;
      }
      if (schema.minItems !== undefined && v.length < schema.minItems)
        faults.invalid(path, said`must have at least ${schema.minItems} entry`);
      if (schema.maxItems !== undefined && v.length > schema.maxItems) {
        faults.invalid(path, said`may have at most ${schema.maxItems} entries`);
        return undefined;
      }
      return v.map((x, i) => readValue(schema.items as Schema, x, `${path}[${i}]`, faults));
    }
    default:
      return v;
  }
}

/** Characters of a text, counted where those of two units, such as emoji, decide. */
function lengthOf(text: string, { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): number {
  const { length } = text;
  const decide = (length > maxLength && length <= 2 * maxLength) || (length >= minLength && length < 2 * minLength);
  return decide ? [...text].length : length;
}

function readString(schema: Schema, v: Json, path: string, faults: Faults): string | undefined {
  if (typeof v !== 'string') {
    faults.invalid(path, said`must be text, not ${nameOf(v)}`);
    return undefined;
  }
  const length = lengthOf(v, schema);
  if (schema.minLength !== undefined && length < schema.minLength) {
    faults.invalid(
      path,
      length === 0 ? said`must not be empty` : said`must have at least ${schema.minLength} characters`,
    );
  } else if (schema.maxLength !== undefined && length > schema.maxLength) {
    faults.invalid(path, said`may have at most ${schema.maxLength} characters${countryHint(path, v)}`);
  } else if (schema.minLength !== undefined && v.trim() === '') {
    faults.invalid(path, said`must not be blank`);
  } else if (schema.pattern !== undefined && !patternOf(schema.pattern).test(v)) {
    faults.invalid(path, said`must be ${phrase(schema['x-says'])}`);
  } else if (schema.format !== undefined) {
    const format = formats[schema.format];
    if (format && !format.test(v)) faults.invalid(path, said`must be ${phrase(format.says)}`);
  }
  const use = schema['x-characters'];
  const steering = use === 'any' ? undefined : steeringCharacter(v, use === 'prose');
  if (steering) faults.invalid(path, said`holds ${steering}; leave it out`);
  return v;
}

function readNumber(schema: Schema, v: Json, path: string, faults: Faults): Numeral | undefined {
  if (!(v instanceof Numeral)) {
    faults.invalid(path, said`must be a number, not ${nameOf(v)}`);
    return undefined;
  }
  const d = v.decimal;
  if (!d) {
    faults.invalid(path, said`must have at most 38 digits`);
    return undefined;
  }
  // Bounds are small whole numbers, so the sign and size of the units decide exactly.
  const scaled = (bound: number) => BigInt(bound) * 10n ** BigInt(d.scale);
  if (schema.exclusiveMinimum !== undefined && d.units <= scaled(schema.exclusiveMinimum))
    faults.invalid(
      path,
      schema.exclusiveMinimum === 0
        ? said`must be greater than zero`
        : said`must be greater than ${schema.exclusiveMinimum}`,
    );
  else if (
    (schema.minimum !== undefined && d.units < scaled(schema.minimum)) ||
    (schema.maximum !== undefined && d.units > scaled(schema.maximum))
  )
    faults.invalid(
      path,
      schema.minimum === 0 && schema.maximum === undefined
        ? said`must be zero or more`
        : said`must be a number${range(schema)}`,
    );
  return v;
}

const isWhole = (n: Numeral) => n.decimal?.scale === 0;
const range = (s: Schema): Value =>
  s.minimum !== undefined && s.maximum !== undefined
    ? said` from ${s.minimum} to ${s.maximum}`
    : s.minimum !== undefined
      ? said` of at least ${s.minimum}`
      : s.maximum !== undefined
        ? said` of at most ${s.maximum}`
        : '';

const patterns = new Map<string, RegExp>();
function patternOf(text: string): RegExp {
  let p = patterns.get(text);
  if (!p) patterns.set(text, (p = new RegExp(text, 'u')));
  return p;
}

function nameOf(v: Json): Value {
  if (v === null) return 'null';
  if (v instanceof Numeral) return said`a number`;
  if (Array.isArray(v)) return said`an array`;
  if (typeof v === 'boolean') return said`true or false`;
  return typeof v === 'string' ? said`text` : said`an object`;
}

/** Reads query parameters: text, enums and whole numbers; each at most once, and no unknown ones. */
export function readQuery(schema: Schema, query: URLSearchParams): ReadResult | Refusal {
  const out: Record<string, unknown> = {};
  const properties = schema.properties ?? noProperties;
  for (const name of new Set(query.keys())) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) return unknownParameter(name, Object.keys(properties));
    const all = query.getAll(name);
    if (all.length > 1) return refuse('QUERY_INVALID', said`the query parameter '${name}' occurs twice`);
    const text = all[0] as string;
    if (text.includes('\0') || /[\ud800-\udfff]/.test(text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')))
      return refuse('QUERY_INVALID', said`the query parameter '${name}' has characters that cannot be used`);
    const faults = new Faults(true);
    const json: Json = property.type === 'integer' ? (/^\d{1,15}$/.test(text) ? new Numeral(text) : text) : text;
    // A filter may name existing records, whatever characters they contain.
    out[name] = readValue({ ...property, 'x-characters': 'any' }, json, name, faults);
    if (faults.fault) return faults.fault;
  }
  for (const name of schema.required ?? [])
    if (out[name] === undefined) return refuse('FIELD_REQUIRED', said`the field '${name}' is required`);
  return { value: out, ignored: [] };
}

/** Refuses an unknown filter: ignoring it would return more than was requested. */
function unknownParameter(name: string, known: readonly string[]): Refusal {
  const near = nearNames(name, known);
  const hint =
    near.length > 0
      ? said`did you mean ${either(near)}?`
      : known.length > 0
        ? said`this operation has ${known.join(', ')}`
        : said`this operation has none`;
  return refuse('QUERY_INVALID', said`there is no query parameter '${clip(name)}'; ${hint}`);
}
