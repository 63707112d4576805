// Which merchants sell goods and which services: the shipped table against the law's own distinctions, and what a record says.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSupplyKinds } from '../../platform/data-files.ts';
import { mccRange } from '../tax/rule.ts';
import { type KindTable, kindProblems } from './goods-or-services.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'data');
const table = JSON.parse(readFileSync(join(folder, 'goods-or-services.json'), 'utf8')) as KindTable;
const { codes } = JSON.parse(readFileSync(join(folder, 'mcc.json'), 'utf8')) as {
  codes: { mcc?: string; from?: string; to?: string }[];
};
const listed = codes.flatMap(({ mcc, from, to }) => {
  const [first, last] = mccRange(mcc ?? `${from}-${to}`);
  return Array.from({ length: last - first + 1 }, (_, i) => String(first + i).padStart(4, '0'));
});
const kinds = loadSupplyKinds();

describe('the table of goods and services', () => {
  it('is sound, and says of each merchant category code what its merchants sell', () => {
    expect(kindProblems(table)).toEqual([]);
    expect(listed.filter((code) => kinds.ofCode(code) === undefined)).toEqual([]);
  });

  it('has ranges that begin and end with codes of the list', () => {
    const ends = table.codes.flatMap((r) => r.mccRanges.flatMap((range) => range.split('-')));
    expect(ends.filter((code) => !listed.includes(code))).toEqual([]);
  });

  it.each([
    // Tangible property (article 14(1)); electricity and gas are (article 15(1)), charging a car too (C-282/22).
    ...['5411', '5732', '5942', '5912', '5541', '5552', '5651'].map((code) => [code, 'GOODS'] as const),
    // All else (article 24(1)), telecommunications (24(2)), digitised products (282/2011, article 7), meals (article 6(1)).
    ...['7372', '4814', '5816', '5812', '7011', '3000', '8111', '7230'].map((code) => [code, 'SERVICES'] as const),
    // Food to take away or to eat there (282/2011, article 6(2)), copies (C-88/09), works (14(3)), software on a disc or not.
    ...['5814', '2741', '1520', '5734', '4900', '5262'].map((code) => [code, 'BOTH'] as const),
  ])('has %s as %s', (code, kind) => expect(kinds.ofCode(code)).toBe(kind));

  it('is refused where a code stands twice, a source is missing or a supply is left out', () => {
    const [row] = table.codes;
    if (!row) throw new Error('the table has no rows');
    const twice = { ...table, codes: [...table.codes, row] };
    expect(kindProblems(twice)).toContain(`code ${mccRange(row.mccRanges[0] as string)[0]} stands in two rows`);
    const from = { ...table, codes: [{ ...row, source: 'hearsay' }, ...table.codes.slice(1)] };
    expect(kindProblems(from)).toContain('row 1: no source hearsay');
    expect(kindProblems({ ...table, supplies: table.supplies.slice(1) })).toEqual([
      'lodging must stand in one row of supplies',
    ]);
  });
});

describe('a sale', () => {
  it.each([
    ['what the caller says, whatever the code is', { told: 'SERVICES', mcc: '5732' }, 'SERVICES'],
    ['what the caller says is sold', { supply: 'restaurants', mcc: '5411' }, 'SERVICES'],
    ['a book by its merchant, in print', { supply: 'books', mcc: '5942' }, 'GOODS'],
    ['a book by its merchant, downloaded', { supply: 'books', mcc: '5815' }, 'SERVICES'],
    ['a book of nobody knows which merchant', { supply: 'books' }, 'CODE_OF_BOTH'],
    ['what its code sells', { mcc: '5732' }, 'GOODS'],
    ['unknown by a code of both', { mcc: '5814' }, 'CODE_OF_BOTH'],
    ['unknown without a code', {}, 'NO_CODE'],
    ['unknown by a code that no table has', { mcc: '0001' }, 'CODE_OF_BOTH'],
    [
      'a basket of groceries and what a supermarket sells besides',
      { goods: ['groceries', 'other'], mcc: '5411' },
      'GOODS',
    ],
    ['a basket without categories', { goods: [undefined], mcc: '5411' }, 'GOODS'],
    [
      'unknown in a basket of groceries and a meal',
      { goods: ['groceries', 'restaurants'], mcc: '5411' },
      'BASKET_OF_BOTH',
    ],
    ['unknown in a basket with something unknown', { goods: ['groceries', 'other'] }, 'NO_CODE'],
    ['what the caller says of a basket', { told: 'GOODS', goods: ['groceries', 'restaurants'] }, 'GOODS'],
  ] as const)('is %s', (_, said, kind) => expect(kinds.of(said)).toBe(kind));
});
