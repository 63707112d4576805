// Boxes of forms: each line where the form wants it, and the tax to pay the sum of all taxes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFilingForms, loadRuleBook } from '../../platform/data-files.ts';
import { differenceOf, isNegative, negated, plain, sumOf } from '../sums.ts';
import { type FilingLine, fill } from './fill.ts';
import { type FilingForm, holds, isRated, isSelected, type SelectedRule } from './form.ts';

const rules: Readonly<Record<string, SelectedRule>> = {
  STANDARD: rule({ rate: '20', category: 'standard' }),
  ZERO: rule({ rate: '0', category: 'zero', reason: 'ZERO_RATED', supplies: ['books'] }),
  EXEMPT: rule({ rate: '0', category: 'exempt', reason: 'EXEMPT' }),
  FEE: rule({ rate: '20', category: 'payment_service', base: 'FEE', operations: ['verifyTransaction', 'deposit'] }),
  ABROAD: rule({ rate: '0', category: 'none', reason: 'REVERSE_CHARGE', customer: 'BUSINESS_ABROAD' }),
};
function rule(r: Partial<SelectedRule>): SelectedRule {
  return {
    taxCode: 'VAT',
    category: 'standard',
    base: 'GROSS_INCLUSIVE',
    operations: ['verifyTransaction'],
    ...r,
  };
}
const ruleOf = (id: string) => rules[id];

const box = (name: string, of: object) => ({ box: name, name: `Box ${name}`, ...of });
const form: FilingForm = {
  form: 'XX-VAT',
  title: 'VAT return',
  authority: 'Authority',
  taxCodes: ['VAT'],
  currency: 'GBP',
  exchange: { publisher: 'ECB', rate: 'DAY', legalRef: null, source: 's', confidence: 'assumed' },
  periods: [{ months: 1, who: 'All.' }],
  due: { monthsAfter: 1, day: 21 },
  taxNumber: 'TIN',
  boxes: [
    box('1', { sum: { figure: 'tax', of: [{ rated: true, fees: false }] } }),
    box('1a', { sum: { figure: 'tax', of: [{ rated: true, fees: true }] } }),
    box('2', { given: 'Not recorded here.' }),
    box('5', { add: ['1', '1a', '-2'] }),
    box('6', { sum: { figure: 'taxable', of: [{ rated: true }, { reasons: ['ZERO_RATED'] }] }, rounding: 'UNIT_DOWN' }),
    box('7', { sum: { figure: 'taxable', of: [{ reasons: ['EXEMPT'] }] }, rounding: 'UNIT_NEAREST' }),
  ],
  payable: '5',
  outside: [{ customers: ['BUSINESS_ABROAD'], says: 'Supplies made elsewhere are not declared.' }],
  validFrom: '2024-01-01',
  validTo: null,
  source: 's',
  legalRef: null,
  confidence: 'assumed',
  says: 'A form for tests.',
};
const line = (id: string, taxable: string, tax = '0', operation = 'verifyTransaction'): FilingLine => ({
  rule: id,
  operation,
  taxable,
  tax,
});
const figures = (filled: ReturnType<typeof fill>) => Object.fromEntries(filled.boxes.map((b) => [b.box.box, b.figure]));

