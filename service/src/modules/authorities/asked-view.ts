// Reads what an authority shall see from a request, and the text that two people agree on.

import { fromWire } from '../../core/ids.ts';
import { overseenKinds, type View, viewKinds } from '../../core/oversight.ts';
import { notFound, orThrow, phrase, refuse, said } from '../../core/refusal.ts';
import { canonical } from '../../core/request.ts';
import { viewResource } from '../accounts/index.ts';
import { Day, type Needs, Time, Type } from '../kernel/operation.ts';
import { taxCodesOf } from '../rates/index.ts';

export const viewAsked = {
  countryCode: Type.String({ description: 'Country of the authority, ISO 3166-1.', minLength: 2, maxLength: 3 }),
  taxCodes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
      description:
        'Codes of the taxes it is responsible for: it sees records and returns of these alone. Default: all of the country.',
      minItems: 1,
      maxItems: 60,
    }),
  ),
  recordKinds: Type.Optional(
    Type.Array(Type.Enum(viewKinds), {
      description:
        'Kinds of records that it sees; default: transactions, wagers and payouts. Baskets and calls are seen only if they are named.',
      minItems: 1,
      maxItems: viewKinds.length,
    }),
  ),
  dayFrom: Day("First day that it sees, in the country's calendar."),
  dayTo: Type.Optional(Day('Last day that it sees. Default: up to the present.')),
  until: Time('When its access ends. A time that has passed ends it at once.'),
};
export type ViewAsked = Type.Static<Type.TObject<typeof viewAsked>>;

/** @throws UNKNOWN_COUNTRY, FIELD_INVALID */
export async function readView(s: Needs<'db' | 'reference'>, b: ViewAsked): Promise<View> {
  const country = orThrow(s.reference.country(b.countryCode));
  if (b.dayTo !== undefined && b.dayTo < b.dayFrom)
    throw refuse('FIELD_INVALID', "the field 'dayTo' is before 'dayFrom'");
  const known = new Set((await taxCodesOf(s.db, country.alpha2)).values());
  const unknown = b.taxCodes?.find((code) => !known.has(code));
  if (unknown !== undefined)
    throw refuse(
      'FIELD_INVALID',
      said`the field 'taxCodes' names '${unknown}'; the taxes of ${country.alpha2} are ${[...known].sort().join(', ') || phrase('not known')}`,
    );
  return {
    country: country.alpha2,
    taxCodes: b.taxCodes === undefined ? null : [...new Set(b.taxCodes)].sort(),
    recordKinds: viewKinds.filter((k) => (b.recordKinds ?? [...overseenKinds]).some((asked) => asked === k)),
    dayFrom: b.dayFrom,
    dayTo: b.dayTo ?? null,
    until: new Date(b.until).toISOString(),
  };
}

/** What two people agree on. @param of the name of a new authority, or the id of the one that is changed */
export const authorityText = (of: { readonly name: string } | { readonly authorityId: string }, view: View): string =>
  canonical({ ...('name' in of ? { name: of.name.trim() } : of), ...viewResource(view) });

export interface ProposedAuthority extends ViewAsked {
  readonly authorityId?: string | undefined;
  readonly name?: string | undefined;
}

/** What a proposal is about, and the text that is compared when it is done. @throws FIELD_INVALID, NOT_FOUND */
export async function readProposedAuthority(s: Needs<'db' | 'reference'>, p: ProposedAuthority) {
  const { name, authorityId } = p;
  if ((name === undefined) === (authorityId === undefined))
    throw refuse('FIELD_INVALID', "the field 'authority' has either the 'name' of a new one, or an 'authorityId'");
  if (authorityId !== undefined && fromWire('psp', authorityId) === undefined) throw notFound();
  const of = name === undefined ? { authorityId: authorityId as string } : { name };
  return { subject: name?.trim() ?? (authorityId as string), content: authorityText(of, await readView(s, p)) };
}
