// What a client has shown of its owners and licences: one row for each client that has.
import type { Warned } from '../core/requirements/ending-document.ts';
import type { Licence } from '../core/requirements/licence.ts';
import { column, defineRecord, put } from './define.ts';

export const clientVerifications = defineRecord({
  table: 'client_verifications',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: column.pspId,
    /** The client's. */
    id: column.accountId,
    /** Percent of each owner; null if nothing was said of owners. */
    owner_shares: column.optional(column.json<readonly string[]>()),
    owners_sealed: column.optional(column.text),
    subject: column.optional(column.text),
    licences: column.json<readonly Licence[]>(),
    /** Day of the next warning that a licence ends. */
    warn_on: column.optional(column.date),
    version: column.int4,
    updated_at: column.timestamptz,
    /** Documents whose end was announced. */
    documents_warned: column.optional(column.json<Warned>()),
    /** Of each owner, in the order of the shares; null if nothing was said of owners. */
    owner_ids: column.optional(column.json<readonly string[]>()),
  },
  writes: {
    client_verifications: put(
      'owner_shares',
      'owner_ids',
      'owners_sealed',
      'subject',
      'licences',
      'warn_on',
      'version',
      'updated_at',
      'documents_warned',
    ),
  },
  vouched: true,
  resource: 'client',
  journaled: true,
});
