// A PSP lets rules of the risk book decline its own transactions: never anybody else's, and nobody but the PSP and staff
// reads why. A proposed rule is replayed over the past, twice with the same result.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dimension } from '../../src/core/risk/counters.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  issueKey,
  limitsText,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, readersAtEnd, uuidOf } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let staff: Account;
let other: string;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  staff = await t.makeOperator();
  other = (await issueKey(t, staff)).apiKey;
});
afterAll(() => t?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
const policy = (declining: readonly string[], by = psp, reason = 'seen lately') =>
  t.post('/v1/risk-policy', { declining, reason }, by.apiKey);
const paidIn = (hash: string, by = client) =>
  t.post(
    '/v1/payment/cryptoDeposit',
    {
      ref: `d${++n}`,
      totalAmount: 12.5,
      currency: 'USDT',
      blochainHash: hash,
      customer: { email: `ada${n}@example.com` },
      countryCode: 'NG',
      transactionFee: 0,
    },
    by.apiKey,
  );
const hashOf = (i: number) => `0x${i.toString(16).padStart(64, '0')}`;
const sell = async (amount: number, by = client, ref = `r${++n}`): Promise<Shown> =>
  contentOf(
    await t.post(
      '/v1/transaction/verifyTransaction',
      {
        ref,
        totalAmount: amount,
        transactionFee: 0,
        currency: 'NGN',
        countryCode: 'NG',
        paymentMethods: { card: amount },
      },
      by.apiKey,
    ),
  );
const read = () => readersAtEnd(t, ['reviews']);
const rule = (over: object = {}) => ({
  id: `TRIED_${++n}`,
  version: 1,
  from: '2020-01-01',
  until: null,
  scope: { operations: ['verifyTransaction'] },
  condition: 'record.amount >= decimal("5000")',
  severity: 'HIGH',
  code: 'RISK_POLICY',
  reason: 'A private reason that a reviewer reads and a client never does.',
  action: 'decline',
  source: { title: 'A test of the risk policy', date: '2026-11-26' },
  ...over,
});
const propose = async (risk: object): Promise<Shown> =>
  contentOf(await t.post('/v1/admin/proposal', { reason: 'seen lately', risk }, staff.apiKey));
const approve = async (p: Shown) =>
  contentOf(await t.post(`/v1/admin/proposal/${p.proposalId}/approve`, { reason: 'checked' }, other));

describe('setRiskPolicy', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    path: '/v1/risk-policy',
    caller: () => psp,
    body: () => ({ declining: [], reason: 'none for now' }),
  };

  it('accepts rules that can decline, and no others', async () => {
    expect(contentOf(await t.get('/v1/risk-policy', psp.apiKey))).toEqual({
      pspId: psp.id,
      version: 0,
      declining: [],
      holding: [],
      reason: null,
      setBy: null,
      changedAt: null,
    });
    expect(contentOf(await policy(['WALLET_VELOCITY', 'CHAIN_HASH_TWICE', 'CHAIN_HASH_TWICE']))).toMatchObject({
      version: 1,
      declining: ['CHAIN_HASH_TWICE', 'WALLET_VELOCITY'],
      setBy: expect.stringMatching(/^key_/),
    });
    for (const id of ['LARGE_AMOUNT', 'NO_SUCH_RULE'])
      expectRefusal(await policy([id]), 400, 'FIELD_INVALID', new RegExp(`names '${id}'`));
  });

  it('repeats the same policy without another entry', async () => {
    contentOf(await policy(['CHAIN_HASH_TWICE']));
    const before = await entryCount(t);
    expect((await policy(['CHAIN_HASH_TWICE'])).headers.get('idempotency-replayed')).toBe('true');
    expect(await entryCount(t)).toBe(before);
  });
  requiresFields(wire, ['declining', 'reason']);
  refusesWrongTypes(wire, { text: ['reason'] });
  limitsText(wire, { reason: 500 });

  it('authenticates, and authorises PSPs alone', async () => {
    expectRefusal(await t.post('/v1/risk-policy', { declining: [], reason: 'x' }), 401, 'KEY_MISSING');
    expectRefusal(await policy([], client), 403, 'AUDIENCE');
    expectRefusal(await t.get('/v1/risk-policy', client.apiKey), 403, 'AUDIENCE');
  });
});

