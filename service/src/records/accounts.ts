// Accounts: PSPs, their clients and the operator, with their standing.
import type { Hold, Standing } from '../core/standing.ts';
import type { TaxProfile } from '../core/tax/supplier.ts';
import type { Observation } from '../core/transaction.ts';
import {
  accountId,
  changeVersion,
  defineRecord,
  insert,
  int4,
  json,
  optional,
  pspId,
  text,
  textOf,
  timestamptz,
  uuid,
} from './define.ts';

export const accounts = defineRecord({
  table: 'accounts',
  key: ['psp_id', 'id'],
  everywhere: true,
  columns: {
    psp_id: pspId,
    id: accountId,
    kind: textOf<Standing['kind']>(),
    name: text,
    registration_number: optional(text),
    /** ISO 3166-1 alpha-2. */
    country: optional(text),
    classification: optional(text),
    organization_tin: optional(text),
    /** E-mail and phone, sealed. */
    contact: optional(text),
    secret_sealed: text,
    verification_level: textOf<Standing['verificationLevel']>(),
    operational_standing: textOf<Standing['operationalStanding']>(),
    holds: json<readonly Hold[]>(),
    version: int4,
    created_at: timestamptz,
    updated_at: timestamptz,
    /** Warnings from its registration; null for accounts of version 0.1. */
    observations: optional(json<readonly Observation[]>()),
    /**
     * The live account this test account belongs to; null for a live one and for clients registered with a test key.
     */
    test_of: optional(uuid),
    /** Whether it owes tax on its sales, by country and day; null if nothing is known. */
    tax_profiles: optional(json<readonly TaxProfile[]>()),
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
  told: true,
  changesAccessOf: 'id',
});
