// The Central Bank of Nigeria's rates: the export as CSV and the answer of its API, with the history of all days. One
// unit of the currency costs the central rate in naira. Currencies are given by name.
import { isObject, type Json } from '../json.ts';
import { said } from '../said.ts';
import { isoDay, monthFirst, monthNumber } from './fields.ts';
import type { JsonForm, TextForm } from './forms.ts';
import { eachAt, numberAt, objectAt, textAt } from './json-fields.ts';
import { FileFault, type Quotes } from './quotes.ts';
import { cell, columnsOf } from './separated.ts';

const named: Readonly<Record<string, string>> = {
  'US DOLLAR': 'USD',
  EURO: 'EUR',
  'POUND STERLING': 'GBP',
  'POUNDS STERLING': 'GBP',
  'SWISS FRANC': 'CHF',
  YEN: 'JPY',
  'JAPANESE YEN': 'JPY',
  CFA: 'XOF',
  'YUAN/RENMINBI': 'CNY',
  RIYAL: 'SAR',
  'DANISH KRONA': 'DKK',
  'DANISH KRONER': 'DKK',
  'SOUTH AFRICAN RAND': 'ZAR',
  'UAE DIRHAM': 'AED',
  SDR: 'XDR',
};
/** The West African unit of account has no currency code. */
const passedOver = new Set(['WAUA']);

function add(out: Quotes, day: string, name: string, rate: string, at?: number): void {
  const known = name.toUpperCase();
  if (passedOver.has(known)) return;
  const currency = named[known];
  if (currency === undefined) throw new FileFault(said`the currency '${name.slice(0, 40)}' is not known`, at);
  out.add({ currency, day, per: 'CURRENCY', units: 1, rate }, at);
}

const isRow = (v: Json | undefined): boolean => isObject(v) && 'ratedate' in v && 'centralrate' in v;

export const cbnJson: JsonForm = {
  publisher: 'CBN',
  is: (file) => Array.isArray(file) && isRow(file[0]),
  read(file, out) {
    eachAt(file, '', (row) => {
      const r = objectAt(row, 'it');
      const day = isoDay(textAt(r.ratedate, 'ratedate'));
      if (out.takes(day)) add(out, day, textAt(r.currency, 'currency'), numberAt(r.centralrate, 'centralrate'));
    });
    return 'DAY';
  },
};

export const cbnText: TextForm = {
  publisher: 'CBN',
  is: ({ head }) => head.startsWith('ratedate,currency,rateyear,ratemonth,'),
  read(file, out) {
    const [header, ...rows] = file.lines(',');
    if (!header) return 'DAY';
    const c = columnsOf(header, ['rate date', 'currency', 'rate year', 'rate month', 'central rate']);
    for (const r of rows) {
      const date = cell(r, c['rate date']);
      const day = isoDay(date) ?? monthFirst(date);
      if (!out.takes(day, r.at)) continue;
      // Year and month also stand in columns of their own, which shows dates with the day first.
      const [year, month] = [cell(r, c['rate year']), cell(r, c['rate month'])];
      if (!day.startsWith(`${year}-${monthNumber(month)}-`))
        throw new FileFault(said`the date ${date} is not in ${month} ${year}; dates are read as month/day/year`, r.at);
      add(out, day, cell(r, c.currency), cell(r, c['central rate']), r.at);
    }
    return 'DAY';
  },
};
