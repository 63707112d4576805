// Generates request bodies from an operation's schema, and ways to make them invalid. Bodies are trees of JSON text
// rather than JavaScript values, so that numbers keep their digits and a key can occur twice.
import fc from 'fast-check';
import type { Schema } from '../../src/adapters/http/reader.ts';

/** JSON text as it is sent. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

export class Members {
  readonly list: readonly (readonly [string, Tree])[];
  constructor(list: readonly (readonly [string, Tree])[]) {
    this.list = list;
  }
  get(name: string): Tree | undefined {
    return this.list.find(([k]) => k === name)?.[1];
  }
  toString(): string {
    return write(this);
  }
}

export type Tree = string | boolean | null | Raw | Members | readonly Tree[];

export function write(t: Tree): string {
  if (t instanceof Raw) return t.text;
  if (t instanceof Members) return `{${t.list.map(([k, v]) => `${JSON.stringify(k)}:${write(v)}`).join()}}`;
  if (Array.isArray(t)) return `[${t.map(write).join()}]`;
  return JSON.stringify(t);
}

/** A JavaScript value as a tree. */
export function treeOf(value: unknown): Tree {
  if (typeof value === 'number') return new Raw(JSON.stringify(value));
  if (Array.isArray(value)) return value.map(treeOf);
  if (value !== null && typeof value === 'object')
    return new Members(Object.entries(value).map(([k, v]) => [k, treeOf(v)] as const));
  return value as string | boolean | null;
}

/** Values for fields whose meaning a schema does not tell: real codes, and ids of things that are there. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

const amounts = [
  '1',
  '0.01',
  '107.50',
  '1000',
  '1e2',
  '250.5',
  '12.345',
  '0',
  '99999999999999999999',
  '0.000000000000000001',
];
const number = (s: Schema) =>
  fc
    .oneof(
      fc.constantFrom(...amounts),
      fc.tuple(fc.nat(1_000_000), fc.nat(99)).map(([w, f]) => `${w}.${String(f).padStart(2, '0')}`),
      fc.double({ min: s.minimum ?? 0, max: s.maximum ?? 1e12, noNaN: true }).map((d) => d.toFixed(2)),
    )
    .filter(
      (t) =>
        Number(t) >= (s.minimum ?? Number.NEGATIVE_INFINITY) &&
        Number(t) <= (s.maximum ?? Number.POSITIVE_INFINITY) &&
        Number(t) > (s.exclusiveMinimum ?? Number.NEGATIVE_INFINITY),
    )
    .map((t) => new Raw(t));

const formats: Record<string, fc.Arbitrary<string>> = {
  email: fc.constantFrom('ada@example.com', 'kip+tag@sub.example.co.ke', 'ünï@exämple.com', 'a@b.c'),
  date: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((d) => d.toISOString().slice(0, 10)),
  ip: fc.oneof(fc.ipV4(), fc.ipV6()),
  'date-time': fc
    .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((d) => d.toISOString()),
};

function text(s: Schema): fc.Arbitrary<string> {
  const max = s.maxLength ?? 40;
  if (s.pattern !== undefined) return fc.stringMatching(new RegExp(s.pattern)).filter((v) => v.length <= max);
  if (s.format !== undefined) return formats[s.format] as fc.Arbitrary<string>;
  return fc
    .string({ unit: 'grapheme', minLength: s.minLength ?? 0, maxLength: Math.min(max, 24) })
    .filter((v) => v.length <= max && (!s.minLength || v.trim() !== ''));
}

/** A value that the schema allows. */
export function madeFor(name: string, s: Schema, known: Known): fc.Arbitrary<Tree> {
  // Where a whole number may stand for its digits, text does as well.
  const type = Array.isArray(s.type) ? s.type[0] : s.type;
  if (known[name] !== undefined && type === 'string')
    return fc.constantFrom(...known[name].map(treeOf)).filter((v) => (v as string).length <= (s.maxLength ?? 1e6));
  if (s.enum) return fc.constantFrom(...(s.enum as string[]));
  switch (type) {
    case 'string':
      return text(s);
    case 'number':
      return number(s);
    case 'integer':
      return fc.integer({ min: s.minimum ?? 0, max: s.maximum ?? 10_000 }).map((n) => new Raw(String(n)));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(madeFor(name, s.items as Schema, known), { minLength: s.minItems ?? 0, maxLength: 4 });
    default:
      return objectOf(s, known);
  }
}

/** An object that the schema allows; where there is an example, its members turn up often. */
export function objectOf(s: Schema, known: Known, example?: unknown): fc.Arbitrary<Members> {
  const [free] = Object.values(s.patternProperties ?? {});
  if (free)
    return fc
      .dictionary(
        fc.constantFrom('card', 'cash', 'vouchers', 'discounts', 'élan', 'constructor'),
        madeFor('', free, known),
        {
          maxKeys: 4,
        },
      )
      .map((d) => new Members(Object.entries(d)));
  if (s.additionalProperties === true)
    return fc
      .constantFrom(...(known['*'] ?? [{ bank: 'Equity', limits: [1.5, null] }]))
      .map((v) => treeOf(v) as Members);
  const shown = (example ?? {}) as Record<string, unknown>;
  const members = Object.entries(s.properties ?? {}).map(([name, property]) => {
    const made = madeFor(name, property, known).map((v): readonly [string, Tree] | undefined => [name, v]);
    const given = Object.hasOwn(shown, name) ? fc.constant([name, treeOf(shown[name])] as const) : made;
    const value = known[name] ? made : fc.oneof({ weight: 3, arbitrary: given }, { weight: 2, arbitrary: made });
    return s.required?.includes(name) ? value : fc.oneof(value, fc.constant(undefined));
  });
  return fc.tuple(...members).map((list) => new Members(list.filter((m) => m !== undefined)));
}

