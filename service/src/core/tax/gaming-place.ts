// Which country taxes a wager and its payouts: that of the player or that of the operator. Pure.
import { isInForce } from '../calendar.ts';
import type { CountryTax } from './rule.ts';

export interface GamingParties {
  readonly operator: string;
  /** The player's country, if the request has it. */
  readonly player: string | undefined;
}

/**
 * The country whose gaming taxes are charged; undefined if neither charges any. A country whose law follows the player
 * (its point of consumption) taxes players there wherever the operator is, and no players abroad. One whose law follows
 * the operator taxes the operators there, but for players whose own country has taxed the wager already.
 *
 * @param date local calendar date of the operator's country
 */
export function gamingCountry(
  { operator, player }: GamingParties,
  fileOf: (country: string) => CountryTax | undefined,
  date: string,
): string | undefined {
  if (player === undefined || player === operator) return operator;
  const followsPlayer = (country: string): boolean =>
    fileOf(country)?.gaming?.some((g) => g.follows === 'PLAYER' && isInForce(g, date)) === true;
  if (followsPlayer(player)) return player;
  return followsPlayer(operator) ? undefined : operator;
}
