// Narodowy Bank Polski's average rates, tables A and B: the tables as XML, the answers of api.nbp.pl as XML and JSON,
// and the yearly archive as CSV. A rate is the price in zloty of the number of units named beside it.
import { isObject, type Json } from '../json.ts';
import { said } from '../said.ts';
import { isoDay, plainDay, unitsOf, withPoint } from './fields.ts';
import type { JsonForm, TextForm, XmlForm } from './forms.ts';
import { eachAt, numberAt, objectAt, textAt } from './json-fields.ts';
import { type Element, textIn, within } from './markup.ts';
import { FileFault } from './quotes.ts';
import { cell } from './separated.ts';

function averagesOnly(table: string, at?: number): void {
  if (table !== 'A' && table !== 'B')
    throw new FileFault(said`table ${table.slice(0, 9)} has no average rates; load table A or B`, at);
}

export const nbpTable: XmlForm = {
  publisher: 'NBP',
  is: (root) => root.name === 'tabela_kursow',
  read(root, out) {
    averagesOnly(root.attributes.typ ?? '', root.at);
    const day = isoDay(textIn(root, 'data_publikacji'));
    if (!out.takes(day, root.at)) return 'DAY';
    for (const r of within(root, 'pozycja')) {
      const [currency, rate] = [textIn(r, 'kod_waluty'), withPoint(textIn(r, 'kurs_sredni'))];
      out.add({ currency, day, per: 'CURRENCY', units: unitsOf(textIn(r, 'przelicznik')), rate }, r.at);
    }
    return 'DAY';
  },
};

const ratesOf = (of: Element): readonly Element[] => within(of, 'Rates').flatMap((rates) => within(rates, 'Rate'));

export const nbpXml: XmlForm = {
  publisher: 'NBP',
  is: (root) => ['ArrayOfExchangeRatesTable', 'ExchangeRatesTable', 'ExchangeRatesSeries'].includes(root.name),
  read(root, out) {
    for (const table of root.name.startsWith('Array') ? within(root, 'ExchangeRatesTable') : [root]) {
      averagesOnly(textIn(table, 'Table'), table.at);
      const series = root.name === 'ExchangeRatesSeries';
      for (const r of ratesOf(table)) {
        const day = isoDay(textIn(series ? r : table, 'EffectiveDate'));
        if (!out.takes(day, r.at)) continue;
        const currency = textIn(series ? table : r, 'Code');
        out.add({ currency, day, per: 'CURRENCY', units: 1, rate: textIn(r, 'Mid') }, r.at);
      }
    }
    return 'DAY';
  },
};

const isTable = (v: Json | undefined): boolean => isObject(v) && 'table' in v && 'rates' in v;

export const nbpJson: JsonForm = {
  publisher: 'NBP',
  is: (file) => isTable(file) || (Array.isArray(file) && isTable(file[0])),
  read(file, out) {
    eachAt(Array.isArray(file) ? file : [file], '', (given) => {
      const table = objectAt(given, 'it');
      averagesOnly(textAt(table.table, 'table'));
      eachAt(table.rates, 'rates', (rate) => {
        const r = objectAt(rate, 'it');
        const day = isoDay(textAt(r.effectiveDate ?? table.effectiveDate, 'effectiveDate'));
        if (!out.takes(day)) return;
        const currency = textAt(r.code ?? table.code, 'code');
        out.add({ currency, day, per: 'CURRENCY', units: 1, rate: numberAt(r.mid, 'mid') });
      });
    });
    return 'DAY';
  },
};

/** The rows below the rates repeat the header: codes, names and units. */
const legend = /^(?:kod iso|nazwa waluty|liczba jednostek)$/i;

export const nbpArchive: TextForm = {
  publisher: 'NBP',
  is: ({ head }) => /^data;\d{1,7}[a-z]{3};/.test(head),
  read(file, out) {
    const [header, ...rows] = file.lines(';');
    const columns = (header?.cells ?? []).flatMap((title, i) => {
      const m = /^(\d{1,7})([A-Z]{3})$/.exec(title);
      return m ? [{ i, units: Number(m[1]), currency: m[2] as string }] : [];
    });
    for (const row of rows) {
      const first = row.cells[0] ?? '';
      // The second line has the currencies' names.
      if (first === '' || legend.test(first)) continue;
      const day = plainDay(first);
      if (!out.takes(day, row.at)) continue;
      for (const { i, units, currency } of columns)
        out.add({ currency, day, per: 'CURRENCY', units, rate: withPoint(cell(row, i)) }, row.at);
    }
    return 'DAY';
  },
};
