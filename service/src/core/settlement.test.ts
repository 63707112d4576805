// Settlement as double entry: postings balance for all sums, or none are made.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ageDays,
  bucketOf,
  byParty,
  debtsOf,
  firstExcess,
  heldOf,
  imbalance,
  nettingsToRelease,
  type Party,
  parties,
  payable,
  postingKinds,
  postingsOf,
  type SplitAmounts,
  settledThroughPsp,
  splitParts,
} from './settlement.ts';
import { differenceOf, sumOf } from './sums.ts';

const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => {
    const digits = units.toString().padStart(scale + 1, '0');
    return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  });
const split = fc
  .tuple(amount, amount, amount, amount, amount)
  .map((a) => Object.fromEntries(splitParts.map((p, i) => [p, a[i]])) as SplitAmounts);
const noPart = Object.fromEntries(splitParts.map((p) => [p, '0'])) as SplitAmounts;
const allHeld = { discounts: '0', vouchers: '0', cash: '0' };
const whole = (s: SplitAmounts) => ({ ...s, gross: sumOf(splitParts.map((p) => s[p])), ...allHeld });
/** Sums of sales partly paid elsewhere. */
const paidElsewhere = fc
  .tuple(split, amount, amount, amount)
  .map(([s, discounts, vouchers, cash]) => ({ ...whole(s), discounts, vouchers, cash }));

describe('nettings against a transaction that changed', () => {
  it('are released newest first, as few as leave the others room for every party', () => {
    fc.assert(
      fc.property(fc.array(split, { maxLength: 6 }), split, (amounts, settled) => {
        const standing = amounts.map((a) => ({ amounts: a }));
        const released = nettingsToRelease(standing, settled);
        expect(released).toEqual(standing.slice(0, released.length));
        const fits = (from: number) =>
          parties.every((p) => {
            const netted = sumOf(standing.slice(from).map((n) => byParty(n.amounts)[p]));
            return !differenceOf(byParty(settled)[p], netted).startsWith('-');
          });
        expect(fits(released.length)).toBe(true);
        if (released.length > 0) expect(fits(released.length - 1)).toBe(false);
        expect(nettingsToRelease(standing, undefined)).toEqual(standing);
      }),
    );
  });
});

