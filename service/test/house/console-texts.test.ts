// Every text of the console goes through the catalogue, and every text of the catalogue has its French
// (docs/decisions/0169).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textsIn } from './shown-texts.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'console/src');
const { texts, counted } = JSON.parse(readFileSync(join(folder, 'words/fr.json'), 'utf8')) as {
  texts: Record<string, string>;
  counted: Record<string, Record<string, string>>;
};
/** The codes have the same words where the service says them. */
const codes: Record<string, string> = JSON.parse(readFileSync(join(root, 'service/data/words/fr-codes.json'), 'utf8'));

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  // Languages are called by their own names.
  .filter((path) => /\.tsx?$/.test(path) && path !== 'words/language.ts')
  .sort();
const found = files.map((path) => textsIn(path, readFileSync(join(folder, path), 'utf8')));
const keys = new Set(found.flatMap((f) => f.texts));
const plurals = new Map(found.flatMap((f) => [...f.counted]));

const placesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join(' ');

/** What is written alike in both languages. */
const alike = new Set(
  `Actions Administration Assay Audit CSV Classification Classifications Client Clients Code Condition Contact Ctrl Document
   Documentation Documents Exception mail Exclusion Exclusions JSON Journal Licence Licences Minutes Mode Navigation Note Notes Observations
   Organisation Pages Sanctions Score Service Session Sessions Source Taxes Test Total Transaction Transactions Type Version
   Versions VoIP Webhook Webhooks XLSX XML code`.split(/\s+/),
);

describe('the texts of the console', () => {
  it('go through the catalogue, wherever a person would see or hear them', () => {
    expect(
      found.flatMap((f) => f.loose),
      'put these through `say`: docs/how-to/add-a-text.md',
    ).toEqual([]);
    expect(keys.size).toBeGreaterThan(1_500);
  });

  it('are written out where they are used, so that each can be found', () => {
    const own = /^words\//;
    expect(found.flatMap((f) => f.unreadable).filter((at) => !own.test(at))).toEqual([]);
  });

  it('all have their French, and the catalogue has no other', () => {
    for (const [french, used] of [
      [texts, keys],
      [counted, plurals],
    ] as const) {
      const missing = [...used.keys()].filter((key) => !Object.hasOwn(french, key));
      expect(missing, 'write the French of these into console/src/words/fr.json').toEqual([]);
      const unused = Object.keys(french).filter((key) => !used.has(key));
      expect(unused, 'no page says these: take them out of console/src/words/fr.json').toEqual([]);
    }
  });

  it('have the same places in French, for one and for many', () => {
    const wrong = Object.entries(texts).filter(([key, french]) => placesOf(key) !== placesOf(french));
    expect(wrong).toEqual([]);
    for (const [many, one] of plurals) {
      const forms = counted[many] ?? {};
      expect(Object.keys(forms).sort(), many).toEqual(['one', 'other']);
      expect(placesOf(forms.other ?? ''), many).toBe(placesOf(many));
      // French says one for none, so its singular may need the number where English says "one".
      for (const place of placesOf(forms.one ?? '').split(' '))
        expect(placesOf(`${one} ${many} {n}`), many).toContain(place);
    }
  });

  it('are not left in English', () => {
    const words = (key: string) => key.replace(/\{\w+\}/g, '').match(/\p{L}{3,}/gu) ?? [];
    const left = Object.entries(texts).filter(
      ([key, french]) => key === french && words(key).some((word) => !alike.has(word)) && !/^\S*[…_:]\S*/.test(key),
    );
    expect(left.map(([key]) => key).sort()).toEqual([
      'HTTP {lastStatus}',
      'Local ({zone})',
      'ssh-ed25519 AAAA…',
      '{min} min',
      '{name} (test)',
    ]);
    expect([...alike].filter((word) => !Object.values(texts).some((french) => french.includes(word)))).toEqual([]);
  });

  it('follow the rules of French print: apostrophes, quotation marks, and spaces that keep a mark on its line', () => {
    const all = [
      ...Object.values(texts),
      ...Object.values(counted).flatMap((f) => Object.values(f)),
      ...Object.values(codes),
    ];
    // Names of fields keep the colon that a person types after them.
    const plain = all.map((french) => french.replace(/\b(email|phone|client|address):/g, ''));
    expect(plain.filter((french) => /['"“”]/.test(french))).toEqual([]);
    expect(plain.filter((french) => / [:;!?%»]|« |\w[;!?%](\s|$)|\w:(\s|$)/.test(french))).toEqual([]);
  });

  it('have a word for every code that the API may return, but for those that no page shows as a word', () => {
    // Names of the API that are shown as such (events, scopes, parts of an address), and kinds that have titles of their own.
    const asTheyAre = new Set(
      `algorithm by caller_location change contentType event eventTypes field format kind mode namedBy only origin per publisher
       rate receiver_location schema scope scopes taxNumberKind type what`.split(/\s+/),
    );
    const openapi: unknown = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
    const returned = new Map<string, string>();
    (function visit(value: unknown, name: string): void {
      if (Array.isArray(value)) for (const inner of value) visit(inner, name);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const { properties, enum: allowed, const: fixed, ...rest } = value as Record<string, unknown>;
      for (const code of [...(Array.isArray(allowed) ? allowed : []), fixed])
        if (!asTheyAre.has(name) && typeof code === 'string') returned.set(code, name);
      for (const [field, inner] of Object.entries((properties ?? {}) as object)) visit(inner, field);
      for (const [field, inner] of Object.entries(rest))
        visit(inner, /^(items|anyOf|oneOf|allOf)$/.test(field) ? name : field);
    })(openapi, '');
    expect(returned.size).toBeGreaterThan(200);
    expect(
      [...returned].filter(([code]) => !Object.hasOwn(codes, code)),
      'write the French of these into service/data/words/fr-codes.json, and see how the pages show them in English',
    ).toEqual([]);
  });
});

describe('a text that is left out', () => {
  const looseIn = (source: string) => textsIn('page.tsx', source).loose;

  it('is found between tags, in attributes, in templates and in lists of words', () => {
    expect(looseIn('export const a = <p>Nothing waits</p>;')).toHaveLength(1);
    expect(looseIn('export const a = <Panel title="Taxes" />;')).toHaveLength(1);
    expect(looseIn("export const a = <p>{open ? 'open' : say('shut')}</p>;")).toHaveLength(1);
    expect(looseIn(`export const a = (n) => \`\${n} rows are shown\`;`)).toHaveLength(1);
    expect(looseIn("export const words = { HELD: 'Held back', DONE: 'Done' };")).toHaveLength(2);
  });

  it('is no code, address, sample or style', () => {
    expect(looseIn('export const a = <Select className="a b" w="100%" placeholder="NGN" />;')).toEqual([]);
    expect(looseIn("export const a = (s) => (s === 'Held back' ? say('Held back') : null);")).toEqual([]);
    expect(looseIn("export const a = { to: '/cases', flex: '1 1 20rem', key: 'Row one' };")).toEqual([]);
  });
});
