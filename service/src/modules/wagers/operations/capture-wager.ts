import { type AccountId, type PspId, toWire } from '../../../core/ids.ts';
import type { Numeral } from '../../../core/money.ts';
import { playerObservation } from '../../../core/players/restriction.ts';
import { orThrow, Refusal, refuse } from '../../../core/refusal.ts';
import { canonical } from '../../../core/request.ts';
import { need } from '../../../platform/committer.ts';
import { readNumber } from '../../../platform/completed-numbers.ts';
import { observeCoordinates, observeIp, observePhone } from '../../../platform/identifiers.ts';
import { coarseNetwork } from '../../../platform/network.ts';
import {
  type Account,
  bothAccounts,
  concerned,
  concernedAccount,
  expectAccounts,
  findAccount,
  type HasAccounts,
} from '../../accounts/index.ts';
import { blinded } from '../../kernel/as-submitted.ts';
import type { HasDecliner } from '../../kernel/decliner.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import {
  AmountOrZero,
  Exact,
  Named,
  type Needs,
  operation,
  Ref,
  type Reply,
  Text,
  Type,
} from '../../kernel/operation.ts';
import { byRequest, recordOnce } from '../../kernel/record-once.ts';
import { expecting, expectSubject, sealPersonal } from '../../kernel/subjects.ts';
import { PlayerTaxDetails, readPlayer } from '../../kernel/tax-details.ts';
import { refuseUnknownTax } from '../../kernel/unknown-tax.ts';
import { checkPlayer, type PlayerMove } from '../../players/index.ts';
import type { HasRateKeeper } from '../../rates/index.ts';
import { lookupRows } from '../../search/index.ts';
import { Customer } from '../../transactions/index.ts';
import { expanded, gamingEvidence, gamingPlace, gamingQuery, readParts, readStake, receiptParts } from '../gaming.ts';
import { namedIn } from '../named.ts';
import { riskOfWager } from '../risk-of-wager.ts';
import {
  personalFields,
  type WagerRecord,
  wagerByRef,
  wagerPersonalRow,
  wagerResource,
  wagerRow,
} from '../wager-store.ts';

// Spec 4.12
const body = Type.Object({
  amount: AmountOrZero('Total amount wagered; zero for a free bet.'),
  ref: Ref('External reference, unique to the wager.'),
  customer: Customer,
  ip: Type.String({ format: 'ip', description: 'Address from which the wager is placed.' }),
  coordinates: Type.Optional(
    Named('Coordinates', 'Place of the wager.', {
      lat: Exact({ description: 'Latitude in degrees.', minimum: -90, maximum: 90 }),
      lng: Exact({ description: 'Longitude in degrees.', minimum: -180, maximum: 180 }),
    }),
  ),
  type: Text('Product line of the wager.', 60),
  taxDetails: Type.Optional(PlayerTaxDetails),
});
const fields = Object.keys(body.properties);

interface Captured extends Reply {
  readonly content: object;
  readonly record: WagerRecord;
}

/** The refusal of a wager that leaves an alert: thrown once that is committed. */
interface Turned extends Reply {
  readonly refused: Refusal;
}

/** A coordinate as a double: only compared with borders, never calculated with. */
const degrees = (n: Numeral): number => Number(n.text);

/** The operator's country, which a number without its country code is of; undefined for one that has it. */
async function homeOf(s: Needs<'db'>, psp: PspId, account: AccountId, phone: string | undefined) {
  if (phone === undefined || readNumber(phone)?.kind === 'E164') return undefined;
  return (await findAccount(s.db, psp, account))?.country ?? undefined;
}

