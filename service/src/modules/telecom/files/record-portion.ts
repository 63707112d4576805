// Records a portion of a call detail file, which is some thousand lines: new records, rejected lines, corrections of earlier lines,
// one journal entry and the file's progress in one commit. A process that is killed leaves a portion complete or not started.
import type { Place, Tally } from '../../../core/cdr/file-findings.ts';
import { type PspId, toWire } from '../../../core/ids.ts';
import { pow10 } from '../../../core/money.ts';
import type { Database } from '../../../platform/database.ts';
import { cdrs } from '../../../records/cdrs.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import type { Needs, Principal } from '../../kernel/needs.ts';
import { recordIn } from '../../kernel/record-in.ts';
import { withdrawalRows, withdrawnShown } from '../withdrawal-store.ts';
import { type CdrFile, fileChange } from './file-store.ts';
import type { ExistingRecord, Outcome, RecordedLines, Wanted } from './outcome.ts';
import { type Expected, Persons } from './persons.ts';
import { findExisting, insertCdrs, insertCorrections, insertNewCdrs, storeSubjects } from './portion-store.ts';
import { closeCorrected, hasOpen, keepWarnings, suspend } from './suspense-store.ts';
import type { PortionSeen, Validation } from './validation.ts';

/** Most lines of a file whose warnings are listed; all warnings are stored with their records and counted. */
const warningLines = 10_000;

export interface PortionContext {
  readonly services: Needs<'clock' | 'ids' | 'log' | 'db' | 'committer' | 'backgroundPauses' | 'subjects'>;
  /** For keys of many persons at a time, found by index. */
  readonly byIndex: Database;
  readonly principal: Principal;
  readonly validation: Validation;
  /** Why the file corrects what is on record; undefined if it does not. */
  readonly correction?: string | undefined;
  /** Most rejected lines of a file stored in suspense; all are counted, and the archived file has them. */
  readonly suspenseLines: number;
  /** Runs `work` in one transaction. */
  transaction<T>(work: (tx: Database) => Promise<T>): Promise<T>;
}

/** Rows prepared under the persons' keys at that moment. */
export interface Ready {
  readonly rows: Uint8Array;
  readonly at: string;
  /** What must hold for the persons' keys at the commit; undefined if the rows contain no persons. */
  readonly expected: Expected | undefined;
  /** The outcome if all rows are new. */
  readonly outcome: Outcome;
  /** Whether the keys it is sealed under were discarded since. */
  isStale(): boolean;
}

/** A person was stored by another process at the same time, or erased: rows must be sealed again under current keys. */
class OtherKeys extends Error {}

/** The portions of one file. */
export class Portions {
  readonly #c: PortionContext;
  readonly #persons: Persons;
  /** Whether all rows of the last portion were new; if not, the next portion probably has recorded rows too. */
  #allNew = true;

  constructor(c: PortionContext, psp: PspId) {
    this.#c = c;
    this.#persons = new Persons(c.byIndex, c.services.subjects, psp);
  }

  /** @param file its current state, or that of one portion before */
  async makeReady(file: CdrFile, seen: PortionSeen): Promise<Ready> {
    const { services: s, validation } = this.#c;
    const { expected, isStale, ...keys } = await this.#persons.find(seen.persons);
    const nowMs = s.clock();
    const at = new Date(nowMs).toISOString();
    const order = { number: seen.number, ...keys, at, nowMs, wanted: this.#wanted(file) };
    return { ...(await validation.order('rows', order)), at, expected, isStale };
  }

  /** @returns the file after the portion */
  async record(file: CdrFile, seen: PortionSeen, ready: Ready): Promise<CdrFile> {
    let attempted = ready;
    for (let attempt = 1; ; attempt++) {
      if (attempted.isStale()) attempted = await this.makeReady(file, seen);
      try {
        return await this.#attempt(file, seen, attempted);
      } catch (e) {
        if (!(e instanceof OtherKeys) || attempt === 5) throw e;
        this.#persons.clear();
      }
    }
  }

  #wanted = (file: CdrFile): Wanted => ({
    rejectedLines: Math.max(0, this.#c.suspenseLines - (file.tally.suspended ?? 0)),
    warnings: Math.max(0, warningLines - file.tally.warningsKept),
  });

