// Records a payout linked to a wager of the same account. A wager may have several.
import { toWire } from '../../../core/ids.ts';
import type { Numeral } from '../../../core/money.ts';
import { orThrow, refuse, said } from '../../../core/refusal.ts';
import { canonical } from '../../../core/request.ts';
import { differenceOf, isNegative } from '../../../core/sums.ts';
import { need } from '../../../platform/committer.ts';
import { observePhone } from '../../../platform/identifiers.ts';
import { bothAccounts, concerned, concernedAccount, expectAccounts, type HasAccounts } from '../../accounts/index.ts';
import { blinded } from '../../kernel/as-submitted.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import { AmountOrZero, KnownRef, Named, type Needs, operation, Ref, type Reply, Type } from '../../kernel/operation.ts';
import { byRequest, recordOnce } from '../../kernel/record-once.ts';
import { expectSubject, sealPersonal } from '../../kernel/subjects.ts';
import { PayoutTaxDetails } from '../../kernel/tax-details.ts';
import { refuseUnknownTax } from '../../kernel/unknown-tax.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import { lookupRows } from '../../search/index.ts';
import { Customer } from '../../transactions/index.ts';
import {
  expanded,
  gamingEvidence,
  gamingPlace,
  gamingQuery,
  payoutAmounts,
  readParts,
  readStake,
  receiptParts,
} from '../gaming.ts';
import { namedIn } from '../named.ts';
import {
  type PayoutRecord,
  payoutByRef,
  payoutPersonalRow,
  payoutResource,
  payoutRow,
  personalFields,
  wagerHeld,
} from '../wager-store.ts';

// Spec 4.13
const body = Type.Object({
  amount: AmountOrZero('Total paid out; zero ends a lost bet.'),
  ref: Ref(),
  customer: Customer,
  wagerReference: KnownRef('Reference of the associated wager.'),
  taxDetails: Type.Optional(PayoutTaxDetails),
});
const fields = Object.keys(body.properties);

interface Captured extends Reply {
  readonly content: object;
  readonly record: PayoutRecord;
}

export const capturePayout = operation({
  id: 'capturePayout',
  method: 'POST',
  path: '/capturePayout',
  spec: '4.13',
  tag: 'Gaming',
  summary: 'Record a payout of a wager',
  description:
    'Taxed by the country that taxed the wager. A stake that is given back because the wager is void bears no tax on wins: say so in `taxDetails.stakeReturned`.',
  audience: ['psp', 'client'],
  body,
  query: gamingQuery,
  content: Named('PayoutReceipt', 'The payout that was recorded.', {
    payoutId: Type.String(),
    wagerId: Type.String(),
    ref: Type.String(),
    ...receiptParts,
  }),
  example: { amount: 900, ref: 'win-1001', customer: { email: 'kip@example.com' }, wagerReference: 'bet-1001' },
  refusals: ['AMOUNT_PRECISION', 'UNKNOWN_COUNTRY', 'FIELD_INVALID', 'TAX_RATE_UNKNOWN', 'REF_CONFLICT', 'NOT_FOUND'],
  async handle(
    call,
    s: Needs<'settings' | 'ids' | 'committer' | 'vault' | 'reference' | 'rates' | 'subjects'> &
      HasRateKeeper &
      HasAccounts,
  ) {
    const { principal, body: b } = call;
    const account = orThrow(concernedAccount(principal, call.onBehalfOf));
    const amount = orThrow(readStake(b.amount as Numeral));
    const asked = readParts(call.query.expand);
    const at = new Date(call.now).toISOString();
    const request = canonical(blinded(s.vault, b, personalFields));
    const key = { psp: principal.psp, space: 'payout', ref: b.ref, account };
    const wagerKey = { psp: principal.psp, space: 'wager', ref: b.wagerReference, account };
    const wagerNeed = need(wagerHeld, wagerKey);
    const who = concerned(s.accounts, principal.psp, account);
    const subject = need(s.subjects, s.subjects.identify(principal.psp, b.customer.email));
    const answer = (p: PayoutRecord): Captured => ({
      message: 'payout recorded',
      content: { payoutId: toWire('payout', p.id), wagerId: toWire('wager', p.wagerId), ref: b.ref },
      record: p,
    });
    const command = recordOnce({
      key,
      held: payoutByRef,
      keys: [`w|${account}|${b.wagerReference}`],
      needs: [who.account, who.psp, wagerNeed, subject],
      ...byRequest(s, b.ref, fields, (p: PayoutRecord) => [p.request, request]),
      ready: (facts) => bothAccounts(facts, who),
      replay: answer,
      record(facts, accounts) {
        const bet = facts(wagerNeed);
        if (!bet)
          return refuse(
            'NOT_FOUND',
            principal.kind === 'psp' && call.onBehalfOf === undefined
              ? said`no wager of your own has the reference '${b.wagerReference}'; for one of a client name the client in the header x-client-id`
              : said`no wager with the reference '${b.wagerReference}'`,
          );
        const { wager } = bet;
        const { subdivision } = wager.evidence;
        const player = { country: wager.country, subdivision };
        const place = { ...gamingPlace(s, accounts.account, call.now, player), subdivision };
        const person = facts(subject);
        const stakeReturned = b.taxDetails?.stakeReturned === true;
        const unpaid = differenceOf(wager.amount, bet.paid);
        const left = isNegative(unpaid) ? '0' : unpaid;
        if (stakeReturned && isNegative(differenceOf(left, amount)))
          return refuse(
            'FIELD_INVALID',
            said`the field 'amount' may be at most ${left} where 'taxDetails.stakeReturned' is true: that is what is left of the stake`,
          );
        const amounts = payoutAmounts({ amount, stake: wager.amount, ...bet, stakeReturned });
        const taxed = gamingEvidence(s, place, accounts.account, 'capturePayout', wager.productLine, amounts);
        const unknown = refuseUnknownTax(s, taxed.observations);
        if (unknown) return unknown;
        const id = s.ids.next();
        const payout: PayoutRecord = {
          psp: principal.psp,
          id,
          account,
          recordedBy: principal.account,
          ref: b.ref,
          amount,
          currency: place.currency,
          country: place.country,
          wagerId: wager.id,
          wagerRef: wager.ref,
          request,
          evidence: taxed.evidence,
          observations: [
            ...taxed.observations,
            ...observePhone(b.customer.phoneNumber, place.country, 'customer.phoneNumber'),
          ],
          sealed: person ? sealPersonal(person, { customer: b.customer }, payoutPersonalRow(id)) : null,
          subject: person?.subject ?? null,
          createdAt: at,
        };
        return {
          id,
          reply: answer(payout),
          writes: {
            accounts: expectAccounts(accounts.account, accounts.psp),
            ...expectSubject(facts, subject),
            refsHeld: [{ ...wagerKey, revision: bet.refRevision }],
            rows: [
              payoutRow(payout),
              ...lookupRows(s.subjects, 'payout', payout, namedIn(b)),
              journalRow(s, principal, at, {
                kind: 'payout.created',
                ...about(payout),
                data: payoutResource(payout),
                sealed: payout.sealed,
                subject: payout.subject,
                evidence: payout.evidence,
              }),
            ],
          },
        };
      },
    });
    const { record, content, ...reply } = await s.committer.submit(command);
    return { ...reply, content: await expanded(s, content, record, asked) };
  },
});
