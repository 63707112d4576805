// The checks of the shape of a file of filing forms. A file is accepted or rejected as a whole; every problem is a
// sentence that names its form.

import { isDate } from '../calendar.ts';
import { rateRules } from '../exchange/conversion.ts';
import { isObject, isText, isTexts, matches, show, sourceProblems } from '../tax/row-problems.ts';
import { confidences, type TaxSource, taxBases, taxCategories, taxedOperations } from '../tax/rule.ts';
import {
  boxRoundings,
  type FilingBox,
  type FilingFile,
  type FilingForm,
  filingFigures,
  periodMonths,
  periodWeeks,
  type Selector,
} from './form.ts';

type Need = (ok: boolean, what: string) => void;

/** Collects the sentences whose conditions do not hold. */
function needs(check: (need: Need) => void): string[] {
  const out: string[] = [];
  check((ok, what) => {
    if (!ok) out.push(what);
  });
  return out;
}

/** All problems of a file; empty if it may be loaded. */
export function filingProblems(file: FilingFile): string[] {
  if (!isObject(file)) return ['is no file of forms: a JSON object is expected'];
  const out = needs((need) => {
    need(matches(file.country, /^[A-Z]{2}$/), 'country must be two capital letters');
    need(isObject(file.sources), 'sources must be an object');
    need(Array.isArray(file.forms) && file.forms.every(isObject), 'forms must be an array');
  });
  if (out.length > 0) return out;
  out.push(...sourceProblems(file.sources).map(String));
  const seen = new Map<string, FilingForm>();
  for (const [i, f] of file.forms.entries()) {
    const where = isText(f.form) ? f.form : `form ${i + 1}`;
    out.push(...formProblems(f, file).map((p) => `${where}: ${p}`));
    const other = seen.get(f.form);
    const meet = other && f.validFrom < (other.validTo ?? '9999') && other.validFrom < (f.validTo ?? '9999');
    if (meet) out.push(`${where}: stands twice for the same days`);
    seen.set(f.form, f);
  }
  return out;
}

const isWhole = (v: unknown, least: number, most: number): boolean =>
  Number.isInteger(v) && (v as number) >= least && (v as number) <= most;

function isDue(due: FilingForm['due']): boolean {
  if (!isObject(due)) return false;
  if ('daysAfter' in due) return isWhole(due.daysAfter, 0, 366) && Object.keys(due).length === 1;
  return isWhole(due.monthsAfter, 0, 24) && (due.day === 'LAST' || isWhole(due.day, 1, 31));
}

const rhythmKeys = {
  months: ['months', 'firstMonth', 'anyMonth', 'firstDay', 'who', 'due', 'dueByLastMonth'],
  weeks: ['weeks', 'begins', 'who', 'due'],
  days: ['days', 'who', 'due'],
} as const;

function isRhythm(p: FilingForm['periods'][number]): boolean {
  if (!isObject(p) || !isText(p.who) || (p.due !== undefined && !isDue(p.due))) return false;
  const known: readonly string[] =
    rhythmKeys[p.days !== undefined ? 'days' : p.weeks === undefined ? 'months' : 'weeks'];
  if (!Object.keys(p).every((key) => known.includes(key))) return false;
  if (p.days !== undefined) return p.days === 1;
  if (p.weeks !== undefined) return periodWeeks.includes(p.weeks) && isDate(p.begins);
  return (
    periodMonths.includes(p.months) &&
    (p.firstMonth === undefined || isWhole(p.firstMonth, 1, 12)) &&
    (p.anyMonth === undefined || p.anyMonth === true) &&
    (p.firstDay === undefined || isWhole(p.firstDay, 1, 28)) &&
    (p.dueByLastMonth === undefined ||
      (isObject(p.dueByLastMonth) &&
        Object.entries(p.dueByLastMonth).every(([month, due]) => isWhole(Number(month), 1, 12) && isDue(due))))
  );
}

