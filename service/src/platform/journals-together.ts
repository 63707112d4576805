// One step of a follower, inside its transaction: entries of many PSPs, read once, given to several readers. Whose
// cursor another transaction has locked is not read; a reader far behind the others is left to its own transactions.
import type { PspId } from '../core/ids.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { type Cursor, headsOf, holdCursors, moveCursors } from './journal-cursor.ts';
import { idsSince, type Journal, type JournalEntry, readStretches, type Stretch } from './journal-entries.ts';
import type { JournalReader } from './journal-reader.ts';

interface Left {
  readonly reader: JournalReader;
  readonly psp: PspId;
}

export interface Done {
  /** The readers that read entries, and of which PSPs. */
  readonly advanced: ReadonlyMap<JournalReader, readonly PspId[]>;
  /** PSPs with entries left to be read in the next step. */
  readonly more: readonly PspId[];
  /** What is to be read by the readers themselves, after the commit. */
  readonly leftTo: readonly Left[];
}

/** What one step reads of a PSP: the entries after the lowest cursor up to `to`, with the cursors that take part. */
interface Span extends Stretch {
  readonly cursors: ReadonlyMap<JournalReader, number>;
}

/** A reader this many entries behind the furthest one does not have the others read them again. */
const farBehind = 2000;

export async function readTogether(
  tx: Database,
  readers: readonly JournalReader[],
  psps: readonly PspId[],
  most: number,
  clock: Clock | undefined,
): Promise<Done> {
  const advanced = new Map<JournalReader, PspId[]>();
  const leftTo: Left[] = [];
  const wanted: Left[] = [];
  // A reader that has work of its own on a journal reads that journal by itself, with the newest entries too.
  for (const psp of psps) for (const reader of readers) (reader.has(psp) ? leftTo : wanted).push({ reader, psp });
  const held = await holdCursors(
    tx,
    wanted.map(({ reader, psp }) => ({ psp, reader: reader.name })),
  );
  // Read after the cursors: no cursor is beyond its journal's end.
  const heads = await headsOf(tx, psps);
  const spans = spansOf(readers, held, heads, most, leftTo);
  const moves: Cursor[] = [];

  const entries = readers.some((r) => !r.options.stretch)
    ? await readStretches(tx, spans, clock && idsSince(clock()))
    : new Map<PspId, readonly JournalEntry[]>();
  for (const reader of readers) {
    const mine = spans.filter((s) => s.cursors.has(reader) && (s.cursors.get(reader) as number) < s.to);
    if (mine.length === 0) continue;
    const all = mine.map((s) => s.psp);
    const over = new Set(await reader.options.passesOver?.(tx, all));
    const taken = mine.filter((s) => !over.has(s.psp));
    const did = reader.options.stretch
      ? await stretched(tx, reader, taken)
      : await given(tx, reader, taken, entries, leftTo);
    for (const { psp, cursors, to } of mine) {
      const seq = over.has(psp) ? to : (did.to.get(psp) ?? 0);
      if (seq > (cursors.get(reader) as number)) moves.push({ psp, reader: reader.name, seq });
    }
    if (did.read.length > 0) advanced.set(reader, did.read);
  }
  await moveCursors(tx, moves);
  return { advanced, more: unfinished(spans, moves, leftTo, heads), leftTo };
}

/** What each PSP's part of the step is: an equal share for all that have so many entries. */
function spansOf(
  readers: readonly JournalReader[],
  held: readonly Cursor[],
  heads: ReadonlyMap<PspId, number>,
  most: number,
  leftTo: Left[],
): Span[] {
  const named = new Map(readers.map((r) => [r.name, r]));
  const cursors = new Map<PspId, Map<JournalReader, number>>();
  for (const c of held) {
    const of = cursors.get(c.psp) ?? new Map<JournalReader, number>();
    cursors.set(c.psp, of.set(named.get(c.reader) as JournalReader, c.seq));
  }
  const limit = Math.min(...readers.flatMap((r) => (r.options.apart ? [] : r.limit)));
  const whole: Span[] = [];
  for (const [psp, of] of cursors) {
    const furthest = Math.max(...of.values());
    for (const [reader, seq] of of)
      if (seq < furthest - farBehind) {
        of.delete(reader);
        leftTo.push({ reader, psp });
      }
    const from = Math.min(...of.values());
    const to = Math.min(heads.get(psp) ?? 0, from + limit);
    if (to > from) whole.push({ psp, from, to, cursors: of });
  }
  whole.sort((a, b) => a.to - a.from - (b.to - b.from));
  let left = most;
  return whole.map((s, i) => {
    const share = Math.max(1, Math.floor(left / (whole.length - i)));
    const to = Math.min(s.to, s.from + share);
    left -= to - s.from;
    return { ...s, to };
  });
}

interface Did {
  /** Where each cursor goes. */
  readonly to: ReadonlyMap<PspId, number>;
  /** PSPs of which entries were read, rather than skipped. */
  readonly read: PspId[];
}

async function stretched(tx: Database, reader: JournalReader, spans: readonly Span[]): Promise<Did> {
  const { stretch } = reader.options;
  const stretches = spans.map(({ psp, to, cursors }) => ({ psp, from: cursors.get(reader) as number, to }));
  const to = (stretches.length > 0 && (await stretch?.(tx, stretches))) || new Map<PspId, number>();
  return { to, read: stretches.filter((s) => (to.get(s.psp) ?? s.from) > s.from).map((s) => s.psp) };
}

async function given(
  tx: Database,
  reader: JournalReader,
  spans: readonly Span[],
  entries: ReadonlyMap<PspId, readonly JournalEntry[]>,
  leftTo: Left[],
): Promise<Did> {
  const { kinds, apart, read, readAll } = reader.options;
  const to = new Map<PspId, number>();
  const journals: Journal[] = [];
  for (const { psp, cursors, to: end } of spans) {
    const from = cursors.get(reader) as number;
    const mine = (entries.get(psp) ?? []).filter(
      (e) => e.seq > from && (kinds === undefined || kinds.includes(e.kind)),
    );
    const [first] = mine;
    if (first && apart) {
      to.set(psp, first.seq - 1);
      leftTo.push({ reader, psp });
      continue;
    }
    to.set(psp, end);
    if (first) journals.push({ psp, entries: mine, between: { from, to: end } });
  }
  if (readAll && journals.length > 0) await readAll(tx, journals);
  else
    for (const j of journals) {
      const count = (await read?.(tx, j.psp, j.entries, false)) ?? j.entries.length;
      if (count < j.entries.length) to.set(j.psp, (j.entries[count - 1] as JournalEntry).seq);
    }
  return { to, read: journals.map((j) => j.psp) };
}

/** PSPs in which a cursor of this step is not at the journal's end, though it moved and nobody else reads on from it. */
function unfinished(
  spans: readonly Span[],
  moves: readonly Cursor[],
  leftTo: readonly Left[],
  heads: ReadonlyMap<PspId, number>,
): PspId[] {
  const left = new Set(leftTo.map((l) => `${l.psp} ${l.reader.name}`));
  const open = moves.filter((m) => m.seq < (heads.get(m.psp) ?? 0) && !left.has(`${m.psp} ${m.reader}`));
  const more = new Set(open.map((m) => m.psp));
  return spans.map((s) => s.psp).filter((psp) => more.has(psp));
}
