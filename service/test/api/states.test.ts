// Every row of the tables of states, over HTTP (Spec 3). The tables are those of the reference page; these tests
// compare the service with them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BasketState, basketStates, basketTable, basketTriggers } from '../../src/core/basket-states.ts';
import {
  type TransactionCaller,
  type TransactionOutcome,
  type TransactionState,
  type TransactionTrigger,
  transactionCallers,
  transactionStates,
  transactionTable,
  transactionTriggers,
} from '../../src/core/transaction-states.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, setStanding } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t.stop());

const keyOf = (caller: TransactionCaller) => (caller === 'psp' ? psp.apiKey : client.apiKey);
const body = (ref: string, totalAmount: number, more: object = {}) => ({
  ref,
  totalAmount,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: totalAmount },
  transactionFee: 1.5,
  ...more,
});
const inTheNameOf = (key: string) => (key === psp.apiKey ? { 'x-client-id': client.id } : {});
const verify = (key: string, ref: string, totalAmount = 107.5, more: object = {}) =>
  t.post('/v1/transaction/verifyTransaction', body(ref, totalAmount, more), key, inTheNameOf(key));
const decline = (key: string, ref: string) =>
  t.post('/v1/transaction/declineTransaction', { ref }, key, inTheNameOf(key));
const chargeBack = (key: string, ref: string) => t.post('/v1/transaction/chargeBack', { ref }, key, inTheNameOf(key));
const standing = (operationalStanding: 'ACTIVE' | 'SUSPENDED') => setStanding(t, client, { operationalStanding });

/** A transaction in the state, recorded by whom it takes for the caller to be who it is; with what is shown of it. */
async function recorded(state: TransactionState, caller: TransactionCaller) {
  const ref = `state-${++n}`;
  const recorder = caller === 'taxpayer' ? psp.apiKey : client.apiKey;
  if (state === 'DECLINED') await standing('SUSPENDED');
  const { transactionId } = contentOf(await verify(recorder, ref));
  if (state === 'DECLINED') await standing('ACTIVE');
  if (state === 'DECLINED_BY_CLIENT' || state === 'DECLINED_BY_BOTH') contentOf(await decline(client.apiKey, ref));
  if (state === 'DECLINED_BY_PSP' || state === 'DECLINED_BY_BOTH') contentOf(await decline(psp.apiKey, ref));
  if (state === 'CHARGED_BACK') contentOf(await chargeBack(psp.apiKey, ref));
  return { ref, shown: async () => contentOf(await t.get(`/v1/transaction/${transactionId}`, psp.apiKey)) };
}

const triggered: Record<TransactionTrigger, (key: string, ref: string) => ReturnType<typeof verify>> = {
  repeat: verify,
  revise: (key, ref) => verify(key, ref, 215),
  decline,
  chargeBack,
};

const refused = { NOT_RECORDER: 403, STATE_CONFLICT: 409, ALREADY_CHARGED_BACK: 409 } as const;
/** What is shown of the transaction afterwards, where something changed. */
const changed: Record<Exclude<TransactionOutcome, keyof typeof refused | 'REPLAY'>, object> = {
  DECIDE: { status: 'APPROVED', chargeback: null },
  DECLINE: { status: 'DECLINED', chargeback: null },
  CHARGE_BACK: { status: 'APPROVED', chargeback: expect.objectContaining({}) },
};

/** A client cannot decline what its PSP recorded for it. */
const isThere = (state: TransactionState, caller: TransactionCaller) =>
  caller !== 'taxpayer' || (state !== 'DECLINED_BY_CLIENT' && state !== 'DECLINED_BY_BOTH');

describe.each(transactionStates)('a transaction that is %s', (state) => {
  const rows = transactionTriggers.flatMap((trigger) =>
    transactionCallers
      .filter((caller) => isThere(state, caller))
      .map((caller) => ({ trigger, caller, outcome: transactionTable[state][trigger][caller] })),
  );

  it.each(rows)('answers $trigger by $caller with $outcome', async ({ trigger, caller, outcome }) => {
    const { ref, shown } = await recorded(state, caller);
    const before = await shown();
    const answer = await triggered[trigger](keyOf(caller), ref);
    const after = await shown();
    if (outcome in refused) {
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([
        refused[outcome as keyof typeof refused],
        outcome,
      ]);
      expect(after).toEqual(before);
    } else if (outcome === 'REPLAY') {
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
      expect(after).toEqual(before);
    } else {
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
      expect(after).toMatchObject({ ...changed[outcome as keyof typeof changed], revision: before.revision + 1 });
    }
  });
});

describe.each(basketStates)('a basket that is %s', (state) => {
  /** A basket in the state; the ref its transaction was verified under, and what is shown of it. */
  async function basket(state: BasketState) {
    const ref = `basket-${++n}`;
    const items = [{ sku: 'A', title: 'A', description: '', quantity: 1, price: 107.5, subTotal: 107.5 }];
    const { transactionFee: _, ...submitted } = { ...body(ref, 107.5), items };
    const { basketId, transactionId } = contentOf(await t.post('/v1/basket/submitBasket', submitted, client.apiKey));
    const pay = (fee: number) =>
      verify(client.apiKey, ref, 107.5, { transactionID: transactionId, transactionFee: fee });
    // One that stays PENDING was declined for the standing: its transaction has the ref that is declined below.
    await standing(state === 'PENDING' ? 'SUSPENDED' : 'ACTIVE');
    contentOf(await pay(1));
    await standing('ACTIVE');
    if (state === 'CANCELLED') contentOf(await decline(client.apiKey, ref));
    const status = async () => contentOf(await t.get(`/v1/basket/${basketId}`, client.apiKey)).status;
    return { ref, pay, status };
  }

  it.each(basketTriggers.map((trigger) => ({ trigger, next: basketTable[state][trigger] })))(
    'is $next after $trigger',
    async ({ trigger, next }) => {
      const { ref, pay, status } = await basket(state);
      expect(await status()).toBe(state);
      if (trigger === 'declineTransaction') contentOf(await decline(client.apiKey, ref));
      else {
        await standing(trigger === 'declined' ? 'SUSPENDED' : 'ACTIVE');
        contentOf(await pay(2));
        await standing('ACTIVE');
      }
      expect(await status()).toBe(next);
    },
  );
});
