// Makes a portion of a call detail file true: its new records, its lines that are kept out, what they correct, one
// journal entry and the file's progress in one commit. A process that is killed leaves a portion done or not begun.
import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { type Column, firstDifferentColumn, readValues } from '../../../core/cdr/record.ts';
import { toWire } from '../../../core/ids.ts';
import { parseDecimal, pow10 } from '../../../core/money.ts';
import type { Database } from '../../../platform/database.ts';
import type { RowValues } from '../../../platform/row-encoder.ts';
import { appendJournal } from '../../kernel/journal-append.ts';
import type { Principal, Services } from '../../kernel/services.ts';
import { type SubjectKey, sealPersonal } from '../../kernel/subjects.ts';
import { cdrRow } from '../cdr-store.ts';
import { type Storable, storable } from '../seal-cdr.ts';
import { advanceFile, type CdrFile } from './file-store.ts';
import { type Finding, ofLine, type Place, type Tally } from './findings.ts';
import type { JudgedRecord, KeptOut, Portion } from './judge.ts';
import { findHeld, insertCdrs, insertSubjects } from './portion-store.ts';
import { closeCorrected, keepWarnings, suspend } from './suspense-store.ts';

/** Lines of a file whose warnings are listed; all warnings stand with their records and are counted. */
const warningLines = 10_000;

export interface Prepared extends JudgedRecord {
  readonly stored: Storable;
  readonly subject: { psp: string; subject: string } | undefined;
}

/** A row ready to be recorded, beside the line it comes from. */
interface Ready {
  readonly of: Prepared;
  readonly id: string;
  readonly row: RowValues;
}

export interface PortionContext {
  readonly services: Services;
  readonly rowType: number;
  readonly principal: Principal;
  /** Makes what `work` writes true together. */
  transaction<T>(work: (tx: Database) => Promise<T>): Promise<T>;
}

/** A person became known elsewhere at the same moment: their rows must be sealed again under the key that stands. */
class PersonMet extends Error {}

/** @returns the file after it */
export async function recordPortion(
  c: PortionContext,
  file: CdrFile,
  portion: Portion,
  prepared: readonly Prepared[],
): Promise<CdrFile> {
  for (let attempt = 1; ; attempt++)
    try {
      return await attemptPortion(c, file, portion, prepared);
    } catch (e) {
      if (!(e instanceof PersonMet) || attempt === 5) throw e;
    }
}

/** Hashes what is personal; some lines at a time, so that nobody else waits. */
export async function prepare(s: Services, file: CdrFile, records: readonly JudgedRecord[]): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const [i, r] of records.entries()) {
    if (i % 64 === 63) await breathe();
    const stored = storable(s.vault, file.psp, r.record);
    const subject = stored.personal && s.subjects.identify(file.psp, r.record.caller.text);
    prepared.push({ ...r, stored, subject });
  }
  return prepared;
}

async function attemptPortion(
  c: PortionContext,
  file: CdrFile,
  portion: Portion,
  prepared: readonly Prepared[],
): Promise<CdrFile> {
  const { services: s } = c;
  const at = new Date(s.clock()).toISOString();
  const persons = await findPersons(s, prepared);
  const ready: Ready[] = [];
  for (const [i, of] of prepared.entries()) {
    if (i % 64 === 63) await breathe();
    ready.push(readyRow(s, file, of, persons, at));
  }
  return c.transaction(async (tx) => {
    const fresh = [...persons.values()].filter((p) => p.fresh).sort((a, b) => (a.subject < b.subject ? -1 : 1));
    if (!(await insertSubjects(tx, fresh))) throw new PersonMet('a person became known meanwhile');
    const added = await insertCdrs(
      tx,
      c.rowType,
      ready.map((r) => r.row),
    );
    const recorded = ready.filter((r) => added.has(r.id));
    const others = ready.filter((r) => !added.has(r.id)).map((r) => r.of);
    const held = await findHeld(
      tx,
      file.psp,
      file.account,
      others.map((o) => o.record.cdrId),
    );
    const isSame = (o: Prepared) => held.get(o.record.cdrId)?.content === o.stored.content;
    const duplicates = others.filter(isSame);
    const conflicts = others.filter((o) => !isSame(o)).map((o) => conflict(o, held.get(o.record.cdrId)?.record));
    const keptOut = [...portion.keptOut, ...conflicts].sort((a, b) => a.line - b.line);
    const warned = recorded.filter((r) => r.of.warnings.length > 0);
    const listed = warned.slice(0, Math.max(0, warningLines - file.tally.warningsKept)).map(({ of }) => ({
      line: of.line,
      byteOffset: of.byteOffset,
      cdrId: of.record.cdrId,
      findings: ofLine(of, of.record.cdrId, of.warnings),
    }));
    await suspend(tx, s.vault, file, keptOut);
    await closeCorrected(
      tx,
      file,
      recorded.map(({ of }) => ({ line: of.line, cdrId: of.record.cdrId })),
      at,
    );
    await keepWarnings(tx, file, listed);
    const tally = add(file.tally, recorded, duplicates, keptOut, warned.length, listed.length);
    const next: Place = portion.next ?? { line: portion.from.line, byteOffset: file.sizeBytes };
    await advanceFile(tx, file, next, tally);
    await appendJournal(tx, s, c.principal, at, {
      kind: 'cdr.file_portion',
      psp: file.psp,
      account: file.account,
      resourceId: file.id,
      version: file.version + 1,
      data: portionResource(file, portion, recorded, duplicates.length, keptOut.length),
    });
    return { ...file, next, tally, version: file.version + 1 };
  });
}

