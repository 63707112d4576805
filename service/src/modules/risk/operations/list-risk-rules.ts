// GET /v1/risk-rule: the rules of the risk book in force.
import { Type } from 'typebox';
import { notFound } from '../../../core/refusal.ts';
import { severities } from '../../../core/risk/review.ts';
import { riskActions } from '../../../core/risk/rule.ts';
import { livePsps } from '../../accounts/index.ts';
import { Named, type Needs, Nullable, operation } from '../../kernel/operation.ts';
import { liveRules, type StoredRule, versionsOf } from '../book-store.ts';
import { RuleDocument } from '../rule-document.ts';
import { matchCounts } from '../watch-store.ts';

const countedDays = 30;

export const listRiskRules = operation({
  id: 'listRiskRules',
  method: 'GET',
  path: '/v1/risk-rule',
  tag: 'Risk rules',
  area: 'records',
  summary: 'Rules of the risk book in force',
  description:
    'Rules that records are checked with after they were recorded. `matches` counts the records that a version matched within 30 days: the records of the PSP, or those of all PSPs for an operator.',
  audience: ['psp', 'operator'],
  query: Type.Object({
    id: Type.Optional(Type.String({ description: 'Every version of this rule, newest first.', maxLength: 60 })),
  }),
  content: Named('RiskRuleList', 'Rules of the risk book.', {
    items: Type.Array(
      Named('RiskRule', 'A version of a rule of the risk book.', {
        id: Type.String({ description: 'Id of the rule.' }),
        version: Type.Integer({ description: 'Counts the versions of the rule, from 1.' }),
        severity: Type.Enum(severities, { description: 'Severity of the alerts that it opens.' }),
        action: Type.Enum(riskActions, {
          description:
            'observe: matches are counted. review: a match opens a review. hold, holdWallet, decline: as observe, until a PSP switches the rule on (setRiskPolicy).',
        }),
        reason: Type.String({ description: 'Reason shown to reviewers; never shown to a client.' }),
        rule: RuleDocument,
        origin: Type.Enum(['shipped', 'operator'], { description: 'Whether it came with the service.' }),
        recordedAt: Type.String({ description: 'When it was put in force, ISO 8601 UTC.' }),
        supersededAt: Nullable(Type.String(), 'When the next version was put in force; null while it is in force.'),
        matches: Type.Integer({ description: 'Records that it matched within 30 days.' }),
      }),
    ),
  }),
  refusals: ['NOT_FOUND'],
  async handle({ principal, query, now }, s: Needs<'db'>) {
    const rules = query.id === undefined ? await liveRules(s.db) : await versionsOf(s.db, query.id);
    if (query.id !== undefined && rules.length === 0) throw notFound();
    const psps = principal.kind === 'operator' ? await livePsps(s.db) : [principal.psp];
    const since = new Date(now - countedDays * 86_400_000).toISOString().slice(0, 10);
    const counts = new Map((await matchCounts(s.db, psps, since)).map((c) => [`${c.rule} ${c.version}`, c.matches]));
    return { message: 'risk rules', content: { items: rules.map((r) => shown(r, counts)) } };
  },
});

const shown = (r: StoredRule, counts: ReadonlyMap<string, number>) => ({
  id: r.id,
  version: r.version,
  severity: r.rule.severity,
  action: r.rule.action,
  reason: r.rule.reason,
  rule: r.rule,
  origin: r.origin,
  recordedAt: r.recordedAt,
  supersededAt: r.supersededAt,
  matches: counts.get(`${r.id} ${r.version}`) ?? 0,
});
