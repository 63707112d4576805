// The canonical form: equal for equal requests however written, different for any others.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, type JsonObject, parseJson } from './json.ts';
import { Numeral } from './money.ts';
import { canonical, firstDifference } from './request.ts';

const values = fc.jsonValue({ maxDepth: 5 });
const of = (text: string) => canonical(parseJson(text));

/** The same value with every object's members in another order. */
function turned(v: Json): Json {
  if (v instanceof Numeral || v === null || typeof v !== 'object') return v;
  if (Array.isArray(v)) return v.map(turned);
  const out: JsonObject = {};
  for (const [k, x] of Object.entries(v).reverse())
    Object.defineProperty(out, k, { value: turned(x), enumerable: true, configurable: true, writable: true });
  return out;
}

describe('canonical', () => {
  it('does not depend on the order of members', () => {
    fc.assert(
      fc.property(values, (v) => {
        const parsed = parseJson(JSON.stringify(v));
        expect(canonical(turned(parsed))).toBe(canonical(parsed));
      }),
    );
  });

  it('is JSON that stands for the same value and is its own canonical form', () => {
    fc.assert(
      fc.property(values, (v) => {
        const text = of(JSON.stringify(v));
        expect(of(text)).toBe(text);
      }),
    );
    expect(of(' { "b" : [ 1.50 , true ] , "a" : "x\\u0041" } ')).toBe('{"a":"xA","b":[1.5,true]}');
  });

  it('tells any two different values apart', () => {
    const text = fc.jsonValue({ maxDepth: 3, noUnicodeString: true }).map((v) => JSON.stringify(v));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const same = of(a) === of(b);
        // The naive comparison: parse both, sort every object's members, write them again.
        const sorted = (t: string) =>
          JSON.stringify(JSON.parse(t), (_, x) =>
            x !== null && typeof x === 'object' && !Array.isArray(x)
              ? Object.fromEntries(Object.entries(x).sort(([k], [l]) => (k < l ? -1 : 1)))
              : x,
          );
        if (!a.includes('__proto__') && !b.includes('__proto__')) expect(same).toBe(sorted(a) === sorted(b));
      }),
      { numRuns: 500 },
    );
  });

  it('writes numbers that are the same decimal alike, and no others', () => {
    expect(of('[107.50,1.075e2,107.5,1075E-1]')).toBe('[107.5,107.5,107.5,107.5]');
    expect(of('0.1000000000000000055511151231257827')).not.toBe(of('0.1'));
    expect(of('12345678901234567')).not.toBe(of('12345678901234568'));
  });

  it('tells a number from its text, and a missing member from null', () => {
    expect(of('{"a":1}')).not.toBe(of('{"a":"1"}'));
    expect(of('{"a":null}')).not.toBe(of('{}'));
    expect(canonical({ a: undefined, b: 'x' })).toBe('{"b":"x"}');
  });

  it('keeps the order of arrays', () => {
    expect(of('[1,2]')).not.toBe(of('[2,1]'));
  });
});

describe('firstDifference', () => {
  const order = ['ref', 'totalAmount', 'currency', 'customer'];
  const body = { ref: 'a', totalAmount: new Numeral('10.00'), currency: 'NGN', customer: { email: 'a@b.c' } };

  it('is undefined for equal requests', () => {
    expect(firstDifference(canonical(body), canonical({ ...body, totalAmount: new Numeral('1e1') }), order)).toBe(
      undefined,
    );
  });

  it.each([
    ['the first in the order given', { currency: 'KES', totalAmount: new Numeral('11') }, 'totalAmount'],
    ['a nested change by its dotted path', { customer: { email: 'x@b.c' } }, 'customer.email'],
    ['a nested member that was added', { customer: { email: 'a@b.c', name: 'A' } }, 'customer.name'],
    ['a change of kind by the field itself', { customer: 'a@b.c' }, 'customer'],
    ['a member that was added', { mcc: '5411' }, 'mcc'],
    ['a member that was left out', { currency: undefined }, 'currency'],
  ])('names %s', (_, change, field) => {
    expect(firstDifference(canonical(body), canonical({ ...body, ...change }), order)).toBe(field);
  });

  it('counts into arrays, and names the array itself when only its length differs', () => {
    const items = (...prices: string[]) => canonical({ items: prices.map((p) => ({ price: new Numeral(p) })) });
    expect(firstDifference(items('1', '2'), items('1', '3'), [])).toBe('items[1].price');
    expect(firstDifference(items('1', '2'), items('1'), [])).toBe('items');
  });

  it('always names a place where the two do differ', () => {
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 3, noUnicodeString: true }));
    const member = (v: Json, key: string) => canonical({ v: (v as JsonObject)[key] });
    fc.assert(
      fc.property(object, object, (a, b) => {
        const [x, y] = [parseJson(JSON.stringify(a)), parseJson(JSON.stringify(b))];
        const path = firstDifference(canonical(x), canonical(y), ['c']);
        if (path === undefined) expect(canonical(x)).toBe(canonical(y));
        else if (/^[abc]$/.test(path)) expect(member(x, path)).not.toBe(member(y, path));
        else expect(canonical(x)).not.toBe(canonical(y));
      }),
    );
  });
});
