// Wire forms of the tax analysis of call detail records.
import { Type } from 'typebox';
import { analysisFindings } from '../../../core/cdr/analyse.ts';
import { cdrClasses } from '../../../core/cdr/classify.ts';
import { Extended, Money, Named, Nullable } from '../../kernel/operation.ts';

const text = () => Type.String();

export const ClassName = Type.Enum([...cdrClasses]);
export const FindingName = Type.Enum(Object.keys(analysisFindings) as (keyof typeof analysisFindings)[]);

/** A month; which ones there are is a matter of the records. */
export const Month = (description: string) =>
  Type.String({ description, pattern: '^\\d{4}-(0[1-9]|1[0-2])$', maxLength: 7 });

/** What makes a figure, and the way to its records. */
const figure = {
  clientId: text(),
  country: Type.String({ description: "The operator's, ISO 3166-1 alpha-2; ZZ where its account names none." }),
  period: Type.String({ description: 'Month it counts in, YYYY-MM.' }),
  callPeriod: Type.String({ description: "Month of the call in the country's calendar." }),
  late: Type.Boolean({ description: 'Whether it counts in a later month because its own was closed.' }),
  class: ClassName,
  currency: Type.String({ description: 'Of the cost.' }),
};

const taxed = {
  ruleId: text(),
  taxCode: text(),
  currency: Type.String({ description: 'Of the tax.' }),
  taxable: Nullable(Type.Number({ description: 'Null with an amount per unit.' })),
  quantity: Nullable(
    Type.Number({
      description: 'Seconds, records or kilobytes of an amount per minute, record or megabyte; else null.',
    }),
  ),
  tax: Money('Exact, with more decimals than the currency has.'),
  reason: Nullable(Type.String({ description: 'Why it is zero.' })),
};

export const TotalsResource = Named(
  'CallTotals',
  'Figures of the call detail records of a month, class and currency.',
  {
    ...figure,
    records: Type.Integer(),
    answered: Type.Integer(),
    seconds: Type.Integer(),
    dataKb: Type.Number(),
    cost: Money('Before tax.'),
    tax: Money('Sum of the taxes in the currency of the cost.'),
    findings: Type.Array(
      Named('UntaxedRecords', 'Records on which nothing could be charged.', {
        code: FindingName,
        records: Type.Integer(),
      }),
      {
        description: 'Records on which nothing could be charged, and why.',
      },
    ),
    taxes: Type.Array(
      Named('CallTaxTotal', 'The sum of a tax by its rule.', {
        ...taxed,
        base: text(),
        records: Type.Integer(),
        open: text(),
      }),
    ),
    open: Type.String({ description: 'Path of its records.' }),
  },
);

const CallTax = Named('CallTax', 'A tax on a call detail record.', taxed);

export const AnalysisResource = Named('CallAnalysis', 'How a call detail record is classed and taxed.', {
  cdrId: text(),
  ...figure,
  otherCountry: Nullable(Type.String({ description: 'Of the other side, where it is another country and known.' })),
  answered: Type.Boolean(),
  seconds: Type.Integer(),
  dataKb: Type.Number(),
  cost: Money(),
  tax: Money(),
  taxes: Type.Array(CallTax),
  finding: Nullable(FindingName),
  dataset: Type.String({ description: 'Version of the tax rules.' }),
  ranges: Type.String({ description: 'Version of the number ranges.' }),
});

/** Of one record, with why. */
export const AnalysisDetail = Extended(
  AnalysisResource,
  'CallAnalysisDetail',
  'How a call detail record is classed and taxed, with the rule and the source of each tax.',
  {
    taxes: Type.Array(
      Extended(CallTax, 'CallTaxDetail', 'A tax on a call detail record, with its rule and source.', {
        base: Nullable(text()),
        rate: Nullable(Type.String({ description: 'Percent.' })),
        unitAmount: Nullable(text()),
        bearer: Nullable(text()),
        source: Type.Unknown({ description: 'Title, publisher, address and day of retrieval.' }),
        legalRef: Nullable(text()),
        confidence: Nullable(text()),
        note: Nullable(text()),
      }),
    ),
  },
);

export const Progress = Type.Object(
  {
    entries: Type.Integer(),
    read: Type.Integer(),
    setAside: Type.Integer({ description: 'Entries that could not be analysed; they are tried again each hour.' }),
    complete: Type.Boolean(),
  },
  {
    $id: 'AnalysisProgress',
    description: 'How far the analysis has come in the journal; figures may grow until it is complete.',
  },
);

export const PeriodResource = Named('CallPeriod', 'A month of call detail records of an operator.', {
  clientId: text(),
  period: text(),
  country: text(),
  state: Type.Enum(['OPEN', 'CLOSING', 'CLOSED'], {
    description: 'CLOSING until the analysis has come to the closing.',
  }),
  closedAt: Nullable(text()),
  records: Type.Integer(),
  late: Type.Integer({ description: 'Of these, records of calls of earlier months.' }),
});
