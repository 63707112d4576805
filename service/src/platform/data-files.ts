// Reads the reference and tax data files. An error names the file and row, and nothing is loaded.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CashFigure, cashProblems } from '../core/cases/cash-reporting.ts';
import { type NumberRangeData, NumberRanges, rangeProblems } from '../core/cdr/number-ranges.ts';
import type { FeeRule } from '../core/fee.ts';
import type { FilingFile } from '../core/filing/form.ts';
import { FilingForms } from '../core/filing/forms.ts';
import { type KindTable, kindProblems, SupplyKinds } from '../core/filing/goods-or-services.ts';
import { filingProblems } from '../core/filing/problems.ts';
import { onFirstUse } from '../core/first-use.ts';
import { type CountryPlayerRules, PlayerRules, playerRuleProblems } from '../core/players/rule.ts';
import { Reference } from '../core/reference.ts';
import { RequirementBook, type RequirementFile, requirementProblems } from '../core/requirements/requirement.ts';
import type { RiskRule } from '../core/risk/rule.ts';
import { ruleProblems } from '../core/risk/rule-problems.ts';
import { RuleBook } from '../core/tax/book.ts';
import { countryProblems } from '../core/tax/problems.ts';
import type { CountryTax } from '../core/tax/rule.ts';

const folder = join(import.meta.dirname, '..', '..', 'data');
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

export function loadReference(): Reference {
  const countries = read('countries.json');
  const assets = read('assets.json');
  return new Reference({
    currencies: read('currencies.json').currencies,
    assets: Array.isArray(assets) ? assets : assets.assets,
    countries: countries.countries,
    aliases: countries.aliases,
    mccs: read('mcc.json').codes,
  });
}

/** From which amounts of cash countries want a report. @throws if the file is wrong */
export function loadCashFigures(): readonly CashFigure[] {
  const { figures } = read('cash-reporting.json') as { readonly figures: readonly CashFigure[] };
  const problems = cashProblems(figures);
  if (problems.length > 0) throw new Error(`cash-reporting.json: ${problems.join('; ')}`);
  return figures;
}

/** Which merchants and supplies are of goods and which of services, read once. @throws an Error naming every problem */
export const loadSupplyKinds = onFirstUse((): SupplyKinds => {
  const table = read('goods-or-services.json') as KindTable;
  refuseProblems('goods-or-services.json', kindProblems(table));
  return new SupplyKinds(table);
});

/** Examples of named API schemas, as the service answered them (`REPLY_EXAMPLES` in the contract test). */
export const loadReplyExamples = (): Readonly<Record<string, unknown>> => read('reply-examples.json');

export const taxFolder = join(folder, 'tax');

/** A country file as read; `country` is absent if the text is not JSON. */
export interface TaxFile {
  readonly file: string;
  readonly text: string;
  readonly country: CountryTax | undefined;
  readonly problems: readonly string[];
}

interface JsonFile {
  readonly file: string;
  readonly text: string;
}

/** A file whose content is still to be checked, or the problem with its text. */
type ReadJson<T> = JsonFile &
  ({ readonly content: T; readonly problem?: never } | { readonly content?: never; readonly problem: string });

/** The JSON files of a folder, by name. */
const readJsonFiles = <T>(from: string): ReadJson<T>[] =>
  readdirSync(from)
    .filter((f) => f.endsWith('.json'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(from, file), 'utf8');
      try {
        return { file, text, content: JSON.parse(text) as T };
      } catch (e) {
        return { file, text, problem: `is not JSON: ${(e as Error).message}` };
      }
    });

