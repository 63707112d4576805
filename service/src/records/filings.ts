// Returns that were filed with an authority. None is ever changed.
import type { FiledLine } from '../core/filing/adjust.ts';
import { column, defineRecord, insert } from './define.ts';

export interface FiledBox {
  readonly box: string;
  /** Null if the taxpayer filled it in. */
  readonly figure: string | null;
}

export const filings = defineRecord({
  table: 'filings',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    report_id: column.uuid,
    form: column.text,
    country: column.text,
    period: column.text,
    first_day: column.date,
    last_day: column.date,
    currency: column.text,
    payable: column.numeric,
    document_sha256: column.text,
    boxes: column.json<readonly FiledBox[]>(),
    lines: column.json<readonly FiledLine[]>(),
    reference: column.text,
    filed_on: column.date,
    filed_by: column.text,
    created_at: column.timestamptz,
  },
  writes: { filings: insert },
  vouched: true,
  resource: 'filing',
  journaled: true,
});
