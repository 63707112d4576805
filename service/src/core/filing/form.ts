// A filing form: one return of one authority, as in service/data/filing. problems.ts checks a file of them.
import type { RateRule } from '../exchange/conversion.ts';
import { isNegative, isZero, plain } from '../sums.ts';
import type { Confidence, DatedFact, TaxRule, TaxSource } from '../tax/rule.ts';

export const boxRoundings = ['UNIT_DOWN', 'UNIT_NEAREST'] as const;
export type BoxRounding = (typeof boxRoundings)[number];

export const filingFigures = ['taxable', 'tax'] as const;
type FilingFigure = (typeof filingFigures)[number];

/** Lengths of periods in months. */
export const periodMonths = [1, 2, 3, 4, 6, 12] as const;

/** Lengths of periods in weeks. */
export const periodWeeks = [1, 2, 4] as const;

/** Lines of rules with all that is set; a list means any of its items. */
export interface Selector {
  readonly rates?: readonly string[];
  readonly reasons?: readonly string[];
  /** Any rate above 0, brackets or amounts. */
  readonly rated?: true;
  readonly taxCodes?: readonly string[];
  readonly categories?: readonly string[];
  readonly supplies?: readonly string[];
  readonly bases?: readonly string[];
  readonly operations?: readonly string[];
  /** `NONE` for rules of all customers. */
  readonly customers?: readonly string[];
  /** `NONE` for rules of the whole country. */
  readonly subdivisions?: readonly string[];
  /** True: only tax on the PSP's own fees; false: all but that. */
  readonly fees?: boolean;
}

/** Lines that are not declared, and why. */
interface OutsideSelector extends Selector {
  readonly says?: string;
}

/** Has exactly one of `sum`, `add`, `given` and `adjusts`. */
export interface FilingBox {
  /** The authority's own number or letter. */
  readonly box: string;
  /** The authority's own name, in its language. */
  readonly name: string;
  readonly english?: string;
  readonly sum?: { readonly figure: FilingFigure; readonly of: readonly Selector[] };
  /** Other boxes; a leading minus subtracts. */
  readonly add?: readonly string[];
  /** Filled in by the taxpayer, for this reason. */
  readonly given?: string;
  /** Corrections of taxed sales of periods that were filed before. */
  readonly adjusts?: FilingFigure;
  /** Whole units, where the form wants them. */
  readonly rounding?: BoxRounding;
}

/** What every length of period has. */
interface Rhythm {
  /** Who files at this rhythm. */
  readonly who: string;
  /** Where its returns are due otherwise than those of the form. */
  readonly due?: FilingDue;
}

export interface MonthsRhythm extends Rhythm {
  readonly months: (typeof periodMonths)[number];
  /** The month in which a period may begin; default 1. */
  readonly firstMonth?: number;
  /** True if the taxpayer's own year decides in which month: `firstMonth` where nothing was filed yet. */
  readonly anyMonth?: true;
  /** The day of the month on which it begins, 1 to 28; default 1. */
  readonly firstDay?: number;
  /** By the month that a period ends in, 1 to 12: where its return is due otherwise than those of the other periods. */
  readonly dueByLastMonth?: Readonly<Record<string, FilingDue>>;
  readonly weeks?: never;
  readonly days?: never;
}

interface WeeksRhythm extends Rhythm {
  readonly weeks: (typeof periodWeeks)[number];
  /** A day on which a period begins, so that all others are known. */
  readonly begins: string;
  readonly months?: never;
  readonly anyMonth?: never;
  readonly days?: never;
}

interface DaysRhythm extends Rhythm {
  readonly days: 1;
  readonly months?: never;
  readonly anyMonth?: never;
  readonly weeks?: never;
}

export type FilingRhythm = MonthsRhythm | WeeksRhythm | DaysRhythm;

export type FilingDue =
  | { readonly monthsAfter: number; readonly day: number | 'LAST' }
  | { readonly daysAfter: number };

