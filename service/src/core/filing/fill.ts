// Fills in the boxes of a form from lines of taxes. Pure and exact: amounts are decimal text in the form's currency.
import { decimal, divideRounded, pow10 } from '../money.ts';
import { isZero, negated, sumOf } from '../sums.ts';
import {
  type BoxRounding,
  type FilingBox,
  type FilingForm,
  isCorrectedApart,
  isSelected,
  type SelectedRule,
} from './form.ts';

export interface FilingLine {
  readonly rule: string;
  readonly operation?: string | undefined;
  /** Negative for what a chargeback returns. */
  readonly taxable: string;
  readonly tax: string;
}

export interface FilledBox {
  readonly box: FilingBox;
  /** Null if the taxpayer fills it in, or all that it adds up. */
  readonly figure: string | null;
}

export interface Filled<L> {
  readonly boxes: readonly FilledBox[];
  /** The figure of the box with the tax to pay. */
  readonly payable: string;
  /** Lines that are in no box, or whose tax is in none. */
  readonly outside: readonly L[];
}

/**
 * @param lines of taxes that the form holds
 * @param ruleOf undefined for a rule that is not known: its line is in no box
 * @param corrections lines that correct periods filed before: they are added like the others, or to the form's boxes for them
 */
export function fill<L extends FilingLine, C extends FilingLine = L>(
  form: FilingForm,
  lines: readonly L[],
  ruleOf: (rule: string) => SelectedRule | undefined,
  corrections: readonly C[] = [],
): Filled<L | C> {
  const isApart = (l: C) => isCorrectedApart(form, ruleOf(l.rule));
  const summed: readonly (L | C)[] = [...lines, ...corrections.filter((l) => !isApart(l))];
  const isIn = (b: FilingBox, l: FilingLine): boolean => {
    const rule = ruleOf(l.rule);
    return rule !== undefined && b.sum?.of.some((s) => isSelected(s, rule, l.operation)) === true;
  };
  const figures = new Map<string, string | null>();
  const byName = new Map(form.boxes.map((b) => [b.box, b]));
  /** So is a total of nothing else: 0 would say that there was none of it. */
  const isGiven = ({ given, add = [] }: FilingBox): boolean =>
    given !== undefined ||
    (add.length > 0 &&
      add.every((name) => {
        const other = byName.get(name.replace(/^-/, ''));
        return other !== undefined && isGiven(other);
      }));
  const figureOf = (b: FilingBox): string | null => {
    const known = figures.get(b.box);
    if (known !== undefined) return known;
    const made = isGiven(b) ? null : rounded(sumsOf(b), b.rounding);
    figures.set(b.box, made);
    return made;
  };
  const sumsOf = (b: FilingBox): string => {
    const { sum } = b;
    const { adjusts } = b;
    if (adjusts) return sumOf(corrections.filter(isApart).map((l) => l[adjusts]));
    if (sum) return sumOf(summed.filter((l) => isIn(b, l)).map((l) => l[sum.figure]));
    return sumOf(
      (b.add ?? []).map((name) => {
        const minus = name.startsWith('-');
        const other = byName.get(minus ? name.slice(1) : name);
        if (!other) throw new Error(`the form ${form.form} has no box '${name}'`);
        const figure = figureOf(other) ?? '0';
        return minus ? negated(figure) : figure;
      }),
    );
  };
  const boxes = form.boxes.map((box): FilledBox => ({ box, figure: figureOf(box) }));
  const taxBoxes = form.boxes.filter((b) => b.sum?.figure === 'tax');
  const outside = summed.filter(
    (l) => !form.boxes.some((b) => isIn(b, l)) || (!isZero(l.tax) && !taxBoxes.some((b) => isIn(b, l))),
  );
  return { boxes, payable: figures.get(form.payable) ?? '0', outside };
}

/** Whole units, away from fractions as the form says. */
function rounded(figure: string, rounding: BoxRounding | undefined): string {
  if (rounding === undefined) return figure;
  const { units, scale } = decimal(figure);
  return divideRounded(units, pow10(scale), rounding === 'UNIT_DOWN' ? 'DOWN' : 'HALF_UP').toString();
}
