import { roles } from '../../../core/roles.ts';
import { differenceOf, sumOf, wireSum } from '../../../core/sums.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { archivedBefore } from '../../kernel/archived.ts';
import { Id, Money, Named, type Needs, operation, Time, Type } from '../../kernel/operation.ts';
import { playerHashes } from '../identity.ts';
import { exampleSubjects, PlayerSubjects, readSpan } from '../player-fields.ts';
import { type PlayerBalance as Balance, balances } from '../player-sums.ts';

const count = (of: string) => Type.Integer({ description: `Number of ${of}.` });

const PlayerBalanceLine = Named('PlayerBalance', "A player's sums in one currency.", {
  currency: Type.String(),
  deposits: count('approved deposits, without those charged back'),
  deposited: Money('Sum of these deposits, before taxes and fees.'),
  wagers: count('wagers'),
  staked: Money('Sum of wagers.'),
  payouts: count('payouts'),
  paidOut: Money('Sum of payouts.'),
  withdrawals: count('approved withdrawals, without those charged back'),
  withdrawn: Money('Sum of these withdrawals, before taxes and fees.'),
  lost: Money('Staked less paid out; below zero where more was won.'),
  balance: Money(
    'Deposited and paid out, less staked and withdrawn: what should be in the account, before the taxes and fees of these records.',
  ),
});

export const playerBalance = operation({
  id: 'playerBalance',
  method: 'POST',
  path: '/v1/player/balance',
  tag: 'Players',
  area: 'records',
  summary: 'Get the balance of a player',
  description:
    'The sums that a player deposited, staked, was paid and withdrew, by currency, over all records of a customer who is known by one of the values. The values are sent in the body, so that no proxy logs them.',
  audience: ['psp', 'client'],
  roles,
  standing: 'any',
  body: Type.Object({
    subjects: PlayerSubjects,
    from: Type.Optional(Time('First moment; default: all records.')),
    until: Type.Optional(Time('Moment after the last; default: all records.')),
    clientId: Type.Optional(Id('Only the records of this operator.')),
  }),
  content: Named('PlayerBalances', "A player's sums.", {
    balances: Type.Array(PlayerBalanceLine, { description: 'One for each currency; empty without records.' }),
    archivedBefore: Type.Optional(
      Type.String({ description: 'Records made before this day (UTC) are in the archive and not counted.' }),
    ),
  }),
  example: { subjects: exampleSubjects },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'subjects'> & HasAccounts) {
    const { principal, body, now } = call;
    const { psp } = principal;
    const account = await listedClient(s, call, body.clientId);
    const hashes = playerHashes(s, psp, body.subjects);
    const until = body.until ?? '9999-12-31T23:59:59Z';
    const { fromAt, untilAt } = readSpan(body.from ?? '2000-01-01T00:00:00Z', until, now);
    const range = { from: fromAt, to: untilAt ?? until, account };
    const [lines, archived] = await Promise.all([balances(s.db, psp, hashes, range), archivedBefore(s.db)]);
    return {
      message: 'balance',
      content: { balances: lines.map(shown), ...(archived === undefined ? {} : { archivedBefore: archived }) },
    };
  },
});

const shown = (b: Balance) => ({
  currency: b.currency,
  deposits: b.deposits,
  deposited: wireSum(b.deposited),
  wagers: b.wagers,
  staked: wireSum(b.staked),
  payouts: b.payouts,
  paidOut: wireSum(b.paidOut),
  withdrawals: b.withdrawals,
  withdrawn: wireSum(b.withdrawn),
  lost: wireSum(differenceOf(b.staked, b.paidOut)),
  balance: wireSum(differenceOf(sumOf([b.deposited, b.paidOut]), sumOf([b.staked, b.withdrawn]))),
});
