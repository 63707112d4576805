// What the risk policy of a PSP sees of a submission, in the form in which rules later see its record. Decides nothing.

import { isoTime } from '../../core/calendar.ts';
import type { AccountId } from '../../core/ids.ts';
import { parseJson } from '../../core/json.ts';
import { formatUnits } from '../../core/money.ts';
import { mailboxOf } from '../../core/players/mailbox.ts';
import { Refusal } from '../../core/refusal.ts';
import type { RiskClient, RiskEvent, RiskKeys } from '../../core/risk/rule.ts';
import type { CountedBefore } from '../../core/risk/watch.ts';
import { inForce } from '../../core/standing.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import { chainHashText } from '../../core/wallets/chain-hash.ts';
import type { Facts } from '../../platform/committer.ts';
import type { Account } from '../accounts/index.ts';
import type { Declined, HasDecliner } from '../kernel/decliner.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { plainForm } from '../search/index.ts';
import type { Read, Submission } from './read-submission.ts';

/** A client as rules see it at a time. */
export const riskClientOf = (a: Account, now: number): RiskClient => ({
  classification: a.classification ?? '',
  country: a.country ?? '',
  verificationLevel: a.verificationLevel,
  operationalStanding: a.operationalStanding,
  onHold: a.holds.some((h) => inForce(h, isoTime(now))),
  since: Date.parse(a.createdAt),
});

/** What was approved is counted already. */
const countedOf = (t: TransactionRecord | undefined): CountedBefore | undefined =>
  t?.status === 'APPROVED' ? { at: Date.parse(t.createdAt), amount: t.amount, currency: t.currency } : undefined;

/** A submission of an account, for the policy of its PSP. */
export class RiskAsked {
  readonly #s: Needs<'subjects'> & HasDecliner;
  readonly #call: Call;
  readonly #sub: Submission;
  readonly #request: string;
  readonly #read: Read | Refusal;

  constructor(s: Needs<'subjects'> & HasDecliner, call: Call, sub: Submission, request: string, read: Read | Refusal) {
    this.#s = s;
    this.#call = call;
    this.#sub = sub;
    this.#request = request;
    this.#read = read;
  }

  /** The facts that the policy needs of an account's submission. */
  needs(account: AccountId) {
    const read = this.#read;
    if (read instanceof Refusal) return [];
    return this.#s.decliner.of(this.#call.principal.psp, () => this.#keys(account, read))?.needs ?? [];
  }

  /** @param id of the record that is decided @param before the record, if it is there */
  declined(facts: Facts, who: Account, id: string, before: TransactionRecord | undefined): Declined | undefined {
    const read = this.#read;
    if (read instanceof Refusal) return undefined;
    const declining = this.#s.decliner.of(this.#call.principal.psp, () => this.#keys(who.id, read));
    const event = this.#event(this.#keys(who.id, read), read, id);
    return declining?.decide(facts, event, riskClientOf(who, this.#call.now), countedOf(before));
  }

  /** What the record holds, so that no other is decided on the same counters. */
  gates(facts: Facts, account: AccountId) {
    const read = this.#read;
    if (read instanceof Refusal) return undefined;
    return this.#s.decliner.of(this.#call.principal.psp, () => this.#keys(account, read))?.gates(facts);
  }

  #keys(account: AccountId, { country }: Read): RiskKeys {
    const { personal, named, kind } = this.#sub;
    const { psp } = this.#call.principal;
    const hashed = (value: string | undefined) =>
      value === undefined ? undefined : this.#s.subjects.identify(psp, value).subject;
    const found = (of: 'wallet' | 'msisdn') => {
      const value = named?.[of];
      return value === undefined ? undefined : hashed(plainForm(of, value, country.alpha2));
    };
    const { toAddress } = parseJson(this.#request) as { toAddress?: unknown };
    return {
      client: account,
      customer: hashed(personal && mailboxOf(personal.identity)),
      wallet: found('wallet'),
      msisdn: found('msisdn'),
      chainHash: named?.chainHash && chainHashText(named.chainHash),
      bankAccount: kind === 'withdrawal' && typeof toAddress === 'string' ? toAddress : undefined,
    };
  }

  #event(keys: RiskKeys, read: Read, id: string): RiskEvent {
    const { kind, mcc } = this.#sub;
    const { paymentMethods } = this.#call.body as { readonly paymentMethods?: Readonly<Record<string, unknown>> };
    return {
      psp: this.#call.principal.psp,
      account: keys.client,
      record: id,
      operation: kind,
      status: 'APPROVED',
      at: this.#call.now,
      amount: formatUnits(read.amount, read.asset.decimals),
      tax: '0',
      currency: read.asset.code,
      country: read.country.alpha2,
      revision: 1,
      chargedBack: false,
      observations: read.observations,
      mcc: mcc ?? '',
      methods: Object.keys(paymentMethods ?? {}),
      productLine: '',
      keys,
      samePerson: true,
    };
  }
}
