// verifyTransaction and the four deposits and withdrawals share one procedure: price the amount, check the client's
// standing, record the verdict. This file is that procedure; the operations pass their bodies to it.
import { Type } from 'typebox';
import { formatUnits } from '../../core/money.ts';
import { decidingStanding } from '../../core/obstacles.ts';
import { declineReason, playerObservation } from '../../core/players/restriction.ts';
import { orThrow, Refusal, refuse } from '../../core/refusal.ts';
import { canonical, firstDifference } from '../../core/request.ts';
import { observeUndoing } from '../../core/risk/undone.ts';
import { phrase, said, stored } from '../../core/said.ts';
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
import { callerOf, outcomeOf } from '../../core/transaction-states.ts';
import { type Command, type Facts, need } from '../../platform/committer.ts';
import { bothAccounts, concerned, concernedAccount, expectAccounts, type HasAccounts } from '../accounts/index.ts';
import { type BasketFact, basketByTransaction } from '../baskets/index.ts';
import type { Place } from '../kernel/amounts.ts';
import { blinded } from '../kernel/as-submitted.ts';
import type { HasDecliner } from '../kernel/decliner.ts';
import type { Call, Needs, Reply } from '../kernel/operation.ts';
import { refConflict } from '../kernel/record-once.ts';
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
import { ownSumNeeds, sumNeeds, sumsBefore, sumWrites } from './tax-sums.ts';
import { personalRow, transactionByRef } from './transaction-store.ts';

export type SubmissionNeeds = HasRateKeeper &
  HasAccounts &
  HasDecliner &
  Needs<'settings' | 'ids' | 'committer' | 'vault' | 'reference' | 'rates' | 'subjects'>;

/** Records a submission and returns its verdict and split. */
export async function submit(s: SubmissionNeeds, call: SubmissionCall, sub: Submission): Promise<Reply> {
  const { principal } = call;
  const account = orThrow(concernedAccount(principal, call.onBehalfOf));
  const asked = readExpand(call.query?.expand, submissionParts);
  const { record, ...reply } = await s.committer.submit(
    submission(s, call, sub, account, readSubmission(s, call, sub)),
  );
  return asked.size === 0
    ? reply
    : { ...reply, content: { ...reply.content, ...(await evidenceParts(s, record, asked)) } };
}

/** Query parameters of every submission. */
export const submissionQuery = Type.Object({ expand: expandQuery(submissionParts) });
type SubmissionCall = Call<unknown, { expand?: string }>;

type Both = Exclude<ReturnType<typeof bothAccounts>, Refusal>;
const sumPlace = (p: Read) => ({ currency: p.asset.code, decimals: p.asset.decimals, date: p.date });

interface Submitted extends Reply {
  readonly content: Record<string, unknown>;
  readonly record: TransactionRecord;
}

/**
 * If a PSP's key names no client, the basket's account is used.
 * @param read why it is refused; ignored if the ref already has its answer, because codes may be withdrawn while
 * answers stay valid
 */
