// The checks of forms refuse what a return could not be made from, and every file that ships is sound.
import { describe, expect, it } from 'vitest';
import { loadRuleBook, readFilingFiles } from '../../platform/data-files.ts';
import { HISTORY_FROM } from '../tax/problems.ts';
import type { TaxRule } from '../tax/rule.ts';
import { type FilingBox, type FilingFile, type FilingForm, holds, isRated, isSelected } from './form.ts';
import { filingProblems } from './problems.ts';

const file: FilingFile = {
  country: 'GB',
  sources: { s: { title: 'Notice 700/12', publisher: 'HMRC', url: 'https://www.gov.uk', retrievedOn: '2026-11-25' } },
  forms: [
    {
      form: 'GB-VAT100',
      title: 'VAT Return',
      authority: 'HM Revenue & Customs',
      taxCodes: ['VAT'],
      currency: 'GBP',
      exchange: { publisher: 'HMRC', rate: 'MONTH', legalRef: null, source: 's', confidence: 'official' },
      periods: [{ months: 3, who: 'Most businesses.' }],
      due: { monthsAfter: 2, day: 7 },
      taxNumber: 'VAT registration number',
      boxes: [
        { box: '1', name: 'VAT due on sales', sum: { figure: 'tax', of: [{ rated: true }] } },
        { box: '4', name: 'VAT reclaimed', given: 'Purchases are not recorded here.' },
        { box: '5', name: 'Net VAT', add: ['1', '-4'] },
        {
          box: '6',
          name: 'Total value of sales',
          sum: { figure: 'taxable', of: [{ rated: true }, { reasons: ['EXEMPT'] }] },
        },
      ],
      payable: '5',
      validFrom: '2024-01-01',
      validTo: null,
      source: 's',
      legalRef: null,
      confidence: 'official',
      says: 'Boxes of the return.',
    },
  ],
};
const form = file.forms[0] as FilingForm;
const having = (change: Record<string, unknown>): FilingFile => ({
  ...file,
  forms: [{ ...form, ...change } as FilingForm],
});
const withBox = (box: Record<string, unknown>): FilingFile =>
  having({ boxes: [...form.boxes, box as unknown as FilingBox] });

/**
 * Rules of the country that have no place in the form, or whose tax has none or several: each line of totals must be
 * declared, and none twice.
 * @param since only rules in force on this day or later
 */
function placeProblems(file: FilingFile, rules: readonly TaxRule[], since: string): string[] {
  const out: string[] = [];
  for (const f of file.forms) {
    for (const code of f.taxCodes)
      if (!rules.some((r) => r.taxCode === code))
        out.push(`${f.form}: the country has no rule with the tax code ${code}`);
    const isMeant = (r: TaxRule) =>
      holds(f, r) &&
      r.reason !== 'UNKNOWN' &&
      (r.validTo === null || (r.validTo > since && r.validTo > f.validFrom)) &&
      (f.validTo === null || r.validFrom < f.validTo);
    for (const r of rules.filter(isMeant))
      for (const operation of r.operations) {
        const boxes = (figure: 'taxable' | 'tax') =>
          f.boxes.filter((b) => b.sum?.figure === figure && b.sum.of.some((s) => isSelected(s, r, operation)));
        const isOutside = f.outside?.some((s) => isSelected(s, r, operation)) === true;
        const taxBoxes = boxes('tax').map((b) => b.box);
        const where = `${f.form}: ${r.ruleId} (${operation})`;
        if (!isOutside && boxes('taxable').length === 0) out.push(`${where} is in no box of taxable amounts`);
        if (taxBoxes.length > 1) out.push(`${where} is in the boxes ${taxBoxes.join(', ')} of taxes`);
        if (!isOutside && isRated(r) && taxBoxes.length === 0) out.push(`${where} is in no box of taxes`);
      }
  }
  return out;
}

