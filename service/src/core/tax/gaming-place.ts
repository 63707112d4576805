// Which country taxes a wager and its payouts, that of the player or that of the operator, and which part of it. Pure.
import { isInForce } from '../calendar.ts';
import type { CountryTax, GamingFact } from './rule.ts';

export interface GamingParties {
  readonly operator: string;
  /** The player's country, if the request has it. */
  readonly player: string | undefined;
}

export interface GamingTaxation {
  /** The country whose gaming taxes are charged; undefined if neither charges any. */
  readonly by: string | undefined;
  /** A second country that taxes the wager too. */
  readonly also?: string;
}

/** What the country's law says on the day; undefined if nothing is known of it. */
export const gamingFact = (file: CountryTax | undefined, date: string): GamingFact | undefined =>
  file?.gaming?.find((g) => isInForce(g, date));

/**
 * A country whose law follows the player (its point of consumption) taxes players there wherever the operator is, and no
 * players abroad. One whose law follows the operator taxes the operators there, but for players whose own country has
 * taxed the wager already. Where it follows either it does both.
 *
 * @param date local calendar date of the operator's country
 */
export function gamingTaxation(
  { operator, player }: GamingParties,
  fileOf: (country: string) => CountryTax | undefined,
  date: string,
): GamingTaxation {
  if (player === undefined || player === operator) return { by: operator };
  const lawOf = (country: string) => gamingFact(fileOf(country), date)?.follows ?? 'OPERATOR';
  const home = lawOf(operator);
  if (lawOf(player) === 'OPERATOR') return { by: home === 'PLAYER' ? undefined : operator };
  return home === 'EITHER' ? { by: player, also: operator } : { by: player };
}

/**
 * The part of the taxing country whose taxes on gaming apply, ISO 3166-2; undefined if none is known.
 *
 * @param operator by the operator's tax profile in that country
 */
export function gamingPart(
  { player, operator }: { readonly player: string | undefined; readonly operator: string | undefined },
  file: CountryTax | undefined,
  date: string,
): string | undefined {
  return gamingFact(file, date)?.part === 'OPERATOR' ? operator : (player ?? operator);
}
