// The sections of a return.

import type { Correction, SummedLine } from '../../core/filing/adjust.ts';
import type { Filled, FilledBox } from '../../core/filing/fill.ts';
import { boxesOf, correctedIn, type FilingBox, type FilingForm, isSelected } from '../../core/filing/form.ts';
import type { ReturnLine, UnconvertedLine } from '../../core/filing/lines.ts';
import { groupedBy } from '../../core/grouped.ts';
import type { SaidFact, SaidSection, Text } from '../../core/reports/document.ts';
import { type Column, code, money, percent, section, text } from '../../core/reports/table.ts';
import { day, phrase, type Said, said } from '../../core/said.ts';
import { isZero, sumOf } from '../../core/sums.ts';
import type { TaxRule, TaxSource } from '../../core/tax/rule.ts';
import type { TaxNumberKind } from '../../core/tax/supplier.ts';
import type { AskedReturn } from './asked-form.ts';

type RuleOf = (rule: string) => TaxRule | undefined;

export interface Taxpayer {
  readonly name: string;
  /** The number in its tax profile for the country; null without one. */
  readonly taxNumber: string | null;
  readonly taxNumberKind?: TaxNumberKind | undefined;
  /** The number it was registered under as a client, if that was in this country; of which kind it is, nobody said. */
  readonly registeredNumber: string | null;
  /** Whether the return is that of a PSP with its clients. */
  readonly withClients: boolean;
  /** Its home in the European Union, if it may declare sales there: all, or those before the day from which it is registered here. */
  readonly shop?: { readonly home: string; readonly from: string | undefined } | undefined;
}

/** Whether a form asks for a number that none of the kind is: France's SIREN is of the company register, and a Steuernummer no VAT number. */
const asksForAnother = (asked: string, kind: TaxNumberKind | undefined): boolean =>
  kind === 'EORI' ||
  (kind === 'COMPANY' && !asked.startsWith('SIREN')) ||
  (kind === 'VAT' && ['Steuernummer', 'Gambling Tax Service registration number'].includes(asked));

/** The number under which the taxpayer files. That of a registration may be of another kind where a country has several. */
function numberText(form: FilingForm, { taxNumber, taxNumberKind, registeredNumber }: Taxpayer): Text {
  if (taxNumber !== null)
    return asksForAnother(form.taxNumber, taxNumberKind)
      ? said`${taxNumber}: a number of another kind by the tax profile; the form asks for the ${form.taxNumber}`
      : taxNumber;
  if (registeredNumber === null) return said`missing: no tax profile of the account in this country has it`;
  return form.taxNumber === 'TIN'
    ? registeredNumber
    : said`${registeredNumber}: the number of the registration; check that it is the ${form.taxNumber}, or set it in a tax profile`;
}

const sourceText = (s: TaxSource | undefined): string => [s?.title, s?.publisher, s?.url].filter((t) => t).join(', ');

/** One in another language than English stays as the authority has it. */
export const titleOf = (form: FilingForm): Text => (form.english === undefined ? phrase(form.title) : form.title);

export function headSection({ version: { form, country, sources }, period }: AskedReturn, who: Taxpayer): SaidSection {
  const rows: [Text, Text][] = [
    [said`Form`, form.form],
    [said`Title`, titleOf(form)],
    ...(form.english === undefined ? [] : [[said`In English`, phrase(form.english)] as [Text, Text]]),
    [said`Authority`, form.authority],
    [said`Country`, country],
    [said`Taxpayer`, who.withClients ? said`${who.name}, for itself and all its clients` : who.name],
    [form.taxNumber, numberText(form, who)],
    ...(who.shop === undefined
      ? []
      : [
          [
            said`One-stop shop`,
            who.shop.from !== undefined
              ? said`the account is of ${who.shop.home}, and its tax profile says that it is registered in ${country} from ${day(who.shop.from)} on: what it sold before is in the report oneStopShop, and not in this return`
              : said`the account is of ${who.shop.home}, and no tax profile says that it is registered in ${country}: what it declares in the one-stop shop is in the report oneStopShop, and not to be filed here too`,
          ] as [Text, Text],
        ]),
    [said`Period`, said`${period.name}: ${day(period.first)} to ${day(period.last)}`],
    [said`Due on`, day(period.dueOn)],
    [said`Currency`, form.currency],
    [said`Law`, form.legalRef ?? said`not named by the source`],
    [said`Source`, sourceText(sources[form.source])],
    ...(form.furtherSources ?? []).map((s): [Text, Text] => [said`Further source`, sourceText(sources[s])]),
    [said`Confidence`, phrase(form.confidence)],
  ];
  return section(rows, {
    name: 'return',
    title: 'Return',
    note: said`${phrase(form.says)} Weekends and holidays may move the day it is due.`,
    columns: [text('field', 'Field', (r) => r[0]), text('value', 'Value', (r) => r[1])],
  });
}

