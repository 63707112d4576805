// Where returns ask for rates of exchange.
import type { RateOf } from '../../core/filing/lines.ts';
import type { FilingForm } from '../../core/filing/form.ts';
import type { Database } from '../../platform/database.ts';

/** Rates into the form's currency by the form's rule, for days between the two. */
export async function ratesFor(
  _db: Database,
  _form: Pick<FilingForm, 'currency' | 'exchange'>,
  _currencies: readonly string[],
  _days: { readonly first: string; readonly last: string },
): Promise<RateOf> {
  return () => undefined;
}
