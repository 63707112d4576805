// Which rules answer a question: the narrowest in force, one per tax, deterministically.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeRows, taxCountry, taxRow, untaxed } from '../../../test/support/tax-rows.ts';
import { RuleBook, type TaxQuestion } from './book.ts';
import { countryProblems } from './problems.ts';
import type { TaxRule } from './rule.ts';

const question: TaxQuestion = {
  jurisdiction: 'AA',
  operation: 'verifyTransaction',
  classification: 'ECOMM_LOCAL',
  date: '2026-11-21',
};
const bookOf = (...rows: TaxRule[]) => new RuleBook('v', [taxCountry([...rows, ...feeRows])]);
const plan = (rows: TaxRule[], over: Partial<TaxQuestion> = {}) => bookOf(...rows).plan({ ...question, ...over });
const ids = (rows: TaxRule[], over: Partial<TaxQuestion> = {}) => plan(rows, over)?.inclusive.map((c) => c.rule.ruleId);
const row = (ruleId: string, over: Partial<TaxRule> = {}) => taxRow({ ruleId, ...over });

describe('choosing', () => {
  const general = row('GENERAL');

  it.each([
    ['the one for its mcc', { mccRanges: ['5411'] }, { mcc: '5411' }],
    ['the one whose range holds its mcc', { mccRanges: ['0742-0780', '5400-5499'] }, { mcc: '5411' }],
    ['the one for its classification', { classifications: ['ECOMM_LOCAL'] }, {}],
    ['the one for its product line', { productLines: ['sports'] }, { productLine: 'sports' }],
  ] as [string, Partial<TaxRule>, Partial<TaxQuestion>][])(
    'takes %s before the general one, whichever stands first',
    (_, over, q) => {
      const narrow = row('NARROW', over);
      expect(ids([general, narrow], q)).toEqual(['NARROW']);
      expect(ids([narrow, general], q)).toEqual(['NARROW']);
    },
  );

  it.each([
    ['another mcc', { mccRanges: ['5411'] }, { mcc: '5412' }],
    ['an mcc just below the range', { mccRanges: ['5411-5499'] }, { mcc: '5410' }],
    ['an mcc just above the range', { mccRanges: ['5411-5499'] }, { mcc: '5500' }],
    ['no mcc', { mccRanges: ['5411'] }, {}],
    ['another classification', { classifications: ['CRYPTO_LOCAL'] }, {}],
    ['another product line', { productLines: ['sports'] }, { productLine: 'casino' }],
    ['no product line', { productLines: ['sports'] }, {}],
  ] as [string, Partial<TaxRule>, Partial<TaxQuestion>][])('leaves a narrow row aside for %s', (_, over, q) => {
    expect(ids([row('NARROW', over), general], q)).toEqual(['GENERAL']);
  });

  it('takes the narrowest of several mcc ranges that hold the code, also within one row', () => {
    const rows = [
      row('WIDE', { mccRanges: ['5000-5999'] }),
      row('MIDDLE', { mccRanges: ['5400-5499', '0742'] }),
      row('ONE', { mccRanges: ['1000-9999', '5411'] }),
    ];
    expect(ids(rows, { mcc: '5411' })).toEqual(['ONE']);
    expect(ids(rows, { mcc: '5412' })).toEqual(['MIDDLE']);
    expect(ids(rows, { mcc: '5999' })).toEqual(['WIDE']);
    expect(ids(rows, { mcc: '7995' })).toEqual(['ONE']);
  });

  it('asks for the mcc first, then the product line, the classification, and the fewest operations', () => {
    const rows = [
      row('MCC', { mccRanges: ['5000-5999'] }),
      row('LINE', { productLines: ['sports'] }),
      row('CLASS', { classifications: ['ECOMM_LOCAL'] }),
      row('MANY', { operations: ['verifyTransaction', 'deposit'] }),
      general,
    ];
    const all = { mcc: '5411', productLine: 'sports' };
    expect(ids(rows, all)).toEqual(['MCC']);
    expect(ids(rows.slice(1), all)).toEqual(['LINE']);
    expect(ids(rows.slice(2), all)).toEqual(['CLASS']);
    expect(ids(rows.slice(3), all)).toEqual(['GENERAL']);
  });

  it('never takes a reduced rate that names no mcc, though no other row is there', () => {
    const reduced = [row('R', { category: 'reduced', rate: '5' }), row('S', { category: 'super_reduced', rate: '2' })];
    expect(ids([...reduced, general])).toEqual(['GENERAL']);
    expect(plan(reduced)).toBeUndefined();
    expect(ids([row('R', { category: 'reduced', rate: '5', mccRanges: ['5942'] }), general], { mcc: '5942' })).toEqual([
      'R',
    ]);
  });

  it('keeps to the days a row is in force: from its first, to the day before its end', () => {
    const rows = [row('OLD', { validTo: '2025-07-01' }), row('NEW', { validFrom: '2025-07-01' })];
    expect(ids(rows, { date: '2025-06-30' })).toEqual(['OLD']);
    expect(ids(rows, { date: '2025-07-01' })).toEqual(['NEW']);
    expect(plan(rows, { date: '2019-12-31' })).toBeUndefined();
  });

  it('takes one row of each tax', () => {
    const rows = [
      general,
      row('LEVY', { taxCode: 'LEVY', rate: '2.5' }),
      row('NARROW', { taxCode: 'LEVY', mccRanges: ['5411'] }),
    ];
    expect(ids(rows)).toEqual(['GENERAL', 'LEVY']);
    expect(ids(rows, { mcc: '5411' })).toEqual(['GENERAL', 'NARROW']);
  });

  it('lets an exempt row take the place of the tax it exempts from, and of no other', () => {
    const exempt = row('EXEMPT', { category: 'exempt', mccRanges: ['8011'], ...untaxed });
    expect(ids([general, row('LEVY', { taxCode: 'LEVY' }), exempt], { mcc: '8011' })).toEqual(['EXEMPT', 'LEVY']);
  });

  it('lets an added tax take the place of a contained one where it is narrower', () => {
    const added = row('ADDED', { base: 'NET_ADD_ON', mccRanges: ['7995'] });
    const p = plan([general, added], { mcc: '7995' });
    expect(p?.inclusive).toEqual([]);
    expect(p?.added.map((c) => c.rule.ruleId)).toEqual(['ADDED']);
  });

  it('has contained and added taxes beside each other where they are different taxes', () => {
    const p = plan([general, row('LEVY', { taxCode: 'LEVY', base: 'NET_ADD_ON' })]);
    expect(p?.inclusive.map((c) => c.rule.ruleId)).toEqual(['GENERAL']);
    expect(p?.added.map((c) => c.rule.ruleId)).toEqual(['LEVY']);
  });

  it('keeps voice, messages and data apart', () => {
    const telecom = (category: TaxRule['category']) =>
      row(category.toUpperCase(), { category, base: 'CALL_COST', operations: ['recordCDR'] });
    const p = plan([telecom('telecom_voice'), telecom('telecom_sms'), telecom('telecom_data')], {
      operation: 'recordCDR',
    });
    expect(p?.others.map((c) => c.rule.category)).toEqual(['telecom_data', 'telecom_sms', 'telecom_voice']);
  });

  it('puts what accrues for a return aside, out of the split', () => {
    const ggr = row('GGR', { taxCode: 'GGR', base: 'GGR_PERIOD', inTransaction: false, operations: ['captureWager'] });
    const p = plan([ggr, row('STAKE', { base: 'STAKE', operations: ['captureWager'], ...untaxed })], {
      operation: 'captureWager',
    });
    expect(p?.accruals.map((r) => r.ruleId)).toEqual(['GGR']);
    expect(p?.others.map((c) => c.rule.ruleId)).toEqual(['STAKE']);
  });

  it('is undefined for a country without a file, and where sale or fee has no row: never a silent zero', () => {
    expect(bookOf(general).plan({ ...question, jurisdiction: 'BB' })).toBeUndefined();
    expect(plan([])).toBeUndefined();
    expect(new RuleBook('v', [taxCountry([general])]).plan(question)).toBeUndefined();
    expect(new RuleBook('v', [taxCountry([general])]).plan({ ...question, operation: 'deposit' })).toBeUndefined();
  });

  it('needs no fee row for wagers, payouts and call records', () => {
    for (const operation of ['captureWager', 'capturePayout', 'recordCDR'] as const)
      expect(new RuleBook('v', [taxCountry([])]).plan({ ...question, operation })).toBeDefined();
  });
});

