// Tax of a period on its base: calculated and rounded once.
import { describe, expect, it } from 'vitest';
import { dutyOn } from './duty.ts';
import type { TaxRule } from './rule.ts';

const rule = (
  rate: string | undefined,
  base: TaxRule['base'] = 'GGR_PERIOD',
  rounding: TaxRule['rounding'] = 'HALF_UP',
) => ({
  ...(rate === undefined ? {} : { rate }),
  base,
  rounding,
});

describe('duty', () => {
  it.each([
    ['20', '1000', 2, '200'],
    ['15', '1234.56', 2, '185.18'],
    ['15', '1234.57', 2, '185.19'],
    ['40', '-350.5', 2, '0'],
    ['0', '5', 2, '0'],
    ['12.5', '0.123456789012345678', 0, '0'],
    ['10', '99999999999999999999999999999999999999.99', 2, '10000000000000000000000000000000000000'],
  ])('of %s %% on %s with %i decimals is %s', (rate, base, decimals, duty) =>
    expect(dutyOn(rule(rate), base, decimals)).toBe(duty),
  );

  it('contained in stakes is what is in them', () =>
    expect(dutyOn(rule('5.3', 'STAKE_INCLUSIVE'), '105.30', 2)).toBe('5.3'));

  it('is rounded as the rule says', () => {
    expect(dutyOn(rule('10', 'STAKE', 'DOWN'), '0.19', 2)).toBe('0.01');
    expect(dutyOn(rule('50', 'STAKE', 'HALF_EVEN'), '0.05', 2)).toBe('0.02');
  });

  // NRS 463.370(1): 3.5 % up to 50,000 dollars of a month, 4.5 % up to 134,000, 6.75 % above.
  const nevada = {
    ...{ base: 'GGR_PERIOD' as const, rounding: 'HALF_UP' as const },
    brackets: [{ upTo: '50000', rate: '3.5' }, { upTo: '134000', rate: '4.5' }, { rate: '6.75' }],
  };
  it.each([
    ['50000', '1750'],
    ['50000.01', '1750'],
    ['134000', '5530'],
    ['200000', '9985'],
    ['200000.10', '9985.01'],
    ['-1', '0'],
  ])('by brackets of %s is %s, each part of it at its own rate and the sum rounded', (base, duty) =>
    expect(dutyOn(nevada, base, 2)).toBe(duty),
  );

  it('is not known where the rule has no rate', () => expect(dutyOn(rule(undefined), '1', 2)).toBeUndefined());
});
