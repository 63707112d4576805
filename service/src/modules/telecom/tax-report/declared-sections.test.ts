// The records to which compared figures open: those of their currency and rule, where all of them have the same.
import { expect, it } from 'vitest';
import type { PspId } from '../../../core/ids.ts';
import type { TotalLine } from '../analysis/sums.ts';
import { declaredSection, type OperatorMonth, summarySection } from './declared-sections.ts';

const psp = '01926f9e-0000-7000-8000-000000000001' as PspId;
const account = '01926f9e-0000-7000-8000-000000000002';
const line = (over: Partial<TotalLine>): TotalLine => ({
  ...{ psp, account, country: 'NG', period: '2026-10', callPeriod: '2026-10', class: 'ONNET', currency: 'NGN' },
  ...{ ruleId: 'VAT-1', taxCode: 'VAT', base: 'CALL_COST', reason: '', taxCurrency: 'NGN', owedBy: '' },
  ...{ records: 1, answered: 1, seconds: 60, dataKb: '0', cost: '100', taxable: '100', quantity: '0', tax: '7.5' },
  ...over,
});
const month: OperatorMonth = {
  account,
  period: '2026-10',
  lines: [
    line({}),
    line({ currency: 'JPY', taxCurrency: 'JPY' }),
    line({ class: 'SMS', ruleId: 'VAT-2' }),
    line({ ruleId: 'LEVY-1', taxCode: 'LEVY', currency: 'NGN', taxCurrency: 'USD' }),
    line({ ruleId: 'LEVY-1', taxCode: 'LEVY', currency: 'JPY', taxCurrency: 'USD' }),
  ],
  late: [line({ callPeriod: '2026-09', taxCode: 'OLD' })],
  declared: undefined,
};
const queries = (section: ReturnType<typeof summarySection>) =>
  section.rows.map((r) => {
    const cells = Object.fromEntries(section.columns.map((c, i) => [c.name, r.cells[i]]));
    const q = new URLSearchParams(r.open?.split('?')[1]);
    const opens = ['class', 'currency', 'ruleId'].map((name) => q.get(name) ?? '');
    return [cells.class, cells.taxCode, cells.currency, r.open ? opens.join('|') : 'nothing'].filter(Boolean).join(' ');
  });
const operators = { psp, single: true, names: new Map() };

it('opens the taxes of a month to the records of their currency', () => {
  expect(queries(summarySection(operators, [month], () => 2))).toEqual([
    'VAT JPY |JPY|VAT-1',
    'OLD NGN nothing',
    // Of two rules.
    'VAT NGN |NGN|',
    // Of calls in two currencies.
    'LEVY USD ||LEVY-1',
  ]);
});

it('says of several operators that each has the months of its own country', () => {
  const notes = [true, false].map((single) => String(summarySection({ ...operators, single }, [month], () => 2).note));
  expect(notes.map((n) => n.includes("the month in each operator's country"))).toEqual([false, true]);
});

it('opens a figure of a class to the records of that class and currency', () => {
  expect(queries(declaredSection(operators, [month], () => 2))).toEqual([
    'ONNET VAT JPY ONNET|JPY|VAT-1',
    'ONNET VAT NGN ONNET|NGN|VAT-1',
    'ONNET LEVY USD ONNET||LEVY-1',
    'SMS VAT NGN SMS|NGN|VAT-2',
  ]);
});
