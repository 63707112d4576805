// Exact decimals in JSON, by the runtime's source text access and by the fallbacks: both do the same.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knowsSource, readExact, writeJson } from '../src/decimals.ts';

const ways = [
  ['by the runtime', true],
  ['by the fallback', false],
] as const;
const write = (body: unknown, decimals: readonly string[], native: boolean) =>
  native ? writeJson(body, decimals) : writeJson(body, decimals, null);

/** A decimal as people write one. */
const decimal = fc
  .tuple(fc.boolean(), fc.stringMatching(/^(0|[1-9]\d{0,25})$/), fc.stringMatching(/^(\.\d{1,25})?$/))
  .map(([minus, whole, fraction]) => `${minus ? '-' : ''}${whole}${fraction}`);

it('runs where the runtime knows the source of numbers', () => {
  expect(knowsSource).toBe(true);
});

describe.each(ways)('a body written %s', (_, native) => {
  it('has amounts given as text as numbers with these digits, at every depth', () => {
    const body = {
      ref: '12.50',
      totalAmount: '123456789012345678.123456789012345678',
      transactionFee: 0.1,
      paymentMethods: { card: '12.50', '7': '1e-18', cash: 3 },
      items: [{ price: '0.10', name: '1' }],
      lineVat: ['1.0', '2.00'],
    };
    const names = ['totalAmount', 'transactionFee', 'paymentMethods.*', 'price', 'lineVat[]'];
    expect(write(body, names, native)).toBe(
      '{"ref":"12.50","totalAmount":123456789012345678.123456789012345678,"transactionFee":0.1,' +
        '"paymentMethods":{"7":1e-18,"card":12.50,"cash":3},"items":[{"price":0.10,"name":"1"}],"lineVat":[1.0,2.00]}',
    );
  });

  it('keeps every decimal and every text beside it', () => {
    fc.assert(
      fc.property(decimal, fc.string(), (amount, note) => {
        expect(write({ note, amount }, ['amount'], native)).toBe(`{"note":${JSON.stringify(note)},"amount":${amount}}`);
      }),
    );
  });

  it('writes no exponent, which a service may use for 10 satoshi and for very large amounts', () => {
    const text = '[1e-7,-1.25E-8,7.5e+22,12.5e1,1.234e1,0.00e5,9e999]';
    expect(readExact(text, [], native)).toEqual([
      ...['0.0000001', '-0.0000000125', '75000000000000000000000', '125', '12.34', '0', '9e999'],
    ]);
  });

  it('is not misled by texts that look like its own marks', () => {
    for (const note of ['number:1', 'numberx:1', '"number:1"', '\\"', '\u2028'])
      expect(JSON.parse(write({ note, amount: '1' }, ['amount'], native))).toEqual({ note, amount: 1 });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %s, which JSON would write as null', (amount) => {
    const given = [{ totalAmount: amount }, { items: [{ price: amount }] }, { deep: { n: amount } }];
    for (const body of given) expect(() => write(body, ['totalAmount'], native)).toThrow(/ is no number$/);
  });

  it.each(['', '1,5', '.5', '5.', '01', '0x1', 'NaN', '1 ', '１', '1e', '--1'])("refuses '%s' as an amount", (text) => {
    expect(() => write({ totalAmount: text }, ['totalAmount'], native)).toThrow(
      new TypeError(`totalAmount: '${text}' is no decimal number; write it like 12.50`),
    );
  });
});

describe.each(ways)('a reply read %s', (_, native) => {
  it('has amounts as the text that stands there, and counts as numbers', () => {
    const text = '{"a":1.50,"n":7,"list":[0.10,-0,1E+2],"deep":{"x":123456789012345678.5,"n":2},"s":"1.50","t":null}';
    expect(readExact(text, ['n'], native)).toEqual({
      a: '1.50',
      n: 7,
      list: ['0.10', '-0', '100'],
      deep: { x: '123456789012345678.5', n: 2 },
      s: '1.50',
      t: null,
    });
  });

  it('keeps every decimal and every text', () => {
    fc.assert(
      fc.property(decimal, fc.string(), fc.integer(), (amount, text, count) => {
        const json = `{"text":${JSON.stringify(text)},"amount":${amount},"count":${count}}`;
        expect(readExact(json, ['count'], native)).toEqual({ text, amount, count });
      }),
    );
  });

  it('reads any JSON as JSON.parse does, but for numbers', () => {
    // What Intl makes of the shortest text that stands for a number has all its digits and no exponent.
    const digits = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: 21 });
    const asText = (v: unknown): unknown =>
      JSON.parse(JSON.stringify(v), (_k, x) => (typeof x === 'number' ? digits.format(`${x}` as `${number}`) : x));
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(readExact(JSON.stringify(value), [], native)).toEqual(asText(value));
      }),
    );
  });

  it('is not misled by texts that look like its own marks', () => {
    const value = { a: 'number:1', b: 'numberx:2', c: '\\', d: '"1"', 'number:': 'e' };
    expect(readExact(JSON.stringify(value), [], native)).toEqual(value);
  });

  it('refuses what is no JSON', () => {
    for (const text of ['', '{', '{"a":1.2.3}', '[01]', '[1 2]', '[-]'])
      expect(() => readExact(text, [], native)).toThrow(SyntaxError);
  });
});