describe('any valid country', () => {
  const candidate = fc.record<Partial<TaxRule>>({
    taxCode: fc.constantFrom('VAT', 'LEVY'),
    category: fc.constantFrom('standard', 'reduced', 'exempt'),
    operations: fc.constantFrom(['verifyTransaction'], ['verifyTransaction', 'deposit']),
    classifications: fc.constantFrom([], [], ['ECOMM_LOCAL'], ['CRYPTO_LOCAL']),
    mccRanges: fc.constantFrom([], [], ['5411'], ['5400-5499'], ['5000-5999', '7995']),
    productLines: fc.constantFrom([], [], ['sports']),
    base: fc.constantFrom('GROSS_INCLUSIVE', 'NET_ADD_ON'),
    validFrom: fc.constantFrom('2024-06-01', '2025-06-01'),
    validTo: fc.constantFrom(null, '2026-06-01'),
  });
  /** Candidates that do not overlap the ones before them. */
  const valid = fc.array(candidate, { maxLength: 12 }).map((list) => {
    const rows = [row('R00', { operations: ['verifyTransaction', 'deposit', 'withdrawal'] })];
    for (const [i, c] of list.entries()) {
      const next = row(`R${String(i + 1).padStart(2, '0')}`, c);
      if (countryProblems(taxCountry([...rows, next, ...feeRows])).length === 0) rows.push(next);
    }
    return rows;
  });
  const asked = fc.record({
    mcc: fc.constantFrom(undefined, '5411', '5412', '7995', '0742'),
    classification: fc.constantFrom('ECOMM_LOCAL', 'CRYPTO_LOCAL', ''),
    productLine: fc.constantFrom(undefined, 'sports', 'casino'),
    date: fc.constantFrom('2024-01-01', '2025-07-01', '2026-05-31', '2026-06-01'),
  });

  it('answers the same whatever the order of its rows, and one row per tax', () => {
    fc.assert(
      fc.property(valid, asked, fc.infiniteStream(fc.nat()), (rows, q, keys) => {
        const p = plan(rows, q);
        const shuffled = rows.map((r) => ({ r, k: keys.next().value })).sort((a, b) => a.k - b.k);
        expect(
          plan(
            shuffled.map(({ r }) => r),
            q,
          ),
        ).toEqual(p);
        const codes = [...(p?.inclusive ?? []), ...(p?.added ?? [])].map((c) => c.rule.taxCode);
        expect(new Set(codes).size).toBe(codes.length);
      }),
      { numRuns: 300 },
    );
  });

  it('answers with no row that a narrower one in force could replace', () => {
    fc.assert(
      fc.property(valid, asked, (rows, q) => {
        const fits = (r: TaxRule) =>
          q.date >= r.validFrom &&
          (r.validTo === null || q.date < r.validTo) &&
          (r.classifications.length === 0 || r.classifications.includes(q.classification)) &&
          (r.mccRanges.length === 0 || width(r) < 10_000) &&
          (!r.productLines?.length || r.productLines.includes(q.productLine ?? '')) &&
          !(r.category === 'reduced' && r.mccRanges.length === 0);
        const width = (r: TaxRule) =>
          Math.min(
            10_000,
            ...r.mccRanges.flatMap((t) => {
              const [from, to = from] = t.split('-') as [string, string?];
              return q.mcc !== undefined && q.mcc >= from && q.mcc <= to ? [Number(to) - Number(from)] : [];
            }),
          );
        const measure = (r: TaxRule) => [
          width(r),
          r.productLines?.length ? 0 : 1,
          r.classifications.length > 0 ? 0 : 1,
          r.operations.length,
        ];
        const less = (a: number[], b: number[]) => {
          const i = a.findIndex((x, j) => x !== b[j]);
          return i >= 0 && (a[i] as number) < (b[i] as number);
        };
        const p = plan(rows, q);
        for (const { rule } of [...(p?.inclusive ?? []), ...(p?.added ?? [])]) {
          expect(fits(rule)).toBe(true);
          for (const other of rows)
            if (other.taxCode === rule.taxCode && fits(other)) expect(less(measure(other), measure(rule))).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('answers a question asked before with the very same plan', () => {
    const book = bookOf(row('GENERAL'), row('ANY', { mccRanges: ['0000-9999'] }));
    const first = book.plan({ ...question });
    expect(book.plan({ ...question })).toBe(first);
    // More questions than are kept: the answer is made again, and is the same.
    for (const operation of ['verifyTransaction', 'deposit', 'withdrawal'] as const)
      for (let code = 0; code < 10_000; code++)
        book.plan({ ...question, operation, mcc: String(code).padStart(4, '0') });
    expect(book.plan(question)).not.toBe(first);
    expect(book.plan(question)).toEqual(first);
  });

  it('answers with one plan what no rule of the country tells apart, and no more', () => {
    const book = bookOf(
      row('GENERAL'),
      row('MCC', { mccRanges: ['5400-5499'] }),
      row('LINE', { productLines: ['sports'] }),
      row('CLASS', { classifications: ['CRYPTO_LOCAL'] }),
    );
    const general = book.plan(question);
    for (const same of [
      { mcc: '5399' },
      { mcc: '5500' },
      { productLine: 'bingo' },
      { classification: 'PSP' },
      { date: '2026-11-22' },
    ])
      expect(book.plan({ ...question, ...same })).toBe(general);
    for (const other of [
      { mcc: '5400' },
      { mcc: '5499' },
      { productLine: 'sports' },
      { classification: 'CRYPTO_LOCAL' },
      { date: '2019-12-31' },
      { operation: 'deposit' as const },
    ])
      expect(book.plan({ ...question, ...other })).not.toBe(general);
  });
});

describe('effective rates', () => {
  const percent = (rows: TaxRule[], over: Partial<TaxQuestion> = {}) =>
    Object.fromEntries(
      (plan(rows, over)?.inclusive ?? []).map((c) => [c.rule.taxCode, (Number(c.rate.n) / Number(c.rate.d)) * 100]),
    );
  const tax = (taxCode: string, rate: string, ...compoundsOn: string[]) => row(taxCode, { taxCode, rate, compoundsOn });

  it('are the rates themselves where nothing compounds', () => {
    expect(percent([tax('VAT', '7.5')])).toEqual({ VAT: 7.5 });
    const { n, d } = plan([tax('VAT', '15'), tax('NHIL', '2.5')])?.inclusiveRate ?? { n: 0n, d: 1n };
    expect(n * 1000n).toBe(175n * d);
  });

  it('grow by the taxes a tax is charged on: 15 % on a base with 6 % of levies is 15.9 %', () => {
    const rows = [
      tax('VAT', '15', 'NHIL', 'GETFUND', 'COVID'),
      tax('NHIL', '2.5'),
      tax('GETFUND', '2.5'),
      tax('COVID', '1'),
    ];
    expect(percent(rows).VAT).toBeCloseTo(15.9, 12);
    const { n, d } = plan(rows)?.inclusiveRate ?? { n: 0n, d: 1n };
    expect(n * 1000n).toBe(219n * d);
  });

  it('compound through each other', () => {
    const rows = [tax('VAT', '10', 'EXCISE'), tax('EXCISE', '10', 'LEVY'), tax('LEVY', '10')];
    expect(percent(rows).EXCISE).toBeCloseTo(11, 12);
    expect(percent(rows).VAT).toBeCloseTo(11.1, 12);
  });

  it('do not compound on a tax that is not in force', () => {
    const rows = [tax('VAT', '15', 'COVID'), row('COVID', { taxCode: 'COVID', rate: '1', validTo: '2026-01-01' })];
    expect(percent(rows)).toEqual({ VAT: 15 });
    expect(percent(rows, { date: '2025-12-31' }).VAT).toBeCloseTo(15.15, 12);
  });

  it('do not compound on the same tax of another base', () => {
    const fee = { base: 'FEE', category: 'payment_service', operations: ['verifyTransaction'] } as const;
    const rows = [tax('VAT', '10', 'EXCISE'), row('EXCISE-FEE', { taxCode: 'EXCISE', rate: '50', ...fee })];
    expect(percent(rows)).toEqual({ VAT: 10 });
  });

  it('do not compound on the same tax of another kind of call record, nor on themselves', () => {
    const telecom = (taxCode: string, kind: string, rate: string, ...compoundsOn: string[]) =>
      row(`${taxCode}-${kind}`, {
        taxCode,
        category: `telecom_${kind}` as TaxRule['category'],
        base: 'CALL_COST',
        operations: ['recordCDR'],
        rate,
        compoundsOn,
      });
    const rows = [
      telecom('VAT', 'voice', '10', 'EXCISE', 'VAT'),
      telecom('EXCISE', 'voice', '10'),
      telecom('EXCISE', 'data', '50'),
    ];
    const voice = plan(rows, { operation: 'recordCDR' })?.others.find((c) => c.rule.ruleId === 'VAT-voice');
    expect(Number(voice?.rate.n) / Number(voice?.rate.d)).toBeCloseTo(0.11, 12);
  });

  it('of a circle are refused, whoever let it through', () => {
    expect(() => plan([tax('VAT', '10', 'LEVY'), tax('LEVY', '10', 'VAT')])).toThrow('compound in a circle');
  });
});

describe('a book', () => {
  it('finds countries and rules by their names', () => {
    const book = bookOf(row('GENERAL'));
    expect(book.rule('GENERAL')?.rule.ruleId).toBe('GENERAL');
    expect(book.country('AA')?.name).toBe('Aland');
    expect(book.country('BB')).toBeUndefined();
    expect(book.rule('GENERAL')?.country.jurisdiction).toBe('AA');
    expect(book.rule('NONE')).toBeUndefined();
    expect([...book.countries()].map((c) => c.jurisdiction)).toEqual(['AA']);
    expect(book.version).toBe('v');
  });
});
