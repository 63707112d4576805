// What is going on, at a glance: of all PSPs for the operator, of itself and its clients for a PSP, of itself for a client.
import { Type } from 'typebox';
import { notFound } from '../../../core/refusal.ts';
import { findAccount, type HasAccounts, listedClient, livePsps } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, Extended, Money, Named, operation } from '../../kernel/operation.ts';
import { timeZoneOf } from '../../kernel/report-period.ts';
import { overview, type Scope } from '../overview.ts';

const counts = {
  approved: Type.Integer(),
  declined: Type.Integer(),
  pending: Type.Integer(),
};
const line = {
  currency: Type.String(),
  ...counts,
  chargedBack: Type.Integer({ description: 'Chargebacks filed; their transactions stand among approved as well.' }),
  wagers: Type.Integer(),
  payouts: Type.Integer(),
  gross: Money('Of approved transactions, as are the five figures it is made of.'),
  vat: Money(),
  processingFee: Money(),
  transactionFee: Money(),
  transactionVat: Money(),
  net: Money(),
  chargedBackAmount: Money(),
  stakes: Money('Of wagers.'),
  winnings: Money('Of payouts.'),
};
const OrNull = <T extends Type.TSchema>(t: T, description: string) => Type.Union([t, Type.Null()], { description });

const OverviewAmounts = Named('OverviewAmounts', 'Numbers and sums of one currency.', line);

export const getOverview = operation({
  id: 'getOverview',
  method: 'GET',
  path: '/v1/overview',
  tag: 'Overview',
  summary: 'What is going on, and what wants attention',
  description:
    'Sums of the last days from daily totals, which may be a second behind, and counts of the last minutes. Amounts of different currencies are never added: there is a line for each. Days are local ones of the country that decided; without lines there was nothing.',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({ description: 'Days up to today, 1 to 366; 30 without it.', minimum: 1, maximum: 366 }),
    ),
  }),
  content: Named('Overview', 'What is going on, and what needs attention.', {
    scope: Type.Enum(['operator', 'psp', 'client'], { description: 'operator: of every PSP.' }),
    at: Type.String(),
    period: Named('OverviewPeriod', 'The days that the sums are of.', {
      from: Type.String(),
      to: Type.String(),
      days: Type.Integer(),
    }),
    counts: Named('OverviewCounts', 'Numbers of records of the period, over all currencies.', {
      ...counts,
      chargedBack: Type.Integer(),
      wagers: Type.Integer(),
      payouts: Type.Integer(),
    }),
    amounts: Type.Array(OverviewAmounts, {
      description: 'The whole period, by currency.',
    }),
    byDay: Type.Array(
      Extended(OverviewAmounts, 'OverviewDay', 'Numbers and sums of a day and currency.', { day: Type.String() }),
      { description: 'By day and currency.' },
    ),
    byCountry: Type.Array(
      Extended(OverviewAmounts, 'OverviewCountry', 'Numbers and sums of a country and currency.', {
        countryCode: Type.String(),
      }),
      {
        description: 'By country and currency.',
      },
    ),
    entriesBehind: Type.Integer({ description: 'Journal entries that daily totals have not come to yet.' }),
    recent: Type.Object(
      {
        from: Type.String(),
        to: Type.String(),
        ...counts,
        minutes: Type.Array(Named('OverviewMinute', 'Transactions of a minute.', { at: Type.String(), ...counts }), {
          description: 'By minute; those without transactions are not there.',
        }),
      },
      {
        $id: 'RecentTransactions',
        description:
          'Transactions made in the last 15 minutes, as they stand; the newest 10,000 at most, in which case `from` is when those begin.',
      },
    ),
    attention: Named('Attention', 'What somebody should look at.', {
      openReviews: OrNull(Type.Integer(), "Null for a client's key: reviews are not for it."),
      openProposals: OrNull(Type.Integer(), 'Changes of rates that wait for approval; null but for the operator.'),
      failingWebhooks: Type.Integer({ description: 'Active addresses whose last attempt failed.' }),
      disabledWebhooks: Type.Integer(),
      exhaustedDeliveries: Type.Integer({ description: 'Given up; they can be sent again.' }),
      cdrFilesInWork: Type.Integer(),
      cdrLinesInSuspense: Type.Integer({ description: 'Lines of call detail files kept out and still open.' }),
      unsealedEntries: Type.Integer({ description: 'Journal entries that wait for the seal.' }),
      sealingLagS: Type.Integer({ description: 'Age in seconds of the oldest of them; 0 where there is none.' }),
    }),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'reference' | 'rates'> & HasAccounts) {
    const content = await overview(s, await scopeOf(s, call), call.query.days ?? 30, call.now);
    return { message: 'overview', content };
  },
});

async function scopeOf(s: Needs<'db' | 'reference' | 'rates'> & HasAccounts, call: Call): Promise<Scope> {
  const { principal } = call;
  if (principal.kind === 'operator')
    return { kind: 'operator', psps: await livePsps(s.db), account: undefined, timeZone: 'UTC' };
  const account = await listedClient(s, call, undefined);
  const concerned = await findAccount(s.db, principal.psp, account ?? principal.account);
  if (!concerned) throw notFound();
  return { kind: principal.kind, psps: [principal.psp], account, timeZone: timeZoneOf(s, concerned.country) };
}
