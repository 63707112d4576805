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
  nothingMoved,
  type Party,
  parties,
  payable,
  postingKinds,
  postingsOf,
  type SettledAmounts,
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
const nothingOut = { approved: nothingMoved, chargedBack: nothingMoved, reversed: nothingMoved };
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
    const sums = fc.tuple(paidElsewhere, paidElsewhere, paidElsewhere);
    const out = fc.tuple(split, split, split);
    fc.assert(
      fc.property(sums, out, split, ([approved, chargedBack, reversed], paidOut, netted) => {
        const [a, b, c] = paidOut.map(whole) as [SettledAmounts, SettledAmounts, SettledAmounts];
        const withdrawn = { approved: a, chargedBack: b, reversed: c };
        const postings = postingsOf({ approved, chargedBack, reversed, netted, withdrawn });
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
          withdrawn: nothingOut,
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
        const postings = postingsOf({
          approved,
          chargedBack: nothing,
          reversed: nothing,
          netted: noPart,
          withdrawn: nothingOut,
        });
        expect(sumOf(parties.map((p) => payable(postings, p)))).toBe(heldOf(approved));
        expect(imbalance(postings.filter((p) => p.account === 'CUSTOMERS'))).toBe(heldOf(approved));
      }),
    );
  });

  it('of 1,000 paid in and 400 taken out have the merchant pay for what the customer, the taxes and the fees got', () => {
    const deposit = {
      ...{ gross: '1000', vatAmount: '0', processingFee: '10', merchantAmount: '987.5', transactionFee: '2' },
      ...{ transactionVAT: '0.5' },
      ...allHeld,
    };
    const withdrawal = {
      ...{ gross: '400', vatAmount: '0', processingFee: '4', merchantAmount: '393.75', transactionFee: '2' },
      ...{ transactionVAT: '0.25' },
      ...allHeld,
    };
    const postings = postingsOf({
      ...{ approved: deposit, chargedBack: nothingMoved, reversed: nothingMoved, netted: noPart },
      withdrawn: { ...nothingOut, approved: withdrawal },
    });
    expect(postings.filter((p) => p.kind === 'WITHDRAWN')).toEqual([
      { kind: 'WITHDRAWN', account: 'MERCHANT', debit: '400', credit: '0' },
      { kind: 'WITHDRAWN', account: 'CUSTOMERS', debit: '0', credit: '393.75' },
      { kind: 'WITHDRAWN', account: 'TAX_AUTHORITY', debit: '0', credit: '0.25' },
      { kind: 'WITHDRAWN', account: 'SERVICE', debit: '0', credit: '4' },
      { kind: 'WITHDRAWN', account: 'PSP', debit: '0', credit: '2' },
    ]);
    const due = Object.fromEntries(parties.map((p) => [p, payable(postings, p)])) as Record<Party, string>;
    expect(due).toEqual({ TAX_AUTHORITY: '0.75', SERVICE: '14', MERCHANT: '587.5', PSP: '4' });
    // What the PSP took in less what it paid out is what it owes, and its own fees.
    expect(sumOf(Object.values(due))).toBe(differenceOf('1000', '393.75'));
  });

  it('of more taken out than paid in have the merchant owe the PSP the difference', () => {
    const withdrawal = { ...nothingMoved, gross: '400', processingFee: '4', merchantAmount: '396' };
    const postings = postingsOf({
      ...{ approved: nothingMoved, chargedBack: nothingMoved, reversed: nothingMoved, netted: noPart },
      withdrawn: { ...nothingOut, approved: withdrawal },
    });
    const due = Object.fromEntries(parties.map((p) => [p, payable(postings, p)])) as Record<Party, string>;
    expect(debtsOf(due)).toEqual([
      { from: 'PSP', to: 'SERVICE', amount: '4' },
      { from: 'MERCHANT', to: 'PSP', amount: '400' },
    ]);
  });

  it('leave nothing of withdrawals that are all charged back', () => {
    fc.assert(
      fc.property(split, (out) => {
        const all = whole(out);
        const postings = postingsOf({
          ...{ approved: nothingMoved, chargedBack: nothingMoved, reversed: nothingMoved, netted: noPart },
          withdrawn: { ...nothingOut, approved: all, chargedBack: all },
        });
        expect(imbalance(postings.filter((p) => p.account === 'CUSTOMERS'))).toBe('0');
        for (const p of parties)
          expect(imbalance(postings.filter((x) => x.account === p || x.account === `${p}_TO_RETURN`))).toBe('0');
      }),
    );
  });

  it('leave nothing between the parties of sales that are all charged back and netted', () => {
    fc.assert(
      fc.property(paidElsewhere, (approved) => {
        const postings = postingsOf({
          approved,
          chargedBack: approved,
          reversed: whole(noPart),
          netted: noPart,
          withdrawn: nothingOut,
        });
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
    const postings = postingsOf({
      approved: sale,
      chargedBack: nothing,
      reversed: nothing,
      netted: noPart,
      withdrawn: nothingOut,
    });
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
        const postings = postingsOf({
          approved: whole(approved),
          chargedBack: back,
          reversed: back,
          netted: noPart,
          withdrawn: nothingOut,
        });
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
    expect(() =>
      postingsOf({ approved: off, chargedBack: nothing, reversed: nothing, netted: nothing, withdrawn: nothingOut }),
    ).toThrow('the postings APPROVED do not balance: 1 too much on the debit side');
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