/** @throws an Error naming every problem */
function refuseProblems(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${what} refused:\n${problems.join('\n')}`);
}

/** @throws an Error naming every problem with its file */
function refuseFiles(what: string, files: readonly { readonly file: string; readonly problems: readonly string[] }[]) {
  refuseProblems(
    what,
    files.flatMap(({ file, problems }) => problems.map((p) => `${file}: ${p}`)),
  );
}

/** The version of data: the first digits of its hash. */
const versionOf = (texts: readonly string[], digits: number): string =>
  createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, digits);

/** The JSON files of a folder, by name. @throws an Error naming every problem with its file */
function soundFiles<T>(what: string, from: string, problemsOf: (content: T, file: string) => readonly string[]) {
  const files = readJsonFiles<T>(from);
  refuseFiles(
    what,
    files.map(({ file, content, problem }) => ({
      file,
      problems: problem === undefined ? problemsOf(content, file) : [problem],
    })),
  );
  return files.flatMap((f) => (f.problem === undefined ? [f] : []));
}

/** Reads and checks every country file, each with all its problems. */
export function readTaxFiles(from = taxFolder): TaxFile[] {
  const ids = new Map<string, string>();
  return readJsonFiles<CountryTax>(from).map(({ file, text, content: country, problem }) => {
    if (country === undefined) return { file, text, country, problems: [problem] };
    if (typeof country !== 'object' || country === null || Array.isArray(country))
      return { file, text, country: undefined, problems: ['is no country: a JSON object is expected'] };
    const problems = countryProblems(country).map(String);
    if (problems.length > 0) return { file, text, country, problems };
    problems.push(...misnamed(country, file), ...idsTwice(country, file, ids));
    return { file, text, country, problems };
  });
}

const misnamed = (country: CountryTax, file: string): string[] =>
  file === `${country.jurisdiction}.json` ? [] : [`is for jurisdiction ${country.jurisdiction}`];

/** @param ids the rules of the files before, with their files; those of this one are added */
function idsTwice({ rules }: CountryTax, file: string, ids: Map<string, string>): string[] {
  return rules.flatMap(({ ruleId }) => {
    const before = ids.get(ruleId);
    ids.set(ruleId, file);
    return before === undefined || before === file ? [] : [`ruleId ${ruleId} stands in ${before} too`];
  });
}

const soundShipped = onFirstUse(() => soundTax(taxFolder));

/** The texts of all country files; the shipped ones are read and checked once. @throws an Error naming every problem */
export const shippedTax = (from = taxFolder): readonly string[] =>
  from === taxFolder ? soundShipped() : soundTax(from);

/**
 * The country files by name, with nothing checked but that each is a JSON object under its own name. Their rows are checked when
 * they are put in force (`refuseUnsoundTax`): a start reads all files, and mostly finds those in force already.
 * @throws an Error naming every problem
 */
export const uncheckedTax = (from = taxFolder): readonly { readonly text: string; readonly country: CountryTax }[] =>
  soundFiles<CountryTax>('tax rules', from, (content, file) => misnamed(Object(content), file)).map(
    ({ text, content: country }) => ({ text, country }),
  );

/**
 * @param files those that are to be put in force
 * @param all with those that stay in force beside them
 * @throws an Error naming every problem with its file and row
 */
export function refuseUnsoundTax(files: readonly CountryTax[], all: readonly CountryTax[]): void {
  const fileOf = (c: CountryTax) => `${c.jurisdiction}.json`;
  refuseFiles(
    'tax rules',
    files.map((c) => ({ file: fileOf(c), problems: countryProblems(c).map(String) })),
  );
  const ids = new Map<string, string>();
  refuseFiles(
    'tax rules',
    all.map((c) => ({ file: fileOf(c), problems: idsTwice(c, fileOf(c), ids) })),
  );
}

/** @throws an Error naming every problem with its file and row */
function soundTax(from: string): string[] {
  const files = readTaxFiles(from);
  refuseFiles('tax rules', files);
  return files.map((f) => f.text);
}

/** The rule book from the country files alone, for tools without a database. */
export function loadRuleBook(from = taxFolder): RuleBook {
  const texts = shippedTax(from);
  return new RuleBook(
    versionOf(texts, 16),
    texts.map((t) => JSON.parse(t) as CountryTax),
  );
}

export const loadFeeRules = (): FeeRule[] => read('fees.json').rules;

/** Number ranges of networks, read once. @throws an Error naming every problem */
export const loadNumberRanges = onFirstUse((): NumberRanges => {
  const text = readFileSync(join(folder, 'telecom', 'number-ranges.json'), 'utf8');
  const data = JSON.parse(text) as NumberRangeData;
  refuseProblems('number ranges', rangeProblems(data));
  return new NumberRanges(versionOf([text], 8), data, read('countries.json').countries);
});

/** A file of filing forms as read; `content` is absent if the text is not JSON. */
export interface FilingFormsFile {
  readonly file: string;
  readonly content: FilingFile | undefined;
  readonly problems: readonly string[];
}

/** Reads and checks every file of filing forms, each with all its problems. */
export const readFilingFiles = (): FilingFormsFile[] =>
  readJsonFiles<FilingFile>(join(folder, 'filing')).map(({ file, content, problem }) => {
    if (content === undefined) return { file, content, problems: [problem] };
    const problems = filingProblems(content);
    if (problems.length === 0 && file !== `${content.country}.json`) problems.push(`is for ${content.country}`);
    return { file, content, problems };
  });

/** The filing forms, read once. @throws an Error naming every problem with its file and form */
export const loadFilingForms = onFirstUse((): FilingForms => {
  const files = readFilingFiles();
  refuseFiles('filing forms', files);
  return new FilingForms(files.flatMap((f) => f.content ?? []));
});

/** The starter book of risk rules; their conditions are still to be checked. @throws an Error naming every problem */
export function loadRiskRules(): readonly RiskRule[] {
  const files = soundFiles<{ readonly rules: readonly RiskRule[] }>('risk rules', join(folder, 'risk'), ({ rules }) =>
    rules.flatMap((r) => ruleProblems(r).map((p) => `${r.id}: ${p}`)),
  );
  const rules = files.flatMap(({ file, content }) => content.rules.map((rule) => ({ file, rule })));
  const twice = rules.filter(({ rule }) => rules.filter((x) => x.rule.id === rule.id).length > 1);
  refuseProblems(
    'risk rules',
    twice.map(({ file, rule }) => `${file}: ${rule.id}: id: stands twice`),
  );
  return rules.map((r) => r.rule);
}

/** What clients have to show, read once. @throws an Error naming every problem with its file and row */
export const loadRequirements = onFirstUse((): RequirementBook => {
  const files = soundFiles<RequirementFile>('requirements', join(folder, 'requirements'), (content, file) => [
    ...requirementProblems(content),
    ...(file === `${content.country ?? 'default'}.json` ? [] : [`is for ${content.country}`]),
  ]);
  const texts = files.map((f) => f.text);
  return new RequirementBook(
    versionOf(texts, 16),
    files.map((f) => f.content),
  );
});

/** What countries ask for the protection of players, read once. @throws an Error naming every problem */
export const loadPlayerRules = onFirstUse((): PlayerRules => {
  const files = soundFiles<CountryPlayerRules>('rules for players', join(folder, 'players'), (content, file) => {
    const problems = playerRuleProblems(content);
    return problems.length > 0 || file === `${content.country}.json` ? problems : [`is for ${content.country}`];
  });
  return new PlayerRules(files.map((f) => f.content));
});

/** The most common passwords, in lower case; read on first use. */
export const commonPasswords = onFirstUse((): ReadonlySet<string> => {
  const lines = readFileSync(join(folder, 'common-passwords.txt'), 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
});
