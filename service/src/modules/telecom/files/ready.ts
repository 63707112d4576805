// Prepares the validated lines of a portion for storage: rows in binary form, rejected lines (sealed), sums and counts.
// It does not access the database: the caller passes in which rows are new. Keeps no objects of a line that it can do
// without, since there are thousands of lines at a time.
import { hash } from 'node:crypto';
import { ofLine, type Place } from '../../../core/cdr/file-findings.ts';
import type { RecordWarning } from '../../../core/cdr/findings.ts';
import type { CallRecord } from '../../../core/cdr/rules.ts';
import type { PspId } from '../../../core/ids.ts';
import type { IdMaker } from '../../../platform/random.ts';
import { digestOfRow } from '../../../platform/row-digests.ts';
import { BegunRows, columnsOf } from '../../../platform/row-encoder.ts';
import type { Vault } from '../../../platform/sealed-secrets.ts';
import { cdrs } from '../../../records/cdrs.ts';
import { type SealingKey, type SubjectId, type SubjectKeys, sealPersonal } from '../../kernel/subjects.ts';
import { knownColumns, laterColumns, personalRow } from '../cdr-row.ts';
import {
  differentColumn,
  hiddenNumber,
  isSame,
  type PersonalData,
  type Side,
  type Storable,
  storable,
} from '../seal-cdr.ts';
import {
  conflict,
  conflictSaid,
  type ExistingRecord,
  type Outcome,
  type PersonsSeen,
  type RecordedLines,
  type SealedLine,
  sums,
  type Wanted,
} from './outcome.ts';
import { portionHash, portionLine, sharedDigits } from './portion-hash.ts';
import type { LineTaker, RejectedLine, ValidRecord } from './validate-lines.ts';

const cdrColumns = columnsOf(cdrs.columns);
const later: ReadonlySet<string> = new Set(laterColumns);

/** The file that the lines belong to. */
export interface FileOfLines {
  readonly psp: PspId;
  readonly id: string;
  readonly account: string;
}

export interface Tools {
  readonly vault: Vault;
  readonly subjects: SubjectKeys;
  readonly ids: IdMaker;
  /** The OID of the row type of the records' table in PostgreSQL. */
  readonly rowType: number;
}

/** The inputs for a portion's rows that the caller decides. */
export interface RowsOrder {
  /** In the order of `persons`: keys, 32 bytes each (zeros if it does not seal), and how often each was erased. */
  readonly keys: Uint8Array;
  readonly generations: readonly number[];
  readonly at: string;
}

/** What a side's data is sealed for. */
interface Sealing {
  readonly person: number;
  readonly data: PersonalData;
}

/** What is kept of a valid line beside its row; all else can be read from the line once more. */
interface Prepared extends Place {
  readonly raw: string;
  readonly cdrId: string;
  readonly content: string;
  readonly durationS: number;
  readonly cost: string;
  readonly warnings: readonly RecordWarning[];
  /** Positions of the persons whose numbers are hidden. */
  readonly caller: number | undefined;
  readonly receiver: number | undefined;
  readonly callerSealing: Sealing | undefined;
  readonly receiverSealing: Sealing | undefined;
  id: string;
  /** Digest of the row as it is stored. */
  digest: string;
}

export class ReadyPortion implements LineTaker {
  readonly #file: FileOfLines;
  readonly #tools: Tools;
  readonly #again: (line: string) => CallRecord;
  readonly #records: Prepared[] = [];
  readonly #rows = new BegunRows(cdrColumns, later);
  readonly #rejectedLines: RejectedLine[] = [];
  readonly #sealed = new Map<RejectedLine, SealedLine>();
  readonly #personOf = new Map<string, number>();
  readonly #numbers: (string | undefined)[] = [];
  readonly #seals: boolean[] = [];
  /** Distinguishes the portion's records from others created in the same millisecond. */
  #tail: string | undefined;

  /** @param again reads the record of a valid line once more */
  constructor(tools: Tools, file: FileOfLines, again: (line: string) => CallRecord) {
    this.#tools = tools;
    this.#file = file;
    this.#again = again;
  }

  get length(): number {
    return this.#records.length + this.#rejectedLines.length;
  }

