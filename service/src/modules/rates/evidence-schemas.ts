// Schemas of the evidence for a split, as `expand` adds it and a quote contains it.
import { confidences, taxDebtors } from '../../core/tax/rule.ts';
import { supplies } from '../../core/tax/supplies.ts';
import { Extended, Money, Named, Nullable, Type } from '../kernel/operation.ts';

export const textOrNull = (description: string) => Nullable(Type.String(), description);

export const TaxSource = Named('TaxSource', 'Source of a rule.', {
  title: Type.String({ description: 'Title of the document.' }),
  publisher: Type.String({ description: 'Publisher of the document.' }),
  url: textOrNull('URL of the document.'),
  publishedOn: Type.Optional(textOrNull('`YYYY-MM-DD`, `YYYY-MM` or `YYYY`; null if undated.')),
  retrievedOn: Type.String({ description: 'Day it was read, `YYYY-MM-DD`.' }),
});

const RuleEvidence = Named('RuleEvidence', 'A tax rule with the source it rests on.', {
  jurisdiction: textOrNull('The country of the rule, ISO 3166-1 alpha-2.'),
  taxCode: textOrNull('Code of the tax.'),
  taxName: textOrNull('Name of the tax.'),
  category: textOrNull('Category of the rate: standard, reduced, zero and so on.'),
  ruleId: Type.String(),
  supplies: Type.Array(Type.Enum(supplies), {
    description: 'Kinds of goods or services that the rule is limited to; empty if it is not limited.',
  }),
  subdivision: textOrNull('Part of the country the rule is of, ISO 3166-2.'),
  rate: textOrNull('Percent; null where it is not known, or the tax is no plain percentage.'),
  terms: textOrNull('The rate, brackets or fixed amount with its limits, in words.'),
  base: textOrNull('Base of the tax.'),
  validFrom: textOrNull('First day of the rule; null if unknown.'),
  validTo: textOrNull('First day after the rule; null while it is in force.'),
  sunsetOn: textOrNull('Last day of a decree that ends unless it is renewed.'),
  endsSoon: textOrNull(
    'Last day of the rule, or of a decree that ends unless it is renewed, if it comes within 90 days after the day of the record; null otherwise.',
  ),
  reason: textOrNull('Explanation of the rate, if there is one.'),
  bearer: textOrNull('Party that bears the tax.'),
  source: Nullable(TaxSource, 'Source of the rule.'),
  legalRef: textOrNull('The law that the rule rests on.'),
  confidence: Nullable(Type.Enum(confidences), 'Confidence in the rule, given its source.'),
  says: textOrNull('Summary of what the source says, in our own words.'),
  note: textOrNull('Remarks.'),
  dataset: Type.String({ description: 'Version of the tax rules.' }),
});

export const TaxEvidence = Extended(
  RuleEvidence,
  'TaxEvidence',
  'A tax of a record, with the rule and the source it rests on.',
  {
    method: Type.Enum(['CONTAINED', 'ADDED', 'BY_RETURN'], {
      description:
        'Whether the amount includes the tax; `BY_RETURN`: it is no part of the amount and its split, and owed by a return of the period.',
    }),
    owedBy: Nullable(
      Type.Enum(taxDebtors),
      'Debtor of a tax by return: the PSP, the client, or the institution that keeps the account of the payer or of the payee. Null for taxes of the split.',
    ),
    taxableAmount: Money('Taxable amount.'),
    tax: Money('The tax.'),
  },
);

export const AccrualEvidence = Extended(
  RuleEvidence,
  'AccrualEvidence',
  'An amount added to the base of a periodic tax, with the rule and its source.',
  { productLine: Type.String(), contribution: Money() },
);

export const FeeEvidence = Named('FeeEvidence', 'The processing fee of a record, with the fee row it rests on.', {
  feeId: textOrNull('Id of the fee row.'),
  percent: textOrNull('Percentage of the gross amount.'),
  fixed: textOrNull('Added to the percentage.'),
  min: textOrNull('Lowest fee.'),
  max: textOrNull('Highest fee.'),
  currency: textOrNull('Currency the row applies to; null: all.'),
  validFrom: textOrNull('First day of the row.'),
  ofThisPsp: Type.Boolean({ description: "True if the row is the PSP's own." }),
  processingFee: Money(),
});
