// POST /v1/admin/risk-rule/check: what is wrong with a rule. Records nothing.
import { Type } from 'typebox';
import { exactJson } from '../../../core/json.ts';
import { Named, type Needs, operation } from '../../kernel/operation.ts';
import type { HasRiskBook } from '../book-keeper.ts';
import { RuleDocument } from '../rule-document.ts';

export const checkRiskRule = operation({
  id: 'checkRiskRule',
  method: 'POST',
  path: '/v1/admin/risk-rule/check',
  tag: 'Risk rules',
  area: 'administration',
  summary: 'Check a rule of the risk book',
  description: 'Says what is wrong with a rule, before it is proposed with openProposal. Nothing is recorded.',
  audience: ['operator'],
  roles: ['administrator', 'reviewer'],
  standing: 'any',
  idempotent: true,
  body: Type.Object({ rule: RuleDocument }),
  content: Named('RiskRuleCheck', 'The problems of a rule.', {
    problems: Type.Array(Type.String(), {
      description: 'Each problem with its field, or with the line and column of the condition; empty if there is none.',
    }),
  }),
  example: { rule: { id: 'LARGE_DEPOSIT', version: 1 } },
  async handle({ body }, s: HasRiskBook & Needs<'db'>) {
    const { problems } = await s.riskBook.problemsOfNext(s.db, JSON.parse(exactJson(body.rule)));
    return {
      message: problems.length === 0 ? 'the rule can be proposed' : 'the rule has problems',
      content: { problems: problems.map(String) },
    };
  },
});
