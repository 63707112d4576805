// The VAT return of one country and month: VAT only, by rule, minus what chargebacks return; and every other tax in a
// section of its own. Taxes are never added together: each has a base and a return of its own.
import type { ReportColumn, ReportRow, ReportSection } from '../../../core/reports/document.ts';
import { differenceOf, plain, sumOf } from '../../../core/sums.ts';
import { taxName } from '../../../core/tax/tax-names.ts';
import { openPath } from '../../../core/totals/open.ts';
import { type AdjustedDays, adjustmentsMade, adjustmentsTakenBack } from '../../corrections/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type ReportRun, reportKind } from '../../kernel/report.ts';
import { amountTotals, type TaxSums, taxTotals } from '../totals-reads.ts';
import { CountryMonthParameters, checkMonth, monthOfTotals, type TotalsMonth } from './month.ts';

const text = (name: string, title: string): ReportColumn => ({ name, title, type: 'text' });
const money = (name: string, title: string): ReportColumn => ({ name, title, type: 'money' });
const count = (name: string, title: string): ReportColumn => ({ name, title, type: 'count' });
const currency = text('currency', 'Currency');
const figures = [
  money('taxable', 'Taxable'),
  money('tax', 'Tax'),
  money('taxableReturned', 'Taxable, charged back'),
  money('taxReturned', 'Tax, charged back'),
  money('taxDue', 'Tax due'),
];

/** Sums for one rule, currency and operation. */
interface Line {
  readonly currency: string;
  readonly taxCode: string;
  readonly rule: string;
  readonly kind: string;
  readonly charged: TaxSums | undefined;
  readonly returned: TaxSums | undefined;
  readonly reversed: TaxSums | undefined;
}

type Open = { readonly open?: string };

export const vatReturnReport = reportKind({
  name: 'vatReturn',
  title: 'VAT return',
  summary:
    'VAT of a country and month by rule, less that of chargebacks, and beside it every other tax under its own heading.',
  audience: ['psp', 'client', 'operator'],
  parameters: CountryMonthParameters,
  check: checkMonth,
  async run(run, s: Needs<'reference' | 'rates'>) {
    const month = await monthOfTotals(s, run);
    const { filter } = month;
    const lines = await linesOf(s, run, month);
    run.progress(1, 3);
    const states = await amountTotals(run.db, filter, ['currency', 'kind', 'verdict']);
    run.progress(2, 3);
    const { psp, account, country } = filter;
    const { from, to } = month.period;
    const made = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const adjustments = await adjustmentsMade(run.db, { psp, account, country, made });
    const takenBack = await adjustmentsTakenBack(run.db, { psp, account, country, made });
    run.progress(3, 3);
    const open = (o: { currency?: string; kind?: string; verdict?: string; rule?: string }): Open => {
      const path = openPath({ ...filter, ...o, taxRule: o.rule });
      return path === undefined ? {} : { open: path };
    };
    const isVat = (l: Line) => taxName(l.taxCode).kind === 'VALUE_ADDED';
    const others = [...new Set(lines.filter((l) => !isVat(l)).map((l) => l.taxCode))].sort();
    return {
      title: `VAT return of ${run.concerned.name}, ${month.country}, ${month.period.name}`,
      facts: month.facts,
      provisional: month.provisional,
      sections: [
        {
          ...dueSection(s, lines.filter(isVat)),
          name: 'due',
          title: 'VAT due',
          note: 'VAT within transactions, wagers and payouts, less that of chargebacks; a chargeback that is reversed is taken off again in its month. Taxable is what a rate above zero was charged on; other taxes have sections of their own.',
        },
        { ...ruleSection(s, lines.filter(isVat), open), name: 'byRule', title: 'VAT by rule' },
        ...others.flatMap((code): ReportSection[] => {
          const own = lines.filter((l) => l.taxCode === code);
          const { name } = taxName(code);
          return [
            {
              ...dueSection(s, own),
              name: sectionName(code),
              title: `${name} due`,
              note: `Not part of the VAT return: ${name} is paid over on a return of its own.`,
            },
            { ...ruleSection(s, own, open), name: `${sectionName(code)}ByRule`, title: `${name} by rule` },
          ];
        }),
        {
          name: 'byVerdict',
          title: 'Records by verdict',
          note: 'Taxes of all kinds together. Declined and unverified transactions bear no tax; those charged back are among the approved ones as well.',
          columns: [
            currency,
            text('kind', 'Operation'),
            text('verdict', 'Verdict'),
            count('count', 'Records'),
            money('gross', 'Gross'),
            money('vat', 'Tax'),
            money('transactionVat', 'Tax on fees'),
          ],
          rows: states.map((a) => {
            const taxed = a.verdict !== 'DECLINED' && a.verdict !== 'PENDING';
            return {
              cells: [
                a.currency,
                a.kind,
                a.verdict,
                String(a.count),
                a.gross,
                taxed ? a.vat : '0',
                taxed ? a.transactionVat : '0',
              ],
              ...open({ ...a }),
            };
          }),
        },
        {
          name: 'adjustments',
          title: 'Adjusting entries made in the month',
          note: 'From rate corrections, on transactions of the days named; not within the other sections. The report rateCorrection has them by rule and client.',
          ...adjustmentRows(adjustments),
        },
        {
          name: 'adjustmentsTakenBack',
          title: 'Adjusting entries taken back in the month',
          note: 'Of transactions that were charged back, declined or decided again after they were adjusted: what these return as recorded, and this, is the tax as corrected.',
          ...adjustmentRows(takenBack),
        },
      ],
    };
  },
});

