// The life of a transaction against a model small enough to be read at a glance: whatever order verifications,
// deposits, declines, chargebacks, baskets and changes of standing come in, service and model agree on every
// answer and on every record.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { expectJournalComplete } from '../support/journal.ts';

const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
const numRuns = Number(process.env.FUZZ_RUNS ?? 60);

interface Transaction {
  id: string;
  kind: 'verifyTransaction' | 'deposit';
  status: 'PENDING' | 'APPROVED' | 'DECLINED';
  revision: number;
  chargedBack: boolean;
  recorder: 'client' | 'psp';
  /** What was sent, to tell a repetition. */
  request: string;
  amount: number;
  basket: Basket | undefined;
}

interface Basket {
  id: string;
  transactionId: string;
  status: 'PENDING' | 'VERIFIED' | 'CANCELLED';
  amount: number;
  exempt: boolean;
  /** Ref of the transaction it was verified under. */
  ref: string | undefined;
}

type Standing = 'ACTIVE' | 'SUSPENDED';

interface Model {
  client: Standing;
  psp: Standing;
  level: 'UNVERIFIED' | 'BASIC' | 'ENHANCED';
  /** End of the latest blocking hold, milliseconds. */
  heldUntil: number;
  transactions: Map<string, Transaction>;
  baskets: Map<string, Basket>;
}

interface Real {
  t: TestApp;
  psp: Account;
  client: Account;
  operator: Account;
}

type Who = 'client' | 'psp';
type Command = fc.AsyncCommand<Model, Real>;

const acceptable = (m: Model, r: Real) =>
  m.client === 'ACTIVE' && m.psp === 'ACTIVE' && m.level !== 'UNVERIFIED' && r.t.now() >= m.heldUntil;

const asKey = (r: Real, who: Who): [string, Record<string, string>] =>
  who === 'client' ? [r.client.apiKey, {}] : [r.psp.apiKey, { 'x-client-id': r.client.id }];

function expectCode(a: Answer, status: number, code: string): void {
  expect([a.status, a.headers.get('x-error-code')], a.text).toEqual([status, code]);
}