export const captureWager = operation({
  id: 'captureWager',
  method: 'POST',
  path: '/captureWager',
  spec: '4.12',
  tag: 'Gaming',
  summary: 'Record a wager',
  description:
    'Amounts are in the legal tender of the country the account is registered in. The taxes are those of that country, or of the player where `taxDetails` says where that is and the law there follows the player. Where states or provinces tax gaming, that of the player applies, else that of the tax profile of the operator.',
  audience: ['psp', 'client'],
  body,
  query: gamingQuery,
  content: Named('WagerReceipt', 'The wager that was recorded.', { wagerId: Type.String(), ...receiptParts }),
  example: {
    amount: 250,
    ref: 'bet-1001',
    customer: { email: 'kip@example.com' },
    ip: '102.0.2.44',
    coordinates: { lat: -1.2864, lng: 36.8172 },
    type: 'sports',
  },
  refusals: [
    'AMOUNT_PRECISION',
    'UNKNOWN_COUNTRY',
    'TAX_RATE_UNKNOWN',
    'REF_CONFLICT',
    'NOT_FOUND',
    'PLAYER_EXCLUDED',
    'PLAYER_LIMIT',
    'RISK_POLICY',
  ],
  async handle(
    call,
    s: Needs<'db' | 'settings' | 'ids' | 'committer' | 'vault' | 'reference' | 'rates' | 'subjects'> &
      HasRateKeeper &
      HasAccounts &
      HasDecliner,
  ) {
    const { principal, body: b } = call;
    const account = orThrow(concernedAccount(principal, call.onBehalfOf));
    const amount = orThrow(readStake(b.amount as Numeral));
    const player = orThrow(readPlayer(s, b.taxDetails));
    const asked = readParts(call.query.expand);
    const at = new Date(call.now).toISOString();
    const personal = { customer: b.customer, ip: b.ip, ...(b.coordinates ? { coordinates: b.coordinates } : {}) };
    const kept = blinded(s.vault, b, personalFields);
    const request = canonical(kept);
    const key = { psp: principal.psp, space: 'wager', ref: b.ref, account };
    const who = concerned(s.accounts, principal.psp, account);
    const subject = need(s.subjects, s.subjects.identify(principal.psp, b.customer.email));
    const answer = (w: WagerRecord): Captured => ({
      message: 'wager recorded',
      content: { wagerId: toWire('wager', w.id) },
      record: w,
    });
    const guard = checkPlayer(s, {
      psp: principal.psp,
      act: 'wager',
      customer: b.customer,
      country: player?.country ?? (await homeOf(s, principal.psp, account, b.customer.phoneNumber)),
      now: call.now,
    });
    const placeOf = (accounts: { account: Account }) => gamingPlace(s, accounts.account, call.now, player);
    const riskIn = (country: string) =>
      riskOfWager(s, {
        ...{ psp: principal.psp, account, customer: b.customer, country, ip: b.ip, ref: b.ref, now: call.now },
      });
    const move = (accounts: { account: Account }): PlayerMove => {
      const { currency, country, date } = placeOf(accounts);
      return { account, amount, currency, country: player?.country ?? country, date };
    };
    const command = recordOnce<WagerRecord, ReturnType<typeof bothAccounts>, Captured | Turned>({
      key,
      held: wagerByRef,
      needs: [who.account, who.psp, subject, ...guard.needs],
      furtherNeeds(facts) {
        const accounts = bothAccounts(facts, who);
        if (accounts instanceof Refusal) return [];
        return [...guard.further(facts, move(accounts)), ...riskIn(placeOf(accounts).country).needs];
      },
      // Wagers from version 0.1 have a readable address.
      ...byRequest(s, b.ref, fields, (w: WagerRecord) => [
        w.request,
        w.ip === undefined ? request : canonical({ ...kept, ip: b.ip }),
      ]),
      ready: (facts) => bothAccounts(facts, who),
      replay: answer,
      record(facts, accounts) {
        const place = placeOf(accounts);
        const risk = riskIn(place.country);
        const person = facts(subject);
        const taxed = gamingEvidence(s, place, accounts.account, 'captureWager', b.type, { stake: amount });
        const unknown = refuseUnknownTax(s, taxed.observations);
        if (unknown) return unknown;
        const guarded = guard.decide(facts, move(accounts));
        if (guarded.refused) return refuse(guarded.refused.code, guarded.refused.message);
        const point = b.coordinates;
        const country = accounts.account.country;
        const id = s.ids.next();
        const wager: WagerRecord = {
          psp: principal.psp,
          id,
          account,
          recordedBy: principal.account,
          ref: b.ref,
          amount,
          currency: place.currency,
          country: place.country,
          productLine: b.type,
          ipNetwork: coarseNetwork(b.ip),
          request,
          evidence: taxed.evidence,
          observations: [
            ...taxed.observations,
            ...observePhone(b.customer.phoneNumber, place.country, 'customer.phoneNumber'),
            ...observeIp(b.ip, 'ip'),
            ...(point ? observeCoordinates(degrees(point.lat), degrees(point.lng), country, 'coordinates') : []),
            ...guarded.findings.map(playerObservation),
          ],
          sealed: person ? sealPersonal(person, personal, wagerPersonalRow(id)) : null,
          subject: person?.subject ?? null,
          createdAt: at,
        };
        const declined = risk.refused(facts, accounts.account, { ...wager, record: id });
        if (declined)
          return {
            leaves: declined.leaves,
            reply: { refused: declined.refused, message: declined.refused.message, content: {} },
          };
        const watched = risk.gates(facts);
        return {
          id,
          reply: answer(wager),
          writes: {
            accounts: expectAccounts(accounts.account, accounts.psp),
            ...expecting(expectSubject(facts, subject), guarded.expects),
            refsHeld: [...guarded.gates, ...(watched?.refsHeld ?? [])],
            refsNew: watched?.refsNew,
            rows: [
              wagerRow(wager),
              ...lookupRows(s.subjects, 'wager', wager, namedIn(b)),
              journalRow(s, principal, at, {
                kind: 'wager.created',
                ...about(wager),
                data: wagerResource(wager),
                sealed: wager.sealed,
                subject: wager.subject,
                evidence: wager.evidence,
              }),
            ],
          },
        };
      },
    });
    const captured = await s.committer.submit(command);
    if ('refused' in captured) throw captured.refused;
    const { record, content, ...reply } = captured;
    return { ...reply, content: await expanded(s, content, record, asked) };
  },
});
