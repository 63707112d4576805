// Strict JSON: exactly RFC 8259, with numbers kept as text (a money amount must not pass through a double). Rejects
// what two readers could understand differently: duplicate keys, NUL, lone surrogates, nesting beyond 32.
import { Numeral } from './money.ts';

export type Json = null | boolean | string | Numeral | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export const isObject = (v: unknown): v is JsonObject =>
  typeof v === 'object' && v !== null && !Array.isArray(v) && !(v instanceof Numeral);

export const MAX_DEPTH = 32;

/** The text is not acceptable JSON; the message says why and at which position. */
export class JsonError extends Error {}

const numberAt = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapes: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** @throws JsonError */
export function parseJson(text: string): Json {
  let at = 0;

  const fail = (what: string): never => {
    throw new JsonError(`${what} at position ${at}`);
  };

  function space(): number {
    let c = text.charCodeAt(at);
    while (c === 32 || c === 10 || c === 13 || c === 9) c = text.charCodeAt(++at);
    return c;
  }

  function value(depth: number): Json {
    const c = space();
    if (c === 34) return string();
    if (c === 123) return object(depth + 1);
    if (c === 91) return array(depth + 1);
    if (c === 45 || (c >= 48 && c <= 57)) return number();
    if (text.startsWith('true', at)) return word(4, true);
    if (text.startsWith('false', at)) return word(5, false);
    if (text.startsWith('null', at)) return word(4, null);
    return fail(at >= text.length ? 'the text ends too early' : 'unexpected character');
  }

  function word(length: number, v: true | false | null): Json {
    at += length;
    return v;
  }

  function number(): Numeral {
    numberAt.lastIndex = at;
    const m = numberAt.exec(text);
    if (!m) return fail('malformed number');
    at += m[0].length;
    const c = text.charCodeAt(at);
    if ((c >= 48 && c <= 57) || c === 46 || c === 43 || c === 45 || c === 101 || c === 69) fail('malformed number');
    return new Numeral(m[0]);
  }

  function string(): string {
    const start = ++at;
    let out = '';
    let from = start;
    let high = false;
    for (;;) {
      const c = text.charCodeAt(at);
      if (c === 34) break;
      if (Number.isNaN(c)) fail('unterminated string');
      if (c < 32) fail('control character in a string');
      if (c === 92) {
        out += text.slice(from, at);
        const e = text[at + 1] ?? '';
        let piece = escapes[e];
        if (piece === undefined) {
          if (e !== 'u') fail('unknown escape');
          const hex = text.slice(at + 2, at + 6);
          if (!/^[0-9a-fA-F]{4}$/.test(hex)) fail('malformed unicode escape');
          piece = String.fromCharCode(Number.parseInt(hex, 16));
          at += 4;
        }
        high = surrogate(piece.charCodeAt(0), high);
        out += piece;
        at += 2;
        from = at;
        continue;
      }
      if (high || (c >= 0xd800 && c <= 0xdfff)) high = surrogate(c, high);
      at++;
    }
    if (high) fail('lone surrogate');
    out = from === start ? text.slice(start, at) : out + text.slice(from, at);
    at++;
    return out;
  }

  /** Follows surrogate pairs; returns whether the second half must come next. */
  function surrogate(c: number, high: boolean): boolean {
    if (c === 0) fail('NUL character');
    const low = c >= 0xdc00 && c <= 0xdfff;
    if (high !== low) fail('lone surrogate');
    return c >= 0xd800 && c <= 0xdbff;
  }

  function object(depth: number): JsonObject {
    if (depth > MAX_DEPTH) fail(`nested deeper than ${MAX_DEPTH}`);
    const out: JsonObject = {};
    at++;
    if (space() === 125) {
      at++;
      return out;
    }
    for (;;) {
      if (space() !== 34) fail('a key in double quotes was expected');
      const key = string();
      if (space() !== 58) fail("':' was expected");
      at++;
      if (Object.hasOwn(out, key)) fail(`the key '${key.slice(0, 40)}' occurs twice`);
      const v = value(depth);
      if (key === '__proto__')
        Object.defineProperty(out, key, { value: v, enumerable: true, configurable: true, writable: true });
      else out[key] = v;
      const c = space();
      at++;
      if (c === 125) return out;
      if (c !== 44) {
        at--;
        fail("',' or '}' was expected");
      }
    }
  }

  function array(depth: number): Json[] {
    if (depth > MAX_DEPTH) fail(`nested deeper than ${MAX_DEPTH}`);
    const out: Json[] = [];
    at++;
    if (space() === 93) {
      at++;
      return out;
    }
    for (;;) {
      out.push(value(depth));
      const c = space();
      at++;
      if (c === 93) return out;
      if (c !== 44) {
        at--;
        fail("',' or ']' was expected");
      }
    }
  }

  const result = value(0);
  space();
  if (at < text.length) fail('text after the end of the value');
  return result;
}

/** JSON text of a value that may contain Numerals, which are written exactly as given. */
export function exactJson(value: unknown): string {
  return JSON.stringify(value, (_, v) => (v instanceof Numeral ? JSON.rawJSON(v.text) : v));
}
