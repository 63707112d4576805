// Prepares the validated lines of a portion for storage: rows in binary form, rejected lines (sealed), sums and counts.
// It does not access the database: the caller passes in which rows are new.
import { hash } from 'node:crypto';
import { type Finding, ofLine, type Place } from '../../../core/cdr/file-findings.ts';
import type { LineValue } from '../../../core/cdr/value.ts';
import type { PspId } from '../../../core/ids.ts';
import { parseDecimal, pow10 } from '../../../core/money.ts';
import type { IdMaker } from '../../../platform/random.ts';
import { digestOfRow } from '../../../platform/row-digests.ts';
import { columnsOf, encodeRows } from '../../../platform/row-encoder.ts';
import type { Vault } from '../../../platform/sealed-secrets.ts';
import { cdrs } from '../../../records/cdrs.ts';
import { type SealingKey, type SubjectKeys, sealPersonal } from '../../kernel/subjects.ts';
import { cdrRow, personalRow } from '../cdr-store.ts';
import { differentColumn, hiddenNumber, isSame, type Side, type Storable, sides, storable } from '../seal-cdr.ts';
import { portionHash, portionLine, sharedDigits } from './portion-of.ts';
import type { Portion, RejectedLine, ValidRecord } from './validate-lines.ts';

const cdrColumns = columnsOf(cdrs.columns);

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

/** A rejected line, as it is stored. */
export interface SealedLine extends Place {
  readonly cdrId: string | undefined;
  readonly rawSealed: string;
  /** JSON. */
  readonly findings: string;
  readonly value: LineValue | undefined;
}

export interface WarnedLine extends Place {
  readonly cdrId: string;
  /** JSON. */
  readonly findings: string;
}

/** The result for a portion's lines. */
export interface Outcome {
  /** Numbers of the recorded lines, in the order of their ids. */
  readonly lines: readonly number[];
  readonly cdrIds: readonly string[];
  readonly firstId: string | undefined;
  readonly lastId: string | undefined;
  /** Over ids, `cdr_id`s and contents of what was recorded, hex. */
  readonly sha256: string;
  /** Over the digests of the recorded rows, each with a line end, hex. */
  readonly rowsSha256: string;
  readonly duplicate: number;
  readonly rejected: number;
  readonly warned: number;
  /** How often each code was given. */
  readonly codes: Readonly<Record<string, number>>;
  /** Sum over recorded lines and duplicates. */
  readonly durationS: bigint;
  readonly cost: { readonly units: bigint; readonly scale: number };
  /** The first rejected lines, at most as many as requested. */
  readonly rejectedLines: readonly SealedLine[];
  readonly warnings: readonly WarnedLine[];
}

/** The record already stored under an operator's id. */
export interface ExistingRecord {
  readonly content: string;
  readonly record: string;
}

/** The most rejected lines and warnings to list individually; all of them are counted. */
export interface Wanted {
  readonly rejectedLines: number;
  readonly warnings: number;
}

/** A person of a portion: the number is to be stored with a new key. */
export interface PersonSeen {
  readonly subject: string;
  readonly number: string | undefined;
  /** Whether any part of a record is sealed under the key. */
  readonly seals: boolean;
}

interface Prepared extends ValidRecord {
  readonly stored: Storable;
  id: string;
  /** Digest of the row as it is stored. */
  digest: string;
}

export class ReadyPortion {
  readonly portion: Portion;
  /** Persons whose numbers or data are in the portion. */
  readonly persons: readonly PersonSeen[];
  readonly #file: FileOfLines;
  readonly #tools: Tools;
  readonly #records: readonly Prepared[];
  readonly #sealed = new Map<RejectedLine, SealedLine>();
  /** Distinguishes the portion's records from others created in the same millisecond. */
  #tail: string | undefined;

