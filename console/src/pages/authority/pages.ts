// The pages of people of an authority, which lead to each other, and what their view is called.
import { countryName } from '../../data/countries.ts';
import { isDay } from '../../data/days.ts';
import { dayInWords } from '../../data/moments.ts';
import type { Filters } from '../../data/path.ts';
import type { SignedIn } from '../../data/session.tsx';
import { taxNamed } from '../../data/tax-names.ts';
import { between, say } from '../../words/words.ts';

type View = NonNullable<SignedIn['account']['view']>;

/** Kinds of records that are listed. */
export const listedKinds = [
  { value: 'transaction', label: say('Transactions') },
  { value: 'wager', label: say('Wagers') },
  { value: 'payout', label: say('Payouts') },
] as const;

/** What a view may name. */
export const kindChoices = [
  ...listedKinds,
  { value: 'basket', label: say('Baskets') },
  { value: 'cdr', label: say('Call records') },
] as const;

export const kindWords = {
  transaction: say('Transaction'),
  wager: say('Wager'),
  payout: say('Payout'),
} as const;

/** Which records a view holds, in one line. */
export const viewInWords = (v: View): string =>
  [
    countryName(v.countryCode),
    v.taxCodes === null ? say('all taxes') : v.taxCodes.map(taxNamed).join(', '),
    kindChoices
      .filter((k) => v.recordKinds.includes(k.value))
      .map((k) => k.label)
      .join(', '),
    v.dayTo === null
      ? say('from {dayFrom}', { dayFrom: dayInWords(v.dayFrom) })
      : say('{dayFrom} to {dayTo}', { dayFrom: dayInWords(v.dayFrom), dayTo: dayInWords(v.dayTo) }),
  ].join(between);

/** Days are asked for in pairs: an end that is left open is far away. */
export function daysOf({ from, to }: Filters) {
  if (!isDay(from) && !isDay(to)) return {};
  return { dayFrom: isDay(from) ? from : '2000-01-01', dayTo: isDay(to) ? to : '2999-12-31' };
}
