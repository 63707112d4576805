// A country file is accepted or rejected as a whole, with every problem named by its row.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeRows, taxCountry, taxRow, untaxed } from '../../../test/support/tax-rows.ts';
import { countryProblems } from './problems.ts';
import type { CountryTax, TaxRule } from './rule.ts';

const problems = (...rows: TaxRule[]) => countryProblems(taxCountry([...rows, ...feeRows])).map(String);
const first = (over: Record<string, unknown>) => problems(taxRow(over as Partial<TaxRule>));
const without = (field: string) => {
  const { [field as 'rate']: _, ...rest } = taxRow();
  return problems(rest as TaxRule);
};

describe('a country file', () => {
  it('that is complete has no problem', () => {
    expect(problems(taxRow())).toEqual([]);
  });

  it.each([
    ['no jurisdiction', { jurisdiction: undefined }, 'jurisdiction must be two capital letters'],
    ['a jurisdiction in small letters', { jurisdiction: 'aa' }, 'jurisdiction must be two capital letters'],
    ['a jurisdiction with something before it', { jurisdiction: '-AA' }, 'jurisdiction must be two capital letters'],
    ['a jurisdiction of three letters', { jurisdiction: 'AAA' }, 'jurisdiction must be two capital letters'],
    ['no time zone', { timeZone: undefined }, "timeZone 'undefined' is not known"],
    ['a time zone nobody knows', { timeZone: 'Africa/Atlantis' }, "timeZone 'Africa/Atlantis' is not known"],
    ['no currency', { currency: '' }, 'currency must be three capital letters'],
    ['a currency with something before it', { currency: '-EUR' }, 'currency must be three capital letters'],
    ['a currency of four letters', { currency: 'EURO' }, 'currency must be three capital letters'],
    ['no sources', { sources: undefined }, 'sources must be an object'],
    ['no rules', { rules: undefined }, 'rules must be an array of rows'],
    ['a rule that is no row', { rules: [null] }, 'rules must be an array of rows'],
    ['a rule that is no row after one that is', { rules: [taxRow(), null] }, 'rules must be an array of rows'],
    [
      'a source without a title',
      { sources: { act: { publisher: 'x', url: null, retrievedOn: '2026-01-01' } } },
      "source 'act' needs",
    ],
    [
      'a source whose title is blank',
      { sources: { act: { title: ' ', publisher: 'x', url: null, retrievedOn: '2026-01-01' } } },
      "source 'act' needs",
    ],
    [
      'a source whose address stands within a text',
      { sources: { act: { title: 't', publisher: 'x', url: 'see https://tax.example', retrievedOn: '2026-01-01' } } },
      "source 'act' needs",
    ],
    [
      'a source retrieved on no day',
      { sources: { act: { title: 't', publisher: 'x', url: null, retrievedOn: '2026-02-30' } } },
      "source 'act' needs",
    ],
    [
      'a source whose address is none',
      { sources: { act: { title: 't', publisher: 'x', url: 'javascript:1', retrievedOn: '2026-01-01' } } },
      "source 'act' needs",
    ],
  ])('is refused for %s', (_, over, why) => {
    const file = { ...taxCountry([taxRow(), ...feeRows]), ...over } as CountryTax;
    expect(countryProblems(file).join('\n')).toContain(why);
  });

  it.each(['2026-02-30', '2026-13', '26', 'May 2026'])('is refused for a source published on %s', (publishedOn) => {
    const act = { title: 't', publisher: 'x', url: null, retrievedOn: '2026-06-01', publishedOn };
    const file = { ...taxCountry([taxRow(), ...feeRows]), sources: { act } } as CountryTax;
    expect(countryProblems(file).join('\n')).toContain("source 'act' needs");
  });

  it.each(['2026-02-28', '2026-02', '2026', null, undefined])('takes a source published on %s', (publishedOn) => {
    const file = taxCountry([taxRow(), ...feeRows]);
    const sources = Object.fromEntries(Object.entries(file.sources).map(([k, s]) => [k, { ...s, publishedOn }]));
    expect(countryProblems({ ...file, sources } as CountryTax)).toEqual([]);
  });
});

