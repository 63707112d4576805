// Processes journal entries about call detail records, in their order: analyses the records, adds them to the totals
// and closes months. The rows written here and the journal reader's cursor are one commit.
import { setImmediate as breathe } from 'node:timers/promises';
import { analyse, type CdrOperator, noCountry } from '../../../core/cdr/analyse.ts';
import type { Numbering } from '../../../core/cdr/classify.ts';
import type { EventKind } from '../../../core/events.ts';
import { fromWire, type PspId } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { RuleBook } from '../../../core/tax/book.ts';
import type { TaxRule } from '../../../core/tax/rule.ts';
import { readEntry } from '../../../entries/read.ts';
import type { Database } from '../../../platform/database.ts';
import type { JournalEntry } from '../../../platform/journal-entries.ts';
import type { Account, HasAccounts } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import {
  type CdrAnalysisRow,
  insertAnalyses,
  lockAnalyses,
  noteWithdrawn,
  type RecordRead,
  recordsById,
  recordsOfPortion,
  takenOff,
} from './analysis-store.ts';
import { closedPeriods, insertPeriod, openPeriod } from './period-store.ts';
import { Sums } from './sums.ts';
import { addTotals, removeEmptied } from './totals-store.ts';

/** The kinds of entries that the analysis reads. */
export const analysedKinds = [
  'cdr.recorded',
  'cdr.file_portion',
  'cdr.withdrawn',
  'cdr.lines_withdrawn',
  'cdr.period_closed',
] as const satisfies EventKind[];

/** Records after which a commit ends, so that little work is lost in a crash. At least one entry is read. */
const mostRecords = 10_000;

export interface AnalysisContext {
  readonly services: Needs<'log' | 'backgroundPauses' | 'reference' | 'rates'> & HasAccounts;
  readonly numbering: Numbering;
  /** Version of the number ranges. */
  readonly ranges: string;
  /** Called before a commit, with the number of records analysed in it. */
  readonly observe?: (records: number) => void;
}

/** Records per statement, more than a portion of a file has; `fewRecords` after an entry that took too long. */
const portionRecords = 2_000;
const fewRecords = 20;

/**
 * @param small reads and writes few records at a time
 * @returns the number of entries read, from the first
 */
export async function analyseEntries(
  c: AnalysisContext,
  tx: Database,
  psp: PspId,
  entries: readonly JournalEntry[],
  small: boolean,
): Promise<number> {
  const work = new Analyst(c, tx, psp, await closedPeriods(tx, psp), small ? fewRecords : portionRecords);
  for (const [i, e] of entries.entries()) {
    if (work.records >= mostRecords) {
      await work.finish();
      return i;
    }
    if (e.kind === 'cdr.recorded') work.single(e.resource);
    else if (e.kind === 'cdr.file_portion') await work.portion(e);
    else if (e.kind === 'cdr.withdrawn' || e.kind === 'cdr.lines_withdrawn') await work.withdraw(e);
    else if (e.kind === 'cdr.period_closed') await work.close(e);
  }
  await work.finish();
  return entries.length;
}

class Analyst {
  records = 0;
  readonly #c: AnalysisContext;
  readonly #tx: Database;
  readonly #psp: PspId;
  readonly #closed: Map<string, Set<string>>;
  readonly #book: RuleBook;
  readonly #sums = new Sums();
  readonly #operatorOf: (account: string) => Promise<CdrOperator>;
  readonly #myTurn: () => Promise<void>;
  readonly #atOnce: number;
  #singles: string[] = [];
  /** Accounts whose totals may have lines of which nothing is left. */
  readonly #emptied = new Set<string>();

  constructor(c: AnalysisContext, tx: Database, psp: PspId, closed: Map<string, Set<string>>, atOnce: number) {
    this.#atOnce = atOnce;
    this.#c = c;
    this.#tx = tx;
    this.#psp = psp;
    this.#closed = closed;
    this.#book = c.services.rates.book;
    this.#operatorOf = operatorsOf(c.services, tx, psp);
    this.#myTurn = c.services.backgroundPauses.turns();
  }

  /** Collects a record that came alone, so that several are read with one statement. */
  single(id: string): void {
    this.#singles.push(id);
    this.records++;
  }

