// Marks amounts of a chargeback as subtracted from what a later transaction settled (Spec 4.4).
import { localDate } from '../../../core/calendar.ts';
import { fromWire, type PspId } from '../../../core/ids.ts';
import { formatUnits, type Numeral } from '../../../core/money.ts';
import { notFound, phrase, Refusal, refuse, said } from '../../../core/refusal.ts';
import { canonical } from '../../../core/request.ts';
import { byParty, firstExcess, parties, type SplitAmounts, splitParts } from '../../../core/settlement.ts';
import { differenceOf, isNegative, isZero, sumOf, wireSum } from '../../../core/sums.ts';
import { NettingResource } from '../../../entries/settlement.ts';
import { type Command, need } from '../../../platform/committer.ts';
import { readAmount } from '../../kernel/amounts.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import { AmountOrZero, type Call, Id, type Needs, operation, Ref, type Reply, Type } from '../../kernel/operation.ts';
import { byRequest, recordOnce } from '../../kernel/record-once.ts';
import {
  accountOfChargeback,
  type Netting,
  nettingByRef,
  nettingResource,
  nettingRow,
  type Pair,
  pairHeld,
} from '../netting-store.ts';

const part = () => Type.Optional(AmountOrZero('Amount of this part that was subtracted; default 0.'));
const body = Type.Object({
  ref: Ref("The caller's reference for the netting; repeating it gives the same response."),
  chargebackId: Id('The chargeback, as chargeBack returned it.'),
  transactionId: Id('The later transaction it was subtracted from.'),
  vatAmount: part(),
  processingFee: part(),
  merchantAmount: part(),
  transactionFee: part(),
  transactionVAT: part(),
});
type Body = Type.Static<typeof body>;
const fields = Object.keys(body.properties);

export const netChargeback = operation({
  id: 'netChargeback',
  method: 'POST',
  path: '/v1/settlement/net',
  tag: 'Settlement',
  summary: 'Mark amounts of a chargeback as subtracted',
  description:
    'A part cannot exceed what is outstanding of the chargeback, nor what the later transaction settles to that party. Omitted parts do not change; the rest stays outstanding.',
  audience: ['psp', 'client'],
  body,
  content: NettingResource,
  example: {
    ref: 'net-1001',
    chargebackId: 'chb_01h455vb4pex5vsknk084sn02q',
    transactionId: 'txn_01h455vb4pex5vsknk084sn02q',
    vatAmount: 7.5,
    merchantAmount: 97.42,
  },
  refusals: ['AMOUNT_PRECISION', 'NOT_FOUND', 'NOT_RECORDER', 'REF_CONFLICT', 'STATE_CONFLICT', 'NETTING_EXCESS'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer' | 'reference' | 'rates'>) {
    const { principal, body: b } = call;
    const chargeback = fromWire('chargeback', b.chargebackId);
    const against = fromWire('transaction', b.transactionId);
    const account = chargeback && (await accountOfChargeback(s.db, principal.psp, chargeback));
    if (!chargeback || !account || (principal.kind === 'client' && account !== principal.account)) throw notFound();
    if (call.onBehalfOf !== undefined && call.onBehalfOf !== account) throw notFound();
    if (!against) throw refuse('NOT_FOUND', said`no transaction '${b.transactionId.slice(0, 60)}' of this client`);
    return s.committer.submit(netting(s, call, account, { psp: principal.psp, chargeback, against }));
  },
});