describe('any JSON at all', () => {
  const sound = () => JSON.parse(JSON.stringify(taxCountry([taxRow(), ...feeRows])));

  it('in the place of any member is answered with problems or none, never with a fault', () => {
    const odd = ['constructor', '__proto__', '9'.repeat(60), '2026-02-30', { toString: false }];
    const junk = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(...odd));
    const path = fc.array(fc.nat(), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(path, junk, fc.boolean(), (steps, value, drop) => {
        const file = sound();
        let at = file;
        for (const [depth, step] of steps.entries()) {
          const keys = Object.keys(at);
          const key = keys[step % keys.length] as string;
          const deeper = at[key];
          if (depth < steps.length - 1 && typeof deeper === 'object' && Object.keys(deeper ?? {}).length > 0) {
            at = deeper;
            continue;
          }
          if (drop && Array.isArray(at)) at.splice(Number(key), 1);
          else if (drop) delete at[key];
          else at[key] = value;
          break;
        }
        for (const p of countryProblems(file).map(String)) expect(p.length).toBeGreaterThan(10);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('a row', () => {
  it.each([
    ['a ruleId in small letters', { ruleId: 'aa-vat' }, 'ruleId must be'],
    ['a ruleId too short', { ruleId: 'A' }, 'ruleId must be'],
    ['a ruleId with a blank before it', { ruleId: ' AA-VAT' }, 'ruleId must be'],
    ['a ruleId with a blank behind it', { ruleId: 'AA-VAT ' }, 'ruleId must be'],
    ['a taxCode in small letters', { taxCode: 'vat' }, 'taxCode must be'],
    ['a taxCode with something before it', { taxCode: 'xVAT' }, 'taxCode must be'],
    ['a taxCode with something behind it', { taxCode: 'VATx' }, 'taxCode must be'],
    ['an unknown category', { category: 'luxury' }, "category 'luxury' is not known"],
    ['an unknown base', { base: 'TURNOVER' }, "base 'TURNOVER' is not known"],
    ['no operation', { operations: [] }, 'operations must name at least one'],
    ['an unknown operation', { operations: ['verifyTransaction', 'sell'] }, "operation 'sell' is not known"],
    ['operations that are no list', { operations: 'deposit' }, 'operations must name at least one'],
    ['classifications that are no list', { classifications: 'ECOMM_LOCAL' }, 'classifications must be an array'],
    ['a classification that is no text', { classifications: ['ECOMM_LOCAL', 1] }, 'classifications must be an array'],
    ['an mcc of three digits', { mccRanges: ['541'] }, 'mccRanges must look like'],
    ['an mcc range with words', { mccRanges: ['5411 to 5499'] }, 'mccRanges must look like'],
    ['an mcc with something before it', { mccRanges: ['x5411'] }, 'mccRanges must look like'],
    ['an mcc of five digits', { mccRanges: ['54111'] }, 'mccRanges must look like'],
    ['an mcc range the wrong way round', { mccRanges: ['5814-5812'] }, 'mccRanges must look like'],
    ['product lines in capitals', { productLines: ['Sports'] }, 'productLines must be'],
    ['one product line in capitals', { productLines: ['sports', 'Casino'] }, 'productLines must be'],
    ['compoundsOn that is no list', { compoundsOn: null }, 'compoundsOn must be an array'],
    ['compoundsOn a tax the file does not have', { compoundsOn: ['EXICSE'] }, "compoundsOn 'EXICSE' is no tax"],
    ['a rate as a number', { rate: 20 }, "rate '20' must be a percentage as text"],
    ['a rate with a percent sign', { rate: '20%' }, "rate '20%' must be a percentage as text"],
    ['a rate with a decimal comma', { rate: '7,5' }, "rate '7,5' must be a percentage as text"],
    ['an empty rate', { rate: '' }, "rate '' must be a percentage as text"],
    ['a negative rate', { rate: '-1' }, "rate '-1' must be a percentage as text"],
    ['a rate of 0 without a reason', { rate: '0' }, 'a rate of 0 needs its reason'],
    ['a rate of 0 with a blank reason', { rate: '0', reason: ' ' }, 'a rate of 0 needs its reason'],
    ['a rate of 0.00 without a reason', { rate: '0.00' }, 'a rate of 0 needs its reason'],
    [
      'a rate and an amount',
      { unitAmount: '1', currency: 'EUR' },
      'exactly one of rate, unitAmount, brackets and slabs',
    ],
    ['an amount without its currency', { rate: undefined, unitAmount: '0.09' }, 'unitAmount needs its currency'],
    [
      'an amount that is none',
      { rate: undefined, unitAmount: 'x', currency: 'EUR' },
      "unitAmount 'x' must be an amount",
    ],
    [
      'an amount as a number',
      { rate: undefined, unitAmount: 1, currency: 'EUR' },
      "unitAmount '1' must be an amount as text",
    ],
    [
      'a negative amount',
      { rate: undefined, unitAmount: '-1', currency: 'EUR' },
      "unitAmount '-1' must be an amount as text",
    ],
    ['a percentage of a quantity', { base: 'MINUTES' }, 'unitAmount belongs to the bases MINUTES'],
    [
      'an amount per unit of money',
      { rate: undefined, unitAmount: '1', currency: 'EUR' },
      'unitAmount belongs to the bases MINUTES',
    ],
    ['a threshold that is none', { threshold: 'ten' }, 'threshold must be an amount as text'],
    ['a tax on deposits in a withdrawal', { base: 'DEPOSIT_VALUE', operations: ['withdrawal'] }, 'has no base'],
    ['a tax on stakes in a payout', { base: 'STAKE', operations: ['captureWager', 'capturePayout'] }, 'has no base'],
    ['what is left of a sale in a deposit', { base: 'REMITTANCE', operations: ['deposit'] }, 'has no base'],
    ['a tax on calls in a sale', { base: 'CALL_COST' }, 'the operation verifyTransaction has no base CALL_COST'],
    ['a threshold as a number', { threshold: 10 }, 'threshold must be an amount as text'],
    ['an unknown bearer', { bearer: 'STATE' }, "bearer 'STATE' is not known"],
    ['inTransaction that is neither', { inTransaction: 'yes' }, 'inTransaction must be true or false'],
    ['a periodic base in the transaction', { base: 'GGR_PERIOD' }, 'a GGR_PERIOD row accrues'],
    ['an unknown rounding', { rounding: 'UP' }, "rounding 'UP' is not known"],
    ['exempt origins that are no codes', { exemptOrigins: ['Kenya'] }, 'exemptOrigins must be'],
    ['one exempt origin that is no code', { exemptOrigins: ['KE', 'Tanzania'] }, 'exemptOrigins must be'],
    ['an exempt origin with something before it', { exemptOrigins: ['-KE'] }, 'exemptOrigins must be'],
    ['an exempt origin of three letters', { exemptOrigins: ['KEN'] }, 'exemptOrigins must be'],
    ['a sunset on no day', { sunsetOn: 'soon' }, "sunsetOn 'soon' is not a date"],
    ['a start on no day', { validFrom: '2025-02-29' }, "validFrom '2025-02-29' is not a date"],
    ['a start with a time', { validFrom: '2025-01-01T00:00:00Z' }, 'is not a date'],
    ['an end before its start', { validTo: '2019-12-31' }, 'validTo must be null or a later date'],
    ['an end on its start', { validTo: '2020-01-01' }, 'validTo must be null or a later date'],
    ['no end at all', { validTo: undefined }, 'validTo must be null or a later date'],
    ['a source the file does not have', { source: 'press' }, "source 'press' is not among the file's sources"],
    ['a source that objects inherit', { source: 'constructor' }, "source 'constructor' is not among"],
    ['an unknown confidence', { confidence: 'sure' }, "confidence 'sure' is not known"],
    ['more confidence than its source gives', { source: 'design' }, 'can only back an assumed or unverified row'],
  ])('is refused for %s, and named', (_, over, why) => {
    const found = first(over);
    expect(found.join('\n')).toContain(why);
    const id = (over as { ruleId?: string }).ruleId ?? 'AA-VAT-STANDARD-2020';
    for (const p of found) expect(p).toMatch(`row 1 (${id})`);
  });

  it.each(['source', 'rate', 'validFrom', 'base', 'operations', 'rounding', 'bearer', 'confidence', 'mccRanges'])(
    'is refused without %s',
    (field) => {
      expect(without(field).join('\n')).toContain('row 1 (AA-VAT-STANDARD-2020)');
    },
  );

  it('may bear an amount of 0 per unit', () => {
    const { rate: _, ...row } = taxRow({
      ruleId: 'AA-TWO',
      taxCode: 'LEVY',
      base: 'MINUTES',
      operations: ['recordCDR'],
    });
    expect(problems(taxRow(), { ...row, unitAmount: '0', currency: 'EUR' })).toEqual([]);
  });

  it('without a ruleId is named by its number', () => {
    expect(without('ruleId')[0]).toMatch(/^row 1 \(no ruleId\): /);
  });

  it('is told all its faults at once, and so is every other row', () => {
    const found = problems(taxRow({ rate: 'x', validFrom: 'y' }), taxRow({ ruleId: 'AA-2', rounding: 'UP' as 'DOWN' }));
    expect(found).toHaveLength(3);
    expect(found[2]).toMatch(/^row 2 \(AA-2\): rounding/);
  });

  it('may not bear the ruleId of another', () => {
    expect(problems(taxRow({ validTo: '2025-01-01' }), taxRow({ validFrom: '2025-01-01' }))).toEqual([
      'row 2 (AA-VAT-STANDARD-2020): ruleId occurs twice',
    ]);
  });
});

describe('two rows', () => {
  const pair = (a: Partial<TaxRule>, b: Partial<TaxRule>) =>
    problems(taxRow({ ruleId: 'AA-ONE', ...a }), taxRow({ ruleId: 'AA-TWO', ...b })).filter((p) =>
      p.includes('overlaps'),
    );
  const message = 'row 2 (AA-TWO): overlaps row 1 (AA-ONE)';

  it.each([
    ['of the same tax on the same days', {}, {}],
    ['by one day', { validTo: '2026-01-02' }, { validFrom: '2026-01-01' }],
    ['contained in the gross and added to it: both are the tax of the sale', {}, { base: 'NET_ADD_ON' }],
    [
      'of one classification',
      { classifications: ['ECOMM_LOCAL', 'ECOMM_GLOBAL'] },
      { classifications: ['ECOMM_GLOBAL'] },
    ],
    ['of one mcc', { mccRanges: ['5411'] }, { mccRanges: ['7995', '5411'] }],
    ['of mcc ranges equally wide that meet', { mccRanges: ['5411-5413'] }, { mccRanges: ['5413-5415'] }],
    ['of one product line', { productLines: ['sports'] }, { productLines: ['sports', 'casino'] }],
    [
      'of as many operations that share one',
      { operations: ['deposit', 'withdrawal'] },
      { operations: ['deposit', 'cryptoDeposit'] },
    ],
    [
      'of voice both',
      { category: 'telecom_voice', base: 'CALL_COST', operations: ['recordCDR'] },
      { category: 'telecom_voice', base: 'CALL_COST', operations: ['recordCDR'] },
    ],
    [
      'of voice, and of call records of any kind',
      { category: 'telecom_voice', base: 'CALL_COST', operations: ['recordCDR'] },
      { base: 'CALL_COST', operations: ['recordCDR'] },
    ],
  ] as [string, Partial<TaxRule>, Partial<TaxRule>][])('overlap: %s', (_, a, b) => {
    expect(pair(a, b)).toEqual([message]);
    expect(pair(b, a)).toEqual([message]);
  });

  it.each([
    ['follow each other', { validTo: '2026-01-01' }, { validFrom: '2026-01-01' }],
    ['are of different taxes', {}, { taxCode: 'LEVY' }],
    ['are of the sale and of the fee', {}, { base: 'FEE', category: 'payment_service', operations: ['recordCDR'] }],
    ['are of the transaction and of the period', {}, { inTransaction: false }],
    ['are wide and narrow in mcc', { mccRanges: ['5411-5499'] }, { mccRanges: ['5411'] }],
    ['are of every mcc and of one', {}, { mccRanges: ['5411'] }],
    ['are of every classification and of one', {}, { classifications: ['ECOMM_LOCAL'] }],
    ['are of two classifications', { classifications: ['ECOMM_LOCAL'] }, { classifications: ['CRYPTO_LOCAL'] }],
    ['are of every product line and of one', {}, { productLines: ['sports'] }],
    ['name more and fewer operations', { operations: ['deposit'] }, { operations: ['deposit', 'withdrawal'] }],
    ['are of every client and of those of a flat rate', {}, { client: 'FLAT_RATE' }],
    ['are of every client and of a reduced flat rate', {}, { client: 'FLAT_RATE', category: 'reduced' }],
    ['are published reduced rates', { category: 'reduced', rate: '5' }, { category: 'reduced', rate: '9' }],
    ['are the standard rate and a published reduced one', {}, { category: 'super_reduced', rate: '5' }],
    [
      'are of voice and of messages',
      { category: 'telecom_voice', base: 'CALL_COST', operations: ['recordCDR'] },
      { category: 'telecom_sms', base: 'CALL_COST', operations: ['recordCDR'] },
    ],
  ] as [string, Partial<TaxRule>, Partial<TaxRule>][])('do not overlap when they %s', (_, a, b) => {
    expect(pair(a, b)).toEqual([]);
    expect(pair(b, a)).toEqual([]);
  });
});

describe('coverage', () => {
  const noSale = 'no sale rule for verifyTransaction on';

  it('is not by rows that leave out some of what is sold', () => {
    expect(problems(taxRow({ exceptSupplies: ['books'] }))).toEqual([`${noSale} 2024-01-01`]);
    expect(problems(taxRow({ exceptOnTheSpot: true }))).toEqual([`${noSale} 2024-01-01`]);
  });

  it('starts no later than 2024-01-01', () => {
    expect(first({ validFrom: '2024-01-01' })).toEqual([]);
    expect(first({ validFrom: '2024-01-02' })).toEqual([`${noSale} 2024-01-01`]);
  });

  it('has no gap between two rows: the first day not covered is named', () => {
    expect(
      problems(taxRow({ validTo: '2025-07-01' }), taxRow({ ruleId: 'AA-VAT-NEW-2025', validFrom: '2025-07-02' })),
    ).toEqual([`${noSale} 2025-07-01`]);
  });

  it('is not by rows for some clients only', () => {
    expect(problems(taxRow({ client: 'FLAT_RATE' }))).toEqual([`${noSale} 2024-01-01`]);
  });

  it('has no end', () => {
    expect(first({ validTo: '2027-01-01' })).toEqual([`${noSale} 2027-01-01`]);
  });

  it('is the same in whatever order the rows stand', () => {
    const [before, after] = [taxRow({ validTo: '2025-07-01' }), taxRow({ ruleId: 'AA-NEW', validFrom: '2025-07-01' })];
    expect(problems(before, after)).toEqual([]);
    expect(problems(after, before)).toEqual([]);
  });

  it('lasts as long as the tax that lasts longest', () => {
    const levy = taxRow({ ruleId: 'AA-LEVY', taxCode: 'LEVY', validFrom: '2021-01-01', validTo: '2025-01-01' });
    const then = taxRow({ ruleId: 'AA-NEW', validFrom: '2026-01-01' });
    expect(problems(taxRow({ validTo: '2026-01-01' }), levy, then)).toEqual([]);
  });

  it('is not given by rows for one classification, one mcc, one product line or reduced rates', () => {
    for (const over of [
      { productLines: ['sports'] },
      { classifications: ['ECOMM_LOCAL'] },
      { mccRanges: ['5411'] },
      { category: 'reduced' },
      { inTransaction: false },
      { operations: ['deposit'] },
    ])
      expect(first(over)).toContain(`${noSale} 2024-01-01`);
  });

  it.each(['verifyTransaction', 'deposit', 'withdrawal', 'cryptoDeposit', 'cryptoWithdrawal'] as const)(
    'is asked of the fees of %s too',
    (operation) => {
      const rows = feeRows.map((r) => ({ ...r, operations: r.operations.filter((o) => o !== operation) }));
      expect(countryProblems(taxCountry([taxRow(), ...rows])).map(String)).toEqual([
        `no fee rule for ${operation} on 2024-01-01`,
      ]);
    },
  );

  it('is met by a stated absence of tax', () => {
    expect(first({ category: 'none', rate: '0', reason: 'NO_VAT' })).toEqual([]);
  });
});

describe('compounding', () => {
  const levy = (over: Partial<TaxRule>) => taxRow({ ruleId: `AA-${over.taxCode}`, ...over });

  it('in a circle is refused, and the circle named', () => {
    expect(problems(taxRow({ compoundsOn: ['LEVY'] }), levy({ taxCode: 'LEVY', compoundsOn: ['VAT'] }))).toEqual([
      'taxes compound on each other in a circle: VAT on LEVY on VAT',
    ]);
    expect(first({ compoundsOn: ['VAT'] })).toEqual(['taxes compound on each other in a circle: VAT on VAT']);
  });

  it('in a circle further on is named from where it begins', () => {
    expect(
      problems(
        taxRow({ compoundsOn: ['LEVY'] }),
        levy({ taxCode: 'LEVY', compoundsOn: ['EXCISE'] }),
        levy({ taxCode: 'EXCISE', compoundsOn: ['LEVY'] }),
      ),
    ).toEqual(['taxes compound on each other in a circle: LEVY on EXCISE on LEVY']);
  });

  it('in a circle is found behind what is none', () => {
    const excise = levy({ taxCode: 'EXCISE' });
    expect(
      problems(taxRow({ compoundsOn: ['EXCISE', 'LEVY'] }), levy({ taxCode: 'LEVY', compoundsOn: ['VAT'] }), excise),
    ).toEqual(['taxes compound on each other in a circle: VAT on LEVY on VAT']);
    expect(
      problems(taxRow({ compoundsOn: ['EXCISE'] }), levy({ taxCode: 'LEVY', compoundsOn: ['LEVY'] }), excise),
    ).toEqual(['taxes compound on each other in a circle: LEVY on LEVY']);
  });

  it('in a line, and on two at once, is good', () => {
    expect(
      problems(
        taxRow({ compoundsOn: ['LEVY', 'EXCISE'] }),
        levy({ taxCode: 'LEVY', compoundsOn: ['EXCISE'] }),
        levy({ taxCode: 'EXCISE' }),
      ),
    ).toEqual([]);
  });

  it('is no circle when the two stand on different bases', () => {
    const fee = { base: 'FEE', category: 'payment_service', ...untaxed } as const;
    expect(
      problems(
        taxRow({ compoundsOn: ['LEVY'] }),
        levy({ taxCode: 'LEVY' }),
        levy({ ruleId: 'AA-LEVY-FEE', taxCode: 'LEVY', compoundsOn: ['VAT'], ...fee }),
        levy({ taxCode: 'CALLS', base: 'CALL_COST', category: 'telecom_voice', operations: ['recordCDR'] }),
      ),
    ).toEqual([]);
  });
});

describe('a tax on calls', () => {
  const levy = (over: Partial<TaxRule> = {}): TaxRule =>
    taxRow({
      ...{
        ruleId: 'AA-LEVY',
        taxCode: 'LEVY',
        category: 'telecom_voice',
        base: 'CALL_COST',
        operations: ['recordCDR'],
      },
      ...{ inTransaction: false, bearer: 'OPERATOR' },
      ...over,
    });
  const found = (...rows: readonly TaxRule[]) => problems(taxRow(), ...rows);

  it('is part of each call or due by return, and not both on one day', () => {
    const borne = levy({ ruleId: 'AA-LEVY-SMS', category: 'telecom_sms', inTransaction: true });
    expect(found(levy(), borne)).toEqual([
      'row 3 (AA-LEVY-SMS): a tax on calls is part of each call or due by return, and row 2 (AA-LEVY) has it the other way',
    ]);
    expect(found(borne, levy())).toHaveLength(1);
    expect(found(levy({ validTo: '2026-01-01' }), { ...borne, validFrom: '2026-01-01' })).toEqual([]);
    expect(found(levy(), { ...borne, taxCode: 'OTHER' })).toEqual([]);
    // On sales a code may be both.
    const onSales = taxRow({
      ruleId: 'AA-ADDED',
      taxCode: 'LEVY',
      base: 'NET_ADD_ON',
      operations: ['verifyTransaction'],
    });
    expect(found(levy(), onSales)).toEqual([]);
  });

  it('by return names to whom it is paid, and not who owes it: that is the operator', () => {
    expect(found(levy({ authority: 'The regulator' }))).toEqual([]);
    expect(found(levy({ owedBy: 'PSP' }))[0]).toMatch(/^row 2 \(AA-LEVY\): owedBy is one of .* of a tax on payments/);
    expect(found(levy({ inTransaction: true, authority: 'The regulator' }))[0]).toMatch(/: authority names to whom/);
    expect(found(levy({ authority: ' ' }))[0]).toMatch(/: authority names to whom/);
  });

  it('on recharges is due by return, since no call holds one, and overlaps with no row of calls', () => {
    expect(found(levy({ base: 'RECHARGE', authority: 'The treasury' }))).toEqual([]);
    expect(found(levy({ base: 'RECHARGE', inTransaction: true }))[0]).toMatch(/: no call holds a recharge/);
    expect(found(levy({ base: 'RECHARGE' }), levy({ ruleId: 'AA-LEVY-2' }))).toEqual([]);
    expect(found(levy({ base: 'RECHARGE', operations: ['deposit'] }))[0]).toMatch(/the operation deposit has no base/);
  });
});
