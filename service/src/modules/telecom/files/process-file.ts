// Processes one call detail file from its first byte to its final state. If a process ends at any moment, another one
// continues after the last committed portion.
import type { Trailer } from '../../../core/cdr/csv.ts';
import type { Finding, Tally } from '../../../core/cdr/file-findings.ts';
import { type PspId, toWire } from '../../../core/ids.ts';
import { formatDecimal, formatUnits } from '../../../core/money.ts';
import { stored } from '../../../core/said.ts';
import { tookTooLong } from '../../../platform/database-away.ts';
import { errorFields } from '../../../platform/log.ts';
import { findAccount } from '../../accounts/index.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import { recordIn } from '../../kernel/record-in.ts';
import { beginFile, type CdrFile, type FinalState, fileChange, getFile } from './file-store.ts';
import type { Taken } from './folders.ts';
import type { Opened } from './inspect.ts';
import { type PortionContext, Portions } from './record-portion.ts';
import { missingBefore } from './sequence.ts';
import { fileSummary } from './status.ts';

/**
 * Lines committed together: enough to spread the cost of a commit, few enough that others wait only milliseconds. The
 * smaller numbers are tried in turn after the database cancelled a larger portion.
 */
const portionLines = [1_000, 100, 10] as const;
/** Long lines make a portion shorter: two of them are in memory at a time, in several forms. */
const portionBytes = 1 << 20;
/** Bytes of the first reading that count as one portion; they take about as long. */
const readingBytes = 1 << 24;

export interface FileContext extends PortionContext {
  /** Largest file in bytes. */
  readonly maxBytes: number;
  /** Result of the first reading, by file id: a file is read through once, however many turns it takes. */
  readonly inspected: Map<string, Opened>;
  /** Bytes read at a time in the first reading; undefined for the default. */
  readonly readingBytes: number | undefined;
  /** Whether to stop after this many portions; the next call continues from there. */
  turnOver(portions: number): boolean;
  /** After each portion. */
  progressed(file: CdrFile, linesNow: number): void;
}

/** @returns the file in its final state; undefined if its turn ended before that */
export async function processFile(c: FileContext, taken: Taken, psp: PspId): Promise<CdrFile | undefined> {
  let file = await getFile(c.services.db, psp, taken.id);
  if (file.completedAt !== null) return file;
  if (file.sizeBytes > c.maxBytes) {
    const message = stored`the file has ${file.sizeBytes} bytes; at most ${c.maxBytes} are taken. Send it in parts`;
    return complete(c, file, 'REJECTED', [{ line: 0, code: 'FILE_TOO_LARGE', severity: 'error', message }]);
  }
  const { opened, pieces } = await readThrough(c, taken);
  if (!opened) return undefined;
  if (file.state === 'QUEUED') {
    await c.transaction((tx) => beginFile(tx, file, opened));
    file = await getFile(c.services.db, psp, taken.id);
  }
  if (file.duplicateOf !== null) return complete(c, file, 'DUPLICATE_FILE', []);
  const { header } = opened;
  if (!header || opened.findings.some((f) => f.severity === 'error'))
    return complete(c, file, 'REJECTED', opened.findings, opened.lines);
  if (file.next.byteOffset < file.sizeBytes) {
    const account = await findAccount(c.services.db, psp, file.account);
    const begin = (from: CdrFile, lines: number) =>
      c.validation.order('begin', {
        path: taken.path,
        file: { psp: from.psp, id: from.id, account: from.account },
        header,
        headerAt: opened.headerAt,
        from: from.next,
        trailerLine: opened.trailerLine,
        lines,
        bytes: portionBytes,
        now: Date.parse(from.pickedUpAt),
        registered: account && { name: account.name, country: account.country ?? undefined },
      });
    const after = await recordAll({ ...c, correction: opened.correction }, file, begin, pieces);
    if (after === undefined) return undefined;
    file = after;
  }
  return finish(c, file, opened);
}

/** The first reading, piece by piece. @returns without `opened` if the turn ended before the file did */
async function readThrough(c: FileContext, { id, path }: Taken): Promise<{ opened?: Opened; pieces: number }> {
  const known = c.inspected.get(id);
  if (known) return { opened: known, pieces: 0 };
  for (let pieces = 0; ; ) {
    const opened = await c.validation.order('inspect', { path, bytes: c.readingBytes ?? readingBytes });
    if (opened) {
      c.inspected.set(id, opened);
      return { opened, pieces };
    }
    if (c.turnOver(++pieces)) return { pieces };
  }
}

type Begin = (from: CdrFile, lines: number) => Promise<undefined>;

