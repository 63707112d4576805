// The whole audit: every PSP's journal against what was sealed of it, and the recorded rows against what the
// journal says of them.
import { formatKey, type VerifierKey } from '../../../core/audit/note.ts';
import type { SealedEntry } from '../../../core/audit/receipt.ts';
import { type IdKind, type PspId, toWire } from '../../../core/ids.ts';
import { accountWire } from '../../../core/transaction.ts';
import { unknownSchema } from '../../../entries/read.ts';
import type { Database } from '../../../platform/database.ts';
import { records } from '../../../records/index.ts';
import { ratesAsTold } from '../../rates/index.ts';
import { type Contradiction, contradictions, untold } from '../../transactions/index.ts';
import { logKey } from '../audit-key.ts';
import { findAuditKeys, pspsWithTraces } from '../audit-store.ts';
import type { CheckpointFolder } from '../checkpoint-folder.ts';
import { changedRows, type RowFinding, untoldRows } from '../vouched-rows.ts';
import { auditPsp } from './audit-psp.ts';
import type { Finding, PspAudit } from './finding.ts';
import { NotesAhead } from './notes-ahead.ts';

export interface AuditOptions {
  readonly db: Database;
  /** One PSP; all that left a trace without it. */
  readonly psp?: PspId | undefined;
  /** Where checkpoints outside the database are. */
  readonly folders: readonly CheckpointFolder[];
  /** The key as it was had when it was made: the database's own must be it. */
  readonly pinned?: VerifierKey | undefined;
  progress?(psp: PspId, entries: number, of: number): void;
}

/** @yields what was found of each PSP, when it is through */
export async function* audit(o: AuditOptions): AsyncGenerator<PspAudit> {
  const { db } = o;
  const stored = await findAuditKeys(db);
  const outside = (await Promise.all(o.folders.map((f) => f.psps()))).flat();
  const psps = o.psp === undefined ? new Set([...(await pspsWithTraces(db)), ...outside]) : [o.psp];
  for (const psp of psps) {
    const keys = stored.map((k) => logKey(k, psp));
    const pinned = o.pinned && pinnedFor(o.pinned, psp);
    const result = await auditPsp({
      db,
      psp,
      keys: pinned ? [pinned, ...keys] : keys,
      outside: new NotesAhead(o.folders.map((f) => f.read(psp))),
      also: async (entries) => {
        const [known, unknown] = [[] as SealedEntry[], [] as SealedEntry[]];
        for (const e of entries) (unknownSchema(e.body) === undefined ? known : unknown).push(e);
        const changed = found(psp, await contradictions(db, psp, known), await changedRows(db, psp, known));
        return [...unknown.map((e) => unreadable(psp, e)), ...changed];
      },
      progress: (entries, of) => o.progress?.(psp, entries, of),
    });
    const others = found(psp, await untold(db, psp), [...(await untoldRows(db, psp)), ...(await ratesAsTold(db, psp))]);
    const replaced = pinned ? replacedKeys(psp, pinned, keys) : [];
    yield { ...result, findings: [...replaced, ...result.findings, ...others] };
  }
}

const unreadable = (psp: PspId, { seq, body }: SealedEntry): Finding => ({
  code: 'ENTRY_UNKNOWN',
  psp,
  seq,
  message: `entry ${seq} is of the schema ${unknownSchema(body)}, which this version of the service does not know: verify with the version that wrote it`,
});

/** The key that `assay audit key` hands out must be the noted one, also while nothing that it signed is there yet. */
function replacedKeys(psp: PspId, noted: VerifierKey, stored: readonly VerifierKey[]): Finding[] {
  const other = stored.find((k) => formatKey(k) !== formatKey(noted));
  if (stored.length > 0 && other === undefined) return [];
  const said = other === undefined ? 'no key' : `the key ${formatKey(other)}`;
  return [
    {
      code: 'KEY_UNKNOWN',
      psp,
      message: `the database hands out ${said}, not the one that was noted: ${formatKey(noted)}. It was replaced, or the noted one is of another service`,
    },
  ];
}

/** The pair is one for all logs, each of which has it under its own name. */
function pinnedFor(pinned: VerifierKey, psp: PspId): VerifierKey {
  return logKey({ name: pinned.name.replace(/\/psp_[0-9a-z]+$/, ''), publicKey: pinned.publicKey }, psp);
}

/** What was found of transactions, which can be told column by column, and of other rows. */
function found(psp: PspId, told: readonly Contradiction[], rows: readonly RowFinding[]): Finding[] {
  const explained = new Set(told.map((c) => `${c.seq}|${c.id}`));
  return [
    ...told.map((c) => ({ ...c, table: 'transactions' })),
    ...rows.filter((r) => !explained.has(`${r.seq}|${r.id}`)),
  ].map(({ table, seq, id, what }) => ({
    code: 'RECORD_CHANGED',
    psp,
    ...(seq === undefined ? {} : { seq }),
    message: `${subjectOf(table, psp, id)}${seq === undefined ? '' : ` at entry ${seq}`}: ${what}`,
  }));
}

/** What the rows of a table are, by the kind of their ids; and what people call them, where that is another word. */
const kinds = new Map<string, IdKind>(
  records.flatMap((r) => ('resource' in r && r.resource ? [[r.table, r.resource]] : [])),
);
const nouns: Readonly<Partial<Record<IdKind, string>>> = {
  cdr: 'call detail record',
  sftpLogin: 'SFTP login',
  adjustment: 'adjusting entry',
};

function subjectOf(table: string, psp: PspId, id: string): string {
  if (table === 'fee_rules') return `the fee ${id}`;
  if (table === 'tax_countries') return `the tax rules of ${id}`;
  const kind = kinds.get(table);
  if (kind === undefined) return `the account ${accountWire(psp, id)}`;
  const noun = nouns[kind] ?? kind;
  return id === '' ? `${noun}s` : `the ${noun} ${toWire(kind, id)}`;
}
