// The record of what every tax row answers, as service/test/golden/rows.txt keeps it: one line a row, which a person reads when
// it changes. Every answer is that of the service and of the second reading alike.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reckonedDecimals } from '../../src/core/cdr/analyse.ts';
import type { RuleBook } from '../../src/core/tax/book.ts';
import { HISTORY_FROM } from '../../src/core/tax/problems.ts';
import { loadRuleBook, taxFolder } from '../../src/platform/data-files.ts';
import { serviceAnswer } from './row-answers.ts';
import { answeredBy, atLimit, decimalsIn, limitsOf, questionsOf } from './row-questions.ts';
import {
  type Answer,
  type CountryRows,
  isPublishedOnly,
  type Row,
  type RowQuestion,
  secondReading,
} from './second-reading.ts';

export const recordFile = join(import.meta.dirname, '..', 'golden', 'rows.txt');

export const countriesRead = (folder = taxFolder): CountryRows[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));

export interface AnsweredRows {
  /** Lines of the record, in the order of the files. */
  readonly lines: readonly string[];
  readonly rows: number;
  readonly questions: number;
  /** Questions that the service and the second reading answer differently. */
  readonly differing: readonly string[];
  /** Rows that no question makes answer. */
  readonly silent: readonly string[];
}

/** Asks every row of the files its questions, twice: the service, and the second reading. */
export function answeredRows(folder = taxFolder, book: RuleBook = loadRuleBook(folder)): AnsweredRows {
  const { currencies } = JSON.parse(readFileSync(join(taxFolder, '..', 'currencies.json'), 'utf8'));
  const ofMoney = decimalsIn(currencies);
  const lines: string[] = [];
  const differing: string[] = [];
  const silent: string[] = [];
  let [rows, questions] = [0, 0];
  for (const country of countriesRead(folder)) {
    for (const row of country.rules) {
      rows++;
      // Calls are summed before anything is rounded to money.
      const decimalsOf = row.operations.includes('recordCDR') ? () => reckonedDecimals : ofMoney;
      const read = (q: RowQuestion) => secondReading(country, q, decimalsOf);
      const own = (answers: readonly Answer[] | undefined) => answers?.find((a) => a.ruleId === row.ruleId);
      const speaks = (q: RowQuestion): boolean => {
        const answer = own(read(q));
        return answer !== undefined && (answer.tax !== '0' || row.rate === '0');
      };
      const q = answeredBy(row, country, speaks);
      if (q === undefined) {
        lines.push(`${termsOf(row)}; ${whySilent(row) ?? 'never answers'}`);
        if (whySilent(row) === undefined) silent.push(row.ruleId);
        continue;
      }
      for (const [what, asked] of questionsOf(row, country, q, decimalsOf(q.currency))) {
        questions++;
        const is = JSON.stringify(serviceAnswer(book, country.jurisdiction, asked, decimalsOf));
        const due = JSON.stringify(read(asked));
        if (is !== due) differing.push(`${row.ruleId}, ${what}: ${is}, and not ${due} (${JSON.stringify(asked)})`);
      }
      lines.push(`${termsOf(row)}; ${answersOf(row, q, decimalsOf(q.currency), (asked) => own(read(asked)))}`);
    }
    lines.push(...factsOf(country));
  }
  return { lines, rows, questions, differing, silent };
}

/** Why a row answers no question, where it need not. */
function whySilent(row: Row): string | undefined {
  const rate = row.rate ?? row.unitAmount ?? '';
  if (isPublishedOnly(row)) return `${rate} % is published, and not chosen`;
  return row.validTo !== null && row.validTo <= HISTORY_FROM ? `${rate} ended before ${HISTORY_FROM}` : undefined;
}

/** What the record leaves out: where a row comes from, and what its answers show. */
const leftOut = new Set([
  ...['ruleId', 'taxCode', 'category', 'base', 'bearer', 'validFrom', 'validTo', 'operations'],
  ...['source', 'legalRef', 'authority', 'confidence', 'says', 'note', 'example'],
  ...['rate', 'unitAmount', 'brackets', 'slabs', 'atLeast', 'threshold', 'allowance', 'minTax', 'maxTax'],
]);
const usual: Readonly<Record<string, unknown>> = { inTransaction: true, rounding: 'HALF_UP' };

/** The row's terms, but for its amounts. */
function termsOf(row: Row): string {
  const others = Object.entries(row).flatMap(([key, value]) => {
    if (leftOut.has(key) || value === usual[key] || (Array.isArray(value) && value.length === 0)) return [];
    const shown = Array.isArray(value) ? value.join(' ') : typeof value === 'object' ? JSON.stringify(value) : value;
    return [`${key} ${shown}`];
  });
  return [
    `${row.ruleId}: ${row.taxCode} ${row.category} ${row.base} ${row.bearer}`,
    `${row.validFrom} to ${row.validTo ?? 'open'}`,
    ...others,
  ].join('; ');
}

function answersOf(row: Row, q: RowQuestion, decimals: number, own: (q: RowQuestion) => Answer | undefined): string {
  const tax = (asked: RowQuestion): string => {
    return own(asked)?.tax ?? 'none';
  };
  const asked = row.base === 'FEE' ? 'fee' : 'amount';
  const sold = [q.mcc, q.supply, q.productLine, q.subdivision, q.currency].filter((x) => x !== undefined).join(' ');
  const each = row.operations.map((operation) => `${operation} ${q[asked]}: ${tax({ ...q, operation })}`);
  const limits = limitsOf(row, decimals).map((at) => `${at}: ${tax(atLimit(row, q, at))}`);
  return `on ${q.date} ${sold} ${[...each, ...limits].join(', ')}`;
}

/** Facts of a country beside its rows, in full. */
function factsOf(country: CountryRows): string[] {
  const file = country as unknown as Record<string, readonly Record<string, unknown>[] | undefined>;
  return ['registration', 'discounts', 'gaming'].flatMap((name) =>
    (file[name] ?? []).map((fact, i) => {
      const shown = Object.entries(fact).flatMap(([key, value]) => (leftOut.has(key) ? [] : [`${key} ${value}`]));
      return `${country.jurisdiction} ${name} ${i + 1}: ${fact.validFrom} to ${fact.validTo ?? 'open'}; ${shown.join('; ')}`;
    }),
  );
}

/** What differs between two records, line by line: gone with a minus, new with a plus. */
export function changesBetween(before: readonly string[], after: readonly string[]): string[] {
  const [had, has] = [new Set(before), new Set(after)];
  const nameOf = (line: string) => line.slice(0, line.indexOf(':'));
  return [
    ...before.filter((line) => !has.has(line)).map((line) => ({ name: nameOf(line), text: `- ${line}` })),
    ...after.filter((line) => !had.has(line)).map((line) => ({ name: nameOf(line), text: `+ ${line}` })),
  ]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((c) => c.text);
}