/** WHT as wht, SALES_TAX as salesTax. */
const sectionName = (code: string): string =>
  code.toLowerCase().replace(/[^a-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');

const noSums = { charged: undefined, returned: undefined, reversed: undefined };
const sideOf: Readonly<Record<string, keyof typeof noSums>> = { CHARGED_BACK: 'returned', REVERSED: 'reversed' };

async function linesOf(s: Needs<'rates'>, run: ReportRun, { filter }: TotalsMonth): Promise<Line[]> {
  const lines = new Map<string, Line>();
  for (const t of await taxTotals(run.db, filter, ['currency', 'kind', 'verdict', 'rule'])) {
    // Declined and unverified transactions are not taxed.
    if (t.verdict === 'DECLINED' || t.verdict === 'PENDING') continue;
    const { currency: cur, rule, kind } = t as TaxSums & { currency: string; rule: string; kind: string };
    const key = JSON.stringify([cur, rule, kind]);
    const taxCode = s.rates.book.rule(rule)?.rule.taxCode ?? 'UNKNOWN';
    const line = lines.get(key) ?? { currency: cur, taxCode, rule, kind, ...noSums };
    lines.set(key, { ...line, [sideOf[t.verdict ?? ''] ?? 'charged']: t });
  }
  return [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
}

/** Charged, returned by chargebacks that were not reversed, and due. */
function figuresOf({ charged, returned, reversed }: Line): string[] {
  const back = (figure: 'taxable' | 'tax') => differenceOf(returned?.[figure] ?? '0', reversed?.[figure] ?? '0');
  const [taxable, tax] = [charged?.taxable ?? '0', charged?.tax ?? '0'];
  return [taxable, tax, back('taxable'), back('tax'), differenceOf(tax, back('tax'))];
}

const adjustmentRows = (rows: readonly AdjustedDays[]): Pick<ReportSection, 'columns' | 'rows'> => ({
  columns: [
    currency,
    { name: 'firstDay', title: 'First day', type: 'date' },
    { name: 'lastDay', title: 'Last day', type: 'date' },
    count('count', 'Adjustments'),
    money('vat', 'Tax'),
    money('transactionVat', 'Tax on fees'),
  ],
  rows: rows.map((a) => ({
    cells: [a.currency, a.first, a.last, String(a.n), plain(a.vat), plain(a.transactionVat)],
  })),
});

/** One row per tax and currency: the rules of one tax never share a base within a record. */
function dueSection(s: Needs<'rates'>, lines: readonly Line[]): Pick<ReportSection, 'columns' | 'rows'> {
  const keys = [...new Set(lines.map((l) => JSON.stringify([l.currency, l.taxCode])))].sort();
  return {
    columns: [currency, text('taxCode', 'Tax'), ...figures, money('untaxed', 'Exempt or zero-rated')],
    rows: keys.map((key) => {
      const [cur, code] = JSON.parse(key) as [string, string];
      const own = lines.filter((l) => l.currency === cur && l.taxCode === code);
      const ruleOf = (l: Line) => s.rates.book.rule(l.rule)?.rule;
      const taxed = own.filter((l) => !isZeroRate(ruleOf(l)?.rate));
      const free = own.filter(
        (l) => isZeroRate(ruleOf(l)?.rate) && ['EXEMPT', 'ZERO_RATED'].includes(ruleOf(l)?.reason ?? ''),
      );
      return {
        cells: [
          cur,
          code,
          ...figures.map((_, i) => sumOf(taxed.map((l) => figuresOf(l)[i] as string))),
          sumOf(free.map((l) => l.charged?.taxable ?? '0')),
        ],
      };
    }),
  };
}

const isZeroRate = (rate: string | undefined): boolean => rate !== undefined && /^0+(\.0*)?$/.test(rate);

function ruleSection(
  s: Needs<'rates'>,
  lines: readonly Line[],
  open: (o: Pick<Line, 'currency' | 'kind' | 'rule'> & { verdict?: string }) => Open,
): Pick<ReportSection, 'columns' | 'rows' | 'chart'> {
  return {
    columns: [
      currency,
      text('taxCode', 'Tax'),
      text('rule', 'Rule'),
      { name: 'rate', title: 'Rate', type: 'percent' },
      text('category', 'Category'),
      text('confidence', 'Confidence of the rule'),
      text('kind', 'Operation'),
      count('count', 'Records'),
      ...figures.slice(0, 2),
      count('countReturned', 'Chargebacks'),
      ...figures.slice(2),
    ],
    rows: lines.map((line): ReportRow => {
      const { currency: cur, kind, charged, returned, reversed } = line;
      const rule = s.rates.book.rule(line.rule)?.rule;
      const own = figuresOf(line);
      const verdict = (charged ?? returned ?? reversed)?.verdict;
      return {
        cells: [
          cur,
          line.taxCode,
          line.rule,
          rule?.rate ?? null,
          rule?.category ?? null,
          rule?.confidence ?? null,
          kind,
          String(charged?.count ?? 0),
          ...own.slice(0, 2),
          String(returned?.count ?? 0),
          ...own.slice(2),
        ],
        ...open({ currency: cur, kind, rule: line.rule, ...(verdict ? { verdict } : {}) }),
      };
    }),
    chart: { kind: 'bar', label: 'rule', values: ['taxDue'] },
  };
}
