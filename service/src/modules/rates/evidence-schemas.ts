// What shows why a split is what it is, as `expand` adds it and a quote has it.
import { Type } from 'typebox';
import { Money, Named, Nullable } from '../kernel/operation.ts';

const textOrNull = (description: string) => Nullable(Type.String(), description);

export const TaxEvidence = Named('TaxEvidence', 'A tax of a record, with the rule and the source it rests on.', {
  jurisdiction: textOrNull('The country of the rule, ISO 3166-1 alpha-2.'),
  taxCode: textOrNull('Code of the tax.'),
  taxName: textOrNull('Name of the tax.'),
  category: textOrNull('Category of the rate: standard, reduced, zero and so on.'),
  ruleId: Type.String(),
  rate: textOrNull('Percent; null where it is not known.'),
  method: Type.Enum(['CONTAINED', 'ADDED'], { description: 'Whether the amount contains the tax.' }),
  base: textOrNull('What the tax is charged on.'),
  taxableAmount: Money('What the tax was charged on.'),
  tax: Money('The tax.'),
  validFrom: textOrNull('First day of the rule; null where nobody looked it up.'),
  validTo: textOrNull('First day after the rule; null while it is in force.'),
  sunsetOn: textOrNull('Last day of a decree that ends unless it is renewed.'),
  reason: textOrNull('Why the rate is what it is, where that is said.'),
  bearer: textOrNull('Who bears the tax.'),
  source: Nullable(
    Named('TaxSource', 'Where a rule is taken from.', {
      title: Type.String({ description: 'Title of the document.' }),
      publisher: Type.String({ description: 'Who published it.' }),
      url: textOrNull('Its address.'),
      retrievedOn: Type.String({ description: 'Day it was read, `YYYY-MM-DD`.' }),
    }),
    'Where the rule is taken from.',
  ),
  legalRef: textOrNull('The law that the rule rests on.'),
  confidence: textOrNull('How well the rule is supported by its source.'),
  note: textOrNull('What else is to be known.'),
  dataset: Type.String({ description: 'Version of the tax rules.' }),
});

export const FeeEvidence = Named('FeeEvidence', 'The processing fee of a record, with the fee row it rests on.', {
  feeId: textOrNull('Id of the fee row.'),
  percent: textOrNull('Percentage of the gross amount.'),
  fixed: textOrNull('Added to the percentage.'),
  min: textOrNull('Least fee.'),
  max: textOrNull('Most fee.'),
  currency: textOrNull('The only currency that the row is for; null: all.'),
  validFrom: textOrNull('First day of the row.'),
  ofThisPsp: Type.Boolean({ description: "Whether the row is the PSP's own." }),
  processingFee: Money(),
});
