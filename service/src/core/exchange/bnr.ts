// The National Bank of Romania's reference rates, of a day or of a year. `multiplier` units of the currency cost the rate
// in lei.

import { said } from '../said.ts';
import { isoDay, unitsOf } from './fields.ts';
import type { XmlForm } from './forms.ts';
import { textIn, within } from './markup.ts';
import { FileFault } from './quotes.ts';

export const bnrXml: XmlForm = {
  publisher: 'BNR',
  is: (root) => root.name === 'DataSet' && /\bbnr\.ro\//.test(root.attributes.xmlns ?? ''),
  read(root, out) {
    const [body] = within(root, 'Body');
    if (!body) throw new FileFault(said`it has no <Body>`, root.at);
    if (textIn(body, 'OrigCurrency') !== 'RON') throw new FileFault(said`its rates are not in RON`, body.at);
    for (const of of within(body, 'Cube')) {
      const day = isoDay(of.attributes.date ?? '');
      if (!out.takes(day, of.at)) continue;
      for (const { attributes: a, text: rate, at } of within(of, 'Rate')) {
        // A dash stands where no rate was published.
        if (rate === '-') continue;
        const units = unitsOf(a.multiplier ?? '1');
        out.add({ currency: a.currency ?? '', day, per: 'CURRENCY', units, rate }, at);
      }
    }
    return 'DAY';
  },
};
