// How lists of accounts are searched: by a part of the name, by country, and by whether they may trade.
import { Type } from 'typebox';
import { CountryQuery, countryIn } from '../kernel/day-filter.ts';
import type { Needs } from '../kernel/needs.ts';

const AccountSearch = Type.Optional(
  Type.String({
    description: 'Part of the name or of the registration number, in any case.',
    minLength: 1,
    maxLength: 200,
  }),
);

const OnHold = Type.Optional(
  Type.Enum(['true', 'false'], {
    description: 'Only accounts with, or only those without, a blocking hold, which declines every transaction.',
  }),
);
const Restricted = Type.Optional(
  Type.Enum(['true'], {
    description:
      'Only accounts that may not trade for now: suspended, or on a blocking hold. Closed ones are left out.',
  }),
);

/** What lists of accounts have in common. */
export const accountQuery = {
  onHold: OnHold,
  restricted: Restricted,
  countryCode: CountryQuery,
  q: AccountSearch,
};

interface AccountsAsked {
  readonly onHold?: 'true' | 'false';
  readonly restricted?: 'true';
  readonly countryCode?: string;
  readonly q?: string;
}

/** @param at the moment at which holds are looked at, ISO UTC */
export const readAccounts = (s: Needs<'reference'>, q: AccountsAsked, at: string) => ({
  search: q.q,
  country: countryIn(s, q),
  restricted: q.restricted === 'true',
  onHold: isAsked(q.onHold),
  at,
});

const isAsked = (asked: 'true' | 'false' | undefined) => (asked === undefined ? undefined : asked === 'true');