function formProblems(f: FilingForm, file: FilingFile): string[] {
  const out = needs((need) => {
    const isSource = (v: unknown) => isText(v) && Object.hasOwn(file.sources, v);
    const sourced = (
      x: { source: string; confidence: FilingForm['confidence']; legalRef: string | null },
      at: string,
    ) => {
      need(isSource(x.source), `${at}source '${show(x.source)}' is not among the file's sources`);
      need(confidences.includes(x.confidence), `${at}confidence '${show(x.confidence)}' is not known`);
      need(x.legalRef === null || isText(x.legalRef), `${at}legalRef must be text or null`);
      const unread = isSource(x.source) && (file.sources[x.source] as TaxSource).url === null;
      need(
        !unread || x.confidence === 'assumed' || x.confidence === 'unverified',
        `${at}source '${show(x.source)}' has no address: it can only back what is assumed or unverified`,
      );
    };
    need(
      matches(f.form, /^[A-Z]{2}-[A-Z0-9][A-Z0-9_-]{0,59}$/),
      'form must be the country and capital letters or digits',
    );
    need(!isText(f.form) || f.form.startsWith(`${file.country}-`), `form must begin with ${file.country}-`);
    for (const key of ['title', 'authority', 'taxNumber', 'says'] as const) need(isText(f[key]), `${key} must be text`);
    need(f.english === undefined || isText(f.english), 'english must be text');
    need(isTexts(f.taxCodes) && f.taxCodes.length > 0, 'taxCodes must name at least one tax');
    for (const p of namesProblems(f)) need(false, p);
    need(matches(f.currency, /^[A-Z]{3}$/), 'currency must be three capital letters');
    need(isObject(f.exchange), 'exchange must be an object');
    if (isObject(f.exchange)) {
      need(
        matches(f.exchange.publisher, /^[A-Z][A-Z0-9]{1,15}$/),
        'exchange.publisher must be a short name in capitals',
      );
      need(rateRules.includes(f.exchange.rate), `exchange.rate '${show(f.exchange.rate)}' is not known`);
      sourced(f.exchange, 'exchange: ');
    }
    need(
      Array.isArray(f.periods) && f.periods.length > 0 && f.periods.every(isRhythm),
      `periods must each have who, and months (${periodMonths.join(', ')}) with firstMonth and firstDay if not 1, or weeks (${periodWeeks.join(', ')}) with a day on which one begins, or days, which is 1`,
    );
    need(
      f.furtherSources === undefined || (isTexts(f.furtherSources) && f.furtherSources.every(isSource)),
      "furtherSources must name the file's sources",
    );
    need(isDue(f.due), "due must have monthsAfter and day, a number or 'LAST', or daysAfter");
    need(isDate(f.validFrom), `validFrom '${show(f.validFrom)}' is not a date`);
    need(f.validTo === null || (isDate(f.validTo) && f.validTo > f.validFrom), 'validTo must be null or a later date');
    need(Array.isArray(f.boxes) && f.boxes.length > 0 && f.boxes.every(isObject), 'boxes must be an array');
    need(
      f.outside === undefined || (Array.isArray(f.outside) && f.outside.every(isObject)),
      'outside must be an array',
    );
    sourced(f, '');
  });
  if (!Array.isArray(f.boxes) || !f.boxes.every(isObject)) return out;
  out.push(...boxesProblems(f));
  for (const s of Array.isArray(f.outside) ? f.outside : []) {
    const { says, ...selector } = s;
    out.push(...selectorProblems(selector, 'outside'));
    if (says !== undefined && !isText(says)) out.push('outside: says must be text');
  }
  return out;
}

const known: Readonly<Record<string, readonly string[]>> = {
  categories: taxCategories,
  bases: taxBases,
  operations: taxedOperations,
};

