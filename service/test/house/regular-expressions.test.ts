// Every regular expression in the sources and in the operations' schemas takes linear time, so that no input can block
// the service. Measured in processor time, so that a busy machine does not matter.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';

const root = join(import.meta.dirname, '../../..');

/** Those that take longer for longer texts, and why theirs cannot be long. */
const bounded: Readonly<Record<string, string>> = {
  '/0+$/': 'decimals of amounts the database holds, and at most nine digits of a second',
  '/\\.?0+$/': 'an amount written by our own hand',
  '/\\B(?=(\\d{3})+$)/g': 'the whole part of an amount of at most 38 digits',
  '/=+$/': 'the base64 of a SHA-256',
  '/\\/+$/': 'an address from the settings, or from who uses the client',
};

const literal =
  /(?<=[=(,:!&|?[{};\s]|=>)\/((?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?=[.,;)\]\s}])/g;

function inSources(): Map<string, RegExp> {
  const found = new Map<string, RegExp>();
  for (const folder of ['service/src', 'client/src'])
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
      const text = readFileSync(join(root, folder, file), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
      for (const [whole, source, flags] of text.matchAll(literal)) {
        try {
          found.set(whole, new RegExp(source as string, flags));
        } catch {
          // A path or a division, not an expression.
        }
      }
    }
  return found;
}

function inSchemas(value: unknown, found: Map<string, RegExp>): Map<string, RegExp> {
  if (value === null || typeof value !== 'object') return found;
  for (const [name, v] of Object.entries(value)) {
    if (name === 'pattern' && typeof v === 'string') found.set(`/${v}/`, new RegExp(v, 'u'));
    else inSchemas(v, found);
  }
  return found;
}

/** Texts of a length that go on matching as long as they can and fail at the end. */
function* hostile(source: string, length: number): Generator<string> {
  const own = new Set([...source.replace(/\\[dws]/gi, '0a_ ').replace(/[\\^$()|?*+{}]/g, '')]);
  const letters = new Set([...own, ...'0a A-.:/=@_\n']);
  for (const c of letters) yield `${c.repeat(length)}\0`;
  // The ways in: what an expression starts with, then what it may repeat.
  const start = /^\^?([\w:/@#-]+)/.exec(source)?.[1] ?? '';
  for (const c of letters) yield `${start}${c.repeat(length)}\0`;
  for (const pair of ['a.', 'a ', '0,', 'a-', '1:', 'a@', 'aA', '="']) yield `${pair.repeat(length / 2)}\0`;
}

const stage = createContext({});
const script = new Script('for (const text of texts) { expression.lastIndex = 0; expression.test(text); }');
const enoughMs = 50;

/** Whether this thread's processor is done with all texts in that time, at the best of three. */
function isQuick(expression: RegExp, texts: readonly string[]): boolean {
  Object.assign(stage, { expression, texts });
  for (let i = 0; i < 3; i++) {
    const before = process.threadCpuUsage();
    let done = true;
    try {
      script.runInContext(stage, { timeout: 4_000 });
    } catch {
      done = false;
    }
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1_000;
    if (done && ms < enoughMs) return true;
    if (ms > 4 * enoughMs) return false;
  }
  return false;
}

/** Nothing, or for which texts it takes too long: of 26 characters where time doubles with each, else of 20 000. */
function slow(expression: RegExp): string | undefined {
  for (const length of [26, 20_000])
    if (!isQuick(expression, [...hostile(expression.source, length)])) return `${length} characters`;
  return undefined;
}

describe('regular expressions', () => {
  const all = inSchemas(operations, inSources());

  it('are found in the sources and schemas', () => {
    expect(all.size).toBeGreaterThan(100);
    expect([...all.keys()]).toContain('/^(asy|asytest)_([0-9a-hjkmnp-tv-z]{26})_([0-9A-Za-z_-]{43})_([0-9a-f]{8})$/');
  });

  it('take linear time, or read nothing that is long', () => {
    const found = [...all].flatMap(([name, e]) => {
      const text = slow(e);
      return text === undefined ? [] : [[name, text] as const];
    });
    expect(found.filter(([name]) => !(name in bounded))).toEqual([]);
    expect(Object.keys(bounded).filter((name) => !found.some(([n]) => n === name))).toEqual([]);
  });

  it('that do not are told from those that do', () => {
    expect([/^(a+)+$/, /0+$/, /^\s*(a|a)*b/].map((e) => slow(e) !== undefined)).toEqual([true, true, true]);
    expect([/^a+$/, /^[a-z]{1,40}$/, /\d/].map((e) => slow(e))).toEqual([undefined, undefined, undefined]);
  });
});
