// Reviews: rules open them once each, beside the decisions; what people do with them is journalled.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { type Alert, openAlerts } from '../../src/modules/reviews/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  limitsText,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, readersAtEnd, rowCount, told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let operator: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  operator = await t.makeOperator();
});
afterAll(() => t?.stop());

async function verify(over: object = {}, by = client): Promise<string> {
  const totalAmount = 100;
  const sale = { ref: `r${++n}`, totalAmount, transactionFee: 0, currency: 'NGN', countryCode: 'NG' };
  const body = { ...sale, paymentMethods: { card: 100 }, ...over };
  return contentOf(await t.post('/v1/transaction/verifyTransaction', body, by.apiKey)).transactionId;
}
const large = { totalAmount: 15_000_000, paymentMethods: { card: 15_000_000 } };

/** The reader of reviews has read everything. */
const read = () => readersAtEnd(t, ['reviews']);

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
const list = async (query = '', key = psp.apiKey, headers = {}): Promise<Shown[]> =>
  contentOf(await t.get(`/v1/review${query}`, key, headers)).items;
const of = async (transactionId: string): Promise<Shown[]> => {
  await read();
  return list(`?transactionId=${transactionId}`);
};
const nameOf = async (c: Account): Promise<string> =>
  contentOf(await t.get(`/v1/client/${c.id}`, psp.apiKey)).registeredName;
const byHand = async (reason = 'looks odd'): Promise<Shown> =>
  contentOf(await t.post('/v1/review', { transactionId: await verify(), reason }, psp.apiKey));

describe('what undoes tax that was due', () => {
  const sale = (ref: string, over: object = {}) => ({
    ref,
    totalAmount: 1075,
    transactionFee: 0,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 1075 },
    ...over,
  });
  const record = async (body: object, by = client) =>
    contentOf(await t.post('/v1/transaction/verifyTransaction', body, by.apiKey)).transactionId as string;
  const rulesOf = async (id: string) => (await of(id)).map((r) => r.rule);

  it('opens a review of a revision that lowers the tax, and of none that does not', async () => {
    const id = await record(sale('lower'));
    await record(sale('lower', { totalAmount: 2150, paymentMethods: { card: 2150 } }));
    expect(await rulesOf(id)).toEqual([]);
    await record(sale('lower', { totalAmount: 1.07, paymentMethods: { card: 1.07 } }));
    expect(await rulesOf(id)).toEqual(['TAX_LOWERED']);
    expect((await of(id))[0].findings[0].message).toMatch(
      /^the tax was 151\.61 NGN before this revision; it is 0\.07 NGN$/,
    );
  });

  it('opens a review of a decline days later or in a later month, and of none at once', async () => {
    const [soon, late] = [await record(sale('soon')), await record(sale('late'))];
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref: 'soon' }, client.apiKey));
    t.advance(3 * 86_400_000);
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref: 'late' }, client.apiKey));
    expect(await rulesOf(soon)).toEqual([]);
    expect(await rulesOf(late)).toEqual(['LATE_DECLINE']);
  });
});

describe('rules', () => {
  it('open a review of what they are about, and of nothing else', async () => {
    const usual = await verify();
    const id = await verify(large);
    expect(await of(id)).toEqual([
      {
        reviewId: expect.stringMatching(/^rev_/),
        pspId: psp.id,
        clientId: client.id,
        transactionId: id,
        rule: 'LARGE_AMOUNT',
        ruleVersion: '1',
        severity: 'MEDIUM',
        reason: expect.stringMatching(/^A large amount/),
        findings: [],
        state: 'OPEN',
        assignee: null,
        outcome: null,
        notes: [],
        openedBy: 'rule',
        version: 1,
        createdAt: new Date(t.now()).toISOString(),
        updatedAt: new Date(t.now()).toISOString(),
        clientName: await nameOf(client),
        amount: large.totalAmount,
        currency: 'NGN',
      },
    ]);
    expect(await of(usual)).toEqual([]);
  });

  it('take over what was noticed', async () => {
    const deposit = { ref: `c${++n}`, totalAmount: 0.1, currency: 'ETH', countryCode: 'NG', transactionFee: 0 };
    const more = { blochainHash: '0x1', customer: { email: 'ada@example.com' } };
    const r = contentOf(await t.post('/v1/payment/cryptoDeposit', { ...deposit, ...more }, client.apiKey));
    const [review] = await of(r.transactionId);
    expect(review).toMatchObject({ rule: 'CRYPTO_HASH', findings: [{ code: 'HASH_FORM', field: expect.any(String) }] });
  });

  it('open one review per transaction and rule, however often it is decided', async () => {
    const ref = `again${++n}`;
    const id = await verify({ ...large, ref });
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref }, client.apiKey));
    await verify({ ...large, ref, totalAmount: 20_000_000, paymentMethods: { card: 1 } });
    contentOf(await t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey));
    expect((await of(id)).map((r) => r.rule).toSorted()).toEqual(['LARGE_AMOUNT', 'LARGE_UNEXPLAINED']);
    // Read again from the beginning, as after a loss of the cursor.
    const before = await rowCount(t, 'reviews');
    await t.database.admin.query("UPDATE journal_cursors SET seq = 0 WHERE reader = 'reviews'");
    await read();
    expect(await rowCount(t, 'reviews')).toBe(before);
  });

  it('leave what was declined', async () => {
    const suspended = await t.makeClient(psp);
    const change = { operationalStanding: 'SUSPENDED', reason: 'test' };
    contentOf(await t.post(`/v1/admin/account/${suspended.id}/standing`, change, operator.apiKey));
    expect(await of(await verify(large, suspended))).toEqual([]);
  });

  it('find amounts whatever is written in the texts beside them', async () => {
    const ref = `","totalAmount":99999999,"currency":"USD","status":"APPROVED${++n}`;
    expect(await of(await verify({ ref }))).toEqual([]);
    expect(await of(await verify({ ...large, ref: `${ref}x` }))).toHaveLength(1);
  });
});

