// Reports over HTTP: requested, made in the background, downloaded, made again.
import { createHash } from 'node:crypto';
import { Errors } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { canonicalText } from '../../src/core/money.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { findAccount } from '../../src/modules/accounts/index.ts';
import { readPeriod } from '../../src/modules/kernel/report-period.ts';
import { ReportJson } from '../../src/modules/reports/resource.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, guardsClientHeader, requiresFields, type Wire } from '../support/guarantees.ts';
import { told, uuidOf } from '../support/journal.ts';
import { ended, made, quiet } from '../support/reports.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
const period = '2026-11';
const chargebacks = { kind: 'chargebacks', period };
const ask = (body: unknown, key: string, headers: Record<string, string> = {}) =>
  t.post('/v1/report', body, key, headers);
const document = (reportId: string, path: string, key = psp.apiKey) => t.get(`/v1/report/${reportId}/${path}`, key);

async function charged(by: Account, over: Record<string, unknown> = {}, of = psp): Promise<string> {
  const ref = `order-${++n}`;
  const body = {
    ref,
    totalAmount: 107.5,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: over.totalAmount ?? 107.5 },
    transactionFee: 1.5,
    ...over,
  };
  const { transactionId } = contentOf(await t.post('/v1/transaction/verifyTransaction', body, by.apiKey));
  contentOf(await t.post('/v1/transaction/chargeBack', { ref: body.ref }, of.apiKey, { 'x-client-id': by.id }));
  return transactionId;
}
/** Rows of a section, from the JSON document. */
async function rowsOf(reportId: string, section: string, key = psp.apiKey) {
  const { sections } = (await document(reportId, 'json', key)).body;
  return sections.find((s: { name: string }) => s.name === section)?.rows;
}

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('a report', () => {
  describe('accepts', () => {
    it('answers at once with its id, is made in the background and says of what it was made', async () => {
      await charged(client);
      const r = await ask(chargebacks, client.apiKey);
      const c = contentOf(r);
      expect(r.body.message).toBe('report queued');
      expect(c).toMatchObject({
        reportId: expect.stringMatching(/^rpt_[0-9a-z]{26}$/),
        clientId: client.id,
        kind: 'chargebacks',
        parameters: { period },
        state: 'QUEUED',
        progress: { percent: 0, etaSeconds: null },
        revision: 1,
        links: null,
      });
      const done = await ended(t, c.reportId, client.apiKey);
      expect(done).toMatchObject({ state: 'DONE', progress: { percent: 100, etaSeconds: null }, reason: null });
      expect(done.provisional).toBe(true);
      expect(done.manifest.dataset).toBe(t.app.services.rates.book.version);
      expect(done.manifest.sections.map((s: { name: string; rows: number }) => [s.name, s.rows])).toEqual([
        ['byCurrency', 1],
        ['reversed', 0],
        ['chargebacks', 1],
      ]);
      const [head] = await t.database.admin.query('SELECT seq FROM journal_heads WHERE psp_id = $1', [psp.uuid]);
      expect(done.asOf.journalSeq).toBeLessThanOrEqual(head?.seq as number);
      expect(done.asOf.time).toBe(new Date(t.now()).toISOString());
    });

    it('gives JSON, CSV, a page and a workbook, each byte as its manifest has hashed it', async () => {
      const done = await made(t, chargebacks, psp.apiKey);
      for (const f of done.manifest.files) {
        const [kind, ...of] = (f.name as string).split(':');
        const names = kind === 'csv' ? ['section', 'language'] : ['language'];
        const path = `${kind}?${of.map((value, i) => `${names[i]}=${value}`).join('&')}`;
        const r = await document(done.reportId, path);
        const sha256 = createHash('sha256').update(r.bytes).digest();
        expect([f.name, r.status, sha256.toString('hex')]).toEqual([f.name, 200, f.sha256]);
        const isText = kind !== 'xlsx';
        expect(r.headers.get('content-type')).toBe(`${f.contentType}${isText ? '; charset=utf-8' : ''}`);
        expect(r.headers.get('repr-digest')).toBe(`sha-256=:${sha256.toString('base64')}:`);
        expect(r.bytes.length).toBe(f.bytes);
      }
      expect(done.links.csv.map((l: { section: string }) => l.section)).toEqual([
        'byCurrency',
        'byClient',
        'reversed',
        'chargebacks',
      ]);
      const json = (await document(done.reportId, 'json')).body;
      expect([...Errors(ReportJson, json)]).toEqual([]);
      const page = await document(done.reportId, 'page');
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(page.text).not.toMatch(/<script|style=| on\w+=/i);
    });

    it('holds exactly the amounts that were charged back, and opens to their transactions', async () => {
      const someone = await t.makeClient(psp);
      const ids = [
        await charged(someone),
        await charged(someone, { totalAmount: 2.3 }),
        await charged(someone, { totalAmount: 1e6 }),
      ];
      const done = await made(t, chargebacks, someone.apiKey);
      const [total, ...others] = await rowsOf(done.reportId, 'byCurrency', someone.apiKey);
      expect(others).toEqual([]);
      expect(total).toMatchObject({ currency: 'NGN', chargebacks: 3, amount: '1000109.8' });
      const rows = await rowsOf(done.reportId, 'chargebacks', someone.apiKey);
      expect(rows.map((r: { transactionId: string }) => r.transactionId)).toEqual(ids);
      const [one] = rows;
      const v = contentOf(await t.get(one.open, someone.apiKey));
      expect(Number(one.amount)).toBe(v.totalAmount);
      for (const part of ['vatAmount', 'processingFee', 'transactionFee', 'merchantAmount'])
        expect([part, Number(one[part])]).toEqual([part, v.chargeback.amounts[part]]);
      const [sums] = await t.database.admin.query(
        `SELECT sum(vat_amount)::text AS vat, sum(remainder)::text AS merchant FROM transactions
         WHERE account_id = $1 AND chargeback IS NOT NULL`,
        [someone.uuid],
      );
      expect([Number(total.vatAmount), Number(total.merchantAmount)]).toEqual([
        Number(sums?.vat),
        Number(sums?.merchant),
      ]);
    });

    it('reckons crypto activity per asset, client and local day', async () => {
      const [one, two] = [await t.makeClient(psp), await t.makeClient(psp)];
      const move = async (by: Account, kind: string, totalAmount: number) =>
        contentOf(
          await t.post(
            `/v1/payment/${kind}`,
            {
              ref: `move-${++n}`,
              totalAmount,
              currency: 'USDT',
              blochainHash: '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b',
              customer: { email: 'ada@example.com' },
              countryCode: 'NG',
              transactionFee: 0.01,
              toAddress: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
            },
            by.apiKey,
          ),
        );
      await move(one, 'cryptoDeposit', 100.1);
      await move(one, 'cryptoDeposit', 100.2);
      await move(two, 'cryptoWithdrawal', 50.05);
      const done = await made(t, { kind: 'cryptoActivity', period }, psp.apiKey);
      expect(done.reason).toBe(null);
      const [usdt, ...others] = await rowsOf(done.reportId, 'byAsset');
      expect(others).toEqual([]);
      expect(usdt).toMatchObject({ asset: 'USDT', deposits: 2, withdrawals: 1, declined: 0 });
      // Exact: 100.1 + 100.2 is 200.29999999999998 in binary.
      expect([usdt.deposited, usdt.withdrawn, usdt.net, usdt.fees].map(canonicalText)).toEqual([
        '200.3',
        '50.05',
        '150.25',
        '0.03',
      ]);
      expect(await rowsOf(done.reportId, 'byDay')).toEqual([{ date: '2026-11-21', deposits: 2, withdrawals: 1 }]);
      const clients = (await rowsOf(done.reportId, 'byClient')).map((r: { clientId: string }) => r.clientId);
      expect(clients.sort()).toEqual([one.id, two.id].sort());
      const opened = async (open: string) => contentOf(await t.get(open, psp.apiKey)).items;
      expect((await opened(usdt.open)).map((i: { currency: string }) => i.currency)).toEqual(Array(3).fill('USDT'));
      for (const c of await rowsOf(done.reportId, 'byClient'))
        expect(await opened(c.open)).toHaveLength(c.deposits + c.withdrawals);
    });

    it("takes the months of the account's own calendar", async () => {
      const month = async (country: string) => {
        const of = await t.makePsp(`PSP of ${country}`, country);
        const concerned = await findAccount(t.app.services.db, of.uuid, of.uuid);
        if (!concerned) throw new Error('the PSP is not there');
        const read = readPeriod({ concerned, now: t.now(), parameters: { period } }, t.app.services);
        if (read instanceof Refusal) throw read;
        const { from, to, open } = read;
        return [new Date(from).toISOString(), new Date(to).toISOString(), open];
      };
      expect(await month('NG')).toEqual(['2026-10-31T23:00:00.000Z', '2026-11-30T23:00:00.000Z', true]);
      expect(await month('IN')).toEqual(['2026-10-31T18:30:00.000Z', '2026-11-30T18:30:00.000Z', true]);
    });

    it('lists reports newest first, in pages, by kind and state', async () => {
      const someone = await t.makeClient(psp);
      const ids: string[] = [];
      for (const p of ['2026-08', '2026-09', '2026-10'])
        ids.unshift((await made(t, { kind: 'chargebacks', period: p }, someone.apiKey)).reportId);
      const list = async (query: string) => contentOf(await t.get(`/v1/report?${query}`, someone.apiKey));
      const first = await list('limit=2');
      const second = await list(`limit=2&cursor=${first.nextCursor}`);
      const shown = [...first.items, ...second.items].map((r: { reportId: string }) => r.reportId);
      expect([shown, second.nextCursor]).toEqual([ids, null]);
      expect((await list('state=FAILED')).items).toEqual([]);
      expect((await list('kind=cryptoActivity')).items).toEqual([]);
      expect((await list('state=DONE&kind=chargebacks')).items).toHaveLength(3);
    });

    it('says which kinds there are and what they take', async () => {
      const { items } = contentOf(await t.get('/v1/report/kinds', client.apiKey));
      expect(items.find((k: { kind: string }) => k.kind === 'chargebacks')).toMatchObject({
        title: 'Chargebacks',
        parameters: { required: ['period'] },
      });
    });
  });

  describe('validates', () => {
    const w: Wire = {
      app: () => t,
      method: 'POST',
      path: '/v1/report',
      caller: () => client,
      async body() {
        await quiet(t);
        return { ...chargebacks };
      },
    };
    requiresFields(w, ['kind']);

    it('refuses unknown kinds and parameters, and periods that cannot be', async () => {
      const refused = async (body: unknown, code: string, message: RegExp) =>
        expectRefusal(await ask(body, psp.apiKey), 400, code, message);
      await refused({ kind: 'chargeback', period }, 'FIELD_INVALID', /^the field 'kind' must be one of .*chargebacks/);
      await refused({ kind: 'chargebacks' }, 'FIELD_INVALID', /^the report 'chargebacks' needs the field 'period'$/);
      for (const bad of [
        '2026-13',
        '2026-00',
        '1999-12',
        '0000-01',
        '9999-12',
        '2026',
        '2026-1',
        '2026-11-01',
        'yesterday',
      ])
        await refused(
          { kind: 'chargebacks', period: bad },
          'FIELD_INVALID',
          /^the field 'period' must be a month from 2000 on/,
        );
      await refused({ kind: 'chargebacks', period: '' }, 'FIELD_INVALID', /^the field 'period' must not be empty$/);
      await refused(
        { kind: 'chargebacks', period: '2026-12' },
        'FIELD_INVALID',
        /^the field 'period' names a month that has not started: 2026-12; it is 2026-11-21 there$/,
      );
      await refused(
        { ...chargebacks, clientId: client.id },
        'FIELD_INVALID',
        /^the field 'clientId' is for an operator/,
      );
    });

    it('refuses the documents of a report that is not done, and sections it does not have', async () => {
      const done = await made(t, chargebacks, psp.apiKey);
      for (const path of ['csv', 'csv?section=nothing'])
        expectRefusal(
          await document(done.reportId, path),
          400,
          'QUERY_INVALID',
          "the query parameter 'section' must be one of byCurrency, byClient, reversed, chargebacks",
        );
      await t.database.admin.query(
        "UPDATE reports SET state = 'FAILED', manifest = NULL, reason = 'of a test' WHERE id = $1",
        [uuidOf(done.reportId)],
      );
      expectRefusal(await document(done.reportId, 'json'), 409, 'STATE_CONFLICT', 'the report failed: of a test');
    });

    it('lets a PSP have no more than a hundred waiting', async () => {
      const busy = await t.makePsp();
      await t.database.admin.query(
        `INSERT INTO reports (psp_id, id, series_id, revision, account_id, kind, parameters, state, percent, begun,
           requested_by, created_at)
         SELECT $1, x.id, x.id, 1, $1, 'ofAnotherVersion', '{}', 'QUEUED', 0, 0, 'test', now()
         FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 100)) AS x`,
        [busy.uuid],
      );
      expectRefusal(await ask(chargebacks, busy.apiKey), 409, 'LIMIT_REACHED', /^100 reports wait already/);
      await t.database.admin.query("DELETE FROM reports WHERE kind = 'ofAnotherVersion'");
    });
  });

  describe('authorises', () => {
    guardsClientHeader({
      app: () => t,
      method: 'POST',
      path: '/v1/report',
      caller: () => psp,
      body: () => ({ ...chargebacks }),
    });

    it('shows a report to its client, its PSP and operators, and to nobody else', async () => {
      const someone = await t.makeClient(psp);
      const { reportId } = await made(t, chargebacks, psp.apiKey, { 'x-client-id': someone.id });
      const operator = await t.makeOperator();
      const stranger = await t.makePsp();
      for (const key of [someone.apiKey, psp.apiKey, operator.apiKey])
        expect((await document(reportId, 'json', key)).body).toMatchObject({ reportId, clientId: someone.id });
      for (const key of [client.apiKey, stranger.apiKey])
        for (const path of ['', '/json', '/page', '/csv?section=byCurrency'])
          expectRefusal(await t.get(`/v1/report/${reportId}${path}`, key), 404, 'NOT_FOUND');
      expectRefusal(await t.post(`/v1/report/${reportId}/rerun`, {}, stranger.apiKey), 404, 'NOT_FOUND');
      expect(contentOf(await t.get('/v1/report', stranger.apiKey)).items).toEqual([]);
    });

    it("narrows a client's report to its own data, and a PSP's to no other PSP's", async () => {
      const [mine, other] = [await t.makePsp(), await t.makePsp()];
      const [one, two] = [await t.makeClient(mine), await t.makeClient(mine)];
      const theirs = await t.makeClient(other);
      const ids = [await charged(one, {}, mine), await charged(two, {}, mine)];
      await charged(theirs, {}, other);
      const seen = async (key: string, headers = {}) => {
        const { reportId } = await made(t, chargebacks, key, headers);
        return (await rowsOf(reportId, 'chargebacks', key)).map((r: { transactionId: string }) => r.transactionId);
      };
      expect(await seen(one.apiKey)).toEqual([ids[0]]);
      expect(await seen(mine.apiKey, { 'x-client-id': two.id })).toEqual([ids[1]]);
      expect(await seen(mine.apiKey)).toEqual(ids);
    });

    it('lets an operator ask about an account, and says where it must name one', async () => {
      const operator = await t.makeOperator();
      expectRefusal(await ask(chargebacks, operator.apiKey), 400, 'FIELD_INVALID', /^the field 'clientId' must name/);
      for (const clientId of [toWire('client', t.app.services.ids.next()), operator.id, 'nobody'])
        expectRefusal(await ask({ ...chargebacks, clientId }, operator.apiKey), 404, 'NOT_FOUND');
      const done = await made(t, { ...chargebacks, clientId: client.id }, operator.apiKey);
      expect(done).toMatchObject({ state: 'DONE', clientId: client.id });
      const list = contentOf(await t.get(`/v1/report?clientId=${client.id}`, operator.apiKey));
      expect(list.items[0].reportId).toBe(done.reportId);
    });
  });

  describe('repeats', () => {
    it('answers an equal report that is still being made instead of a second one', async () => {
      const someone = await t.makeClient(psp);
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(chargebacks, someone.apiKey)));
      const ids = new Set(answers.map((r) => contentOf(r).reportId));
      const first = answers.filter((r) => r.headers.get('idempotency-replayed') === null);
      // Some may have been asked for when the one before was done already; never two at a time.
      expect(first.length).toBe(ids.size);
      await quiet(t);
    });

    it('makes a revision beside the earlier ones and says whether it says something else', async () => {
      const someone = await t.makeClient(psp);
      await charged(someone);
      const one = await made(t, chargebacks, someone.apiKey);
      const again = async () => {
        const { reportId, revision } = contentOf(await t.post(`/v1/report/${one.reportId}/rerun`, {}, someone.apiKey));
        return { ...(await ended(t, reportId, someone.apiKey)), revision };
      };
      const two = await again();
      expect(two).toMatchObject({ revision: 2, state: 'DONE', changes: { since: 1, changed: false, sections: [] } });
      expect(two.manifest.contentSha256).toBe(one.manifest.contentSha256);
      t.advance(1000);
      await charged(someone);
      const three = await again();
      expect(three).toMatchObject({ revision: 3, changes: { since: 2, changed: true } });
      expect(three.changes.sections).toEqual(['byCurrency', 'chargebacks']);
      expect(three.revisions.map((r: { revision: number; state: string }) => [r.revision, r.state])).toEqual([
        [1, 'DONE'],
        [2, 'DONE'],
        [3, 'DONE'],
      ]);
      expect((await rowsOf(one.reportId, 'chargebacks', someone.apiKey)).length).toBe(1);
      expect((await rowsOf(three.reportId, 'chargebacks', someone.apiKey)).length).toBe(2);
    });
  });

  describe('tells', () => {
    it('journals who asked for it and the hashes of what was made', async () => {
      const done = await made(t, chargebacks, client.apiKey);
      const entries = await told(t, done.reportId);
      expect(entries.map((e) => e.kind)).toEqual(['report.requested', 'report.completed']);
      const [asked, completed] = entries.map((e) => e.body);
      expect(asked.actor.by).toMatch(/^key_/);
      expect(asked.data).toMatchObject({ kind: 'chargebacks', parameters: { period }, revision: 1 });
      expect(completed.data.files).toEqual(done.manifest.files);
      expect(completed.data.contentSha256).toBe(done.manifest.contentSha256);
      expect(completed.data.asOf).toEqual(done.asOf);
    });

    it('counts reports by state and measures them by kind', async () => {
      await made(t, chargebacks, client.apiKey);
      const { text } = await t.raw('/metrics', {});
      expect(text).toMatch(/^assay_reports\{state="DONE"\} \d+$/m);
      expect(text).toMatch(/^assay_report_seconds_count\{kind="chargebacks",state="DONE"\} \d+$/m);
    });
  });
});
