// verifyTransaction and the four deposits and withdrawals share one procedure: price the amount, check the client's
// standing, record the verdict. This file is that procedure; the operations pass their bodies to it.
import type { PspId } from '../../core/ids.ts';
import { formatUnits } from '../../core/money.ts';
import { decidingStanding } from '../../core/obstacles.ts';
import { declineReason, playerObservation } from '../../core/players/restriction.ts';
import { orThrow, Refusal, stored } from '../../core/refusal.ts';
import { asCompared, canonical } from '../../core/request.ts';
import { observeUndoing } from '../../core/risk/undone.ts';
import { unacceptable } from '../../core/standing.ts';
import { customerOf, profileOn } from '../../core/tax/supplier.ts';
import { forcedDecline } from '../../core/test-mode.ts';
import {
  type Observation,
  type PriceQuestion,
  planFor,
  price,
  replyContent,
  type TransactionRecord,
  verdict,
} from '../../core/transaction.ts';
import { type Command, type Decided, type Facts, type Need, need, type Writes } from '../../platform/committer.ts';
import {
  type Account,
  bothAccounts,
  concerned,
  concernedAccount,
  expectAccounts,
  type HasAccounts,
} from '../accounts/index.ts';
import { type BasketFact, basketByTransaction } from '../baskets/index.ts';
import type { Place } from '../kernel/amounts.ts';
import { blinded } from '../kernel/as-submitted.ts';
import type { Declined, HasDecliner } from '../kernel/decliner.ts';
import { type Call, type Needs, type Reply, Type } from '../kernel/operation.ts';
import { expecting, expectSubject, sealPersonal } from '../kernel/subjects.ts';
import { refuseUnknownTax } from '../kernel/unknown-tax.ts';
import { checkPlayer, type PlayerMove, type PlayerVerdict } from '../players/index.ts';
import type { HasRateKeeper } from '../rates/index.ts';
import { lookupRows } from '../search/index.ts';
import { releaseNettings, standingNettings } from '../settlement/index.ts';
import { checkWallet } from '../wallets/index.ts';
import { gates, rowsOf } from './decided-rows.ts';
import { evidenceParts, expandQuery, readExpand, submissionParts } from './describe.ts';
import { type Read, readSubmission, type Submission } from './read-submission.ts';
import { RiskAsked } from './risk-facts.ts';
import { basketFault, stateConflict, verifyOutcome } from './submission-conflicts.ts';
import { ownSumNeeds, sumNeeds, sumsBefore, sumWrites, type Whose } from './tax-sums.ts';
import { type HeldTransaction, personalRow, transactionByRef } from './transaction-store.ts';

type DecisionNeeds = HasRateKeeper &
  HasAccounts &
  HasDecliner &
  Needs<'settings' | 'ids' | 'vault' | 'reference' | 'rates' | 'subjects'>;
export type SubmissionNeeds = DecisionNeeds & Needs<'committer'>;

/** Records a submission and returns its verdict and split. */
export async function submit(s: SubmissionNeeds, call: SubmissionCall, sub: Submission): Promise<Reply> {
  const account = orThrow(concernedAccount(call.principal, call.onBehalfOf));
  const asked = readExpand(call.query?.expand, submissionParts);
  const command = new SubmissionCommand(s, call, sub, account, readSubmission(s, call, sub));
  const { record, ...reply } = await s.committer.submit(command);
  return asked.size === 0
    ? reply
    : { ...reply, content: { ...reply.content, ...(await evidenceParts(s, record, asked)) } };
}

/** Query parameters of every submission. */
export const submissionQuery = Type.Object({ expand: expandQuery(submissionParts) });
type SubmissionCall = Call<unknown, { expand?: string }>;

const sumPlace = (p: Read) => ({ currency: p.asset.code, decimals: p.asset.decimals, date: p.date });

interface Submitted extends Reply {
  readonly content: Record<string, unknown>;
  readonly record: TransactionRecord;
}