describe('a file of forms', () => {
  it('is accepted if it is sound', () => expect(filingProblems(file)).toEqual([]));

  const wrong: [string, FilingFile, string][] = [
    ['a form of another country', having({ form: 'DE-USTVA' }), 'GB-'],
    ['no tax code', having({ taxCodes: [] }), 'taxCodes'],
    ['a currency that is none', having({ currency: 'pounds' }), 'currency'],
    ['a rhythm of five months', having({ periods: [{ months: 5, who: 'All.' }] }), 'periods'],
    ['a rhythm of weeks that begin on no day', having({ periods: [{ weeks: 1, who: 'All.' }] }), 'periods'],
    ['a rhythm of three weeks', having({ periods: [{ weeks: 3, begins: '2024-01-01', who: 'All.' }] }), 'periods'],
    [
      'a rhythm of weeks and months',
      having({ periods: [{ weeks: 1, begins: '2024-01-01', months: 1, who: 'All.' }] }),
      'periods',
    ],
    ['a rhythm from the 29th on', having({ periods: [{ months: 1, firstDay: 29, who: 'All.' }] }), 'periods'],
    [
      'a rhythm with a due day that is none',
      having({ periods: [{ months: 1, who: 'All.', due: { day: 3 } }] }),
      'periods',
    ],
    ['a further source that is not there', having({ furtherSources: ['nowhere'] }), 'furtherSources'],
    ['a rhythm of nobody', having({ periods: [{ months: 3, who: '' }] }), 'periods'],
    ['no rhythm', having({ periods: [] }), 'periods'],
    ['no due day', having({ due: { monthsAfter: 1 } }), 'due'],
    ['two due days', having({ due: { monthsAfter: 1, day: 1, daysAfter: 3 } }), 'due'],
    ['a rate of exchange of no rule', having({ exchange: { ...form.exchange, rate: 'YEAR' } }), 'exchange.rate'],
    ['a source that is not there', having({ source: 'x' }), "source 'x'"],
    ['a payable box that is not there', having({ payable: '9' }), 'payable'],
    ['a payable box of the taxpayer', having({ payable: '4' }), 'filled in by the taxpayer'],
    ['a box twice', withBox({ box: '1', name: 'Again', given: 'x' }), 'stands twice'],
    ['a box filled in two ways', withBox({ box: '7', name: 'Seven', given: 'x', add: ['1'] }), 'exactly one'],
    ['a box filled in no way', withBox({ box: '7', name: 'Seven' }), 'exactly one'],
    ['a box that adds an unknown one', withBox({ box: '7', name: 'Seven', add: ['1', '-8'] }), "adds '-8'"],
    ['a box that adds itself', withBox({ box: '7', name: 'Seven', add: ['1', '7'] }), 'adds up itself'],
    [
      'a selector of nothing known',
      withBox({ box: '7', name: 'Seven', sum: { figure: 'tax', of: [{ rate: '20' }] } }),
      "no 'rate'",
    ],
    [
      'a category that is none',
      withBox({ box: '7', name: 'S', sum: { figure: 'tax', of: [{ categories: ['x'] }] } }),
      "'x'",
    ],
    [
      'a figure that is none',
      withBox({ box: '7', name: 'S', sum: { figure: 'net', of: [{ rated: true }] } }),
      'figure',
    ],
    ['a form twice for one day', { ...file, forms: [form, form] }, 'stands twice for the same days'],
  ];
  it.each(wrong)('is refused for %s', (_, changed, says) => expect(filingProblems(changed).join('\n')).toContain(says));

  it('is refused for a source without address behind what is called official', () => {
    const sources = { s: { ...file.sources.s, url: null } } as FilingFile['sources'];
    expect(filingProblems({ ...file, sources }).join('\n')).toContain('can only back');
  });
});

describe('the places of rules in a form', () => {
  const rule = (r: Partial<TaxRule>): TaxRule => ({
    ruleId: 'GB-VAT-20',
    taxCode: 'VAT',
    category: 'standard',
    operations: ['verifyTransaction'],
    classifications: [],
    mccRanges: [],
    base: 'GROSS_INCLUSIVE',
    rate: '20',
    compoundsOn: [],
    bearer: 'CUSTOMER',
    inTransaction: true,
    rounding: 'HALF_UP',
    validFrom: '2024-01-01',
    validTo: null,
    source: 's',
    legalRef: null,
    confidence: 'official',
    ...r,
  });
  it('are found for rules in force, and missed for one without a box', () => {
    expect(placeProblems(file, [rule({})], HISTORY_FROM)).toEqual([]);
    expect(placeProblems(file, [rule({}), rule({ rate: '0', reason: 'ZERO_RATED' })], HISTORY_FROM)[0]).toContain(
      'in no box',
    );
    expect(
      placeProblems(file, [rule({}), rule({ rate: '0', reason: 'ZERO_RATED', validTo: '2023-01-01' })], HISTORY_FROM),
    ).toEqual([]);
    expect(placeProblems(having({ taxCodes: ['VAT', 'GST'] }), [rule({})], HISTORY_FROM)[0]).toContain('GST');
  });
  it('are one box of taxes for a tax, not two', () => {
    const twice = withBox({ box: '7', name: 'Seven', sum: { figure: 'tax', of: [{ rates: ['20.0'] }] } });
    expect(placeProblems(twice, [rule({})], HISTORY_FROM)[0]).toContain('the boxes 1, 7 of taxes');
  });
});

describe('the files that ship', () => {
  const book = loadRuleBook();
  for (const { file: name, content, problems } of readFilingFiles())
    it(`${name} is sound, and has a place for every rule of its country`, () => {
      expect(problems).toEqual([]);
      const country = content && book.country(content.country);
      expect(country && placeProblems(content, country.rules, HISTORY_FROM)).toEqual([]);
    });
});
