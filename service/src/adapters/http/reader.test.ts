// Strict reading (decision 3): no coercion, no defaults, nothing dropped silently, and the first missing field in the
// specification's order reported first.
import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../core/json.ts';
import { Numeral } from '../../core/money.ts';
import { Refusal } from '../../core/refusal.ts';
import { Amount, Exact, Ref } from '../../modules/kernel/operation.ts';
import { fieldNames } from './field-hints.ts';
import { readBody, readQuery, type Schema } from './reader.ts';

const body = Type.Object({
  ref: Ref(),
  amount: Amount('An amount.'),
  fee: Exact({ minimum: 0 }),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  exempt: Type.Optional(Type.Boolean()),
  kind: Type.Optional(Type.Enum(['ONE', 'TWO'])),
  customer: Type.Object({ email: Type.String({ format: 'email', maxLength: 60 }), name: Type.Optional(Type.String()) }),
  items: Type.Optional(
    Type.Array(Type.Object({ sku: Type.String({ minLength: 1 }), price: Exact({ minimum: 0 }) }), {
      minItems: 1,
      maxItems: 3,
    }),
  ),
  methods: Type.Optional(
    Type.Record(Type.String({ minLength: 1, maxLength: 40 }), Exact({ minimum: 0 }), { maxProperties: 3 }),
  ),
  bank: Type.Optional(Type.Object({}, { additionalProperties: true })),
  at: Type.Optional(Type.String({ format: 'date-time' })),
  ip: Type.Optional(Type.String({ format: 'ip' })),
  on: Type.Optional(Type.String({ format: 'date' })),
  code: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', 'x-says': 'two capital letters' })),
  lat: Type.Optional(Exact({ minimum: -90, maximum: 90 })),
}) as unknown as Schema;

const good = {
  ref: '"r-1"',
  amount: '107.50',
  fee: '0',
  customer: '{"email":"ada@example.com"}',
};
/** A body's JSON text from its members' JSON text. */
const text = (members: Record<string, string | undefined>) =>
  `{${Object.entries({ ...good, ...members })
    .filter(([, v]) => v !== undefined)
    .map(([k, v]) => `${JSON.stringify(k)}:${v}`)
    .join()}}`;
const read = (members: Record<string, string | undefined> = {}) => readBody(body, parseJson(text(members)));
const refusal = (r: unknown): { code: string; message: string } => {
  expect(r).toBeInstanceOf(Refusal);
  const { code, message } = r as Refusal;
  return { code, message };
};

