import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, readFileName, readSequence } from './file-names.ts';

/** Files of the sender MTN: `day hour number`. */
const files = (...names: string[]) =>
  names.map((n) => {
    const [day = '', hour = '', number = ''] = n.split(' ');
    return { name: `CDR_MTN_202610${day}${hour}0000_${number}.csv` };
  });
const gaps = (...names: string[]) => readSequence(files(...names)).gaps.map((g) => `${g.from}-${g.to}`);
const doubled = (...names: string[]) => readSequence(files(...names)).doubled.map((d) => d.number);

describe('a name of the recommended form', () => {
  it('is read in any case', () => {
    expect(readFileName('CDR_MTN-NG_20261021130501_0042.csv')).toEqual({
      operator: 'MTN-NG',
      written: '20261021130501',
      number: 42,
    });
    expect(readFileName('cdr_mtn_20261021130501_1.CSV')?.operator).toBe('MTN');
    expect(dayOf(readFileName('CDR_MTN_20261021130501_1.csv') as never)).toBe('2026-10-21');
  });

  it.each([
    'calls.csv',
    'CDR_MTN_20261021_1.csv',
    'CDR_MTN_20261321130501_1.csv',
    'CDR_MTN_20260230130501_1.csv',
    'CDR_MTN_20261021250501_1.csv',
    'CDR__20261021130501_1.csv',
    'CDR_MTN_20261021130501_.csv',
    'CDR_MTN_20261021130501_1234567890.csv',
    'CDR_MTN_20261021130501_1.csv.part',
  ])('is not %s', (name) => {
    expect(readFileName(name)).toBeUndefined();
  });
});

describe('the numbers of files', () => {
  it('without a gap say nothing, whatever order they come in', () => {
    expect(gaps('01 01 7', '01 03 9', '01 02 8')).toEqual([]);
  });

  it('show what is missing, before the file that shows it', () => {
    const given = files('01 01 7', '01 02 9', '01 03 13');
    expect(readSequence(given).gaps).toEqual([
      { operator: 'MTN', from: 8, to: 8, before: given[1] },
      { operator: 'MTN', from: 10, to: 12, before: given[2] },
    ]);
  });

  it('that are written later fill their gap', () => {
    expect(gaps('01 01 7', '01 02 11', '01 03 9')).toEqual(['8-8', '10-10']);
    expect(gaps('01 01 7', '01 02 9', '01 03 8')).toEqual([]);
  });

  it('that were used before are doubled, on the same day and later', () => {
    expect(doubled('01 01 7', '01 02 8', '01 03 7')).toEqual([7]);
    expect(doubled('01 01 7', '01 02 8', '02 03 8', '02 04 9')).toEqual([8]);
    expect(doubled('01 01 1', '01 02 1')).toEqual([1]);
  });

  it('may begin anew, at 0 or 1 or lower on a later day', () => {
    expect(gaps('01 01 9998', '01 02 9999', '01 03 0', '01 04 1')).toEqual([]);
    expect(gaps('01 01 95', '01 02 96', '02 01 1', '02 02 2')).toEqual([]);
    expect(gaps('01 01 95', '01 02 96', '02 01 3', '02 02 4')).toEqual(['1-2']);
    expect(doubled('01 01 95', '01 02 96', '02 01 1', '02 02 2')).toEqual([]);
  });

  it('are those of one operator each', () => {
    const given = [...files('01 01 1', '01 02 2'), { name: 'CDR_GLO_20261001010000_77.csv' }, { name: 'other.csv' }];
    expect(readSequence(given)).toEqual({ gaps: [], doubled: [] });
  });

  it('left out of a row are found, all of them and no others', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 2, max: 97 }), { maxLength: 40 }), (left) => {
        const there = Array.from({ length: 99 }, (_, i) => i + 1).filter((n) => !left.includes(n));
        const { gaps: found } = readSequence(
          there.map((n) => ({
            name: `CDR_MTN_2026100${1 + Math.floor(n / 24)}${String(n % 24).padStart(2, '0')}0000_${n}.csv`,
          })),
        );
        const missing = found.flatMap((g) => Array.from({ length: g.to - g.from + 1 }, (_, i) => g.from + i));
        expect(missing).toEqual(left.toSorted((a, b) => a - b));
      }),
    );
  });
});
