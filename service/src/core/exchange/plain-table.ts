// A table of our own for banks that publish their rates on a page or in a sheet: Publisher, Day, Currency, Units, Rate.
// Units of the currency cost the rate in the publisher's currency. A month in the place of the day makes it a monthly rate.

import { said } from '../said.ts';
import { isoDay, unitsOf } from './fields.ts';
import type { TextFile, TextForm } from './forms.ts';
import { isPublisher, type PublisherId } from './publishers.ts';
import { FileFault } from './quotes.ts';
import { cell } from './separated.ts';

function publisherOf(file: TextFile): PublisherId {
  const [, ...rows] = file.lines(',');
  const [first] = rows;
  const id = first?.cells[0] ?? '';
  if (!isPublisher(id)) throw new FileFault(said`the publisher '${id.slice(0, 20)}' is not known`, first?.at);
  const other = rows.find((r) => r.cells[0] !== id);
  if (other)
    throw new FileFault(said`the publisher is ${id} above and '${other.cells[0]?.slice(0, 20)}' here`, other.at);
  return id;
}

export const plainTable: TextForm = {
  publisher: publisherOf,
  is: ({ head }) => head === 'publisher,day,currency,units,rate',
  read(file, out) {
    const [, ...rows] = file.lines(',');
    const monthly = /^\d{4}-\d\d$/.test(rows[0]?.cells[1] ?? '');
    for (const r of rows) {
      const written = cell(r, 1);
      if (/^\d{4}-\d\d$/.test(written) !== monthly) throw new FileFault(said`days and months stand in one table`, r.at);
      const day = monthly ? `${written}-01` : isoDay(written);
      if (!out.takes(day, r.at)) continue;
      out.add({ currency: cell(r, 2), day, per: 'CURRENCY', units: unitsOf(cell(r, 3)), rate: cell(r, 4) }, r.at);
    }
    return monthly ? 'MONTH' : 'DAY';
  },
};
