// Proves archive files: each is byte by byte the one whose hash the journal has, and each journal entry in it is in the
// sealed tree of its PSP under a signed checkpoint. Reads only.
import { Flaw } from '../../core/audit/flaw.ts';
import { openCheckpoint } from '../../core/audit/note.ts';
import type { SealedEntry } from '../../core/audit/receipt.ts';
import { nobody, type PspId, toWire } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { primitives } from '../../platform/hashing.ts';
import { BadBackup } from '../../platform/read-backup.ts';
import { findAuditKeys, findLastCheckpoint, logKey, unproven } from '../audit/index.ts';
import { type ArchivedMonth, filesOfEntries, listMonths } from './archive-store.ts';
import { faultOf, fileOf, type RowRead, readMonth, textIn } from './month-file.ts';

export interface MonthVerified extends ArchivedMonth {
  readonly file: string;
  /** Entries proved. */
  readonly entries: number;
  readonly psps: number;
  readonly findings: readonly string[];
}

export const entryOf = (from: RowRead): SealedEntry => ({
  psp: textIn(from, 'psp_id'),
  seq: Number(textIn(from, 'seq')),
  id: textIn(from, 'id'),
  kind: textIn(from, 'kind'),
  account: textIn(from, 'account_id'),
  resource: textIn(from, 'resource_id'),
  body: textIn(from, 'body'),
});

/** Findings per month that are listed one by one. */
const mostFindings = 20;

export async function* verifyArchive(
  db: Database,
  dataDir: string,
  signal: AbortSignal,
): AsyncGenerator<MonthVerified> {
  const told = await filesOfEntries(db, nobody);
  for (const m of await listMonths(db)) {
    const file = fileOf(dataDir, m.month);
    const proof = new Proof(db);
    const findings: string[] = [];
    if (m.sha256 === null) findings.push(`${m.month} is not finished; run \`assay archive make ${m.month}\``);
    else if (told.get(m.month) !== m.sha256)
      findings.push(
        `the database names another file for ${m.month} than the journal, which tells of ${told.get(m.month)}`,
      );
    const fault = m.sha256 === null ? undefined : await faultOf(file, m.sha256);
    if (fault !== undefined) findings.push(fault);
    else if (m.sha256 !== null)
      try {
        const { rows } = await readMonth(file, { journal: (some) => proof.take(some.map(entryOf)) }, signal);
        await proof.end();
        if (JSON.stringify(rows) !== JSON.stringify(m.rows))
          findings.push(`${file} has other numbers of rows than recorded`);
      } catch (e) {
        if (!(e instanceof BadBackup)) throw e;
        findings.push(e.message);
      }
    yield { ...m, file, entries: proof.entries, psps: proof.psps, findings: [...findings, ...proof.findings] };
  }
}

/** Collects entries in the order of the file, and proves those of one PSP together, some thousand at a time. */
class Proof {
  readonly #db: Database;
  readonly findings: string[] = [];
  entries = 0;
  psps = 0;
  #waiting: SealedEntry[] = [];
  #tree:
    | {
        readonly psp: PspId;
        readonly sealed: NonNullable<Awaited<ReturnType<typeof findLastCheckpoint>>>;
        readonly root: Uint8Array;
      }
    | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  async take(entries: readonly SealedEntry[]): Promise<void> {
    for (const e of entries) {
      const first = this.#waiting[0];
      // Not within a tile of 32, so that its entries are proved together.
      if (first && (first.psp !== e.psp || (this.#waiting.length >= 4096 && e.seq % 32 === 1))) await this.end();
      this.#waiting.push(e);
    }
  }

  async end(): Promise<void> {
    const entries = this.#waiting;
    this.#waiting = [];
    const [first] = entries;
    if (!first) return;
    const { psp } = first;
    if (this.#tree?.psp !== psp) {
      this.psps++;
      const opened = await this.#open(psp);
      if (typeof opened === 'string') return this.#find(`${toWire('psp', psp)}: ${opened}`);
      this.#tree = { psp, ...opened };
    }
    const { sealed, root } = this.#tree;
    const last = entries.at(-1) as SealedEntry;
    if (last.seq > sealed.size)
      return this.#find(`${toWire('psp', psp)}: entry ${last.seq} is beyond the ${sealed.size} that are sealed`);
    const bad = await unproven(this.#db, sealed, root, entries);
    this.entries += entries.length - bad.length;
    for (const e of bad) this.#find(`${toWire('psp', psp)}: entry ${e.seq} (${e.kind}) is not the one that was sealed`);
  }

  async #open(psp: PspId) {
    const sealed = await findLastCheckpoint(this.#db, psp);
    if (!sealed) return 'the database has no checkpoint of it';
    const opened = (await findAuditKeys(this.#db)).map((k) => openCheckpoint(sealed.note, logKey(k, psp), primitives));
    const good = opened.find((x) => !(x instanceof Flaw));
    if (!good || good instanceof Flaw) return 'its checkpoint is not signed by the key of this database';
    return good.size === sealed.size ? { sealed, root: good.root } : 'its checkpoint is of another size';
  }

  #find(what: string): void {
    if (this.findings.length < mostFindings) this.findings.push(what);
  }
}
