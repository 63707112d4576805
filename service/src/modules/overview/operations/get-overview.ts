// Current activity at a glance: of all PSPs for the operator, of itself and its clients for a PSP, of itself for a
// client.
import { notFound } from '../../../core/refusal.ts';
import { licenceActivities } from '../../../core/requirements/requirement.ts';
import { findAccount, type HasAccounts, listedClient, livePsps } from '../../accounts/index.ts';
import { type Call, Extended, Money, Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { timeZoneOf } from '../../kernel/report-period.ts';
import { overview, type Scope } from '../overview.ts';

const counts = {
  approved: Type.Integer(),
  declined: Type.Integer({ description: 'Number of declined transactions.' }),
  pending: Type.Integer(),
};
const line = {
  currency: Type.String(),
  ...counts,
  chargedBack: Type.Integer({ description: 'Number of chargebacks; their transactions also count as approved.' }),
  wagers: Type.Integer(),
  payouts: Type.Integer(),
  gross: Money('Gross amount of approved transactions, the sum of the next five figures.'),
  vat: Money(),
  processingFee: Money(),
  transactionFee: Money(),
  transactionVat: Money(),
  net: Money(),
  chargedBackAmount: Money('Sum of what was charged back, less what was reversed.'),
  stakes: Money('Sum of the wagers.'),
  winnings: Money('Sum of the payouts.'),
};
const OrNull = <T extends Type.TSchema>(t: T, description: string) => Type.Union([t, Type.Null()], { description });

const OverviewAmounts = Named('OverviewAmounts', 'Numbers and sums of one currency.', line);

export const getOverview = operation({
  id: 'getOverview',
  method: 'GET',
  path: '/v1/overview',
  tag: 'Overview',
  summary: 'Activity of the last days, and what needs attention',
  description:
    'Sums of the last days from daily totals, which may lag by a second, and counts of the last minutes. Amounts of different currencies are never added: each currency has its own line. A day is a local day of the country whose taxes apply; days without records have no line.',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({ description: 'Number of days up to today, 1 to 366; default 30.', minimum: 1, maximum: 366 }),
    ),
  }),
  content: Named('Overview', 'Recent activity, and what needs attention.', {
    scope: Type.Enum(['operator', 'psp', 'client'], {
      description: 'Scope of the figures; operator: every PSP.',
    }),
    at: Type.String({ description: 'When the figures were read, ISO 8601 UTC.' }),
    period: Named('OverviewPeriod', 'The days the sums cover.', {
      from: Type.String({ description: 'First day.' }),
      to: Type.String({ description: 'Last day.' }),
      days: Type.Integer({ description: 'Number of days.' }),
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
        timeZone: Type.String({ description: 'Time zone of its days.' }),
      }),
      {
        description: 'By country and currency.',
      },
    ),
    entriesBehind: Type.Integer({ description: 'Journal entries that are not in the daily totals yet.' }),
    recent: Type.Object(
      {
        from: Type.String({ description: 'When they begin, ISO 8601 UTC.' }),
        to: Type.String({ description: 'When they end, ISO 8601 UTC.' }),
        ...counts,
        minutes: Type.Array(
          Named('OverviewMinute', 'Transactions of a minute.', {
            at: Type.String({ description: 'When the minute begins, ISO 8601 UTC.' }),
            ...counts,
          }),
          {
            description: 'By minute; minutes without transactions are omitted.',
          },
        ),
      },
      {
        $id: 'RecentTransactions',
        description:
          'Transactions of the last 15 minutes in their current state. At most the newest 10,000; `from` is then the time of the oldest of these.',
      },
    ),
    attention: Named('Attention', 'Numbers of things that need attention.', {
      openReviews: OrNull(Type.Integer(), "Open reviews; null for a client's key."),
      openCases: OrNull(Type.Integer(), "Cases that are not closed; null for a client's key."),
      overdueCases: OrNull(Type.Integer(), "Open cases that are past their due date; null for a client's key."),
      openMatches: OrNull(
        Type.Integer(),
        "Matches of lists that nobody has made an exception of; null for a client's key.",
      ),
      disputesDue: Type.Integer({ description: 'Open disputes whose evidence is due within 7 days.' }),
      endingLicences: Type.Array(
        Named('EndingLicence', 'An accepted licence that ends within 30 days.', {
          pspId: Type.String(),
          clientId: Type.String(),
          clientName: OrNull(Type.String(), 'Name of the client.'),
          activity: Type.Enum(licenceActivities, { description: 'Business that it permits.' }),
          validUntil: Type.String({ description: "Last day, in the client's country." }),
        }),
        { description: 'The licences that end first, at most 10. One that has ended is a hold of its client.' },
      ),
      openProposals: OrNull(
        Type.Integer(),
        "Proposals that wait for a second person: the PSP's own, for an operator all; null for a client's key.",
      ),
      backgroundProcesses: OrNull(
        Type.Integer(),
        'Running processes that deliver webhooks, make reports, process call detail files and keep totals; at 0 none of this happens. Null unless the caller is the operator.',
      ),
      failingWebhooks: Type.Integer({ description: 'Active addresses whose last attempt failed.' }),
      disabledWebhooks: Type.Integer({ description: 'Addresses that were disabled because they failed for too long.' }),
      exhaustedDeliveries: Type.Integer({
        description: 'Deliveries whose attempts all failed; they can be sent again.',
      }),
      cdrFilesInWork: Type.Integer({ description: 'Call detail files in progress.' }),
      cdrLinesInSuspense: Type.Integer({ description: 'Rejected lines of call detail files that are still open.' }),
      unsealedEntries: Type.Integer({ description: 'Journal entries that are not sealed yet.' }),
      sealingLagS: Type.Integer({
        description: 'Age in seconds of the oldest entry that is not sealed; 0 if all are.',
      }),
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
  if (principal.kind === 'authority') throw notFound();
  const account = await listedClient(s, call);
  const concerned = await findAccount(s.db, principal.psp, account ?? principal.account);
  if (!concerned) throw notFound();
  return { kind: principal.kind, psps: [principal.psp], account, timeZone: timeZoneOf(s, concerned.country) };
}
