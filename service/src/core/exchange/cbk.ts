// The Central Bank of Kenya's indicative rates: the table of its page as CSV, and as the JSON behind it. Units of the
// currency cost the mean rate in shillings; 'KES / …' are quoted the other way round. Currencies are given by name.

import { isObject } from '../json.ts';
import { said } from '../said.ts';
import { dayFirst, isoDay } from './fields.ts';
import type { JsonForm, TextForm } from './forms.ts';
import { eachAt, listAt, objectAt, textAt } from './json-fields.ts';
import { FileFault, type Quotes } from './quotes.ts';
import { cell, columnsOf } from './separated.ts';

const named: Readonly<Record<string, string>> = {
  'US DOLLAR': 'USD',
  'STG POUND': 'GBP',
  EURO: 'EUR',
  'SA RAND': 'ZAR',
  'AE DIRHAM': 'AED',
  'CAN $': 'CAD',
  'S FRANC': 'CHF',
  JPY: 'JPY',
  'SW KRONER': 'SEK',
  'NOR KRONER': 'NOK',
  'DAN KRONER': 'DKK',
  'IND RUPEE': 'INR',
  'HONGKONG DOLLAR': 'HKD',
  'SINGAPORE DOLLAR': 'SGD',
  'SAUDI RIYAL': 'SAR',
  'CHINESE YUAN': 'CNY',
  'AUSTRALIAN $': 'AUD',
  'KES / USHS': 'UGX',
  'KES / TSHS': 'TZS',
  'KES / RWF': 'RWF',
  'KES / BIF': 'BIF',
};

function add(out: Quotes, day: string, name: string, rate: string, at?: number): void {
  const [, label = '', units = '1'] = /^(.{1,40}?)(?: ?\((\d{1,7})\))?$/.exec(name.toUpperCase()) ?? [];
  const currency = named[label];
  if (currency === undefined) throw new FileFault(said`the currency '${name.slice(0, 40)}' is not known`, at);
  const per = label.startsWith('KES /') ? 'BASE' : 'CURRENCY';
  out.add({ currency, day, per, units: Number(units), rate }, at);
}

const dayOf = (text: string): string | undefined => dayFirst(text) ?? isoDay(text);

export const cbkJson: JsonForm = {
  publisher: 'CBK',
  is: (file) => isObject(file) && 'recordsTotal' in file && Array.isArray(file.data),
  read(file, out) {
    eachAt(objectAt(file, 'the file').data, 'data', (row) => {
      const [date, name, mean] = listAt(row, 'it');
      const day = dayOf(textAt(date, 'the date'));
      if (out.takes(day)) add(out, day, textAt(name, 'the currency'), textAt(mean, 'the mean rate'));
    });
    return 'DAY';
  },
};

export const cbkText: TextForm = {
  publisher: 'CBK',
  is: ({ head }) => /^date,currency,mean(?:,|$)/.test(head),
  read(file, out) {
    const [header, ...rows] = file.lines(',');
    if (!header) return 'DAY';
    const c = columnsOf(header, ['date', 'currency', 'mean']);
    for (const r of rows) {
      const day = dayOf(cell(r, c.date));
      if (out.takes(day, r.at)) add(out, day, cell(r, c.currency), cell(r, c.mean), r.at);
    }
    return 'DAY';
  },
};