describe('a body', () => {
  it('is read with its numbers as exact text and its text untouched', () => {
    const r = read({ ref: '"  ünïcode 😀 "', count: '200', exempt: 'false', kind: '"TWO"' });
    expect(r).toEqual({
      value: {
        ref: '  ünïcode 😀 ',
        amount: new Numeral('107.50'),
        fee: new Numeral('0'),
        customer: { email: 'ada@example.com' },
        count: 200,
        exempt: false,
        kind: 'TWO',
      },
      ignored: [],
    });
  });

  it.each(['null', '[]', '"x"', '1', 'true', '[{}]'])('that is %s is refused as no object', (json) => {
    expect(refusal(readBody(body, parseJson(json)))).toEqual({
      code: 'BODY_MALFORMED',
      message: 'the body must be a JSON object',
    });
  });

  it.each([
    ['the first in the order of the schema, not of the body', { amount: undefined, customer: undefined }, 'amount'],
    ['a nested one by its dotted path', { customer: '{}' }, 'customer.email'],
    ['one of an array by its index', { items: '[{"sku":"a","price":1},{"sku":"b"}]' }, 'items[1].price'],
    ['before any other fault', { ref: '7', fee: undefined }, 'fee'],
  ])('names the missing field: %s', (_, members, field) => {
    expect(refusal(read(members))).toEqual({ code: 'FIELD_REQUIRED', message: `the field '${field}' is required` });
  });

  it('reads a value that may be null by its other schema', () => {
    const nullable = Type.Object({
      amount: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
    }) as unknown as Schema;
    const of = (given: string) => readBody(nullable, parseJson(`{"amount":${given}}`));
    expect(of('null')).toMatchObject({ value: { amount: null } });
    expect(of('12.5')).toMatchObject({ value: { amount: { text: '12.5' } } });
    expect(refusal(of('"12.5"')).message).toBe("the field 'amount' must be a number, not text");
    expect(refusal(of('true')).message).toBe("the field 'amount' must be a number, not true or false");
    expect(refusal(of('-1')).message).toBe("the field 'amount' must be zero or more");
  });

  it('does not take an inherited member for a given one', () => {
    const odd = Type.Object({
      toString: Type.String(),
      constructor: Type.Optional(Type.String()),
    }) as unknown as Schema;
    expect(refusal(readBody(odd, {})).message).toBe("the field 'toString' is required");
  });

  it.each([
    ['a number for text', { ref: '12' }, "the field 'ref' must be text, not a number"],
    ['empty text', { ref: '""' }, "the field 'ref' must not be empty"],
    ['blank text', { ref: '" \\t "' }, "the field 'ref' must not be blank"],
    ['text too long', { ref: `"${'x'.repeat(201)}"` }, "the field 'ref' may have at most 200 characters"],
    ['null for an entry', { items: '[null]' }, "the field 'items[0]' must be an object, not null"],
    ['true for a number', { amount: 'true' }, "the field 'amount' must be a number, not true or false"],
    ['text for a number', { amount: '"12.5"' }, "the field 'amount' must be a number, not text"],
    ['an array for a number', { amount: '[12.5]' }, "the field 'amount' must be a number, not an array"],
    ['an object for a number', { amount: '{}' }, "the field 'amount' must be a number, not an object"],
    ['zero where more is asked', { amount: '0' }, "the field 'amount' must be greater than zero"],
    ['zero in another dress', { amount: '0.00e5' }, "the field 'amount' must be greater than zero"],
    ['minus zero', { amount: '-0' }, "the field 'amount' must be greater than zero"],
    ['a negative', { fee: '-0.01' }, "the field 'fee' must be zero or more"],
    ['39 digits', { amount: `1${'0'.repeat(38)}` }, "the field 'amount' must have at most 38 digits"],
    ['an enormous exponent', { amount: '1e400' }, "the field 'amount' must have at most 38 digits"],
    ['an enormous negative exponent', { amount: '1e-400' }, "the field 'amount' must have at most 38 digits"],
    ['a fraction for a whole number', { count: '1.5' }, "the field 'count' must be a whole number"],
    ['a whole number too large', { count: '201' }, "the field 'count' must be a whole number from 1 to 200"],
    ['a whole number too small', { count: '0' }, "the field 'count' must be a whole number from 1 to 200"],
    ['a whole number past the safe ones', { count: '9007199254740993' }, "the field 'count' must be a whole number"],
    ['text for a whole number', { count: '"1"' }, "the field 'count' must be a whole number, not text"],
    ['text for true', { exempt: '"true"' }, "the field 'exempt' must be true or false, not text"],
    ['1 for true', { exempt: '1' }, "the field 'exempt' must be true or false, not a number"],
    ['a name not in the list', { kind: '"one"' }, "the field 'kind' must be one of ONE, TWO"],
    ['a number for a name', { kind: '1' }, "the field 'kind' must be one of ONE, TWO"],
    ['text for an object', { customer: '"ada"' }, "the field 'customer' must be an object, not text"],
    ['an array for an object', { customer: '[]' }, "the field 'customer' must be an object, not an array"],
    ['an object for an array', { items: '{}' }, "the field 'items' must be an array, not an object"],
    ['no entry', { items: '[]' }, "the field 'items' must have at least 1 entry"],
    ['too many entries', { items: '[{},{},{},{}]' }, "the field 'items' may have at most 3 entries"],
    ['a wrong entry', { items: '[{"sku":"a","price":1},7]' }, "the field 'items[1]' must be an object, not a number"],
    ['a wrong member of an entry', { items: '[{"sku":"","price":1}]' }, "the field 'items[0].sku' must not be empty"],
    ['a pattern not met', { code: '"ab"' }, "the field 'code' must be two capital letters"],
    ['a pattern met by one line only', { code: '"AB\\n"' }, "the field 'code' must be two capital letters"],
    ['below the range', { lat: '-90.000001' }, "the field 'lat' must be a number from -90 to 90"],
    ['above the range', { lat: '90.0000000000000000001' }, "the field 'lat' must be a number from -90 to 90"],
    ['text for a method', { methods: '{"card":"1"}' }, "the field 'methods.card' must be a number, not text"],
    ['too many methods', { methods: '{"a":1,"b":1,"c":1,"d":1}' }, "the field 'methods' may have at most 3 members"],
    ['an empty name', { methods: '{"":1}' }, "the field 'methods' has a member with the unusable name ''"],
    ['a name of 41 characters', { methods: `{"${'m'.repeat(41)}":1}` }, 'unusable name'],
    ['a name that is __proto__', { methods: '{"__proto__":1}' }, "unusable name '__proto__'"],
    [
      '__proto__ in a free object',
      { bank: '{"__proto__":{"a":1}}' },
      "the field 'bank' has a member named '__proto__'",
    ],
    ['a number nobody can hold in a free object', { bank: '{"a":[{"b":1e999}]}' }, "the field 'bank.a[0].b' must have"],
  ] as [string, Record<string, string>, string][])('is refused for %s', (_, members, message) => {
    const r = refusal(read(members));
    expect(r.code).toBe('FIELD_INVALID');
    expect(r.message).toContain(message);
  });

  it.each(['count', 'exempt', 'kind', 'items', 'methods', 'bank', 'at', 'ip', 'code', 'lat'])(
    "takes null for the optional field '%s' as its absence",
    (name) => {
      expect(read({ [name]: 'null' })).toEqual(read());
    },
  );

  it('takes null as absence inside objects, arrays and maps too', () => {
    expect(read({ customer: '{"email":"a@b.c","name":null}' })).toEqual(read({ customer: '{"email":"a@b.c"}' }));
    expect(read({ methods: '{"card":1,"cash":null}' })).toEqual(read({ methods: '{"card":1}' }));
    expect(refusal(read({ items: '[{"sku":null,"price":1}]' })).message).toBe("the field 'items[0].sku' is required");
  });

  it.each(['ref', 'amount', 'fee', 'customer'])("calls the required field '%s' missing where it is null", (name) => {
    expect(refusal(read({ [name]: 'null' }))).toEqual({
      code: 'FIELD_REQUIRED',
      message: `the field '${name}' is required`,
    });
  });

  it('keeps null where the schema gives it a meaning', () => {
    const schema = Type.Object({ to: Type.Optional(Type.Union([Type.String(), Type.Null()])) }) as unknown as Schema;
    expect(readBody(schema, { to: null })).toMatchObject({ value: { to: null } });
  });

  it('takes a whole number as its digits where text or a whole number is asked for', () => {
    const schema = Type.Object({
      phone: Type.Unsafe<string>({ type: ['string', 'integer'], minLength: 1, maxLength: 32 }),
    }) as unknown as Schema;
    const phone = (json: string) => readBody(schema, parseJson(`{"phone":${json}}`));
    expect(phone('2348030000001')).toMatchObject({ value: { phone: '2348030000001' } });
    expect(phone('"+234 803"')).toMatchObject({ value: { phone: '+234 803' } });
    for (const json of ['1.5', '-1', '1e3', 'true', '{}', `${'1'.repeat(33)}`, '""'])
      expect(refusal(phone(json)).code).toBe('FIELD_INVALID');
  });

  it('takes whole numbers however they are written', () => {
    for (const n of ['5', '5.0', '5e0', '0.5e1']) expect(read({ count: n })).toMatchObject({ value: { count: 5 } });
  });

  it('names the fields it does not know and reads the others', () => {
    expect(read({ refs: '1', Amount: '2' })).toMatchObject({ value: { ref: 'r-1' }, ignored: ['refs', 'Amount'] });
    expect(
      read({ customer: '{"email":"a@b.c","phone":"1"}', items: '[{"sku":"a","price":1,"vat":{}}]' }),
    ).toMatchObject({
      ignored: ['customer.phone', 'items[0].vat'],
    });
    expect(read({ __proto__x: '1', toString: '2' })).toMatchObject({ ignored: ['__proto__x', 'toString'] });
  });

  it('names at most twenty of them, and says whether there were more', () => {
    const fields = (length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [`x${i}`, '1']));
    expect(read(fields(20))).toMatchObject({ ignored: Object.keys(fields(20)) });
    expect(read(fields(50))).toMatchObject({ ignored: [...Object.keys(fields(20)), '...'] });
    expect(fieldNames(['a b', '...'])).toBe('a%20b, ...');
    expect(fieldNames(['x', 'y'.repeat(2000), 'z'])).toBe('x, ...');
  });

  it('keeps a free object as it is', () => {
    expect(read({ bank: '{"iban":"DE89","limits":[1.50,null,{"a":true}]}' })).toMatchObject({
      value: { bank: { iban: 'DE89', limits: [new Numeral('1.50'), null, { a: true }] } },
    });
  });

  it('never fills in what was not sent', () => {
    const r = read() as { value: object };
    expect(Object.keys(r.value)).toEqual(['ref', 'amount', 'fee', 'customer']);
  });

  it('reads any JSON at all without throwing, into a value or a refusal with a sentence', () => {
    const known = fc.record(
      Object.fromEntries(
        [
          'ref',
          'amount',
          'fee',
          'count',
          'exempt',
          'kind',
          'customer',
          'items',
          'methods',
          'bank',
          'at',
          'ip',
          'code',
          'lat',
        ].map((k) => [k, fc.jsonValue({ maxDepth: 3 })]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(known, fc.jsonValue()), (v) => {
        const r = readBody(body, parseJson(JSON.stringify(v)));
        if (r instanceof Refusal) expect(r.message.length).toBeGreaterThan(10);
        else
          expect(Object.keys(r.value as object)).toEqual(expect.arrayContaining(['ref', 'amount', 'fee', 'customer']));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('formats', () => {
  const ok = (field: string, v: string) => !(read({ [field]: JSON.stringify(v) }) instanceof Refusal);
  const email = (v: string) =>
    ok('customer', v) || !(read({ customer: JSON.stringify({ email: v }) }) instanceof Refusal);

  it.each(['a@b', 'ada@example.com', 'ada+tag@sub.example.co.uk', 'ünï@exämple.com'])('email takes %s', (v) => {
    expect(email(v)).toBe(true);
  });
  it.each(['', 'ada', '@b', 'a@', 'a@b@c', 'a b@c', 'a@b\n', '<a@b>', 'a,b@c', 'a@[1.2.3.4]', '"a"@b'])(
    "email refuses '%s'",
    (v) => {
      expect(email(v)).toBe(false);
    },
  );

  it.each(['1.2.3.4', '255.255.255.255', '::1', '2001:db8::8a2e:370:7334', '::ffff:1.2.3.4'])('ip takes %s', (v) => {
    expect(ok('ip', v)).toBe(true);
  });
  it.each(['', '1.2.3', '256.1.1.1', '01.2.3.4', '1.2.3.4 ', 'localhost', ':::', '1.2.3.4/8', '[::1]'])(
    "ip refuses '%s'",
    (v) => {
      expect(ok('ip', v)).toBe(false);
    },
  );

  it.each(['2026-11-21', '2024-02-29', '2000-02-29', '1899-12-31', '9999-12-31'])('date takes %s', (v) => {
    expect(ok('on', v)).toBe(true);
  });
  it.each([
    '',
    '2026-11-2',
    '2025-02-29',
    '1900-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-11-00',
    '0000-01-01',
    '2026-11-21T00:00:00Z',
    ' 2026-11-21',
    '20261121',
  ])("date refuses '%s'", (v) => {
    expect(ok('on', v)).toBe(false);
  });

  it.each([
    '2026-11-21T10:00:00Z',
    '2026-11-21T10:00:00.123Z',
    '2026-11-21T10:00:00.123456789+14:00',
    '2024-02-29T23:59:59-12:00',
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('date-time takes %s', (v) => {
    expect(ok('at', v)).toBe(true);
  });
  it.each([
    '',
    '2026-11-21',
    '2026-11-21 10:00:00Z',
    '2026-11-21T10:00Z',
    '2026-11-21T10:00:00',
    '2026-02-29T10:00:00Z',
    '2026-02-31T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-11-21T25:00:00Z',
    '2026-11-21T10:00:60Z',
    '2026-11-21T10:00:00+23:00',
    '2026-11-21T10:00:00+10:60',
    '2026-11-21T10:00:00z',
    '0000-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '+12026-11-21T10:00:00Z',
    '2026-11-21T10:00:00Z\n',
  ])("date-time refuses '%s'", (v) => {
    expect(ok('at', v)).toBe(false);
  });

  it('are checked in time that grows with the length of the text, not faster', () => {
    // A backtracking check would never finish on these.
    const nasty = ['a@'.repeat(20_000), `${'a'.repeat(40_000)}@`, `${'.'.repeat(40_000)}@b `];
    const wide = { type: 'object', properties: { e: { type: 'string', format: 'email' } } } as Schema;
    for (const v of nasty) expect(readBody(wide, { e: v })).toBeInstanceOf(Refusal);
  });
});

describe('a query', () => {
  const query = Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    status: Type.Optional(Type.Enum(['APPROVED', 'DECLINED'])),
    ref: Type.Optional(Type.String({ maxLength: 20 })),
    id: Type.String({ maxLength: 10 }),
  }) as unknown as Schema;
  const ask = (q: string) => readQuery(query, new URLSearchParams(q));

  it('is read with its numbers as numbers and its text as text', () => {
    expect(ask('id=a&limit=50&status=APPROVED&ref=12')).toEqual({
      value: { id: 'a', limit: 50, status: 'APPROVED', ref: '12' },
      ignored: [],
    });
  });

  it.each([
    ['limits=5', "there is no query parameter 'limits'; did you mean limit?"],
    ['Status=APPROVED', "there is no query parameter 'Status'; did you mean status?"],
    ['page=1&page=2', "there is no query parameter 'page'; this operation has limit, status, ref, id"],
    ['=1', "there is no query parameter ''; this operation has limit, status, ref, id"],
  ])('refuses a parameter it does not know and names those it does: %s', (q, message) => {
    for (const text of [`id=a&${q}`, `${q}&id=a`, q])
      expect(refusal(ask(text))).toEqual({ code: 'QUERY_INVALID', message });
  });

  it('counts characters, not the units of UTF-16', () => {
    const of = (n: number) => ask(`id=${encodeURIComponent('😀'.repeat(n))}`);
    expect(of(10)).toMatchObject({ value: { id: '😀'.repeat(10) } });
    expect(refusal(of(11)).code).toBe('QUERY_INVALID');
    const named = Type.Object({ word: Type.String({ minLength: 2, maxLength: 3 }) }) as unknown as Schema;
    const word = (text: string) => readQuery(named, new URLSearchParams({ word: text }));
    expect(refusal(word('😀')).code).toBe('QUERY_INVALID');
    expect(word('é😀😀')).toMatchObject({ value: { word: 'é😀😀' } });
  });

  it('refuses any parameter where there is none', () => {
    expect(refusal(readQuery({}, new URLSearchParams('a=1')))).toEqual({
      code: 'QUERY_INVALID',
      message: "there is no query parameter 'a'; this operation has none",
    });
  });

  it('says which field is missing', () => {
    expect(refusal(ask('limit=5'))).toEqual({ code: 'FIELD_REQUIRED', message: "the field 'id' is required" });
  });

  it.each([
    ['twice the same', 'id=a&id=b', "the query parameter 'id' occurs twice"],
    ['a fraction', 'id=a&limit=1.5', "the query parameter 'limit' must be a whole number"],
    ['an exponent', 'id=a&limit=1e1', "the query parameter 'limit' must be a whole number"],
    ['a sign', 'id=a&limit=-1', "the query parameter 'limit' must be a whole number"],
    ['space', 'id=a&limit=%205', "the query parameter 'limit' must be a whole number"],
    ['nothing', 'id=a&limit=', "the query parameter 'limit' must be a whole number"],
    ['too much', 'id=a&limit=201', "the query parameter 'limit' must be a whole number from 1 to 200"],
    ['another name', 'id=a&status=approved', "the query parameter 'status' must be one of APPROVED, DECLINED"],
    ['text too long', `id=${'x'.repeat(11)}`, "the query parameter 'id' may have at most 10 characters"],
    ['NUL', 'id=a%00', "the query parameter 'id' has characters that cannot be used"],
  ])('is refused for %s', (_, q, message) => {
    const r = refusal(ask(q));
    expect(r.code).toBe('QUERY_INVALID');
    expect(r.message).toContain(message);
  });

  it('never takes what objects inherit for a parameter', () => {
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(refusal(ask(`id=a&${name}=1`)).message).toMatch(`there is no query parameter '${name}'`);
  });
});
