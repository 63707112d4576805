// The rates of exchange by which a return converts amounts in other currencies.
import type { FilingForm } from '../../core/filing/form.ts';
import type { RateOf } from '../../core/filing/lines.ts';
import type { Database } from '../../platform/database.ts';
import { conversions } from '../exchange-rates/index.ts';

/** Rates into the form's currency by the form's rule, for days between the two. */
export async function ratesFor(
  db: Pick<Database, 'query'>,
  { currency: to, exchange: { publisher, rate } }: Pick<FilingForm, 'currency' | 'exchange'>,
  currencies: readonly string[],
  { first: firstDay, last: lastDay }: { readonly first: string; readonly last: string },
): Promise<RateOf> {
  if (currencies.length === 0) return () => undefined;
  const find = await conversions(db, { publisher, rate, to, currencies, firstDay, lastDay });
  return (currency, day) => {
    const found = find(currency, day);
    return (
      found && {
        rate: found.published.join('; '),
        exact: found.ratio,
        day: found.day,
        publisher: found.publisher,
      }
    );
  };
}
