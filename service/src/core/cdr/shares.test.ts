import { describe, expect, it } from 'vitest';
import { reference } from '../../../test/support/sample-cdr.ts';
import { decimal } from '../money.ts';
import { average, percent } from './shares.ts';
import { valueOfLine } from './value.ts';

describe('shares and averages', () => {
  it('are exact texts of two decimals, and of nothing there are none', () => {
    expect([percent(2, 3), percent(0, 7), percent(7, 7), percent(1, 0)]).toEqual(['66.67', '0.00', '100.00', null]);
    expect(average(decimal('0.025'), 5)).toBe('0.01');
    expect(average(decimal('12345678901234567890.5'), 1)).toBe('12345678901234567890.50');
    expect(average(decimal('0'), 0)).toBeNull();
  });
});

describe('the value of a rejected line', () => {
  const value = (cost?: string, currency?: string) =>
    valueOfLine(
      { billing_information_call_cost: cost, billing_information_currency: currency },
      reference,
      '2026-11-21',
    );

  it('is its cost, where cost and currency can be read', () => {
    expect(value('24.50', 'ngn')).toEqual({ cost: '24.5', currency: 'NGN' });
    expect(value('0', 'USD')).toEqual({ cost: '0', currency: 'USD' });
  });

  it.each([
    [undefined, 'NGN'],
    ['24.50', undefined],
    ['-1', 'NGN'],
    ['1,50', 'NGN'],
    ['24.50', 'XXQ'],
    ['24.50', 'BTC'],
  ])('is not known with the cost %s and the currency %s', (cost, currency) => {
    expect(value(cost, currency)).toBeUndefined();
  });
});
