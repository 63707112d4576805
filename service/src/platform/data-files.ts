// Reads the reference and tax data files. An error names the file and row, and nothing is loaded.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CashFigure, cashProblems } from '../core/cases/cash-reporting.ts';
import { type NumberRangeData, NumberRanges, rangeProblems } from '../core/cdr/number-ranges.ts';
import type { FeeRule } from '../core/fee.ts';
import type { FilingFile } from '../core/filing/form.ts';
import { FilingForms } from '../core/filing/forms.ts';
import { filingProblems } from '../core/filing/problems.ts';
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

/** The JSON files of a folder, by name. @throws an Error naming every problem with its file */
function soundFiles<T>(what: string, from: string, problemsOf: (content: T, file: string) => readonly string[]) {
  const files = readJsonFiles<T>(from);
  const problems = files.flatMap(({ file, content, problem }) =>
    (problem === undefined ? problemsOf(content, file) : [problem]).map((p) => `${file}: ${p}`),
  );
  refuseProblems(what, problems);
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

let shipped: readonly string[] | undefined;

/** The texts of all country files; the shipped ones are read and checked once. @throws an Error naming every problem */
export function shippedTax(from = taxFolder): readonly string[] {
  if (from !== taxFolder) return soundTax(from);
  shipped ??= soundTax(taxFolder);
  return shipped;
}

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
  const nameOf = (country: CountryTax) => `${country.jurisdiction}.json`;
  const faults = files.flatMap((c) => countryProblems(c).map((p) => `${nameOf(c)}: ${p}`));
  refuseProblems('tax rules', faults);
  const ids = new Map<string, string>();
  const twice = all.flatMap((c) => idsTwice(c, nameOf(c), ids).map((p) => `${nameOf(c)}: ${p}`));
  refuseProblems('tax rules', twice);
}

/** @throws an Error naming every problem with its file and row */
function soundTax(from: string): string[] {
  const files = readTaxFiles(from);
  const problems = files.flatMap((f) => f.problems.map((p) => `${f.file}: ${p}`));
  refuseProblems('tax rules', problems);
  return files.map((f) => f.text);
}

/** The rule book from the country files alone, for tools without a database. */
export function loadRuleBook(from = taxFolder): RuleBook {
  const texts = shippedTax(from);
  const hash = createHash('sha256').update(texts.join('\0')).digest('hex');
  return new RuleBook(
    hash.slice(0, 16),
    texts.map((t) => JSON.parse(t) as CountryTax),
  );
}

export const loadFeeRules = (): FeeRule[] => read('fees.json').rules;

let numberRanges: NumberRanges | undefined;

/** Number ranges of networks, read once. @throws an Error naming every problem */
export function loadNumberRanges(): NumberRanges {
  if (numberRanges) return numberRanges;
  const text = readFileSync(join(folder, 'telecom', 'number-ranges.json'), 'utf8');
  const data = JSON.parse(text) as NumberRangeData;
  const problems = rangeProblems(data);
  refuseProblems('number ranges', problems);
  const version = createHash('sha256').update(text).digest('hex').slice(0, 8);
  numberRanges = new NumberRanges(version, data, read('countries.json').countries);
  return numberRanges;
}

const filingFolder = join(folder, 'filing');

/** A file of filing forms as read; `content` is absent if the text is not JSON. */
export interface FilingFormsFile {
  readonly file: string;
  readonly content: FilingFile | undefined;
  readonly problems: readonly string[];
}

/** Reads and checks every file of filing forms, each with all its problems. */
export const readFilingFiles = (from = filingFolder): FilingFormsFile[] =>
  readJsonFiles<FilingFile>(from).map(({ file, content, problem }) => {
    if (content === undefined) return { file, content, problems: [problem] };
    const problems = filingProblems(content);
    if (problems.length === 0 && file !== `${content.country}.json`) problems.push(`is for ${content.country}`);
    return { file, content, problems };
  });

let filingForms: FilingForms | undefined;

/** The filing forms, read once. @throws an Error naming every problem with its file and form */
export function loadFilingForms(): FilingForms {
  if (filingForms) return filingForms;
  const files = readFilingFiles();
  const problems = files.flatMap((f) => f.problems.map((p) => `${f.file}: ${p}`));
  refuseProblems('filing forms', problems);
  filingForms = new FilingForms(files.flatMap((f) => f.content ?? []));
  return filingForms;
}

const riskFolder = join(folder, 'risk');

/** The starter book of risk rules; their conditions are still to be checked. @throws an Error naming every problem */
export function loadRiskRules(from = riskFolder): readonly RiskRule[] {
  const files = soundFiles<{ readonly rules: readonly RiskRule[] }>('risk rules', from, ({ rules }) =>
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

let requirements: RequirementBook | undefined;

/** What clients have to show, read once. @throws an Error naming every problem with its file and row */
export function loadRequirements(): RequirementBook {
  if (requirements) return requirements;
  const files = soundFiles<RequirementFile>('requirements', join(folder, 'requirements'), (content, file) => [
    ...requirementProblems(content),
    ...(file === `${content.country ?? 'default'}.json` ? [] : [`is for ${content.country}`]),
  ]);
  const version = createHash('sha256')
    .update(files.map((f) => f.text).join('\0'))
    .digest('hex')
    .slice(0, 16);
  requirements = new RequirementBook(
    version,
    files.map((f) => f.content),
  );
  return requirements;
}

let playerRules: PlayerRules | undefined;

/** What countries ask for the protection of players, read once. @throws an Error naming every problem */
export function loadPlayerRules(): PlayerRules {
  if (playerRules) return playerRules;
  const files = soundFiles<CountryPlayerRules>('rules for players', join(folder, 'players'), (content, file) => {
    const problems = playerRuleProblems(content);
    return problems.length > 0 || file === `${content.country}.json` ? problems : [`is for ${content.country}`];
  });
  playerRules = new PlayerRules(files.map((f) => f.content));
  return playerRules;
}

let common: ReadonlySet<string> | undefined;

/** The most common passwords, in lower case; read on first use. */
export function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    readFileSync(join(folder, 'common-passwords.txt'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
  return common;
}
