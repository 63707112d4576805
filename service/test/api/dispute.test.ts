// Disputes of chargebacks: opened once, with evidence until the deadline, decided by the card scheme's result. A
// dispute that is won reverses the chargeback exactly; one that is lost changes nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { localDate } from '../../src/core/calendar.ts';
import { disputeStates, disputeSteps, disputeTable } from '../../src/core/dispute.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, limitsText, refusesOperators, requiresFields } from '../support/guarantees.ts';
import { expectJournalComplete, told } from '../support/journal.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
const day = 86_400_000;

beforeAll(async () => {
  t = await makeTestApp();
});
beforeEach(async () => {
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t.stop());

const post = async (path: string, body: unknown, key = psp.apiKey) => contentOf(await t.post(path, body, key));
const get = async (path: string, key = psp.apiKey) => contentOf(await t.get(path, key));

/** 107.50 NGN: VAT 7.50, processing fee 1.08, fee 1.50, VAT on both 0.19, merchant 97.23. */
const sell = () =>
  post(
    '/v1/transaction/verifyTransaction',
    {
      ref: `s-${++n}`,
      totalAmount: 107.5,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: {},
      transactionFee: 1.5,
    },
    client.apiKey,
  );
const chargedBack = async () => {
  const { ref, transactionId } = await sell();
  const { chargebackId } = await post('/v1/transaction/chargeBack', { ref });
  return { ref, transactionId, chargebackId };
};
const asked = (chargebackId: string) => ({
  chargebackId,
  reason: 'it was delivered',
  evidenceDueAt: new Date(t.now() + 7 * day).toISOString(),
});
const opened = async (key = client.apiKey) => {
  const made = await chargedBack();
  return { ...made, ...(await post('/v1/dispute', asked(made.chargebackId), key)) };
};
const evidence = (id: string, body: object = { text: 'signed for' }, key = client.apiKey) =>
  t.post(`/v1/dispute/${id}/evidence`, body, key);
const resolve = (id: string, outcome: string, key = psp.apiKey) =>
  t.post(`/v1/dispute/${id}/resolve`, { outcome, reason: `the scheme says ${outcome}` }, key);
const statement = async () => {
  await totalled(t);
  const [from, to] = [t.now() - day, t.now() + day].map((ms) => localDate('Africa/Lagos', ms));
  return (await get(`/v1/settlement/statement?dayFrom=${from}&dayTo=${to}`)).items[0];
};

describe('openDispute', () => {
  const wire = {
    app: () => t,
    method: 'POST' as const,
    path: '/v1/dispute',
    caller: () => psp,
    body: async () => asked((await chargedBack()).chargebackId),
  };
  requiresFields(wire, ['chargebackId', 'reason', 'evidenceDueAt']);
  limitsText(wire, { reason: 500 });
  refusesOperators(wire, 'openDispute');

  it('is for the client whose transaction was charged back and for its PSP, and tells the journal', async () => {
    for (const key of [client.apiKey, psp.apiKey]) {
      const { disputeId, chargebackId, transactionId, ref: _, ...dispute } = await opened(key);
      expect(dispute).toMatchObject({ clientId: client.id, state: 'OPEN', evidence: [], version: 1 });
      const [entry, ...more] = await told(t, disputeId);
      expect(entry).toMatchObject({ kind: 'dispute.opened', body: { data: { chargebackId, transactionId } } });
      expect(more).toEqual([]);
    }
    await expectJournalComplete(t);
  });

  it('gives the same answer to the same request, and refuses a second dispute of the chargeback', async () => {
    const { chargebackId } = await chargedBack();
    const body = asked(chargebackId);
    const answers = await Promise.all([1, 2, 3].map(() => t.post('/v1/dispute', body, psp.apiKey)));
    expect(new Set(answers.map((a) => contentOf(a).disputeId)).size).toBe(1);
    const { disputeId } = contentOf(answers[0] as (typeof answers)[number]);
    const other = { ...body, reason: 'something else' };
    expectRefusal(await t.post('/v1/dispute', other, psp.apiKey), 409, 'STATE_CONFLICT', new RegExp(disputeId));
    contentOf(await resolve(disputeId, 'LOST'));
    expectRefusal(await t.post('/v1/dispute', other, psp.apiKey), 409, 'STATE_CONFLICT', /LOST/);
  });

  it('refuses a deadline that has passed, and a chargeback that there is not', async () => {
    const { chargebackId, transactionId } = await chargedBack();
    const late = { ...asked(chargebackId), evidenceDueAt: new Date(t.now()).toISOString() };
    expectRefusal(await t.post('/v1/dispute', late, psp.apiKey), 400, 'FIELD_INVALID', /evidenceDueAt/);
    expectRefusal(await t.post('/v1/dispute', asked(transactionId), psp.apiKey), 404, 'NOT_FOUND');
  });
});

describe('sendDisputeEvidence', () => {
  it('adds to what was sent, until the deadline', async () => {
    const { disputeId } = await opened();
    contentOf(await evidence(disputeId));
    const second = { text: 'the courier says so', documents: ['courier.pdf'] };
    const after = contentOf(await evidence(disputeId, second, psp.apiKey));
    expect(after).toMatchObject({ state: 'SUBMITTED', version: 3 });
    expect(after.evidence).toMatchObject([{ text: 'signed for', documents: [] }, second]);
    expect((await told(t, disputeId)).map((e) => e.kind)).toEqual([
      'dispute.opened',
      'dispute.updated',
      'dispute.updated',
    ]);
    t.advance(7 * day + 1);
    expectRefusal(await evidence(disputeId), 409, 'STATE_CONFLICT', /due by/);
    // The scheme decides whenever it does.
    contentOf(await resolve(disputeId, 'LOST'));
  });

  it('loses nothing of what is sent at once, and takes 20', async () => {
    const { disputeId } = await opened();
    const texts = Array.from({ length: 20 }, (_, i) => `part ${i}`);
    for (const a of await Promise.all(texts.map((text) => evidence(disputeId, { text })))) contentOf(a);
    const { evidence: sent } = await get(`/v1/dispute/${disputeId}`);
    expect(sent.map((e: { text: string }) => e.text).sort()).toEqual(texts.sort());
    expectRefusal(await evidence(disputeId), 409, 'LIMIT_REACHED');
  });

  it('seals text and documents for the customer of a deposit, and loses them with the customer', async () => {
    const customer = { email: `kip${++n}@example.com` };
    const deposit = {
      ref: `d-${n}`,
      totalAmount: 100,
      currency: 'NGN',
      customer,
      countryCode: 'NG',
      transactionFee: 1,
    };
    await post('/v1/payment/deposit', deposit, client.apiKey);
    const { chargebackId } = await post('/v1/transaction/chargeBack', { ref: deposit.ref });
    const { disputeId } = await post('/v1/dispute', asked(chargebackId), client.apiKey);
    const secret = 'Kip Keino lives at 7 Iten Road';
    const documents = ['passport of Kip Keino.pdf'];
    contentOf(await evidence(disputeId, { text: secret, documents }));
    const sent = async (query = '') => (await get(`/v1/dispute/${disputeId}${query}`)).evidence[0];
    expect(await sent()).toMatchObject({ text: null, documents: [] });
    expect(await sent('?expand=personal')).toMatchObject({ text: secret, documents });
    for (const e of await told(t, disputeId)) expect(e.text).not.toContain('Kip');
    const [row] = await t.database.admin.query('SELECT evidence FROM disputes ORDER BY id DESC LIMIT 1');
    expect(row?.evidence).not.toContain('Kip');
    const kept = async () =>
      (await post('/v1/subject/find', { subjects: [`email:${customer.email}`] })).items.find(
        (i: { kind: string }) => i.kind === 'disputeEvidence',
      );
    expect(await kept()).toMatchObject({ readable: 1, erased: 0 });
    await post('/v1/subject/erase', { subjects: [`email:${customer.email}`], reason: 'asked for' });
    expect(await sent('?expand=personal')).toMatchObject({ text: 'erased', documents: [] });
    expect(await kept()).toMatchObject({ readable: 0, erased: 1 });
  });
});

describe('resolveDispute', () => {
  it('is for the PSP alone', async () => {
    const { disputeId } = await opened();
    expectRefusal(await resolve(disputeId, 'WON', client.apiKey), 403, 'AUDIENCE');
  });

  it('LOST leaves the chargeback as it is', async () => {
    const { disputeId, transactionId } = await opened();
    const before = [await get(`/v1/transaction/${transactionId}`), await get('/v1/settlement/outstanding')];
    expect(contentOf(await resolve(disputeId, 'LOST'))).toMatchObject({ state: 'LOST' });
    expect([await get(`/v1/transaction/${transactionId}`), await get('/v1/settlement/outstanding')]).toEqual(before);
  });

  it('WON posts the reverse of the chargeback and of what was netted for it, and nothing is outstanding', async () => {
    const { disputeId, chargebackId, transactionId } = await opened();
    const later = await sell();
    const netted = {
      ref: `n-${++n}`,
      chargebackId,
      transactionId: later.transactionId,
      vatAmount: 7.5,
      merchantAmount: 50,
    };
    const { nettingId } = await post('/v1/settlement/net', netted);
    const charged = await statement();
    expect(charged.payable).toEqual({ TAX_AUTHORITY: 7.88, SERVICE: 2.16, MERCHANT: 144.46, PSP: 3 });
    t.advance(day);
    const won = contentOf(await resolve(disputeId, 'WON'));
    expect(won).toMatchObject({ state: 'WON', outcomeReason: 'the scheme says WON' });
    const { chargeback } = await get(`/v1/transaction/${transactionId}`);
    expect(chargeback).toMatchObject({ id: chargebackId, reversedAt: won.updatedAt });
    expect((await get('/v1/settlement/outstanding')).items).toEqual([]);
    const after = await statement();
    expect(after.postings.filter((p: { kind: string }) => p.kind === 'REVERSED')).toEqual([
      { kind: 'REVERSED', account: 'CUSTOMERS', debit: 107.5, credit: 0 },
      { kind: 'REVERSED', account: 'TAX_AUTHORITY_TO_RETURN', debit: 0, credit: 7.69 },
      { kind: 'REVERSED', account: 'SERVICE_TO_RETURN', debit: 0, credit: 1.08 },
      { kind: 'REVERSED', account: 'MERCHANT_TO_RETURN', debit: 0, credit: 97.23 },
      { kind: 'REVERSED', account: 'PSP_TO_RETURN', debit: 0, credit: 1.5 },
    ]);
    // Two approved sales, as if nothing had been charged back.
    expect(after.payable).toEqual({ TAX_AUTHORITY: 15.38, SERVICE: 2.16, MERCHANT: 194.46, PSP: 3 });
    expect([after.toReturn, after.balance]).toEqual([{ TAX_AUTHORITY: 0, SERVICE: 0, MERCHANT: 0, PSP: 0 }, 0]);
    expect((await told(t, nettingId)).map((e) => e.kind)).toEqual(['chargeback.netted', 'chargeback.netting_released']);
    expectRefusal(
      await t.post('/v1/settlement/net', { ...netted, ref: `n-${++n}` }, psp.apiKey),
      409,
      'STATE_CONFLICT',
    );
    await expectJournalComplete(t);
  });

  it('WON gives the tax back on the day it was won, in totals and in the overview', async () => {
    const { disputeId } = await opened();
    const on = localDate('Africa/Lagos', t.now());
    t.advance(2 * day);
    contentOf(await resolve(disputeId, 'WON'));
    await totalled(t);
    const until = localDate('Africa/Lagos', t.now());
    const { items } = await get(`/v1/totals?dayFrom=${on}&dayTo=${until}&by=day,verdict`);
    expect(items.map((i: Record<string, unknown>) => [i.day, i.verdict, i.vat])).toEqual([
      [on, 'APPROVED', 7.5],
      [on, 'CHARGED_BACK', 7.5],
      [until, 'REVERSED', 7.5],
    ]);
    expect((await get('/v1/overview?days=10')).amounts).toMatchObject([{ chargedBack: 1, chargedBackAmount: 0 }]);
  });

  it('is decided once, also of several at the same moment, beside nettings of the chargeback', async () => {
    const { disputeId, chargebackId, ref } = await opened();
    const { transactionId } = await sell();
    const net = (i: number) =>
      t.post('/v1/settlement/net', { ref: `at-${n}-${i}`, chargebackId, transactionId, vatAmount: 1 }, psp.apiKey);
    const answers = await Promise.all([net(1), resolve(disputeId, 'WON'), net(2), resolve(disputeId, 'WON'), net(3)]);
    for (const a of answers) expect([200, 409]).toContain(a.status);
    expect((await get('/v1/settlement/outstanding')).items).toEqual([]);
    expect((await told(t, disputeId)).filter((e) => e.kind === 'dispute.resolved')).toHaveLength(1);
    expectRefusal(await resolve(disputeId, 'LOST'), 409, 'STATE_CONFLICT');
    // The chargeback was filed: it is not filed again.
    expectRefusal(await t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey), 409, 'ALREADY_CHARGED_BACK');
    const s = await statement();
    expect([s.balance, s.payable.TAX_AUTHORITY, s.toReturn.TAX_AUTHORITY]).toEqual([0, 15.38, 0]);
    await expectJournalComplete(t);
  });
});

