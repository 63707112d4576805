// Which country taxes a wager. GB: remote duties are on bets of "UK persons", wherever the operator is (Finance Act 2014,
// sections 127, 140 and 155: point of consumption); a law of the place of the operator is the earlier rule there.
import { describe, expect, it } from 'vitest';
import { taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { gamingPart, gamingTaxation } from './gaming-place.ts';
import { countryProblems } from './problems.ts';
import type { GamingFact } from './rule.ts';

const fact = (over: Partial<GamingFact> = {}): GamingFact => ({
  follows: 'PLAYER',
  validFrom: '2014-12-01',
  validTo: null,
  source: 'act',
  legalRef: 's. 140',
  confidence: 'official',
  says: 'The duty is on bets of persons who live in the country.',
  ...over,
});
const files = new Map([
  ['GB', taxCountry([taxRow()], { jurisdiction: 'GB', gaming: [fact()] })],
  ['DK', taxCountry([taxRow()], { jurisdiction: 'DK', gaming: [fact()] })],
  ['NG', taxCountry([taxRow()], { jurisdiction: 'NG', gaming: [fact({ follows: 'OPERATOR' })] })],
  // Germany: section 16 and others RennwLottG, the organiser's seat or the player's place.
  ['DE', taxCountry([taxRow()], { jurisdiction: 'DE', gaming: [fact({ follows: 'EITHER' })] })],
  ['GI', taxCountry([taxRow()], { jurisdiction: 'GI' })],
]);
const taxing = (operator: string, player: string | undefined, date = '2026-11-21') =>
  gamingTaxation({ operator, player }, (c) => files.get(c), date);

describe('gamingTaxation', () => {
  it.each([
    ['a player at home', 'GB', 'GB', 'GB'],
    ['no player named', 'GB', undefined, 'GB'],
    ['a British player of an operator in Gibraltar', 'GI', 'GB', 'GB'],
    ['a British player of a Danish operator', 'DK', 'GB', 'GB'],
    ['a Nigerian operator with a player in Ghana, of whose law nothing is known', 'NG', 'GH', 'NG'],
    ['an operator in Gibraltar with a player in Nigeria', 'GI', 'NG', 'GI'],
    ['a British operator with a player in Nigeria: neither law taxes it', 'GB', 'NG', undefined],
    ['a German operator with a player in Nigeria', 'DE', 'NG', 'DE'],
    ['an operator in Gibraltar with a player in Germany', 'GI', 'DE', 'DE'],
  ])('%s', (_, operator, player, country) => {
    expect(taxing(operator, player)).toEqual({ by: country });
  });

  it('a German operator with a British player is taxed twice', () => {
    expect(taxing('DE', 'GB')).toEqual({ by: 'GB', also: 'DE' });
  });

  it('before the law followed the player, the operator', () => {
    expect(taxing('GI', 'GB', '2014-11-30')).toEqual({ by: 'GI' });
    expect(taxing('GI', 'GB', '2014-12-01')).toEqual({ by: 'GB' });
  });

  it.each([
    [{ follows: 'BOTH' as never }, 'gaming 1: follows must be PLAYER, OPERATOR or EITHER'],
    [{ source: 'nowhere' }, "gaming 1: source 'nowhere' is not among the file's"],
    [{ validTo: '2014-01-01' }, 'gaming 1: validTo must be null or a later date'],
    [{ says: '' }, 'gaming 1: says must be text'],
    [{ part: 'BOTH' as never }, 'gaming 1: part must be PLAYER or OPERATOR'],
  ])('a file with the fact %j is refused', (over, problem) => {
    expect(countryProblems(taxCountry([taxRow()], { gaming: [fact(over)] })).map(String)).toContain(problem);
  });
});

describe('gamingPart', () => {
  const licensed = taxCountry([taxRow()], { gaming: [fact({ part: 'OPERATOR', validTo: '2026-01-01' })] });
  const both = { player: 'US-NJ', operator: 'US-NV' };

  it('is the part of the player, else of the operator', () => {
    const file = taxCountry([taxRow()], { gaming: [fact()] });
    expect(gamingPart(both, file, '2025-06-01')).toBe('US-NJ');
    expect(gamingPart({ ...both, player: undefined }, file, '2025-06-01')).toBe('US-NV');
    expect(gamingPart({ player: undefined, operator: undefined }, undefined, '2025-06-01')).toBeUndefined();
  });

  it('is that of the operator alone where the licence decides, while the law says so', () => {
    expect(gamingPart(both, licensed, '2025-12-31')).toBe('US-NV');
    expect(gamingPart({ ...both, operator: undefined }, licensed, '2025-12-31')).toBeUndefined();
    expect(gamingPart(both, licensed, '2026-01-01')).toBe('US-NJ');
  });
});
