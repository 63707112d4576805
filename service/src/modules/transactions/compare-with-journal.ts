// Compares stored transactions with the journal: each entry with the revision it is about, and the tables with the
// number of entries.
import { parseExactly } from '../../core/entry.ts';
import type { PspId } from '../../core/ids.ts';
import { type TransactionRecord, transactionResource } from '../../core/transaction.ts';
import { type Parse, readEntry } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import { type TransactionRow, transactionColumns, transactionFromRow } from '../../records/transaction-rows.ts';
import { archivedBefore, isBefore } from '../kernel/archived.ts';

export interface JournaledEntry {
  readonly seq: number;
  readonly kind: string;
  readonly resource: string;
  readonly body: string;
}

export interface Contradiction {
  readonly seq?: number;
  /** UUID of the transaction. */
  readonly id: string;
  readonly what: string;
}

const isJournaled = (e: JournaledEntry) => e.kind === 'transaction.created' || e.kind === 'transaction.updated';

/** Entries in this batch whose transaction differs or is missing. */
export async function contradictions(
  db: Database,
  psp: PspId,
  entries: readonly JournaledEntry[],
): Promise<Contradiction[]> {
  const journaled = entries.filter(isJournaled);
  if (journaled.length === 0) return [];
  const ids = [...new Set(journaled.map((e) => e.resource))];
  // One statement, so that a revision moved between the tables meanwhile is found in one of them.
  const rows = await db.query<TransactionRow>(
    `SELECT ${transactionColumns()} FROM transactions WHERE psp_id = $1 AND id = ANY ($2)
     UNION ALL SELECT ${transactionColumns('r')} FROM transaction_revisions r WHERE psp_id = $1 AND id = ANY ($2)`,
    [psp, ids],
  );
  const revisions = new Map<string, TransactionRecord | null>(rows.map((r) => [`${r.id}|${r.revision}`, readable(r)]));
  const before = await archivedBefore(db);
  return journaled.flatMap((e) => {
    const body = read(e.body);
    if (!body) return [{ seq: e.seq, id: e.resource, what: 'the entry about it cannot be read' }];
    const record = revisions.get(`${e.resource}|${JSON.stringify(body.version)}`);
    // In the archive, whose file has its own hash.
    if (record === undefined && before !== undefined && isBefore(e.resource, before)) return [];
    const what =
      record === undefined
        ? `revision ${JSON.stringify(body.version)} is missing`
        : record === null
          ? 'what is stored of it cannot be read'
          : difference(record, body);
    return what === undefined ? [] : [{ seq: e.seq, id: e.resource, what }];
  });
}

/** Null for a row not in the form the service writes. */
function readable(row: TransactionRow): TransactionRecord | null {
  try {
    // The recorded reason, word for word: its private part is hidden from readers, not from this check.
    return { ...transactionFromRow(row), reason: row.reason };
  } catch {
    return null;
  }
}

const schemas = ['transaction.created/1', 'transaction.updated/1'] as const;
const parse: Parse<object> = parseExactly;
type Told = ReturnType<typeof readJournaled>;

const readJournaled = (body: string) => readEntry(body, schemas, parse);

function read(body: string): Told | undefined {
  try {
    return readJournaled(body);
  } catch {
    return undefined;
  }
}

/** Fields in both must agree; older entries lack those that a later version added. */
function difference(record: TransactionRecord, journaled: Told): string | undefined {
  const stands: Record<string, unknown> = transactionResource(record);
  for (const [name, value] of Object.entries(journaled.data ?? {}))
    if (name in stands && JSON.stringify(stands[name]) !== JSON.stringify(value))
      return `${name} is ${JSON.stringify(stands[name])}, the journal tells ${JSON.stringify(value)}`;
  if (journaled.evidence !== undefined && JSON.stringify(journaled.evidence) !== JSON.stringify(record.evidence))
    return 'the evidence of its taxes and fees is not the one the journal tells';
  if ((journaled.sealed ?? null) !== record.sealed) return 'its sealed personal data is not what the journal tells';
  return undefined;
}

/** Transactions with more or fewer revisions than journal entries; at most ten. */
export async function unjournaled(db: Database, psp: PspId): Promise<Contradiction[]> {
  const rows = await db.query<{ id: string; revision: number; entries: number }>(
    `SELECT t.id, t.revision, e.entries FROM transactions t CROSS JOIN LATERAL (
       SELECT count(*) AS entries FROM journal j WHERE j.psp_id = $1 AND j.resource_id = t.id
     ) e WHERE t.psp_id = $1 AND e.entries <> t.revision LIMIT 10`,
    [psp],
  );
  return rows.map((r) => ({
    id: r.id,
    what: `it is at revision ${r.revision}, the journal has ${r.entries === 0 ? 'no entry' : `${r.entries} entries`} about it`,
  }));
}