  async portion(e: JournalEntry): Promise<void> {
    const { timestamp, data } = readEntry(e.body, ['cdr.file_portion/1']);
    if (data.withdrawn) await this.#takeOff(e.account, data.withdrawn.records);
    const [firstId, lastId] = [data.firstCdrId, data.lastCdrId].map((id) => fromWire('cdr', id ?? ''));
    if (!firstId || !lastId) return;
    await this.#flush();
    const portion = { account: e.account, firstId, lastId, at: timestamp };
    let found = 0;
    let after: string | undefined;
    do {
      const rows = await recordsOfPortion(this.#tx, this.#psp, portion, { after, most: this.#atOnce });
      await this.#analyse(rows);
      found += rows.length;
      after = rows.length < this.#atOnce ? undefined : rows.at(-1)?.id;
    } while (after !== undefined);
    if (found < data.accepted)
      this.#c.services.log.error(
        { psp: this.#psp, seq: e.seq, told: data.accepted, found },
        'a portion of a call detail file has fewer records than its journal entry tells of; the others are analysed',
      );
    this.records += found;
  }

  /** Takes records off in the months in which they count, or in the first open ones after these. */
  async withdraw(e: JournalEntry): Promise<void> {
    const { data } = readEntry(e.body, ['cdr.withdrawn/1', 'cdr.lines_withdrawn/1']);
    await this.#takeOff(e.account, data.records);
  }

  async #takeOff(account: string, records: readonly { readonly cdrId: string }[]): Promise<void> {
    await this.#flush();
    const ids = records.map((r) => fromWire('cdr', r.cdrId) as string);
    for (let i = 0; i < ids.length; i += this.#atOnce) {
      const found = await lockAnalyses(this.#tx, this.#psp, ids.slice(i, i + this.#atOnce));
      const rows = found.map((a) => ({ ...a, withdrawnIn: openPeriod(a.period, this.#closed.get(a.account)) }));
      await noteWithdrawn(this.#tx, this.#psp, rows);
      for (const a of rows) this.#sums.add(takenOff(a), (id) => this.#ruleOf(id), -1);
      this.records += rows.length;
    }
    this.#emptied.add(account);
  }

  /** Closes a month: records of entries before this one count in it, those of later entries are late. */
  async close(e: JournalEntry): Promise<void> {
    await this.#flush();
    const { timestamp, data } = readEntry(e.body, ['cdr.period_closed/1']);
    const { period, country } = data;
    await insertPeriod(this.#tx, {
      psp: this.#psp,
      account: e.account,
      period,
      country,
      entry: e.id,
      closedAt: timestamp,
    });
    this.#closed.set(e.account, (this.#closed.get(e.account) ?? new Set()).add(period));
  }

  async finish(): Promise<void> {
    await this.#flush();
    const lines = this.#sums.lines();
    for (let i = 0; i < lines.length; i += this.#atOnce) await addTotals(this.#tx, lines.slice(i, i + this.#atOnce));
    if (this.#emptied.size > 0) await removeEmptied(this.#tx, this.#psp, [...this.#emptied]);
    this.#c.observe?.(this.records);
  }

  async #flush(): Promise<void> {
    const ids = this.#singles;
    this.#singles = [];
    for (let i = 0; i < ids.length; i += this.#atOnce)
      await this.#analyse(await recordsById(this.#tx, this.#psp, ids.slice(i, i + this.#atOnce)));
  }

  async #analyse(records: readonly RecordRead[]): Promise<void> {
    await this.#myTurn();
    const rows: CdrAnalysisRow[] = [];
    for (const [i, r] of records.entries()) {
      // Yields, since the same thread answers requests.
      if (i % 64 === 63) await breathe();
      rows.push(this.#row(r, await this.#operatorOf(r.account)));
    }
    // A record is analysed once, even if two entries lead to it.
    const added = await insertAnalyses(this.#tx, rows);
    for (const row of rows) if (added.has(row.cdr)) this.#sums.add(row, (id) => this.#ruleOf(id));
  }

  #row(r: RecordRead, operator: CdrOperator): CdrAnalysisRow {
    const a = analyse(r, operator, { book: this.#book, numbering: this.#c.numbering });
    return {
      psp: this.#psp,
      cdr: r.id,
      account: r.account,
      country: operator.country ?? noCountry,
      period: openPeriod(a.callPeriod, this.#closed.get(r.account)),
      callPeriod: a.callPeriod,
      class: a.class,
      otherCountry: a.otherCountry,
      currency: r.currency,
      cost: r.cost,
      durationS: r.durationS,
      dataKb: r.dataKb ?? '0',
      answered: a.answered,
      tax: a.tax,
      taxes: a.taxes,
      finding: a.finding,
      dataset: this.#book.version,
      ranges: this.#c.ranges,
      withdrawnIn: null,
    };
  }

  /** Returns a rule that a record was just charged by, so it must exist. */
  #ruleOf(ruleId: string): TaxRule {
    return (this.#book.rule(ruleId) as { rule: TaxRule }).rule;
  }
}

/** Reads the operators of a PSP by account, each once. */
export function operatorsOf(s: Needs<'reference' | 'rates'> & HasAccounts, db: Database, psp: PspId) {
  const operators = new Map<string, CdrOperator>();
  return async (account: string): Promise<CdrOperator> => {
    let operator = operators.get(account);
    if (!operator) {
      const key = { psp, id: account };
      const found = s.accounts.peek(key) ?? (await s.accounts.load(db, [key])).get(s.accounts.text(key));
      if (!found) throw new Error(`the account ${account} of call detail records is not known`);
      operator = operatorOf(s, found);
      operators.set(account, operator);
    }
    return operator;
  };
}

/** The properties of an account that the analysis needs: country, time zone and classification. */
export function operatorOf(s: Needs<'reference' | 'rates'>, account: Account): CdrOperator {
  const country = account.country ?? undefined;
  const known = country === undefined ? undefined : s.reference.country(country);
  return {
    country,
    timeZone:
      (country && s.rates.book.country(country)?.timeZone) ??
      (known instanceof Refusal ? undefined : known?.timeZone) ??
      'UTC',
    classification: account.classification ?? '',
  };
}
