// Returns that were filed: the resource as returned and journalled, and its entry with the lines behind it.
import { entry } from './define.ts';
import { Named, Nullable, Type } from './schema.ts';

const Decimal = (description: string) => Type.String({ description: `${description} Exact decimal text.` });

export const FilingResource = Named('Filing', 'A return that was filed with an authority.', {
  filingId: Type.String({ description: 'Id of the filed return, `fil_…`.' }),
  clientId: Type.String(),
  reportId: Type.String({ description: 'The report that was filed.' }),
  form: Type.String({ description: 'The form, as listFilingForms names it; EU-OSS for the one-stop shop.' }),
  countryCode: Type.String({ description: 'Country of the form, or for the one-stop shop that of the taxpayer.' }),
  period: Type.String({
    description: 'Its period: 2026-09, 2026-Q3, 2026, 2026-07/2026-08, 2026-W48 or 2026-11-22/2026-11-28.',
  }),
  firstDay: Type.String({ description: 'First day of the period, `YYYY-MM-DD`.' }),
  lastDay: Type.String({ description: 'Last day of the period, `YYYY-MM-DD`.' }),
  currency: Type.String(),
  payable: Decimal('The tax to pay by the form, before what the taxpayer fills in.'),
  boxes: Type.Array(
    Named('FiledBox', 'A box as it was filed.', {
      box: Type.String({
        description:
          "The authority's number of the box; in the one-stop shop the Member State that is owed the figure.",
      }),
      figure: Nullable(Type.String(), 'Exact decimal text; null if the taxpayer fills it in.'),
    }),
    { description: "The boxes as they were filed, in the form's order." },
  ),
  documentSha256: Type.String({ description: "SHA-256 of the report's JSON." }),
  reference: Type.String({ description: "The authority's reference of the return." }),
  filedOn: Type.String({ description: 'Day on which it was filed, `YYYY-MM-DD`.' }),
  filedBy: Type.String({ description: 'The key or person that recorded it.' }),
  createdAt: Type.String(),
});

export const filingEntries = {
  'return.filed/1': entry('A return was filed with an authority.', {
    data: FilingResource,
    evidence: Named('FilingEvidence', 'The lines behind a return.', {
      lines: Type.Array(
        Named('FiledLine', 'Taxes of a rule, operation and currency as they were filed.', {
          period: Type.Optional(Type.String({ description: 'The period it corrects; absent for the own period.' })),
          rule: Type.String(),
          operation: Type.Optional(Type.String({ description: 'Absent for a tax of the period as a whole.' })),
          currency: Type.String(),
          taxable: Decimal("In the form's currency."),
          tax: Decimal("In the form's currency."),
          foreignTaxable: Decimal("In the line's own currency."),
          foreignTax: Decimal("In the line's own currency."),
        }),
      ),
    }),
  }),
};
