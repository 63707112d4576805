// Compares the service with the model: records and journal after every step, and everything that the service shows.
import { expect } from 'vitest';
import { check } from '../../support/audit.ts';
import { acceptables, asKey, ask, type Command, expectCode, type Model, type Real, type Who } from './world.ts';

/** A command that runs, and after which all invariants hold. */
export const command = (name: string, run: (m: Model, r: Real) => Promise<void>): Command => ({
  check: () => true,
  async run(m, r) {
    await run(m, r);
    r.count.steps++;
    await expectInvariants(m, r);
  },
  toString: () => name,
});

/** Baskets nobody verified have a transaction all the same, without a ref. */
const unverified = (m: Model) => [...m.baskets.values()].filter((b) => b.ref === undefined);

/** Records equal the model, every split sums, there is at most one chargeback each, and the journal has it all. */
async function expectInvariants(m: Model, r: Real): Promise<void> {
  const rows = await r.t.database.admin.query(
    `SELECT ref, kind, status, revision, amount = vat_amount + processing_fee + transaction_fee + transaction_vat + remainder
       AND remainder >= 0 AS sums,
       (SELECT count(*) FROM chargebacks c WHERE c.psp_id = t.psp_id AND c.transaction_id = t.id) AS chargebacks
     FROM transactions t WHERE psp_id = $1 ORDER BY ref, id`,
    [r.psp.uuid],
  );
  const of = (ref: string | null, kind: string, status: string, revision: number, chargebacks: number) => ({
    ref,
    kind,
    status,
    revision,
    sums: true,
    chargebacks,
  });
  const expected = [
    ...[...m.transactions]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([ref, x]) => of(ref, x.kind, x.status, x.revision, x.chargedBack ? 1 : 0)),
    ...unverified(m).map(() => of(null, 'verifyTransaction', 'PENDING', 1, 0)),
  ];
  expect(rows).toEqual(expected);
  const baskets = await r.t.database.admin.query(
    'SELECT ref, status, revision FROM baskets WHERE psp_id = $1 ORDER BY ref',
    [r.psp.uuid],
  );
  expect(baskets).toEqual(
    [...m.baskets]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([ref, { status, revision }]) => ({ ref, status, revision })),
  );
  const [journal] = await r.t.database.admin.query(
    `SELECT count(*) AS entries, max(seq) AS last, (SELECT seq FROM journal_heads WHERE psp_id = $1) AS head,
       count(*) FILTER (WHERE kind LIKE 'transaction.%') AS transactions,
       count(*) FILTER (WHERE kind LIKE 'basket.%') AS baskets,
       count(*) FILTER (WHERE kind = 'chargeback.created') AS chargebacks,
       count(*) FILTER (WHERE kind = 'wager.created') AS wagers,
       count(*) FILTER (WHERE kind = 'payout.created') AS payouts
     FROM journal WHERE psp_id = $1`,
    [r.psp.uuid],
  );
  const sum = (list: readonly { revision: number }[]) => list.reduce((n, x) => n + x.revision, 0);
  const charged = [...m.transactions.values()].filter((x) => x.chargedBack).length;
  expect(journal).toEqual({
    entries: journal?.head,
    last: journal?.head,
    head: journal?.head,
    transactions: sum([...m.transactions.values()]) + unverified(m).length,
    baskets: sum([...m.baskets.values()]),
    chargebacks: charged,
    wagers: m.wagers.size,
    payouts: m.payouts.size,
  });
}

export const look = (ref: string, by: Who): Command =>
  command(`look(${ref}, ${by})`, async (m, r) => {
    const x = m.transactions.get(ref);
    const { key } = asKey(r, by);
    const query = `transactionId=${x?.id ?? 'txn_01h455vb4pex5vsknk084sn02q'}`;
    const a = await ask(r, 'verifyTransactionStatus', { query, key });
    if (!x) return expectCode(a, 404, 'NOT_FOUND');
    expect(a.body.content, a.text).toMatchObject({ ref, type: x.kind, status: x.status, revision: x.revision });
    const listed = await ask(r, 'listTransactions', { query: `ref=${ref}`, key });
    // Whether it is reviewed is shown with the status alone, to a PSP.
    const { review: _, ...shown } = a.body.content;
    expect(listed.body.content.items, listed.text).toEqual([shown]);
  });

/** @param status what to list */
export const list = (status: 'APPROVED' | 'DECLINED' | 'PENDING', by: Who): Command =>
  command(`list(${status}, ${by})`, async (m, r) => {
    const a = await ask(r, 'listTransactions', { query: `status=${status}&limit=200`, ...asKey(r, by) });
    const own = [...m.transactions].filter(([, x]) => x.status === status).map(([ref]) => ref);
    const shown = a.body.content.items.map((i: { ref: string | null }) => i.ref);
    expect(shown.sort(), a.text).toEqual(
      [...own, ...(status === 'PENDING' ? unverified(m).map(() => null) : [])].sort(),
    );
  });

export const clientStatus = (by: Who): Command =>
  command(`clientStatus(${by})`, async (m, r) => {
    const a = await ask(r, 'verifyClientStatus', asKey(r, by));
    expect(acceptables(m, a), a.text).toContain(a.body.content.acceptable);
  });

/** The receipt of a transaction, as soon as there is one, tells of each revision and holds by the key alone. */
export const receipt = (ref: string): Command =>
  command(`receipt(${ref})`, async (m, r) => {
    const x = m.transactions.get(ref);
    if (x) await expectReceipt(r, x);
  });

export async function expectReceipt(r: Real, x: { readonly id: string; readonly revision: number }): Promise<boolean> {
  const a = await ask(r, 'getReceipt', { params: { recordId: x.id }, key: r.keys.client });
  if (a.status === 503) return false;
  expect(a.status, a.text).toBe(200);
  expect(check(a.body.content, r.seal)).toMatchObject({ entries: { length: x.revision } });
  return true;
}

/** Everything the service shows of the run, against everything the model holds. */
export async function expectEqual(m: Model, r: Real): Promise<void> {
  const { client: key } = r.keys;
  for (const [ref, x] of m.transactions) {
    const a = await ask(r, 'getTransaction', { params: { transactionId: x.id }, query: 'expand=revisions', key });
    const { chargeback, revisions } = a.body.content;
    expect(a.body.content, ref).toMatchObject({
      ref,
      type: x.kind,
      status: x.status,
      revision: x.revision,
      totalAmount: x.amount,
      recordedBy: r[x.recorder].id,
      basketId: x.basket?.id ?? null,
    });
    expect(chargeback !== null, ref).toBe(x.chargedBack);
    expect(revisions, ref).toHaveLength(x.revision - 1);
  }
  for (const [ref, b] of m.baskets) {
    const { id, status, amount: totalAmount, transactionId } = b;
    const a = await ask(r, 'getBasket', { params: { basketId: id }, key });
    expect(a.body.content, ref).toMatchObject({ ref, status, totalAmount, transactionId });
    if (b.ref !== undefined) continue;
    const x = await ask(r, 'getTransaction', { params: { transactionId }, key });
    expect(x.body.content, ref).toMatchObject({ status: 'PENDING', ref: null, revision: 1, basketId: id });
  }
  for (const [id, known] of [
    ['listWagers', m.wagers],
    ['listPayouts', m.payouts],
  ] as const) {
    const a = await ask(r, id, { query: 'limit=200', key });
    expect(a.body.content.items.map((i: { ref: string }) => i.ref).sort(), id).toEqual([...known.keys()].sort());
  }
}
