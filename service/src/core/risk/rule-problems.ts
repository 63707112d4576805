// What is wrong with a rule of the risk book, apart from its condition: one sentence for each fault, with its place. Pure.

import { steeringCharacter } from '../characters.ts';
import { readConfidences } from '../confidence.ts';
import { type Said, said } from '../said.ts';
import { type CounterDefinition, countedKinds, dimensions, measures, windows } from './counters.ts';
import { severities } from './review.ts';
import { namedIn, riskActions, riskOperations, walletOperations } from './rule.ts';

type Raw = Readonly<Record<string, unknown>>;

const ruleFields = new Set([
  'id',
  'version',
  'from',
  'until',
  'scope',
  'statuses',
  'observations',
  'limits',
  'counters',
  'condition',
  'severity',
  'code',
  'reason',
  'action',
  'source',
]);
const statuses = ['PENDING', 'APPROVED', 'DECLINED'];
const mostCounters = 12;
const mostLimits = 100;
const longestCondition = 1000;

const isObject = (v: unknown): v is Raw => typeof v === 'object' && v !== null && !Array.isArray(v);
const isText = (v: unknown, least: number, most: number): v is string =>
  typeof v === 'string' && v.trim().length >= least && v.length <= most && steeringCharacter(v, true) === undefined;
const isDay = (v: unknown): v is string =>
  typeof v === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(v) && new Date(`${v}T00:00:00Z`).toJSON()?.slice(0, 10) === v;
const isOneOf = (v: unknown, of: readonly string[]): boolean => typeof v === 'string' && of.includes(v);

/** @returns nothing if the value is a `RiskRule` whose condition is still to be checked */
export function ruleProblems(value: unknown): Said[] {
  if (!isObject(value)) return [said`a rule is a JSON object`];
  const { id, version, from, until, condition, severity, code, reason, action } = value;
  const problems: Said[] = [];
  const expect = (is: boolean, problem: Said) => {
    if (!is) problems.push(problem);
  };
  for (const name of Object.keys(value))
    expect(ruleFields.has(name), said`${name.slice(0, 40)}: a rule has no such field`);
  expect(
    typeof id === 'string' && /^[A-Z][A-Z0-9_]{2,59}$/.test(id),
    said`id: 3 to 60 capital letters, digits and underscores, a letter first`,
  );
  expect(Number.isSafeInteger(version) && (version as number) >= 1, said`version: a whole number from 1`);
  expect(isDay(from), said`from: a day, YYYY-MM-DD`);
  expect(
    until === null || (isDay(until) && (until as string) > String(from)),
    said`until: a day after \`from\`, or null`,
  );
  expect(isText(condition, 1, longestCondition), said`condition: a text of at most ${longestCondition} characters`);
  expect(isOneOf(severity, severities), said`severity: one of ${severities.join(', ')}`);
  expect(
    typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,39}$/.test(code),
    said`code: the public code, 3 to 40 capital letters, digits and underscores`,
  );
  expect(isText(reason, 20, 400), said`reason: a sentence for the reviewer, 20 to 400 characters`);
  expect(isOneOf(action, riskActions), said`action: one of ${riskActions.join(', ')}`);
  const { operations } = isObject(value.scope) ? value.scope : {};
  expect(
    action !== 'holdWallet' || !Array.isArray(operations) || operations.every((o) => isOneOf(o, walletOperations)),
    said`action: holdWallet is for ${walletOperations.join(' and ')} alone; other records name no wallet`,
  );
  problems.push(...scopeProblems(value), ...listProblems(value), ...sourceProblems(value.source));
  problems.push(...limitProblems(value.limits), ...counterProblems(value.counters, operations));
  return problems;
}

function scopeProblems(r: Raw): Said[] {
  const { scope } = r;
  if (!isObject(scope)) return [said`scope: an object with \`operations\``];
  const problems: Said[] = [];
  const { operations, psps, classifications, ...others } = scope;
  for (const name of Object.keys(others)) problems.push(said`scope.${name.slice(0, 40)}: a scope has no such field`);
  if (!Array.isArray(operations) || operations.length === 0 || !operations.every((o) => isOneOf(o, riskOperations)))
    problems.push(said`scope.operations: one or more of ${riskOperations.join(', ')}`);
  if (psps !== undefined && !isTexts(psps, /^psp_[0-9a-z]{26}$/, 50))
    problems.push(said`scope.psps: ids of PSPs, psp_…`);
  if (classifications !== undefined && !isTexts(classifications, /^[A-Z_]{3,40}$/, 20))
    problems.push(said`scope.classifications: classifications of clients, such as ECOMM_LOCAL`);
  return problems;
}

const isTexts = (v: unknown, form: RegExp, most: number): boolean =>
  Array.isArray(v) && v.length > 0 && v.length <= most && v.every((t) => typeof t === 'string' && form.test(t));

function listProblems({ statuses: of, observations }: Raw): Said[] {
  const problems: Said[] = [];
  if (of !== undefined && !(isTexts(of, /^[A-Z]+$/, 3) && (of as string[]).every((s) => isOneOf(s, statuses))))
    problems.push(said`statuses: one or more of ${statuses.join(', ')}`);
  if (observations !== undefined && !isTexts(observations, /^[A-Z][A-Z0-9_]{1,59}$/, 20))
    problems.push(said`observations: one or more codes of observations`);
  return problems;
}

