// Commands that record transactions and change them.
import { expect } from 'vitest';
import { sale } from '../../durability/support/storm.ts';
import { command } from './looks.ts';
import {
  acceptables,
  asKey,
  ask,
  type Command,
  expectCode,
  expectReplayed,
  type Model,
  type Movement,
  type Told,
  type Transaction,
  type Who,
} from './world.ts';

/** Cents, exactly: what was taken out of the amount leaves the remainder. */
function expectSplit(content: Record<string, number>, amount: number): void {
  const cents = (n: number | undefined) => Math.round((n ?? 0) * 100);
  const parts = ['vatAmount', 'processingFee', 'transactionFee', 'transactionVAT', 'merchantAmount'];
  expect(parts.reduce((sum, p) => sum + cents(content[p]), 0)).toBe(cents(amount));
}

/** The verdict of an answer, which the client's standing allows. */
function verdictOf(m: Model, a: Told): 'APPROVED' | 'DECLINED' {
  const { status } = a.body.content;
  const allowed = acceptables(m, a).map((yes) => (yes ? 'APPROVED' : 'DECLINED'));
  expect(allowed, a.text).toContain(status);
  return status;
}

/** Less than its fee: refused before anything is recorded. */
const tooSmall = 1;

/** @param bare a PSP's key finds the client of a basket by itself */
export const verify = (ref: string, amount: number, named: string | undefined, by: Who, bare: boolean): Command =>
  command(`verify(${ref}, ${amount}, ${named}, ${by}, ${bare})`, async (m, r) => {
    const given = named === undefined ? undefined : m.baskets.get(named);
    const body = { ...sale(ref, amount), ...(given ? { transactionID: given.transactionId } : {}) };
    const { key, headers } = asKey(r, by);
    const a = await ask(r, 'verifyTransaction', { body, key, headers: given && bare ? {} : headers });
    const before = m.transactions.get(ref);
    const basket = given ?? (before?.kind === 'verifyTransaction' ? before.basket : undefined);
    const request = JSON.stringify(body);

    if (basket && basket.amount !== amount) return expectCode(a, 409, 'BASKET_MISMATCH');
    if (basket?.status === 'CANCELLED' && basket.ref !== ref) return expectCode(a, 409, 'STATE_CONFLICT');
    if (!before && basket?.ref !== undefined) return expectCode(a, 409, 'STATE_CONFLICT');
    if (before && before.kind !== 'verifyTransaction') return expectCode(a, 409, 'REF_CONFLICT');
    const equal = before?.request === request;
    const itsPsps = before && (before.recorder === 'psp' || before.declinedBy.includes('psp'));
    if (before && !equal && by === 'client' && itsPsps && !before.chargedBack)
      return expectCode(a, 403, 'NOT_RECORDER');
    if (before && !equal && by === 'client' && before.recorder === 'psp') return expectCode(a, 403, 'NOT_RECORDER');
    if (before?.chargedBack) return expectCode(a, 409, 'ALREADY_CHARGED_BACK');
    if (before && basket && before.id !== basket.transactionId) return expectCode(a, 409, 'BASKET_MISMATCH');
    if (amount === tooSmall) return expectCode(a, 400, 'SPLIT_NEGATIVE');

    expect(a.status, a.text).toBe(200);
    const { content } = a.body;
    expectSplit(content, amount);
    // An equal request is decided again only where standing declined it, for its recorder or the PSP.
    const answered =
      equal &&
      (before.status === 'APPROVED' || before.declinedBy.length > 0 || (by === 'client' && before.recorder === 'psp'));
    const status = answered ? before.status : verdictOf(m, a);
    const repeated = answered || (equal && status === 'DECLINED');
    expectReplayed(a, repeated);
    if (before && repeated) {
      expect(content).toEqual({ ...before.content, status: before.status });
      return;
    }
    if (before) expect(content.transactionId).toBe(before.id);
    if (basket) expect(content.transactionId).toBe(basket.transactionId);
    m.transactions.set(ref, {
      id: content.transactionId,
      kind: 'verifyTransaction',
      status,
      revision: (before?.revision ?? (basket ? 1 : 0)) + 1,
      chargedBack: false,
      recorder: before?.recorder ?? by,
      request,
      content,
      amount,
      basket,
      declinedBy: [],
    });
    if (!basket) return;
    basket.ref = ref;
    if (basket.exempt) expect(content.vatAmount).toBe(0);
    if (status === 'APPROVED' && basket.status !== 'VERIFIED') {
      basket.status = 'VERIFIED';
      basket.revision++;
    }
  });