const shownSum = (names: readonly string[]): string =>
  names
    .map((n, i) => (n.startsWith('-') ? `${i === 0 ? '' : ' '}− ${n.slice(1)}` : `${i === 0 ? '' : ' + '}${n}`))
    .join('');

function howFilled({ sum, add, given, adjusts }: FilingBox): Said {
  if (given !== undefined) return phrase(given);
  if (add) return add.length === 1 ? said`Box ${shownSum(add)}` : said`Boxes ${shownSum(add)}`;
  if (sum) return sum.figure === 'tax' ? said`Tax of the lines` : said`Taxable amounts of the lines`;
  return adjusts === 'tax'
    ? said`Tax of corrections to periods filed before`
    : said`Taxable amounts of corrections to periods filed before`;
}

function roundedHow(b: FilingBox): Said {
  if (b.rounding === undefined) return howFilled(b);
  return b.rounding === 'UNIT_DOWN'
    ? said`${howFilled(b)}, rounded down to whole units`
    : said`${howFilled(b)}, rounded to whole units`;
}

export const boxSection = (form: FilingForm, { boxes }: Filled<Shown>, withClients: boolean): SaidSection =>
  section(boxes, {
    name: 'boxes',
    title: 'Boxes',
    note: said`The form's own boxes, in its order. The tax to pay is in box ${form.payable}, before what the taxpayer fills in. ${
      withClients
        ? said`This is the return of the PSP: it adds up its own fees and the records of all its clients. Name a client for the return of that client alone.`
        : said`The PSP's fees are not in it: the tax on them is the client's input tax and has a section of its own.`
    }`,
    columns: [
      text('box', 'Box', ({ box }: FilledBox) => box.box),
      text('name', 'Name', ({ box }: FilledBox) => box.name),
      text('english', 'In English', ({ box }: FilledBox) => phrase(box.english ?? box.name)),
      text('currency', 'Currency', () => form.currency),
      money('figure', 'Figure', (b: FilledBox) => b.figure),
      text('how', 'How it is filled in', ({ box }: FilledBox) => roundedHow(box)),
    ],
  });

type Of<L> = readonly Column<L>[];
type OfRule = { readonly rule: string; readonly operation?: string | undefined };

const ruleColumns = (ruleOf: RuleOf): Of<OfRule> => [
  text('rule', 'Rule', (l) => l.rule),
  percent('rate', 'Rate', (l) => ruleOf(l.rule)?.rate),
  text('taxCode', 'Tax code', (l) => ruleOf(l.rule)?.taxCode),
  code('operation', 'Operation', (l) => l.operation),
];

/** @returns the API path of the records a line sums, chargebacks only if there is nothing else; undefined where no list has them */
export type OpenLine = (line: OfRule & { readonly currency: string }) => string | undefined;

/** A correction is the difference of sums, at several rates of exchange. */
type Shown = SummedLine & Pick<ReturnLine, 'rate'>;

const amountColumns = (form: FilingForm): Of<Shown> => [
  text('currency', 'Currency', (l) => l.currency),
  money('foreignTaxable', 'Taxable', (l) => l.foreignTaxable),
  money('foreignTax', 'Tax', (l) => l.foreignTax),
  text('exchangeRate', 'Rate of exchange', (l) => l.rate?.rate),
  text('exchangeDay', 'Rate of', (l) => l.rate?.day),
  text('exchangePublisher', 'Published by', (l) => l.rate?.publisher),
  money('taxable', said`Taxable, ${form.currency}`, (l) => l.taxable),
  money('tax', said`Tax, ${form.currency}`, (l) => l.tax),
];

/** The boxes that add a line, which a reader may want to look up from either side. */
const boxesColumn = (form: FilingForm, ruleOf: RuleOf, of: typeof boxesOf): Column<OfRule> =>
  text('boxes', 'In boxes', (l) => {
    const rule = ruleOf(l.rule);
    return rule && of(form, rule, l.operation).join('; ');
  });

interface Head {
  readonly name: string;
  readonly title: string;
  readonly note: string;
}