function command(name: string, run: (m: Model, r: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

/** Cents, exactly: what was taken out of the amount leaves the remainder. */
function expectSplit(content: Record<string, number>, amount: number): void {
  const cents = (n: number | undefined) => Math.round((n ?? 0) * 100);
  const parts = ['vatAmount', 'processingFee', 'transactionFee', 'transactionVAT', 'merchantAmount'];
  expect(parts.reduce((sum, p) => sum + cents(content[p]), 0)).toBe(cents(amount));
}

const refs = fc.constantFrom('r1', 'r2', 'r3');
const baskets = fc.constantFrom('b1', 'b2');
const amounts = fc.constantFrom(107.5, 215);
const who = fc.constantFrom<Who>('client', 'client', 'psp');

const verify = (ref: string, amount: number, named: string | undefined, by: Who): Command =>
  command(`verify(${ref}, ${amount}, ${named}, ${by})`, async (m, r) => {
    const given = named === undefined ? undefined : m.baskets.get(named);
    const body = {
      ref,
      totalAmount: amount,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: { card: amount },
      transactionFee: 1.5,
      ...(given ? { transactionID: given.transactionId } : {}),
    };
    const [key, headers] = asKey(r, by);
    const a = await r.t.post('/v1/transaction/verifyTransaction', body, key, headers);
    const before = m.transactions.get(ref);
    const basket = given ?? (before?.kind === 'verifyTransaction' ? before.basket : undefined);
    const request = JSON.stringify(body);

    if (basket && basket.amount !== amount) return expectCode(a, 409, 'BASKET_MISMATCH');
    if (basket?.status === 'CANCELLED' && basket.ref !== ref) return expectCode(a, 409, 'STATE_CONFLICT');
    if (!before && basket?.ref !== undefined) return expectCode(a, 409, 'STATE_CONFLICT');
    if (before && before.kind !== 'verifyTransaction') return expectCode(a, 409, 'REF_CONFLICT');
    if (before?.chargedBack) return expectCode(a, 409, 'ALREADY_CHARGED_BACK');
    if (before && basket && before.id !== basket.transactionId) return expectCode(a, 409, 'BASKET_MISMATCH');

    const status = acceptable(m, r) ? 'APPROVED' : 'DECLINED';
    expect(a.status, a.text).toBe(200);
    expectSplit(a.body.content, amount);
    const repeated = before?.request === request && (before.status === 'APPROVED' || status === 'DECLINED');
    expect(a.headers.get('idempotency-replayed'), a.text).toBe(repeated ? 'true' : null);
    if (before && repeated) {
      expect(a.body.content).toMatchObject({ transactionId: before.id, status: before.status });
      return;
    }
    expect(a.body.content.status, a.text).toBe(status);
    if (before) expect(a.body.content.transactionId).toBe(before.id);
    if (basket) expect(a.body.content.transactionId).toBe(basket.transactionId);
    m.transactions.set(ref, {
      id: a.body.content.transactionId,
      kind: 'verifyTransaction',
      status,
      revision: (before?.revision ?? (basket ? 1 : 0)) + 1,
      chargedBack: false,
      recorder: before?.recorder ?? by,
      request,
      amount,
      basket,
    });
    if (basket) {
      basket.ref = ref;
      if (status === 'APPROVED') basket.status = 'VERIFIED';
      if (basket.exempt) expect(a.body.content.vatAmount).toBe(0);
    }
  });

const deposit = (ref: string, amount: number, by: Who): Command =>
  command(`deposit(${ref}, ${amount}, ${by})`, async (m, r) => {
    const body = {
      ref,
      totalAmount: amount,
      currency: 'NGN',
      customer: { email: 'ada@example.com' },
      countryCode: 'NG',
      transactionFee: 1,
    };
    const [key, headers] = asKey(r, by);
    const a = await r.t.post('/v1/payment/deposit', body, key, headers);
    const before = m.transactions.get(ref);
    const request = JSON.stringify(body);
    if (before && before.kind !== 'deposit') return expectCode(a, 409, 'REF_CONFLICT');
    if (before && before.request !== request)
      return expectCode(a, 409, before.chargedBack ? 'ALREADY_CHARGED_BACK' : 'REF_CONFLICT');
    expect(a.status, a.text).toBe(200);
    expect(a.headers.get('idempotency-replayed')).toBe(before ? 'true' : null);
    if (before) {
      // Given once: what became of the client since does not matter.
      expect(a.body.content).toMatchObject({ transactionId: before.id, status: before.status });
      return;
    }
    const status = acceptable(m, r) ? 'APPROVED' : 'DECLINED';
    expect(a.body.content.status, a.text).toBe(status);
    m.transactions.set(ref, {
      id: a.body.content.transactionId,
      kind: 'deposit',
      status,
      revision: 1,
      chargedBack: false,
      recorder: by,
      request,
      amount,
      basket: undefined,
    });
  });

const decline = (ref: string, by: Who): Command =>
  command(`decline(${ref}, ${by})`, async (m, r) => {
    const a = await r.t.post(
      '/v1/transaction/declineTransaction',
      { ref },
      by === 'client' ? r.client.apiKey : r.psp.apiKey,
    );
    const before = m.transactions.get(ref);
    if (!before) return expectCode(a, 404, 'NOT_FOUND');
    if (before.chargedBack) return expectCode(a, 409, 'ALREADY_CHARGED_BACK');
    expect(a.status, a.text).toBe(200);
    expect(a.body.content).toEqual({ transactionId: before.id, ref, status: 'DECLINED' });
    expect(a.headers.get('idempotency-replayed')).toBe(before.status === 'DECLINED' ? 'true' : null);
    if (before.status === 'DECLINED') return;
    before.status = 'DECLINED';
    before.revision++;
    if (before.basket) before.basket.status = 'CANCELLED';
  });

const chargeBack = (ref: string, by: Who): Command =>
  command(`chargeBack(${ref}, ${by})`, async (m, r) => {
    const a = await r.t.post('/v1/transaction/chargeBack', { ref }, by === 'client' ? r.client.apiKey : r.psp.apiKey);
    const before = m.transactions.get(ref);
    if (!before) return expectCode(a, 404, 'NOT_FOUND');
    if (by === 'client' && before.recorder === 'psp') return expectCode(a, 403, 'NOT_RECORDER');
    if (before.chargedBack) return expectCode(a, 409, 'ALREADY_CHARGED_BACK');
    if (before.status !== 'APPROVED') return expectCode(a, 409, 'STATE_CONFLICT');
    expect(a.status, a.text).toBe(200);
    expect(a.body.content).toMatchObject({ transactionId: before.id, ref });
    before.chargedBack = true;
    before.revision++;
  });

const submit = (ref: string, amount: number, exempt: boolean): Command =>
  command(`submitBasket(${ref}, ${amount}, ${exempt})`, async (m, r) => {
    const item = {
      sku: 's',
      title: 't',
      description: '',
      quantity: 1,
      price: amount,
      subTotal: amount,
      vatExempt: exempt,
    };
    const body = {
      ref,
      totalAmount: amount,
      items: [item],
      paymentMethods: { card: amount },
      currency: 'NGN',
      countryCode: 'NG',
    };
    const a = await r.t.post('/v1/basket/submitBasket', body, r.client.apiKey);
    const before = m.baskets.get(ref);
    if (before && (before.amount !== amount || before.exempt !== exempt)) return expectCode(a, 409, 'REF_CONFLICT');
    expect(a.status, a.text).toBe(200);
    expect(a.body.content).toMatchObject({ status: 'PENDING', vatAmount: exempt ? 0 : amount === 215 ? 15 : 7.5 });
    expect(a.headers.get('idempotency-replayed')).toBe(before ? 'true' : null);
    const { basketId: id, transactionId } = a.body.content;
    if (before) expect([id, transactionId]).toEqual([before.id, before.transactionId]);
    else m.baskets.set(ref, { id, transactionId, status: 'PENDING', amount, exempt, ref: undefined });
  });

const setStanding = (whose: Who, operationalStanding: Standing): Command =>
  command(`setStanding(${whose}, ${operationalStanding})`, async (m, r) => {
    const path = `/v1/admin/account/${r[whose].id}/standing`;
    const a = await r.t.post(path, { operationalStanding, reason: 'test' }, r.operator.apiKey);
    expect(a.status, a.text).toBe(200);
    m[whose] = operationalStanding;
  });

const setLevel = (verificationLevel: Model['level']): Command =>
  command(`setLevel(${verificationLevel})`, async (m, r) => {
    const path = `/v1/admin/account/${r.client.id}/standing`;
    const a = await r.t.post(path, { verificationLevel, reason: 'test' }, r.operator.apiKey);
    expect(a.status, a.text).toBe(200);
    m.level = verificationLevel;
  });

const hold = (minutes: number, blocking: boolean): Command =>
  command(`hold(${minutes} min, ${blocking})`, async (m, r) => {
    const until = r.t.now() + minutes * 60_000;
    const body = { code: 'REVIEW', reason: 'test', blocking, until: new Date(until).toISOString() };
    const a = await r.t.post(`/v1/admin/account/${r.client.id}/hold`, body, r.operator.apiKey);
    expect(a.status, a.text).toBe(200);
    if (blocking) m.heldUntil = Math.max(m.heldUntil, until);
  });

const wait = (minutes: number): Command =>
  command(`wait(${minutes} min)`, async (_, r) => r.t.advance(minutes * 60_000));

/** Everything the service shows of the run, against everything the model holds. */
async function expectEqual(m: Model, r: Real): Promise<void> {
  const status = await r.t.get('/v1/client/verifyClientStatus', r.client.apiKey);
  expect(status.body.content.acceptable, status.text).toBe(acceptable(m, r));
  for (const [ref, x] of m.transactions) {
    const a = await r.t.get(`/v1/transaction/${x.id}?expand=revisions`, r.client.apiKey);
    expect(a.body.content, ref).toMatchObject({
      ref,
      type: x.kind,
      status: x.status,
      revision: x.revision,
      totalAmount: x.amount,
      recordedBy: r[x.recorder].id,
      basketId: x.basket?.id ?? null,
    });
    expect(a.body.content.chargeback !== null, ref).toBe(x.chargedBack);
    expect(a.body.content.revisions, ref).toHaveLength(x.revision - 1);
  }
  for (const [ref, b] of m.baskets) {
    const a = await r.t.get(`/v1/basket/${b.id}`, r.client.apiKey);
    expect(a.body.content, ref).toMatchObject({
      ref,
      status: b.status,
      totalAmount: b.amount,
      transactionId: b.transactionId,
    });
    // A basket nobody verified has a transaction all the same, without a ref.
    if (b.ref !== undefined) continue;
    const x = await r.t.get(`/v1/transaction/${b.transactionId}`, r.client.apiKey);
    expect(x.body.content, ref).toMatchObject({ status: 'PENDING', ref: null, revision: 1, basketId: b.id });
  }
  const list = await r.t.get('/v1/transaction?limit=200', r.client.apiKey);
  const unverified = [...m.baskets.values()].filter((b) => b.ref === undefined).length;
  expect(list.body.content.items).toHaveLength(m.transactions.size + unverified);
}

const place = { currency: 'NGN', countryCode: 'NG' };
const saleBody = (ref: string, amount: number) => ({
  ref,
  totalAmount: amount,
  paymentMethods: { card: amount },
  transactionFee: 1.5,
  ...place,
});
const basketBody = {
  ref: 'b',
  totalAmount: 215,
  items: [{ sku: 's', title: 't', description: '', quantity: 1, price: 215, subTotal: 215 }],
  paymentMethods: { card: 215 },
  ...place,
};

describe(`the life of transactions (seed ${seed})`, () => {
  let t: TestApp;
  let operator: Account;
  beforeAll(async () => {
    t = await makeTestApp({ env: { LOG_LEVEL: 'info' } });
    operator = await t.makeOperator();
  });
  afterAll(() => t.stop());

  const real = async (): Promise<Real> => {
    const psp = await t.makePsp();
    return { t, psp, operator, client: await t.makeClient(psp) };
  };
  const fresh = (): Model => ({
    client: 'ACTIVE',
    psp: 'ACTIVE',
    level: 'BASIC',
    heldUntil: 0,
    transactions: new Map(),
    baskets: new Map(),
  });

  it('goes as the model says, command by command', async () => {
    const commands = fc.commands(
      [
        fc.tuple(refs, amounts, fc.constantFrom(undefined, undefined, 'b1', 'b2'), who).map((a) => verify(...a)),
        fc.tuple(refs, amounts, fc.constantFrom('b1', 'b2'), who).map((a) => verify(...a)),
        fc.tuple(refs, amounts, who).map((a) => deposit(...a)),
        fc.tuple(refs, who).map((a) => decline(...a)),
        fc.tuple(refs, who).map((a) => chargeBack(...a)),
        fc.tuple(baskets, amounts, fc.boolean()).map((a) => submit(...a)),
        fc
          .tuple(fc.constantFrom<Who>('client', 'psp'), fc.constantFrom<Standing>('ACTIVE', 'SUSPENDED'))
          .map((a) => setStanding(...a)),
        fc.constantFrom<Model['level']>('UNVERIFIED', 'BASIC', 'ENHANCED').map(setLevel),
        fc.tuple(fc.constantFrom(1, 60), fc.boolean()).map((a) => hold(...a)),
        fc.constantFrom(1, 59).map(wait),
      ],
      { maxCommands: 40, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        const r = await real();
        const model = fresh();
        await fc.asyncModelRun(() => ({ model, real: r }), list);
        await expectEqual(model, r);
      }),
      { seed, numRuns, endOnFailure: false, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
    );
    await expectJournalComplete(t);
    expect(t.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  }, 300_000);

  it('stays one consistent life when everything comes at once', async () => {
    const actions = fc.array(
      fc.oneof(
        fc.record({ act: fc.constant('verify'), ref: refs, amount: amounts, basket: fc.boolean(), by: who }),
        fc.record({
          act: fc.constantFrom('decline', 'chargeBack'),
          ref: refs,
          amount: amounts,
          basket: fc.boolean(),
          by: who,
        }),
      ),
      { minLength: 4, maxLength: 24 },
    );
    await fc.assert(
      fc.asyncProperty(actions, async (list) => {
        const r = await real();
        const basket = await t.post('/v1/basket/submitBasket', basketBody, r.client.apiKey);
        const { transactionId: transactionID } = basket.body.content;
        const send = (a: (typeof list)[number]) => {
          const key = a.by === 'client' ? r.client.apiKey : r.psp.apiKey;
          if (a.act !== 'verify')
            return t.post(
              `/v1/transaction/${a.act === 'decline' ? 'declineTransaction' : 'chargeBack'}`,
              { ref: a.ref },
              key,
            );
          const named = a.basket ? { transactionID } : {};
          // A PSP's key finds the basket's client by itself; without a basket it says whom it means.
          const headers: Record<string, string> = a.by === 'psp' && !a.basket ? { 'x-client-id': r.client.id } : {};
          const body = { ...saleBody(a.ref, a.amount), ...named };
          return t.post('/v1/transaction/verifyTransaction', body, key, headers);
        };
        const answers = await Promise.all(list.map(send));
        for (const a of answers) expect([200, 403, 404, 409], a.text).toContain(a.status);

        const { items } = (await t.get('/v1/transaction?limit=200', r.client.apiKey)).body.content;
        for (const ref of ['r1', 'r2', 'r3']) {
          const records = items.filter((x: { ref: string | null }) => x.ref === ref);
          expect(records.length).toBeLessThanOrEqual(1);
          const reversed = list.filter((a, i) => a.act === 'chargeBack' && a.ref === ref && answers[i]?.status === 200);
          expect(reversed.length).toBe(records[0]?.chargeback ? 1 : 0);
          // Charged back is final: it had been approved, and stays so.
          if (reversed.length === 1) expect(records[0].status).toBe('APPROVED');
        }
        const b = (await t.get(`/v1/basket/${basket.body.content.basketId}`, r.client.apiKey)).body.content;
        const x = items.find((i: { transactionId: string }) => i.transactionId === transactionID);
        const expected = { PENDING: 'PENDING', APPROVED: 'VERIFIED', DECLINED: 'CANCELLED' }[x.status as 'PENDING'];
        expect(b.status, JSON.stringify({ b, x })).toBe(expected);
      }),
      { seed, numRuns, endOnFailure: true },
    );
    await expectJournalComplete(t);
    expect(t.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  }, 300_000);

  it('answers everyone when a PSP verifies and declines one ref of a basket many times at once', async () => {
    const r = await real();
    const basket = await t.post('/v1/basket/submitBasket', basketBody, r.client.apiKey);
    const { transactionId: transactionID } = basket.body.content;
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        i % 2 === 0
          ? t.post(
              '/v1/transaction/verifyTransaction',
              { ...saleBody('r', 215), transactionFee: i, transactionID },
              r.psp.apiKey,
            )
          : t.post('/v1/transaction/declineTransaction', { ref: 'r' }, r.psp.apiKey),
      ),
    );
    // A decline may come before the ref is there; nothing else is refused, and nobody is told to come again.
    for (const [i, a] of answers.entries()) expect(i % 2 === 0 ? [200] : [200, 404], a.text).toContain(a.status);
    await expectJournalComplete(t);
  });
});
