// Matches with entries of lists. What was compared is sealed.
import type { ListMatch } from '../core/screening/match.ts';
import {
  accountId,
  bool,
  defineRecord,
  int4,
  json,
  optional,
  pspId,
  put,
  text,
  textOf,
  timestamptz,
  transactionId,
  uuid,
} from './define.ts';

export const listMatches = defineRecord({
  table: 'list_matches',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    id: uuid,
    account_id: accountId,
    transaction_id: optional(transactionId),
    what: textOf<ListMatch['what']>(),
    /** The client's id, or the keyed hash of the customer or wallet. */
    about: text,
    /** Person under whose key `detail` is sealed; null if under the service's own. */
    subject: optional(text),
    list: text,
    shared: bool,
    ref: text,
    revision: int4,
    purpose: textOf<ListMatch['purpose']>(),
    score: int4,
    detail: text,
    state: textOf<ListMatch['state']>(),
    exception: optional(json<ListMatch['exception']>()),
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  writes: {
    list_matches: put('revision', 'score', 'detail', 'subject', 'state', 'exception', 'version', 'updated_at'),
  },
  vouched: true,
  told: true,
  resource: 'match',
});
