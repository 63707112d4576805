// Adds analyses up into lines of the totals: for each figure one line for its records and one for each of their taxes.
import { type Decimal, decimal } from '../../../core/money.ts';
import { nothing, plainOf, plus } from '../../../core/sums.ts';
import type { TaxRule } from '../../../core/tax/rule.ts';
import type { cdrTotals } from '../../../records/cdr-totals.ts';
import type { RecordOf } from '../../../records/table.ts';
import type { CdrAnalysisRow } from './analysis-store.ts';

/**
 * A line of the totals. `period` is the month (YYYY-MM) in which the records count and `callPeriod` that of their calls;
 * they differ for late adjustments. `currency` is that of the cost, and `quantity` seconds, records or kilobytes for a tax
 * charged on these. `owedBy` says who owes a tax by return, which is no part of the records' tax. On the line of the records
 * `ruleId` and the other fields of a tax are '', and `reason` says why nothing could be charged.
 */
export type TotalLine = RecordOf<typeof cdrTotals, { rule_id: 'ruleId' }>;

type Figures = 'records' | 'answered' | 'seconds' | 'dataKb' | 'cost' | 'taxable' | 'quantity' | 'tax';

interface Sum {
  readonly key: Omit<TotalLine, Figures>;
  records: number;
  answered: number;
  seconds: number;
  dataKb: Decimal;
  cost: Decimal;
  taxable: Decimal;
  quantity: Decimal;
  tax: Decimal;
}

export class Sums {
  readonly #sums = new Map<string, Sum>();

  /** @param records -1 for a record that is taken off, whose figures have the opposite sign */
  add(a: CdrAnalysisRow, ruleOf: (ruleId: string) => Pick<TaxRule, 'taxCode' | 'base'>, records: 1 | -1 = 1): void {
    const own = this.#of(a, '', '', a.finding ?? '');
    this.#count(own, a, records);
    own.tax = plus(own.tax, decimal(a.tax));
    for (const t of a.taxes) {
      const sum = this.#of(a, t.ruleId, t.currency, t.reason ?? '', ruleOf, t.owedBy ?? '');
      this.#count(sum, a, records);
      if (t.taxable !== null) sum.taxable = plus(sum.taxable, decimal(t.taxable));
      if (t.quantity !== null) sum.quantity = plus(sum.quantity, decimal(t.quantity));
      sum.tax = plus(sum.tax, decimal(t.tax));
    }
  }

  /** Lines in the order of the table's key, so that all writers lock rows in the same order. */
  lines(): TotalLine[] {
    return [...this.#sums.keys()].sort().map((k) => {
      const s = this.#sums.get(k) as Sum;
      return {
        ...s.key,
        records: s.records,
        answered: s.answered,
        seconds: s.seconds,
        dataKb: plainOf(s.dataKb),
        cost: plainOf(s.cost),
        taxable: plainOf(s.taxable),
        quantity: plainOf(s.quantity),
        tax: plainOf(s.tax),
      };
    });
  }

  #count(s: Sum, a: CdrAnalysisRow, records: 1 | -1): void {
    s.records += records;
    if (a.answered) s.answered += records;
    s.seconds += a.durationS;
    if (a.dataKb !== '0') s.dataKb = plus(s.dataKb, decimal(a.dataKb));
    s.cost = plus(s.cost, decimal(a.cost));
  }

  #of(
    a: CdrAnalysisRow,
    ruleId: string,
    taxCurrency: string,
    reason: string,
    ruleOf?: (ruleId: string) => Pick<TaxRule, 'taxCode' | 'base'>,
    owedBy = '',
  ): Sum {
    const key = `${a.psp}|${a.account}|${a.period}|${a.callPeriod}|${a.class}|${a.currency}|${ruleId}|${taxCurrency}|${reason}`;
    let sum = this.#sums.get(key);
    if (!sum) {
      const { psp, account, period, callPeriod, class: is, currency, country } = a;
      const rule = ruleOf?.(ruleId);
      sum = {
        key: {
          psp,
          account,
          period,
          callPeriod,
          class: is,
          currency,
          ruleId,
          taxCurrency,
          reason,
          country,
          taxCode: rule?.taxCode ?? '',
          base: rule?.base ?? '',
          owedBy,
        },
        records: 0,
        answered: 0,
        seconds: 0,
        dataKb: nothing,
        cost: nothing,
        taxable: nothing,
        quantity: nothing,
        tax: nothing,
      };
      this.#sums.set(key, sum);
    }
    return sum;
  }
}
