// Strict JSON against JSON.parse: accepted text reads the same, and text that two readers could understand differently
// is rejected (decision 3).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, JsonError, MAX_DEPTH, parseJson } from './json.ts';
import { Numeral } from './money.ts';

/** The value JSON.parse would have returned. */
function plain(v: Json): unknown {
  if (v instanceof Numeral) return Number(v.text);
  if (Array.isArray(v)) return v.map(plain);
  if (v === null || typeof v !== 'object') return v;
  return Object.fromEntries(Object.entries(v).map(([k, x]) => [k, plain(x)]));
}

function outcome(parse: (text: string) => unknown, text: string): { value: unknown } | { error: string } {
  try {
    return { value: parse(text) };
  } catch (e) {
    return { error: (e as Error).message };
  }
}

const values = fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' });

describe('parseJson', () => {
  it('reads every JSON value exactly as JSON.parse does', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(undefined, 1, '\t', '\r\n '), (v, indent) => {
        const text = JSON.stringify(v, null, indent);
        expect(plain(parseJson(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('reads every string of code points, escaped or not, as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.boolean(), (s, escaped) => {
        const clean = s.replaceAll('\0', '');
        const text = escaped
          ? `"${[...Array(clean.length).keys()].map((i) => `\\u${clean.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`
          : JSON.stringify(clean);
        expect(parseJson(text)).toBe(clean);
      }),
      { numRuns: 1000 },
    );
  });

  it('accepts nothing that JSON.parse refuses, and refuses more only for a named reason', () => {
    const reasons = /occurs twice|NUL character|lone surrogate|nested deeper/;
    const damaged = fc
      .tuple(
        values,
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",:0123456789.eE+-\\utfn \n\0\t/*')), { maxLength: 4 }),
      )
      .map(([v, edits]) => {
        let text = JSON.stringify(v);
        for (const [at, c] of edits) {
          const i = at % (text.length + 1);
          text = text.slice(0, i) + c + text.slice(i + (at % 2));
        }
        return text;
      });
    fc.assert(
      fc.property(damaged, (text) => {
        const theirs = outcome(JSON.parse, text);
        const ours = outcome((t) => plain(parseJson(t)), text);
        if ('error' in theirs) expect(ours, text).toHaveProperty('error');
        else if ('error' in ours) expect(ours.error, text).toMatch(reasons);
        else expect(ours).toEqual(theirs);
      }),
      { numRuns: 3000 },
    );
  });

  it('keeps the exact text of a number', () => {
    for (const text of ['0.123456789012345678', '1e400', '-0', '107.50', '1E+2', '9007199254740993'])
      expect((parseJson(text) as Numeral).text).toBe(text);
  });

  it.each([
    ['a duplicate key', '{"ref":"a","ref":"b"}', "the key 'ref' occurs twice"],
    ['a duplicate key written by escapes', '{"ref":1,"\\u0072ef":2}', "the key 'ref' occurs twice"],
    ['a duplicate key deeper down', '[{"a":{"b":1,"b":1}}]', "the key 'b' occurs twice"],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}', 'occurs twice'],
    ['NUL, raw', '"a\0b"', 'control character'],
    ['NUL, escaped', '"a\\u0000b"', 'NUL character'],
    ['NUL in a key', '{"\\u0000":1}', 'NUL character'],
    ['a lone high surrogate at the end', '"\\ud800"', 'lone surrogate'],
    ['a lone high surrogate before text', '"\\ud800x"', 'lone surrogate'],
    ['a high surrogate before an escape', '"\\ud800\\n"', 'lone surrogate'],
    ['two high surrogates', '"\\ud800\\ud800"', 'lone surrogate'],
    ['a lone low surrogate', '"\\udc00"', 'lone surrogate'],
    ['a lone surrogate, raw', '"\ud800"', 'lone surrogate'],
    ['a raw low surrogate', '"\udc00x"', 'lone surrogate'],
    ['a lone surrogate in a key', '{"\\udfff":1}', 'lone surrogate'],
    ['nesting beyond 32', '['.repeat(33) + ']'.repeat(33), 'nested deeper than 32'],
    ['mixed nesting beyond 32', '{"a":['.repeat(17) + ']}'.repeat(17), 'nested deeper than 32'],
    ['a byte order mark', '\ufeff{}', 'unexpected character'],
    ['a leading zero', '01', 'malformed number'],
    ['a bare point', '1.', 'malformed number'],
    ['a plus sign', '+1', 'unexpected character'],
    ['a missing exponent', '1e', 'malformed number'],
    ['a lone minus', '-', 'malformed number'],
    ['hexadecimal', '0x1F', 'text after the end'],
    ['NaN', 'NaN', 'unexpected character'],
    ['Infinity', '-Infinity', 'malformed number'],
    ['a trailing comma in an array', '[1,]', 'unexpected character'],
    ['a trailing comma in an object', '{"a":1,}', 'a key in double quotes'],
    ['single quotes', "{'a':1}", 'a key in double quotes'],
    ['a bare key', '{a:1}', 'a key in double quotes'],
    ['a comment', '{} // x', 'text after the end'],
    ['two values', '{}{}', 'text after the end'],
    ['nothing', '', 'the text ends too early'],
    ['only space', ' \n', 'the text ends too early'],
    ['an open string', '"abc', 'unterminated string'],
    ['an open escape', '"\\', 'unknown escape'],
    ['an unknown escape', '"\\x41"', 'unknown escape'],
    ['a short unicode escape', '"\\u12"', 'malformed unicode escape'],
    ['a line break in a string', '"a\nb"', 'control character'],
    ['an open object', '{"a":1', "',' or '}'"],
    ['an open array', '[1', "',' or ']'"],
    ['a missing colon', '{"a" 1}', "':' was expected"],
    ['a no-break space', '\u00a0{}', 'unexpected character'],
    ['a word in capitals', 'TRUE', 'unexpected character'],
  ])('refuses %s', (_, text, why) => {
    expect(() => parseJson(text)).toThrow(JsonError);
    expect(() => parseJson(text)).toThrow(why);
  });

  it('allows nesting of exactly 32', () => {
    expect(MAX_DEPTH).toBe(32);
    expect(parseJson('['.repeat(32) + ']'.repeat(32))).toBeInstanceOf(Array);
  });

  it('reads __proto__ as a plain member and leaves every prototype alone', () => {
    const v = parseJson('{"__proto__":{"polluted":true},"constructor":1,"toString":2}') as Record<string, Json>;
    expect(Object.keys(v)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(v)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('tells the position of what it refuses, and quotes at most 40 characters of a key', () => {
    expect(() => parseJson('{"a":01}')).toThrow(/at position \d+$/);
    const key = 'k'.repeat(500);
    expect(() => parseJson(`{"${key}":1,"${key}":1}`)).toThrow(`the key '${'k'.repeat(40)}' occurs twice`);
  });
});
