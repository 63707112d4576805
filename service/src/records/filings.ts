// Returns that were filed with an authority. None is ever changed.
import type { FiledLine } from '../core/filing/adjust.ts';
import { accountId, date, defineRecord, insert, json, numeric, pspId, text, timestamptz, uuid } from './define.ts';

export interface FiledBox {
  readonly box: string;
  /** Null if the taxpayer filled it in. */
  readonly figure: string | null;
}

export const filings = defineRecord({
  table: 'filings',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    report_id: uuid,
    form: text,
    country: text,
    period: text,
    first_day: date,
    last_day: date,
    currency: text,
    payable: numeric,
    document_sha256: text,
    boxes: json<readonly FiledBox[]>(),
    lines: json<readonly FiledLine[]>(),
    reference: text,
    filed_on: date,
    filed_by: text,
    created_at: timestamptz,
  },
  writes: { filings: insert },
  vouched: true,
  resource: 'filing',
  told: true,
});
