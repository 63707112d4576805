// GET /v1/journal and /v1/transaction/{id}/history: who did what, shown to those who may know it, without personal data
// in clear text.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, placeHold, setStanding } from '../support/guarantees.ts';
import { entryCount, told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let other: Account;
let operator: Account;
let transactionId: string;
const email = 'grace.hopper@example.com';
const sale = {
  ref: 'h1',
  totalAmount: 1075,
  paymentMethods: { card: 1075 },
  transactionFee: 10,
  currency: 'NGN',
  countryCode: 'NG',
  customer: { email },
};

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  other = await t.makeClient(psp);
  operator = await t.makeOperator();
  const first = contentOf(await t.post('/v1/transaction/verifyTransaction', sale, client.apiKey));
  transactionId = first.transactionId;
  t.advance(60_000);
  contentOf(await t.post('/v1/transaction/declineTransaction', { ref: 'h1' }, psp.apiKey));
  t.advance(60_000);
  contentOf(
    await t.post(
      '/v1/transaction/verifyTransaction',
      { ...sale, totalAmount: 2150, paymentMethods: { card: 2150 } },
      psp.apiKey,
      { 'x-client-id': client.id },
    ),
  );
  t.advance(60_000);
  contentOf(await t.post('/v1/transaction/chargeBack', { ref: 'h1' }, psp.apiKey));
  t.advance(60_000);
  await setStanding(t, other, { operationalStanding: 'SUSPENDED', reason: 'licence lapsed' });
});
afterAll(() => t?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
const list = async (query = '', key = psp.apiKey, headers = {}): Promise<any> =>
  contentOf(await t.get(`/v1/journal${query}`, key, headers));
const kinds = async (query: string, key = psp.apiKey): Promise<string[]> =>
  (await list(query, key)).items.map((e: { kind: string }) => e.kind);

describe('an entry about an account', () => {
  it('names what changed where its values are sealed, or are on a page of their own', async () => {
    const own = await t.makePsp();
    const { id } = await t.makeClient(own);
    for (const made of [
      await t.post('/v1/client/subscribeToClient', { webhookUrl: 'https://a.example/hook' }, own.apiKey, {
        'x-client-id': id,
      }),
      await t.post(`/v1/client/${id}/update`, { email: 'other@example.com' }, own.apiKey),
    ])
      expect(made.status, made.text).toBe(200);
    const { items } = await list(`?kind=client.updated&clientId=${id}`, own.apiKey);
    expect(items.map((e: { changes: unknown }) => e.changes).reverse()).toEqual([
      [{ field: 'webhookUrls', before: null, after: null }],
      [{ field: 'contact', before: null, after: null }],
    ]);
  });

  it('says which act it was, with before and after, and gives neither reason nor private code of a hold', async () => {
    const own = await t.makePsp();
    const held = await t.makeClient(own);
    await placeHold(t, held, { code: 'AML_REVIEW', reason: 'a private remark', blocking: true });
    const flags = contentOf(await t.get('/v1/client/verifyClientStatus', held.apiKey)).flags;
    const released = await t.post(
      `/v1/admin/account/${held.id}/hold/${flags[0].id}/release`,
      { reason: 'explained' },
      operator.apiKey,
    );
    expect(released.status, released.text).toBe(200);
    await setStanding(t, held, { operationalStanding: 'SUSPENDED', reason: 'licence lapsed' });
    await setStanding(t, held, { operationalStanding: 'ACTIVE', reason: 'renewed' });
    const { items } = await list(`?kind=client.updated&clientId=${held.id}`, own.apiKey);
    const [first, ...later] = items.map((e: { step: string; changes: unknown }) => [e.step, e.changes]).reverse();
    expect([first, ...later]).toEqual([
      ['HOLD_PLACED', [{ field: 'holds', before: [], after: ['UNDER_REVIEW'] }]],
      ['HOLD_RELEASED', [{ field: 'holds', before: ['UNDER_REVIEW'], after: [] }]],
      ['SUSPENDED', [{ field: 'operationalStanding', before: 'ACTIVE', after: 'SUSPENDED' }]],
      ['REACTIVATED', [{ field: 'operationalStanding', before: 'SUSPENDED', after: 'ACTIVE' }]],
    ]);
    expect((await list('?kind=key', own.apiKey)).items[0]).toMatchObject({ step: null, changes: [] });
  });
});

describe('listJournal accepts', () => {
  it('and tells newest first who did what about what, and why', async () => {
    const { items, nextCursor } = await list('?kind=client');
    expect(nextCursor).toBeNull();
    expect(items.map((e: { kind: string }) => e.kind)).toEqual([
      'client.updated',
      'client.created',
      'client.created',
      'client.created',
    ]);
    const [entry] = items;
    expect(entry).toMatchObject({
      pspId: psp.id,
      at: new Date(t.now()).toISOString(),
      clientId: other.id,
      resourceId: other.id,
      version: 2,
      // Why an operator acted is for operators to read.
      reason: null,
      personal: null,
    });
    // It was an operator's key: whose it is stands there, what it is called is not the PSP's to see.
    expect(entry.actor).toEqual({
      account: expect.stringMatching(/^psp_/),
      by: expect.stringMatching(/^key_/),
      name: null,
    });
    expect(entry.actor.account).not.toBe(psp.id);
    const reasons = (await list('?kind=client', operator.apiKey)).items.map((i: { reason: string }) => i.reason);
    expect(reasons).toContain('licence lapsed');
    expect(entry.data).toBeUndefined();
  });

  it('without entries of records, unless they are asked for', async () => {
    expect((await kinds('')).filter((k) => /^(transaction|chargeback)/.test(k))).toEqual([]);
    expect(await kinds('?kind=transaction,chargeback.created')).toEqual([
      'transaction.updated',
      'chargeback.created',
      'transaction.updated',
      'transaction.updated',
      'transaction.created',
    ]);
    const all = (await list('?records=true&limit=200')).items.map((e: { seq: number }) => e.seq);
    expect(all).toEqual(all.map((_: number, i: number) => all.length - i));
  });

  it('a resource of any kind', async () => {
    const { items } = await list(`?resource=${transactionId}`);
    expect(items.map((e: { version: number }) => e.version)).toEqual([4, 3, 2, 1]);
    expect(new Set(items.map((e: { resourceId: string }) => e.resourceId))).toEqual(new Set([transactionId]));
  });

  it('an actor, and tells what the key is called', async () => {
    const [entry] = (await list(`?resource=${transactionId}`)).items.slice(-1);
    expect(entry.actor).toEqual({ account: client.id, by: expect.stringMatching(/^key_/), name: 'first key' });
    const own = (await list(`?actor=${entry.actor.by}&records=true`)).items;
    expect(own.length).toBe(1);
    for (const e of own) expect(e.actor.by).toBe(entry.actor.by);
    expect(await kinds('?actor=nobody&records=true')).toEqual([]);
    expect(await kinds(`?actor=${encodeURIComponent('"},"clientId":')}&records=true`)).toEqual([]);
  });

  it('a client, and a time', async () => {
    expect(await kinds(`?clientId=${other.id}&kind=client`)).toEqual(['client.updated', 'client.created']);
    const now = new Date(t.now()).toISOString();
    expect(await kinds(`?from=${now}`)).toEqual(['client.updated']);
    expect(await kinds(`?to=${now}&kind=client.updated`)).toEqual([]);
  });

  it.each(['', '&records=true', '&resource=@'])('and pages without gap or repetition: limit=1%s', async (query) => {
    const more = query.replace('@', transactionId);
    const whole = (await list(`?limit=200${more}`)).items.map((e: { eventId: string }) => e.eventId);
    const paged: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await list(`?limit=1${more}${cursor}`);
      paged.push(...page.items.map((e: { eventId: string }) => e.eventId));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(paged).toEqual(whole);
    expect(paged.length).toBeGreaterThan(3);
  });

  it('and opens an entry, with what is sealed kept sealed', async () => {
    const r = await t.get(`/v1/journal?resource=${client.id}&expand=data`, psp.apiKey);
    const entry = contentOf(r).items.at(-1);
    expect(entry).toMatchObject({ kind: 'client.created', personal: 'SEALED', data: { clientId: client.id } });
    const [stored] = await told(t, client.id);
    for (const hidden of ['accounts@lagosbooks.example', '+2348030000001', stored?.body.sealed, stored?.body.subject]) {
      expect(hidden).toEqual(expect.any(String));
      expect(r.text).not.toContain(hidden);
    }
  });

  it('and leaves numbers as they stand', async () => {
    const body = JSON.stringify({
      ...sale,
      ref: 'digits',
      transactionFee: 0,
      blochainHash: '0x1',
      currency: 'ETH',
      totalAmount: '@',
    });
    const sent = body.replace('"@"', '1.123456789012345678');
    const made = contentOf(await t.post('/v1/payment/cryptoDeposit', sent, client.apiKey));
    const r = await t.get(`/v1/journal?resource=${made.transactionId}&expand=data`, psp.apiKey);
    expect(r.text).toContain('"totalAmount":1.123456789012345678,');
    expect(contentOf(r).items[0].personal).toBe('SEALED');
    expect(r.text).not.toContain(email);
  });
});

describe('listJournal validates', () => {
  it.each([
    ['kind=nothing', "the query parameter 'kind' knows no 'nothing'"],
    ['kind=', /kind/],
    ['resource=abc', "the query parameter 'resource' is no id: txn_…, cli_…, key_…"],
    ['cursor=abc', "the query parameter 'cursor' is not a cursor of this list"],
    ['records=true&cursor=abc', "the query parameter 'cursor' is not a cursor of this list"],
    ['from=yesterday', /from/],
    ['records=yes', /records/],
    ['limit=201', /limit/],
  ])('%s', async (query, message) => {
    expectRefusal(await t.get(`/v1/journal?${query}`, psp.apiKey), 400, 'QUERY_INVALID', message);
  });
});

describe('listJournal authorises', () => {
  it("no client's key", async () => {
    expectRefusal(await t.get('/v1/journal', client.apiKey), 403, 'AUDIENCE');
  });

  it('a PSP for its own alone', async () => {
    const stranger = await t.makePsp();
    await t.makeClient(stranger);
    for (const query of ['', '?records=true', `?resource=${transactionId}`, `?resource=${other.id}`])
      for (const e of (await list(query, stranger.apiKey)).items) expect(e.pspId).toBe(stranger.id);
    expectRefusal(await t.get(`/v1/journal?clientId=${other.id}`, stranger.apiKey), 404, 'NOT_FOUND');
  });

  it('an operator for all, with entries of records by PSP alone', async () => {
    await placeHold(t, other, { code: 'SECOND_LOOK', reason: 'checked twice' });
    const { items } = await list('?kind=client.updated', operator.apiKey);
    expect(items[0]).toMatchObject({ pspId: psp.id, reason: 'checked twice', actor: { name: 'first key' } });
    const tenants = new Set((await list('?limit=200', operator.apiKey)).items.map((e: { pspId: string }) => e.pspId));
    expect(tenants.size).toBeGreaterThan(2);
    expectRefusal(
      await t.get('/v1/journal?records=true', operator.apiKey),
      400,
      'QUERY_INVALID',
      'entries of records are listed for one PSP: name it in the header x-psp-id',
    );
    const about = (await list(`?resource=${transactionId}`, operator.apiKey)).items;
    expect(about).toHaveLength(4);
  });
});

describe('listJournal tells', () => {
  it('nothing to the journal', async () => {
    const before = await entryCount(t);
    await list();
    expect(await entryCount(t)).toBe(before);
  });
});

describe('getTransactionHistory accepts', () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
  const history = async (key = psp.apiKey): Promise<any[]> =>
    contentOf(await t.get(`/v1/transaction/${transactionId}/history`, key)).items;

  it('and tells each step with who did it and what it changed', async () => {
    const items = await history();
    expect(items.map((i) => [i.step, i.revision, i.actor.account])).toEqual([
      ['RECORDED', 1, client.id],
      ['DECLINED', 2, psp.id],
      ['DECIDED_ANEW', 3, psp.id],
      ['CHARGED_BACK', 4, psp.id],
    ]);
    expect(items[0]).toMatchObject({ changes: [], data: { totalAmount: 1075 } });
    expect(items[1].changes).toEqual([
      { field: 'status', before: 'APPROVED', after: 'DECLINED' },
      { field: 'reason', before: null, after: 'declined by the PSP' },
    ]);
    expect(items[2].changes).toContainEqual({ field: 'totalAmount', before: 1075, after: 2150 });
    expect(items[3].changes).toEqual([]);
    expect(items.map((i) => i.at)).toEqual(items.map((i) => i.at).toSorted());
    expect(items.map((i) => i.seq)).toEqual(items.map((i) => i.seq).toSorted((a, b) => a - b));
  });

  it('what was set off, on both sides', async () => {
    const later = { ...sale, ref: 'h2', totalAmount: 5000, paymentMethods: { card: 5000 } };
    const against = contentOf(await t.post('/v1/transaction/verifyTransaction', later, client.apiKey)).transactionId;
    const chargebackId = (await history())[3].data.chargeback.id;
    const netting = { ref: 'n1', chargebackId, transactionId: against, merchantAmount: 2 };
    contentOf(await t.post('/v1/settlement/net', netting, psp.apiKey));
    const expected = { step: 'NETTED', revision: null, resourceId: expect.stringMatching(/^net_/) };
    expect((await history()).at(-1)).toMatchObject(expected);
    const other = contentOf(await t.get(`/v1/transaction/${against}/history`, psp.apiKey)).items;
    expect(other.map((i: { step: string }) => i.step)).toEqual(['RECORDED', 'NETTED']);
  });

  it('an adjustment, without those of others that its entry tells of', async () => {
    const ref = (name: string) => ({ ...sale, ref: name, totalAmount: 1000, paymentMethods: { card: 1000 } });
    const id = contentOf(await t.post('/v1/transaction/verifyTransaction', ref('a1'), client.apiKey)).transactionId;
    contentOf(await t.post('/v1/transaction/verifyTransaction', ref('a2'), client.apiKey));
    const country = JSON.parse(readFileSync(new URL('../../data/tax/NG.json', import.meta.url), 'utf8'));
    const old = country.rules.find((r: { ruleId: string }) => r.ruleId === 'NG-VAT-STANDARD-2026');
    country.rules.push({ ...old, ruleId: 'NG-VAT-STANDARD-2026-11', rate: '10', validFrom: '2026-11-01' });
    old.validTo = '2026-11-01';
    contentOf(await t.post('/v1/admin/tax', { reason: 'overlooked', country }, operator.apiKey));
    const range = { countryCode: 'NG', from: '2026-11-01', to: '2026-11-30', clientId: psp.id };
    contentOf(await t.post('/v1/correction', { ...range, reason: 'wrong rate' }, operator.apiKey));
    const { items } = contentOf(await t.get(`/v1/transaction/${id}/history`, psp.apiKey));
    const adjusted = items.at(-1);
    expect(adjusted).toMatchObject({ step: 'ADJUSTED', reason: 'wrong rate', revision: null });
    expect(adjusted.changes.map((c: { field: string }) => c.field)).toContain('vatAmount');
    expect(adjusted.data.transactionId).toBe(id);
    expect(adjusted.data.adjustments).toBeUndefined();
  });

  it('a client its own, and nobody the transaction of another', async () => {
    expect(await history(client.apiKey)).toHaveLength((await history()).length);
    const path = `/v1/transaction/${transactionId}/history`;
    expectRefusal(await t.get(path, other.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get(path, (await t.makePsp()).apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get(path, psp.apiKey, { 'x-client-id': other.id }), 404, 'NOT_FOUND');
    expectRefusal(await t.get(path, operator.apiKey), 403, 'AUDIENCE');
  });

  it('no id that is none', async () => {
    const unknown = toWire('transaction', t.app.services.ids.next());
    for (const id of ['x', unknown, client.id])
      expectRefusal(await t.get(`/v1/transaction/${id}/history`, psp.apiKey), 404, 'NOT_FOUND');
  });
});

describe('getTransactionHistory authenticates', () => {
  it('and asks for a key', async () => {
    expectRefusal(await t.get(`/v1/transaction/${transactionId}/history`), 401, 'KEY_MISSING');
  });
});