  get persons(): PersonsSeen {
    return { subjects: [...this.#personOf.keys()], numbers: this.#numbers, seals: this.#seals };
  }

  rejected(line: RejectedLine): void {
    this.#rejectedLines.push(line);
  }

  record({ line, byteOffset, raw, record, warnings }: ValidRecord): void {
    const { psp, account } = this.#file;
    const stored = storable(this.#tools, psp, record);
    const [callerSealing, receiverSealing] = [this.#sealing(stored, 'caller'), this.#sealing(stored, 'receiver')];
    const known = {
      psp,
      account,
      recordedBy: account,
      cdrId: record.cdrId,
      callStart: record.start.text,
      durationS: record.durationS,
      callType: record.callType,
      networkProvider: record.networkProvider,
      cost: record.cost,
      currency: record.currency,
      content: stored.content,
      record: stored.record,
      warnings: warnings.map(({ column, code, message }) => ({ column, code, message })),
      subject: callerSealing ? (stored.persons.caller as SubjectId).subject : null,
      receiverSubject: receiverSealing ? (stored.persons.receiver as SubjectId).subject : null,
      callerMask: stored.masks.caller,
      receiverMask: stored.masks.receiver,
    };
    this.#rows.add(knownColumns(known, stored.values));
    this.#records.push({
      line,
      byteOffset,
      raw,
      cdrId: record.cdrId,
      content: stored.content,
      durationS: record.durationS,
      cost: record.cost,
      warnings,
      caller: this.#hidden(stored, 'caller'),
      receiver: this.#hidden(stored, 'receiver'),
      callerSealing,
      receiverSealing,
      id: '',
      digest: '',
    });
  }

  #hidden(stored: Storable, side: Side): number | undefined {
    return hiddenNumber(stored, side) === undefined ? undefined : this.#person(stored.persons[side] as SubjectId);
  }

  #sealing(stored: Storable, side: Side): Sealing | undefined {
    const data = stored.personal[side];
    if (data === undefined) return undefined;
    const person = this.#person(stored.persons[side] as SubjectId);
    this.#seals[person] = true;
    return { person, data };
  }

