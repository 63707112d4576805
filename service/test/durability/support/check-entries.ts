// Check C5: every version of every record has one entry and there are no others, numbered without gaps; and entries
// never change.
import { toWire } from '../../../src/core/ids.ts';
import type { Database, Row } from '../../../src/platform/database.ts';
import { type Found, sameAmounts, type Violation } from './finding.ts';

/** Entries of the records checked here; reports, files and subscriptions have entries too. */
const recorded =
  /^((transaction|chargeback|basket|wager|payout)\.|(client\.(created|updated)|key\.issued|user\.created)$)/;

interface Body {
  readonly id: string;
  readonly version: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever stands in the journal
  readonly data: any;
}

/** Checks the journal of one database, and remembers entries to compare them at the next check. */
export class Entries {
  readonly #seen: Map<string, { seq: number; digest: string }>;

  /** @param seen remembers what these remember, which stay as they are */
  constructor(seen?: Entries) {
    this.#seen = new Map(seen ? seen.#seen : []);
  }

  /** @returns the number of entries */
  async check(db: Database, found: readonly Found[], chargebacks: readonly Row[], out: Violation[]): Promise<number> {
    const entries = await db.query('SELECT * FROM journal ORDER BY psp_id, seq');
    const heads = await db.query('SELECT * FROM journal_heads');
    const say = (what: string) => out.push({ check: 'C5', what });
    const bySeq = Map.groupBy(entries, (e) => e.psp_id as string);
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
    for (const a of await db.query('SELECT id, version FROM accounts'))
      for (let v = 1; v <= (a.version as number); v++)
        expected.set(`${a.id}|${v}`, { kind: v === 1 ? 'client.created' : 'client.updated' });
    for (const b of await db.query('SELECT id, revision FROM baskets'))
      for (let v = 1; v <= (b.revision as number); v++)
        expected.set(`${b.id}|${v}`, { kind: v === 1 ? 'basket.created' : 'basket.updated' });
    for (const [table, kind] of [
      ['wagers', 'wager.created'],
      ['payouts', 'payout.created'],
    ] as const)
      for (const r of await db.query(`SELECT id FROM ${table}`)) expected.set(`${r.id}|1`, { kind });
    for (const k of await db.query('SELECT id FROM api_keys')) expected.set(`${k.id}|1`, { kind: 'key.issued' });
    for (const u of await db.query('SELECT id FROM users')) expected.set(`${u.id}|1`, { kind: 'user.created' });

    for (const e of entries) {
      const body = JSON.parse(e.body as string) as Body;
      const key = `${e.resource_id}|${body.version}`;
      const wanted = expected.get(key);
      if (!wanted && !recorded.test(e.kind as string)) continue;
      if (!wanted) say(`an entry without a record, or a second one: ${e.kind} ${key}`);
      else if (wanted.kind !== e.kind && !(wanted.kind === 'client.updated' && e.kind === 'client.changed_privately'))
        say(`${key} is journalled as ${e.kind}, not ${wanted.kind}`);
      else if (wanted.check?.(body) === false) say(`${key}: the entry differs from the record`);
      if (body.id !== toWire('event', e.id as string)) say(`${key}: the entry's id is not its row's`);
      expected.delete(key);
    }
    for (const [key, { kind }] of expected) say(`no entry ${kind} for ${key}`);

    // Entries never change by a byte.
    for (const [psp, before] of this.#seen) {
      const [now] = await digestOf(db, psp, before.seq);
      if (now?.digest !== before.digest) say(`entries up to ${before.seq} of ${psp} are not what they were`);
    }
    for (const [psp, list] of bySeq) {
      const seq = list.length;
      const [now] = await digestOf(db, psp, seq);
      this.#seen.set(psp, { seq, digest: now?.digest as string });
    }
    return entries.length;
  }
}

const digestOf = (db: Database, psp: string, upTo: number) =>
  db.query<{ digest: string }>(
    `SELECT md5(string_agg(seq || ' ' || id || ' ' || kind || ' ' || body, E'\\n' ORDER BY seq)) AS digest
     FROM journal WHERE psp_id = $1 AND seq <= $2`,
    [psp, upTo],
  );

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
