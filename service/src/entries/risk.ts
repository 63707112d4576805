// The risk book: entries about its rules, and about what a PSP has switched on of it.
import { Reason } from './accounts.ts';
import { entry } from './define.ts';
import { Named, Type } from './schema.ts';

export const riskEntries = {
  'risk_rules.changed/1': entry('Rules of the risk book were put in force.', {
    data: Named('RiskRulesChange', 'The rules of the risk book that were put in force.', {
      rules: Type.Array(
        Named('RiskRuleInForce', 'A rule of the risk book that was put in force.', {
          id: Type.String({ description: 'Id of the rule.' }),
          version: Type.Integer({ description: 'Version of the rule.' }),
          hash: Type.String({ description: 'SHA-256 of its JSON text, in hex.' }),
          origin: Type.Enum(['shipped', 'operator'], {
            description: 'shipped: it came with the service. operator: two people put it in force.',
          }),
        }),
        { description: 'The rules, each superseding its version before.' },
      ),
    }),
    evidence: Named('RiskRulesEvidence', 'Why rules were changed.', {
      reason: Type.String(),
      proposalId: Type.Optional(Type.String({ description: 'The proposal that was approved, `prp_…`.' })),
      proposedBy: Type.Optional(Type.String({ description: 'Who proposed it: `usr_…`, `key_…`.' })),
    }),
  }),
  'risk_policy.changed/1': entry('A PSP changed which rules of the risk book decline its transactions.', {
    data: Named('RiskPolicyChange', 'The rules that decline transactions of a PSP.', {
      pspId: Type.String(),
      version: Type.Integer({ description: 'Counts the changes of the policy, from 1.' }),
      declining: Type.Array(Type.String(), { description: 'Ids of the rules.' }),
      holding: Type.Optional(
        Type.Array(Type.String(), { description: 'Ids of the rules that place holds, where there are any.' }),
      ),
    }),
    evidence: Reason,
  }),
};
