// Every sentence that the service says to people has its French (docs/decisions/0177).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { formats } from '../../src/adapters/http/text-formats.ts';
import { comparisonFindings } from '../../src/core/cdr/comparison.ts';
import { refusalCodes } from '../../src/core/refusal.ts';
import type { CountryTax } from '../../src/core/tax/rule.ts';
import { taxNames } from '../../src/core/tax/tax-names.ts';
import { reportKinds } from '../../src/modules/reports/kinds.ts';
import { lookupKinds } from '../../src/modules/search/lookups.ts';
import { loadFilingForms, loadRiskRules, readTaxFiles } from '../../src/platform/data-files.ts';
import { frenchWords } from '../../src/platform/words.ts';
import { saidIn } from './said-texts.ts';

const folder = join(import.meta.dirname, '../../src');
const words = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(folder, '../data/words', name), 'utf8'));
const [sentences, names, codes, laws] = ['fr.json', 'fr-names.json', 'fr-codes.json', 'fr-laws.json'].map(words) as [
  Record<string, string>,
  Record<string, string>,
  Record<string, string>,
  Record<string, string>,
];

/** What the command line says, and backups and archives, which it makes. */
const cli = /^(?:adapters\/cli\/|platform\/(?:restore|take)-backup|modules\/archive\/)/;
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /(?<!\.test)\.ts$/.test(path) && !cli.test(path))
  .sort();
const makesReports = (path: string, source: string) =>
  /^core\/reports\/(?:page|charts|sheets)\.ts$/.test(path) ||
  (/reports\/(?:document|table)|kernel\/report\b/.test(source) &&
    !/\/operations\/|^modules\/(?:reports|overview)\//.test(path));
const found = files.map((path) => {
  const source = readFileSync(join(folder, path), 'utf8');
  return saidIn(path, source, makesReports(path, source));
});
const said = [...new Set(found.flatMap((f) => f.texts))];
const french = frenchWords();
const rules = loadRiskRules();
/** What the data of laws say in words of ours: notes of tax rules, and of forms their English. */
const ofLaws = new Set<string | undefined>([
  ...readTaxFiles().flatMap((f) => (f.country as CountryTax).rules.map((r) => r.note)),
  ...loadFilingForms()
    .all()
    .flatMap(({ form: f }) => [
      // Authorities have their own names, but some are described.
      ...(/\b(?:of|through) the\b/.test(f.authority) ? [f.authority] : []),
      ...[f.english ?? f.title, f.says, ...f.periods.map((p) => p.who), ...(f.outside ?? []).map((o) => o.says)],
      ...f.boxes.flatMap((b) => [b.english ?? b.name, b.given]),
    ]),
]);
/** What a request's texts have to be, as its schema says it (kernel/text-forms.ts). */
const formsIn = (schema: unknown): string[] =>
  typeof schema !== 'object' || schema === null
    ? []
    : Object.entries(schema).flatMap(([key, inner]) => (key === 'x-says' ? [String(inner)] : formsIn(inner)));
const placesOf = (text: string) => [...new Set(text.match(/\{\d+\}/g))].sort().join(' ');

const describedIn = ({
  properties = {},
}: {
  readonly properties?: Readonly<Record<string, { description?: string }>>;
}) => Object.values(properties).map((p) => p.description ?? '');

describe('what the service says', () => {
  it('keeps its values apart, so that it can be said in another language', () => {
    expect(
      found.flatMap((f) => f.loose),
      'write these as said`…` or stored`…`: docs/how-to/add-a-text.md',
    ).toEqual([]);
    expect(said.length).toBeGreaterThan(800);
  });

  it('has its French, in refusals, in reports, and in the words that stand in them', () => {
    const tables = [
      ...Object.values(comparisonFindings),
      ...Object.values(lookupKinds),
      ...Object.values(formats).map((f) => f.says),
      ...operations.flatMap((o) => formsIn([o.body, o.query])),
      ...[...taxNames.values()].map((t) => t.name),
      ...reportKinds.flatMap((k) => [k.title, k.summary, ...describedIn(k.parameters)]),
      ...rules.map((r) => r.reason),
      ...Object.values(refusalCodes).map(([, meaning]) => meaning),
    ];
    expect(
      [...said, ...tables].filter((text) => /\p{L}{2}/u.test(text) && !french.has(text)),
      'write the French of these into service/data/words/fr.json: docs/how-to/add-a-text.md',
    ).toEqual([]);
  });

  it('has the French of the reasons of rules where the console finds it too', () => {
    expect(rules.filter((r) => !Object.hasOwn(names, r.reason)).map((r) => r.reason)).toEqual([]);
  });

  it('has its French in the notes of tax rules and the forms of returns', () => {
    expect(
      [...ofLaws].filter((text) => text !== undefined && !french.has(text)),
      'write the French of these into service/data/words/fr-laws.json',
    ).toEqual([]);
    expect(ofLaws.size).toBeGreaterThan(2300);
  });

  it('has the same values in French', () => {
    for (const texts of [sentences, names, laws])
      expect(Object.entries(texts).filter(([text, word]) => placesOf(text) !== placesOf(word))).toEqual([]);
  });

  it('is printed as French is', () => {
    const all = [sentences, names, codes, laws].flatMap((texts) => Object.values(texts));
    // Names of fields keep the colon that a person types after them, and addresses their own.
    const plain = all.map((word) => word.replace(/\b(?:email|phone|client|address|document|https?):(?:\/\/)?/g, ''));
    expect(plain.filter((word) => /['"“”]/.test(word))).toEqual([]);
    expect(plain.filter((word) => / [:;!?%»]|« |\p{L}[;!?%](?:\s|$)|\p{L}:(?:\s|$)/u.test(word))).toEqual([]);
  });

  it('has no French that nothing says', () => {
    expect(Object.keys(names).filter((text) => Object.hasOwn(sentences, text))).toEqual([]);
    const others = { ...sentences, ...names };
    expect(Object.keys(laws).filter((text) => !ofLaws.has(text) || Object.hasOwn(others, text))).toEqual([]);
    const sources = files.map((path) => readFileSync(join(folder, path), 'utf8').replaceAll("\\'", "'")).join('\n');
    const unsaid = Object.keys(others).filter((text) => !said.includes(text) && !rules.some((r) => r.reason === text));
    expect(
      unsaid.filter((text) => !sources.includes(text)),
      'take these keys out of service/data/words, or change them with their English',
    ).toEqual([]);
  });
});

describe('a sentence that is not said in parts', () => {
  it('is found in a refusal and in a report', () => {
    const loose = (source: string) => saidIn('a.ts', source, true).loose;
    expect(loose(`refuse('NOT_FOUND', \`no \${kind}\`)`)).toHaveLength(1);
    expect(loose(`section(rows, { title: open ? 'Open' : \`Of \${day}\` })`)).toHaveLength(1);
    expect(loose(`refuse('NOT_FOUND', said\`no \${kind}\`)`)).toEqual([]);
  });
});
