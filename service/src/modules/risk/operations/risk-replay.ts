// GET /v1/admin/proposal/:proposalId/replay: what a proposed risk rule would have matched in a past period.

import { Type } from 'typebox';
import { dayMs } from '../../../core/calendar.ts';
import { accountWire, toWire } from '../../../core/ids.ts';
import { wireNumber } from '../../../core/money.ts';
import { refuse } from '../../../core/refusal.ts';
import { said } from '../../../core/said.ts';
import { wireSum } from '../../../core/sums.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { recordAsked } from '../../kernel/asked.ts';
import { Day, Money, Named, type Needs, Nullable, operation } from '../../kernel/operation.ts';
import type { HasRiskBook } from '../book-keeper.ts';
import { findProposedRule } from '../book-store.ts';
import { mostEntries, replay } from '../replay.ts';

const longestDays = 92;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const Records = Named('RiskReplayRecords', 'Records by currency.', {
  records: Type.Integer({ description: 'Number of records.' }),
  lines: Type.Array(
    Named('RiskReplayLine', 'Records in a currency.', {
      currency: Type.String(),
      records: Type.Integer({ description: 'Number of records.' }),
      amount: Money('Sum of their amounts.'),
    }),
    { description: 'By currency.' },
  ),
});

export const riskReplay = operation({
  id: 'riskReplay',
  method: 'GET',
  path: '/v1/admin/proposal/:proposalId/replay',
  tag: 'Risk rules',
  area: 'administration',
  summary: 'Effect of a proposed risk rule on a past period',
  description: `Evaluates the proposed version and the one before it over the journals of all PSPs but test ones, by days in UTC, with counters filled from the 30 days before; nothing is recorded. At most ${longestDays} days, and at most ${mostEntries} entries: where there are more, \`complete\` is false. The same period gives the same \`hash\` while clients keep their classification, country and standing.`,
  audience: ['operator'],
  query: Type.Object({
    from: Type.Optional(Day('First day; 29 days before the last one without it.')),
    to: Type.Optional(Day('Last day; today without it.')),
  }),
  content: Named('RiskReplay', 'Effect of a proposed risk rule on a past period.', {
    proposalId: Type.String(),
    rule: Type.String({ description: 'Id of the rule.' }),
    version: Type.Integer({ description: 'The proposed version.' }),
    comparedWith: Nullable(Type.Integer(), 'The version that it supersedes; null for a new rule.'),
    from: Type.String({ description: 'First day, `YYYY-MM-DD`.' }),
    to: Type.String({ description: 'Last day.' }),
    entries: Type.Integer({ description: 'Entries of the journal that were read.' }),
    complete: Type.Boolean({ description: 'Whether all of the period was read.' }),
    looked: Type.Integer({ description: 'Records of the period, each revision by itself.' }),
    failures: Type.Integer({ description: 'Times a condition could not be evaluated; it then matches nothing.' }),
    newlyMatched: Records,
    noLongerMatched: Records,
    stillMatched: Records,
    examples: Type.Array(
      Named('RiskReplayExample', 'A record that only one of the versions matches.', {
        change: Type.Enum(['new', 'gone'], {
          description: 'new: by the proposed version only. gone: by the other only.',
        }),
        recordId: Type.String({ description: 'Id of the transaction, wager or payout.' }),
        operation: Type.String({ description: 'The operation that made the record.' }),
        pspId: Type.String(),
        clientId: Type.String(),
        currency: Type.String(),
        amount: Money('Amount of the record.'),
        at: Type.String({ description: 'When it was decided, ISO 8601 UTC.' }),
      }),
      { description: 'The first ten.' },
    ),
    hash: Type.String({ description: 'SHA-256 over all records that either version matches, in hex.' }),
  }),
  refusals: ['NOT_FOUND'],
  async handle({ params, query, now, isAwaited }, s: Needs<'db'> & HasAccounts & HasRiskBook) {
    const proposed = await recordAsked('proposal', params.proposalId, (id) => findProposedRule(s.db, id));
    const to = query.to === undefined ? Math.floor(now / dayMs) * dayMs : Date.parse(`${query.to}T00:00:00Z`);
    const from = query.from === undefined ? to - 29 * dayMs : Date.parse(`${query.from}T00:00:00Z`);
    if (!(from <= to) || to - from >= longestDays * dayMs)
      throw refuse(
        'QUERY_INVALID',
        said`the query parameters 'from' and 'to' are days, at most ${longestDays} of them, the first not after the last`,
      );
    const r = await replay(s, proposed, from, to + dayMs, mostEntries, s.db, isAwaited);
    return {
      message: r.complete ? 'the effect on the whole period' : `the effect on the first ${r.entries} entries`,
      content: {
        proposalId: params.proposalId,
        rule: r.rule,
        version: r.version,
        comparedWith: r.comparedWith,
        from: dayOf(from),
        to: dayOf(to),
        entries: r.entries,
        complete: r.complete,
        looked: r.looked,
        failures: r.failures,
        newlyMatched: shown(r.newly),
        noLongerMatched: shown(r.gone),
        stillMatched: shown(r.same),
        examples: r.examples.map(({ change, event: e }) => ({
          change,
          recordId: toWire(recordKind(e.operation), e.record),
          operation: e.operation,
          pspId: toWire('psp', e.psp),
          clientId: accountWire(e.psp, e.account),
          currency: e.currency,
          amount: wireNumber(e.amount),
          at: new Date(e.at).toISOString(),
        })),
        hash: r.hash,
      },
    };
  },
});

const recordKind = (operation: string) =>
  operation === 'captureWager' ? 'wager' : operation === 'capturePayout' ? 'payout' : 'transaction';

type Tally = Awaited<ReturnType<typeof replay>>['newly'];
const shown = (t: Tally) => ({
  records: t.records,
  lines: t.lines().map((l) => ({ ...l, amount: wireSum(l.amount) })),
});
