// Conversions for reports: reads the published rates that a range of days needs, once, and answers for each day from
// memory.
import {
  type Conversions,
  conversionsOf,
  daysNeeded,
  kindOfRule,
  type RateRule,
} from '../../core/exchange/conversion.ts';
import { isPublisher, publishers } from '../../core/exchange/publishers.ts';
import type { Database } from '../../platform/database.ts';
import { ratesInForce } from './exchange-store.ts';

export interface ConversionsAsked {
  /** The bank or authority whose rates count: ECB, HMRC … */
  readonly publisher: string;
  readonly rate: RateRule;
  /** The currency to convert into. */
  readonly to: string;
  /** The currencies to convert from. */
  readonly currencies: readonly string[];
  /** First and last day that conversions are asked for, YYYY-MM-DD. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/**
 * Conversions from these currencies on these days; undefined for a currency and day without a published rate. Of a
 * publisher that is not known, and of days outside of the range, only the currency itself can be converted.
 */
export async function conversions(db: Pick<Database, 'query'>, asked: ConversionsAsked): Promise<Conversions> {
  const { publisher, rate, to, currencies, firstDay, lastDay } = asked;
  if (!isPublisher(publisher)) return conversionsOf({ publisher, base: to }, rate, to, []);
  const { from, to: until } = daysNeeded(rate, firstDay, lastDay);
  const quotes = await ratesInForce(db, {
    publisher,
    kind: kindOfRule(rate),
    currencies: [...new Set([...currencies, to])],
    from,
    to: until,
  });
  return conversionsOf({ publisher, base: publishers[publisher].base }, rate, to, quotes);
}
