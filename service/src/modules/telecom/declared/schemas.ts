// Wire forms of declarations.
import { cdrClasses } from '../../../core/cdr/classify.ts';
import { type DeclaredFigure, declaredFigures } from '../../../core/cdr/declaration.ts';
import { accountWire, toWire } from '../../../core/ids.ts';
import { wireNumber } from '../../../core/money.ts';
import { DeclarationResource } from '../../../entries/cdrs.ts';
import { Exact, Named, resourceOf, Text, Type } from '../../kernel/operation.ts';
import type { StoredDeclaration } from './declaration-store.ts';

export { DeclarationDetail, DeclarationResource } from '../../../entries/cdrs.ts';

const figure = (description: string) => Type.Optional(Exact({ description, minimum: 0 }));

export const DeclarationBody = Type.Object({
  period: Text('The month, YYYY-MM.', 21),
  lines: Type.Array(
    Named('DeclaredFigures', 'Figures to declare of a class, a tax and a currency.', {
      class: Type.Optional(Type.Enum(cdrClasses, { description: 'Class of calls; all classes together if omitted.' })),
      taxCode: Type.Optional(Text('Code of a tax, as in /v1/tax/rates; all taxes together if omitted.', 40)),
      records: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of records.' })),
      minutes: figure('Minutes of calls, in any number of decimals.'),
      dataMb: figure('Megabytes of data sessions, of 1,024 kilobytes.'),
      gross: figure('Cost of the records, before tax.'),
      taxable: figure('Taxable amount.'),
      tax: figure('The tax declared.'),
      currency: Text('ISO 4217 alpha-3 code, any case.', 12),
    }),
    { minItems: 1, maxItems: 1000, description: 'Each class, tax and currency once.' },
  ),
});

export type DeclarationInput = Type.Static<typeof DeclarationBody>;

/** A declaration without its lines, as in lists. */
export const declarationResource = (d: StoredDeclaration) =>
  resourceOf(DeclarationResource, d, {
    declarationId: toWire('declaration', d.id),
    clientId: accountWire(d.psp, d.account),
    recordedBy: d.recordedBy && accountWire(d.psp, d.recordedBy),
    lineCount: d.lines.length,
  });

export const declarationDetail = (d: StoredDeclaration) => ({
  ...declarationResource(d),
  lines: d.lines.map((l) => ({
    class: l.class,
    taxCode: l.taxCode,
    currency: l.currency,
    ...(Object.fromEntries(declaredFigures.map((f) => [f, l[f] === null ? null : wireNumber(l[f])])) as Record<
      DeclaredFigure,
      number | null
    >),
  })),
});
