// POST /v1/standing/preview: what a change of standing would have done to the decisions of the last 30 days.
import { toWire } from '../../../core/ids.ts';
import { wireNumber } from '../../../core/money.ts';
import { type StandingIdea, verdictUnder } from '../../../core/obstacles.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import { roles } from '../../../core/roles.ts';
import { operationalStandings, requiredLevel, trades, verificationLevels } from '../../../core/standing.ts';
import { sumOf } from '../../../core/sums.ts';
import { accountAsked, accountNames, clientId } from '../../accounts/index.ts';
import { Money, Named, type Needs, operation, Text, Time, Type } from '../../kernel/operation.ts';
import { type DecisionGroup, decisionGroups } from '../standing-preview.ts';

const days = 30;
const mostExamples = 10;
const verdicts = ['APPROVED', 'DECLINED'] as const;

export const previewStanding = operation({
  id: 'previewStanding',
  method: 'POST',
  path: '/v1/standing/preview',
  tag: 'Clients',
  area: 'records',
  summary: 'Preview a change of standing',
  description:
    'Returns the decisions of the last 30 days that would have been others, had the account been in this standing: a level, an operational standing, a hold from a moment on, no holds, or several of these. For a PSP: the decisions on all of its clients. Changes nothing. Transactions that their recorder declined are not counted.',
  audience: ['psp', 'operator'],
  roles,
  standing: 'any',
  idempotent: true,
  body: Type.Object({
    accountId: Text('The client or PSP, `cli_…` or `psp_…`.', 64),
    verificationLevel: Type.Optional(Type.Enum(verificationLevels)),
    operationalStanding: Type.Optional(Type.Enum(operationalStandings)),
    holdFrom: Type.Optional(Time('A blocking hold that begins then, ISO 8601.')),
    endHolds: Type.Optional(Type.Boolean({ description: 'True: without any of the holds that were in force.' })),
  }),
  content: Named('StandingPreview', 'Decisions that a change of standing would have turned.', {
    accountId: Type.String(),
    since: Type.String({ description: 'Start of the 30 days, ISO 8601 UTC.' }),
    decisions: Type.Integer({ description: 'Decisions that were looked at.' }),
    unknown: Type.Integer({
      description: 'Declines of earlier versions among them, of which it is not known what was in the way.',
    }),
    turned: Type.Array(
      Named('TurnedDecisions', 'Decisions of a currency that would have been others.', {
        to: Type.Enum(verdicts, { description: 'The verdict they would have had.' }),
        currency: Type.String(),
        count: Type.Integer({ description: 'Number of decisions.' }),
        totalAmount: Money('Their amounts together.'),
      }),
      { description: 'By verdict and currency; empty if nothing would have changed.' },
    ),
    examples: Type.Array(
      Named('TurnedDecision', 'A decision that would have been another.', {
        transactionId: Type.String(),
        clientId: Type.String(),
        registeredName: Type.String(),
        to: Type.Enum(verdicts, { description: 'The verdict it would have had.' }),
        totalAmount: Money(),
        currency: Type.String(),
        decidedAt: Type.String({ description: 'When it was decided, ISO 8601 UTC.' }),
      }),
      { description: 'The newest of them, at most 10.' },
    ),
  }),
  example: { accountId: 'cli_01h455vb4pex5vsknk084sn02q', operationalStanding: 'SUSPENDED' },
  refusals: ['NOT_FOUND'],
  async handle({ principal, onBehalfOf, body: b, now }, s: Needs<'settings' | 'db'>) {
    const { accountId, ...change } = b;
    if (Object.values(change).every((v) => v === undefined || v === false))
      throw refuse(
        'FIELD_REQUIRED',
        "one of the fields 'verificationLevel', 'operationalStanding', 'holdFrom' and 'endHolds' is required",
      );
    const account = await accountAsked(s, { principal, onBehalfOf }, accountId);
    if (!trades(account)) throw notFound();
    const holdFrom = b.holdFrom === undefined ? undefined : new Date(b.holdFrom).toISOString();
    const since = new Date(now - days * 86_400_000).toISOString();
    const { psp } = account;
    const groups = await decisionGroups(s.db, {
      psp,
      account: account.kind === 'psp' ? undefined : account.id,
      since,
      later: holdFrom ?? since,
    });
    const needed = requiredLevel(account, s.settings.requiredLevel);
    const verdictOf = (g: DecisionGroup) => {
      const idea: StandingIdea = { ...change, holdFrom, of: g.account === account.id ? 'ACCOUNT' : 'PSP' };
      // Groups are divided at the moment from which the hold would have been in force.
      return verdictUnder(idea, g.obstacles ?? [], needed, g.later ? (holdFrom ?? since) : '');
    };
    const unknown = groups.filter((g) => g.status === 'DECLINED' && !g.noted);
    // A decline without an obstacle was forced by a test ref.
    const known = groups.filter((g) => g.status === 'APPROVED' || (g.noted && g.obstacles !== null));
    const turned = known.map((g) => ({ ...g, to: verdictOf(g) })).filter((g) => g.to !== g.status);
    const sums = Map.groupBy(turned, (g) => `${g.to} ${g.currency}`);
    const examples = turned
      .flatMap((g) =>
        g.newest.map((t) => ({ ...t, clientId: clientId({ psp, id: g.account }), to: g.to, currency: g.currency })),
      )
      .sort((x, y) => (x.id < y.id ? 1 : -1))
      .slice(0, mostExamples);
    const names = await accountNames(
      s.db,
      psp,
      examples.map((e) => e.clientId),
    );
    return {
      message: turned.length === 0 ? 'it would have turned nothing' : 'what it would have turned',
      content: {
        accountId: clientId(account),
        since,
        decisions: [...known, ...unknown].reduce((n, g) => n + g.count, 0),
        unknown: unknown.reduce((n, g) => n + g.count, 0),
        turned: [...sums.values()]
          .map((of) => ({
            to: (of[0] as (typeof of)[number]).to,
            currency: (of[0] as (typeof of)[number]).currency,
            count: of.reduce((n, g) => n + g.count, 0),
            totalAmount: wireNumber(sumOf(of.map((g) => g.total))),
          }))
          .sort((x, y) => y.count - x.count || (x.currency < y.currency ? -1 : 1)),
        examples: examples.map((e) => ({
          transactionId: toWire('transaction', e.id),
          clientId: e.clientId,
          registeredName: names.get(e.clientId) ?? '',
          to: e.to,
          totalAmount: wireNumber(e.amount),
          currency: e.currency,
          decidedAt: e.at,
        })),
      },
    };
  },
});