const oddText = [
  '',
  ' \t ',
  'x'.repeat(20_000),
  '\u202eevil\u202c',
  'a\u0301\u0301\u0301',
  '\u200b',
  '😀'.repeat(60),
  "'; DROP TABLE accounts; --",
  '%s%n{{7*7}}',
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  'NaN',
  '12.5',
  'null',
  '\u001b[31m',
  'txn_01h455vb4pex5vsknk084sn02q',
];
/** Text that is no acceptable JSON, or that no reader may pass on. */
const forbidden = [
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00x"',
  '01',
  '1.',
  '.5',
  '+1',
  'NaN',
  'Infinity',
  '0x10',
  "'a'",
  'undefined',
  '',
];
const numbers = [
  '1e400',
  '-1e400',
  '1e-400',
  `1${'0'.repeat(60)}`,
  '-1',
  '-0.01',
  '0',
  '-0',
  '0.1234567890123456789012345678901234567890',
  '9007199254740993',
];

export interface Spoiled {
  readonly body: Members;
  /** Why this must be refused; undefined where it may well be good. */
  readonly fault: 'missing' | 'wrong type' | 'not JSON' | undefined;
  /** The field that is missing. */
  readonly field?: string;
}

type Step = {
  kind: 'drop' | 'swap' | 'odd' | 'number' | 'forbidden' | 'deep' | 'twice' | 'extra' | 'wrap';
  at: number;
  pick: number;
};

const steps = fc.record<Step>({
  kind: fc.constantFrom('drop', 'swap', 'odd', 'number', 'forbidden', 'deep', 'twice', 'extra', 'wrap'),
  at: fc.nat(),
  pick: fc.nat(),
});

/** One to three faults put into a good body. */
export const spoiled = (s: Schema, good: fc.Arbitrary<Members>): fc.Arbitrary<Spoiled> =>
  fc.tuple(good, fc.array(steps, { minLength: 1, maxLength: 3 })).map(([body, list]) => {
    let made = body;
    const faults: Spoiled['fault'][] = [];
    let field: string | undefined;
    for (const step of list) {
      const r = apply(s, made, step);
      made = r.body as Members;
      faults.push(r.fault);
      field ??= r.field;
    }
    // Of several faults only the last is sure to be there still; a field may be missing in favour of another.
    const last = faults.at(-1);
    const sure = list.length === 1 || last === 'not JSON' ? last : undefined;
    return { body: made, fault: sure, ...(sure === 'missing' && field ? { field } : {}) };
  });

function apply(
  s: Schema,
  body: Members,
  { kind, at, pick }: Step,
): { body: Tree; fault: Spoiled['fault']; field?: string } {
  const place = body.list.length === 0 ? undefined : body.list[at % body.list.length];
  const set = (value: Tree, fault: Spoiled['fault']) =>
    place === undefined
      ? { body: new Members([['x', value]]), fault: fault === 'not JSON' ? fault : undefined }
      : { body: new Members(body.list.map((m) => (m === place ? [m[0], value] : m))), fault };
  const property = place && s.properties && Object.hasOwn(s.properties, place[0]) ? s.properties[place[0]] : undefined;
  switch (kind) {
    case 'drop': {
      const left = new Members(body.list.filter((m) => m !== place));
      const missing =
        place !== undefined && s.required?.includes(place[0]) === true && left.get(place[0]) === undefined;
      return missing ? { body: left, fault: 'missing', field: place[0] } : { body: left, fault: undefined };
    }
    case 'swap': {
      // A deeper place where there is one, else another type than the schema's.
      if (place?.[1] instanceof Members && pick % 3 !== 0)
        return set(apply({}, place[1], { kind, at: pick, pick: at }).body, undefined);
      const others: [string, Tree][] = [
        ['string', 'text'],
        ['number', new Raw('12.5')],
        ['boolean', true],
        ['null', null],
        ['array', [new Raw('12.5')]],
        ['object', new Members([['a', new Raw('1')]])],
      ];
      const asked = Array.isArray(property?.type) ? property.type[0] : property?.type;
      const type = property?.enum ? 'string' : asked === 'integer' ? 'number' : asked;
      const [, value] = others.filter(([t]) => t !== type)[pick % 5] as [string, Tree];
      // Null is a field's absence.
      if (value === null && place && property)
        return s.required?.includes(place[0]) ? { ...set(value, 'missing'), field: place[0] } : set(value, undefined);
      return set(value, property && type ? 'wrong type' : undefined);
    }
    case 'odd':
      return set(oddText[pick % oddText.length] as string, undefined);
    case 'number':
      return set(new Raw(numbers[pick % numbers.length] as string), undefined);
    case 'forbidden':
      return set(new Raw(forbidden[pick % forbidden.length] as string), 'not JSON');
    case 'deep':
      return set(new Raw(`${'['.repeat(40)}${']'.repeat(40)}`), 'not JSON');
    case 'twice':
      return place === undefined
        ? { body, fault: undefined }
        : { body: new Members([...body.list, place]), fault: 'not JSON' };
    case 'extra': {
      const name = ['refs', '__proto__', 'constructor', 'totalamount', '$where', 'x'.repeat(300), 'ñ', ''][
        pick % 8
      ] as string;
      const known = body.get(name) !== undefined;
      return { body: new Members([...body.list, [name, 'more']]), fault: known ? 'not JSON' : undefined };
    }
    case 'wrap':
      return set(
        place === undefined ? null : [place[1]],
        property?.type && property.type !== 'array' ? 'wrong type' : undefined,
      );
  }
}
