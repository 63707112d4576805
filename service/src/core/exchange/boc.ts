// The Bank of Canada's rates as its Valet service answers: JSON and CSV, daily averages (FXUSDCAD) or monthly averages
// (FXMUSDCAD). One unit of the first currency costs the rate in the second one.

import { isObject } from '../json.ts';
import { said } from '../said.ts';
import { isoDay } from './fields.ts';
import type { JsonForm, TextForm } from './forms.ts';
import { eachAt, numberAt, objectAt, textAt } from './json-fields.ts';
import type { RateKind } from './publishers.ts';
import { FileFault, type Quote, type Quotes } from './quotes.ts';
import { cell } from './separated.ts';

interface Series {
  readonly kind: RateKind;
  readonly currency: string;
  readonly per: Quote['per'];
}

function seriesOf(id: string, at?: number): Series {
  const m = /^FX(M?)([A-Z]{3})([A-Z]{3})$/.exec(id);
  const [first, second] = [m?.[2], m?.[3]];
  if (!m || !first || !second || (first === 'CAD') === (second === 'CAD'))
    throw new FileFault(said`'${id.slice(0, 40)}' is no series of exchange rates`, at);
  return {
    kind: m[1] ? 'MONTH' : 'DAY',
    currency: first === 'CAD' ? second : first,
    per: first === 'CAD' ? 'BASE' : 'CURRENCY',
  };
}

/** One kind for the whole file. @throws FileFault */
function kindOf(series: readonly Series[], at?: number): RateKind {
  const kinds = new Set(series.map((s) => s.kind));
  if (kinds.size > 1) throw new FileFault(said`it has daily and monthly rates; load them separately`, at);
  return series[0]?.kind ?? 'DAY';
}

function add(out: Quotes, { kind, currency, per }: Series, day: string, rate: string, at?: number): void {
  if (kind === 'MONTH' && !day.endsWith('-01'))
    throw new FileFault(said`the monthly rate of ${day} begins no month`, at);
  if (rate !== '') out.add({ currency, day, per, units: 1, rate }, at);
}

export const bocJson: JsonForm = {
  publisher: 'BOC',
  is: (file) => isObject(file) && Array.isArray(file.observations) && isObject(file.seriesDetail),
  read(file, out) {
    const { observations, seriesDetail } = objectAt(file, 'the file');
    const known = new Map(Object.keys(objectAt(seriesDetail, 'seriesDetail')).map((id) => [id, seriesOf(id)]));
    eachAt(observations, 'observations', (observation) => {
      const { d, ...values } = objectAt(observation, 'it');
      const day = isoDay(textAt(d, 'd'));
      if (!out.takes(day)) return;
      for (const [id, value] of Object.entries(values)) {
        const series = known.get(id);
        if (!series) throw new FileFault(said`${id} is not in seriesDetail`);
        add(out, series, day, numberAt(objectAt(value, id).v ?? '', `${id}.v`));
      }
    });
    return kindOf([...known.values()]);
  },
};

export const bocText: TextForm = {
  publisher: 'BOC',
  is: ({ head }) => head === 'termsandconditions',
  read(file, out) {
    const lines = file.lines(',');
    const begin = lines.findIndex(({ cells }) => cells[0] === 'OBSERVATIONS');
    const header = lines[begin + 1];
    if (begin < 0 || header?.cells[0] !== 'date') throw new FileFault(said`it has no OBSERVATIONS`, lines.at(-1)?.at);
    const series = header.cells.slice(1).map((id) => seriesOf(id, header.at));
    for (const line of lines.slice(begin + 2)) {
      const day = isoDay(cell(line, 0));
      if (!out.takes(day, line.at)) continue;
      series.forEach((s, i) => {
        add(out, s, day, cell(line, i + 1), line.at);
      });
    }
    return kindOf(series, header.at);
  },
};
