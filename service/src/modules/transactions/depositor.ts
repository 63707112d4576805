// Checks the exclusions and limits of who makes a deposit, in its decision.
import { formatUnits } from '../../core/money.ts';
import { declineReason, playerObservation } from '../../core/players/restriction.ts';
import type { Facts } from '../../platform/committer.ts';
import type { Place } from '../kernel/amounts.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { checkPlayer, type PlayerMove, type PlayerVerdict } from '../players/index.ts';

/** @param account the operator the deposit is made with @returns undefined for what is no deposit of a player */
export function depositorOf(
  s: Needs<'rates' | 'reference' | 'subjects'>,
  { principal, now }: Call,
  customer: { readonly email: string; readonly phoneNumber?: string } | undefined,
  account: string,
  { country, asset, date, amount }: Place & { readonly amount: bigint },
) {
  if (customer === undefined) return undefined;
  const check = checkPlayer(s, { psp: principal.psp, act: 'deposit', customer, country: country.alpha2, now });
  const move: PlayerMove = {
    account,
    amount: formatUnits(amount, asset.decimals),
    currency: asset.code,
    country: country.alpha2,
    date,
  };
  return {
    needs: check.needs,
    further: (facts: Facts) => check.further(facts, move),
    decide: (facts: Facts) => check.decide(facts, move),
  };
}

/** What is noted on a deposit that the PSP lets pass. */
export const observed = (v: PlayerVerdict | undefined) =>
  (v?.findings ?? []).filter((f) => !f.enforced).map(playerObservation);

/** Why the deposit is declined, if its player may not make it. */
export const refusedFor = (v: PlayerVerdict | undefined): string | undefined => v?.refused && declineReason(v.refused);
