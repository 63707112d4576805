// Fee rows set by staff. They belong to no PSP, or name theirs in the rule.
import { change, defineRecord, insert, optional, text, timestamptz } from './define.ts';

export const feeRules = defineRecord({
  table: 'fee_rules',
  key: ['fee_id'],
  columns: { fee_id: text, rule: text, recorded_at: timestamptz, superseded_at: optional(timestamptz) },
  writes: { fee_rules: insert, fee_ends: change('superseded_at') },
});