describe('a rule that was switched on', () => {
  it('declines what it matches, for this PSP alone, with the public code', async () => {
    contentOf(await policy(['CHAIN_HASH_TWICE']));
    expect(contentOf(await paidIn(hashOf(1))).status).toBe('APPROVED');
    await read();
    const again = await paidIn(hashOf(1));
    expect(again.body).toMatchObject({
      message: 'crypto deposit declined: the risk policy of the PSP does not allow it (RISK_POLICY)',
      content: { status: 'DECLINED' },
    });
    const [kept] = await t.database.admin.query(
      'SELECT rule, version, counters FROM risk_matches WHERE record_id = $1 AND NOT shadow',
      [uuidOf(contentOf(again).transactionId)],
    );
    expect(kept).toEqual({ rule: 'CHAIN_HASH_TWICE', version: 2, counters: '{"uses":2}' });
    const stranger = await t.makePsp();
    const theirs = await t.makeClient(stranger);
    expect(contentOf(await paidIn(hashOf(2), theirs)).status).toBe('APPROVED');
    await read();
    expect(contentOf(await paidIn(hashOf(2), theirs)).status).toBe('APPROVED');
  });

  it('by the record alone declines at once, repeats its answer, and lets go when it is switched off', async () => {
    const id = `AT_ONCE_${n}`;
    await approve(await propose(rule({ id })));
    expect((await sell(6000)).status).toBe('APPROVED');
    contentOf(await policy([id]));
    const first = await sell(6000, client, 'at-once');
    expect([first.status, (await sell(4999.99)).status]).toEqual(['DECLINED', 'APPROVED']);
    expect(await sell(6000, client, 'at-once')).toEqual(first);
    expect((await sell(6001, client, 'at-once')).status).toBe('DECLINED');
    expect((await sell(6000, client, 'at-once')).status).toBe('DECLINED');
    contentOf(await policy([]));
    expect((await sell(6000, client, 'at-once')).status).toBe('APPROVED');
    contentOf(await policy([id]));
    // What was approved stays approved when it is sent again.
    expect((await sell(6000, client, 'at-once')).status).toBe('APPROVED');
    contentOf(await policy([]));
  });

  it('counts a sale that is revised once, with the amount it has then', async () => {
    const counted = rule({
      counters: {
        times: { of: 'client', measure: 'count', window: '24h' },
        sum: { of: 'client', measure: 'sum', window: '24h' },
      },
      condition: 'counters.times >= 3 || counters.sum > decimal("1000")',
    });
    await approve(await propose(counted));
    contentOf(await policy([counted.id]));
    const verdicts = async (...sales: (readonly [ref: string, amount: number])[]): Promise<string> => {
      const [by, of] = [await t.makeClient(psp), `v${++n}-`];
      const found: string[] = [];
      for (const [ref, amount] of sales) {
        found.push((await sell(amount, by, `${of}${ref}`)).status[0]);
        await read();
      }
      return found.join('');
    };
    // Two are two, however often the second is revised; a third is declined.
    expect(await verdicts(['a', 100], ['b', 100], ['b', 101], ['b', 102], ['c', 100])).toBe('AAAAD');
    // One of 600 that is revised to 610 is 610; one that is raised to 900 is 900.
    expect(await verdicts(['a', 600], ['a', 610])).toBe('AA');
    expect(await verdicts(['a', 1], ['a', 900], ['b', 200])).toBe('AAD');
    expect(await verdicts(['a', 900], ['a', 1], ['b', 900])).toBe('AAA');
    expect(await verdicts(['a', 900], ['a', 1001])).toBe('AD');
    // A revision that comes before its first version was read is counted by itself.
    const [by, ref] = [await t.makeClient(psp), `v${++n}`];
    expect((await sell(900, by, ref)).status).toBe('APPROVED');
    expect((await sell(1001, by, ref)).status).toBe('DECLINED');
    contentOf(await policy([]));
  });

  it('is exact: of deposits at one moment with one hash, however it is written, one passes', async () => {
    contentOf(await policy(['CHAIN_HASH_TWICE']));
    const hashes = Array.from({ length: 50 }, (_, i) => hashOf(1000 + i));
    const inBase64 = (h: string, as: 'base64' | 'base64url') => Buffer.from(h.slice(2), 'hex').toString(as);
    const forms = (h: string) => [h, h.toUpperCase().replace('0X', '0x'), h.slice(2), inBase64(h, 'base64')];
    // Each hash four times, those of one hash far apart and close together.
    const given = hashes.flatMap((h, i) =>
      forms(h).map((form, j) => ({ h, form, place: j % 2 ? i * 4 + j : j * 1000 + i })),
    );
    const paid = await Promise.all(
      given
        .toSorted((a, b) => a.place - b.place)
        .map(async ({ h, form }) => ({ h, status: contentOf(await paidIn(form)).status as string })),
    );
    const passed = paid.filter((p) => p.status === 'APPROVED').map((p) => p.h);
    expect(paid).toHaveLength(200);
    expect(passed.toSorted()).toEqual(hashes);
    // Nor afterwards, whether the reader has counted them or not.
    expect(contentOf(await paidIn(hashes[0] as string)).status).toBe('DECLINED');
    await read();
    expect(contentOf(await paidIn(hashes[1] as string)).status).toBe('DECLINED');
    expect(contentOf(await paidIn(inBase64(hashes[2] as string, 'base64url'))).status).toBe('DECLINED');
  });

  it.each<[Dimension, (i: number, of: number) => object]>([
    // One mailbox, by RFC 5233 and by Gmail's dots.
    ['customer', (i, of) => ({ email: `${i % 2 ? 'b.usy' : 'Busy'}${of}${i % 3 ? `+${i}` : ''}@gmail.com` })],
    // One number of Nigeria, with its country code and without.
    [
      'msisdn',
      (i, of) => ({ email: `m${i}-${of}@example.com`, phoneNumber: i % 2 ? '+2348031234567' : '08031234567' }),
    ],
  ])(
    'counts deposits, sales and wagers of one %s at one moment to the last one, and what the reader has yet to read',
    async (of, customer) => {
      const by = await t.makeClient(psp, { classification: 'IGAMING_LOCAL' });
      const run = ++n;
      const counted = rule({
        id: `EXACTLY_${n}`,
        scope: { operations: ['deposit', 'captureWager', 'cryptoDeposit'] },
        counters: {
          times: { of, measure: 'count', window: '24h', kinds: ['deposit', 'captureWager', 'cryptoDeposit'] },
        },
        condition: 'counters.times > 7',
      });
      await approve(await propose(counted));
      contentOf(await policy([counted.id]));
      const common = { currency: 'NGN', countryCode: 'NG', transactionFee: 0, totalAmount: 10 };
      const act = (i: number) => {
        const said = { ...common, ref: `x${run}-${i}`, customer: customer(i, run) };
        const [path, body] = [
          ['/v1/payment/deposit', { ...said, paymentMethod: 'card' }],
          ['/v1/payment/cryptoDeposit', { ...said, currency: 'USDT', blochainHash: hashOf(run * 1000 + i) }],
          ['/captureWager', { ref: said.ref, amount: 10, type: 'sports', ip: '102.89.34.5', customer: said.customer }],
        ][i % 3] as [string, object];
        return t.post(path, body, by.apiKey);
      };
      const passed = (answers: readonly Awaited<ReturnType<typeof act>>[]) => {
        expect(answers.map((a) => a.status).filter((s) => s !== 200 && s !== 201 && s !== 409)).toEqual([]);
        return answers.filter((a) => a.status < 300 && contentOf(a).status !== 'DECLINED').length;
      };
      expect(passed(await Promise.all(Array.from({ length: 30 }, (_, i) => act(i))))).toBe(7);
      // By what the reader has counted.
      await read();
      expect(passed(await Promise.all([act(30), act(31), act(32)]))).toBe(0);
      contentOf(await policy([]));
    },
  );

  it('tells a client a code, and neither the rule nor its reason nor a counter', async () => {
    const id = `NOT_TOLD_${n}`;
    await approve(
      await propose(
        rule({
          id,
          counters: { hidden: { of: 'client', measure: 'count', window: '1h' } },
          condition: 'record.amount >= decimal("5000") && counters.hidden >= 1',
        }),
      ),
    );
    contentOf(await policy([id]));
    const by = await t.makeClient(psp);
    const { transactionId } = await sell(7000, by);
    await read();
    const replies = await Promise.all(
      [
        `/v1/transaction/${transactionId}?expand=tax,fees,decision,revisions,request`,
        `/v1/transaction/${transactionId}/history`,
        `/v1/audit/receipt/${transactionId}`,
        '/v1/transaction',
      ].map(async (path) => (await t.get(path, by.apiKey)).text),
    );
    expect(replies[0]).toContain('RISK_POLICY');
    expect(replies.join('\n')).not.toMatch(/NOT_TOLD|private reason|hidden/);
    const told = contentOf(await t.get(`/v1/transaction/${transactionId}?expand=decision`, psp.apiKey)) as Shown;
    expect(told.decision).toMatchObject({
      riskCode: 'RISK_POLICY',
      riskRules: [{ rule: id, version: 1, counters: { hidden: 1 } }],
    });
    const [entry] = await t.database.admin.query('SELECT body FROM journal WHERE resource_id = $1', [
      uuidOf(transactionId),
    ]);
    const { evidence } = JSON.parse((entry as { body: string }).body);
    expect(evidence.risk).toEqual({ code: 'RISK_POLICY', matches: expect.stringMatching(/^[\w-]{27}$/) });
    contentOf(await policy([]));
  });
});

