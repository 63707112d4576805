// The durability checks: what the clients were told, the records and the journal must tell one story. Each
// returns what is broken, named by its check, so that a test can also prove that a check fails when it should.
//
// C1 each ok is exactly one equal record. C2 each refusal is no record. C3 each unknown is none or one, and
// asked again exactly one. C4 every split sums, at most one chargeback per transaction. C5 records and journal
// match one to one, numbered without gaps, and what was once written stays as it was. C7 terminal states stay.
// B is what a service must do besides while a fault lasts: answer in time, say that it is not ready, end in order.
// Beside these, once all readers have come to the end: reports (C4, check-totals), deliveries (C5,
// check-deliveries), the seal (C6, check-seal) and lines of files (C8, check-files).
import { toWire } from '../../../src/core/ids.ts';
import type { Database, Pool, Row } from '../../../src/platform/database.ts';
import type { History, Sent } from './history.ts';

export type CheckName = 'C1' | 'C2' | 'C3' | 'C4' | 'C5' | 'C6' | 'C7' | 'C8' | 'B';

export interface Violation {
  readonly check: CheckName;
  readonly what: string;
  /** What it means for whoever was answered, where it is one of these. */
  readonly effect?: 'lost' | 'doubled';
}

export interface Verdict {
  readonly violations: readonly Violation[];
  /** What was looked at. */
  readonly figures: {
    readonly records: number;
    readonly versions: number;
    readonly chargebacks: number;
    readonly entries: number;
  };
}

type Say = (check: CheckName, what: string, effect?: Violation['effect']) => void;

/** Whether every request of unknown outcome has been asked again by now. */
export type Stage = 'before asking again' | 'after asking again';

interface Found {
  readonly current: Row;
  /** All revisions, oldest first, the current one included. */
  readonly versions: readonly Row[];
}

/** Checks one database; keeps what must never change from one look to the next. */
export class Checks {
  readonly #of: Database;
  /** One snapshot while it looks: what is recorded meanwhile must not stand in one table and not in another. */
  #db: Database;
  /** Text of charged-back transactions and journal entries seen before. */
  readonly #terminal = new Map<string, string>();
  readonly #journal = new Map<string, { seq: number; digest: string }>();

  constructor(db: Database | Pick<Pool, 'query' | 'transaction'>) {
    this.#of = this.#db = db;
  }