  constructor(tools: Tools, file: FileOfLines, portion: Portion) {
    this.#tools = tools;
    this.#file = file;
    this.portion = portion;
    const persons = new Map<string, PersonSeen>();
    this.#records = portion.records.map((r) => {
      const stored = storable(tools, file.psp, r.record);
      for (const side of sides) {
        const person = stored.persons[side];
        if (!person) continue;
        const { subject, number } = person;
        const seals = stored.personal[side] !== undefined;
        if (!persons.has(subject) || seals) persons.set(subject, { subject, number, seals });
      }
      return { ...r, stored, id: '', digest: '' };
    });
    this.persons = [...persons.values()];
  }

  /** Rows for a parameter of the type `cdrs[]`, under new ids; empty if no line is a record. */
  rows(order: RowsOrder): Uint8Array {
    if (this.#records.length === 0) return new Uint8Array();
    const { psp } = this.#file;
    const keys = new Map(
      this.persons.map(({ subject }, i) => {
        const key = Buffer.from(order.keys.subarray(i * 32, i * 32 + 32));
        return [subject, { psp, subject, key, generation: order.generations[i] as number }];
      }),
    );
    let i = 0;
    return encodeRows(
      cdrColumns,
      this.#tools.rowType,
      this.#records.map((r) => this.#row(r, keys, order.at)),
      (_, bytes) => {
        (this.#records[i++] as Prepared).digest = digestOfRow(bytes);
      },
    );
  }

  #row(r: Prepared, keys: ReadonlyMap<string, SealingKey>, at: string) {
    const { psp, account } = this.#file;
    const { record, stored } = r;
    const id = this.#tools.ids.next();
    this.#tail ??= id.slice(-sharedDigits);
    r.id = id.slice(0, -sharedDigits) + this.#tail;
    const sealedOf = (side: Side) => {
      const key = stored.personal[side] && keys.get(stored.persons[side]?.subject ?? '');
      return key
        ? { sealed: sealPersonal(key, stored.personal[side], personalRow(r.id, side)), subject: key.subject }
        : { sealed: null, subject: null };
    };
    const generationOf = (side: Side) => keys.get(hiddenNumber(stored, side) ?? '')?.generation ?? null;
    const receiver = sealedOf('receiver');
    const cdr = {
      psp,
      id: r.id,
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
      warnings: r.warnings.map(({ column, code, message }) => ({ column, code, message })),
      ...sealedOf('caller'),
      receiverSealed: receiver.sealed,
      receiverSubject: receiver.subject,
      createdAt: at,
      callerMask: stored.masks.caller,
      receiverMask: stored.masks.receiver,
      callerGeneration: generationOf('caller'),
      receiverGeneration: generationOf('receiver'),
    };
    return cdrRow(cdr, stored.values)[1];
  }

  /**
   * @param leftOut ids of rows that were not new
   * @param existing the records already stored under their `cdr_id`s
   */
  outcome(leftOut: ReadonlySet<string>, existing: ReadonlyMap<string, ExistingRecord>, wanted: Wanted): Outcome {
    const recorded = this.#records.filter((r) => !leftOut.has(r.id));
    const others = this.#records.filter((r) => leftOut.has(r.id));
    const isDuplicate = (r: Prepared) => isSame(existing.get(r.record.cdrId)?.content ?? '', r.stored, r.record);
    const duplicates = others.filter(isDuplicate);
    const conflicts = others
      .filter((r) => !isDuplicate(r))
      .map((r) => conflict(r, existing.get(r.record.cdrId)?.record));
    const rejectedLines =
      conflicts.length === 0
        ? this.portion.rejectedLines
        : [...this.portion.rejectedLines, ...conflicts].sort((a, b) => a.line - b.line);
    const warned = recorded.filter((r) => r.warnings.length > 0);
    const codes: Record<string, number> = {};
    for (const r of warned) for (const w of r.warnings) codes[w.code] = (codes[w.code] ?? 0) + 1;
    for (const k of rejectedLines) for (const f of k.findings) codes[f.code] = (codes[f.code] ?? 0) + 1;
    return {
      lines: recorded.map((r) => r.line),
      cdrIds: recorded.map((r) => r.record.cdrId),
      firstId: recorded[0]?.id,
      lastId: recorded.at(-1)?.id,
      sha256: portionHash(recorded.map((r) => portionLine(r.id, r.record.cdrId, r.stored.content))),
      rowsSha256: hash('sha256', recorded.map((r) => `${r.digest}\n`).join(''), 'hex'),
      duplicate: duplicates.length,
      rejected: rejectedLines.length,
      warned: warned.length,
      codes,
      ...sums(recorded, duplicates),
      rejectedLines: rejectedLines.slice(0, wanted.rejectedLines).map((k) => this.#seal(k)),
      warnings: warned.slice(0, wanted.warnings).map((r) => ({
        line: r.line,
        byteOffset: r.byteOffset,
        cdrId: r.record.cdrId,
        findings: JSON.stringify(ofLine(r, r.record.cdrId, r.warnings)),
      })),
    };
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

function conflict(r: Prepared, before: string | undefined): RejectedLine {
  const column = before === undefined ? undefined : differentColumn(before, r.stored, r.record);
  const { line, byteOffset, raw } = r;
  const { cdrId, cost, currency } = r.record;
  const finding: Finding = {
    line,
    byteOffset,
    cdr_id: cdrId,
    column: 'cdr_id',
    code: 'CDR_ID_CONFLICT',
    severity: 'error',
    message:
      before === undefined
        ? 'the cdr_id is on record already, and its record is in the archive'
        : `the cdr_id is on record with another '${column ?? 'content'}'`,
  };
  return { line, byteOffset, raw, cdrId, findings: [finding], value: { cost, currency } };
}

function sums(recorded: readonly Prepared[], duplicates: readonly Prepared[]): Pick<Outcome, 'durationS' | 'cost'> {
  let durationS = 0;
  let units = 0n;
  let scale = 0;
  for (const list of [recorded, duplicates])
    for (const { record } of list) {
      durationS += record.durationS;
      const cost = parseDecimal(record.cost);
      if (!cost) continue;
      if (cost.scale > scale) {
        units *= pow10(cost.scale - scale);
        scale = cost.scale;
      }
      units += cost.units * pow10(scale - cost.scale);
    }
  return { durationS: BigInt(durationS), cost: { units, scale } };
}
