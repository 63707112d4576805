// Danmarks Nationalbank's rates of a day or of several: a hundred units of the currency cost the rate in kroner. The Danish
// file has decimal commas, the English one points.
import { isoDay, withPoint } from './fields.ts';
import type { XmlForm } from './forms.ts';
import { within } from './markup.ts';

export const dnbXml: XmlForm = {
  publisher: 'DNB',
  is: (root) => root.name === 'exchangerates' && root.attributes.refcur === 'DKK',
  read(root, out) {
    for (const of of within(root, 'dailyrates')) {
      const day = isoDay(of.attributes.id ?? '');
      if (!out.takes(day, of.at)) continue;
      for (const { attributes: a, at } of within(of, 'currency')) {
        // A dash stands where no rate was published.
        if (a.rate === '-') continue;
        out.add({ currency: a.code ?? '', day, per: 'CURRENCY', units: 100, rate: withPoint(a.rate ?? '') }, at);
      }
    }
    return 'DAY';
  },
};
