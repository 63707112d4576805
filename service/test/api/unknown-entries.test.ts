// Journal entries of a schema that this version does not know, written by another version: they are reported as a
// problem to people, and no figure, announcement or resource is guessed from them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { audit } from '../../src/modules/audit/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed, receiptOf, verified } from '../support/audit.ts';
import { contentOf } from '../support/guarantees.ts';
import { metricsOf, readersAtEnd, told, uuidOf } from '../support/journal.ts';
import { subscribe } from '../support/webhooks.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let operator: Account;
/** Transactions: everything is known of one, the entry of one is of another version, and so is a later entry of one. */
let sale: string;
let planted: string;
let changed: string;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  operator = await t.makeOperator();
  await subscribe(t, psp);
  sale = await verified(t, client, { totalAmount: 107.5 });
  const { ids } = t.app.services;
  const id = ids.next();
  planted = toWire('transaction', id);
  const [known] = await told(t, sale);
  // In this version amounts are in the smallest unit, which nobody can tell from the text.
  const { evidence, sealed, subject, rows, ...of } = known?.body ?? {};
  const body = JSON.stringify({
    ...of,
    schema: 'transaction.created/99',
    id: toWire('event', ids.next()),
    data: { ...of.data, transactionId: planted, totalAmount: 1_075_000, vatAmount: 75_000 },
    evidence,
  });
  const plant = (kind: string, resource: string, text: string) =>
    t.database.admin.query(
      `WITH head AS (UPDATE journal_heads SET seq = seq + 1 WHERE psp_id = $1 RETURNING seq)
       INSERT INTO journal SELECT $1, seq, $2, $3, $4, $5, $6 FROM head`,
      [psp.uuid, ids.next(), kind, client.uuid, resource, text],
    );
  await plant('transaction.created', id, body);
  changed = await verified(t, client, { totalAmount: 50 });
  await plant('transaction.updated', uuidOf(changed), body.replaceAll('transaction.created', 'transaction.updated'));
  // What comes after it is read.
  await verified(t, client, { totalAmount: 200 });
});
afterAll(() => t?.stop());

it('are in no total, no announcement and no review, and figures say that they are not complete', async () => {
  const readers = ['webhooks', 'daily-totals', 'reviews', 'seal'];
  await readersAtEnd(t, readers);
  const text = await metricsOf(t);
  for (const r of ['webhooks', 'daily-totals', 'reviews'])
    expect(text).toContain(`assay_journal_reader_set_aside{reader="${r}"} 2\n`);
  expect(t.logged.filter((l) => l.includes("of the schema 'transaction.created/99'")).length).toBeGreaterThan(0);
  const overview = contentOf(await t.get('/v1/overview', psp.apiKey));
  expect([overview.counts.approved, overview.amounts[0].gross]).toEqual([3, 357.5]);
  expect(overview.entriesBehind).toBe(2);
  const events = contentOf(await t.get('/v1/event?type=transaction.created', psp.apiKey));
  expect(events.items).toHaveLength(3);
});

it('are shown with their schema; what is in them to operators only', async () => {
  const path = `/v1/journal?resource=${planted}&expand=data`;
  const [mine] = contentOf(await t.get(path, psp.apiKey)).items;
  expect(mine).toMatchObject({ kind: 'transaction.created', schema: 'transaction.created/99', data: null });
  const [seen] = contentOf(await t.get(path, operator.apiKey, { 'x-psp-id': toWire('psp', psp.uuid) })).items;
  expect(seen).toMatchObject({ schema: 'transaction.created/99', data: { totalAmount: 1_075_000 } });
  const [known] = contentOf(await t.get(`/v1/journal?resource=${sale}&expand=data`, psp.apiKey)).items;
  expect(known).toMatchObject({ schema: 'transaction.created/1', data: { totalAmount: 107.5 } });
});

it('are steps of a history that nobody guesses at', async () => {
  const { items } = contentOf(await t.get(`/v1/transaction/${changed}/history`, psp.apiKey));
  expect(items.map((i: { step: string; data: unknown }) => [i.step, Object.keys(i.data as object).length > 0])).toEqual(
    [
      ['RECORDED', true],
      ['UNKNOWN', false],
    ],
  );
});

it('are sealed as all entries are, and an audit says that it cannot compare them', async () => {
  await allSealed(t);
  const receipt = await t.get(`/v1/audit/receipt/${planted}`, psp.apiKey);
  expect(receipt.headers.get('x-error-code')).toBe('RECEIPT_WITHHELD');
  expect((await receiptOf(t, psp, sale)).entries).toHaveLength(1);
  const found = await Array.fromAsync(audit({ db: t.database.admin, psp: psp.uuid, folders: [] }));
  const unknown = found.flatMap((p) => p.findings).filter((f) => f.code === 'ENTRY_UNKNOWN');
  expect(unknown.map((f) => f.message)).toEqual([
    expect.stringContaining('transaction.created/99'),
    expect.stringContaining('transaction.updated/99'),
  ]);
});
