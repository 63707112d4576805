// Fee rows set by staff. They belong to no PSP, or name theirs in the rule.
import { change, column, defineRecord, insert } from './define.ts';

export const feeRules = defineRecord({
  table: 'fee_rules',
  key: ['fee_id'],
  columns: {
    fee_id: column.text,
    rule: column.text,
    recorded_at: column.timestamptz,
    superseded_at: column.optional(column.timestamptz),
  },
  writes: { fee_rules: insert, fee_ends: change('superseded_at') },
});
