// All SQL on what clients have shown: owners and licences, documents and their sealed content.
import type { PspId } from '../../core/ids.ts';
import { nextWarningOn } from '../../core/requirements/licence.ts';
import type { LicenceActivity } from '../../core/requirements/requirement.ts';
import type { FactLoader, Row as TableRow } from '../../platform/committer.ts';
import { type Database, only } from '../../platform/database.ts';
import { clientDocuments } from '../../records/client-documents.ts';
import { clientVerifications } from '../../records/client-verifications.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';

const verifications = tableOf(clientVerifications, { id: 'account' });
const documents = tableOf(clientDocuments);

export type Verification = RecordOf<typeof clientVerifications, { readonly id: 'account' }>;
export type ClientDocument = RecordOf<typeof clientDocuments>;

export interface ClientKey {
  readonly psp: PspId;
  readonly account: string;
}

export const personOf = (k: ClientKey) => ({ psp: k.psp, subject: `account:${k.account}` });
/** Contexts under which owners, and names and contents of documents, are sealed. */
export const ownersPlace = (account: string): string => `client_verifications/${account}`;
export const documentPlace = (id: string): string => `client_documents/${id}`;

/** What a client has shown that has shown nothing. */
export const nothingShown = ({ psp, account }: ClientKey, at: string): Verification => ({
  psp,
  account,
  ownerShares: null,
  ownersSealed: null,
  ownerIds: null,
  subject: null,
  licences: [],
  warnOn: null,
  version: 0,
  updatedAt: at,
  documentsWarned: null,
});

export const verificationRow = (v: Verification): TableRow =>
  row('client_verifications', verifications.toRow({ ...v, warnOn: nextWarningOn(v.licences) }));

const keyText = (k: ClientKey) => `${k.psp}|${k.account}`;

export const verificationOf: FactLoader<ClientKey, Verification> = {
  name: 'verification',
  text: keyText,
  async load(db, keys) {
    const found = await verifications.read(
      db,
      `JOIN unnest($1::uuid[], $2::uuid[]) AS k(p, a)
         ON client_verifications.psp_id = k.p AND client_verifications.id = k.a`,
      [keys.map((k) => k.psp), keys.map((k) => k.account)],
    );
    return new Map(found.map((v) => [keyText(v), v]));
  },
};

export async function findVerification(db: Database, k: ClientKey): Promise<Verification | undefined> {
  return (await verificationOf.load(db, [k])).get(keyText(k));
}

/** Clients with a warning due on a day or before, a page of them. */
export const listToWarn = (db: Database, day: string, after: string | null, limit: number): Promise<Verification[]> =>
  verifications.read(db, 'WHERE warn_on <= $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3', [
    day,
    after,
    limit,
  ]);

/**
 * Clients with an accepted document that ends within these days and whose warning was not given, a page of them. It may name some whose
 * day has not come in their country.
 * @param latest no country's day is later
 */
export const clientsToWarn = (
  db: Database,
  days: { readonly from: string; readonly latest: string; readonly warnings: readonly number[] },
  after: string | null,
  limit: number,
): Promise<ClientKey[]> =>
  db.query<ClientKey>(
    `SELECT DISTINCT d.psp_id AS psp, d.account_id AS account
     FROM client_documents d
       JOIN LATERAL (SELECT min(w) AS stage FROM unnest($3::int[]) AS w WHERE d.valid_until <= $2::text::date + w) s ON s.stage IS NOT NULL
       LEFT JOIN client_verifications v ON v.psp_id = d.psp_id AND v.id = d.account_id
     WHERE d.state = 'ACCEPTED' AND d.valid_until BETWEEN $1::text::date AND $2::text::date + 31
       AND coalesce((v.documents_warned::jsonb ->> d.id::text)::int > s.stage, true) AND ($4::uuid IS NULL OR d.account_id > $4)
     ORDER BY d.account_id LIMIT $5`,
    [days.from, days.latest, days.warnings, after, limit],
  );

