// Rules of the risk book by version, which of them a PSP lets decline and hold, and what they matched.
import { change, column, defineRecord, insert, put } from './define.ts';

/** They belong to no PSP, or name theirs in the rule. */
export const riskRules = defineRecord({
  table: 'risk_rules',
  key: ['id', 'version'],
  columns: {
    id: column.text,
    version: column.int4,
    rule: column.text,
    origin: column.textOf<'shipped' | 'operator'>(),
    actor: column.text,
    recorded_at: column.timestamptz,
    superseded_at: column.optional(column.timestamptz),
  },
  // A version ends before the next one is put in: of each rule one is in force.
  writes: { risk_rule_ends: change('superseded_at'), risk_rules: insert },
});

export const riskPolicies = defineRecord({
  table: 'risk_policies',
  key: ['psp_id', 'version'],
  columns: {
    psp_id: column.pspId,
    version: column.int4,
    account_id: column.accountId,
    /** Ids of rules. */
    declining: column.json<readonly string[]>(),
    reason: column.text,
    set_by: column.text,
    created_at: column.timestamptz,
    /** Ids of rules that put clients on hold. */
    holding: column.json<readonly string[]>(),
  },
  writes: { risk_policies: insert },
});

/** Written with a decision that a rule declined; all others by the reader of the journal. */
export const riskMatches = defineRecord({
  table: 'risk_matches',
  key: ['psp_id', 'record_id', 'rule', 'version'],
  columns: {
    psp_id: column.pspId,
    record_id: column.uuid,
    rule: column.text,
    version: column.int4,
    operation: column.text,
    account_id: column.accountId,
    /** Whether it was a proposed version, which has no effect. */
    shadow: column.bool,
    currency: column.text,
    amount: column.numeric,
    /** JSON: values by name. */
    counters: column.text,
    matched_at: column.timestamptz,
  },
  // A record that is decided again may be declined by the same rule again.
  writes: { risk_matches: put('currency', 'amount', 'counters', 'matched_at') },
});
