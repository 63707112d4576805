import { taxChangeKinds } from '../../../core/tax/changes.ts';
import {
  clientKinds,
  confidences,
  customers,
  taxBases,
  taxCategories,
  taxedOperations,
} from '../../../core/tax/rule.ts';
import { supplies } from '../../../core/tax/supplies.ts';
import { Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { TaxSource, textOrNull } from '../evidence-schemas.ts';
import { changesQuery, findChanges } from '../tax-changes.ts';

const texts = (description: string) => Type.Array(Type.String(), { description });

const TaxTerm = Named('TaxTerm', 'A tax rule before or after a change.', {
  ruleId: Type.String(),
  rate: Type.String({ description: 'The rate, brackets or fixed amount with its limits, in words.' }),
  reason: textOrNull('Why the rate is 0; UNKNOWN if it was not found.'),
});

const TaxChange = Named('TaxChange', 'A change of the tax rules on a day.', {
  changeId: Type.String({ description: 'Id of the change; the same in every version of the tax rules.' }),
  kind: Type.Enum(taxChangeKinds, {
    description:
      'STARTS: no such tax was due before. CHANGES: another rate than before. CONTINUES: the same rate by another rule. ENDS: a rule ends without a successor; `after` has the rules that apply then. EXPIRES: a rule ends unless it is renewed.',
  }),
  day: Type.String({
    description:
      'Local calendar date: the first day on which it is different, or with EXPIRES the last day that is certain.',
  }),
  title: Type.String({ description: 'The change in one line.' }),
  country: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
  countryName: Type.String({ description: 'Name of the country.' }),
  taxCode: Type.String({ description: 'Code of the tax.' }),
  taxName: Type.String({ description: 'Name of the tax.' }),
  category: Type.Enum(taxCategories, { description: 'Category of the rate.' }),
  base: Type.Enum(taxBases, { description: 'Base of the tax.' }),
  ruleId: Type.String({ description: 'Id of the rule that starts, ends or expires.' }),
  applied: Type.Boolean({
    description:
      'False if the rule is a reduced rate that names no supplies: it is published, and never applied by itself.',
  }),
  operations: Type.Array(Type.Enum(taxedOperations), { description: 'Operations the rule applies to.' }),
  supplies: Type.Array(Type.Enum(supplies), { description: 'Supplies the rule is limited to; empty if to none.' }),
  exceptSupplies: Type.Array(Type.Enum(supplies), { description: 'Supplies the rule does not apply to.' }),
  exceptOnTheSpot: Type.Boolean({
    description:
      'Whether the rule does not apply to what is sold on the spot by the merchant category code: in bars, at events, in car parks, at filling stations, for hire of vehicles.',
  }),
  mccRanges: texts('Merchant category codes the rule is limited to; empty if to none.'),
  classifications: texts('Classifications of clients the rule is limited to; empty if to none.'),
  productLines: texts('Product lines of wagers the rule is limited to; empty if to none.'),
  customer: Nullable(Type.Enum(customers), 'Kind of customers the rule is limited to.'),
  client: Nullable(Type.Enum(clientKinds), 'Kind of clients the rule is limited to, by their tax profile.'),
  subdivision: textOrNull('Part of the country the rule is limited to, ISO 3166-2.'),
  before: Type.Array(TaxTerm, { description: 'The rules that applied the day before; empty if no such tax was due.' }),
  after: Type.Array(TaxTerm, {
    description: 'The rules that apply from that day on; empty if no such tax is due, or if nobody knows (EXPIRES).',
  }),
  legalRef: textOrNull('The law that the rule rests on.'),
  source: Nullable(TaxSource, 'Source of the rule.'),
  confidence: Type.Enum(confidences, { description: 'Confidence in the rule, given its source.' }),
  says: textOrNull('The text of the source, in our own words.'),
  note: textOrNull('Remarks.'),
  readOn: Type.String({ description: 'Latest day on which a source of the change was read.' }),
});

export const listTaxChanges = operation({
  id: 'listTaxChanges',
  method: 'GET',
  path: '/v1/tax/changes',
  tag: 'Rates',
  summary: 'Changes of the tax rules between two days, past and to come',
  description:
    'By day. The tax rules begin on 2024-01-01; a rule whose first day nobody looked up is no change. `/v1/tax/changes.atom` answers the same as an Atom feed.',
  audience: ['psp', 'client', 'operator'],
  query: changesQuery,
  content: Named('TaxChangeList', 'Changes of the tax rules, by day.', {
    since: Type.String({ description: 'First day of the changes.' }),
    until: textOrNull('Last day of the changes; null if there is none.'),
    country: textOrNull('ISO 3166-1 alpha-2; null for all countries.'),
    dataset: Type.String(),
    items: Type.Array(TaxChange, { description: 'The changes.' }),
  }),
  refusals: ['UNKNOWN_COUNTRY', 'NO_TAX_RULE'],
  async handle({ query, now }, s: Needs<'reference' | 'rates'>) {
    const { items, ...asked } = findChanges(s, query, now);
    return { message: 'changes of the tax rules', content: { ...asked, dataset: s.rates.book.version, items } };
  },
});
