// Many operations on the same transactions at the same time: in whatever order they are decided, the history is
// consistent.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sale } from '../durability/support/storm.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { upTo } from '../support/depth.ts';
import { expectJournalComplete } from '../support/journal.ts';

const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
/** `npm run fuzz` asks for more: a fifth of its sequences. */
const numRuns = Math.ceil(Number(process.env.FUZZ_SEQUENCES ?? upTo(120, 300)) / 5);

type Who = 'client' | 'psp';
const refs = fc.constantFrom('r1', 'r2', 'r3');
const amounts = fc.constantFrom(107.5, 215);
const who = fc.constantFrom<Who>('client', 'client', 'psp');

const place = { currency: 'NGN', countryCode: 'NG' };
const basketBody = {
  ref: 'b',
  totalAmount: 215,
  items: [{ sku: 's', title: 't', description: '', quantity: 1, price: 215, subTotal: 215 }],
  paymentMethods: { card: 215 },
  ...place,
};

describe(`many calls at once (seed ${seed})`, () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await makeTestApp({ env: { LOG_LEVEL: 'warn' } });
  });
  afterAll(() => t.stop());

  const settle = async (): Promise<{ psp: Account; client: Account }> => {
    const psp = await t.makePsp();
    return { psp, client: await t.makeClient(psp) };
  };

  it('leave one consistent life of each transaction', { timeout: 600_000 + numRuns * 1_000 }, async () => {
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
        const r = await settle();
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
          const body = { ...sale(a.ref, a.amount), ...named };
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
  });

  it('are all answered when a PSP verifies and declines one ref of a basket', async () => {
    const r = await settle();
    const basket = await t.post('/v1/basket/submitBasket', basketBody, r.client.apiKey);
    const { transactionId: transactionID } = basket.body.content;
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        i % 2 === 0
          ? t.post(
              '/v1/transaction/verifyTransaction',
              { ...sale('r', 215), transactionFee: i, transactionID },
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
