// HM Revenue & Customs' monthly rates, as the online tariff publishes them: XML, CSV, and CSV in the columns of the XML.
// One pound costs the rate in the currency. A country stands in each row, so that a currency may occur several times.
import { lastDayOf } from '../calendar.ts';
import { said } from '../said.ts';
import { dayFirst, namedMonth } from './fields.ts';
import type { TextForm, XmlForm } from './forms.ts';
import { textIn, within } from './markup.ts';
import { FileFault, type Quotes } from './quotes.ts';
import { cell, columnsOf } from './separated.ts';

/** The first day of the month from its first to its last day. @throws FileFault for any other period */
function monthOf(first: string, last: string, at: number): string {
  const [from, to] = [first, last].map((t) => dayFirst(t) ?? namedMonth(t));
  if (!from?.endsWith('-01') || to !== lastDayOf(from.slice(0, 7)))
    throw new FileFault(said`${first} to ${last} is not a whole month; only monthly rates are read`, at);
  return from;
}

function ofPeriod(period: string, at: number): string {
  const [first = '', last = ''] = period.split(' to ');
  return monthOf(first.trim(), last.trim(), at);
}

function add(out: Quotes, day: string, currency: string, rate: string, at: number): void {
  if (out.takes(day, at)) out.add({ currency, day, per: 'BASE', units: 1, rate }, at);
}

export const hmrcXml: XmlForm = {
  publisher: 'HMRC',
  is: (root) => root.name === 'exchangeRateMonthList',
  read(root, out) {
    const day = ofPeriod(root.attributes.Period ?? '', root.at);
    for (const r of within(root, 'exchangeRate')) add(out, day, textIn(r, 'currencyCode'), textIn(r, 'rateNew'), r.at);
    return 'MONTH';
  },
};

export const hmrcText: TextForm = {
  publisher: 'HMRC',
  is: ({ head }) => /^country\/territor[a-z]{1,4},currency,currencycode,/.test(head),
  read(file, out) {
    const [header, ...rows] = file.lines(',');
    if (!header) return 'MONTH';
    const c = columnsOf(header, ['currency code', 'currency units per', 'start date', 'end date']);
    for (const r of rows) {
      const day = monthOf(cell(r, c['start date']), cell(r, c['end date']), r.at);
      add(out, day, cell(r, c['currency code']), cell(r, c['currency units per']), r.at);
    }
    return 'MONTH';
  },
};

export const hmrcColumns: TextForm = {
  publisher: 'HMRC',
  is: ({ head }) => head.startsWith('period,countryname,countrycode,currencyname,currencycode,ratenew'),
  read(file, out) {
    const [header, ...rows] = file.lines(',');
    if (!header) return 'MONTH';
    const c = columnsOf(header, ['period', 'currencycode', 'ratenew']);
    for (const r of rows)
      add(out, ofPeriod(cell(r, c.period), r.at), cell(r, c.currencycode), cell(r, c.ratenew), r.at);
    return 'MONTH';
  },
};
