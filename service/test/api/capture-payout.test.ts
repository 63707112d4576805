// The operation capturePayout (Spec 4.13).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  limitsText,
  namesIgnoredFields,
  put,
  refusesOperators,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, rowCount, told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let wagerId: string;
let n = 0;
const path = '/capturePayout';
const customer = { email: 'ada@example.com' };
const win = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  amount: 300,
  ref: `win-${++n}`,
  customer,
  wagerReference: 'bet-1',
  ...over,
});
const wager = async (ref: string, key = client.apiKey, headers: Record<string, string> = {}, amount = 100) =>
  contentOf(await t.post('/captureWager', { amount, ref, customer, ip: '102.0.2.44', type: 'sports' }, key, headers))
    .wagerId;
const capture = (body: unknown = win(), key = client.apiKey, headers: Record<string, string> = {}) =>
  t.post(path, body, key, headers);
const payout = async (id: string) => contentOf(await t.get(`/v1/payout/${id}`, psp.apiKey));
const wire: Wire = { app: () => t, method: 'POST', path, caller: () => client, body: () => win() };

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp, { classification: 'IGAMING_LOCAL' });
  wagerId = await wager('bet-1');
});
afterAll(() => t?.stop());

describe('capturePayout', () => {
  describe('accepts', () => {
    it('answers with the ids of the payout and its wager', async () => {
      const body = win();
      const r = await capture(body);
      expect(contentOf(r)).toEqual({ payoutId: expect.stringMatching(/^pyt_[0-9a-z]{26}$/), wagerId, ref: body.ref });
      expect(r.body.message).toBe('payout recorded');
    });

    it('records the payout as sent, linked to the wager', async () => {
      const body = win();
      const { payoutId } = contentOf(await capture(body));
      expect(await payout(payoutId)).toMatchObject({
        payoutId,
        wagerId,
        wagerReference: 'bet-1',
        ref: body.ref,
        amount: 300,
        currency: 'NGN',
        countryCode: 'NG',
        clientId: client.id,
        recordedBy: client.id,
        createdAt: new Date(t.now()).toISOString(),
      });
    });

    it('notes the tax withheld from winnings: the payout less its stake, never below zero', async () => {
      for (const ref of ['won', 'lost']) await wager(ref);
      const won = contentOf(await capture(win({ wagerReference: 'won' })));
      expect((await payout(won.payoutId)).taxes).toContainEqual({
        ruleId: 'NG-WHT-WINNINGS-2025',
        taxableAmount: 200,
        tax: 10,
      });
      const lost = contentOf(await capture(win({ amount: 40, wagerReference: 'lost' })));
      expect((await payout(lost.payoutId)).taxes).toContainEqual({
        ruleId: 'NG-WHT-WINNINGS-2025',
        taxableAmount: 0,
        tax: 0,
      });
    });

    it('takes zero: a lost bet is settled without a tax, and a later payout takes off the whole stake', async () => {
      await wager('lost-bet');
      const lost = await capture(win({ amount: 0, wagerReference: 'lost-bet' }));
      const shown = await payout(contentOf(lost).payoutId);
      expect(shown.amount).toBe(0);
      expect(shown.taxes).toContainEqual({ ruleId: 'NG-WHT-WINNINGS-2025', taxableAmount: 0, tax: 0 });
      const later = contentOf(await capture(win({ amount: 150, wagerReference: 'lost-bet' })));
      expect((await payout(later.payoutId)).taxes).toContainEqual({
        ruleId: 'NG-WHT-WINNINGS-2025',
        taxableAmount: 50,
        tax: 2.5,
      });
    });

    it('takes a payout of a free bet, all of it winnings', async () => {
      await wager('free-bet', client.apiKey, {}, 0);
      const won = contentOf(await capture(win({ amount: 80, wagerReference: 'free-bet' })));
      expect((await payout(won.payoutId)).taxes).toContainEqual({
        ruleId: 'NG-WHT-WINNINGS-2025',
        taxableAmount: 80,
        tax: 4,
      });
    });

    it('takes several payouts of one wager', async () => {
      const [one, two] = [contentOf(await capture()), contentOf(await capture())];
      expect(one.payoutId).not.toBe(two.payoutId);
      expect(two.wagerId).toBe(one.wagerId);
    });

    it("concerns the PSP's own account without x-client-id, and the named client with it", async () => {
      await wager('psp-bet', psp.apiKey);
      const own = contentOf(await capture(win({ wagerReference: 'psp-bet' }), psp.apiKey));
      expect(await payout(own.payoutId)).toMatchObject({ clientId: psp.id, recordedBy: psp.id });
      const named = contentOf(await capture(win(), psp.apiKey, { 'x-client-id': client.id }));
      expect(await payout(named.payoutId)).toMatchObject({ clientId: client.id, recordedBy: psp.id });
    });

    it('has no version in its path', async () => {
      expectRefusal(await t.post('/v1/capturePayout', win(), client.apiKey), 404, 'NO_ROUTE');
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['amount', 'ref', 'customer', 'customer.email', 'wagerReference']);
    refusesWrongTypes(wire, {
      number: ['amount'],
      text: ['ref', 'wagerReference', 'customer.email'],
      object: ['customer'],
    });
    limitsText(wire, { ref: 200, wagerReference: 200 });
    namesIgnoredFields(wire);

    it('refuses a reference that no wager has, and records nothing', async () => {
      const before = [await entryCount(t), await rowCount(t, 'refs')];
      expectRefusal(
        await capture(win({ wagerReference: 'no-such-bet' })),
        404,
        'NOT_FOUND',
        "no wager with the reference 'no-such-bet'",
      );
      expect([await entryCount(t), await rowCount(t, 'refs')]).toEqual(before);
    });

    it('does not take the ref of a transaction for one of a wager', async () => {
      contentOf(
        await t.post(
          '/v1/payment/deposit',
          { ref: 'dep-1', totalAmount: 100, currency: 'NGN', customer, countryCode: 'NG', transactionFee: 0 },
          client.apiKey,
        ),
      );
      expectRefusal(await capture(win({ wagerReference: 'dep-1' })), 404, 'NOT_FOUND');
    });

    it.each(['-1', '-0.01', `1${'0'.repeat(38)}`, '1e-19'])('refuses an amount of %s', async (amount) => {
      const text = JSON.stringify(win({ amount: '@' })).replace('"@"', amount);
      const r = await capture(text);
      expect([r.status, r.body.message]).toEqual([400, expect.stringMatching(/^the field 'amount' /)]);
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'capturePayout');
    guardsClientHeader(wire);

    it("refuses another account's wager exactly as one that does not exist", async () => {
      const sibling = await t.makeClient(psp);
      const stranger = await t.makePsp();
      const strangersClient = await t.makeClient(stranger);
      await wager('only-mine');
      for (const [key, headers] of [
        [sibling.apiKey, {}],
        [strangersClient.apiKey, {}],
        [psp.apiKey, {}],
        [psp.apiKey, { 'x-client-id': sibling.id }],
      ] as const)
        expectRefusal(
          await capture(win({ wagerReference: 'only-mine' }), key, headers),
          404,
          'NOT_FOUND',
          key === psp.apiKey && !('x-client-id' in headers)
            ? "no wager of your own has the reference 'only-mine'; for one of a client name the client in the header x-client-id"
            : "no wager with the reference 'only-mine'",
        );
      expectRefusal(
        await capture(win({ wagerReference: 'only-mine' }), stranger.apiKey),
        404,
        'NOT_FOUND',
        /^no wager of your own has/,
      );
    });
  });

  describe('repeats', () => {
    it('answers an equal body with the identical reply, marked as a repetition, and records nothing new', async () => {
      const body = win();
      const first = await capture(body);
      const before = await entryCount(t);
      const again = await capture(Object.fromEntries(Object.entries(body).reverse()));
      expect(again.text).toBe(first.text);
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await entryCount(t)).toBe(before);
    });

    it.each([
      ['amount', 301],
      ['customer', { email: 'other@example.com' }],
      ['wagerReference', 'bet-2'],
    ])("refuses the same ref with another '%s', naming it", async (field, value) => {
      const body = win();
      contentOf(await capture(body));
      expectRefusal(
        await capture(put(body, field, value)),
        409,
        'REF_CONFLICT',
        `the ref '${body.ref}' was used before with another '${field}'`,
      );
    });

    it('keeps refs of payouts apart from those of wagers and of other accounts', async () => {
      const ref = `shared-${++n}`;
      const other = await t.makeClient(psp);
      await wager(ref);
      await wager(ref, other.apiKey);
      const one = contentOf(await capture(win({ ref, wagerReference: ref })));
      const two = contentOf(await capture(win({ ref, wagerReference: ref, amount: 1 }), other.apiKey));
      expect(one.payoutId).not.toBe(two.payoutId);
    });

    it('records many concurrent equal requests once and answers all alike', async () => {
      const body = win();
      const answers = await Promise.all(Array.from({ length: 20 }, () => capture(body)));
      expect(new Set(answers.map((r) => r.text)).size).toBe(1);
      expect(await rowCount(t, 'payouts', 'ref = $1', [body.ref])).toBe(1);
    });
  });

  describe('tells', () => {
    it('writes one entry with the exact resource, the customer sealed', async () => {
      const { payoutId } = contentOf(await capture(win(), psp.apiKey, { 'x-client-id': client.id }));
      const [entry, ...more] = await told(t, payoutId);
      expect(more).toEqual([]);
      expect(entry?.body).toMatchObject({
        type: 'payout.created',
        clientId: client.id,
        version: 1,
        actor: { account: psp.id, by: expect.stringMatching(/^key_/) },
        evidence: { tax: expect.any(Array) },
        sealed: expect.any(String),
        subject: expect.any(String),
      });
      expect(entry?.body.data).toEqual(await payout(payoutId));
      expect(entry?.text).not.toContain(customer.email);
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      await Promise.all(Array.from({ length: 10 }, () => capture()));
      await expectJournalComplete(t);
    });
  });
});
