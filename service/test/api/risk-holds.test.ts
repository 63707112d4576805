// What a PSP lets rules of the risk book do besides declining transactions: put a client on hold, once, until two release
// it; refuse a wager. A payout is never refused. Nothing of it happens without the PSP, and the client reads no reason.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { toWire } from '../../src/core/ids.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, issueKey } from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, readersAtEnd, told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let staff: Account;
let other: string;
let n = 0;

const env = { ASSAY_MASTER_KEY: '5d'.repeat(32) };

beforeAll(async () => {
  t = await makeTestApp({ env });
  psp = await t.makePsp();
  staff = await t.makeOperator();
  other = (await issueKey(t, staff)).apiKey;
});
afterAll(() => t?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
const secret = 'A private reason that a reviewer reads and a client never does.';
/** Puts a rule in force, as two people do. */
async function inForce(over: object): Promise<string> {
  const id = `TRIED_${++n}`;
  const risk = {
    ...{ id, version: 1, from: '2020-01-01', until: null, severity: 'HIGH', code: 'RISK_POLICY', reason: secret },
    ...{ scope: { operations: ['verifyTransaction'] }, condition: 'record.amount >= decimal("5000")' },
    source: { title: 'A test of holds', date: '2026-11-26' },
    ...over,
  };
  const p = contentOf(await t.post('/v1/admin/proposal', { reason: 'seen lately', risk }, staff.apiKey));
  contentOf(await t.post(`/v1/admin/proposal/${p.proposalId}/approve`, { reason: 'checked' }, other));
  return id;
}
const policy = (body: object, by = psp) =>
  t.post('/v1/risk-policy', { declining: [], reason: 'seen lately', ...body }, by.apiKey);
const sell = async (client: Account, amount: number): Promise<Shown> =>
  contentOf(
    await t.post(
      '/v1/transaction/verifyTransaction',
      {
        ...{ ref: `r${++n}`, totalAmount: amount, transactionFee: 0, currency: 'NGN', countryCode: 'NG' },
        paymentMethods: { card: amount },
      },
      client.apiKey,
    ),
  );
const read = () => readersAtEnd(t, ['reviews', 'cases']);
const alertsOf = async (client: Account, rule: string): Promise<Shown[]> =>
  contentOf(await t.get(`/v1/review?clientId=${client.id}&limit=50`, psp.apiKey)).items.filter(
    (r: Shown) => r.rule === rule,
  );
const caseOf = async (client: Account): Promise<Shown> => {
  const [found] = contentOf(await t.get(`/v1/case?clientId=${client.id}`, psp.apiKey)).items;
  return contentOf(await t.get(`/v1/case/${found.caseId}`, staff.apiKey));
};
const kindsOf = async (client: Account): Promise<string[]> => {
  const of = 'SELECT kind FROM journal WHERE account_id = $1 ORDER BY seq';
  return (await t.database.admin.query<{ kind: string }>(of, [client.uuid])).map((r) => r.kind);
};
const allHolds = async (client: Account): Promise<Shown[]> => {
  const [row] = await t.database.admin.query<{ holds: string }>('SELECT holds FROM accounts WHERE id = $1', [
    client.uuid,
  ]);
  return JSON.parse(row?.holds ?? '[]');
};
const holdsOf = async (client: Account) =>
  (await allHolds(client)).filter((h) => h.code === 'RISK_RULE').map((h) => ({ ...h, id: toWire('hold', h.id) }));

describe('a rule that holds', () => {
  let rule: string;
  let client: Account;
  beforeAll(async () => {
    rule = await inForce({ action: 'hold' });
    client = await t.makeClient(psp);
  });

  it('only counts what it matches until its PSP switches it on', async () => {
    await sell(client, 6000);
    await read();
    expect(await alertsOf(client, rule)).toEqual([]);
    expect(await holdsOf(client)).toEqual([]);
    const listed = contentOf(await t.get(`/v1/risk-rule?id=${rule}`, psp.apiKey)).items;
    expect(listed).toMatchObject([{ action: 'hold', matches: 1 }]);
  });

  it('is switched on by the PSP alone, and stays on where a change does not name it', async () => {
    expectRefusal(await policy({ holding: ['LARGE_AMOUNT'] }), 400, 'FIELD_INVALID', /no rule in force that can hold/);
    expectRefusal(await policy({ declining: [rule] }), 400, 'FIELD_INVALID', /no rule in force that can decline/);
    expectRefusal(await policy({ holding: [rule] }, client), 403, 'AUDIENCE');
    expect(contentOf(await policy({ holding: [rule] }))).toMatchObject({ holding: [rule], declining: [] });
    expect(contentOf(await policy({ declining: ['CHAIN_HASH_TWICE'] }))).toMatchObject({
      ...{ holding: [rule], declining: ['CHAIN_HASH_TWICE'] },
    });
    const before = await entryCount(t);
    expect(
      (await policy({ declining: ['CHAIN_HASH_TWICE'], holding: [rule] })).headers.get('idempotency-replayed'),
    ).toBe('true');
    expect(await entryCount(t)).toBe(before);
  });

  it('then puts the client on hold after the record, with an alert, its case and an entry that names the case', async () => {
    expect((await sell(client, 6000)).status).toBe('APPROVED');
    await read();
    expect(await alertsOf(client, rule)).toMatchObject([{ severity: 'HIGH', state: 'OPEN' }]);
    const [hold] = await holdsOf(client);
    expect(hold).toMatchObject({ blocking: true, setBy: `rule:${rule}`, until: null });
    expect(hold.reason).toContain(secret);
    const c = await caseOf(client);
    expect(c.items).toMatchObject([{ kind: 'ACTION', about: client.id, action: 'HOLD', holdId: hold.id }]);
    const entry = (await told(t, client.id)).at(-1);
    expect(entry?.body.evidence).toMatchObject({ caseId: c.caseId });
    // The client reads that it is on hold, and nothing of why.
    const declined = await t.post(
      '/v1/transaction/verifyTransaction',
      {
        ...{ ref: `r${++n}`, totalAmount: 1, transactionFee: 0, currency: 'NGN', countryCode: 'NG' },
        paymentMethods: { card: 1 },
      },
      client.apiKey,
    );
    expect(declined.body.message).toContain('(UNDER_REVIEW)');
    expect(declined.text + (await t.get('/v1/client/verifyClientStatus', client.apiKey)).text).not.toMatch(
      /RISK_RULE|private reason|TRIED_/,
    );
  });

  it('holds once: neither a further match nor the journal read again places another', async () => {
    const before = await entryCount(t);
    await t.database.admin.query("UPDATE journal_cursors SET seq = 0 WHERE reader IN ('cases', 'reviews')");
    await read();
    expect(await entryCount(t)).toBe(before);
    const busy = await t.makeClient(psp);
    await Promise.all([sell(busy, 7000), sell(busy, 8000), sell(busy, 9000)]);
    await read();
    expect(await alertsOf(busy, rule)).toHaveLength(3);
    expect(await holdsOf(busy)).toHaveLength(1);
    expect((await caseOf(busy)).items.filter((i: Shown) => i.kind === 'ACTION')).toHaveLength(1);
  });

  it('is ended by no operator alone, outside of the case, where two persons are required for cases', async () => {
    const [hold] = await holdsOf(client);
    const strict = await makeTestApp({ database: t.database, env: { ...env, REQUIRE_TWO_PERSONS: 'cases' } });
    try {
      const path = `/v1/admin/account/${client.id}/hold/${hold.id}/release`;
      expectRefusal(await strict.post(path, { reason: 'alone' }, staff.apiKey), 403, 'TWO_PERSONS', /from a case/);
    } finally {
      await strict.stop();
    }
    expect(await holdsOf(client)).toEqual([hold]);
  });

  it('is released by two, in one commit with the case', async () => {
    const [hold] = await holdsOf(client);
    const { caseId } = await caseOf(client);
    const release = { action: 'RELEASE', reason: 'the papers are in order', holdId: hold.id };
    contentOf(await t.post(`/v1/case/${caseId}/action`, release, staff.apiKey));
    expectRefusal(await t.post(`/v1/case/${caseId}/approve`, {}, staff.apiKey), 409, 'STATE_CONFLICT');
    expect((await sell(client, 10)).status).toBe('DECLINED');
    contentOf(await t.post(`/v1/case/${caseId}/approve`, {}, other));
    expect((await sell(client, 10)).status).toBe('APPROVED');
    const seq = async (id: string) => (await told(t, id)).at(-1)?.seq;
    expect(await seq(caseId)).toBe(((await seq(client.id)) as number) + 1);
  });

  it('holds nobody of another PSP', async () => {
    const stranger = await t.makeClient(await t.makePsp());
    await sell(stranger, 6000);
    await read();
    expect(await allHolds(stranger)).toEqual([]);
  });
});

describe('wagers and payouts', () => {
  const wager = operations.find((o) => o.id === 'captureWager')?.example as object;
  const payout = operations.find((o) => o.id === 'capturePayout')?.example as object;
  const bet = (client: Account, ref: string, amount: number) =>
    t.post('/captureWager', { ...wager, ref, amount }, client.apiKey);
  const win = (client: Account, ref: string, amount: number) =>
    t.post('/capturePayout', { ...payout, ref, amount, wagerReference: 'w-small' }, client.apiKey);
  let rule: string;
  let client: Account;
  beforeAll(async () => {
    rule = await inForce({ action: 'decline', scope: { operations: ['captureWager', 'capturePayout'] } });
    client = await t.makeClient(psp, { classification: 'IGAMING_LOCAL', countryCode: 'KE' });
  });

  it('are recorded as before until the PSP switches the rule on', async () => {
    contentOf(await bet(client, 'w-before', 6000));
    await read();
    expect(await alertsOf(client, rule)).toEqual([]);
  });

  it('a wager that it matches is refused with the public code, and leaves an alert and no record', async () => {
    contentOf(await policy({ declining: [rule], holding: [] }));
    const before = (await kindsOf(client)).length;
    const refused = await bet(client, 'w-large', 6000);
    expectRefusal(refused, 409, 'RISK_POLICY', /the risk policy of the PSP does not allow it \(RISK_POLICY\)/);
    expect(refused.text).not.toMatch(/private reason|TRIED_/);
    // The alert, and a case that gathers it if that is read already; nothing of the wager.
    const kinds = (await kindsOf(client)).slice(before);
    expect(kinds.filter((kind) => !kind.startsWith('case.'))).toEqual(['review.opened']);
    expect(await t.database.admin.query("SELECT 1 FROM wagers WHERE ref = 'w-large'")).toEqual([]);
    // The ref is free: a smaller stake under it is another wager.
    contentOf(await bet(client, 'w-large', 4999));
    contentOf(await bet(client, 'w-small', 100));
    // What was recorded before is still answered.
    expect((await bet(client, 'w-before', 6000)).headers.get('idempotency-replayed')).toBe('true');
    const stranger = await t.makeClient(await t.makePsp(), { classification: 'IGAMING_LOCAL', countryCode: 'KE' });
    contentOf(await bet(stranger, 'w-theirs', 6000));
    await read();
    const [alert, ...more] = await alertsOf(client, rule);
    expect(more).toEqual([]);
    expect(alert).toMatchObject({ transactionId: null, severity: 'HIGH', state: 'OPEN', ruleVersion: '1' });
    expect(alert.reason).toBe(`${secret} The wager with the ref w-large was refused and not recorded.`);
    expect((await caseOf(client)).reviews.map((r: Shown) => r.reviewId)).toContain(alert.reviewId);
    expectRefusal(await t.get(`/v1/review/${alert.reviewId}`, client.apiKey), 403, 'AUDIENCE');
  });

  it('refused wagers of a player open one alert of a rule a day, however many they are; each leaves a match', async () => {
    const refusedBy = (email: string, i: number) =>
      t.post(
        '/captureWager',
        { ...wager, ref: `many-${email}-${i}`, amount: 7000, customer: { email } },
        client.apiKey,
      );
    const many = await Promise.all(Array.from({ length: 20 }, (_, i) => refusedBy('lou@example.com', i)));
    for (const answer of many) expectRefusal(answer, 409, 'RISK_POLICY');
    expectRefusal(await refusedBy('kim@example.com', 1), 409, 'RISK_POLICY');
    const of = async () => (await alertsOf(client, rule)).filter((r) => r.reason.includes('many-'));
    expect(await of()).toHaveLength(2);
    const [kept] = await t.database.admin.query(
      'SELECT count(*) AS n FROM risk_matches WHERE rule = $1 AND account_id = $2 AND amount = 7000',
      [rule, client.uuid],
    );
    expect(Number(kept?.n)).toBe(21);
    t.advance(86_400_000);
    expectRefusal(await refusedBy('lou@example.com', 99), 409, 'RISK_POLICY');
    expect(await of()).toHaveLength(3);
  });

  it('a payout that it matches is recorded, and opens a review at once', async () => {
    const { payoutId } = contentOf(await win(client, 'p-large', 6000));
    contentOf(await win(client, 'p-small', 10));
    await read();
    const alerts = (await alertsOf(client, rule)).filter((r) => !r.reason.includes('was refused'));
    expect(alerts).toMatchObject([{ transactionId: null, severity: 'HIGH', state: 'OPEN' }]);
    expect(alerts[0].reason).toContain(payoutId);
    expect((await caseOf(client)).reviews.map((r: Shown) => r.rule)).toContain(rule);
  });

  it('are reviewed by rules that ask for it', async () => {
    const reviewing = await inForce({ action: 'review', scope: { operations: ['captureWager'] } });
    contentOf(await policy({ declining: [], holding: [] }));
    const { wagerId } = contentOf(await bet(client, 'w-seen', 6000));
    await read();
    expect(await alertsOf(client, reviewing)).toMatchObject([
      { transactionId: null, reason: expect.stringContaining(wagerId) },
    ]);
  });

  it('leave what the journal has of them complete', () => expectJournalComplete(t));
});
