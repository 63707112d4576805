// The reference rates of the Central Bank of West African States: the page of one day, in CFA francs for one unit, with
// currencies and months by their French names.

import { said } from '../said.ts';
import type { HtmlForm } from './forms.ts';
import { htmlRows } from './html-rows.ts';
import { FileFault } from './quotes.ts';

const named: Readonly<Record<string, string>> = {
  Euro: 'EUR',
  'Dollar us': 'USD',
  'Yen japonais': 'JPY',
  'Couronne danoise': 'DKK',
  'Couronne suédoise': 'SEK',
  'Livre sterling': 'GBP',
  'Couronne norvégienne': 'NOK',
  'Couronne thèque': 'CZK',
  'Forint hongrois': 'HUF',
  'Zloty polonais': 'PLN',
  'Franc suisse': 'CHF',
  'Dollar canadien': 'CAD',
  'Dollar australien': 'AUD',
  'Dollar néo-zélandais': 'NZD',
  'Rand sud-africain': 'ZAR',
  'Yuan chinois': 'CNY',
  'Roupie Indienne': 'INR',
  'Baht thailandais': 'THB',
  'Real brésilien': 'BRL',
  'Dollar singapourien': 'SGD',
  'Nouvelle livre turque': 'TRY',
  'Dirham Emirats Arabes Unis': 'AED',
  'Nouveau Shekel': 'ILS',
  'Won Coréen': 'KRW',
  'Dollar Hong Kong': 'HKD',
  'Ryal Saudien': 'SAR',
  'Dinar Koweitien': 'KWD',
};
const months = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' ');
const title = 'Cours des devises du ';

/** 'lundi 16 mars 2026'. */
function dayOf(text: string): string | undefined {
  const [, day = '', month = '', year = ''] = text.trim().split(' ');
  const at = months.indexOf(month.toLowerCase()) + 1;
  return at > 0 && /^\d{1,2}$/.test(day) ? `${year}-${String(at).padStart(2, '0')}-${day.padStart(2, '0')}` : undefined;
}

/** 1.953,0200: points between thousands, a comma before decimals. */
const decimalOf = (text: string): string => (text.includes(',') ? text.replaceAll('.', '').replace(',', '.') : text);

export const bceaoPage: HtmlForm = {
  publisher: 'BCEAO',
  is: (page) => page.includes(title) && page.includes('CFA'),
  read(page, out) {
    const begin = page.indexOf(title) + title.length;
    const day = dayOf(page.slice(begin, page.indexOf('<', begin)));
    if (!out.takes(day, begin)) return 'DAY';
    for (const { at, cells } of htmlRows(page)) {
      const [name = '', rate = ''] = cells;
      if (cells.length !== 2 || name === 'Devise') continue;
      const currency = named[name];
      if (currency === undefined) throw new FileFault(said`the currency '${name.slice(0, 40)}' is not known`, at);
      out.add({ currency, day, per: 'CURRENCY', units: 1, rate: decimalOf(rate) }, at);
    }
    return 'DAY';
  },
};
