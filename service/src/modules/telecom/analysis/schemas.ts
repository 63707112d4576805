// Wire forms of the tax analysis of call detail records.
import { analysisFindings } from '../../../core/cdr/analyse.ts';
import { cdrClasses } from '../../../core/cdr/classify.ts';
import { type TaxDebtor, taxDebtors } from '../../../core/tax/rule.ts';
import { Extended, Money, Named, Nullable, Type } from '../../kernel/operation.ts';
import { form } from '../../kernel/text-forms.ts';

const text = () => Type.String();

export const ClassName = Type.Enum(cdrClasses);
export const FindingName = Type.Enum(Object.keys(analysisFindings) as (keyof typeof analysisFindings)[]);

/** A month, YYYY-MM. It need not have records. */
export const Month = (description: string) =>
  Type.String({ description, ...form('^\\d{4}-(0[1-9]|1[0-2])$', 'a month, such as 2026-11'), maxLength: 7 });

const CallFigure = Named('CallFigure', 'The fields that identify a figure of calls.', {
  clientId: text(),
  country: Type.String({ description: 'Country of the operator, ISO 3166-1 alpha-2; ZZ if its account has none.' }),
  period: Type.String({ description: 'Month it counts in, YYYY-MM.' }),
  callPeriod: Type.String({ description: "Month of the call in the country's calendar." }),
  late: Type.Boolean({ description: 'True if it counts in a later month because its own was closed.' }),
  class: ClassName,
  currency: Type.String({ description: 'Currency of the cost.' }),
});

/** Whether a call bears a tax. */
export const howDue = {
  method: Type.Enum(['ADDED', 'BY_RETURN'], {
    description: '`BY_RETURN`: no part of the call; its operator owes it by a return of the period.',
  }),
};

/** How a tax is due, from who owes it by return, if anybody. */
export const howDueOf = (owedBy: TaxDebtor | '' | null) => ({
  method: owedBy ? ('BY_RETURN' as const) : ('ADDED' as const),
});

/** The amounts of a tax on a call, for operators and authorities alike. */
export const CallTaxAmounts = Named('CallTaxAmounts', 'The amounts of a tax on a call.', {
  currency: Type.String({ description: 'Currency of the tax.' }),
  taxable: Nullable(Type.Number({ description: 'Taxable amount; null for a tax per unit.' })),
  quantity: Nullable(
    Type.Number({
      description: 'Seconds, records or kilobytes, for a tax per minute, record or megabyte; else null.',
    }),
  ),
  tax: Money('The tax, exact, with more decimals than the currency has.'),
  reason: Nullable(Type.String({ description: 'Reason why the tax is zero.' })),
  ...howDue,
});

const byReturn = {
  byReturn: Type.Array(
    Named('CallTaxByReturn', 'The taxes due by return in a currency.', {
      currency: text(),
      tax: Money(),
    }),
    {
      description: 'The sums that the operator owes by a return of the period, by currency. They are no part of `tax`.',
    },
  ),
};

const CallTax = Extended(CallTaxAmounts, 'CallTax', 'A tax on a call detail record.', {
  ruleId: text(),
  taxCode: text(),
});

export const TotalsResource = Extended(
  CallFigure,
  'CallTotals',
  'Figures for the call detail records of a month, class and currency.',
  {
    records: Type.Integer(),
    answered: Type.Integer({ description: 'Calls that were answered, and messages and sessions that did not fail.' }),
    seconds: Type.Integer(),
    dataKb: Type.Number(),
    cost: Money('Cost before tax.'),
    tax: Money('Sum of the taxes in the currency of the cost, none of them due by return.'),
    ...byReturn,
    findings: Type.Array(
      Named('UntaxedRecords', 'Records that could not be taxed.', {
        code: FindingName,
        records: Type.Integer(),
      }),
      {
        description: 'Records that could not be taxed, by reason.',
      },
    ),
    taxes: Type.Array(
      Extended(CallTax, 'CallTaxTotal', 'The sum of a tax by its rule.', {
        base: text(),
        records: Type.Integer(),
        open: Type.String({ description: 'Path of the records behind the figure.' }),
      }),
    ),
    open: Type.String({ description: 'Path of the records.' }),
  },
);

export const AnalysisResource = Extended(CallFigure, 'CallAnalysis', 'Class and taxes of a call detail record.', {
  cdrId: text(),
  otherCountry: Nullable(Type.String({ description: 'Country of the other party, if it is known and differs.' })),
  answered: Type.Boolean(),
  seconds: Type.Integer(),
  dataKb: Type.Number(),
  cost: Money('Cost of the call, before tax.'),
  tax: Money('Sum of the taxes in the currency of the cost, none of them due by return.'),
  ...byReturn,
  taxes: Type.Array(CallTax),
  finding: Nullable(FindingName, 'Why nothing could be charged; null if it could.'),
  dataset: Type.String({ description: 'Version of the tax rules.' }),
  ranges: Type.String({ description: 'Version of the number ranges.' }),
  withdrawnIn: Type.Optional(
    Type.String({
      description:
        'Month (YYYY-MM) in which its withdrawal is taken off. In the list of that month, if it counts in an earlier one, its figures are negative.',
    }),
  ),
});

/** The analysis of one record, with the rules behind it. */
export const AnalysisDetail = Extended(
  AnalysisResource,
  'CallAnalysisDetail',
  'Class and taxes of a call detail record, with the rule and the source of each tax.',
  {
    taxes: Type.Array(
      Extended(CallTax, 'CallTaxDetail', 'A tax on a call detail record, with its rule and source.', {
        base: Nullable(text()),
        rate: Nullable(Type.String({ description: 'Percent.' })),
        unitAmount: Nullable(text(), 'Amount per unit, for a tax that is not a percentage; else null.'),
        bearer: Nullable(text(), 'Party that bears the tax.'),
        owedBy: Nullable(Type.Enum(taxDebtors, { description: 'The debtor of a tax by return.' })),
        authority: Nullable(Type.String({ description: 'To whom it is paid, if the source says so.' })),
        source: Type.Unknown({ description: 'Title, publisher, address and day of retrieval.' }),
        legalRef: Nullable(text()),
        confidence: Nullable(text()),
        note: Nullable(text(), 'Remarks about the rule.'),
      }),
    ),
  },
);

export const Progress = Type.Object(
  {
    entries: Type.Integer({ description: 'Number of entries in the journal.' }),
    read: Type.Integer({ description: 'Number of entries that were read.' }),
    setAside: Type.Integer({ description: 'Entries that could not be analysed; they are tried again each hour.' }),
    complete: Type.Boolean({ description: 'True if all were read.' }),
  },
  {
    $id: 'AnalysisProgress',
    description: 'Progress of the analysis through the journal; figures may grow until it is complete.',
  },
);

export const PeriodResource = Named('CallPeriod', 'A month of call detail records of an operator.', {
  clientId: text(),
  period: text(),
  country: text(),
  state: Type.Enum(['OPEN', 'CLOSING', 'CLOSED'], {
    description: 'CLOSING until the analysis has come to the closing.',
  }),
  closedAt: Nullable(text(), 'When the month was closed, ISO 8601 UTC; null if it is open.'),
  records: Type.Integer(),
  late: Type.Integer({ description: 'Number of records that belong to earlier months.' }),
});
