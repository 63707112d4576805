// The whole audit: every PSP's journal against what was sealed of it, and transactions against what the journal tells.
import { formatKey, type VerifierKey } from '../../../core/audit/note.ts';
import { toWire } from '../../../core/ids.ts';
import type { Database } from '../../../platform/database.ts';
import { type Contradiction, contradictions, untold } from '../../transactions/index.ts';
import { logKey } from '../audit-key.ts';
import { findAuditKeys, pspsWithTraces } from '../audit-store.ts';
import type { CheckpointFolder } from '../checkpoint-folder.ts';
import { auditPsp } from './audit-psp.ts';
import type { Finding, PspAudit } from './finding.ts';
import { NotesAhead } from './notes-ahead.ts';

export interface AuditOptions {
  readonly db: Database;
  /** One PSP; all that left a trace without it. */
  readonly psp?: string | undefined;
  /** Where checkpoints outside the database are. */
  readonly folders: readonly CheckpointFolder[];
  /** The key as it was had when it was made: the database's own must be it. */
  readonly pinned?: VerifierKey | undefined;
  progress?(psp: string, entries: number, of: number): void;
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
      also: async (entries) => recordFindings(psp, await contradictions(db, psp, entries)),
      progress: (entries, of) => o.progress?.(psp, entries, of),
    });
    const replaced = pinned ? replacedKeys(psp, pinned, keys) : [];
    yield { ...result, findings: [...replaced, ...result.findings, ...recordFindings(psp, await untold(db, psp))] };
  }
}

/** The key that `assay audit key` hands out must be the noted one, also while nothing that it signed is there yet. */
function replacedKeys(psp: string, noted: VerifierKey, stored: readonly VerifierKey[]): Finding[] {
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
function pinnedFor(pinned: VerifierKey, psp: string): VerifierKey {
  return logKey({ name: pinned.name.replace(/\/psp_[0-9a-z]+$/, ''), publicKey: pinned.publicKey }, psp);
}

const recordFindings = (psp: string, list: readonly Contradiction[]): Finding[] =>
  list.map(({ seq, id, what }) => ({
    code: 'RECORD_CHANGED',
    psp,
    ...(seq === undefined ? {} : { seq }),
    message: `the transaction ${toWire('transaction', id)}${seq === undefined ? '' : ` at entry ${seq}`}: ${what}`,
  }));
