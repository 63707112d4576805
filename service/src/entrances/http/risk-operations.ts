// The operations on the risk book; a part of operations.ts.
import { checkRiskRule } from '../../modules/risk/operations/check-risk-rule.ts';
import { listRiskRules } from '../../modules/risk/operations/list-risk-rules.ts';

export const riskOperations = [listRiskRules, checkRiskRule] as const;