  async look(history: History, stage: Stage): Promise<Verdict> {
    if (!('transaction' in this.#of)) return this.#look(history, stage);
    return (this.#of as Pool).transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      this.#db = tx;
      return this.#look(history, stage);
    });
  }

  async #look(history: History, stage: Stage): Promise<Verdict> {
    const out: Violation[] = [];
    const current = await this.#db.query('SELECT * FROM transactions ORDER BY psp_id, id');
    const earlier = await this.#db.query('SELECT * FROM transaction_revisions ORDER BY psp_id, id, revision');
    const chargebacks = await this.#db.query('SELECT * FROM chargebacks');
    const refs = await this.#db.query("SELECT * FROM refs WHERE space = 'transaction'");
    const versionsOf = groupBy(earlier, (r) => r.id as string);
    const found = current.map((c): Found => ({ current: c, versions: [...(versionsOf.get(c.id as string) ?? []), c] }));

    this.#answers(history, stage, found, chargebacks, refs, out);
    sums(found, chargebacks, out);
    const entries = await this.#journalled(found, chargebacks, out);
    await this.#kept(found, out);
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

  /** C1, C2, C3: record by record, what its senders were told. */
  #answers(history: History, stage: Stage, found: Found[], chargebacks: Row[], refs: Row[], out: Violation[]): void {
    const key = (account: unknown, ref: unknown) => `${account}|${ref}`;
    const byRef = groupBy(found, (f) => key(f.current.account_id, f.current.ref));
    const refRows = groupBy(refs, (r) => key(r.account_id, r.ref));
    const backs = groupBy(chargebacks, (c) => c.transaction_id as string);
    const sent = groupBy(history.all, (s) => key(s.party.account, s.ref));
    for (const [k, all] of sent) {
      const rows = byRef.get(k) ?? [];
      const writes = all.filter((s) => s.operation === 'verifyTransaction' || s.operation === 'deposit');
      const oks = writes.filter((s) => s.outcome === 'ok');
      const open = writes.filter((s) => s.outcome === 'unknown' || s.outcome === undefined);
      const say: Say = (check, what, effect) =>
        out.push({ check, what: `${k.split('|')[1]}: ${what}`, ...(effect ? { effect } : {}) });
      if (rows.length > 1) say(oks.length > 0 ? 'C1' : 'C3', `${rows.length} records`, 'doubled');
      if (oks.length > 0 && rows.length === 0) say('C1', 'acknowledged, but there is no record', 'lost');
      if (oks.length === 0 && open.length === 0 && rows.length > 0) say('C2', 'refused, but there is a record');
      if (oks.length === 0 && open.length > 0 && stage === 'after asking again')
        say(
          'C3',
          `its outcome is still unknown: ${all.map((s) => `${s.operation} ${s.status} ${s.code || s.text}`).join(', ')}`,
        );
      const held = refRows.get(k) ?? [];
      if (held.length !== rows.length || (rows[0] && held[0]?.target_id !== rows[0].current.id))
        say(rows.length > 0 ? 'C1' : 'C2', `${held.length} refs for ${rows.length} records`);
      const record = rows[0];
      for (const s of oks) {
        if (!record) continue;
        if (!record.versions.some((v) => sameAnswer(s, v)))
          say('C1', `no version of the record equals the answer ${s.text}`, 'lost');
        if (record.current.kind !== s.operation) say('C1', `recorded as ${record.current.kind}`);
      }
      if (record && oks.filter((s) => !s.replayed).length > record.versions.length)
        say('C1', 'more answers that were not repetitions than versions');
      this.#changes(all, record, record ? (backs.get(record.current.id as string) ?? []) : [], stage, say);
    }
    for (const k of byRef.keys())
      if (!sent.has(k) && !k.endsWith('|null')) out.push({ check: 'C2', what: `${k}: a record nobody asked for` });
  }