/** What a submission finds: the client and its PSP, the record of its ref, and its basket. */
interface Found {
  readonly who: Exclude<ReturnType<typeof bothAccounts>, Refusal>;
  readonly account: string;
  readonly held: HeldTransaction | undefined;
  readonly before: TransactionRecord | undefined;
  /** Whether the record was made by the same request. */
  readonly equal: boolean;
  readonly basket: BasketFact | undefined;
}

/** Whether a submission is approved, and why not. */
interface Verdict {
  readonly id: string;
  readonly status: TransactionRecord['status'];
  readonly reason: string | null;
  readonly player: PlayerVerdict | undefined;
  readonly declined: Omit<Declined, 'rules'> | undefined;
}

interface Priced {
  readonly split: Exclude<ReturnType<typeof price>, Refusal>;
  /** Whether it rests on sums, so that it is good only together with what it read of others. */
  readonly readSums: boolean;
}

class SubmissionCommand implements Command<Submitted> {
  readonly account: string;
  readonly keys: readonly string[];
  readonly needs: readonly Need<unknown>[];
  readonly #s: DecisionNeeds;
  readonly #call: Call;
  readonly #sub: Submission;
  readonly #read: Read | Refusal;
  readonly #at: string;
  readonly #request: string;
  readonly #named: ReturnType<typeof concerned>;
  readonly #namedRef: Need<HeldTransaction>;
  readonly #basket: Need<BasketFact> | undefined;
  readonly #subject: ReturnType<typeof subjectNeed> | undefined;
  readonly #player: ReturnType<typeof depositorOf> | undefined;
  readonly #wallet: ReturnType<typeof checkWallet>;
  readonly #risk: RiskAsked;
  /** Whether some taxes count what was charged before. */
  readonly #counts: boolean;