async function findPersons(s: Services, prepared: readonly Prepared[]): Promise<Map<string, SubjectKey>> {
  const persons = new Map<string, SubjectKey>();
  const unknown = new Map<string, { psp: string; subject: string }>();
  for (const { subject } of prepared) {
    if (!subject) continue;
    const known = s.subjects.peek(subject);
    if (known) persons.set(subject.subject, known);
    else unknown.set(subject.subject, subject);
  }
  if (unknown.size > 0)
    for (const k of (await s.subjects.load(s.db, [...unknown.values()])).values()) persons.set(k.subject, k);
  return persons;
}

function readyRow(
  s: Services,
  file: CdrFile,
  of: Prepared,
  persons: ReadonlyMap<string, SubjectKey>,
  at: string,
): Ready {
  const { record, stored, subject } = of;
  const person = subject && persons.get(subject.subject);
  const id = s.ids.next();
  const [, row] = cdrRow({
    psp: file.psp,
    id,
    account: file.account,
    recordedBy: file.account,
    cdrId: record.cdrId,
    callStart: record.start.text,
    durationS: record.durationS,
    callType: record.callType,
    networkProvider: record.networkProvider,
    cost: record.cost,
    currency: record.currency,
    content: stored.content,
    record: stored.record,
    warnings: of.warnings.map(({ column, code, message }) => ({ column, code, message })),
    sealed: person ? sealPersonal(person, stored.personal) : null,
    subject: subject?.subject ?? null,
    createdAt: at,
  });
  return { of, id, row };
}

function conflict(of: Prepared, before: string | undefined): KeptOut {
  const column: Column | undefined =
    before === undefined ? undefined : firstDifferentColumn(readValues(before), readValues(of.stored.record));
  const { cdrId } = of.record;
  const finding: Finding = {
    line: of.line,
    byteOffset: of.byteOffset,
    cdr_id: cdrId,
    column: 'cdr_id',
    code: 'CDR_ID_CONFLICT',
    severity: 'error',
    message: `the cdr_id is on record with another '${column ?? 'content'}'`,
  };
  return { line: of.line, byteOffset: of.byteOffset, raw: of.raw, cdrId, findings: [finding] };
}

function add(
  before: Tally,
  recorded: readonly Ready[],
  duplicates: readonly Prepared[],
  keptOut: readonly KeptOut[],
  warned: number,
  listed: number,
): Tally {
  const codes = { ...before.codes };
  const count = (code: string) => {
    codes[code] = (codes[code] ?? 0) + 1;
  };
  let durationS = BigInt(before.durationS);
  let units = BigInt(before.cost.units);
  let { scale } = before.cost;
  for (const { record } of [...recorded.map((r) => r.of), ...duplicates]) {
    durationS += BigInt(record.durationS);
    const cost = parseDecimal(record.cost);
    if (!cost) continue;
    if (cost.scale > scale) {
      units *= pow10(cost.scale - scale);
      scale = cost.scale;
    }
    units += cost.units * pow10(scale - cost.scale);
  }
  for (const r of recorded) for (const w of r.of.warnings) count(w.code);
  for (const k of keptOut) for (const f of k.findings) count(f.code);
  return {
    ...before,
    counts: {
      accepted: before.counts.accepted + recorded.length,
      rejected: before.counts.rejected + keptOut.length,
      duplicate: before.counts.duplicate + duplicates.length,
      warned: before.counts.warned + warned,
    },
    codes,
    durationS: String(durationS),
    cost: { units: String(units), scale },
    warningsKept: before.warningsKept + listed,
  };
}

/** The journal's word for a portion: which lines, what became of them, and a hash that holds the records to it. */
function portionResource(
  file: CdrFile,
  portion: Portion,
  recorded: readonly Ready[],
  duplicate: number,
  rejected: number,
): object {
  const hash = createHash('sha256');
  for (const { of, id } of recorded) hash.update(`${id} ${of.record.cdrId} ${of.stored.content}\n`);
  const ids = { first: recorded[0]?.id, last: recorded.at(-1)?.id };
  return {
    fileId: toWire('cdrFile', file.id),
    fileName: file.name,
    sha256: file.sha256,
    fromLine: portion.from.line,
    fromByte: portion.from.byteOffset,
    toByte: portion.next?.byteOffset ?? file.sizeBytes,
    accepted: recorded.length,
    duplicate,
    rejected,
    ...(ids.first && ids.last ? { firstCdrId: toWire('cdr', ids.first), lastCdrId: toWire('cdr', ids.last) } : {}),
    recordsSha256: hash.digest('hex'),
  };
}