  /** C1, C2, C3 of declines and chargebacks. */
  #changes(all: readonly Sent[], record: Found | undefined, backs: readonly Row[], stage: Stage, say: Say): void {
    const of = (operation: string) => all.filter((s) => s.operation === operation);
    const filed = of('chargeBack');
    const oks = filed.filter((s) => s.outcome === 'ok');
    const open = filed.filter((s) => s.outcome === 'unknown');
    if (oks.length > 1) say('C4', `${oks.length} chargebacks acknowledged`);
    if (oks.length > 0 && backs.length !== 1) say('C1', `a chargeback acknowledged, ${backs.length} recorded`);
    for (const s of oks) {
      const b = backs[0];
      if (
        b &&
        (toWire('chargeback', b.id as string) !== s.content.chargebackId ||
          !sameAmounts(s.content, b.amounts as string))
      )
        say('C1', 'the chargeback recorded is not the one acknowledged');
    }
    if (oks.length === 0 && open.length === 0 && backs.length > 0) say('C2', 'a chargeback that every answer refused');
    if (open.length > 0 && oks.length === 0) {
      if (backs.length > 1) say('C3', `${backs.length} chargebacks of unknown outcome`, 'doubled');
      const told = filed.some((s) => s.code === 'ALREADY_CHARGED_BACK');
      if (stage === 'after asking again' && told && backs.length !== 1) say('C3', 'a chargeback told of, not recorded');
    }
    if (of('declineTransaction').some((s) => s.outcome === 'ok')) {
      if (!record?.versions.some((v) => v.status === 'DECLINED'))
        say('C1', 'a decline acknowledged, not recorded', 'lost');
      const last = Math.max(...of('declineTransaction').map((s) => (s.outcome === 'ok' ? s.answeredAt : 0)));
      const later = all.some((s) => s.operation === 'verifyTransaction' && s.answeredAt > last);
      // Only verifying it again may lead out of DECLINED.
      if (record && !later && record.current.status !== 'DECLINED') say('C7', 'declined, and no longer is');
    }
  }

  /** C5: an entry for every version of every record, and none besides. Returns how many entries there are. */
  async #journalled(found: Found[], chargebacks: Row[], out: Violation[]): Promise<number> {
    const entries = await this.#db.query('SELECT * FROM journal ORDER BY psp_id, seq');
    const heads = await this.#db.query('SELECT * FROM journal_heads');
    const say = (what: string) => out.push({ check: 'C5', what });
    const bySeq = groupBy(entries, (e) => e.psp_id as string);
    for (const [psp, list] of bySeq) {
      for (const [i, e] of list.entries())
        if (e.seq !== i + 1) {
          say(`entry ${i + 1} of ${psp} has the number ${e.seq}`);
          break;
        }
      const head = heads.find((h) => h.psp_id === psp);
      if (head?.seq !== list.length) say(`the head of ${psp} is ${head?.seq}, its entries are ${list.length}`);
    }
    for (const h of heads) if (!bySeq.has(h.psp_id as string)) say(`a head without entries: ${h.psp_id}`);

    const expected = new Map<string, { kind: string; check?: (body: Body) => boolean }>();
    for (const { versions } of found)
      for (const [i, v] of versions.entries()) {
        if (v.revision !== i + 1) say(`version ${i + 1} of ${v.ref} is numbered ${v.revision}`);
        expected.set(`${v.id}|${v.revision}`, {
          kind: i === 0 ? 'transaction.created' : 'transaction.updated',
          check: (b) => sameResource(b, v),
        });
      }
    for (const c of chargebacks)
      expected.set(`${c.id}|1`, {
        kind: 'chargeback.created',
        check: (b) => sameAmounts(b.data.amounts, c.amounts as string),
      });
    for (const a of await this.#db.query('SELECT id, version FROM accounts'))
      for (let v = 1; v <= (a.version as number); v++)
        expected.set(`${a.id}|${v}`, { kind: v === 1 ? 'client.created' : 'client.updated' });
    for (const b of await this.#db.query('SELECT id, revision FROM baskets'))
      for (let v = 1; v <= (b.revision as number); v++)
        expected.set(`${b.id}|${v}`, { kind: v === 1 ? 'basket.created' : 'basket.updated' });
    for (const [table, kind] of [
      ['wagers', 'wager.created'],
      ['payouts', 'payout.created'],
    ] as const)
      for (const r of await this.#db.query(`SELECT id FROM ${table}`)) expected.set(`${r.id}|1`, { kind });
    for (const k of await this.#db.query('SELECT id FROM api_keys')) expected.set(`${k.id}|1`, { kind: 'key.issued' });
    for (const u of await this.#db.query('SELECT id FROM users')) expected.set(`${u.id}|1`, { kind: 'user.created' });

    for (const e of entries) {
      const body = JSON.parse(e.body as string) as Body;
      const key = `${e.resource_id}|${body.version}`;
      const wanted = expected.get(key);
      if (!wanted && !recorded.test(e.kind as string)) continue;
      if (!wanted) say(`an entry without a record, or a second one: ${e.kind} ${key}`);
      else if (wanted.kind !== e.kind) say(`${key} is journalled as ${e.kind}, not ${wanted.kind}`);
      else if (wanted.check?.(body) === false) say(`${key}: the entry differs from the record`);
      if (body.id !== toWire('event', e.id as string)) say(`${key}: the entry's id is not its row's`);
      expected.delete(key);
    }
    for (const [key, { kind }] of expected) say(`no entry ${kind} for ${key}`);

    // What was written stays, byte by byte.
    for (const [psp, before] of this.#journal) {
      const [now] = await this.#digest(psp, before.seq);
      if (now?.digest !== before.digest) say(`entries up to ${before.seq} of ${psp} are not what they were`);
    }
    for (const [psp, list] of bySeq) {
      const seq = list.length;
      const [now] = await this.#digest(psp, seq);
      this.#journal.set(psp, { seq, digest: now?.digest as string });
    }
    return entries.length;
  }

  #digest(psp: string, upTo: number) {
    return this.#db.query<{ digest: string }>(
      `SELECT md5(string_agg(seq || ' ' || id || ' ' || kind || ' ' || body, E'\\n' ORDER BY seq)) AS digest
       FROM journal WHERE psp_id = $1 AND seq <= $2`,
      [psp, upTo],
    );
  }

  /** C7: a charged-back transaction is never touched again. */
  async #kept(found: Found[], out: Violation[]): Promise<void> {
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

/** Entries that stand for a version of a record looked at here; reports, files and subscriptions are told of too. */
const recorded =
  /^((transaction|chargeback|basket|wager|payout)\.|(client\.(created|updated)|key\.issued|user\.created)$)/;

interface Body {
  readonly id: string;
  readonly version: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever stands in the journal
  readonly data: any;
}

/** C4. */
function sums(found: Found[], chargebacks: Row[], out: Violation[]): void {
  for (const { versions } of found)
    for (const v of versions) {
      const parts = [v.vat_amount, v.processing_fee, v.transaction_fee, v.transaction_vat, v.remainder].map(units);
      if (parts.reduce((a, b) => a + b, 0n) !== units(v.amount))
        out.push({ check: 'C4', what: `${v.ref}: the split of version ${v.revision} does not sum to ${v.amount}` });
      if (parts.some((p) => p < 0n)) out.push({ check: 'C4', what: `${v.ref}: a part of the split is negative` });
    }
  const byTransaction = groupBy(chargebacks, (c) => c.transaction_id as string);
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

/** Hundredths of hundredths: every amount of these tests has at most four decimals. */
function units(text: unknown): bigint {
  const [whole = '0', part = ''] = String(text).split('.');
  return BigInt(whole + part.padEnd(4, '0').slice(0, 4));
}

function sameAnswer(s: Sent, v: Row): boolean {
  const c = s.content;
  return (
    c.transactionId === toWire('transaction', v.id as string) &&
    c.ref === v.ref &&
    c.status === v.status &&
    c.vatAmount === Number(v.vat_amount) &&
    c.processingFee === Number(v.processing_fee) &&
    (s.operation === 'deposit'
      ? c.netAmount === Number(v.remainder)
      : c.merchantAmount === Number(v.remainder) &&
        c.transactionFee === Number(v.transaction_fee) &&
        c.transactionVAT === Number(v.transaction_vat)) &&
    s.body.totalAmount === Number(v.amount)
  );
}

function sameResource(b: Body, v: Row): boolean {
  const d = b.data;
  return (
    d.transactionId === toWire('transaction', v.id as string) &&
    d.ref === v.ref &&
    d.status === v.status &&
    d.revision === v.revision &&
    d.totalAmount === Number(v.amount) &&
    d.vatAmount === Number(v.vat_amount) &&
    (d.merchantAmount ?? d.netAmount) === Number(v.remainder) &&
    (d.chargeback === null) === (v.chargeback === null)
  );
}

function sameAmounts(told: Record<string, unknown>, stored: string): boolean {
  const kept = JSON.parse(stored) as Record<string, unknown>;
  return ['vatAmount', 'processingFee', 'merchantAmount', 'transactionFee', 'transactionVAT'].every(
    (f) => told[f] === kept[f],
  );
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const out = new Map<string, T[]>();
  for (const item of items) {
    const k = key(item);
    const list = out.get(k);
    if (list) list.push(item);
    else out.set(k, [item]);
  }
  return out;
}
