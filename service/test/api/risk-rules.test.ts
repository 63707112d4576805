// The risk book over HTTP: rules in force look at what was recorded, a change needs two people and is tried without effect
// until then, and nothing of it reaches a client.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadRiskRules } from '../../src/platform/data-files.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  issueKey,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';
import { expectJournalComplete, readersAtEnd, rowCount, uuidOf } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let staff: Account;
/** Two people of the operator. */
let one: string;
let two: string;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  staff = await t.makeOperator();
  one = staff.apiKey;
  two = (await issueKey(t, staff)).apiKey;
});
afterAll(() => t?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;

const rule = (over: object = {}) => ({
  id: `TRIED_${++n}`,
  version: 1,
  from: '2020-01-01',
  until: null,
  scope: { operations: ['verifyTransaction'] },
  counters: { lastHour: { of: 'client', measure: 'count', window: '1h', kinds: ['verifyTransaction'] } },
  condition: 'record.currency == "NGN" && record.amount == decimal("4321.5") && counters.lastHour >= 1',
  severity: 'HIGH',
  code: 'RISK_POLICY',
  reason: 'A private reason that a reviewer reads and a client never does.',
  action: 'review',
  source: { title: 'A test of the risk book', date: '2026-11-26' },
  ...over,
});
const propose = async (risk: object, key = one): Promise<Shown> =>
  contentOf(await t.post('/v1/admin/proposal', { reason: 'seen lately', risk }, key));
const decide = (p: Shown, act: 'approve' | 'reject', key = two) =>
  t.post(`/v1/admin/proposal/${p.proposalId}/${act}`, { reason: 'checked' }, key);
const putInForce = async (risk: object): Promise<void> => {
  contentOf(await decide(await propose(risk), 'approve'));
};
const listed = async (query = '', key = one): Promise<Shown[]> =>
  contentOf(await t.get(`/v1/risk-rule${query}`, key)).items;

const sell = async (amount: number, by = client): Promise<string> => {
  const sale = { ref: `r${++n}`, totalAmount: amount, transactionFee: 0, currency: 'NGN', countryCode: 'NG' };
  const body = { ...sale, paymentMethods: { card: amount } };
  return contentOf(await t.post('/v1/transaction/verifyTransaction', body, by.apiKey)).transactionId;
};
const withdraw = (over: object = {}) =>
  t.post(
    '/v1/payment/cryptoWithdrawal',
    {
      ref: `w${++n}`,
      totalAmount: 5,
      currency: 'USDT',
      blochainHash: `0x${n.toString(16).padStart(64, '0')}`,
      customer: { email: `person${n}@example.com` },
      toAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
      countryCode: 'NG',
      transactionFee: 0,
      ...over,
    },
    client.apiKey,
  );

const read = () => readersAtEnd(t, ['reviews']);
const reviewsOf = async (transactionId: string): Promise<Shown[]> => {
  await read();
  return contentOf(await t.get(`/v1/review?transactionId=${transactionId}`, psp.apiKey)).items;
};
const matchesOf = async (record: string, shadow = false): Promise<Shown[]> => {
  await read();
  return t.database.admin.query(
    'SELECT rule, version, counters FROM risk_matches WHERE record_id = $1 AND shadow = $2 ORDER BY rule, version',
    [uuidOf(record), shadow],
  );
};

describe('rules in force', () => {
  it('are the starter book at first, each entry of the journal naming its version and hash', async () => {
    const rules = await listed();
    const shipped = loadRiskRules();
    expect(rules.filter((r) => r.origin === 'shipped').map((r) => r.rule)).toEqual(
      [...shipped].sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    const bodies = await t.database.admin.query(
      "SELECT body FROM journal WHERE kind = 'risk_rules.changed' ORDER BY id",
    );
    expect(JSON.parse((bodies[0] as { body: string }).body).data.rules).toHaveLength(shipped.length);
  });

  it('keep what they counted beside what they matched, and open a review only where they say so', async () => {
    await putInForce(rule({ id: 'SEEN_BY_REVIEW' }));
    await putInForce(rule({ id: 'SEEN_ONLY', action: 'observe' }));
    const by = await t.makeClient(psp);
    await sell(10, by);
    const id = await sell(4321.5, by);
    expect((await reviewsOf(id)).map((r) => r.rule)).toEqual(['SEEN_BY_REVIEW']);
    expect(await matchesOf(id)).toEqual([
      { rule: 'SEEN_BY_REVIEW', version: 1, counters: '{"lastHour":2}' },
      { rule: 'SEEN_ONLY', version: 1, counters: '{"lastHour":2}' },
    ]);
    const [counted] = (await listed('', psp.apiKey)).filter((r) => r.id === 'SEEN_ONLY');
    expect(counted.matches).toBe(1);
    expect((await listed('', (await t.makePsp()).apiKey)).find((r) => r.id === 'SEEN_ONLY').matches).toBe(0);
  });

  it('count every match of a rule that observes, and keep the first 100 of a client and day', async () => {
    await putInForce(rule({ id: 'SEEN_OFTEN', action: 'observe', condition: 'record.amount == decimal("12.25")' }));
    const by = await t.makeClient(psp);
    await Promise.all(Array.from({ length: 105 }, () => sell(12.25, by)));
    await read();
    expect((await listed('?id=SEEN_OFTEN', psp.apiKey))[0].matches).toBe(105);
    expect(await rowCount(t, 'risk_matches', "rule = 'SEEN_OFTEN'")).toBe(100);
  });

  it('count a wallet over customers, by keyed hash', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(contentOf(await withdraw()).transactionId);
    expect((await matchesOf(ids[1] as string)).map((m) => m.rule)).not.toContain('WALLET_SHARED');
    const [shared] = (await matchesOf(ids[2] as string)).filter((m) => m.rule === 'WALLET_SHARED');
    expect(JSON.parse(shared.counters)).toEqual({ customers: 3 });
    const rows = await t.database.admin.query(
      "SELECT key, state FROM risk_activity WHERE dimension IN ('wallet', 'customer')",
    );
    expect(rows.length).toBeGreaterThan(3);
    expect(JSON.stringify(rows)).not.toMatch(/example\.com|0x5290/i);
  });

  it('count bank details over customers, and a telephone number', async () => {
    const gaming = async (path: string, more: object) =>
      contentOf(
        await t.post(
          path,
          { ref: `g${++n}`, totalAmount: 5, currency: 'KES', countryCode: 'KE', transactionFee: 0, ...more },
          client.apiKey,
        ),
      ).transactionId as string;
    let last = '';
    for (let i = 0; i < 3; i++)
      last = await gaming('/v1/payment/withdrawal', {
        customer: { email: `bank${i}@example.com` },
        toAddress: { bank: 'Equity Bank', accountNumber: '0011223344' },
      });
    expect((await matchesOf(last)).map((m) => m.rule)).toContain('BANK_ACCOUNT_SHARED');
  });

  it('count a revised sale once', async () => {
    await putInForce(
      rule({
        id: 'COUNTED_ONCE',
        action: 'observe',
        condition: 'record.amount == decimal("77.5") && counters.lastHour >= 1',
      }),
    );
    const by = await t.makeClient(psp);
    const ref = `again${++n}`;
    const sale = { ref, transactionFee: 0, currency: 'NGN', countryCode: 'NG' };
    const of = async (totalAmount: number) =>
      contentOf(
        await t.post(
          '/v1/transaction/verifyTransaction',
          { ...sale, totalAmount, paymentMethods: { card: totalAmount } },
          by.apiKey,
        ),
      ).transactionId as string;
    await of(70);
    await of(71);
    const id = await of(77.5);
    const [match] = (await matchesOf(id)).filter((m) => m.rule === 'COUNTED_ONCE');
    expect(JSON.parse(match.counters)).toEqual({ lastHour: 1 });
  });
});

describe('a proposed rule', () => {
  it('is tried without effect while it is open, and in force once another person approves it', async () => {
    const risk = rule({ id: 'IN_SHADOW' });
    const p = await propose(risk);
    expect(p).toMatchObject({ kind: 'RISK', subject: 'IN_SHADOW', state: 'OPEN' });
    const before = await sell(4321.5);
    expect((await reviewsOf(before)).map((r) => r.rule)).not.toContain('IN_SHADOW');
    expect((await matchesOf(before, true)).map((m) => m.rule)).toEqual(['IN_SHADOW']);
    expectRefusal(await decide(p, 'approve', one), 409, 'STATE_CONFLICT');
    contentOf(await decide(p, 'approve'));
    const after = await sell(4321.5);
    expect((await reviewsOf(after)).map((r) => r.rule)).toContain('IN_SHADOW');
    expect(await matchesOf(after, true)).toEqual([]);
    const entries = await t.database.admin.query(
      "SELECT body FROM journal WHERE kind = 'risk_rules.changed' ORDER BY id DESC LIMIT 1",
    );
    const { data, evidence } = JSON.parse((entries[0] as { body: string }).body);
    expect(data.rules).toMatchObject([{ id: 'IN_SHADOW', version: 1, origin: 'operator' }]);
    expect(evidence).toMatchObject({ proposalId: p.proposalId, proposedBy: p.proposedBy });
  });

  it('is superseded by its next version and by no other, and its versions stay', async () => {
    await putInForce(rule({ id: 'OF_TWO_VERSIONS' }));
    for (const version of [1, 3])
      expectRefusal(
        await t.post('/v1/admin/proposal', { reason: 'x', risk: rule({ id: 'OF_TWO_VERSIONS', version }) }, one),
        400,
        'RISK_RULE_INVALID',
      );
    const p = await propose(rule({ id: 'OF_TWO_VERSIONS', version: 2, until: '2020-01-02' }));
    const detail = contentOf(await t.get(`/v1/admin/proposal/${p.proposalId}`, two)) as Shown;
    expect([detail.proposed.version, detail.inForce.version]).toEqual([2, 1]);
    const effect = async () => contentOf(await t.get(`/v1/admin/proposal/${p.proposalId}/replay`, two)) as Shown;
    const expected = await effect();
    expect([expected.version, expected.comparedWith]).toEqual([2, 1]);
    contentOf(await decide(p, 'approve'));
    // Who looks at it later sees the change that was approved.
    expect(contentOf(await t.get(`/v1/admin/proposal/${p.proposalId}`, two)).inForce.version).toBe(1);
    expect(await effect()).toMatchObject({ version: 2, comparedWith: 1, noLongerMatched: expected.noLongerMatched });
    expect((await listed('?id=OF_TWO_VERSIONS')).map((r) => [r.version, r.supersededAt === null])).toEqual([
      [2, true],
      [1, false],
    ]);
    expect((await reviewsOf(await sell(4321.5))).map((r) => r.rule)).not.toContain('OF_TWO_VERSIONS');
  });

  it('that begins on a later day leaves the one before it in force until then', async () => {
    const first = rule({ counters: {}, condition: 'record.amount == decimal("6161")' });
    const by = await t.makeClient(psp);
    const matched = async (): Promise<string | undefined> => {
      const r = await t.post(
        '/v1/transaction/verifyTransaction',
        {
          ...{ ref: `later${++n}`, transactionFee: 0, currency: 'NGN', countryCode: 'NG' },
          ...{ totalAmount: 6161, paymentMethods: { card: 6161 } },
        },
        by.apiKey,
      );
      const found = (await matchesOf(contentOf(r).transactionId)).filter((m) => m.rule === first.id);
      return found.map((m) => m.version).join();
    };
    const dayIn = (days: number) => new Date(t.now() + days * 86_400_000).toISOString().slice(0, 10);
    await putInForce(first);
    await putInForce({ ...first, version: 2, from: dayIn(3) });
    expect(await matched()).toBe('1');
    // A third that begins before the second takes the place of both.
    await putInForce({ ...first, version: 3, from: dayIn(2), until: dayIn(5) });
    expect(await matched()).toBe('1');
    t.advance(86_400_000);
    expect(await matched()).toBe('1');
    t.advance(86_400_000);
    expect(await matched()).toBe('3');
    t.advance(2 * 86_400_000);
    expect(await matched()).toBe('3');
    t.advance(86_400_000);
    expect(await matched()).toBe('');
  });

  it('that is rejected changes nothing, and ends its trial', async () => {
    const p = await propose(rule({ id: 'REJECTED' }));
    contentOf(await decide(p, 'reject'));
    await t.app.services.riskBook.refresh();
    const id = await sell(4321.5);
    expect((await matchesOf(id, true)).map((m) => m.rule)).not.toContain('REJECTED');
    expect(await rowCount(t, 'risk_rules', "id = 'REJECTED'")).toBe(0);
  });

  it('is refused with where and why', async () => {
    const risk = rule({ condition: 'record.amount > 10.5', severity: 'URGENT' });
    expectRefusal(
      await t.post('/v1/admin/proposal', { reason: 'x', risk }, one),
      400,
      'RISK_RULE_INVALID',
      'the rule was refused, those in force stay: severity: one of LOW, MEDIUM, HIGH',
    );
  });
});

describe('checkRiskRule', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    path: '/v1/admin/risk-rule/check',
    caller: () => staff,
    body: () => ({ rule: rule() }),
  };
  const problems = async (r: object): Promise<string[]> =>
    contentOf(await t.post('/v1/admin/risk-rule/check', { rule: r }, one)).problems;

  it('says what is wrong, and records nothing', async () => {
    const before = await rowCount(t, 'journal');
    expect(await problems(rule())).toEqual([]);
    expect(await problems(rule({ condition: 'record.amount >\n 10.5' }))).toEqual([
      expect.stringMatching(/^condition, line 2, column 2: binary floating point/),
    ]);
    expect(await problems(rule({ version: 1.5, action: 'block' }))).toEqual([
      'version: a whole number from 1',
      'action: one of observe, review, hold, holdWallet, decline',
    ]);
    // Neither could be proposed: the version that is in force, and one of a rule that has none before it.
    const { rule: shipped } = contentOf(await t.get('/v1/risk-rule?id=LARGE_AMOUNT', one)).items[0];
    expect(await problems(shipped)).toEqual(['version: LARGE_AMOUNT is at 1; the next version is 2']);
    expect(await problems({ ...shipped, version: 2 })).toEqual([]);
    expect(await problems(rule({ id: 'NOWHERE_BEFORE', version: 3 }))).toEqual([
      'version: NOWHERE_BEFORE is at 0; the next version is 1',
    ]);
    expect(await rowCount(t, 'journal')).toBe(before);
  });
  requiresFields(wire, ['rule']);
  refusesWrongTypes(wire, { object: ['rule'] });

  it('authenticates, and authorises operators alone', async () => {
    expectRefusal(await t.post(wire.path, { rule: rule() }), 401, 'KEY_MISSING');
    for (const key of [psp.apiKey, client.apiKey])
      expectRefusal(await t.post(wire.path, { rule: rule() }, key), 403, 'AUDIENCE');
  });
});

describe('listRiskRules', () => {
  it('authenticates, and authorises PSPs and operators, and no client', async () => {
    expectRefusal(await t.get('/v1/risk-rule'), 401, 'KEY_MISSING');
    expectRefusal(await t.get('/v1/risk-rule', client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await t.get('/v1/risk-rule?id=NONE', psp.apiKey), 404, 'NOT_FOUND');
  });
});

describe('the client', () => {
  it('reads no rule, reason or counter in any of its replies', async () => {
    const id = await sell(4321.5);
    await read();
    const replies = await Promise.all(
      [
        `/v1/transaction/${id}?expand=tax,fees,decision,revisions,request`,
        `/v1/transaction/${id}/history`,
        '/v1/transaction',
        '/v1/client/verifyClientStatus',
      ].map(async (path) => (await t.get(path, client.apiKey)).text),
    );
    expect(replies.join('\n')).not.toMatch(/SEEN_|IN_SHADOW|private reason|lastHour|RISK_/);
  });
});

describe('the journal', () => {
  it('tells everything', () => expectJournalComplete(t));
});
