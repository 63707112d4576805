// From which amount of cash a transaction is to be reported, by country and day: the shape of the data file, and what is
// wrong with one. Pure.

import { isDate } from '../calendar.ts';
import type { ReadConfidence } from '../confidence.ts';

export interface CashFigure {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly currency: string;
  /** Decimal text. */
  readonly figure: string;
  /** True if only more than the figure is to be reported; otherwise the figure itself, too. */
  readonly exceeds: boolean;
  /** What the law compares with it: one transaction, or a person's cash of a day or a month. */
  readonly per: 'TRANSACTION' | 'DAY' | 'MONTH';
  /** The least amount of a transaction that is added up, decimal text; absent for any. */
  readonly least?: string;
  readonly from: string;
  /** The first day on which it is no longer in force; null without an end. */
  readonly until: string | null;
  readonly law: string;
  /** How sure the figure is: read in the law or an authority's own text, in another publication, or not found. */
  readonly confidence: ReadConfidence;
  readonly source: {
    /** What was read, and what was not. */
    readonly read: string;
    /** Where; null if no text was found. */
    readonly url: string | null;
    /** The day on which it was read. */
    readonly date: string;
  };
}

/** What is wrong with the figures, one sentence each; none if nothing is. */
export function cashProblems(figures: readonly CashFigure[]): string[] {
  return figures.flatMap((f, i) => {
    const at = `figure ${i + 1} (${f.country})`;
    return [
      ...(/^[A-Z]{2}$/.test(f.country) ? [] : [`${at}: the country must be two letters`]),
      ...(/^[A-Z]{3}$/.test(f.currency) ? [] : [`${at}: the currency must be three letters`]),
      ...(/^\d+(\.\d+)?$/.test(f.figure) && !/^0+(\.0+)?$/.test(f.figure) ? [] : [`${at}: the figure must be above 0`]),
      ...(f.least === undefined || (f.per !== 'TRANSACTION' && /^[1-9]\d*(\.\d+)?$/.test(f.least))
        ? []
        : [`${at}: least must be above 0, for a figure that adds up`]),
      ...(isDate(f.from) && (f.until === null || (isDate(f.until) && f.until > f.from))
        ? []
        : [`${at}: from and until must be days, in this order`]),
      ...(f.law.length > 10 ? [] : [`${at}: the law must be named`]),
      ...(f.source.read.length > 10 && isDate(f.source.date)
        ? []
        : [`${at}: the source must say what was read and when`]),
      ...(f.confidence === 'assumed' || f.source.url?.startsWith('https://')
        ? []
        : [`${at}: a figure that is ${f.confidence} must say where it was read`]),
      ...(figures.some((o, j) => j < i && o.country === f.country && overlap(o, f))
        ? [`${at}: two figures are in force on one day`]
        : []),
    ];
  });
}

const overlap = (a: CashFigure, b: CashFigure): boolean =>
  a.from < (b.until ?? '9999-12-31') && b.from < (a.until ?? '9999-12-31');