describe('listReviews', () => {
  it('accepts filters', async () => {
    const id = await verify(large);
    const [review] = await of(id);
    const mine = await byHand();
    contentOf(await t.post(`/v1/review/${mine.reviewId}/assign`, {}, psp.apiKey));
    const ids = (rows: Shown[]) => rows.map((r) => r.reviewId);
    expect(ids(await list('?rule=BY_HAND&assignee=me'))).toEqual([mine.reviewId]);
    expect(ids(await list('?assignee=none'))).not.toContain(mine.reviewId);
    expect(ids(await list('?assignee=none&state=OPEN'))).toContain(review.reviewId);
    expect(await list('?state=RESOLVED')).toEqual([]);
    expect(ids(await list(`?clientId=${client.id}`))).toContain(review.reviewId);
    const newest = ids(await list());
    expect(newest).toEqual(newest.toSorted().toReversed());
    const page = contentOf(await t.get('/v1/review?limit=1', psp.apiKey));
    expect(ids(page.items)).toEqual(newest.slice(0, 1));
    expect(ids(await list(`?limit=1&cursor=${page.nextCursor}`))).toEqual(newest.slice(1, 2));
    expect(review).toMatchObject(contentOf(await t.get(`/v1/review/${review.reviewId}`, psp.apiKey)));
    // Staff read what lists show of every PSP's.
    expect(await list(`?transactionId=${id}`, operator.apiKey)).toEqual([review]);
    expect(contentOf(await t.get('/v1/overview', psp.apiKey)).attention.openReviews).toBe(
      await rowCount(t, 'reviews', "state = 'OPEN' AND psp_id = $1", [psp.uuid]),
    );
  });

  it('validates', async () => {
    for (const q of ['state=GONE', 'cursor=x', 'outcome=MAYBE'])
      expectRefusal(await t.get(`/v1/review?${q}`, psp.apiKey), 400, 'QUERY_INVALID');
    expectRefusal(await t.get('/v1/review?transactionId=x', psp.apiKey), 404, 'NOT_FOUND');
  });

  it('authenticates', async () => {
    for (const path of ['/v1/review', '/v1/review/rev_01h455vb4pex5vsknk084sn02q'])
      expectRefusal(await t.get(path), 401, 'KEY_MISSING');
  });

  it('authorises a PSP for its own, an operator for all, and no client', async () => {
    const stranger = await t.makePsp();
    const review = await byHand();
    expect(await list('', stranger.apiKey)).toEqual([]);
    expectRefusal(await t.get(`/v1/review/${review.reviewId}`, stranger.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get('/v1/review', client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await t.get(`/v1/review/${review.reviewId}`, client.apiKey), 403, 'AUDIENCE');
    const all = await list('?limit=200', operator.apiKey);
    expect(all.map((r) => r.reviewId)).toContain(review.reviewId);
    expect(contentOf(await t.get(`/v1/review/${review.reviewId}`, operator.apiKey))).toEqual(review);
    const other = await t.makeClient(psp);
    expect(await list('', psp.apiKey, { 'x-client-id': other.id })).toEqual([]);
    expectRefusal(
      await t.get(`/v1/review/${review.reviewId}`, psp.apiKey, { 'x-client-id': other.id }),
      404,
      'NOT_FOUND',
    );
  });
});

describe('openReview', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    path: '/v1/review',
    caller: () => psp,
    body: async () => ({ transactionId: await verify(), reason: 'looks odd' }),
  };

  it('accepts a transaction and a reason', async () => {
    const review = await byHand('a customer complained');
    expect(review).toMatchObject({
      rule: 'BY_HAND',
      reason: 'a customer complained',
      state: 'OPEN',
      openedBy: expect.stringMatching(/^key_/),
    });
  });

  requiresFields(wire, ['transactionId', 'reason']);
  refusesWrongTypes(wire, { text: ['transactionId', 'reason'] });
  limitsText(wire, { reason: 500 });

  it('authenticates, and authorises the PSP whose transaction it is', async () => {
    const body = { transactionId: await verify(), reason: 'odd' };
    expectRefusal(await t.post('/v1/review', body), 401, 'KEY_MISSING');
    expectRefusal(await t.post('/v1/review', body, client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await t.post('/v1/review', body, (await t.makePsp()).apiKey), 404, 'NOT_FOUND');
    const unknown = toWire('transaction', t.app.services.ids.next());
    expectRefusal(await t.post('/v1/review', { ...body, transactionId: unknown }, psp.apiKey), 404, 'NOT_FOUND');
  });

  it('repeats the same review, and refuses another beside it', async () => {
    const review = await byHand('twice');
    const before = await entryCount(t);
    const { transactionId } = review;
    const again = await t.post('/v1/review', { transactionId, reason: 'twice' }, psp.apiKey);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(contentOf(again)).toEqual(review);
    expectRefusal(
      await t.post('/v1/review', { transactionId, reason: 'other' }, psp.apiKey),
      409,
      'STATE_CONFLICT',
      `this transaction has a review by hand already: ${review.reviewId}; add a note to it`,
    );
    expect(await entryCount(t)).toBe(before);
  });

  it('makes one of many at once', async () => {
    const transactionId = await verify();
    const asked = Array.from({ length: 10 }, () => t.post('/v1/review', { transactionId, reason: 'rush' }, psp.apiKey));
    const ids = new Set((await Promise.all(asked)).map((r) => contentOf(r).reviewId));
    expect(ids.size).toBe(1);
  });

  it('tells', async () => {
    const review = await byHand('told');
    const [entry, ...none] = await told(t, review.reviewId);
    expect(none).toEqual([]);
    expect(entry).toMatchObject({
      kind: 'review.opened',
      body: { version: 1, clientId: client.id, actor: { account: psp.id }, data: review, evidence: { reason: 'told' } },
    });
  });
});

describe.each([
  ['note', { note: 'the invoice was seen' }, ['note']],
  ['resolve', { outcome: 'CLEARED', note: 'a known customer' }, ['outcome', 'note']],
  ['assign', {}, []],
] as const)('a review: %s', (act, body, fields) => {
  const post = (id: string, with_: object, key: string | undefined = psp.apiKey) =>
    t.post(`/v1/review/${id}/${act}`, with_, key);

  it('accepts', async () => {
    const review = await byHand();
    const after = contentOf(await post(review.reviewId, body));
    expect(after.version).toBe(2);
    expect(contentOf(await t.get(`/v1/review/${review.reviewId}`, psp.apiKey))).toEqual(after);
  });

  it('validates', async () => {
    const { reviewId } = await byHand();
    for (const field of fields)
      expectRefusal(
        await post(reviewId, { ...body, [field]: undefined }),
        400,
        'FIELD_REQUIRED',
        `the field '${field}' is required`,
      );
    const wrong = { note: { note: ' ' }, resolve: { outcome: 'MAYBE', note: 'x' }, assign: { assignee: 'usr_nobody' } }[
      act
    ];
    expectRefusal(await post(reviewId, wrong), 400, 'FIELD_INVALID');
  });

  it('authenticates and authorises', async () => {
    const { reviewId } = await byHand();
    expectRefusal(await t.post(`/v1/review/${reviewId}/${act}`, body), 401, 'KEY_MISSING');
    expectRefusal(await post(reviewId, body, client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await post(reviewId, body, (await t.makePsp()).apiKey), 404, 'NOT_FOUND');
    expectRefusal(await post('x', body), 404, 'NOT_FOUND');
    expect(contentOf(await post(reviewId, body, operator.apiKey)).version).toBe(2);
  });

  it('repeats without a second entry', async () => {
    const { reviewId } = await byHand();
    const first = contentOf(await post(reviewId, body));
    const before = await entryCount(t);
    const again = await post(reviewId, body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(contentOf(again)).toEqual(first);
    expect(await entryCount(t)).toBe(before);
  });

  it('tells', async () => {
    const { reviewId } = await byHand();
    const after = contentOf(await post(reviewId, body));
    expect((await told(t, reviewId)).at(-1)).toMatchObject({
      kind: 'review.updated',
      body: { version: 2, data: after, actor: { account: psp.id, by: expect.stringMatching(/^key_/) } },
    });
  });
});

describe('a review', () => {
  it('that a rule opened is worked on like any other, and stands in the history of its transaction', async () => {
    const id = await verify(large);
    const [{ reviewId }] = await of(id);
    contentOf(await t.post(`/v1/review/${reviewId}/note`, { note: 'asked for the invoice' }, psp.apiKey));
    contentOf(await t.post(`/v1/review/${reviewId}/resolve`, { outcome: 'CONFIRMED', note: 'forged' }, psp.apiKey));
    const path = `/v1/transaction/${id}/history`;
    const { items } = contentOf(await t.get(path, psp.apiKey));
    expect(items.map((i: Shown) => [i.step, i.actor.by.slice(0, 4), i.reason])).toEqual([
      ['RECORDED', 'key_', null],
      ['REVIEW_OPENED', 'rule', expect.stringMatching(/^A large amount/)],
      ['REVIEW_CHANGED', 'key_', 'asked for the invoice'],
      ['REVIEW_CHANGED', 'key_', 'forged'],
    ]);
    const own = contentOf(await t.get(path, client.apiKey)).items;
    expect(own.map((i: Shown) => i.step)).toEqual(['RECORDED']);
  });

  it('has one end, also where two give it another at once', async () => {
    const { reviewId } = await byHand();
    const resolve = (outcome: string) =>
      t.post(`/v1/review/${reviewId}/resolve`, { outcome, note: 'decided' }, psp.apiKey);
    const answers = await Promise.all([resolve('CLEARED'), resolve('CONFIRMED')]);
    expect(answers.map((r) => r.status).toSorted()).toEqual([200, 409]);
    expectRefusal(await t.post(`/v1/review/${reviewId}/assign`, {}, psp.apiKey), 409, 'STATE_CONFLICT');
    contentOf(await t.post(`/v1/review/${reviewId}/note`, { note: 'a word more' }, psp.apiKey));
  });

  it('is given back by null', async () => {
    const { reviewId } = await byHand();
    expect(contentOf(await t.post(`/v1/review/${reviewId}/assign`, {}, psp.apiKey)).assignee).toMatch(/^key_/);
    const back = await t.post(`/v1/review/${reviewId}/assign`, { assignee: null }, psp.apiKey);
    expect(contentOf(back).assignee).toBeNull();
  });
});

describe('an alert without a transaction', () => {
  const alert = (about: string, over = {}) => ({
    ...{ psp: psp.uuid, account: client.uuid, rule: 'NAME_LISTED', ruleVersion: '2026-11', about },
    ...{ reason: 'the name is on a list', severity: 'HIGH' as const, ...over },
  });
  const open = (...alerts: Alert[]) =>
    t.app.services.db.transaction((tx) => openAlerts(tx, t.app.services, alerts, new Date(t.now()).toISOString()));

  it('is opened once about the same, with its entry, and worked on like any other', async () => {
    await open(alert('list:1'), alert('list:2'), alert('list:1'));
    await open(alert('list:1', { reason: 'again' }));
    const found = await list('?rule=NAME_LISTED');
    expect(found).toHaveLength(2);
    expect(found[0]).toMatchObject({
      ...{ clientId: client.id, transactionId: null, severity: 'HIGH', ruleVersion: '2026-11', openedBy: 'rule' },
      reason: 'the name is on a list',
    });
    const { reviewId } = found[0];
    contentOf(await t.post(`/v1/review/${reviewId}/assign`, {}, psp.apiKey));
    contentOf(await t.post(`/v1/review/${reviewId}/resolve`, { outcome: 'CLEARED', note: 'a namesake' }, psp.apiKey));
    expect((await told(t, reviewId)).map((e) => [e.kind, e.body.actor.by.slice(0, 4)])).toEqual([
      ['review.opened', 'rule'],
      ['review.updated', 'key_'],
      ['review.updated', 'key_'],
    ]);
  });
});

describe('the journal', () => {
  it('tells of every review what people did', async () => {
    await expectJournalComplete(t);
  });
});
