// What a client has shown of its owners and licences: one row for each client that has.
import type { Licence } from '../core/requirements/licence.ts';
import { accountId, date, defineRecord, int4, json, optional, pspId, put, text, timestamptz } from './define.ts';

export const clientVerifications = defineRecord({
  table: 'client_verifications',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: pspId,
    /** The client's. */
    id: accountId,
    /** Percent of each owner; null if nothing was said of owners. */
    owner_shares: optional(json<readonly string[]>()),
    owners_sealed: optional(text),
    subject: optional(text),
    licences: json<readonly Licence[]>(),
    /** Day of the next warning that a licence ends. */
    warn_on: optional(date),
    version: int4,
    updated_at: timestamptz,
  },
  writes: {
    client_verifications: put(
      'owner_shares',
      'owners_sealed',
      'subject',
      'licences',
      'warn_on',
      'version',
      'updated_at',
    ),
  },
  vouched: true,
  resource: 'client',
  told: true,
});