/** @param pieces number of pieces already read in this turn */
async function recordAll(c: FileContext, file: CdrFile, begin: Begin, pieces: number): Promise<CdrFile | undefined> {
  for (const lines of portionLines) {
    // After a failure, continue after the last committed portion.
    const from = lines === portionLines[0] ? file : await getFile(c.services.db, file.psp, file.id);
    await begin(from, lines);
    try {
      return await recordPortions(c, from, pieces);
    } catch (e) {
      if (!tookTooLong(e) || lines === portionLines.at(-1)) throw e;
      c.services.log.warn({ file: file.id, lines, ...errorFields(e) }, 'fewer lines of the file are tried at a time');
    }
  }
  return undefined;
}

/** Validates and prepares the next portion while the last one is written. */
async function recordPortions(c: FileContext, from: CdrFile, pieces: number): Promise<CdrFile | undefined> {
  const portions = new Portions(c, from.psp);
  let file = from;
  let writing: Promise<CdrFile> = Promise.resolve(file);
  const myTurn = c.services.backgroundPauses.turns();
  try {
    for (let begun = pieces; ; begun++) {
      await myTurn();
      // Checked before the next portion is read, so that nothing is validated and then discarded.
      if (c.turnOver(begun)) {
        await writing;
        return undefined;
      }
      const seen = await c.validation.order('read', undefined);
      if (!seen) break;
      const ready = await portions.makeReady(file, seen);
      file = await writing;
      if (seen.lines === 0 && seen.next === undefined) continue;
      writing = portions.record(file, seen, ready).then((after) => {
        c.progressed(after, seen.lines);
        return after;
      });
      // It is awaited above; an earlier rejection must not be reported as unhandled.
      writing.catch(() => undefined);
    }
  } finally {
    // The connection must not be released while it is in use.
    await writing.catch(() => undefined);
  }
  return writing;
}

async function finish(c: FileContext, file: CdrFile, { findings, trailer }: Opened): Promise<CdrFile> {
  const { counts } = file.tally;
  const sound = counts.accepted + counts.duplicate;
  const state = counts.rejected === 0 ? 'ACCEPTED' : sound > 0 ? 'PARTIALLY_ACCEPTED' : 'REJECTED';
  const odd = trailer && counts.rejected === 0 ? sumsDiffer(file.tally, trailer) : [];
  const declared = trailer && {
    records: trailer.records,
    sumDuration: trailer.durationS === undefined ? null : String(trailer.durationS),
    sumCost: trailer.cost === undefined ? null : formatDecimal(trailer.cost),
  };
  return complete(c, { ...file, tally: { ...file.tally, ...(declared ? { declared } : {}) } }, state, [
    ...findings,
    ...odd,
    ...(await missingBefore(c.services.db, file)),
  ]);
}

/** Warns about sums that differ from the trailer. They reject nothing: every line was validated by itself. */
function sumsDiffer(tally: Tally, trailer: Trailer): Finding[] {
  const differs = (what: string, declared: string, computed: string): Finding[] =>
    declared === computed
      ? []
      : [
          {
            line: 0,
            code: 'CONTROL_SUM',
            severity: 'warning',
            message: stored`the trailer declares ${what} ${declared}; the lines give ${computed}`,
          },
        ];
  const cost = formatUnits(BigInt(tally.cost.units), tally.cost.scale);
  const plain = (text: string) => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text);
  return [
    ...(trailer.durationS === undefined ? [] : differs('sum_duration', String(trailer.durationS), tally.durationS)),
    ...(trailer.cost === undefined ? [] : differs('sum_cost', plain(formatDecimal(trailer.cost)), plain(cost))),
  ];
}

/** @param keptOutWhole number of data lines of a file that is rejected as a whole */
async function complete(
  c: FileContext,
  file: CdrFile,
  state: FinalState,
  findings: readonly Finding[],
  keptOutWhole?: number,
): Promise<CdrFile> {
  const at = new Date(c.services.clock()).toISOString();
  const tally =
    keptOutWhole === undefined
      ? file.tally
      : { ...file.tally, counts: { ...file.tally.counts, rejected: keptOutWhole } };
  const completed = { ...file, state, findings, tally, completedAt: at, version: file.version + 1 };
  const entry = journalRow(c.services, c.principal, at, {
    kind: 'cdr.file_completed',
    ...about(completed),
    data: { ...fileSummary(completed), fileId: toWire('cdrFile', file.id) },
  });
  await c.transaction((tx) => recordIn(tx, c.services, { rows: [fileChange(completed), entry] }));
  return completed;
}
