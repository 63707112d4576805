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
import type { Journal, JournalEntry } from '../../platform/journal-entries.ts';
import { transactionFromRow } from '../../records/transaction-rows.ts';
import { productLines, type Redated, revisionRows } from './totals-store.ts';

export interface Counted {
  readonly tally: Tally;
  readonly redated: Redated[];
}

export const nothingCounted = (): Counted => ({ tally: new Tally(), redated: [] });

/** Name of the totals reader, under which its cursor is stored. */
export const totalsReader = 'daily-totals';

/** That of versions up to 0.1, which keep tables of their own beside this one during an upgrade. After it nothing moves its cursor. */
export const oldTotalsReader = 'totals';

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
export const transactionOfEntry = (e: JournalEntry): EntryOfTransaction =>
  entryOfTransaction(e.account, readEntry(e.body, transactionSchemas, parse));

/** A PSP's entries, and the sums they are added to. */
export interface Counting extends Journal, Counted {}

/** Adds the entries of several PSPs to their sums. */
export async function countEntries(db: Database, journals: readonly Counting[], dayOf: DayOf): Promise<void> {
  await countTransactions(db, journals, dayOf);
  await countPlays(db, journals);
}

async function countTransactions(db: Database, journals: readonly Counting[], dayOf: DayOf): Promise<void> {
  const read: (EntryOfTransaction & { readonly id: string; readonly to: Counting })[] = [];
  for (const to of journals)
    for (const e of to.entries.filter(isTransaction)) {
      read.push({ id: e.resource, to, ...transactionOfEntry(e) });
      if (read.length % breath === 0) await scheduler.yield();
    }
  const changes = read
    .filter((t) => t.revision > 1)
    .map((t) => ({ psp: t.to.psp, id: t.id, revision: t.revision - 1 }));
  const rows = changes.length > 0 ? await revisionRows(db, changes) : [];
  const before = new Map(
    rows.map((r) => {
      const t = transactionFromRow(r);
      return [`${t.psp} ${t.id} ${t.revision}`, t];
    }),
  );
  for (const [i, t] of read.entries()) {
    if (i % breath === breath - 1) await scheduler.yield();
    const { psp, tally, redated } = t.to;
    const was = before.get(`${psp} ${t.id} ${t.revision - 1}`);
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
export async function countPlays(db: Database, journals: readonly Omit<Counting, 'redated'>[]): Promise<void> {
  const plays: (EntryOfPlay & { readonly psp: PspId; readonly wager: string | undefined; readonly tally: Tally })[] =
    [];
  for (const { psp, entries, tally } of journals)
    for (const e of entries) {
      const kind = playKinds[e.kind];
      if (!kind) continue;
      const p = entryOfPlay(kind, e.account, readEntry(e.body, playSchemas, parse));
      plays.push({ ...p, psp, tally, wager: p.wagerId === undefined ? undefined : fromWire('wager', p.wagerId) });
    }
  const wagers = plays.flatMap(({ psp, productLine, wager: id }) =>
    productLine === undefined && id !== undefined ? [{ psp, id }] : [],
  );
  const lines = wagers.length > 0 ? await productLines(db, wagers) : new Map<string, string>();
  for (const p of plays) {
    const productLine = p.productLine ?? lines.get(p.wager ?? '');
    if (productLine === undefined) throw new Error(`a payout tells of the wager ${p.wagerId}, which is nowhere`);
    p.tally.add(partsOfPlay({ ...p.record, productLine }), 1);
  }
}
