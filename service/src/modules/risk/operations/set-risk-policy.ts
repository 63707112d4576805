// POST /v1/risk-policy: switch on the rules that decline transactions of the PSP.
import { Type } from 'typebox';
import { toWire } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { journalRow, row } from '../../kernel/journal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation, Reason } from '../../kernel/operation.ts';
import { recordIn } from '../../kernel/record-in.ts';
import type { HasRiskBook } from '../book-keeper.ts';
import { liveRules, policyColumns, policyOf, type RiskPolicy } from '../book-store.ts';
import { RiskPolicyResource, riskPolicyResource } from '../policy-resource.ts';

export const setRiskPolicy = operation({
  id: 'setRiskPolicy',
  method: 'POST',
  path: '/v1/risk-policy',
  tag: 'Reviews',
  summary: 'Switch on the rules that decline transactions of the PSP',
  description:
    'Replaces the list. Only rules with the action `decline` can be switched on; until then they only count what they match. A transaction that one of them matches is DECLINED with the public code of the rule. Counters of a decision may be a second old.',
  audience: ['psp'],
  roles: ['administrator'],
  body: Type.Object({
    declining: Type.Array(Type.String({ pattern: '^[A-Z][A-Z0-9_]{2,59}$', maxLength: 60 }), {
      maxItems: 50,
      description: 'Ids of the rules; empty to decline nothing.',
    }),
    reason: Reason,
  }),
  content: RiskPolicyResource,
  example: { declining: ['CHAIN_HASH_TWICE'], reason: 'transfers were credited twice' },
  refusals: ['FIELD_INVALID', 'STATE_CONFLICT'],
  async handle({ principal, body, now }, s: Needs<'ids' | 'db' | 'committer'> & HasRiskBook) {
    const { psp } = principal;
    const declining = [...new Set(body.declining)].sort();
    const able = new Set((await liveRules(s.db)).filter((r) => r.rule.action === 'decline').map((r) => r.id));
    const unable = declining.find((id) => !able.has(id));
    if (unable !== undefined)
      throw refuse(
        'FIELD_INVALID',
        `the field 'declining' names '${unable.slice(0, 60)}', which is no rule in force that can decline; these can: ${[...able].join(', ')}`,
      );
    const before = await policyOf(s.db, psp);
    if (before && JSON.stringify(before.declining) === JSON.stringify(declining))
      return { message: 'the policy is as it was', content: riskPolicyResource(psp, before), replayed: true };
    const at = new Date(now).toISOString();
    const after: RiskPolicy = {
      psp,
      version: (before?.version ?? 0) + 1,
      account: psp,
      declining,
      reason: body.reason,
      setBy: principal.actor,
      createdAt: at,
    };
    await s.db
      .transaction((tx) =>
        recordIn(tx, s, {
          rows: [
            row('risk_policies', policyColumns(after)),
            journalRow(s, principal, at, {
              kind: 'risk_policy.changed',
              psp,
              account: psp,
              resourceId: psp,
              version: after.version,
              data: { pspId: toWire('psp', psp), version: after.version, declining },
              evidence: { reason: body.reason },
            }),
          ],
        }),
      )
      .catch((e: { code?: string }) => {
        throw e.code === '23505'
          ? refuse('STATE_CONFLICT', 'the policy was changed at the same moment; read it again')
          : e;
      });
    await s.riskBook.refresh();
    return { message: 'the policy is in force', content: riskPolicyResource(psp, after) };
  },
});
