// The National Bank of Rwanda's rates as its service of rates answers: the average in francs for one unit, one currency a
// file.

import { isObject } from '../json.ts';
import { shortYear } from './fields.ts';
import type { JsonForm } from './forms.ts';
import { eachAt, numberAt, objectAt, textAt } from './json-fields.ts';

export const nbrJson: JsonForm = {
  publisher: 'NBR',
  is: (file) => Array.isArray(file) && isObject(file[0]) && 'average_rate' in file[0] && 'post_date' in file[0],
  read(file, out) {
    eachAt(file, '', (row) => {
      const o = objectAt(row, 'it');
      const day = shortYear(textAt(o.post_date, 'post_date'));
      if (!out.takes(day)) return;
      const currency = textAt(o.currency_name, 'currency_name');
      // Older ones have commas between thousands.
      const rate = numberAt(o.average_rate, 'average_rate').replaceAll(',', '');
      out.add({ currency, day, per: 'CURRENCY', units: 1, rate });
    });
    return 'DAY';
  },
};
