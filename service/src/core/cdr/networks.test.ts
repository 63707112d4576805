import { describe, expect, it } from 'vitest';
import { isForeignByName, isForeignNetwork, isNamedAlike } from './networks.ts';
import { NumberRanges } from './number-ranges.ts';

const network = (name: string, prefix: string) => ({
  network: name,
  names: [name],
  prefixes: [prefix],
  source: 's',
  confidence: 'official' as const,
});
const ranges = new NumberRanges(
  'v1',
  {
    sources: { s: { title: 'S' } },
    countries: [
      { country: 'NG', callingCode: '234', networks: [network('MTN', '803'), network('Glo', '805')] },
      { country: 'GH', callingCode: '233', networks: [network('MTN', '24')] },
    ],
  },
  [
    { alpha2: 'NG', alpha3: 'NGA', name: 'Nigeria' },
    { alpha2: 'GH', alpha3: 'GHA', name: 'Ghana' },
  ],
);
const mtn = { name: 'MTN Nigeria Communications PLC', country: 'NG' };
const shop = { name: 'Lagos Books Ltd', country: 'NG' };

describe('names', () => {
  it('are alike where the words of one begin the other', () => {
    expect(isNamedAlike('MTN', 'MTN Nigeria')).toBe(true);
    expect(isNamedAlike('glo-mobile', 'Glo Mobile Ltd.')).toBe(true);
    expect(isNamedAlike('MTN', 'MTNN')).toBe(false);
    expect(isNamedAlike('', 'MTN')).toBe(false);
  });
});

describe('a network', () => {
  it.each([
    ['MTN', false],
    ['MTN Nigeria', false],
    ['mtn nigeria ltd', false],
    ['Glo', true],
    ['MTN Ghana', true],
    ['Vodafone UK', true],
  ])('named %s is foreign to MTN Nigeria: %s', (name, foreign) => {
    expect(isForeignByName(name, mtn, ranges)).toBe(foreign);
    expect(isForeignNetwork(name, mtn, ranges, 99, 100)).toBe(foreign);
  });

  it('says nothing to an account that is no network by name, nor to one of no country', () => {
    expect(isForeignByName('Glo', shop, ranges)).toBeUndefined();
    expect(isForeignByName('Glo', { name: 'MTN', country: undefined }, ranges)).toBeUndefined();
  });

  it('is then its own where a fifth of its records name it', () => {
    expect(isForeignNetwork('Glo', shop, ranges, 20, 100)).toBe(false);
    expect(isForeignNetwork('Glo', shop, ranges, 19, 100)).toBe(true);
    expect(isForeignNetwork('Lagos Books', shop, ranges, 1, 100)).toBe(false);
  });
});