function netting(
  s: Needs<'ids' | 'reference' | 'rates'>,
  call: Call<Body>,
  account: string,
  pairKey: { psp: PspId; chargeback: string; against: string },
): Command<Reply> {
  const { principal, body: b } = call;
  const { psp } = principal;
  const at = new Date(call.now).toISOString();
  const request = canonical(b);
  const key = { psp, space: 'netting', ref: b.ref, account };
  const pairNeed = need(pairHeld, pairKey);
  const reply = (n: Netting) => ({ message: 'netting recorded', content: nettingResource(n) });
  return recordOnce({
    key,
    held: nettingByRef,
    keys: [`n|${pairKey.chargeback}`, `n|${pairKey.against}`],
    needs: [pairNeed],
    ...byRequest(s, b.ref, fields, (n: Netting) => [n.request, request]),
    ready: () => undefined,
    replay: reply,
    record(facts) {
      const pair = facts(pairNeed);
      if (!pair) return notFound();
      if (principal.kind === 'client') return refuse('NOT_RECORDER', 'only your PSP may net the chargeback');
      const later = laterTransaction(pair, pairKey.against, b.transactionId);
      if (later instanceof Refusal) return later;
      const day = localDate(s.rates.book.country(pair.country)?.timeZone ?? 'UTC', call.now);
      const amounts = readAmounts(s, call, pair.currency, day);
      if (amounts instanceof Refusal) return amounts;
      const excess = excessOf(amounts, pair, later.room);
      if (excess) return excess;
      const record: Netting = {
        psp,
        id: s.ids.next(),
        account,
        ref: b.ref,
        chargeback: pairKey.chargeback,
        against: pairKey.against,
        currency: pair.currency,
        country: pair.country,
        day,
        amounts,
        request,
        createdAt: at,
      };
      const transaction = (t: { ref: string; refRevision: number }) => ({
        psp,
        space: 'transaction',
        ref: t.ref,
        account,
        revision: t.refRevision,
      });
      return {
        id: record.id,
        reply: reply(record),
        writes: {
          // Both transactions are locked, so that no two nettings are decided on the same sums.
          refsHeld: [transaction(pair.charged), transaction(later)],
          rows: [
            nettingRow(record),
            journalRow(s, principal, at, {
              kind: 'chargeback.netted',
              ...about(record),
              data: nettingResource(record),
              evidence: { localDate: day },
            }),
          ],
        },
      };
    },
  });
}

function laterTransaction(pair: Pair, id: string, shown: string): NonNullable<Pair['against']> | Refusal {
  if (pair.reversed)
    return refuse(
      'STATE_CONFLICT',
      'the chargeback is reversed, because its dispute was won: nothing of it is outstanding',
    );
  const { against: x } = pair;
  if (!x || x.account !== pair.account)
    return refuse('NOT_FOUND', said`no transaction '${shown.slice(0, 60)}' of this client`);
  if (id === pair.charged.id)
    return refuse('STATE_CONFLICT', 'a chargeback cannot be netted against its own transaction');
  if (x.status !== 'APPROVED' || x.chargedBack)
    return refuse(
      'STATE_CONFLICT',
      said`the transaction of transactionId is ${x.chargedBack ? said`charged back` : phrase(x.status)}; only an APPROVED one settles anything`,
    );
  if (x.updatedAt < pair.chargedBackAt)
    return refuse(
      'STATE_CONFLICT',
      'the transaction of transactionId was decided before the chargeback; name a later one',
    );
  if (x.currency !== pair.currency || x.country !== pair.country)
    return refuse(
      'STATE_CONFLICT',
      said`the chargeback is in ${pair.currency} and country ${pair.country}, the transaction in ${x.currency} and ${x.country}`,
    );
  return x;
}

function readAmounts(s: Needs<'reference'>, call: Call<Body>, currency: string, day: string): SplitAmounts | Refusal {
  const asset = s.reference.asset(currency, day, true);
  if (asset instanceof Refusal) return asset;
  const amounts: Record<string, string> = {};
  for (const p of splitParts) {
    const given = call.body[p] as Numeral | undefined;
    const units = given === undefined ? 0n : readAmount(p, given, asset, 'zero');
    if (units instanceof Refusal) return units;
    amounts[p] = sumOf([formatUnits(units, asset.decimals)]);
  }
  return splitParts.every((p) => isZero(amounts[p] as string))
    ? refuse('FIELD_REQUIRED', said`one of the fields '${splitParts.join("', '")}' is required, and more than 0`)
    : (amounts as SplitAmounts);
}

function excessOf(amounts: SplitAmounts, pair: Pair, room: SplitAmounts): Refusal | undefined {
  const over = firstExcess(amounts, pair.left);
  if (over)
    return refuse(
      'NETTING_EXCESS',
      said`the field '${over}' is more than is outstanding of the chargeback: ${wireSum(pair.left[over])}`,
    );
  const [asked, free] = [byParty(amounts), byParty(room)];
  const party = parties.find((p) => isNegative(differenceOf(free[p], asked[p])));
  return (
    party &&
    refuse(
      'NETTING_EXCESS',
      said`the transaction of transactionId settles only ${wireSum(free[party])} more to ${party}; ${wireSum(asked[party])} cannot be subtracted from it`,
    )
  );
}
