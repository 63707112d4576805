// POST /v1/risk-policy: switch on the rules that decline records of the PSP, and those that place holds.
import { Type } from 'typebox';
import { toWire } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { holdingActions, type RiskAction, type RiskRule } from '../../../core/risk/rule.ts';
import { said } from '../../../core/said.ts';
import { expectState } from '../../kernel/condition.ts';
import { journalRow, row } from '../../kernel/journal.ts';
import { type Needs, operation, Reason } from '../../kernel/operation.ts';
import { recordIn } from '../../kernel/record-in.ts';
import { form } from '../../kernel/text-forms.ts';
import type { HasRiskBook } from '../book-keeper.ts';
import { liveRules, lockPolicy, policyColumns, policyOf, type RiskPolicy } from '../book-store.ts';
import { RiskPolicyResource, riskPolicyResource, riskPolicyState } from '../policy-resource.ts';

const rulesOf = (description: string) =>
  Type.Array(
    Type.String({
      ...form(
        '^[A-Z][A-Z0-9_]{2,59}$',
        "the name of a rule: 3 to 60 capital letters, digits and '_', the first a letter",
      ),
      maxLength: 60,
    }),
    { maxItems: 50, description },
  );

export const setRiskPolicy = operation({
  id: 'setRiskPolicy',
  method: 'POST',
  path: '/v1/risk-policy',
  tag: 'Risk rules',
  area: 'records',
  summary: 'Switch on the rules that decline and hold for the PSP',
  description:
    'Replaces the lists. `declining` takes rules with the action `decline`, `holding` those with `hold` or `holdWallet`; until they are switched on they only count what they match. A transaction that a declining rule matches is DECLINED with the public code of the rule, a wager is refused, and a payout is recorded and opens a review. A holding rule opens a review and puts the client, or the wallet of the record, on hold after the record, until two people release it from the case. Counters of a decision include every transaction and wager that the PSP committed before it, so that of two at one moment the second sees the first; payouts and chargebacks of that very moment may be missing. A window ends with a whole step (5 minutes, an hour, a day), and entries of lists are at most a second behind.',
  audience: ['psp'],
  ofPsp: true,
  roles: ['administrator'],
  body: Type.Object({
    declining: rulesOf('Ids of the rules that decline; empty to decline nothing.'),
    holding: Type.Optional(
      rulesOf('Ids of the rules that put clients or wallets on hold. As it was if it is not sent.'),
    ),
    reason: Reason,
  }),
  content: RiskPolicyResource,
  example: { declining: ['CHAIN_HASH_TWICE'], reason: 'transfers were credited twice' },
  conditional: 'getRiskPolicy',
  refusals: ['FIELD_INVALID'],
  async handle({ principal, body, now, condition }, s: Needs<'ids' | 'db' | 'committer'> & HasRiskBook) {
    const { psp } = principal;
    const declining = [...new Set(body.declining)].sort();
    const rules = (await liveRules(s.db)).map((r) => r.rule);
    expectAble(rules, 'declining', ['decline'], declining);
    // What was switched on before may have become another rule since.
    if (body.holding) expectAble(rules, 'holding', holdingActions, body.holding);
    const { policy, replayed } = await s.db.transaction(async (tx) => {
      await lockPolicy(tx, psp);
      const before = await policyOf(tx, psp);
      const holding = body.holding ? [...new Set(body.holding)].sort() : (before?.holding ?? []);
      if (before && JSON.stringify([before.declining, before.holding]) === JSON.stringify([declining, holding]))
        return { policy: before, replayed: true };
      expectState(condition, riskPolicyState(psp, before));
      const at = new Date(now).toISOString();
      const after: RiskPolicy = {
        psp,
        version: (before?.version ?? 0) + 1,
        account: psp,
        declining,
        holding,
        reason: body.reason,
        setBy: principal.actor,
        createdAt: at,
      };
      await recordIn(tx, s, {
        rows: [
          row('risk_policies', policyColumns(after)),
          journalRow(s, principal, at, {
            kind: 'risk_policy.changed',
            psp,
            account: psp,
            resourceId: psp,
            version: after.version,
            data: {
              ...{ pspId: toWire('psp', psp), version: after.version, declining },
              ...(holding.length === 0 ? {} : { holding }),
            },
            evidence: { reason: body.reason },
          }),
        ],
      });
      return { policy: after, replayed: false };
    });
    if (!replayed) await s.riskBook.refresh();
    return {
      message: replayed ? 'the policy is as it was' : 'the policy is in force',
      content: riskPolicyResource(psp, policy),
      replayed,
      state: riskPolicyState(psp, policy),
    };
  },
});

/** @throws FIELD_INVALID for a rule that cannot do so */
function expectAble(
  rules: readonly RiskRule[],
  field: string,
  actions: readonly RiskAction[],
  asked: readonly string[],
): void {
  const able = rules.filter((r) => actions.includes(r.action)).map((r) => r.id);
  const unable = asked.find((id) => !able.includes(id));
  if (unable !== undefined)
    throw refuse(
      'FIELD_INVALID',
      said`the field '${field}' names '${unable.slice(0, 60)}', which is no rule in force that can ${actions[0] ?? ''}; these can: ${able.join(', ')}`,
    );
}
