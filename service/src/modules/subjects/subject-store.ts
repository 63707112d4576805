// All SQL on stored personal data by person, and on destroying keys. Sealed texts in records and the journal are not
// touched here.

import type { PspId } from '../../core/ids.ts';
import { refuse, said } from '../../core/refusal.ts';
import type { Row as TableRow } from '../../platform/committer.ts';
import { type Database, only } from '../../platform/database.ts';
import { archivedBefore, archivedThrough } from '../kernel/archived.ts';
import { row } from '../kernel/journal.ts';

/** Kinds of records that contain personal data. */
export const keptKinds = [
  'transactions',
  'wagers',
  'payouts',
  'callRecords',
  'contacts',
  'owners',
  'documents',
  'caseItems',
  'listMatches',
  'disputeEvidence',
] as const;
export type KeptKind = (typeof keptKinds)[number];

export interface Kept {
  /** Records whose personal data is readable. */
  readonly readable: number;
  /** Records whose personal data was erased. */
  readonly erased: number;
}

/** The number, which is sealed beside its key, and what is sealed with the row where it hides no number. */
const sidesOfCalls = [
  { generation: 'caller_generation', hash: 'caller_number', subject: 'subject', sealed: 'sealed' },
  {
    generation: 'receiver_generation',
    hash: 'receiver_number',
    subject: 'receiver_subject',
    sealed: 'receiver_sealed',
  },
];

const sealedElsewhere: Readonly<Partial<Record<KeptKind, string>>> = {
  contacts: "(SELECT psp_id, 'account:' || id AS subject, contact AS sealed FROM accounts WHERE contact IS NOT NULL)",
  owners: '(SELECT psp_id, subject, owners_sealed AS sealed FROM client_verifications WHERE owners_sealed IS NOT NULL)',
  // All parts of a document are sealed under the key of one generation.
  documents: `(SELECT d.psp_id, d.subject, p.sealed FROM client_documents d
    JOIN client_document_parts p ON p.psp_id = d.psp_id AND p.document_id = d.id AND p.part = 0)`,
  // Notes and files of cases about the person, and what was compared with lists.
  caseItems: '(SELECT psp_id, subject, sealed FROM case_items WHERE sealed IS NOT NULL)',
  listMatches: '(SELECT psp_id, subject, detail AS sealed FROM list_matches)',
  disputeEvidence: `(SELECT d.psp_id, d.subject, e->>'sealed' AS sealed FROM disputes d, jsonb_array_elements(d.evidence::jsonb) e
    WHERE e->>'sealed' IS NOT NULL)`,
};

const sealedIn = (kind: KeptKind): string =>
  sealedElsewhere[kind] ??
  (kind === 'callRecords'
    ? `(${sidesOfCalls.map(({ generation, hash, subject, sealed }) => `SELECT psp_id, ${subject} AS subject, ${sealed} AS sealed FROM cdrs WHERE ${generation} IS NULL UNION ALL SELECT psp_id, ${hash}, 'p2.' || ${generation} || ':' FROM cdrs WHERE ${generation} IS NOT NULL`).join(' UNION ALL ')})`
    : `(SELECT psp_id, subject, sealed FROM ${kind})`);

/** A text is readable while the key of its generation exists; texts without a generation belong to the first. */
const opens = String.raw`k.key_sealed IS NOT NULL AND r.sealed IS NOT NULL
  AND coalesce(substring(r.sealed from '^p2\.(\d+):')::integer, 0) = k.generation`;

/** @param subjects keyed hashes */
export async function countKept(
  db: Database,
  psp: PspId,
  subjects: readonly string[],
): Promise<Readonly<Record<KeptKind, Kept>>> {
  const counted = keptKinds.map(async (kind) => {
    const counts = await db.query<{ readable: number; records: number }>(
      `SELECT count(*) AS records, count(*) FILTER (WHERE ${opens}) AS readable
       FROM ${sealedIn(kind)} r LEFT JOIN subject_keys k ON k.psp_id = r.psp_id AND k.subject = r.subject
       WHERE r.psp_id = $1 AND r.subject = ANY ($2)`,
      [psp, subjects],
    );
    const { readable, records } = only(counts);
    return [kind, { readable, erased: records - readable }] as const;
  });
  return Object.fromEntries(await Promise.all(counted)) as Record<KeptKind, Kept>;
}

/**
 * Persons with withdrawals to one of the addresses.
 * @param addresses keyed hashes
 * @throws ARCHIVED if withdrawals are in the archive: a person who was paid there alone would not be found
 */
export async function subjectsPaidAt(db: Database, psp: PspId, addresses: readonly string[]): Promise<string[]> {
  if (addresses.length === 0) return [];
  const rows = await db.query<{ subject: string }>(
    `SELECT DISTINCT subject FROM transactions
     WHERE psp_id = $1 AND kind IN ('withdrawal', 'cryptoWithdrawal') AND subject IS NOT NULL
       AND substring(request from '"toAddress":"([^"]+)"') = ANY ($2)`,
    [psp, addresses],
  );
  const before = (await archivedThrough(db, psp)) === 0 ? undefined : await archivedBefore(db);
  if (before !== undefined)
    throw refuse(
      'ARCHIVED',
      said`withdrawals of before ${before} (UTC) are in the archive and cannot be searched by address; name the person by e-mail, which reaches the archive too`,
    );
  return rows.map((r) => r.subject);
}

/**
 * Locks and lists a PSP's keys before they are destroyed, so that no key read earlier seals again.
 * @param raised of `withRaisedEpoch`
 * @returns the persons that have a key, and the rows
 */
export async function lockKeys(
  tx: Database,
  raised: TableRow,
  psp: PspId,
  subjects: readonly string[],
  at: string,
): Promise<{ destroyed: string[]; rows: TableRow[] }> {
  const keys = await tx.query<{ subject: string; generation: number }>(
    `SELECT subject, generation FROM subject_keys
     WHERE psp_id = $1 AND subject = ANY ($2) AND key_sealed IS NOT NULL ORDER BY subject FOR UPDATE`,
    [psp, subjects],
  );
  return {
    destroyed: keys.map((k) => k.subject),
    rows: [
      ...keys.map(({ subject, generation }) =>
        row('destroyed_keys', {
          psp_id: psp,
          subject,
          key_sealed: null,
          number_sealed: null,
          destroyed_at: at,
          generation: generation + 1,
        }),
      ),
      ...(keys.length > 0 ? [raised] : []),
    ],
  };
}
