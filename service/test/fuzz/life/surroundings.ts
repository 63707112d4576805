// Commands around transactions: baskets, wagers and payouts, standing, holds, keys and time.
import { expect } from 'vitest';
import { command } from './looks.ts';
import {
  asKey,
  ask,
  type Captured,
  type Command,
  expectCode,
  expectReplayed,
  type Level,
  type Real,
  type Standing,
  type Told,
  type Who,
} from './world.ts';

export const submit = (ref: string, amount: number, exempt: boolean): Command =>
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
    const place = { currency: 'NGN', countryCode: 'NG' };
    const body = { ref, totalAmount: amount, items: [item], paymentMethods: { card: amount }, ...place };
    const a = await ask(r, 'submitBasket', { body, key: r.keys.client });
    const before = m.baskets.get(ref);
    if (before && (before.amount !== amount || before.exempt !== exempt)) return expectCode(a, 409, 'REF_CONFLICT');
    expect(a.status, a.text).toBe(200);
    expect(a.body.content).toMatchObject({ status: 'PENDING', vatAmount: exempt ? 0 : amount === 215 ? 15 : 7.5 });
    expectReplayed(a, before !== undefined);
    const { basketId: id, transactionId } = a.body.content;
    if (before) expect([id, transactionId]).toEqual([before.id, before.transactionId]);
    else m.baskets.set(ref, { id, transactionId, status: 'PENDING', revision: 1, amount, exempt, ref: undefined });
  });

/** What is recorded once under its ref: the same body gets the same answer, another is refused. */
function once(known: Map<string, Captured>, ref: string, body: object, a: Told): void {
  const before = known.get(ref);
  const request = JSON.stringify(body);
  if (before && before.request !== request) expectCode(a, 409, 'REF_CONFLICT');
  else {
    expect(a.status, a.text).toBe(200);
    expectReplayed(a, before !== undefined);
    if (before) expect(a.body.content).toEqual(before.content);
    else known.set(ref, { request, content: a.body.content });
  }
}

const customer = { email: 'kip@example.com' };

export const wager = (ref: string, amount: number, by: Who): Command =>
  command(`wager(${ref}, ${amount}, ${by})`, async (m, r) => {
    const body = { amount, ref, customer, ip: '102.0.2.44', type: 'sports' };
    once(m.wagers, ref, body, await ask(r, 'captureWager', { body, ...asKey(r, by) }));
  });

export const payout = (ref: string, of: string, amount: number, by: Who): Command =>
  command(`payout(${ref}, ${of}, ${amount}, ${by})`, async (m, r) => {
    const body = { amount, ref, customer, wagerReference: of };
    const a = await ask(r, 'capturePayout', { body, ...asKey(r, by) });
    if (!m.payouts.has(ref) && !m.wagers.has(of)) return expectCode(a, 404, 'NOT_FOUND');
    once(m.payouts, ref, body, a);
  });

/** A change by staff, which succeeds. */
async function change(r: Real, id: string, params: Record<string, string>, body: object): Promise<Told> {
  const a = await ask(r, id, { params, body: { ...body, reason: 'test' }, key: r.operator.apiKey });
  expect(a.status, a.text).toBe(200);
  return a;
}

export const setStanding = (whose: Who, operationalStanding: Standing): Command =>
  command(`setStanding(${whose}, ${operationalStanding})`, async (m, r) => {
    await change(r, 'setStanding', { accountId: r[whose].id }, { operationalStanding });
    m[whose] = operationalStanding;
  });

export const setLevel = (verificationLevel: Level): Command =>
  command(`setLevel(${verificationLevel})`, async (m, r) => {
    await change(r, 'setStanding', { accountId: r.client.id }, { verificationLevel });
    m.level = verificationLevel;
  });

const minutes = 60_000;

export const hold = (length: number, blocking: boolean): Command =>
  command(`hold(${length} min, ${blocking})`, async (m, r) => {
    const until = r.t.now() + length * minutes;
    const body = { code: 'REVIEW', reason: 'test', blocking, until: new Date(until).toISOString() };
    const a = await ask(r, 'placeHold', { params: { accountId: r.client.id }, body, key: r.operator.apiKey });
    // Other sequences may have moved the clock beyond its end meanwhile.
    if (a.to >= until && a.status === 400) return expectCode(a, 400, 'FIELD_INVALID');
    expect(a.status, a.text).toBe(200);
    const known = new Set(m.holds.map((h) => h.id));
    const fresh = a.body.content.flags.filter((f: { id: string }) => !known.has(f.id));
    expect(fresh.length, a.text).toBeLessThanOrEqual(1);
    if (fresh[0]) m.holds.push({ id: fresh[0].id, blocking, until });
    else expect(a.to, a.text).toBeGreaterThanOrEqual(until);
  });

export const release = (nth: number): Command =>
  command(`release(${nth})`, async (m, r) => {
    const h = m.holds[nth % Math.max(m.holds.length, 1)];
    if (!h) return;
    // One that has ended already stays as it ended.
    const a = await change(r, 'releaseHold', { accountId: r.client.id, holdId: h.id }, {});
    h.until = Math.min(h.until, a.to);
  });

/** A new key takes the place of one that is revoked, which from then on opens nothing. */
export const replaceKey = (whose: Who): Command =>
  command(`replaceKey(${whose})`, async (_, r) => {
    const old = r.keys[whose];
    const issued = await change(r, 'issueKey', { accountId: r[whose].id }, { name: 'next' });
    await change(r, 'revokeKey', { keyId: `key_${old.split('_')[1]}` }, {});
    r.keys[whose] = issued.body.content.apiKey;
    for (const [id, body] of [
      ['verifyClientStatus', undefined],
      ['declineTransaction', { ref: 'r1' }],
    ] as const) {
      const a = await ask(r, id, { key: old, body });
      // Whoever tries too often is told to wait, and is not let in either.
      expect([401, 429], a.text).toContain(a.status);
    }
  });

export const wait = (length: number): Command =>
  command(`wait(${length} min)`, async (_, r) => r.t.advance(length * minutes));
