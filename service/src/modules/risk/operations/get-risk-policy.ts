// GET /v1/risk-policy: the rules that decline transactions of the PSP.
import { type Needs, operation } from '../../kernel/operation.ts';
import { policyOf } from '../book-store.ts';
import { RiskPolicyResource, riskPolicyResource, riskPolicyState } from '../policy-resource.ts';

export const getRiskPolicy = operation({
  id: 'getRiskPolicy',
  method: 'GET',
  path: '/v1/risk-policy',
  tag: 'Risk rules',
  area: 'records',
  summary: 'Rules that decline transactions of the PSP',
  description: 'None until the PSP switches some on with setRiskPolicy.',
  audience: ['psp'],
  content: RiskPolicyResource,
  conditional: true,
  async handle({ principal: { psp } }, s: Needs<'db'>) {
    const policy = await policyOf(s.db, psp);
    return { message: 'risk policy', content: riskPolicyResource(psp, policy), state: riskPolicyState(psp, policy) };
  },
});