describe('postings', () => {
  it('balance to zero for any sums, and by kind', () => {
    fc.assert(
      fc.property(paidElsewhere, paidElsewhere, paidElsewhere, split, (approved, chargedBack, reversed, netted) => {
        const postings = postingsOf({ approved, chargedBack, reversed, netted });
        expect(imbalance(postings)).toBe('0');
        for (const kind of postingKinds) expect(imbalance(postings.filter((p) => p.kind === kind))).toBe('0');
      }),
    );
  });

  it('pay each party its parts less what was netted, to the last digit', () => {
    fc.assert(
      fc.property(split, split, (approved, netted) => {
        const postings = postingsOf({
          approved: whole(approved),
          chargedBack: whole(netted),
          reversed: whole(noPart),
          netted,
        });
        const [due, less] = [byParty(approved), byParty(netted)];
        for (const p of parties) expect(payable(postings, p)).toBe(differenceOf(due[p], less[p]));
      }),
    );
  });

  it('pay out together what the PSP holds, and leave it with the customers', () => {
    fc.assert(
      fc.property(paidElsewhere, (approved) => {
        const nothing = whole(noPart);
        const postings = postingsOf({ approved, chargedBack: nothing, reversed: nothing, netted: noPart });
        expect(sumOf(parties.map((p) => payable(postings, p)))).toBe(heldOf(approved));
        expect(imbalance(postings.filter((p) => p.account === 'CUSTOMERS'))).toBe(heldOf(approved));
      }),
    );
  });

  it('leave nothing between the parties of sales that are all charged back and netted', () => {
    fc.assert(
      fc.property(paidElsewhere, (approved) => {
        const postings = postingsOf({ approved, chargedBack: approved, reversed: whole(noPart), netted: noPart });
        for (const p of parties)
          expect(imbalance(postings.filter((x) => x.account === p || x.account === `${p}_TO_RETURN`))).toBe('0');
        expect(imbalance(postings.filter((p) => p.account === 'CUSTOMERS'))).toBe('0');
      }),
    );
  });

  it('of 900 in cash and 100 by card leave the PSP 100 to settle from, and the merchant owing it the rest', () => {
    const sale = {
      ...{ gross: '1000', vatAmount: '130.43', processingFee: '10', merchantAmount: '856.57' },
      ...{ transactionFee: '1.5', transactionVAT: '1.5' },
      ...allHeld,
      cash: '900',
    };
    const nothing = whole(noPart);
    const postings = postingsOf({ approved: sale, chargedBack: nothing, reversed: nothing, netted: noPart });
    expect(heldOf(sale)).toBe('100');
    const due = Object.fromEntries(parties.map((p) => [p, payable(postings, p)])) as Record<Party, string>;
    expect(due).toEqual({ TAX_AUTHORITY: '131.93', SERVICE: '10', MERCHANT: '-43.43', PSP: '1.5' });
    expect(debtsOf(due)).toEqual([
      { from: 'PSP', to: 'TAX_AUTHORITY', amount: '131.93' },
      { from: 'PSP', to: 'SERVICE', amount: '10' },
      { from: 'MERCHANT', to: 'PSP', amount: '43.43' },
    ]);
    expect(postings.filter((p) => p.kind === 'CASH')).toEqual([
      { kind: 'CASH', account: 'MERCHANT', debit: '900', credit: '0' },
      { kind: 'CASH', account: 'CUSTOMERS', debit: '0', credit: '900' },
    ]);
    // Nothing of it can be subtracted from: the merchant has it already.
    expect(settledThroughPsp(sale, '900').merchantAmount).toBe('0');
    expect(settledThroughPsp(sale, '300').merchantAmount).toBe('556.57');
  });

  it('leave nothing to return of chargebacks that are all reversed and of which nothing stays netted', () => {
    fc.assert(
      fc.property(split, split, (approved, chargedBack) => {
        const back = whole(chargedBack);
        const postings = postingsOf({ approved: whole(approved), chargedBack: back, reversed: back, netted: noPart });
        const due = byParty(approved);
        for (const p of parties) {
          expect(payable(postings, p)).toBe(due[p]);
          expect(imbalance(postings.filter((x) => x.account === `${p}_TO_RETURN`))).toBe('0');
        }
      }),
    );
  });

  it('are refused where a gross is not the sum of its parts', () => {
    const off = {
      gross: '100',
      vatAmount: '7',
      processingFee: '1',
      merchantAmount: '91',
      transactionFee: '0',
      transactionVAT: '0',
      ...allHeld,
    };
    const nothing = whole(noPart);
    expect(() => postingsOf({ approved: off, chargedBack: nothing, reversed: nothing, netted: nothing })).toThrow(
      'the postings APPROVED do not balance: 1 too much on the debit side',
    );
  });
});

describe('what is asked for', () => {
  it('is too much from the first part of which more is asked than is left', () => {
    const left = {
      vatAmount: '7.5',
      processingFee: '1',
      merchantAmount: '90',
      transactionFee: '0',
      transactionVAT: '0',
    };
    expect(firstExcess(left, left)).toBeUndefined();
    expect(firstExcess({ ...left, merchantAmount: '90.01', transactionVAT: '1' }, left)).toBe('merchantAmount');
  });
});

describe('age', () => {
  it.each([
    [0, 'days0to30'],
    [30, 'days0to30'],
    [31, 'days31to60'],
    [60, 'days31to60'],
    [61, 'days61to90'],
    [90, 'days61to90'],
    [91, 'over90'],
    [4000, 'over90'],
  ])('of %i days is %s', (days, bucket) => expect(bucketOf(days)).toBe(bucket));

  it('counts whole days and is never below zero', () => {
    expect([ageDays(0, 86_399_999), ageDays(0, 86_400_000), ageDays(5, 0)]).toEqual([0, 1, 0]);
  });
});