export interface Ending {
  readonly psp: PspId;
  readonly account: string;
  readonly activity: LicenceActivity;
  readonly validUntil: string;
}

/**
 * Licences of clients of the PSPs, or of one client, whose last day is within these, soonest first: of each activity the accepted
 * one that is valid longest. Their clients' next warning is due by the day after.
 */
export const licencesEnding = (
  db: Database,
  psps: readonly PspId[],
  account: string | undefined,
  days: { readonly from: string; readonly to: string },
  limit: number,
): Promise<Ending[]> =>
  db.query<Ending>(
    `SELECT v.psp_id AS psp, v.id AS account, l->>'activity' AS activity, max(coalesce(l->>'validUntil', '9999-12-31')) AS "validUntil"
     FROM client_verifications v CROSS JOIN LATERAL jsonb_array_elements(v.licences::jsonb) AS l
     WHERE v.psp_id = ANY ($1::uuid[]) AND ($2::uuid IS NULL OR v.id = $2) AND v.warn_on <= $4::text::date + 1 AND l->>'state' = 'ACCEPTED'
     GROUP BY v.psp_id, v.id, l->>'activity'
     HAVING max(coalesce(l->>'validUntil', '9999-12-31')) BETWEEN $3::text AND $4::text
     ORDER BY 4, 2, 3 LIMIT $5`,
    [psps, account, days.from, days.to, limit],
  );

export const documentRow = (d: ClientDocument): TableRow => row('client_documents', documents.toRow(d));

/** One change of a client's documents at a time, until the transaction ends. */
export async function lockDocuments(tx: Database, k: ClientKey): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`client-documents|${keyText(k)}`]);
}

export const findDocument = (db: Database, k: ClientKey, id: string): Promise<ClientDocument | undefined> =>
  documents.find(db, 'WHERE psp_id = $1 AND id = $2 AND account_id = $3', [k.psp, id, k.account]);

/** A document of the same kind and content, of the same owner, that was not refused. */
export async function findSame(
  db: Database,
  k: ClientKey,
  same: { readonly kind: string; readonly sha256: string; readonly owner: string | null },
): Promise<ClientDocument | undefined> {
  return documents.find(
    db,
    `WHERE psp_id = $1 AND account_id = $2 AND kind = $3 AND sha256 = $4 AND owner IS NOT DISTINCT FROM $5
       AND state <> 'REFUSED' ORDER BY id DESC LIMIT 1`,
    [k.psp, k.account, same.kind, same.sha256, same.owner],
  );
}

export const countDocuments = async (db: Database, k: ClientKey): Promise<number> =>
  only(
    await db.query<{ n: number }>('SELECT count(*) AS n FROM client_documents WHERE psp_id = $1 AND account_id = $2', [
      k.psp,
      k.account,
    ]),
  ).n;

/** Newest first. */
export const listDocuments = (
  db: Database,
  f: ClientKey & { readonly before?: string | undefined; readonly limit: number },
): Promise<ClientDocument[]> =>
  documents.read(
    db,
    'WHERE psp_id = $1 AND account_id = $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4',
    [f.psp, f.account, f.before, f.limit],
  );

export async function insertPart(tx: Database, d: ClientDocument, part: number, sealed: string): Promise<void> {
  await tx.query('INSERT INTO client_document_parts (psp_id, document_id, part, sealed) VALUES ($1, $2, $3, $4)', [
    d.psp,
    d.id,
    part,
    sealed,
  ]);
}

/** The sealed parts of a document's content, in order. */
export const readParts = async (db: Database, d: ClientDocument): Promise<string[]> =>
  (
    await db.query<{ sealed: string }>(
      'SELECT sealed FROM client_document_parts WHERE psp_id = $1 AND document_id = $2 ORDER BY part',
      [d.psp, d.id],
    )
  ).map((r) => r.sealed);