/** Problems of lists of categories, bases and operations. */
function namesProblems(of: Readonly<Record<string, unknown>> | object): string[] {
  return Object.entries(known).flatMap(([key, names]) => {
    const list = (of as Readonly<Record<string, unknown>>)[key];
    if (list === undefined) return [];
    if (!isTexts(list) || list.length === 0) return [`${key} must be an array`];
    return list.filter((v) => !names.includes(v)).map((v) => `${key} has '${v}', which is not known`);
  });
}

const lists = [
  'rates',
  'reasons',
  'taxCodes',
  'categories',
  'supplies',
  'bases',
  'operations',
  'customers',
  'subdivisions',
] as const;

function selectorProblems(s: Selector, where: string): string[] {
  return needs((need) => {
    for (const key of Object.keys(s))
      need([...lists, 'rated', 'fees'].includes(key), `${where}: a selector has no '${key.slice(0, 40)}'`);
    for (const key of lists) {
      const list = s[key];
      need(list === undefined || (isTexts(list) && list.length > 0), `${where}: ${key} must be an array of texts`);
    }
    if (isTexts(s.rates))
      for (const r of s.rates) need(/^\d+(\.\d+)?$/.test(r), `${where}: rate '${r}' must be a percentage as text`);
    need(s.rated === undefined || s.rated === true, `${where}: rated is true or absent`);
    need(s.fees === undefined || typeof s.fees === 'boolean', `${where}: fees must be true or false`);
    for (const p of namesProblems(s)) need(false, `${where}: ${p}`);
  });
}

const withoutSign = (name: string): string => (name.startsWith('-') ? name.slice(1) : name);

function boxesProblems(f: FilingForm): string[] {
  const names = f.boxes.map((b) => b.box);
  const boxNamed = (name: string) => f.boxes.find((b) => b.box === name);
  const out = f.boxes.flatMap((b) => boxProblems(b, names).map((p) => `box ${show(b.box)}: ${p}`));
  if (out.length > 0) return out;
  const circles = (b: FilingBox, path: readonly string[]): boolean =>
    path.includes(b.box) ||
    (b.add ?? []).some((name) => circles(boxNamed(withoutSign(name)) as FilingBox, [...path, b.box]));
  for (const b of f.boxes) if (circles(b, [])) out.push(`box ${b.box}: adds up itself`);
  const payable = boxNamed(f.payable);
  if (!payable) out.push(`payable '${show(f.payable)}' is no box`);
  else if (payable.given !== undefined) out.push(`payable '${f.payable}' is filled in by the taxpayer`);
  return out;
}

const boxProblems = (b: FilingBox, names: readonly string[]): string[] =>
  needs((need) => {
    need(isText(b.box) && !b.box.startsWith('-'), 'box must be text and not begin with a minus');
    need(names.filter((n) => n === b.box).length === 1, 'stands twice');
    need(isText(b.name), 'name must be text');
    need(b.english === undefined || isText(b.english), 'english must be text');
    const ways = [b.sum, b.add, b.given, b.adjusts].filter((v) => v !== undefined).length;
    need(ways === 1, 'has exactly one of sum, add, given and adjusts');
    need(b.rounding === undefined || boxRoundings.includes(b.rounding), `rounding '${show(b.rounding)}' is not known`);
    need(b.given === undefined || isText(b.given), 'given must say why');
    need(b.adjusts === undefined || filingFigures.includes(b.adjusts), 'adjusts must be a figure');
    if (b.sum !== undefined) {
      const isSum = isObject(b.sum) && Array.isArray(b.sum.of) && b.sum.of.length > 0 && b.sum.of.every(isObject);
      need(isSum && filingFigures.includes(b.sum.figure), 'sum must have figure and selectors');
      if (isSum) for (const s of b.sum.of) for (const p of selectorProblems(s, 'sum')) need(false, p);
    }
    if (b.add !== undefined) {
      need(isTexts(b.add) && b.add.length > 0, 'add must name boxes');
      if (isTexts(b.add))
        for (const n of b.add) need(names.includes(withoutSign(n)), `adds '${n.slice(0, 40)}', which is no box`);
    }
  });
