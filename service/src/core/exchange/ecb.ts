// The European Central Bank's reference rates: eurofxref-daily.xml, eurofxref-hist-90d.xml, eurofxref-hist.xml, and the
// same as CSV. One euro costs the rate in the currency.

import { said } from '../said.ts';
import { isoDay, namedMonth } from './fields.ts';
import type { TextForm, XmlForm } from './forms.ts';
import { within } from './markup.ts';
import { FileFault } from './quotes.ts';
import { cell } from './separated.ts';

export const ecbXml: XmlForm = {
  publisher: 'ECB',
  is: (root) => root.name === 'Envelope' && /ecb\.(?:int|europa\.eu)\//.test(root.attributes.xmlns ?? ''),
  read(root, out) {
    const [outer] = within(root, 'Cube');
    const days = outer ? within(outer, 'Cube') : [];
    if (days.length === 0) throw new FileFault(said`it has no day`, root.at);
    for (const of of days) {
      const day = isoDay(of.attributes.time ?? '');
      if (!out.takes(day, of.at)) continue;
      for (const { attributes: a, at } of within(of, 'Cube'))
        out.add({ currency: a.currency ?? '', day, per: 'BASE', units: 1, rate: a.rate ?? '' }, at);
    }
    return 'DAY';
  },
};

export const ecbText: TextForm = {
  publisher: 'ECB',
  is: ({ head }) => /^date,[a-z]{3},/.test(head),
  read(file, out) {
    const [header, ...rows] = file.lines(',');
    const currencies = header?.cells.slice(1) ?? [];
    for (const row of rows) {
      const written = row.cells[0] ?? '';
      const day = isoDay(written) ?? namedMonth(written);
      if (!out.takes(day, row.at)) continue;
      currencies.forEach((currency, i) => {
        if (currency === '') return;
        const rate = cell(row, i + 1);
        if (rate !== '' && rate !== 'N/A') out.add({ currency, day, per: 'BASE', units: 1, rate }, row.at);
      });
    }
    return 'DAY';
  },
};