export const move = (kind: Movement, ref: string, amount: number, by: Who): Command =>
  command(`${kind}(${ref}, ${amount}, ${by})`, async (m, r) => {
    const crypto = kind.startsWith('crypto');
    const out = kind.endsWith('ithdrawal');
    const body = {
      ref,
      totalAmount: amount,
      currency: crypto ? 'USDT' : 'NGN',
      customer: { email: 'ada@example.com' },
      countryCode: 'NG',
      transactionFee: 1,
      ...(crypto ? { blochainHash: `0x${'5c'.repeat(32)}` } : {}),
      ...(out ? { toAddress: crypto ? 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' : { bank: 'Equity Bank' } } : {}),
    };
    const a = await ask(r, kind, { body, ...asKey(r, by) });
    const before = m.transactions.get(ref);
    const request = JSON.stringify(body);
    if (before && before.kind !== kind) return expectCode(a, 409, 'REF_CONFLICT');
    if (before && before.request !== request)
      return expectCode(a, 409, before.chargedBack ? 'ALREADY_CHARGED_BACK' : 'REF_CONFLICT');
    expect(a.status, a.text).toBe(200);
    const { content } = a.body;
    expectReplayed(a, before !== undefined);
    if (before) {
      // Given once: what became of the client since does not matter.
      expect(content).toEqual({ ...before.content, status: before.status });
      return;
    }
    m.transactions.set(ref, {
      id: content.transactionId,
      kind,
      status: verdictOf(m, a),
      revision: 1,
      chargedBack: false,
      recorder: by,
      request,
      content,
      amount,
      basket: undefined,
      declinedBy: [],
    });
  });

function becameDeclined(x: Transaction, by: Who): void {
  x.status = 'DECLINED';
  x.declinedBy.push(by);
  x.revision++;
  if (!x.basket || x.basket.status === 'CANCELLED') return;
  x.basket.status = 'CANCELLED';
  x.basket.revision++;
}

export const decline = (ref: string, by: Who): Command =>
  command(`decline(${ref}, ${by})`, async (m, r) => {
    const a = await ask(r, 'declineTransaction', { body: { ref }, key: r.keys[by] });
    const before = m.transactions.get(ref);
    if (!before) return expectCode(a, 404, 'NOT_FOUND');
    if (by === 'client' && before.recorder === 'psp') return expectCode(a, 403, 'NOT_RECORDER');
    if (before.chargedBack) return expectCode(a, 409, 'ALREADY_CHARGED_BACK');
    expect(a.status, a.text).toBe(200);
    expect(a.body.content).toEqual({ transactionId: before.id, ref, status: 'DECLINED' });
    const repeated = before.declinedBy.includes(by);
    expectReplayed(a, repeated);
    if (!repeated) becameDeclined(before, by);
  });

export const chargeBack = (ref: string, by: Who): Command =>
  command(`chargeBack(${ref}, ${by})`, async (m, r) => {
    const a = await ask(r, 'chargeBack', { body: { ref }, key: r.keys[by] });
    const before = m.transactions.get(ref);
    if (!before) return expectCode(a, 404, 'NOT_FOUND');
    if (by === 'client') return expectCode(a, 403, 'NOT_RECORDER');
    if (before.chargedBack) return expectCode(a, 409, 'ALREADY_CHARGED_BACK');
    if (before.status !== 'APPROVED') return expectCode(a, 409, 'STATE_CONFLICT');
    expect(a.status, a.text).toBe(200);
    expect(a.body.content).toMatchObject({ transactionId: before.id, ref });
    before.chargedBack = true;
    before.revision++;
  });