  #person({ subject, number }: SubjectId): number {
    let person = this.#personOf.get(subject);
    if (person === undefined) {
      person = this.#personOf.size;
      this.#personOf.set(subject, person);
      this.#numbers.push(number);
      this.#seals.push(false);
    }
    return person;
  }

  /** No more rows are made of it. */
  end(): void {
    this.#rows.end();
  }

  /**
   * Rows for a parameter of the type `cdrs[]`, under new ids; empty if no line is a record.
   * @param lasting copies them to where they stay
   */
  rows(order: RowsOrder, lasting: (bytes: Uint8Array) => Uint8Array): Uint8Array {
    if (this.#records.length === 0) return new Uint8Array();
    const { psp } = this.#file;
    const keys = [...this.#personOf.keys()].map((subject, i) => {
      if (!this.#seals[i]) return undefined;
      const key = Buffer.from(order.keys.subarray(i * 32, i * 32 + 32));
      return { psp, subject, key, generation: order.generations[i] as number };
    });
    return this.#rows.encode(
      this.#tools.rowType,
      (i) => this.#later(this.#records[i] as Prepared, keys, order),
      (i, bytes) => {
        (this.#records[i] as Prepared).digest = digestOfRow(bytes);
      },
      lasting,
    );
  }

  #later(
    r: Prepared,
    keys: readonly (SealingKey | undefined)[],
    { generations, at }: RowsOrder,
  ): Record<(typeof laterColumns)[number], unknown> {
    const id = this.#tools.ids.next();
    this.#tail ??= id.slice(-sharedDigits);
    r.id = id.slice(0, -sharedDigits) + this.#tail;
    const sealed = (s: Sealing | undefined, side: Side) =>
      s ? sealPersonal(keys[s.person] as SealingKey, s.data, personalRow(r.id, side)) : null;
    return {
      id: r.id,
      sealed: sealed(r.callerSealing, 'caller'),
      created_at: at,
      receiver_sealed: sealed(r.receiverSealing, 'receiver'),
      caller_generation: r.caller === undefined ? null : generations[r.caller],
      receiver_generation: r.receiver === undefined ? null : generations[r.receiver],
    };
  }

  /** @param leftOut ids of rows that were not new */
  recorded(leftOut: ReadonlySet<string>): RecordedLines {
    const recorded = this.#records.filter((r) => !leftOut.has(r.id));
    return { lines: recorded.map((r) => r.line), cdrIds: recorded.map((r) => r.cdrId) };
  }

  /**
   * @param leftOut ids of rows that were not new
   * @param existing the records already stored under their `cdr_id`s
   * @param corrects whether rows that differ from these take their place
   */
  outcome(
    leftOut: ReadonlySet<string>,
    existing: ReadonlyMap<string, ExistingRecord>,
    corrects: boolean,
    wanted: Wanted,
  ): Outcome {
    const others = leftOut.size === 0 ? [] : this.#records.filter((r) => leftOut.has(r.id));
    const duplicates: Prepared[] = [];
    const conflicts: RejectedLine[] = [];
    const corrections = new Map<string, Prepared>();
    for (const r of others) {
      const before = existing.get(r.cdrId);
      const above = corrections.get(r.cdrId);
      const isSameAgain = above ? above.content === r.content : this.#isOnRecord(r, before);
      if (isSameAgain) duplicates.push(r);
      else if (corrects && !above && before?.isEarlier) corrections.set(r.cdrId, r);
      else conflicts.push(this.#conflict(r, before, corrects));
    }
    const recorded =
      leftOut.size === 0
        ? this.#records
        : this.#records.filter((r) => !leftOut.has(r.id) || corrections.get(r.cdrId) === r);
    const rejectedLines =
      conflicts.length === 0
        ? this.#rejectedLines
        : [...this.#rejectedLines, ...conflicts].sort((a, b) => a.line - b.line);
    const warned = recorded.filter((r) => r.warnings.length > 0);
    const codes: Record<string, number> = {};
    for (const r of warned) for (const w of r.warnings) codes[w.code] = (codes[w.code] ?? 0) + 1;
    for (const k of rejectedLines) for (const f of k.findings) codes[f.code] = (codes[f.code] ?? 0) + 1;
    return {
      recorded: recorded.length,
      firstId: recorded[0]?.id,
      lastId: recorded.at(-1)?.id,
      sha256: portionHash(recorded.map((r) => portionLine(r.id, r.cdrId, r.content))),
      rowsSha256: hash('sha256', recorded.map((r) => `${r.digest}\n`).join(''), 'hex'),
      corrections: [...corrections.values()].map(({ cdrId, id }) => ({ cdrId, id })),
      duplicate: duplicates.length,
      rejected: rejectedLines.length,
      warned: warned.length,
      codes,
      ...sums(recorded, duplicates),
      rejectedLines: rejectedLines.slice(0, wanted.rejectedLines).map((k) => this.#seal(k)),
      warnings: warned.slice(0, wanted.warnings).map((r) => ({
        line: r.line,
        byteOffset: r.byteOffset,
        cdrId: r.cdrId,
        findings: JSON.stringify(ofLine(r, r.cdrId, r.warnings)),
      })),
    };
  }

  /** Whether the record in force is the same. */
  #isOnRecord(r: Prepared, existing: ExistingRecord | undefined): boolean {
    if (existing === undefined || existing.isWithdrawn) return false;
    if (existing.content === r.content) return true;
    const record = this.#again(r.raw);
    return isSame(existing.content, storable(this.#tools, this.#file.psp, record), record);
  }

  #conflict(r: Prepared, existing: ExistingRecord | undefined, corrects: boolean): RejectedLine {
    const record = this.#again(r.raw);
    const stored = storable(this.#tools, this.#file.psp, record);
    const column = existing && differentColumn(existing.record, stored, record);
    return conflict(r, record, conflictSaid(existing, column, corrects));
  }

  /** Seals the original line, because it may reveal a person's location. */
  #seal(k: RejectedLine): SealedLine {
    let sealed = this.#sealed.get(k);
    if (!sealed) {
      const { line, byteOffset, cdrId, raw, findings, value } = k;
      const rawSealed = this.#tools.vault.seal(raw, suspensePlace(this.#file, line));
      sealed = { line, byteOffset, cdrId, rawSealed, findings: JSON.stringify(findings), value };
      this.#sealed.set(k, sealed);
    }
    return sealed;
  }
}

/** The context that an archived file is sealed under. */
export const archivePlace = (fileId: string): string => `cdr/archive/${fileId}`;

/** The context that a rejected line is sealed under. */
export const suspensePlace = (file: { id: string }, line: number): string => `cdr_suspense/${file.id}/${line}`;