  /**
   * @param account if a PSP's key names no client, the basket's account is used in its place
   * @param read why it is refused; ignored if the ref already has its answer, because codes may be withdrawn while
   * answers stay valid
   */
  constructor(s: DecisionNeeds, call: Call, sub: Submission, account: string, read: Read | Refusal) {
    const { psp } = call.principal;
    this.#s = s;
    this.#call = call;
    this.#sub = sub;
    this.#read = read;
    this.account = account;
    this.#at = new Date(call.now).toISOString();
    this.#request = canonicalRequest(s, call, sub);
    this.#named = concerned(s.accounts, psp, account);
    this.#namedRef = refNeed(psp, sub.body.ref, account);
    this.#basket = sub.basketTransaction
      ? need(basketByTransaction, { psp, transaction: sub.basketTransaction })
      : undefined;
    this.#subject = sub.personal && subjectNeed(s, psp, sub.personal.identity);
    this.#player = read instanceof Refusal ? undefined : depositorOf(s, call, sub.player, account, read);
    this.#wallet = checkWallet(s, psp, sub.named?.wallet, call.now);
    this.#risk = new RiskAsked(s, call, sub, this.#request, read);
    this.#counts = !(read instanceof Refusal) && s.rates.book.counts(read.country.alpha2, sub.kind);
    // The key covers the whole PSP: with its own key it may not know yet which client the ref belongs to.
    this.keys = [`t|${psp}|${sub.body.ref}`, ...(sub.basketTransaction ? [`b|${sub.basketTransaction}`] : [])];
    this.needs = this.#basket
      ? [this.#named.account, this.#named.psp, this.#basket]
      : [
          ...[this.#named.account, this.#named.psp, this.#namedRef, ...(this.#subject ? [this.#subject] : [])],
          ...[...this.#risk.needs(account), ...(this.#player?.needs ?? []), ...(this.#wallet?.needs ?? [])],
        ];
  }

  furtherNeeds(facts: Facts): readonly Need<unknown>[] {
    const account = this.#accountOf(facts);
    const before = facts(this.#refOf(account))?.transaction;
    const nettings = before && this.#revises(before) ? [standingNettings(before)] : [];
    const counted = this.#sumsOf(facts, account, before);
    if (this.#basket)
      return [
        this.#concerned(account).account,
        { ...this.#refOf(account), presumeAbsent: false },
        ...[...nettings, ...counted, ...this.#risk.needs(account)],
      ];
    const own = this.#ownBasket(before);
    return [...(own ? [own] : []), ...nettings, ...counted, ...(before ? [] : (this.#player?.further(facts) ?? []))];
  }

  decide(facts: Facts): Decided<Submitted> | Refusal {
    const found = this.#find(facts);
    if (found instanceof Refusal) return found;
    const { before, equal } = found;
    const verdict = this.#reachVerdict(facts, found);
    if (before && equal) {
      // Only verifyTransaction decides a declined ref again (Spec 3); a deposit's answer is final.
      const again = this.#sub.kind === 'verifyTransaction' && verifyOutcome(this.#call, before, equal) === 'DECIDE';
      if (!again || verdict.status === 'DECLINED') return this.#answerAgain(before, again ? found : undefined);
    }
    if (this.#read instanceof Refusal) return this.#read;
    const priced = this.#price(facts, found, this.#read);
    return priced instanceof Refusal ? priced : this.#record(facts, found, verdict, this.#read, priced);
  }

  #concerned(account: string) {
    return account === this.account ? this.#named : concerned(this.#s.accounts, this.#call.principal.psp, account);
  }

  #refOf(account: string) {
    if (account === this.account) return this.#namedRef;
    return refNeed(this.#call.principal.psp, this.#sub.body.ref, account);
  }

  #accountOf(facts: Facts): string {
    const b = this.#basket && facts(this.#basket);
    const { principal, onBehalfOf } = this.#call;
    return b && principal.kind === 'psp' && onBehalfOf === undefined ? b.basket.account : this.account;
  }

  /** The ref of a basket's transaction stays tied to its basket, whether or not it is named again. */
  #ownBasket(before: TransactionRecord | undefined) {
    return before?.basketId && before.kind === this.#sub.kind
      ? need(basketByTransaction, { psp: this.#call.principal.psp, transaction: before.id })
      : undefined;
  }

  /** Whether it may change the record, and therefore the nettings against it. */
  #revises(before: TransactionRecord): boolean {
    return this.#sub.kind === 'verifyTransaction' && (before.request !== this.#request || before.status === 'DECLINED');
  }

  /** The record's request and this one. */
  #compared(before: TransactionRecord | undefined): [string, string] {
    return before ? asCompared(this.#s.reference, before.request, this.#request) : ['', this.#request];
  }

  /** The sums that its taxes count in, and those that its record counted in before. */
  #sumsOf(facts: Facts, account: string, before: TransactionRecord | undefined) {
    const read = this.#read;
    const who = this.#counts ? bothAccounts(facts, this.#concerned(account)) : undefined;
    if (read instanceof Refusal || who === undefined || who instanceof Refusal) return ownSumNeeds(before);
    const plan = planFor(this.#question(who, read, this.#basket && facts(this.#basket)), this.#s.rates.book);
    return [...ownSumNeeds(before), ...(plan ? sumNeeds(plan, this.#whose(facts, account), sumPlace(read)) : [])];
  }

  #whose(facts: Facts, account: string): Whose {
    const subject = this.#subject && facts(this.#subject)?.subject;
    return { psp: this.#call.principal.psp, account, subject: subject ?? null };
  }

  #question(who: Found['who'], read: Read, basket: BasketFact | undefined): PriceQuestion {
    const { kind, mcc, taxDetails } = this.#sub;
    return {
      // Test transactions are priced like the live PSP's.
      psp: who.psp.testOf ?? this.#call.principal.psp,
      kind,
      classification: who.account.classification ?? '',
      country: read.country,
      asset: read.asset,
      amount: read.amount,
      goods: basket?.goods,
      transactionFee: read.transactionFee,
      payment: read.payment,
      mcc,
      supply: taxDetails?.category,
      ...boughtBy(who.account, read),
      subdivision: read.subdivision,
      date: read.date,
    };
  }

  #find(facts: Facts): Found | Refusal {
    const account = this.#accountOf(facts);
    const who = bothAccounts(facts, this.#concerned(account));
    const read = this.#read;
    if (who instanceof Refusal) return read instanceof Refusal ? read : who;
    const held = facts(this.#refOf(account));
    const before = held?.transaction;
    const requests = this.#compared(before);
    const equal = requests[0] === requests[1];
    if (read instanceof Refusal && !equal) return read;
    const basketNeed = this.#basket ?? this.#ownBasket(before);
    const basket = basketNeed && facts(basketNeed);
    const conflict =
      (basketNeed && !(read instanceof Refusal)
        ? basketFault(this.#call, this.#sub, read, basket, account)
        : undefined) ?? stateConflict(this.#call, this.#sub, requests, before, basket);
    return conflict ?? { who, account, held, before, equal, basket };
  }

  /** The client's standing first, then what its player, the wallet and the risk policy say. */
  #reachVerdict(facts: Facts, { who, before, equal, basket }: Found): Verdict {
    const forced = this.#call.principal.test === true ? forcedDecline(this.#sub.body.ref) : undefined;
    const player = before ? undefined : this.#player?.decide(facts);
    const id = (before ?? basket?.transaction)?.id ?? this.#s.ids.next();
    const refused =
      unacceptable(who.account, who.psp, this.#s.settings.requiredLevel, this.#at) ?? forced ?? refusedFor(player);
    // What was approved stays so, unless the standing has changed.
    const kept = before?.status === 'APPROVED' && equal;
    const declined =
      refused !== undefined || kept
        ? undefined
        : ((before ? undefined : this.#wallet?.declined(facts, id)) ??
          this.#risk.declined(facts, who.account, id, before));
    const reason = refused ?? declined?.reason ?? null;
    return { id, status: reason === null ? 'APPROVED' : 'DECLINED', reason, player, declined };
  }

  /** @param found where a standing decided: a cached one may be stale, so a decline is repeated only if still in force */
  #answerAgain(record: TransactionRecord, found: Found | undefined): Decided<Submitted> {
    const reply = { message: verdict(record, this.#sub.noun), content: replyContent(record), replayed: true, record };
    return found
      ? { reply, writes: { accounts: expectAccounts(found.who.account, found.who.psp), rows: [] } }
      : { reply };
  }

  #price(facts: Facts, { who, account, before, basket }: Found, read: Read): Priced | Refusal {
    const { book, fees } = this.#s.rates;
    const question = this.#question(who, read, basket);
    const plan = this.#counts ? planFor(question, book) : undefined;
    const sums = plan && sumsBefore(facts, plan, this.#whose(facts, account), sumPlace(read), before);
    const split = price({ ...question, sums }, book, fees);
    if (split instanceof Refusal) return split;
    return refuseUnknownTax(this.#s, split.observations) ?? { split, readSums: sums !== undefined && sums.size > 0 };
  }

  #record(facts: Facts, found: Found, reached: Verdict, read: Read, { split, readSums }: Priced): Decided<Submitted> {
    const { who, account, held, before, basket } = found;
    const { principal } = this.#call;
    const earlier = before ?? basket?.transaction;
    const key = this.#subject && facts(this.#subject);
    const decided: TransactionRecord = {
      psp: principal.psp,
      id: reached.id,
      account,
      // Spec 4.4: the first recorder stays the recorder; a basket's transaction is recorded by the account that
      // verifies it.
      recordedBy: before?.recordedBy ?? principal.account,
      kind: this.#sub.kind,
      ref: this.#sub.body.ref,
      status: reached.status,
      reason: reached.reason,
      revision: (earlier?.revision ?? 0) + 1,
      amount: formatUnits(read.amount, read.asset.decimals),
      currency: read.asset.code,
      country: read.country.alpha2,
      ...split,
      evidence: {
        ...split.evidence,
        standing: decidingStanding(who.account, who.psp, this.#s.settings.requiredLevel, this.#at),
        ...(reached.declined ? { risk: reached.declined.evidence } : {}),
      },
      basketId: basket?.basket.id ?? before?.basketId ?? null,
      basketRef: basket?.basket.ref ?? before?.basketRef ?? null,
      request: this.#request,
      observations: [
        ...read.observations,
        ...split.observations,
        ...taxDiffers(basket, split.vatAmount),
        ...observed(reached.player),
      ],
      sealed: key && this.#sub.personal ? sealPersonal(key, this.#sub.personal.data, personalRow(reached.id)) : null,
      subject: key?.subject ?? null,
      chargeback: null,
      createdAt: earlier?.createdAt ?? this.#at,
      updatedAt: this.#at,
    };
    const undone = before ? observeUndoing(before, decided, false, read.date) : [];
    const record = undone.length === 0 ? decided : { ...decided, observations: [...decided.observations, ...undone] };
    const content = replyContent(record);
    const summed = sumWrites(this.#s, facts, before, record, readSums);
    return {
      reply: { message: verdict(record, this.#sub.noun), content, record },
      together: summed.together,
      writes: {
        accounts: expectAccounts(who.account, who.psp),
        ...this.#erasures(facts, reached.player, before),
        ...refsOf(
          gates(record, held, basket, record.status === 'APPROVED' ? reached.player?.gates : undefined),
          ...[summed, this.#risk.gates(facts, account)],
        ),
        rows: [
          ...rowsOf(this.#s, this.#call, record, content, earlier !== undefined, basket),
          ...(reached.declined?.rows ?? []),
          ...(earlier || !this.#sub.named ? [] : lookupRows(this.#s.subjects, 'transaction', record, this.#sub.named)),
          ...(before ? releaseNettings(this.#s, this.#call, before, record, facts(standingNettings(before))) : []),
        ],
      },
    };
  }

  /** No person whom it is about may be erased meanwhile. */
  #erasures(facts: Facts, player: PlayerVerdict | undefined, before: TransactionRecord | undefined) {
    return expecting(this.#subject ? expectSubject(facts, this.#subject) : undefined, {
      erasures: [...(player?.expects.erasures ?? []), ...(before ? [] : (this.#wallet?.expects(facts) ?? []))],
    });
  }
}

type Refs = Pick<Writes, 'refsHeld' | 'refsNew'>;

const refsOf = (...parts: readonly (Refs | undefined)[]): Required<Refs> => ({
  refsHeld: parts.flatMap((p) => p?.refsHeld ?? []),
  refsNew: parts.flatMap((p) => p?.refsNew ?? []),
});

const refNeed = (psp: PspId, ref: string, account: string) =>
  need(transactionByRef, { psp, space: 'transaction', ref, account }, true);

const subjectNeed = (s: Needs<'subjects'>, psp: PspId, identity: string) =>
  need(s.subjects, s.subjects.identify(psp, identity));

function canonicalRequest(s: Needs<'vault'>, call: Call, sub: Submission): string {
  const plain: Record<string, unknown> = { operation: sub.kind };
  const body = call.body as Record<string, unknown>;
  for (const f of sub.fields) if (body[f] !== undefined) plain[f] = body[f];
  return canonical(blinded(s.vault, plain, Object.keys(sub.personal?.data ?? {})));
}

/** @param account the operator the deposit is made with @returns undefined for what is no deposit of a player */
function depositorOf(
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

/** The client's profile in the country of the sale, and who the customer is to it. */
function boughtBy(account: Account, { country, date, customer }: Read) {
  const profile = profileOn(account.taxProfiles, country.alpha2, date);
  return { profile, customer: customerOf(customer, account.country, country.alpha2, profile) };
}

/** Noted on the payment of a basket whose tax is another one than the basket was answered with. */
const taxDiffers = (b: BasketFact | undefined, vatAmount: string): Observation[] =>
  b === undefined || b.basket.vatAmount === vatAmount
    ? []
    : [
        {
          code: 'BASKET_TAX_DIFFERS',
          field: 'transactionID',
          message: stored`the basket was answered with taxes of ${b.basket.vatAmount}; by the day of the payment and what it says (mcc, taxDetails, paymentMethods) they are ${vatAmount}, which counts`,
        },
      ];

/** What is noted on a deposit that the PSP lets pass. */
const observed = (v: PlayerVerdict | undefined) =>
  (v?.findings ?? []).filter((f) => !f.enforced).map(playerObservation);

/** Why the deposit is declined, if its player may not make it. */
const refusedFor = (v: PlayerVerdict | undefined): string | undefined => v?.refused && declineReason(v.refused);
