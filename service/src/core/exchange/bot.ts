// The Bank of Tanzania's rates: its page of previous rates as saved from a browser, the mean in shillings for one unit.
// Commas stand between any three digits, after the point too.
import { shortYear } from './fields.ts';
import type { HtmlForm } from './forms.ts';
import { htmlRows } from './html-rows.ts';

const columns = ['S/N', 'Currency', 'Buy', 'Sell', 'Mean', 'Date'];

export const botPage: HtmlForm = {
  publisher: 'BOT',
  is: (page) => page.includes('Bank of Tanzania') && htmlRows(page).some((r) => isHeader(r.cells)),
  read(page, out) {
    const rows = htmlRows(page);
    for (const { at, cells } of rows.slice(rows.findIndex((r) => isHeader(r.cells)) + 1)) {
      const [, currency = '', , , mean = '', date = ''] = cells;
      // The price of gold stands among the currencies.
      if (cells.length !== columns.length || currency === 'GOLD') continue;
      const day = shortYear(date);
      if (out.takes(day, at)) out.add({ currency, day, per: 'CURRENCY', units: 1, rate: mean.replaceAll(',', '') }, at);
    }
    return 'DAY';
  },
};

const isHeader = (cells: readonly string[]): boolean => columns.every((c, i) => cells[i] === c);