  #attempt(file: CdrFile, seen: PortionSeen, ready: Ready): Promise<CdrFile> {
    const { services: s, transaction, principal, correction: reason = '' } = this.#c;
    const wanted = this.#wanted(file);
    return transaction(async (tx) => {
      if (ready.expected && !(await storeSubjects(tx, ready.expected)))
        throw new OtherKeys('a person became known or was erased meanwhile');
      const leftOut = await this.#insert(tx, ready.rows);
      const { outcome, refsHeld, withdrawn } =
        leftOut.length === 0
          ? { outcome: ready.outcome, refsHeld: [], withdrawn: [] }
          : await this.#outcome(tx, file, seen, leftOut, wanted);
      const corrected = new Set(outcome.corrections.map((k) => k.id));
      if (corrected.size > 0) await insertCorrections(tx, ready.rows, [...corrected]);
      // Prepared while the portion before was written, which may have used up some of the limit.
      const rejectedLines = outcome.rejectedLines.slice(0, wanted.rejectedLines);
      const warnings = outcome.warnings.slice(0, wanted.warnings);
      await suspend(tx, file, rejectedLines);
      if (outcome.recorded > 0 && (await hasOpen(tx, file)))
        await closeCorrected(
          tx,
          file,
          await this.#recorded(
            seen,
            leftOut.filter((l) => !corrected.has(l.id)),
          ),
          ready.at,
        );
      await keepWarnings(tx, file, warnings);
      const tally = add(file.tally, outcome, rejectedLines.length, warnings.length);
      const next: Place = seen.next ?? { line: seen.from.line, byteOffset: file.sizeBytes };
      const after = { ...file, next, tally, version: file.version + 1 };
      const entry = journalRow(s, principal, ready.at, {
        kind: 'cdr.file_portion',
        ...about(after),
        data: {
          ...portionResource(file, seen, outcome),
          ...(corrected.size > 0 && { corrected: corrected.size }),
          ...(withdrawn.length > 0 && { withdrawn: { reason, records: withdrawnShown(withdrawn) } }),
        },
      });
      const withdrawals = withdrawalRows(entry, ready.at, file, reason, withdrawn);
      await recordIn(tx, s, { refsHeld, rows: [...withdrawals, fileChange(after), entry] });
      return after;
    });
  }

  #recorded({ number }: PortionSeen, leftOut: readonly { id: string }[]): Promise<RecordedLines> {
    return this.#c.validation.order('recorded', { number, leftOut: leftOut.map((l) => l.id) });
  }

  async #insert(tx: Database, rows: Uint8Array) {
    if (this.#allNew && (await insertNewCdrs(tx, rows))) return [];
    const leftOut = await insertCdrs(tx, rows);
    this.#allNew = leftOut.length === 0;
    return leftOut;
  }

  /** Computes the outcome if some rows were already recorded, with the same or with different content. */
  async #outcome(
    tx: Database,
    file: CdrFile,
    { number }: PortionSeen,
    leftOut: readonly { id: string; cdrId: string }[],
    wanted: Wanted,
  ) {
    const corrects = this.#c.correction !== undefined;
    const cdrIds = leftOut.map((l) => l.cdrId);
    const existing = await findExisting(tx, file, cdrIds, corrects);
    const outcome = await this.#c.validation.order('outcome', {
      number,
      leftOut: leftOut.map((l) => l.id),
      existing: [...existing],
      corrects,
      wanted,
    });
    const { psp, account } = file;
    const corrections = outcome.corrections.map((k) => ({ ...k, before: existing.get(k.cdrId) as ExistingRecord }));
    return {
      outcome,
      refsHeld: corrections.map(({ cdrId, id, before }) => ({
        ...{ psp, account, space: 'cdr', ref: cdrId },
        revision: before.refRevision,
        target: id,
      })),
      withdrawn: corrections.flatMap(({ id, before }) =>
        before.isWithdrawn ? [] : [{ id: before.id, supersededBy: id }],
      ),
    };
  }
}

function add(before: Tally, o: Outcome, suspended: number, listed: number): Tally {
  const codes = { ...before.codes };
  for (const [code, n] of Object.entries(o.codes)) codes[code] = (codes[code] ?? 0) + n;
  const scale = Math.max(before.cost.scale, o.cost.scale);
  const units =
    BigInt(before.cost.units) * pow10(scale - before.cost.scale) + o.cost.units * pow10(scale - o.cost.scale);
  return {
    ...before,
    counts: {
      ...before.counts,
      accepted: before.counts.accepted + o.recorded,
      ...(o.corrections.length > 0 && { corrected: (before.counts.corrected ?? 0) + o.corrections.length }),
      rejected: before.counts.rejected + o.rejected,
      duplicate: before.counts.duplicate + o.duplicate,
      warned: before.counts.warned + o.warned,
    },
    codes,
    durationS: String(BigInt(before.durationS) + o.durationS),
    cost: { units: String(units), scale },
    warningsKept: before.warningsKept + listed,
    suspended: (before.suspended ?? 0) + suspended,
  };
}

/** The journal entry of a portion: its lines, the outcome, and a hash over the records. */
const portionResource = (file: CdrFile, seen: PortionSeen, o: Outcome) => ({
  fileId: toWire('cdrFile', file.id),
  fileName: file.name,
  sha256: file.sha256,
  fromLine: seen.from.line,
  fromByte: seen.from.byteOffset,
  toByte: seen.next?.byteOffset ?? file.sizeBytes,
  accepted: o.recorded,
  duplicate: o.duplicate,
  rejected: o.rejected,
  ...(o.firstId && o.lastId ? { firstCdrId: toWire('cdr', o.firstId), lastCdrId: toWire('cdr', o.lastId) } : {}),
  recordsSha256: o.sha256,
  rowsSha256: o.rowsSha256,
  rowsColumns: Object.keys(cdrs.columns).length,
});
