// What the operations on changes of the tax rules share: the question and its default days.
import { localDate } from '../../core/calendar.ts';
import { noTaxRule, orThrow, refuse, said } from '../../core/refusal.ts';
import { type TaxChangeResource, taxChangeResources } from '../../core/tax/change-resource.ts';
import { Day, type Needs, Type } from '../kernel/operation.ts';

/** Days before today from which changes are listed unless the caller says otherwise. */
const USUAL_DAYS = 90;

export const changesQuery = Type.Object({
  since: Type.Optional(Day(`First day of the changes; default: ${USUAL_DAYS} days before today.`)),
  until: Type.Optional(Day('Last day of the changes; default: none, so that changes to come are included.')),
  country: Type.Optional(
    Type.String({ description: 'ISO 3166-1 alpha-2 or alpha-3; default: all countries.', maxLength: 3 }),
  ),
});
type ChangesQuery = Type.Static<typeof changesQuery>;

export interface ChangesFound {
  readonly since: string;
  readonly until: string | null;
  /** ISO 3166-1 alpha-2; null for all. */
  readonly country: string | null;
  readonly items: TaxChangeResource[];
}

/** @throws QUERY_INVALID, UNKNOWN_COUNTRY, NO_TAX_RULE if the country has no rules, which is not the same as no change */
export function findChanges(s: Needs<'reference' | 'rates'>, query: ChangesQuery, now: number): ChangesFound {
  const named = orThrow(query.country === undefined ? undefined : s.reference.country(query.country, 'country'));
  const country = named?.alpha2;
  const file = country === undefined ? undefined : s.rates.book.country(country);
  if (country !== undefined && !file) throw noTaxRule(country);
  const since = query.since ?? localDate(file?.timeZone ?? 'UTC', now - USUAL_DAYS * 86_400_000);
  const { until } = query;
  if (until !== undefined && until < since)
    throw refuse('QUERY_INVALID', said`the query parameter 'until' must not be before 'since' (${since})`);
  const items = taxChangeResources(s.rates.book, { since, until, country });
  return { since, until: until ?? null, country: country ?? null, items };
}
