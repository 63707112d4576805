// The South African Reserve Bank's daily rates as its service of time series answers: one currency a file, quoted as
// 'Rand per Euro' or 'Japan: Yen per Rand'.
import { isObject, type Json } from '../json.ts';
import { said } from '../said.ts';
import { isoDay } from './fields.ts';
import type { JsonForm } from './forms.ts';
import { eachAt, numberAt, objectAt, textAt } from './json-fields.ts';
import { FileFault } from './quotes.ts';

const named: Readonly<Record<string, string>> = {
  'US Dollar': 'USD',
  'British Pound': 'GBP',
  Euro: 'EUR',
  'Australia: Dollar': 'AUD',
  'Botswana: Pula': 'BWP',
  'Brazil: Real': 'BRL',
  'Canada: Dollar': 'CAD',
  'China: Yuan': 'CNY',
  'Denmark: Krone': 'DKK',
  'Hong Kong: Dollar': 'HKD',
  'India: Rupee': 'INR',
  'Israel: Shekel': 'ILS',
  'Japan: Yen': 'JPY',
  'Kenya: Schilling': 'KES',
  'Malawi: Kwacha': 'MWK',
  'New Zealand: Dollar': 'NZD',
  'Norway: Krone': 'NOK',
  'South Korea: Won': 'KRW',
  'Sweden: Krona': 'SEK',
  'Switzerland: Franc': 'CHF',
  'Taiwan: NT Dollar': 'TWD',
  'Thailand: Baht': 'THB',
  'Zambia: Kwacha': 'ZMW',
};

const isObservation = (v: Json | undefined): boolean => isObject(v) && 'Period' in v && 'Timeseries' in v;

export const sarbJson: JsonForm = {
  publisher: 'SARB',
  is: (file) => Array.isArray(file) && isObservation(file[0]),
  read(file, out) {
    eachAt(file, '', (observation) => {
      const o = objectAt(observation, 'it');
      const day = isoDay(textAt(o.Period, 'Period'));
      if (!out.takes(day) || o.Value === null) return;
      const series = textAt(o.Timeseries, 'Timeseries');
      const per = series.startsWith('Rand per ') ? 'CURRENCY' : 'BASE';
      const currency = named[series.replace(/^Rand per | per Rand$/, '')];
      if (currency === undefined) throw new FileFault(said`the series '${series.slice(0, 60)}' is not known`);
      out.add({ currency, day, per, units: 1, rate: numberAt(o.Value, 'Value') });
    });
    return 'DAY';
  },
};
