// One call detail file from its first byte to its final state. Whatever moment a process ends at, another one goes on
// from the last portion that was made true.
import type { Header, Trailer } from '../../../core/cdr/csv.ts';
import { toWire } from '../../../core/ids.ts';
import { formatDecimal, formatUnits } from '../../../core/money.ts';
import { appendJournal } from '../../kernel/journal-append.ts';
import { beginFile, type CdrFile, completeFile, type FinalState, getFile } from './file-store.ts';
import type { Finding, Tally } from './findings.ts';
import type { CdrFolders, Taken } from './folders.ts';
import { inspect, judgeTrailer, openHeader } from './inspect.ts';
import { judge } from './judge.ts';
import { type PortionContext, prepare, recordPortion } from './record-portion.ts';
import { fileSummary } from './status.ts';

/** Lines made true together: enough that a commit's cost is spread, few enough that others wait for milliseconds. */
const portionLines = 1_000;

export interface FileContext extends PortionContext {
  readonly folders: CdrFolders;
  /** Largest file in bytes. */
  readonly maxBytes: number;
  /** Whether to stop at the next portion. */
  stopping(): boolean;
  /** After each portion. */
  progressed(file: CdrFile, linesNow: number): void;
}

interface Opened {
  readonly header: Header | undefined;
  readonly headerLine: string;
  readonly trailerLine: number | undefined;
  readonly trailer: Trailer | undefined;
  readonly findings: readonly Finding[];
  readonly sha256: string;
  readonly lines: number;
}

/** @returns the file in its final state; undefined when it was told to stop before */
export async function processFile(c: FileContext, taken: Taken, psp: string): Promise<CdrFile | undefined> {
  let file = await getFile(c.services.db, psp, taken.id);
  if (file.completedAt !== null) return file;
  if (file.sizeBytes > c.maxBytes) {
    const message = `the file has ${file.sizeBytes} bytes; at most ${c.maxBytes} are taken. Send it in parts`;
    return complete(c, file, 'REJECTED', [{ line: 0, code: 'FILE_TOO_LARGE', severity: 'error', message }]);
  }
  const opened = await open(c, taken);
  if (file.state === 'QUEUED') {
    await c.transaction((tx) => beginFile(tx, file, opened));
    file = await getFile(c.services.db, psp, taken.id);
  }
  if (file.duplicateOf !== null) return complete(c, file, 'DUPLICATE_FILE', []);
  const { header } = opened;
  if (!header || opened.findings.some((f) => f.severity === 'error'))
    return complete(c, file, 'REJECTED', opened.findings, opened.lines);
  if (file.next.byteOffset < file.sizeBytes) {
    const portions = judge(c.folders.read(taken, file.next.byteOffset), {
      header,
      from: file.next,
      trailerLine: opened.trailerLine,
      lines: portionLines,
      now: Date.parse(file.pickedUpAt),
      reference: c.services.reference,
    });
    // The next portion is read while the last one is written.
    let writing: Promise<CdrFile> = Promise.resolve(file);
    try {
      for await (const portion of portions) {
        const prepared = await prepare(c.services, file, portion.records);
        file = await writing;
        if (c.stopping()) return undefined;
        const lines = portion.records.length + portion.keptOut.length;
        if (lines === 0 && portion.next === undefined) continue;
        const before = file;
        writing = recordPortion(c, before, portion, prepared).then((after) => {
          c.progressed(after, lines);
          return after;
        });
        // It is awaited above; an earlier failure must not count as unheard.
        writing.catch(() => undefined);
      }
    } finally {
      // The connection is not given back while it is in use.
      await writing.catch(() => undefined);
    }
    file = await writing;
  }
  return finish(c, file, opened);
}

async function open(c: FileContext, taken: Taken): Promise<Opened> {
  const { sha256, lines, trailerLine, trailerOffset } = await inspect(c.folders.read(taken));
  const { header, line: headerLine, findings } = await openHeader(c.folders.read(taken));
  if (!header || trailerLine === undefined || trailerOffset === undefined)
    return { header, headerLine, trailerLine, trailer: undefined, findings, sha256, lines };
  const read = judgeTrailer(await c.folders.readText(taken, trailerOffset, 1000), trailerLine, lines);
  return 'records' in read
    ? { header, headerLine, trailerLine, trailer: read, findings, sha256, lines }
    : { header, headerLine, trailerLine, trailer: undefined, findings: [...findings, read], sha256, lines };
}

function finish(c: FileContext, file: CdrFile, { findings, trailer }: Opened): Promise<CdrFile> {
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
  ]);
}

/** Sums that differ keep nothing out: every line was judged by itself. */
function sumsDiffer(tally: Tally, trailer: Trailer): Finding[] {
  const differs = (what: string, declared: string, computed: string): Finding[] =>
    declared === computed
      ? []
      : [
          {
            line: 0,
            code: 'CONTROL_SUM',
            severity: 'warning',
            message: `the trailer declares ${what} ${declared}; the lines give ${computed}`,
          },
        ];
  const cost = formatUnits(BigInt(tally.cost.units), tally.cost.scale);
  const plain = (text: string) => (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text);
  return [
    ...(trailer.durationS === undefined ? [] : differs('sum_duration', String(trailer.durationS), tally.durationS)),
    ...(trailer.cost === undefined ? [] : differs('sum_cost', plain(formatDecimal(trailer.cost)), plain(cost))),
  ];
}

/** @param keptOutWhole data lines of a file that is kept out whole */
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
  const completed = { ...file, state, findings, tally, completedAt: at };
  await c.transaction(async (tx) => {
    await completeFile(tx, file, state, at, findings, tally);
    await appendJournal(tx, c.services, c.principal, at, {
      kind: 'cdr.file_completed',
      psp: file.psp,
      account: file.account,
      resourceId: file.id,
      version: file.version + 1,
      data: { ...fileSummary(completed), fileId: toWire('cdrFile', file.id) },
    });
  });
  return completed;
}
