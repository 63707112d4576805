// Overview, journal, reviews and proposals for people who are signed in: what each role may open, and as whom they act.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { readersAtEnd, told } from '../support/journal.ts';
import { enter, type SignedIn } from '../support/people.ts';

let t: TestApp;
let psp: Account;
let operator: Account;
let client: Account;
let transactionId: string;
let staff: Record<'administrator' | 'reviewer' | 'auditor', SignedIn>;
let own: Record<'reviewer' | 'auditor', SignedIn>;
let asPsp: Record<string, string>;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  operator = await t.makeOperator();
  client = await t.makeClient(psp);
  staff = {
    administrator: await enter(t, operator, 'administrator'),
    reviewer: await enter(t, operator, 'reviewer'),
    auditor: await enter(t, operator, 'auditor'),
  };
  own = { reviewer: await enter(t, psp, 'reviewer'), auditor: await enter(t, psp, 'auditor') };
  asPsp = { 'x-psp-id': psp.id };
  const sale = {
    ref: 'r',
    totalAmount: 100,
    transactionFee: 0,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: {},
  };
  transactionId = contentOf(await t.post('/v1/transaction/verifyTransaction', sale, client.apiKey)).transactionId;
  // The overview counts what is not sealed yet, which two who look one after the other would see differently.
  await readersAtEnd(t, ['daily-totals', 'reviews', 'seal']);
});
afterAll(() => t?.stop());

describe('everybody', () => {
  it('looks at overview, journal, history, reviews and proposals', async () => {
    for (const person of [staff.auditor, staff.reviewer])
      for (const path of ['/v1/overview', '/v1/journal', '/v1/review', '/v1/admin/proposal'])
        expect((await person.get(path)).status, path).toBe(200);
    for (const [person, headers] of [
      [staff.auditor, asPsp],
      [own.auditor, {}],
    ] as const)
      for (const path of ['/v1/overview', '/v1/journal', '/v1/review', `/v1/transaction/${transactionId}/history`])
        expect((await person.get(path, headers)).status, path).toBe(200);
    const [seen, narrowed] = [await own.auditor.get('/v1/overview'), await staff.auditor.get('/v1/overview', asPsp)];
    expect(contentOf(narrowed)).toEqual(contentOf(seen));
    expect(contentOf(seen).scope).toBe('psp');
  });
});

describe('a reviewer', () => {
  it('of the operator works on a review as the PSP, and the journal says who it was', async () => {
    const body = { transactionId, reason: 'looks odd' };
    const review = contentOf(await staff.reviewer.post('/v1/review', body, asPsp));
    expect(review.openedBy).toBe(staff.reviewer.userId);
    const path = `/v1/review/${review.reviewId}`;
    expect(contentOf(await staff.reviewer.post(`${path}/assign`, {}, asPsp)).assignee).toBe(staff.reviewer.userId);
    expect(contentOf(await staff.reviewer.get('/v1/review?assignee=me')).items).toHaveLength(1);
    contentOf(await staff.reviewer.post(`${path}/assign`, { assignee: own.reviewer.userId }, asPsp));
    contentOf(await own.reviewer.post(`${path}/note`, { note: 'seen' }));
    contentOf(await staff.reviewer.post(`${path}/resolve`, { outcome: 'CLEARED', note: 'fine' }));
    const actors = (await told(t, review.reviewId)).map((e) => e.body.actor);
    expect(actors).toEqual([
      ...[1, 2, 3].map(() => ({ account: operator.id, by: staff.reviewer.userId })),
      { account: psp.id, by: own.reviewer.userId },
      { account: operator.id, by: staff.reviewer.userId },
    ]);
    const names = async (by: SignedIn, headers = {}) =>
      contentOf(await by.get(`/v1/journal?resource=${review.reviewId}`, headers)).items.map(
        (e: { actor: { name: string | null } }) => e.actor.name,
      );
    expect((await names(staff.auditor)).every((n: string | null) => n?.startsWith('Person '))).toBe(true);
    // A PSP is told that it was the operator, and not the person's name.
    expect((await names(own.auditor)).map((n: string | null) => n === null)).toEqual([true, false, true, true, true]);
  });

  it('of a PSP gives a review to its own people alone', async () => {
    const sale = {
      ref: 'r2',
      totalAmount: 1,
      transactionFee: 0,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: {},
    };
    const id = contentOf(await t.post('/v1/transaction/verifyTransaction', sale, client.apiKey)).transactionId;
    const { reviewId } = contentOf(await own.reviewer.post('/v1/review', { transactionId: id, reason: 'odd' }));
    expectRefusal(
      await own.reviewer.post(`/v1/review/${reviewId}/assign`, { assignee: staff.reviewer.userId }),
      400,
      'FIELD_INVALID',
      "the field 'assignee' names nobody who signs in here",
    );
    const colleague = await enter(t, psp, 'reviewer');
    const given = await own.reviewer.post(`/v1/review/${reviewId}/assign`, { assignee: colleague.userId });
    expect(contentOf(given).assignee).toBe(colleague.userId);
  });

  it('proposes and approves rates, and puts none in force alone', async () => {
    const fee = { feeId: 'BY-TWO', percent: '1', validFrom: '2090-01-01' };
    expectRefusal(await staff.reviewer.post('/v1/admin/fee', { ...fee, reason: 'alone' }), 403, 'ROLE');
    const p = contentOf(await staff.reviewer.post('/v1/admin/proposal', { reason: 'by two', fee }));
    const path = `/v1/admin/proposal/${p.proposalId}`;
    expectRefusal(await staff.reviewer.post(`${path}/approve`, {}), 409, 'STATE_CONFLICT');
    const approved = contentOf(await staff.administrator.post(`${path}/approve`, {}));
    expect([approved.proposedBy, approved.decidedBy]).toEqual([staff.reviewer.userId, staff.administrator.userId]);
  });
});

describe('an auditor', () => {
  it('changes nothing', async () => {
    const id = 'x_01h455vb4pex5vsknk084sn02q';
    for (const [path, body] of [
      ['/v1/review', { transactionId, reason: 'x' }],
      [`/v1/review/${id}/note`, { note: 'x' }],
      [`/v1/review/${id}/assign`, {}],
      [`/v1/review/${id}/resolve`, { outcome: 'CLEARED', note: 'x' }],
    ] as const)
      expectRefusal(await own.auditor.post(path, body), 403, 'ROLE');
    for (const [path, body] of [
      ['/v1/admin/proposal', { reason: 'x' }],
      [`/v1/admin/proposal/${id}/approve`, {}],
      [`/v1/admin/proposal/${id}/reject`, { reason: 'x' }],
    ] as const)
      expectRefusal(await staff.auditor.post(path, body), 403, 'ROLE');
  });
});

describe('staff who name no PSP', () => {
  it('work on the reviews of any, and open none', async () => {
    expectRefusal(await staff.reviewer.post('/v1/review', { transactionId, reason: 'x' }), 403, 'AUDIENCE');
    // As a PSP they see its own proposals, which are erasures alone.
    expect(contentOf(await staff.reviewer.get('/v1/admin/proposal', asPsp)).items).toEqual([]);
    const records = await staff.auditor.get('/v1/journal?records=true', asPsp);
    expect(contentOf(records).items.map((e: { kind: string }) => e.kind)).toContain('transaction.created');
  });
});
