// Matches with entries of lists. What was compared is sealed.
import type { ListMatch } from '../core/screening/match.ts';
import { column, defineRecord, put } from './define.ts';

export const listMatches = defineRecord({
  table: 'list_matches',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    id: column.uuid,
    account_id: column.accountId,
    transaction_id: column.optional(column.transactionId),
    what: column.textOf<ListMatch['what']>(),
    /** The client's id, or the keyed hash of the customer or wallet. */
    about: column.text,
    /** Person under whose key `detail` is sealed; null if under the service's own. */
    subject: column.optional(column.text),
    list: column.text,
    shared: column.bool,
    ref: column.text,
    revision: column.int4,
    purpose: column.textOf<ListMatch['purpose']>(),
    score: column.int4,
    detail: column.text,
    state: column.textOf<ListMatch['state']>(),
    exception: column.optional(column.json<ListMatch['exception']>()),
    version: column.int4,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
  },
  writes: {
    list_matches: put('revision', 'score', 'detail', 'subject', 'state', 'exception', 'version', 'updated_at'),
  },
  vouched: true,
  journaled: true,
  resource: 'match',
});
