// Number ranges: the shipped ones are sound, the longest prefix wins, and a provider's name is read as people write it.
import { describe, expect, it } from 'vitest';
import { loadNumberRanges } from '../../platform/data-files.ts';
import { type NumberRangeData, NumberRanges, rangeProblems } from './number-ranges.ts';

const shipped = loadNumberRanges();
const countries = [
  { alpha2: 'AA', alpha3: 'AAA', name: 'Aland' },
  { alpha2: 'BB', alpha3: null, name: 'North Borduria' },
];
const data = (over: Partial<NumberRangeData['countries'][number]['networks'][number]> = {}): NumberRangeData => ({
  sources: { plan: { title: 'Plan' } },
  countries: [
    {
      country: 'AA',
      callingCode: '99',
      networks: [
        { network: 'One', names: ['One', 'Uno Mobile'], prefixes: ['7'], source: 'plan', confidence: 'official' },
        { network: 'Two', names: ['Two'], prefixes: ['71'], source: 'plan', confidence: 'official', ...over },
      ],
    },
    {
      country: 'BB',
      callingCode: '98',
      networks: [{ network: 'One', names: ['One'], prefixes: ['7'], source: 'plan', confidence: 'official' }],
    },
  ],
});

describe('number ranges', () => {
  const ranges = new NumberRanges('v', data(), countries);

  it('give a number to the longest prefix of its own country', () => {
    expect(ranges.networkOf('+99700000', 'AA')).toBe('One');
    expect(ranges.networkOf('+99710000', 'AA')).toBe('Two');
    expect(ranges.networkOf('+99800000', 'AA')).toBeUndefined();
    expect(ranges.networkOf('+99700000', 'BB')).toBeUndefined();
    expect([ranges.covers('AA'), ranges.covers('CC')]).toEqual([true, false]);
  });

  it.each([
    ['One', { country: 'AA', network: 'One' }],
    ['one plc', { country: 'AA', network: 'One' }],
    ['Uno-Mobile (Aland) Ltd.', { country: 'AA', network: 'One' }],
    ['ONE AAA', { country: 'AA', network: 'One' }],
    ['One North Borduria', { country: 'BB', network: 'One' }],
    ['One BB', { country: 'BB', network: 'One' }],
    ['Oneandonly', undefined],
    ['Three', undefined],
    ['Aland', undefined],
    ['', undefined],
  ])('know the provider %j of an operator in AA as %j', (name, network) => {
    expect(ranges.networkNamed(name, 'AA')).toEqual(network);
  });

  it('do not take a brand for one abroad unless its name says so', () => {
    expect(ranges.networkNamed('Two', 'BB')).toBeUndefined();
    expect(ranges.networkNamed('Two Aland', 'BB')).toEqual({ country: 'AA', network: 'Two' });
  });

  it('are refused where a prefix occurs twice, is none, or has no source', () => {
    expect(rangeProblems(data())).toEqual([]);
    expect(rangeProblems(data({ prefixes: ['7', 'x'], source: 'hearsay' }))).toEqual([
      "AA Two: the source 'hearsay' is not listed",
      'AA Two: the prefix 7 stands under One too',
      "AA Two: 'x' is no prefix",
    ]);
  });

  it('ship for the countries whose telecom taxes ship', () => {
    for (const country of ['NG', 'KE', 'GH', 'UG', 'TZ', 'RW', 'ZA'])
      expect(shipped.covers(country), country).toBe(true);
    expect(shipped.networkOf('+2348031234567', 'NG')).toBe('MTN');
    expect(shipped.networkOf('+2347021234567', 'NG')).toBe('Ntel');
    expect(shipped.networkNamed('Safaricom PLC', 'KE')).toEqual({ country: 'KE', network: 'Safaricom' });
    expect(shipped.version).toMatch(/^[0-9a-f]{8}$/);
  });
});
