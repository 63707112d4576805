// All schemas of journal entries by name, and the one each kind is written in. Former versions stay, because stored
// entries must remain readable.
import type { Type } from 'typebox';
import { type EventKind, eventKinds } from '../core/events.ts';
import { accountEntries } from './accounts.ts';
import { archiveEntries } from './archive.ts';
import { auditKeyEntries } from './audit-keys.ts';
import { authorityEntries } from './authorities.ts';
import { basketEntries } from './baskets.ts';
import { caseEntries } from './cases.ts';
import { cdrEntries } from './cdrs.ts';
import type { EntryContent, Readonlys } from './define.ts';
import { disputeEntries } from './disputes.ts';
import { exchangeEntries } from './exchange.ts';
import { filingEntries } from './filings.ts';
import { gamingEntries } from './gaming.ts';
import { matchEntries } from './list-matches.ts';
import { listEntriesOfJournal } from './lists.ts';
import { playerEntries } from './players.ts';
import { rateEntries } from './rates.ts';
import { reportEntries } from './reports.ts';
import { reviewEntries } from './reviews.ts';
import { riskEntries } from './risk.ts';
import { settlementEntries } from './settlement.ts';
import { transactionEntries } from './transactions.ts';
import { userEntries } from './users.ts';
import { verificationEntries } from './verifications.ts';
import { walletHoldEntries } from './wallet-holds.ts';

/** Kinds written in a version later than 1. */
const written = {
  'cdr.recorded': 2,
  'review.opened': 2,
  'review.updated': 2,
  'report.completed': 2,
  'report.failed': 2,
  'user.signed_in': 2,
} as const satisfies {
  readonly [K in EventKind]?: number;
};

type Written = typeof written;
type Version<K extends EventKind> = K extends keyof Written ? Written[K] : 1;
/** The schema in which entries of a kind are written. */
export type WrittenSchema<K extends EventKind> = K extends EventKind ? `${K}/${Version<K>}` : never;

export const entrySchemas = {
  ...accountEntries,
  ...transactionEntries,
  ...basketEntries,
  ...gamingEntries,
  ...settlementEntries,
  ...disputeEntries,
  ...cdrEntries,
  ...rateEntries,
  ...exchangeEntries,
  ...listEntriesOfJournal,
  ...matchEntries,
  ...reviewEntries,
  ...riskEntries,
  ...caseEntries,
  ...userEntries,
  ...reportEntries,
  ...filingEntries,
  ...playerEntries,
  ...authorityEntries,
  ...archiveEntries,
  ...auditKeyEntries,
  ...verificationEntries,
  ...walletHoldEntries,
} satisfies { readonly [S in WrittenSchema<EventKind>]: EntryContent };

type EntrySchemas = typeof entrySchemas;
export type EntrySchema = keyof EntrySchemas;

/** An entry's own content under a schema. */
export type Content<S extends EntrySchema> = Readonlys<Type.Static<EntrySchemas[S]>>;

export const writtenSchema = Object.fromEntries(
  Object.keys(eventKinds).map((kind) => [kind, `${kind}/${(written as Partial<Record<string, number>>)[kind] ?? 1}`]),
) as { readonly [K in EventKind]: WrittenSchema<K> };

/** Schemas of the entries published by webhooks. */
export const announcedSchemas = (Object.keys(entrySchemas) as EntrySchema[]).filter(
  (schema) => eventKinds[schema.split('/')[0] as EventKind] !== null,
);
