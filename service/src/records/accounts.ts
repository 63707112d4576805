// Accounts: PSPs, their clients and the operator, with their standing.
import { changeVersion, defineRecord, insert, int4, optional, text, timestamptz, uuid } from './define.ts';

export const accounts = defineRecord({
  table: 'accounts',
  key: ['psp_id', 'id'],
  columns: {
    psp_id: uuid,
    id: uuid,
    kind: text,
    name: text,
    registration_number: optional(text),
    country: optional(text),
    classification: optional(text),
    organization_tin: optional(text),
    contact: optional(text),
    secret_sealed: text,
    verification_level: text,
    operational_standing: text,
    holds: text,
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
    observations: optional(text),
    test_of: optional(uuid),
  },
  writes: {
    account_rows: insert,
    account_changes: changeVersion(
      'version',
      'name',
      'classification',
      'organization_tin',
      'contact',
      'secret_sealed',
      'verification_level',
      'operational_standing',
      'holds',
      'updated_at',
      'observations',
    ),
  },
  vouched: true,
});
