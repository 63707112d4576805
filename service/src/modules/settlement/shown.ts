// Statements and outstanding amounts as returned.
import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import { type AgeBucket, ageBuckets, ageDays, bucketOf, byParty, type Party, parties } from '../../core/settlement.ts';
import { sumOf, wireSum } from '../../core/sums.ts';
import type { Needs } from '../kernel/operation.ts';
import { zoneOfDays } from '../totals/index.ts';
import { type Aged, type Outstanding, shownAmounts } from './netting-store.ts';
import type { Statement } from './statement.ts';

const numbers = (by: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(by).map(([k, v]) => [k, wireSum(v)]));

export const statementResource = (needs: Needs<'rates'>, psp: PspId, s: Statement) => ({
  clientId: accountWire(psp, s.account),
  countryCode: s.country,
  timeZone: zoneOfDays(needs, s.country),
  currency: s.currency,
  approved: s.approved,
  chargedBack: s.chargedBack,
  postings: s.postings.map((p) => ({ ...p, debit: wireSum(p.debit), credit: wireSum(p.credit) })),
  collected: numbers(s.collected),
  paidOut: wireSum(s.paidOut),
  payable: numbers(s.payable),
  debts: s.debts.map((d) => ({ ...d, amount: wireSum(d.amount) })),
  toReturn: numbers(s.toReturn),
  balance: wireSum(s.balance),
});

export const outstandingResource = (psp: PspId, o: Outstanding, now: number) => ({
  chargebackId: toWire('chargeback', o.id),
  transactionId: toWire('transaction', o.transaction),
  ref: o.ref,
  clientId: accountWire(psp, o.account),
  currency: o.currency,
  countryCode: o.country,
  chargedBackAt: o.at,
  ageDays: ageDays(Date.parse(o.at), now),
  outstanding: shownAmounts(o.left),
});

export interface PartyAge {
  readonly currency: string;
  readonly party: Party;
  readonly outstanding: string;
  /** By age of the chargeback. */
  readonly byAge: Readonly<Record<AgeBucket, string>>;
}

/** What each party still has to return, and since when. */
export function agesOf(aged: readonly Aged[]): PartyAge[] {
  return [...new Set(aged.map((a) => a.currency))].flatMap((currency) => {
    const own = aged.filter((a) => a.currency === currency).map((a) => ({ days: a.days, by: byParty(a.left) }));
    return parties.map((party) => ({
      currency,
      party,
      outstanding: sumOf(own.map((o) => o.by[party])),
      byAge: Object.fromEntries(
        ageBuckets.map((b) => [b.name, sumOf(own.filter((o) => bucketOf(o.days) === b.name).map((o) => o.by[party]))]),
      ) as Record<AgeBucket, string>,
    }));
  });
}

export const partyAgeResource = (a: PartyAge) => ({
  currency: a.currency,
  party: a.party,
  outstanding: wireSum(a.outstanding),
  byAge: numbers(a.byAge),
});
