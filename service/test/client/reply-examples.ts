// The examples of replies in openapi.json are replies of this service. `REPLY_EXAMPLES=write npx vitest run
// service/test/client/contract.test.ts` writes them to service/data/reply-examples.json, one for each named schema.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentName, listedName } from './shape.ts';

const file = join(import.meta.dirname, '../../data/reply-examples.json');
const kept = new Map<string, unknown>();

/** What is secret is not written down, not even that of a test. */
const secret: Readonly<Record<string, string>> = {
  apiKey: 'asy_…',
  secret: 'whsec_…',
  password: '…',
  csrfToken: '…',
};

/** The value as an example: of each list one entry, of long texts the beginning. */
function short(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((v) => short(v));
  if (typeof value === 'string') return secret[name] ?? (value.length > 45 ? `${value.slice(0, 40)} …` : value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, short(v, key)]));
}

export function keepExample(id: string, content: unknown): void {
  const name = contentName(id);
  const listed = listedName(id);
  const [schema, example] =
    listed === undefined ? [name, content] : [listed, (content as { items: readonly unknown[] }).items[0]];
  if (schema === undefined || example === undefined || kept.has(schema)) return;
  kept.set(schema, short(example));
}

/** The names and kinds of an example's values. Two runs differ in ids alone. */
const formOf = (value: unknown): string =>
  JSON.stringify(value, (_key, v: unknown) => (typeof v === 'object' && v !== null ? v : v === null ? null : typeof v));

/** An example of the same form stays as it was, so that a change shows what it changed. */
export function writeExamples(): void {
  if (process.env.REPLY_EXAMPLES !== 'write') return;
  const before = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  for (const [name, example] of kept) if (formOf(before[name]) === formOf(example)) kept.set(name, before[name]);
  const lines = [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([n, e]) => `"${n}": ${JSON.stringify(e)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}
