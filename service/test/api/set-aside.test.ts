// Journal entries that no reader can process: later entries of the same PSP are still announced, counted, reviewed,
// analysed and sealed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IdMaker } from '../../src/platform/random.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { metricsOf, readersAtEnd } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp('Operators', 'KE');
  client = await t.makeClient(psp, { countryCode: 'KE' });
});
afterAll(() => t.stop());

it('are set aside with an alarm by each reader, and all that comes after them is read', async () => {
  const ids = new IdMaker(() => t.now());
  for (const kind of ['transaction.created', 'cdr.recorded'])
    await t.database.admin.query(
      `WITH head AS (UPDATE journal_heads SET seq = seq + 1 WHERE psp_id = $1 RETURNING seq)
       INSERT INTO journal SELECT $1, seq, $2, $3, $4, $2,
         '{"data":{"status":"APPROVED","totalAmount":1e,"currency":"KES"}' FROM head`,
      [psp.uuid, ids.next(), kind, client.uuid],
    );
  const sale = {
    ref: 'after',
    totalAmount: 100,
    paymentMethods: {},
    transactionFee: 0,
    currency: 'KES',
    countryCode: 'KE',
  };
  const made = await t.post('/v1/transaction/verifyTransaction', sale, client.apiKey);
  expect([made.status, made.text]).toEqual([200, expect.anything()]);
  const readers = ['webhooks', 'daily-totals', 'reviews', 'cdr-analysis', 'seal'];
  await readersAtEnd(t, readers);
  const aside = await t.database.admin.query('SELECT reader FROM journal_set_aside WHERE psp_id = $1 ORDER BY reader', [
    psp.uuid,
  ]);
  const alarmed = aside.map((r) => r.reader as string);
  expect(alarmed).toEqual(expect.arrayContaining(['daily-totals', 'reviews']));
  expect(alarmed).not.toContain('seal');
  const text = await metricsOf(t);
  for (const r of readers)
    expect(text).toContain(
      `assay_journal_reader_set_aside{reader="${r}"} ${alarmed.filter((name) => name === r).length}\n`,
    );
  expect(t.logged.filter((l) => l.includes('could not be read and is set aside'))).toHaveLength(alarmed.length);
  // The figures have the sale, and say that something is not in them.
  const overview = (await t.get('/v1/overview', psp.apiKey)).body.content;
  expect([overview.counts.approved + overview.counts.declined, overview.entriesBehind]).toEqual([1, 1]);
});
