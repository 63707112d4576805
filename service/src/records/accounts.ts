// Accounts: PSPs, their clients and the operator, with their standing.
import type { Hold, Standing } from '../core/standing.ts';
import type { TaxProfile } from '../core/tax/supplier.ts';
import type { Observation } from '../core/transaction.ts';
import { changeVersion, column, defineRecord, insert } from './define.ts';

export const accounts = defineRecord({
  table: 'accounts',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    psp_id: column.pspId,
    id: column.accountId,
    kind: column.textOf<Standing['kind']>(),
    name: column.text,
    registration_number: column.optional(column.text),
    /** ISO 3166-1 alpha-2. */
    country: column.optional(column.text),
    classification: column.optional(column.text),
    organization_tin: column.optional(column.text),
    /** E-mail and phone, sealed. */
    contact: column.optional(column.text),
    secret_sealed: column.text,
    verification_level: column.textOf<Standing['verificationLevel']>(),
    operational_standing: column.textOf<Standing['operationalStanding']>(),
    holds: column.json<readonly Hold[]>(),
    version: column.int4,
    created_at: column.timestamptz,
    updated_at: column.timestamptz,
    /** Warnings from its registration; null for accounts of version 0.1. */
    observations: column.optional(column.json<readonly Observation[]>()),
    /** The live account this test account belongs to; null for a live one and for clients registered with a test key. */
    test_of: column.optional(column.uuid),
    /** Whether it owes tax on its sales, by country and day; null if nothing is known. */
    tax_profiles: column.optional(column.json<readonly TaxProfile[]>()),
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
      'tax_profiles',
    ),
  },
  vouched: true,
  journaled: true,
  changesAccessOf: 'id',
});
