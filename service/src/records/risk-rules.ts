// Rules of the risk book by version, which of them a PSP lets decline and hold, and what they matched.
import {
  accountId,
  bool,
  change,
  defineRecord,
  insert,
  int4,
  json,
  numeric,
  optional,
  pspId,
  put,
  text,
  textOf,
  timestamptz,
  uuid,
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
    /** Ids of rules that put clients on hold. */
    holding: json<readonly string[]>(),
  },
  writes: { risk_policies: insert },
});

/** Written with a decision that a rule declined; all others by the reader of the journal. */
export const riskMatches = defineRecord({
  table: 'risk_matches',
  key: ['psp_id', 'record_id', 'rule', 'version'],
  columns: {
    psp_id: pspId,
    record_id: uuid,
    rule: text,
    version: int4,
    operation: text,
    account_id: accountId,
    /** Whether it was a proposed version, which has no effect. */
    shadow: bool,
    currency: text,
    amount: numeric,
    /** JSON: values by name. */
    counters: text,
    matched_at: timestamptz,
  },
  // A record that is decided again may be declined by the same rule again.
  writes: { risk_matches: put('currency', 'amount', 'counters', 'matched_at') },
});
