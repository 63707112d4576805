// Adds analyses up as the totals keep them: one line for the records of a figure, one for each of their taxes.
import type { PspId } from '../../../core/ids.ts';
import { type Decimal, decimal } from '../../../core/money.ts';
import { nothing, plainOf, plus } from '../../../core/sums.ts';
import type { TaxRule } from '../../../core/tax/rule.ts';
import type { CdrAnalysisRow } from './analysis-store.ts';

/** What the sums of a line are told apart by. */
export interface TotalKey {
  readonly psp: PspId;
  readonly account: string;
  /** YYYY-MM the records count in, and that of their calls: two that differ are late adjustments. */
  readonly period: string;
  readonly callPeriod: string;
  readonly class: string;
  /** Of the cost. */
  readonly currency: string;
  /** '' for the records themselves. */
  readonly ruleId: string;
  /** '' for the records themselves. */
  readonly taxCurrency: string;
  /** Why a tax is zero, or ''; of the records themselves why nothing could be charged, or ''. */
  readonly reason: string;
  readonly country: string;
  readonly taxCode: string;
  /** What the tax is charged on, as its rule says; '' for the records themselves. */
  readonly base: string;
}

export interface TotalLine extends TotalKey {
  readonly records: number;
  readonly answered: number;
  readonly seconds: number;
  readonly dataKb: string;
  readonly cost: string;
  readonly taxable: string;
  /** Seconds, records or kilobytes, of an amount per minute, record or megabyte. */
  readonly quantity: string;
  readonly tax: string;
}

interface Sum {
  readonly key: TotalKey;
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

  add(a: CdrAnalysisRow, ruleOf: (ruleId: string) => Pick<TaxRule, 'taxCode' | 'base'>): void {
    const own = this.#of(a, '', '', a.finding ?? '');
    this.#count(own, a);
    own.tax = plus(own.tax, decimal(a.tax));
    for (const t of a.taxes) {
      const sum = this.#of(a, t.ruleId, t.currency, t.reason ?? '', ruleOf);
      this.#count(sum, a);
      if (t.taxable !== null) sum.taxable = plus(sum.taxable, decimal(t.taxable));
      if (t.quantity !== null) sum.quantity = plus(sum.quantity, decimal(t.quantity));
      sum.tax = plus(sum.tax, decimal(t.tax));
    }
  }

  /** In the order of the table's key, in which its rows are locked. */
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

  #count(s: Sum, a: CdrAnalysisRow): void {
    s.records++;
    if (a.answered) s.answered++;
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
