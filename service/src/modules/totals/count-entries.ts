// The effect of a batch of journal entries on daily totals, read forwards: each change removes what its transaction
// added before and adds what it adds from then on. The former state is in its last revision.
import { scheduler } from 'node:timers/promises';
import { fromWire, type PspId } from '../../core/ids.ts';
import {
  type Counted as CountedNumber,
  type EntryOfPlay,
  type EntryOfTransaction,
  entryOfPlay,
  entryOfTransaction,
  parseCounted,
} from '../../core/totals/entry.ts';
import { type DayOf, partsOfPlay, partsOfTransaction } from '../../core/totals/figures.ts';
import { Tally } from '../../core/totals/tally.ts';
import { type Parse, readEntry } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import type { JournalEntry } from '../../platform/journal-reader.ts';
import { transactionFromRow } from '../../records/transaction-rows.ts';
import { productLines, type Redated, revisionRows } from './totals-store.ts';

export interface Counted {
  readonly tally: Tally;
  readonly redated: Redated[];
}

export const nothingCounted = (): Counted => ({ tally: new Tally(), redated: [] });

/** Name of the totals reader, under which its cursor is stored. */
export const totalsReader = 'totals';

/** Kinds of entries included in totals. */
export const countedKinds = ['transaction.created', 'transaction.updated', 'wager.created', 'payout.created'] as const;

/** Entries processed without a break: a few milliseconds, so that no decision is delayed longer. */
const breath = 100;

const isTransaction = (e: JournalEntry) => e.kind === 'transaction.created' || e.kind === 'transaction.updated';
const playKinds: Readonly<Record<string, 'captureWager' | 'capturePayout'>> = {
  'wager.created': 'captureWager',
  'payout.created': 'capturePayout',
};

const parse: Parse<CountedNumber> = parseCounted;
const transactionSchemas = ['transaction.created/1', 'transaction.updated/1'] as const;
const playSchemas = ['wager.created/1', 'payout.created/1'] as const;

/** @throws UnknownEntry for a schema that is not counted here */
export const transactionTold = (e: JournalEntry): EntryOfTransaction =>
  entryOfTransaction(e.account, readEntry(e.body, transactionSchemas, parse));

/** Adds one PSP's entries to the sums. */
export async function countEntries(
  db: Database,
  psp: PspId,
  entries: readonly JournalEntry[],
  dayOf: DayOf,
  to: Counted,
): Promise<void> {
  await countTransactions(db, psp, entries.filter(isTransaction), dayOf, to);
  await countPlays(db, psp, entries, to.tally);
}

async function countTransactions(
  db: Database,
  psp: PspId,
  entries: readonly JournalEntry[],
  dayOf: DayOf,
  { tally, redated }: Counted,
): Promise<void> {
  const read: (EntryOfTransaction & { readonly id: string })[] = [];
  for (const e of entries) {
    read.push({ id: e.resource, ...transactionTold(e) });
    if (read.length % breath === 0) await scheduler.yield();
  }
  const changes = read.filter((t) => t.revision > 1).map((t) => ({ id: t.id, revision: t.revision - 1 }));
  const rows = changes.length > 0 ? await revisionRows(db, psp, changes) : [];
  const before = new Map(
    rows.map((r) => {
      const t = transactionFromRow(r);
      return [`${t.id} ${t.revision}`, t];
    }),
  );
  for (const [i, t] of read.entries()) {
    if (i % breath === breath - 1) await scheduler.yield();
    const was = before.get(`${t.id} ${t.revision - 1}`);
    if (t.revision > 1 && !was)
      throw new Error(`transaction ${t.id} is at revision ${t.revision}, and the one before is nowhere`);
    const evidence = t.evidence ?? was?.evidence;
    if (!evidence) throw new Error(`the entry of transaction ${t.id} says nothing of its taxes`);
    if (was) tally.add(partsOfTransaction(was, dayOf), -1);
    tally.add(partsOfTransaction({ ...t.record, evidence }, dayOf), 1);
    if (isRedated(t.revision, evidence.date, dayOf(t.record.country, t.createdAt)))
      redated.push({ day: evidence.date, transaction: t.id });
  }
}

/** Whether a transaction is counted on another day than its id implies. */
export const isRedated = (revision: number, day: string, madeOn: string): boolean => revision > 1 && day !== madeOn;

/** Wagers and payouts never change: they are only added. */
export async function countPlays(
  db: Database,
  psp: PspId,
  entries: readonly JournalEntry[],
  tally: Tally,
): Promise<void> {
  const plays: EntryOfPlay[] = [];
  for (const e of entries) {
    const kind = playKinds[e.kind];
    if (kind) plays.push(entryOfPlay(kind, e.account, readEntry(e.body, playSchemas, parse)));
  }
  const wagerOf = (p: EntryOfPlay) => (p.wagerId === undefined ? undefined : fromWire('wager', p.wagerId));
  const wagers = plays.filter((p) => p.productLine === undefined).flatMap((p) => wagerOf(p) ?? []);
  const lines = wagers.length > 0 ? await productLines(db, psp, wagers) : new Map<string, string>();
  for (const p of plays) {
    const productLine = p.productLine ?? lines.get(wagerOf(p) ?? '');
    if (productLine === undefined) throw new Error(`a payout tells of the wager ${p.wagerId}, which is nowhere`);
    tally.add(partsOfPlay({ ...p.record, productLine }), 1);
  }
}