describe('riskReplay', () => {
  const replayed = async (p: Shown, query = '?from=2026-11-01&to=2026-11-30'): Promise<Shown> =>
    contentOf(await t.get(`/v1/admin/proposal/${p.proposalId}/replay${query}`, staff.apiKey));

  it('says what a version would have matched and not matched, with the money, the same each time', async () => {
    const risk = rule({
      id: 'REPLAYED',
      action: 'observe',
      condition: 'record.country == "NG" && record.amount >= decimal("8000") && record.amount < decimal("9000")',
    });
    for (const amount of [8000.25, 8500, 9500]) await sell(amount);
    const p = await propose(risk);
    const day = new Date(t.now()).toISOString().slice(0, 10);
    const today = `?from=${day}&to=${day}`;
    const first = await replayed(p, today);
    expect(first).toMatchObject({
      rule: 'REPLAYED',
      comparedWith: null,
      complete: true,
      failures: 0,
      newlyMatched: { records: 2, lines: [{ currency: 'NGN', records: 2, amount: 16500.25 }] },
      noLongerMatched: { records: 0, lines: [] },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(first.examples.map((e: Shown) => [e.change, e.amount])).toEqual([
      ['new', 8000.25],
      ['new', 8500],
    ]);
    expect((await replayed(p, today)).hash).toBe(first.hash);
    await approve(p);
    const next = await propose({
      ...risk,
      version: 2,
      condition: 'record.country == "NG" && record.amount >= decimal("8400") && record.amount < decimal("9600")',
    });
    const second = await replayed(next, today);
    expect(second).toMatchObject({
      comparedWith: 1,
      newlyMatched: { records: 1, lines: [{ currency: 'NGN', records: 1, amount: 9500 }] },
      noLongerMatched: { records: 1, lines: [{ currency: 'NGN', records: 1, amount: 8000.25 }] },
      stillMatched: { records: 1, lines: [{ currency: 'NGN', records: 1, amount: 8500 }] },
    });
    expect(second.hash).not.toBe(first.hash);
    expect((await replayed(next, '?from=2020-01-01&to=2020-01-02')).newlyMatched.records).toBe(0);
  });

  it('counts as the rules in force did', async () => {
    const by = await t.makeClient(psp);
    const counters = { lastHour: { of: 'client', measure: 'count', window: '1h', kinds: ['verifyTransaction'] } };
    const risk = rule({
      id: 'COUNTED',
      action: 'observe',
      counters,
      condition: `client.id == "${by.id}" && counters.lastHour >= 3`,
    });
    await approve(await propose(risk));
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await sell(10 + i, by)).transactionId);
    await read();
    const live = await t.database.admin.query(
      "SELECT record_id AS id FROM risk_matches WHERE rule = 'COUNTED' AND NOT shadow ORDER BY record_id",
    );
    expect(live.map((r) => r.id)).toEqual(ids.slice(2).map(uuidOf).sort());
    const day = new Date(t.now()).toISOString().slice(0, 10);
    const p = await propose({ ...risk, version: 2, condition: `client.id == "${by.id}" && counters.lastHour >= 4` });
    const r = await replayed(p, `?from=${day}&to=${day}`);
    expect([r.newlyMatched.records, r.noLongerMatched.records, r.stillMatched.records]).toEqual([0, 1, 2]);
    expect(r.examples[0].recordId).toBe(ids[2]);
  });

  it('validates, authenticates and authorises', async () => {
    const p = await propose(rule());
    const path = `/v1/admin/proposal/${p.proposalId}/replay`;
    for (const query of ['?from=2026-11-02&to=2026-11-01', '?from=2026-01-01&to=2026-11-01', '?from=x&to=y'])
      expectRefusal(await t.get(path + query, staff.apiKey), 400, 'QUERY_INVALID');
    expectRefusal(await t.get(`${path}?from=2026-11-01&to=2026-11-01`), 401, 'KEY_MISSING');
    expectRefusal(await t.get(`${path}?from=2026-11-01&to=2026-11-01`, psp.apiKey), 403, 'AUDIENCE');
    const fee = contentOf(
      await t.post(
        '/v1/admin/proposal',
        { reason: 'x', fee: { feeId: 'REPLAY-FEE', percent: '2', validFrom: '2101-01-01' } },
        staff.apiKey,
      ),
    );
    expectRefusal(
      await t.get(`/v1/admin/proposal/${fee.proposalId}/replay?from=2026-11-01&to=2026-11-01`, staff.apiKey),
      404,
      'NOT_FOUND',
    );
  });
});

describe('the journal', () => {
  it('tells everything', () => expectJournalComplete(t));
});
