// The indicative rates of the Central Bank of Türkiye, of a day: `Unit` units of the currency cost `ForexBuying` lira.
import { dayFirst, unitsOf } from './fields.ts';
import type { XmlForm } from './forms.ts';
import { textIn, within } from './markup.ts';

export const tcmbXml: XmlForm = {
  publisher: 'TCMB',
  is: (root) => root.name === 'Tarih_Date',
  read(root, out) {
    const day = dayFirst(root.attributes.Tarih ?? '');
    if (!out.takes(day, root.at)) return 'DAY';
    for (const r of within(root, 'Currency')) {
      const [currency, rate] = [r.attributes.CurrencyCode ?? r.attributes.Kod ?? '', textIn(r, 'ForexBuying')];
      // Some currencies have cross rates only.
      if (rate !== '') out.add({ currency, day, per: 'CURRENCY', units: unitsOf(textIn(r, 'Unit')), rate }, r.at);
    }
    return 'DAY';
  },
};