function sourceProblems(source: unknown): Said[] {
  if (!isObject(source)) return [said`source: an object with \`title\` and \`date\``];
  const problems: Said[] = [];
  for (const name of Object.keys(source))
    if (!['title', 'place', 'url', 'date', 'confidence', 'read'].includes(name))
      problems.push(said`source.${name.slice(0, 40)}: no such field`);
  if (!isText(source.title, 5, 200))
    problems.push(said`source.title: the law, guidance or practice, 5 to 200 characters`);
  if (source.place !== undefined && !isText(source.place, 1, 200))
    problems.push(said`source.place: at most 200 characters`);
  if (source.url !== undefined && !(isText(source.url, 10, 300) && /^https:\/\/\S+$/.test(source.url)))
    problems.push(said`source.url: an https address`);
  if (!isDay(source.date)) problems.push(said`source.date: the day of the version that was read, YYYY-MM-DD`);
  if (source.confidence !== undefined && !isOneOf(source.confidence, readConfidences))
    problems.push(said`source.confidence: official, secondary or assumed`);
  if (source.read !== undefined && !isText(source.read, 1, 200))
    problems.push(said`source.read: at most 200 characters`);
  return problems;
}

function limitProblems(limits: unknown): Said[] {
  if (limits === undefined) return [];
  if (!isObject(limits)) return [said`limits: an object of amounts by currency`];
  const entries = Object.entries(limits);
  const problems = entries.length > mostLimits ? [said`limits: at most ${mostLimits}`] : [];
  for (const [name, amount] of entries) {
    if (!/^([A-Z]{2} )?[A-Z0-9]{2,12}$/.test(name))
      problems.push(said`limits.${name.slice(0, 40)}: a currency (USD), or a country and a currency (US USD)`);
    if (typeof amount !== 'string' || !/^\d{1,24}(\.\d{1,18})?$/.test(amount))
      problems.push(said`limits.${name.slice(0, 40)}: a decimal amount as text, such as "10000"`);
  }
  return problems;
}

function counterProblems(counters: unknown, operations: unknown): Said[] {
  if (counters === undefined) return [];
  if (!isObject(counters)) return [said`counters: an object of counters by name`];
  const entries = Object.entries(counters);
  const problems = entries.length > mostCounters ? [said`counters: at most ${mostCounters}`] : [];
  for (const [name, d] of entries) {
    const at = `counters.${name.slice(0, 40)}`;
    if (!/^[a-z][A-Za-z0-9]{0,39}$/.test(name))
      problems.push(said`${at}: a name begins with a small letter, then letters and digits`);
    const found = isObject(d) ? [...definitionProblems(d), ...namelessProblems(d, operations)] : [said`is an object`];
    problems.push(...found.map((p) => said`${at}: ${p}`));
  }
  return problems;
}

/** A counter by something that no record names is always 0. */
function namelessProblems({ of, kinds }: Raw, operations: unknown): Said[] {
  const dimension = dimensions.find((d) => d === of);
  if (dimension === undefined) return [];
  // What happened to a transaction later counts by all that the transaction names.
  const names = (k: unknown) => {
    const operation = riskOperations.find((o) => o === k);
    return operation === undefined || namedIn(operation).includes(dimension);
  };
  const isNamed = (of: unknown) => !Array.isArray(of) || of.length === 0 || of.some(names);
  return [
    ...(isNamed(operations) ? [] : [said`of: no record of the scope names a ${dimension}, so it would count nothing`]),
    ...(isNamed(kinds) ? [] : [said`kinds: no record of these names a ${dimension}, so it would count nothing`]),
  ];
}

function definitionProblems(d: Raw): Said[] {
  const problems: Said[] = [];
  for (const name of Object.keys(d))
    if (!['of', 'measure', 'window', 'kinds', 'distinct'].includes(name))
      problems.push(said`no field ${name.slice(0, 40)}`);
  if (!isOneOf(d.of, dimensions)) problems.push(said`of: one of ${dimensions.join(', ')}`);
  if (!isOneOf(d.measure, measures)) return [...problems, said`measure: one of ${measures.join(', ')}`];
  const measure = d.measure as CounterDefinition['measure'];
  const windowless = measure === 'sinceFirst' || measure === 'sinceLast';
  if (windowless !== (d.window === undefined) || (!windowless && !isOneOf(d.window, Object.keys(windows))))
    problems.push(
      windowless ? said`window: ${measure} has none` : said`window: one of ${Object.keys(windows).join(', ')}`,
    );
  const counted = measure === 'count' || measure === 'countInCurrency' || measure === 'sum';
  if (
    d.kinds !== undefined &&
    !(counted && Array.isArray(d.kinds) && d.kinds.length > 0 && d.kinds.every((k) => isOneOf(k, countedKinds)))
  )
    problems.push(counted ? said`kinds: one or more of ${countedKinds.join(', ')}` : said`kinds: ${measure} has none`);
  if (
    (measure === 'distinct') !== (d.distinct !== undefined) ||
    (measure === 'distinct' && (!isOneOf(d.distinct, dimensions) || d.distinct === d.of))
  )
    problems.push(said`distinct: for the measure distinct, another dimension than \`of\``);
  return problems;
}