export interface FilingForm extends DatedFact {
  readonly form: string;
  /** In the form's own language. */
  readonly title: string;
  readonly english?: string;
  readonly authority: string;
  readonly taxCodes: readonly string[];
  readonly categories?: readonly string[];
  readonly bases?: readonly string[];
  readonly operations?: readonly string[];
  readonly currency: string;
  readonly exchange: {
    readonly publisher: string;
    /** Which rate the law takes for amounts in another currency. */
    readonly rate: RateRule;
    readonly legalRef: string | null;
    readonly source: string;
    readonly confidence: Confidence;
  };
  /** Sources beside that of the boxes, such as of the days of some taxpayers. */
  readonly furtherSources?: readonly string[];
  /** The usual one first. */
  readonly periods: readonly FilingRhythm[];
  readonly due: FilingDue;
  /** What the authority calls the taxpayer's number. */
  readonly taxNumber: string;
  readonly boxes: readonly FilingBox[];
  /** The box with the tax to pay. */
  readonly payable: string;
  readonly outside?: readonly OutsideSelector[];
}

export interface FilingFile {
  readonly country: string;
  readonly sources: Readonly<Record<string, TaxSource>>;
  readonly forms: readonly FilingForm[];
}

/** A form with the country whose rules it holds. */
export interface CountryForm {
  readonly country: string;
  readonly form: FilingForm;
  readonly sources: FilingFile['sources'];
}

/** What a selector asks of a rule. */
export type SelectedRule = Pick<
  TaxRule,
  | 'taxCode'
  | 'category'
  | 'supplies'
  | 'base'
  | 'operations'
  | 'customer'
  | 'subdivision'
  | 'rate'
  | 'unitAmount'
  | 'brackets'
  | 'slabs'
  | 'reason'
>;

const none = 'NONE';

const meet = (list: readonly string[], values: readonly (string | null | undefined)[]): boolean =>
  values.some((v) => v !== null && v !== undefined && list.includes(v));

/** Whether any tax can come of a rule: not at a rate of 0. */
export const isRated = (r: Pick<TaxRule, 'rate' | 'unitAmount' | 'brackets' | 'slabs'>): boolean =>
  r.rate === undefined
    ? r.unitAmount !== undefined || r.brackets !== undefined || r.slabs !== undefined
    : !isZero(r.rate) && !isNegative(r.rate);

/** Whether a form holds the taxes of a rule of its country. */
export const holds = (
  f: Pick<FilingForm, 'taxCodes' | 'categories' | 'bases' | 'operations'>,
  r: SelectedRule,
): boolean =>
  f.taxCodes.includes(r.taxCode) &&
  (f.categories === undefined || f.categories.includes(r.category)) &&
  (f.bases === undefined || f.bases.includes(r.base)) &&
  (f.operations === undefined || meet(f.operations, r.operations));

/** The boxes that add a line of a rule, in the form's order. */
export const boxesOf = (f: Pick<FilingForm, 'boxes'>, r: SelectedRule, operation: string | undefined): string[] =>
  f.boxes.flatMap((b) => (b.sum?.of.some((s) => isSelected(s, r, operation)) ? [b.box] : []));

/** Whether corrections of a rule's lines have boxes of their own; those without tax are in the boxes of such sales. */
export const isCorrectedApart = (f: Pick<FilingForm, 'boxes'>, r: SelectedRule | undefined): boolean =>
  f.boxes.some((b) => b.adjusts) && (r === undefined || isRated(r));

/** The boxes that add a correction of a rule's line. */
export const correctedIn = (f: Pick<FilingForm, 'boxes'>, r: SelectedRule, operation: string | undefined): string[] =>
  isCorrectedApart(f, r) ? f.boxes.flatMap((b) => (b.adjusts ? [b.box] : [])) : boxesOf(f, r, operation);

/** Whether a line of a rule is selected. @param operation of the line; without it, any of the rule's */
export function isSelected(s: Selector, r: SelectedRule, operation: string | undefined): boolean {
  const { rate } = r;
  return (
    (s.rates === undefined || (rate !== undefined && s.rates.some((x) => plain(x) === plain(rate)))) &&
    (s.reasons === undefined || meet(s.reasons, [r.reason])) &&
    (s.rated === undefined || isRated(r)) &&
    (s.taxCodes === undefined || meet(s.taxCodes, [r.taxCode])) &&
    (s.categories === undefined || meet(s.categories, [r.category])) &&
    (s.supplies === undefined || meet(s.supplies, r.supplies ?? [])) &&
    (s.bases === undefined || meet(s.bases, [r.base])) &&
    (s.operations === undefined || meet(s.operations, operation === undefined ? r.operations : [operation])) &&
    (s.customers === undefined || meet(s.customers, [r.customer ?? none])) &&
    (s.subdivisions === undefined || meet(s.subdivisions, [r.subdivision ?? none])) &&
    (s.fees === undefined || s.fees === (r.base === 'FEE'))
  );
}
