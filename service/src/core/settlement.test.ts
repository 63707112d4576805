// Settlement as double entry: postings balance for all sums, or none are made.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ageDays,
  bucketOf,
  byParty,
  firstExcess,
  imbalance,
  nettingsToRelease,
  parties,
  payable,
  postingsOf,
  type SplitAmounts,
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
const whole = (s: SplitAmounts) => ({ ...s, gross: sumOf(splitParts.map((p) => s[p])) });

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
      fc.property(split, split, split, split, (approved, chargedBack, reversed, netted) => {
        const sums = { approved: whole(approved), chargedBack: whole(chargedBack), reversed: whole(reversed), netted };
        const postings = postingsOf(sums);
        expect(imbalance(postings)).toBe('0');
        for (const kind of ['APPROVED', 'CHARGED_BACK', 'REVERSED', 'NETTED'])
          expect(imbalance(postings.filter((p) => p.kind === kind))).toBe('0');
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
