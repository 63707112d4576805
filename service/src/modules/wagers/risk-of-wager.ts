// What the risk policy of a PSP says of a wager before it is recorded. A wager has no verdict, so one that a rule declines is
// refused and nothing of it is recorded. Payouts are never asked about: the winner is owed it.
import type { AccountId, PspId } from '../../core/ids.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import type { RiskEvent, RiskKeys } from '../../core/risk/rule.ts';
import { said } from '../../core/said.ts';
import type { Facts, Need } from '../../platform/committer.ts';
import { coarseNetwork } from '../../platform/network.ts';
import type { Account } from '../accounts/index.ts';
import type { HasDecliner } from '../kernel/decliner.ts';
import type { Needs } from '../kernel/needs.ts';
import { plainForm } from '../search/index.ts';
import { riskClientOf } from '../transactions/index.ts';

export interface WagerAsked {
  readonly psp: PspId;
  readonly account: AccountId;
  readonly customer: { readonly email: string; readonly phoneNumber?: string };
  readonly ip: string;
  readonly now: number;
}

/** The wager as it would be recorded. */
export type WagerMade = Pick<RiskEvent, 'record' | 'amount' | 'currency' | 'country' | 'observations' | 'productLine'>;

export interface WagerRisk {
  readonly needs: readonly Need<unknown>[];
  /** @returns undefined if no rule declines it */
  refused(facts: Facts, account: Account, wager: WagerMade): Refusal | undefined;
}

const keysOf = (s: Needs<'subjects'>, { psp, account, customer, ip }: WagerAsked): RiskKeys => {
  const hashed = (value: string | undefined) =>
    value === undefined ? undefined : s.subjects.identify(psp, value).subject;
  const number = customer.phoneNumber;
  return {
    client: account,
    customer: hashed(customer.email),
    network: coarseNetwork(ip),
    msisdn: hashed(number === undefined ? undefined : plainForm('msisdn', number)),
  };
};

export function riskOfWager(s: Needs<'subjects'> & HasDecliner, asked: WagerAsked): WagerRisk {
  const declining = s.decliner.of(asked.psp, () => keysOf(s, asked));
  return {
    needs: declining?.needs ?? [],
    refused(facts, account, wager) {
      const event: RiskEvent = {
        ...wager,
        ...{ psp: asked.psp, account: asked.account, operation: 'captureWager', status: 'APPROVED', at: asked.now },
        ...{ tax: '0', revision: 1, chargedBack: false, mcc: '', methods: [], samePerson: true },
        keys: keysOf(s, asked),
      };
      const declined = declining?.decide(facts, event, riskClientOf(account, asked.now));
      return declined && refuse('RISK_POLICY', said`${declined.reason}; the wager was not recorded`);
    },
  };
}