export const lineSection = (
  form: FilingForm,
  ruleOf: RuleOf,
  lines: readonly ReturnLine[],
  open: OpenLine,
  head: Head = {
    name: 'lines',
    title: 'Lines',
    note: 'What the boxes add up, less chargebacks: taxes of the records as corrected by adjusting entries, and taxes due on the period as a whole, which have no operation.',
  },
): SaidSection =>
  section(lines, {
    ...head,
    columns: [
      ...ruleColumns(ruleOf),
      ...amountColumns(form),
      ...(head.name === 'lines' ? [boxesColumn(form, ruleOf, boxesOf)] : []),
    ],
    open,
  });

export const adjustmentSection = (
  form: FilingForm,
  ruleOf: RuleOf,
  lines: readonly Correction[],
  head: Head = {
    name: 'adjustments',
    title: 'Corrections to periods filed before',
    note: 'What the lines of a filed period are today, less what was filed and what later returns corrected already. They are within the boxes.',
  },
): SaidSection =>
  section(lines, {
    ...head,
    columns: [
      text('period', 'Period', (l) => l.period),
      ...ruleColumns(ruleOf),
      ...amountColumns(form),
      ...(head.name === 'adjustments' ? [boxesColumn(form, ruleOf, correctedIn)] : []),
    ],
  });

type LeftOut = Pick<UnconvertedLine, 'currency' | 'taxable' | 'tax' | 'isBase'>;

/**
 * Says beside the tax to pay what is not in it, and which amounts without tax are in no box; empty if nothing lacks a rate.
 * @param isDeclared whether a box takes such a line: the form does not lack an amount without tax that none takes
 */
export function unconvertedFact<L extends LeftOut>(lines: readonly L[], isDeclared: (line: L) => boolean): SaidFact[] {
  const left = (of: 'tax' | 'taxable', those: readonly LeftOut[]) =>
    groupedBy(those, ['currency'])
      .map(({ currency, rows }) => `${currency} ${sumOf(rows.map((r) => r[of]))}`)
      .join(', ');
  const taxed = lines.filter((l) => !isZero(l.tax));
  const untaxed = lines.filter((l) => isZero(l.tax) && !l.isBase && isDeclared(l));
  return [
    { name: 'notConverted', title: 'Tax in no box, without a rate of exchange', value: left('tax', taxed) },
    {
      name: 'baseNotConverted',
      title: 'Amounts not in the base of the tax, without a rate of exchange',
      value: left(
        'taxable',
        lines.filter((l) => l.isBase),
      ),
    },
    {
      name: 'untaxedNotConverted',
      title: 'Untaxed amounts in no box, without a rate of exchange',
      value: left('taxable', untaxed),
    },
  ].filter((f) => f.value !== '');
}

export const unconvertedSection = (
  form: FilingForm,
  ruleOf: RuleOf,
  lines: readonly UnconvertedLine[],
  open: OpenLine,
): SaidSection =>
  section(lines, {
    name: 'notConverted',
    title: 'Not converted',
    note: said`There is no rate of exchange for these, so that they are in no box. An administrator of the service loads those of ${form.exchange.publisher}, in the console under Rates or by the command assay fx load; then make the return again.`,
    columns: [
      ...ruleColumns(ruleOf),
      text('currency', 'Currency', (l) => l.currency),
      money('taxable', 'Taxable', (l) => l.taxable),
      money('tax', 'Tax', (l) => l.tax),
    ],
    open,
  });

const undeclared = said`No box of the form takes it.`;

/** Why a line is in no box. */
function whyOutside(form: FilingForm, ruleOf: RuleOf, l: Shown): Said {
  const rule = ruleOf(l.rule);
  if (!rule) return said`The rule is not known to the tax data in force.`;
  const found = form.outside?.find((s) => isSelected(s, rule, l.operation));
  if (!found) return undeclared;
  return found.says === undefined ? said`The form does not ask for it.` : phrase(found.says);
}

export const outsideSection = (
  form: FilingForm,
  ruleOf: RuleOf,
  lines: readonly Shown[],
  open: OpenLine,
): SaidSection =>
  section(lines, {
    name: 'outside',
    title: 'In no box',
    note: 'Lines that the form has no box for, with the reason.',
    columns: [
      ...ruleColumns(ruleOf),
      ...amountColumns(form),
      text('why', 'Reason', (l: Shown) => whyOutside(form, ruleOf, l)),
    ],
    open,
  });
