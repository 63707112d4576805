// Rules of the risk book by version, and which of them a PSP lets decline.
import {
  accountId,
  change,
  defineRecord,
  insert,
  int4,
  json,
  optional,
  pspId,
  text,
  textOf,
  timestamptz,
} from './define.ts';

/** They belong to no PSP, or name theirs in the rule. */
export const riskRules = defineRecord({
  table: 'risk_rules',
  key: ['id', 'version'],
  columns: {
    id: text,
    version: int4,
    rule: text,
    origin: textOf<'shipped' | 'operator'>(),
    actor: text,
    recorded_at: timestamptz,
    superseded_at: optional(timestamptz),
  },
  // A version ends before the next one is put in: of each rule one is in force.
  writes: { risk_rule_ends: change('superseded_at'), risk_rules: insert },
});

export const riskPolicies = defineRecord({
  table: 'risk_policies',
  key: ['psp_id', 'version'],
  columns: {
    psp_id: pspId,
    version: int4,
    account_id: accountId,
    /** Ids of rules. */
    declining: json<readonly string[]>(),
    reason: text,
    set_by: text,
    created_at: timestamptz,
  },
  writes: { risk_policies: insert },
});