describe('a form filled in', () => {
  it('leaves a total of nothing but what the taxpayer fills in to the taxpayer, and does not call it 0', () => {
    const totals = { ...form, boxes: [...form.boxes, box('8', { add: ['2'] }), box('9', { add: ['-8', '2'] })] };
    expect(figures(fill(totals, [], ruleOf))).toMatchObject({ 2: null, 8: null, 9: null, 5: '0' });
  });

  it('has each line in its boxes, a chargeback less, fees of their own, and nothing where the taxpayer fills in', () => {
    const lines = [
      line('STANDARD', '1000.55', '200.11'),
      line('STANDARD', '-100.05', '-20.01'),
      line('ZERO', '10'),
      line('EXEMPT', '7.5'),
      line('FEE', '5', '1', 'deposit'),
      line('ABROAD', '300'),
    ];
    const filled = fill(form, lines, ruleOf);
    // 1,000.55 − 100.05 + 10 + 5 = 915.50, in whole units 915; 7.50 to the nearest is 8.
    expect(figures(filled)).toEqual({ 1: '180.1', '1a': '1', 2: null, 5: '181.1', 6: '915', 7: '8' });
    expect(filled.payable).toBe('181.1');
    expect(filled.outside.map((l) => l.rule)).toEqual(['ABROAD']);
  });

  it('shows lines of rules that nobody knows, and taxes that are in no box of taxes', () => {
    const withoutFees = { ...form, boxes: form.boxes.filter((b) => b.box !== '1a' && b.box !== '5'), payable: '1' };
    const filled = fill(withoutFees, [line('GONE', '1', '1'), line('FEE', '5', '1')], ruleOf);
    expect(filled.outside.map((l) => l.rule)).toEqual(['GONE', 'FEE']);
    expect(filled.payable).toBe('0');
  });

  it('adds corrections of earlier periods like other lines, or those of taxed sales in the boxes the form has for them', () => {
    const corrections = [line('STANDARD', '-10', '-2'), line('ZERO', '-4')];
    expect(figures(fill(form, [line('STANDARD', '100', '20')], ruleOf, corrections))).toMatchObject({
      1: '18',
      6: '86',
    });
    const boxes = [
      ...form.boxes.filter((b) => b.box !== '5'),
      box('8', { adjusts: 'taxable' }),
      box('9', { adjusts: 'tax' }),
      box('5', { add: ['1', '9'] }),
    ];
    const filled = fill({ ...form, boxes }, [line('STANDARD', '100', '20')], ruleOf, corrections);
    expect(figures(filled)).toMatchObject({ 1: '20', 6: '96', 8: '-10', 9: '-2', 5: '18' });
  });

  it('reads a line without operation by the operations of its rule', () => {
    const deposits = { operations: ['deposit'] };
    expect(isSelected(deposits, rules.FEE as SelectedRule, undefined)).toBe(true);
    expect(isSelected(deposits, rules.FEE as SelectedRule, 'verifyTransaction')).toBe(false);
  });

  it('is empty for no lines', () => {
    expect(figures(fill(form, [], ruleOf))).toEqual({ 1: '0', '1a': '0', 2: null, 5: '0', 6: '0', 7: '0' });
  });
});

describe('every form', () => {
  const book = loadRuleBook();
  const amounts = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((u) => {
    const digits = (u < 0n ? -u : u).toString().padStart(3, '0');
    return `${u < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  });
  it('GH-VAT names apart what chargebacks give back of the COVID-19 levy, which ended with 2025', () => {
    const form = loadFilingForms().versions('GH-VAT')[0]?.form as FilingForm;
    const of = (rule: string) => ({ rule, operation: 'verifyTransaction', taxable: '-1000.00', tax: '-10.00' });
    expect(form.taxCodes).toContain('COVID');
    const { outside } = fill(
      form,
      [of('GH-COVID-STANDARD-2021'), of('GH-NHIL-STANDARD-2018')],
      (id) => book.rule(id)?.rule,
    );
    expect(outside.map((l) => l.rule)).toEqual(['GH-COVID-STANDARD-2021']);
  });
  for (const { form: f, country } of loadFilingForms().all()) {
    const held = (book.country(country)?.rules ?? []).filter((r) => holds(f, r));
    const declared = held.filter(
      (r) =>
        r.operations.every((o) => !f.outside?.some((s) => isSelected(s, r, o))) &&
        (isRated(r) || r.reason !== 'UNKNOWN'),
    );
    if (declared.length === 0) continue;
    it(`${f.form}: the tax to pay is the sum of all taxes`, () => {
      const lines = fc.array(
        fc.record({ r: fc.constantFrom(...declared), op: fc.nat(), taxable: amounts, tax: amounts }).map(
          ({ r, op, taxable, tax }): FilingLine => ({
            rule: r.ruleId,
            operation: r.operations[op % r.operations.length],
            taxable,
            tax: isRated(r) ? tax : '0',
          }),
        ),
        { maxLength: 30 },
      );
      // Each rounded box may be off by less than a unit.
      const rounded = f.boxes.filter((b) => b.rounding !== undefined && b.sum?.figure !== 'taxable').length;
      fc.assert(
        fc.property(lines, (ls) => {
          const { payable } = fill(f, ls, (id) => book.rule(id)?.rule);
          const all = sumOf(ls.filter((l) => isInForce(l.rule)).map((l) => l.tax));
          const off = differenceOf(payable, all);
          const size = isNegative(off) ? negated(off) : off;
          if (rounded === 0) expect(plain(payable)).toBe(plain(all));
          else expect(isNegative(differenceOf(size, String(rounded)))).toBe(true);
        }),
        { numRuns: 60 },
      );
    });
    const isInForce = (id: string) => declared.some((r) => r.ruleId === id);
  }
});
