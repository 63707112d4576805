// The Central Bank of Egypt's rates: the workbook that its page of historical rates exports, saved as CSV. Pounds for units
// of the currency, of which the mean of buying and selling is taken. Currencies are given by name.
import { decimal, divideRounded, formatUnits } from '../money.ts';
import { sumOf } from '../sums.ts';
import { dayFirst, isoDay } from './fields.ts';
import type { TextForm } from './forms.ts';
import { FileFault } from './quotes.ts';
import { cell } from './separated.ts';

const named: Readonly<Record<string, string>> = {
  'US DOLLAR': 'USD',
  EURO: 'EUR',
  'POUND STERLING': 'GBP',
  'CANADIAN DOLLAR': 'CAD',
  'DANISH KRONE': 'DKK',
  'NORWEGIAN KRONE': 'NOK',
  'SWEDISH KRONA': 'SEK',
  'SWISS FRANC': 'CHF',
  'JAPANESE YEN': 'JPY',
  'SAUDI RIYAL': 'SAR',
  'KUWAITI DINAR': 'KWD',
  'UAE DIRHAM': 'AED',
  'AUSTRALIAN DOLLAR': 'AUD',
  'BAHRAINI DINAR': 'BHD',
  'OMANI RIYAL': 'OMR',
  'QATARI RIYAL': 'QAR',
  'JORDANIAN DINAR': 'JOD',
  'CHINESE YUAN': 'CNY',
};

const header = 'date,currency,buy,sell';

/** The exact mean, with one more decimal where it needs one. */
function mean(buy: string, sell: string, at: number): string {
  for (const text of [buy, sell])
    if (!/^\d{1,12}(\.\d{1,8})?$/.test(text)) throw new FileFault(`'${text.slice(0, 30)}' is not a rate`, at);
  const { units, scale } = decimal(sumOf([buy, sell]));
  return formatUnits(divideRounded(units * 10n, 2n, 'HALF_UP'), scale + 1);
}

export const cbeText: TextForm = {
  publisher: 'CBE',
  // The workbook has an empty row above its header.
  is: ({ head, lines }) =>
    head === header || (/^,*$/.test(head) && lines(',')[1]?.cells.slice(0, 4).join(',').toLowerCase() === header),
  read(file, out) {
    const rows = file.lines(',');
    for (const r of rows.slice(rows.findIndex((l) => cell(l, 0).toLowerCase() === 'date') + 1)) {
      const [written, name] = [cell(r, 0), cell(r, 1)];
      const day = dayFirst(written) ?? isoDay(written);
      if (!out.takes(day, r.at)) continue;
      const [, label = '', units = '1'] = /^(.{1,40}?)(?: (\d{1,7}))?$/.exec(name.toUpperCase()) ?? [];
      const currency = named[label];
      if (currency === undefined) throw new FileFault(`the currency '${name.slice(0, 40)}' is not known`, r.at);
      const rate = mean(cell(r, 2), cell(r, 3), r.at);
      out.add({ currency, day, per: 'CURRENCY', units: Number(units), rate }, r.at);
    }
    return 'DAY';
  },
};
