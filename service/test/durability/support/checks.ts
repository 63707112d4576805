// The durability checks: replies to clients, records and journal must agree. Each check returns violations under its
// name, so that a test can also prove that a check fails when it should.
//
// C1 each ok is exactly one equal record. C2 each refusal is no record. C3 each unknown is none or one, and
// asked again exactly one. C4 every split sums, at most one chargeback per transaction. C5 records and journal
// match one to one, numbered without gaps, and what was once written stays as it was. C7 terminal states stay.
// B is what a service must do besides while a fault lasts: answer in time, say that it is not ready, end in order.
// C1 to C3 are in check-answers, C5 in check-entries. Beside these, once all readers have come to the end: reports (C4,
// check-totals), deliveries (C5, check-deliveries), the seal (C6, check-seal) and lines of files (C8, check-files).
import type { Database, Pool, Row } from '../../../src/platform/database.ts';
import { checkAnswers } from './check-answers.ts';
import { Entries } from './check-entries.ts';
import { type Found, type Stage, sameAmounts, type Verdict, type Violation } from './finding.ts';
import type { History } from './history.ts';

/** Checks one database, and remembers what must not change until the next check. */
export class Checks {
  readonly #db: Database | Pick<Pool, 'query' | 'transaction'>;
  /** Text of charged-back transactions seen before. */
  readonly #terminal: Map<string, string>;
  readonly #entries: Entries;

  /** @param seen remembers what these remember, which stay as they are */
  constructor(db: Database | Pick<Pool, 'query' | 'transaction'>, seen?: Checks) {
    this.#db = db;
    this.#terminal = new Map(seen ? seen.#terminal : []);
    this.#entries = new Entries(seen ? seen.#entries : undefined);
  }

  /** Reads one snapshot if possible: what is recorded meanwhile must not be in one table and missing in another. */
  async look(history: History, stage: Stage): Promise<Verdict> {
    const db = this.#db;
    if (!('transaction' in db)) return this.#look(db, history, stage);
    return db.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return this.#look(tx, history, stage);
    });
  }

  async #look(db: Database, history: History, stage: Stage): Promise<Verdict> {
    const out: Violation[] = [];
    const current = await db.query('SELECT * FROM transactions ORDER BY psp_id, id');
    const earlier = await db.query('SELECT * FROM transaction_revisions ORDER BY psp_id, id, revision');
    const chargebacks = await db.query('SELECT * FROM chargebacks');
    const refs = await db.query("SELECT * FROM refs WHERE space = 'transaction'");
    const versionsOf = Map.groupBy(earlier, (r) => r.id as string);
    const found = current.map((c): Found => ({ current: c, versions: [...(versionsOf.get(c.id as string) ?? []), c] }));

    out.push(...checkAnswers(history, stage, found, chargebacks, refs));
    sums(found, chargebacks, out);
    const entries = await this.#entries.check(db, found, chargebacks, out);
    this.#kept(found, out);
    return {
      violations: out,
      figures: {
        records: current.length,
        versions: current.length + earlier.length,
        chargebacks: chargebacks.length,
        entries,
      },
    };
  }

  /** C7: a charged-back transaction is never touched again. */
  #kept(found: readonly Found[], out: Violation[]): void {
    const byId = new Map(found.map((f) => [f.current.id as string, f]));
    for (const [id, text] of this.#terminal) {
      const now = byId.get(id);
      if (!now) out.push({ check: 'C7', what: `${id} was charged back and is gone` });
      else if (JSON.stringify(now.current) !== text)
        out.push({ check: 'C7', what: `${now.current.ref} was charged back and changed after` });
    }
    for (const { current, versions } of found) {
      if (versions.slice(0, -1).some((v) => v.chargeback !== null))
        out.push({ check: 'C7', what: `${current.ref} has a version after its chargeback` });
      if (current.chargeback === null) continue;
      if (current.status !== 'APPROVED')
        out.push({ check: 'C7', what: `${current.ref} is charged back and ${current.status}` });
      this.#terminal.set(current.id as string, JSON.stringify(current));
    }
  }
}

/** C4. */
function sums(found: readonly Found[], chargebacks: readonly Row[], out: Violation[]): void {
  for (const { versions } of found)
    for (const v of versions) {
      const parts = [v.vat_amount, v.processing_fee, v.transaction_fee, v.transaction_vat, v.remainder].map(units);
      if (parts.reduce((a, b) => a + b, 0n) !== units(v.amount))
        out.push({ check: 'C4', what: `${v.ref}: the split of version ${v.revision} does not sum to ${v.amount}` });
      if (parts.some((p) => p < 0n)) out.push({ check: 'C4', what: `${v.ref}: a part of the split is negative` });
    }
  const byTransaction = Map.groupBy(chargebacks, (c) => c.transaction_id as string);
  const byId = new Map(found.map((f) => [f.current.id as string, f.current]));
  for (const [id, list] of byTransaction) {
    const t = byId.get(id);
    if (list.length > 1) out.push({ check: 'C4', what: `${t?.ref ?? id} has ${list.length} chargebacks` });
    const amounts = t && {
      vatAmount: Number(t.vat_amount),
      processingFee: Number(t.processing_fee),
      merchantAmount: Number(t.remainder),
      transactionFee: Number(t.transaction_fee),
      transactionVAT: Number(t.transaction_vat),
    };
    if (!amounts || !sameAmounts(amounts, list[0]?.amounts as string))
      out.push({ check: 'C4', what: `${t?.ref ?? id}: its chargeback returns other amounts than its own` });
    const attached = t?.chargeback ? (JSON.parse(t.chargeback as string) as { id: string }).id : undefined;
    if (attached !== list[0]?.id)
      out.push({ check: 'C4', what: `${t?.ref ?? id}: its chargeback is not attached to it` });
  }
  for (const { current } of found)
    if (current.chargeback !== null && !byTransaction.has(current.id as string))
      out.push({ check: 'C4', what: `${current.ref}: a chargeback is attached that does not exist` });
}

/** Ten-thousandths: every amount in these tests has at most four decimals. */
function units(text: unknown): bigint {
  const [whole = '0', part = ''] = String(text).split('.');
  return BigInt(whole + part.padEnd(4, '0').slice(0, 4));
}
