// Sveriges Riksbank's rates as its service of time series answers for the group of currencies: kronor for one unit, series
// as SEKUSDPMI. The index of the krona (SEKETT) is among them.

import { isObject } from '../json.ts';
import { said } from '../said.ts';
import { isoDay } from './fields.ts';
import type { JsonForm } from './forms.ts';
import { eachAt, numberAt, objectAt, textAt } from './json-fields.ts';
import { FileFault } from './quotes.ts';

export const riksbankJson: JsonForm = {
  publisher: 'RIKSBANK',
  is: (file) => Array.isArray(file) && isObject(file[0]) && 'seriesId' in file[0] && 'value' in file[0],
  read(file, out) {
    eachAt(file, '', (observation) => {
      const o = objectAt(observation, 'it');
      const series = textAt(o.seriesId, 'seriesId');
      const day = isoDay(textAt(o.date, 'date'));
      if (!out.takes(day) || series === 'SEKETT') return;
      const currency = /^SEK([A-Z]{3})PMI$/.exec(series)?.[1];
      if (currency === undefined) throw new FileFault(said`'${series.slice(0, 40)}' is no series of exchange rates`);
      out.add({ currency, day, per: 'CURRENCY', units: 1, rate: numberAt(o.value, 'value') });
    });
    return 'DAY';
  },
};
