// A proposed change as if it had been in force earlier: what is moved, and what is not.
import { describe, expect, it } from 'vitest';
import { feeRows, taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { asIfInForce } from './as-if.ts';
import { RuleBook } from './book.ts';
import type { TaxRule } from './rule.ts';

const from = '2026-10-01';
const file = (rules: readonly TaxRule[], over = {}) => taxCountry([...rules, ...feeRows], over);
const old = taxRow();
const ended = taxRow({ validTo: '2027-01-01' });
const next = taxRow({ ruleId: 'AA-VAT-STANDARD-2027', rate: '22', validFrom: '2027-01-01' });
const later = taxRow({ ruleId: 'AA-VAT-STANDARD-2028', rate: '23', validFrom: '2028-01-01' });

/** The rate of a sale on a day of the month. */
const rateOn = (is: ReturnType<typeof asIfInForce>, date: string, mcc?: string) =>
  new RuleBook('v', [is.country])
    .plan({ jurisdiction: 'AA', operation: 'verifyTransaction', classification: '', mcc, date })
    ?.inclusive.map((c) => c.rule.rate)
    .join();

describe('a proposal as if in force', () => {
  it('begins on the first day of the month, and not before', () => {
    const is = asIfInForce(file([old]), file([ended, next]), from);
    expect([is.begins, rateOn(is, '2026-09-30'), rateOn(is, '2026-10-01'), rateOn(is, '2026-10-31')]).toEqual([
      '2027-01-01',
      '20',
      '22',
      '22',
    ]);
    expect(is.changed.map((r) => r.ruleId)).toContain('AA-VAT-STANDARD-2027');
  });

  it('moves the first step alone: a later one is no part of what was asked', () => {
    const steps = [ended, taxRow({ ...next, validTo: '2028-01-01' }), later];
    const is = asIfInForce(file([old]), file(steps), from);
    expect([rateOn(is, '2026-10-15'), rateOn(is, '2028-06-01')]).toEqual(['22', '23']);
  });

  it('leaves what the law had in store beside it', () => {
    const books = taxRow({
      ruleId: 'BOOKS',
      category: 'reduced',
      rate: '5',
      mccRanges: ['5942'],
      validTo: '2027-01-01',
    });
    const dearer = taxRow({ ...books, ruleId: 'BOOKS-27', rate: '9', validFrom: '2027-01-01', validTo: null });
    const is = asIfInForce(file([old, books, dearer]), file([ended, next, books, dearer]), from);
    expect([rateOn(is, '2026-10-15', '5942'), rateOn(is, '2026-10-15')]).toEqual(['5', '22']);
  });

  it('corrects a row that is to come, which then takes the place of the one before', () => {
    const is = asIfInForce(file([ended, next]), file([ended, { ...next, rate: '21' }]), from);
    expect([rateOn(is, '2026-09-30'), rateOn(is, '2026-10-01')]).toEqual(['20', '21']);
  });

  it('leaves a row that is to come where it is, if only its end is proposed', () => {
    const short = taxRow({ ...next, validTo: '2028-01-01' });
    const is = asIfInForce(file([ended, next]), file([ended, short, later]), from);
    expect([is.begins, rateOn(is, '2026-10-15')]).toEqual(['2028-01-01', '23']);
    const sunset = asIfInForce(file([old, next]), file([old, short]), from);
    expect([sunset.begins, rateOn(sunset, '2026-10-15')]).toEqual(['2028-01-01', '20']);
  });

  it('corrects a row of the past on its own days', () => {
    const is = asIfInForce(file([old]), file([taxRow({ rate: '19' })]), from);
    expect([is.begins, rateOn(is, '2026-09-30'), rateOn(is, '2026-10-15')]).toEqual([undefined, '19', '19']);
  });

  it('ends a row, so that the wider one answers', () => {
    const books = taxRow({ ruleId: 'BOOKS', category: 'reduced', rate: '5', mccRanges: ['5942'] });
    const is = asIfInForce(file([old, books]), file([old, { ...books, validTo: '2027-01-01' }]), from);
    expect([rateOn(is, '2026-09-30', '5942'), rateOn(is, '2026-10-01', '5942')]).toEqual(['5', '20']);
  });

  it('removes a row at once, whatever its days', () => {
    const books = taxRow({ ruleId: 'BOOKS', category: 'reduced', rate: '5', mccRanges: ['5942'] });
    const is = asIfInForce(file([old, books]), file([old]), from);
    expect([rateOn(is, '2026-09-30', '5942'), is.changed.map((r) => r.ruleId)]).toEqual(['20', ['BOOKS']]);
  });

  it('is nothing where only words change, even of a row that is to come', () => {
    const said = { ...next, says: 'read again', confidence: 'secondary', legalRef: 's. 2' } as const;
    const is = asIfInForce(file([ended, next]), file([ended, said]), from);
    expect([is.decides, is.changed, is.begins, rateOn(is, '2026-10-15')]).toEqual([false, [], undefined, '20']);
  });

  it('moves a fact on discounts as it moves a row', () => {
    const taxed = {
      ...{ treatment: 'TAXED', validFrom: '2027-01-01', validTo: null, source: 'act' },
      ...{ legalRef: null, confidence: 'official', says: 'tax is due on the price before any discount' },
    } as const;
    const is = asIfInForce(file([old]), file([old], { discounts: [taxed] }), from);
    expect([is.decides, is.begins, is.country.discounts?.[0]?.validFrom]).toEqual([true, '2027-01-01', from]);
  });
});
