// The Czech National Bank's fixing: daily.txt and year.txt, in Czech and English, and the answers of api.cnb.cz. A
// rate is the price in koruna of the amount named beside it.

import { isObject } from '../json.ts';
import { said } from '../said.ts';
import { dayFirst, isoDay, namedMonth, unitsOf, withPoint } from './fields.ts';
import type { JsonForm, TextForm } from './forms.ts';
import { eachAt, numberAt, objectAt, textAt } from './json-fields.ts';
import { FileFault } from './quotes.ts';
import { cell, type Line } from './separated.ts';

const dayOf = (text: string): string | undefined => dayFirst(text) ?? namedMonth(text);

export const cnbDaily: TextForm = {
  publisher: 'CNB',
  is: ({ head }) => /^\d{1,2}(?:\.\d\d\.|[a-z]{3})\d{4}#\d{1,3}$/.test(head),
  read(file, out) {
    const [title, header, ...rows] = file.lines('|');
    const day = dayOf((title?.cells[0] ?? '').split('#')[0]?.trim() ?? '');
    if (!out.takes(day, title?.at)) return 'DAY';
    if (header?.cells.length !== 5) throw new FileFault(said`the header of five columns is missing`, header?.at);
    for (const r of rows) {
      const [units, currency, rate] = [unitsOf(cell(r, 2)), cell(r, 3), withPoint(cell(r, 4))];
      out.add({ currency, day, per: 'CURRENCY', units, rate }, r.at);
    }
    return 'DAY';
  },
};

const isHeader = ({ cells }: Line): boolean => /^(?:datum|date)$/i.test(cells[0] ?? '');

export const cnbYear: TextForm = {
  publisher: 'CNB',
  is: ({ head }) => /^(?:datum|date)\|\d{1,7}[a-z]{3}(?:\||$)/.test(head),
  read(file, out) {
    let columns: { units: number; currency: string }[] = [];
    for (const line of file.lines('|')) {
      // The header stands again where a currency joins or leaves in the course of the year.
      if (isHeader(line)) {
        columns = line.cells.slice(1).map((title) => {
          const [units = '', currency = ''] = title.split(' ');
          return { units: unitsOf(units), currency };
        });
        continue;
      }
      const day = dayOf(line.cells[0] ?? '');
      if (!out.takes(day, line.at)) continue;
      columns.forEach(({ units, currency }, i) => {
        out.add({ currency, day, per: 'CURRENCY', units, rate: withPoint(cell(line, i + 1)) }, line.at);
      });
    }
    return 'DAY';
  },
};

export const cnbJson: JsonForm = {
  publisher: 'CNB',
  is: (file) => {
    const first = isObject(file) && Array.isArray(file.rates) ? file.rates[0] : undefined;
    return isObject(first) && 'validFor' in first && 'currencyCode' in first;
  },
  read(file, out) {
    eachAt(objectAt(file, 'the file').rates, 'rates', (rate) => {
      const r = objectAt(rate, 'it');
      const day = isoDay(textAt(r.validFor, 'validFor'));
      if (!out.takes(day)) return;
      const [currency, units] = [textAt(r.currencyCode, 'currencyCode'), unitsOf(numberAt(r.amount, 'amount'))];
      out.add({ currency, day, per: 'CURRENCY', units, rate: numberAt(r.rate, 'rate') });
    });
    return 'DAY';
  },
};