function submission(
  s: Needs<'settings' | 'ids' | 'vault' | 'rates' | 'reference' | 'subjects'> & HasAccounts & HasDecliner,
  call: Call,
  sub: Submission,
  named: string,
  read: Read | Refusal,
): Command<Submitted> {
  const { principal } = call;
  const at = new Date(call.now).toISOString();
  const basket = sub.basketTransaction
    ? need(basketByTransaction, { psp: principal.psp, transaction: sub.basketTransaction })
    : undefined;
  const subject = sub.personal
    ? need(s.subjects, s.subjects.identify(principal.psp, sub.personal.identity))
    : undefined;
  const request = canonicalRequest(s, call, sub);
  const forced = principal.test === true ? forcedDecline(sub.body.ref) : undefined;
  const player = read instanceof Refusal ? undefined : depositorOf(s, call, sub.player, named, read);
  const wallet = checkWallet(s, principal.psp, sub.named?.wallet, call.now);

  const accountOf = (facts: Facts): string => {
    const b = basket && facts(basket);
    return b && principal.kind === 'psp' && call.onBehalfOf === undefined ? b.basket.account : named;
  };
  const refNeed = (account: string) =>
    need(transactionByRef, { psp: principal.psp, space: 'transaction', ref: sub.body.ref, account }, true);
  /** The ref of a basket's transaction stays tied to its basket, whether or not it is named again. */
  const ownBasket = (before: TransactionRecord | undefined) =>
    before?.basketId && before.kind === sub.kind
      ? need(basketByTransaction, { psp: principal.psp, transaction: before.id })
      : undefined;
  /** Whether it may change the record, and therefore the nettings against it. */
  const revises = (before: TransactionRecord) =>
    sub.kind === 'verifyTransaction' && (before.request !== request || before.status === 'DECLINED');
  const fixed = concerned(s.accounts, principal.psp, named);
  const fixedRef = refNeed(named);
  const risk = new RiskAsked(s, call, sub, request, read);

  /** Some taxes count what was charged before. */
  const counting = !(read instanceof Refusal) && s.rates.book.counts(read.country.alpha2, sub.kind);
  const asked = (who: Both, place: Read, b: BasketFact | undefined): PriceQuestion => ({
    // Test transactions are priced like the live PSP's.
    psp: who.psp.testOf ?? principal.psp,
    kind: sub.kind,
    classification: who.account.classification ?? '',
    country: place.country,
    asset: place.asset,
    amount: place.amount,
    goods: b?.goods,
    transactionFee: place.transactionFee,
    payment: place.payment,
    mcc: sub.mcc,
    supply: sub.taxDetails?.category,
    ...boughtBy(who, place),
    subdivision: place.subdivision,
    date: place.date,
  });
  const countedBy = (facts: Facts, account: string, before: TransactionRecord | undefined) => {
    if (!counting || read instanceof Refusal) return ownSumNeeds(before);
    const who = bothAccounts(facts, account === named ? fixed : concerned(s.accounts, principal.psp, account));
    const plan = who instanceof Refusal ? undefined : planFor(asked(who, read, basket && facts(basket)), s.rates.book);
    const whose = { psp: principal.psp, account, subject: (subject && facts(subject)?.subject) ?? null };
    return [...ownSumNeeds(before), ...(plan ? sumNeeds(plan, whose, sumPlace(read)) : [])];
  };

  return {
    account: named,
    // The key covers the whole PSP: with its own key it may not know yet which client the ref belongs to.
    keys: [`t|${principal.psp}|${sub.body.ref}`, ...(sub.basketTransaction ? [`b|${sub.basketTransaction}`] : [])],
    needs: basket
      ? [fixed.account, fixed.psp, basket]
      : [
          ...[fixed.account, fixed.psp, fixedRef, ...(subject ? [subject] : [])],
          ...[...risk.needs(named), ...(player?.needs ?? []), ...(wallet?.needs ?? [])],
        ],
    furtherNeeds(facts: Facts) {
      const account = accountOf(facts);
      const before = facts(basket ? refNeed(account) : fixedRef)?.transaction;
      const nettings = before && revises(before) ? [standingNettings(before)] : [];
      const counted = countedBy(facts, account, before);
      if (basket)
        return [
          concerned(s.accounts, principal.psp, account).account,
          { ...refNeed(account), presumeAbsent: false },
          ...nettings,
          ...counted,
          ...risk.needs(account),
        ];
      const own = ownBasket(before);
      return [...(own ? [own] : []), ...nettings, ...counted, ...(before ? [] : (player?.further(facts) ?? []))];
    },
    decide(facts) {
      const account = accountOf(facts);
      const who = bothAccounts(facts, account === named ? fixed : concerned(s.accounts, principal.psp, account));
      if (who instanceof Refusal) return read instanceof Refusal ? read : who;
      const heldRef = facts(account === named ? fixedRef : refNeed(account));
      const before = heldRef?.transaction;
      const equal = before?.request === request;
      if (read instanceof Refusal && !equal) return read;
      const basketNeed = basket ?? ownBasket(before);
      const b = basketNeed && facts(basketNeed);
      const broken = basketNeed && !(read instanceof Refusal) ? basketFault(call, sub, read, b, account) : undefined;
      if (broken) return broken;
      const conflict = stateConflict(call, sub, request, before, b);
      if (conflict) return conflict;

      const policy = s.settings.requiredLevel;
      const guarded = before ? undefined : player?.decide(facts);
      const refused = unacceptable(who.account, who.psp, policy, at) ?? forced ?? refusedFor(guarded);
      const key = subject && facts(subject);
      const earlier = before ?? b?.transaction;
      const id = earlier?.id ?? s.ids.next();
      const kept = before?.status === 'APPROVED' && equal;
      const held = before ? undefined : wallet?.declined(facts, id);
      const declined =
        refused === undefined && !kept ? (held ?? risk.declined(facts, who.account, id, before)) : undefined;
      const reason = refused ?? declined?.reason ?? null;
      const status = reason === null ? 'APPROVED' : 'DECLINED';
      // Only verifyTransaction decides a declined ref again (Spec 3); a deposit's answer is final.
      const again =
        before && equal && sub.kind === 'verifyTransaction' && verifyOutcome(call, before, equal) === 'DECIDE';
      if (before && equal && (!again || status === 'DECLINED')) {
        const reply = {
          message: verdict(before, sub.noun),
          content: replyContent(before),
          replayed: true,
          record: before,
        };
        // A cached standing may be stale: a decline is repeated only if it is still in force.
        return again ? { reply, writes: { accounts: expectAccounts(who.account, who.psp), rows: [] } } : { reply };
      }

      if (read instanceof Refusal) return read;
      const question = asked(who, read, b);
      const plan = counting ? planFor(question, s.rates.book) : undefined;
      const whose = { psp: principal.psp, account, subject: key?.subject ?? null };
      const sums = plan && sumsBefore(facts, plan, whose, sumPlace(read), before);
      const priced = price({ ...question, sums }, s.rates.book, s.rates.fees);
      if (priced instanceof Refusal) return priced;
      const unknown = refuseUnknownTax(s, priced.observations);
      if (unknown) return unknown;
      const decided: TransactionRecord = {
        psp: principal.psp,
        id,
        account,
        // Spec 4.4: the first recorder stays the recorder; a basket's transaction is recorded by the account that
        // verifies it.
        recordedBy: before?.recordedBy ?? principal.account,
        kind: sub.kind,
        ref: sub.body.ref,
        status,
        reason,
        revision: (earlier?.revision ?? 0) + 1,
        amount: formatUnits(read.amount, read.asset.decimals),
        currency: read.asset.code,
        country: read.country.alpha2,
        ...priced,
        evidence: {
          ...priced.evidence,
          standing: decidingStanding(who.account, who.psp, policy, at),
          ...(declined ? { risk: declined.evidence } : {}),
        },
        basketId: b?.basket.id ?? before?.basketId ?? null,
        basketRef: b?.basket.ref ?? before?.basketRef ?? null,
        request,
        observations: [
          ...read.observations,
          ...priced.observations,
          ...taxDiffers(b, priced.vatAmount),
          ...observed(guarded),
        ],
        sealed: key && sub.personal ? sealPersonal(key, sub.personal.data, personalRow(id)) : null,
        subject: key?.subject ?? null,
        chargeback: null,
        createdAt: earlier?.createdAt ?? at,
        updatedAt: at,
      };
      const undone = before ? observeUndoing(before, decided, false, read.date) : [];
      const record = undone.length === 0 ? decided : { ...decided, observations: [...decided.observations, ...undone] };
      const content = replyContent(record);
      const counted = sumWrites(s, facts, before, record, sums !== undefined && sums.size > 0);
      const watched = risk.gates(facts, account);
      const gated = gates(record, heldRef, b, status === 'APPROVED' ? guarded?.gates : undefined);
      return {
        reply: { message: verdict(record, sub.noun), content, record },
        together: counted.together,
        writes: {
          accounts: expectAccounts(who.account, who.psp),
          ...expecting(subject ? expectSubject(facts, subject) : undefined, {
            erasures: [...(guarded?.expects.erasures ?? []), ...(before ? [] : (wallet?.expects(facts) ?? []))],
          }),
          refsHeld: [...gated.refsHeld, ...counted.refsHeld, ...(watched?.refsHeld ?? [])],
          refsNew: [...gated.refsNew, ...counted.refsNew, ...(watched?.refsNew ?? [])],
          rows: [
            ...rowsOf(s, call, record, content, earlier !== undefined, b),
            ...(declined?.rows ?? []),
            ...(earlier || !sub.named ? [] : lookupRows(s.subjects, 'transaction', record, sub.named)),
            ...(before ? releaseNettings(s, call, before, record, facts(standingNettings(before))) : []),
          ],
        },
      };
    },
  };
}

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
function boughtBy({ account }: Both, { country, date, customer }: Read) {
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

// Possible conflicts of a submission: with its ref's current record, and with the basket it names. Pure; undefined
// means no conflict.
/** Why the ref's current record does not allow this submission. Only verifyTransaction may revise a record. */
function stateConflict(
  call: Call,
  sub: Submission,
  request: string,
  before: TransactionRecord | undefined,
  b: BasketFact | undefined,
): Refusal | undefined {
  const { ref } = sub.body;
  if (!before) {
    return b && b.transaction.ref !== null
      ? refuse(
          'STATE_CONFLICT',
          said`the basket of transactionID was verified before under the ref '${b.transaction.ref}'`,
        )
      : undefined;
  }
  if (before.kind !== sub.kind)
    return refuse('REF_CONFLICT', said`the ref '${ref}' was used before by ${phrase(before.kind)}`);
  const equal = before.request === request;
  const chargedBack = () =>
    refuse('ALREADY_CHARGED_BACK', said`the transaction with the ref '${ref}' was charged back`);
  if (sub.kind !== 'verifyTransaction') {
    // A deposit or withdrawal is answered once and never revised.
    if (equal) return undefined;
    if (before.chargeback) return chargedBack();
    return refConflict(ref, firstDifference(before.request, request, sub.fields));
  }
  const outcome = verifyOutcome(call, before, equal);
  if (outcome === 'ALREADY_CHARGED_BACK') return chargedBack();
  if (outcome === 'NOT_RECORDER')
    return refuse(
      'NOT_RECORDER',
      said`the transaction with the ref '${ref}' was ${before.recordedBy === call.principal.account ? said`declined` : said`recorded`} by your PSP; only it may revise it`,
    );
  return b && before.id !== b.transaction.id
    ? refuse('BASKET_MISMATCH', said`the ref '${ref}' belongs to another transaction than transactionID names`)
    : undefined;
}

/** The outcome of verifying a ref that is already recorded. */
const verifyOutcome = (call: Call, before: TransactionRecord, equal: boolean) =>
  outcomeOf(before, equal ? 'repeat' : 'revise', callerOf(call.principal, before.recordedBy));

/** Checks that transactionID names a basket this call may use, and that total and currency match it. */
function basketFault(
  call: Call,
  sub: Submission,
  read: Pick<Read, 'asset' | 'amount'>,
  b: BasketFact | undefined,
  account: string,
): Refusal | undefined {
  const unknown = () => refuse('NOT_FOUND', 'no basket transaction with this transactionID');
  if (!b) return unknown();
  if (b.basket.account !== account) return unknown();
  if (call.principal.kind === 'client' && b.basket.account !== call.principal.account) return unknown();
  if (b.basket.currency !== read.asset.code)
    return refuse('BASKET_MISMATCH', said`the field 'currency' differs from the basket's: ${b.basket.currency}`);
  if (b.amount !== read.amount)
    return refuse('BASKET_MISMATCH', said`the field 'totalAmount' differs from the basket's: ${b.basket.amount}`);
  if (b.basket.status === 'CANCELLED' && b.transaction.ref !== sub.body.ref)
    return refuse('STATE_CONFLICT', 'the basket of transactionID is cancelled');
  return undefined;
}
