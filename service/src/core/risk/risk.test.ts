// What makes a transaction worth a review, and what people may do with one.
import { describe, expect, it } from 'vitest';
import { Refusal } from '../refusal.ts';
import { assigned, concluded, noted, type Review } from './review.ts';
import { largeAmounts, riskRules, watchedObservations, worthReview } from './rules.ts';

const observation = (code: string) => ({ code, field: 'f', message: 'm' });
const looked = (over: object = {}) => ({ status: 'APPROVED', amount: '5', currency: 'NGN', observations: [], ...over });
const rulesOf = (over: object) => worthReview(looked(over)).map((w) => w.rule.id);

describe('worth a review', () => {
  it('is nothing usual', () => {
    expect(rulesOf({})).toEqual([]);
    expect(rulesOf({ observations: [observation('PAYMENT_METHODS_SUM'), observation('PHONE_INVALID')] })).toEqual([]);
  });

  it.each([
    ['ADDRESS_CHECKSUM', 'CRYPTO_ADDRESS'],
    ['ADDRESS_FORM', 'CRYPTO_ADDRESS'],
    ['HASH_FORM', 'CRYPTO_HASH'],
    ['IBAN_CHECKSUM', 'BANK_ACCOUNT'],
  ])('is what was noticed as %s', (code, rule) => {
    expect(rulesOf({ observations: [observation(code)] })).toEqual([rule]);
    expect(worthReview(looked({ observations: [observation('X'), observation(code)] }))[0]?.findings).toEqual([
      observation(code),
    ]);
  });

  it.each(Object.entries(largeAmounts))('is an amount in %s from %s on', (currency, amount) => {
    expect(rulesOf({ currency, amount })).toEqual(['LARGE_AMOUNT']);
    expect(rulesOf({ currency, amount: `${amount}.00` })).toEqual(['LARGE_AMOUNT']);
    expect(rulesOf({ currency, amount: `${BigInt(amount) - 1n}.99999999` })).toEqual([]);
  });

  it('is a large amount with an open difference by both rules', () => {
    const over = { amount: '99999999999999999999', observations: [observation('PAYMENT_METHODS_SUM')] };
    expect(rulesOf(over)).toEqual(['LARGE_AMOUNT', 'LARGE_UNEXPLAINED']);
  });

  it('is no amount of an asset without a threshold, and none that moved no money', () => {
    for (const currency of ['XYZ', 'constructor', 'ETH']) expect(rulesOf({ currency, amount: '1e3' })).toEqual([]);
    for (const status of ['DECLINED', 'PENDING'])
      expect(rulesOf({ status, amount: '99999999', observations: [observation('HASH_FORM')] })).toEqual([]);
  });

  it('has rules with a reason each, told apart by their ids', () => {
    expect(new Set(riskRules.map((r) => r.id)).size).toBe(riskRules.length);
    for (const r of riskRules) {
      expect(r.reason).toMatch(/^[A-Z].{20,}\.$/);
      expect(r.large === true || (r.observations ?? []).length > 0).toBe(true);
    }
    expect(watchedObservations).toContain('ADDRESS_FORM');
  });
});

describe('a review', () => {
  const review: Review = {
    psp: 'p',
    id: 'i',
    account: 'a',
    severity: 'MEDIUM',
    ruleVersion: null,
    about: null,
    person: null,
    transaction: 't',
    rule: 'LARGE_AMOUNT',
    reason: 'large',
    findings: [],
    state: 'OPEN',
    assignee: null,
    outcome: null,
    notes: [],
    openedBy: 'rule',
    version: 1,
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
  };
  const note = (text: string, by = 'usr_1') => ({ at: '2026-11-21T11:00:00.000Z', by, text });
  const ok = (r: Review | Refusal): Review => {
    if (r instanceof Refusal) throw r;
    return r;
  };
  const code = (r: Review | Refusal) => (r instanceof Refusal ? r.code : undefined);

  it('takes a note once, and the same one of somebody else or after another again', () => {
    const once = ok(noted(note('seen'))(review));
    expect(noted(note('seen'))(once)).toBe(once);
    expect(ok(noted(note('seen', 'usr_2'))(once)).notes).toHaveLength(2);
    const twice = ok(noted(note('more'))(once));
    expect(ok(noted(note('seen'))(twice)).notes).toHaveLength(3);
  });

  it('takes 200 notes and no more', () => {
    let full = review;
    for (let i = 0; i < 200; i++) full = ok(noted(note(`n${i}`))(full));
    expect(code(noted(note('one more'))(full))).toBe('LIMIT_REACHED');
  });

  it('is taken in hand, given to another and given back while it is open', () => {
    const mine = ok(assigned('usr_1')(review));
    expect(mine.assignee).toBe('usr_1');
    expect(assigned('usr_1')(mine)).toBe(mine);
    expect(ok(assigned(null)(mine)).assignee).toBeNull();
    const ended = ok(concluded('CLEARED', note('fine'))(mine));
    expect(code(assigned('usr_2')(ended))).toBe('STATE_CONFLICT');
    expect(assigned('usr_1')(ended)).toBe(ended);
  });

  it('ends once, with its outcome; the same end again is a repetition', () => {
    const ended = ok(concluded('CONFIRMED', note('fraud'))(review));
    expect([ended.state, ended.outcome, ended.notes.length]).toEqual(['RESOLVED', 'CONFIRMED', 1]);
    expect(concluded('CONFIRMED', note('fraud'))(ended)).toBe(ended);
    expect(code(concluded('CLEARED', note('fraud'))(ended))).toBe('STATE_CONFLICT');
    expect(code(concluded('CONFIRMED', note('other'))(ended))).toBe('STATE_CONFLICT');
    expect(ok(noted(note('later'))(ended)).notes).toHaveLength(2);
  });
});
