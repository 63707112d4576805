// What the risk policy of a PSP says of a wager before it is recorded. A wager has no verdict, so one that a rule declines is
// refused and nothing of it is recorded but what matched and, once a day for a rule and player, an alert. Payouts are never
// asked about: the winner is owed it.
import type { AccountId, PspId } from '../../core/ids.ts';
import { mailboxOf } from '../../core/players/mailbox.ts';
import { phrase, type Refusal, refuse, said, stored } from '../../core/refusal.ts';
import type { RiskEvent, RiskKeys } from '../../core/risk/rule.ts';
import { type Facts, type Need, need, type Writes } from '../../platform/committer.ts';
import { coarseNetwork } from '../../platform/network.ts';
import { type Account, expectAccounts } from '../accounts/index.ts';
import type { HasDecliner } from '../kernel/decliner.ts';
import type { Needs } from '../kernel/needs.ts';
import { type Alert, alertKey, openedAlert, reviewOf } from '../reviews/index.ts';
import { plainForm } from '../search/index.ts';
import { riskClientOf } from '../transactions/index.ts';

export interface WagerAsked {
  readonly psp: PspId;
  readonly account: AccountId;
  readonly customer: { readonly email: string; readonly phoneNumber?: string };
  /** Of the wager, by which a telephone number without its country code is read. */
  readonly country: string;
  readonly ip: string;
  readonly ref: string;
  readonly now: number;
}

/** The wager as it would be recorded. */
type WagerMade = Pick<RiskEvent, 'record' | 'amount' | 'currency' | 'country' | 'observations' | 'productLine'>;

export interface WagerRisk {
  readonly needs: readonly Need<unknown>[];
  /** What the wager holds, so that no other is decided on the same counters. */
  gates(facts: Facts): Pick<Writes, 'refsHeld' | 'refsNew'> | undefined;
  /** @returns undefined if no rule declines it; else the refusal, with what it leaves */
  refused(facts: Facts, account: Account, wager: WagerMade): Refused | undefined;
}

interface Refused {
  readonly refused: Refusal;
  readonly leaves: Writes;
}

const keysOf = (s: Needs<'subjects'>, { psp, account, customer, country, ip }: WagerAsked): RiskKeys => {
  const hashed = (value: string | undefined) =>
    value === undefined ? undefined : s.subjects.identify(psp, value).subject;
  const number = customer.phoneNumber;
  return {
    client: account,
    customer: hashed(mailboxOf(customer.email)),
    network: coarseNetwork(ip),
    msisdn: hashed(number === undefined ? undefined : plainForm('msisdn', number, country)),
  };
};

export function riskOfWager(s: Needs<'subjects' | 'ids'> & HasDecliner, asked: WagerAsked): WagerRisk {
  const declining = s.decliner.of(asked.psp, () => keysOf(s, asked));
  const at = new Date(asked.now).toISOString();
  const person = s.subjects.identify(asked.psp, asked.customer.email).subject;
  const alertOf = (rule: string): Alert => ({
    ...{ psp: asked.psp, account: asked.account, rule, reason: '', person },
    about: `refused wagers of ${person} on ${at.slice(0, 10)}`,
  });
  const known = (rule: string) => need(reviewOf, alertKey(alertOf(rule)), true);
  return {
    needs: declining ? [...declining.needs, ...declining.rules.map(known)] : [],
    gates: (facts) => declining?.gates(facts),
    refused(facts, account, wager) {
      const event: RiskEvent = {
        ...wager,
        ...{ psp: asked.psp, account: asked.account, operation: 'captureWager', status: 'APPROVED', at: asked.now },
        ...{ tax: '0', revision: 1, chargedBack: false, mcc: '', methods: [], samePerson: true },
        keys: keysOf(s, asked),
      };
      const declined = declining?.decide(facts, event, riskClientOf(account, asked.now));
      if (!declined) return undefined;
      const alerts = declined.rules
        .filter((rule) => facts(known(rule.id)) === undefined)
        .map(({ id, version, severity, reason }) =>
          openedAlert(
            s,
            {
              ...{ ...alertOf(id), severity, ruleVersion: String(version) },
              reason: stored`${phrase(reason)} The wager with the ref ${asked.ref} was refused and not recorded.`,
            },
            at,
          ),
        );
      return {
        refused: refuse('RISK_POLICY', said`${declined.reason}; the wager was not recorded`),
        leaves: {
          accounts: expectAccounts(account, account),
          refsNew: alerts.flatMap((a) => a.refsNew ?? []),
          rows: [...declined.rows, ...alerts.flatMap((a) => a.rows)],
        },
      };
    },
  };
}