describe('a dispute', () => {
  const steps = {
    evidence: (id: string) => evidence(id),
    won: (id: string) => resolve(id, 'WON'),
    lost: (id: string) => resolve(id, 'LOST'),
  };
  it.each(disputeStates.flatMap((s) => disputeSteps.map((step) => [s, step] as const)))(
    'that is %s is after %s what the table says',
    async (state, step) => {
      const { disputeId } = await opened();
      const way = { OPEN: undefined, SUBMITTED: 'evidence', WON: 'won', LOST: 'lost' } as const;
      const to = way[state];
      if (to !== undefined) contentOf(await steps[to](disputeId));
      const after = disputeTable[state][step];
      const answer = await steps[step](disputeId);
      if (after === 'STATE_CONFLICT') expectRefusal(answer, 409, after);
      else expect(contentOf(answer).state).toBe(after);
    },
  );

  it('stands in the list, filtered by state and chargeback, and in the history of its transaction', async () => {
    const one = await opened();
    const two = await opened();
    contentOf(await evidence(two.disputeId));
    contentOf(await resolve(two.disputeId, 'WON'));
    const ids = async (query: string, key = psp.apiKey) =>
      (await get(`/v1/dispute${query}`, key)).items.map((d: { disputeId: string }) => d.disputeId);
    expect(await ids('')).toEqual([two.disputeId, one.disputeId]);
    expect(await ids('?state=OPEN', client.apiKey)).toEqual([one.disputeId]);
    expect(await ids(`?chargebackId=${two.chargebackId}`)).toEqual([two.disputeId]);
    expect(await ids('?dueWithinDays=8')).toEqual([two.disputeId, one.disputeId]);
    // Theirs is due in seven days to the millisecond.
    expect(await ids('?dueWithinDays=7')).toEqual([]);
    expect(await ids('', (await t.makeClient(psp)).apiKey)).toEqual([]);
    const { items } = await get(`/v1/transaction/${two.transactionId}/history`);
    expect(items.map((i: { step: string }) => i.step)).toEqual([
      'RECORDED',
      'CHARGED_BACK',
      'DISPUTED',
      'EVIDENCE_SENT',
      'DISPUTE_RESOLVED',
      'CHARGEBACK_REVERSED',
    ]);
  });
});
