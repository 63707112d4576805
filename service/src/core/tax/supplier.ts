// Who owes the tax on a sale: the client's tax profile in a country, by day. Pure.
import type { ClientKind, Customer } from './rule.ts';
import { type Supply, supplyOf } from './supplies.ts';

/**
 * STANDARD: charges tax at the rates of the country. FLAT_RATE: charges them too, and pays the authority a flat part of
 * its turnover; in a country whose rules have a flat rate, it charges that. SMALL_BUSINESS: below the limit, and charges
 * none. EXEMPT: sells only what is exempt.
 */
export const taxSchemes = ['STANDARD', 'FLAT_RATE', 'SMALL_BUSINESS', 'EXEMPT'] as const;
export type TaxScheme = (typeof taxSchemes)[number];

/**
 * VAT: of the tax on sales, under whatever name (GST). TIN: of a business as a taxpayer. PERSON: of a person as one.
 * COMPANY: of the company register. EORI: of the customs of the European Union and the United Kingdom.
 */
export const taxNumberKinds = ['VAT', 'TIN', 'PERSON', 'COMPANY', 'EORI'] as const;
export type TaxNumberKind = (typeof taxNumberKinds)[number];

export interface TaxProfile {
  /** ISO 3166-1 alpha-2: where it is registered, or not. */
  readonly country: string;
  /** First local day it is in force; until the next one of the same country. */
  readonly validFrom: string;
  readonly registered: boolean;
  readonly scheme: TaxScheme;
  readonly taxNumber: string | null;
  /** Kind of the number; undefined if it was not given. */
  readonly taxNumberKind?: TaxNumberKind;
  /** Whether the number has the form and check digits of its kind in its country; null where none are known. */
  readonly taxNumberValid: boolean | null;
  /** ISO 3166-2, where the tax is one of a part of the country. */
  readonly subdivision: string | null;
  /** What it sells, where the merchant category code does not say. */
  readonly supply: Supply | null;
}

/** Why a sale bears none of the tax it contains otherwise. */
export const reliefs = ['NOT_REGISTERED', 'SMALL_BUSINESS', 'EXEMPT_SUPPLIER'] as const;
export type Relief = (typeof reliefs)[number];

/** The profile in force in a country on a local day; undefined if nothing is known of it. */
export const profileOn = (
  profiles: readonly TaxProfile[] | null,
  country: string,
  date: string,
): TaxProfile | undefined =>
  profiles
    ?.filter((p) => p.country === country && p.validFrom <= date)
    .reduce<TaxProfile | undefined>((last, p) => (last && last.validFrom > p.validFrom ? last : p), undefined);

/** The first day of a period on which it is registered in a country, by a profile that says so; undefined if it is on none. */
export const registeredFrom = (
  profiles: readonly TaxProfile[] | null,
  country: string,
  { first, last }: { readonly first: string; readonly last: string },
): string | undefined =>
  profileOn(profiles, country, first)?.registered === true
    ? first
    : profiles
        ?.filter((p) => p.country === country && p.registered && p.validFrom > first && p.validFrom <= last)
        .map((p) => p.validFrom)
        .sort()[0];

/**
 * A business at home is a customer like all others to a seller that is at home too: by the country it is registered in here, or
 * by a profile of the sale's country that says it is registered there.
 * @param home country of the client's account, alpha-2
 */
export const customerOf = (
  told: Customer | undefined,
  home: string | null,
  place: string,
  profile: TaxProfile | undefined,
): Customer | undefined =>
  told === 'BUSINESS_AT_HOME' && (home === null || home === place || profile?.registered === true) ? undefined : told;

/** Without a profile a client counts as registered. */
export function reliefOf(profile: TaxProfile | undefined): Relief | undefined {
  if (profile === undefined) return undefined;
  if (profile.scheme === 'SMALL_BUSINESS') return 'SMALL_BUSINESS';
  if (!profile.registered) return 'NOT_REGISTERED';
  return profile.scheme === 'EXEMPT' ? 'EXEMPT_SUPPLIER' : undefined;
}

/** The kind of client that rules of sales may be limited to. Without a profile it is none of them. */
export function clientKindOf(profile: TaxProfile | undefined): ClientKind | undefined {
  const relief = reliefOf(profile);
  if (relief !== undefined) return relief === 'NOT_REGISTERED' ? relief : undefined;
  return profile?.scheme === 'FLAT_RATE' ? 'FLAT_RATE' : undefined;
}

/** The profiles after one was set: it replaces the one of the same country and day. By country and day. */
export const withProfile = (profiles: readonly TaxProfile[] | null, set: TaxProfile): TaxProfile[] =>
  [...(profiles ?? []).filter((p) => p.country !== set.country || p.validFrom !== set.validFrom), set].sort((a, b) =>
    `${a.country}${a.validFrom}` < `${b.country}${b.validFrom}` ? -1 : 1,
  );

/** The merchant category code, the caller in `taxDetails.category`, or the client's tax profile. */
export const suppliesSaidBy = ['CODE', 'CALLER', 'PROFILE'] as const;
export type SupplySaidBy = (typeof suppliesSaidBy)[number];

interface Sold {
  /** What the caller says is sold. */
  readonly supply?: Supply | undefined;
  readonly profile?: TaxProfile | undefined;
  readonly mcc?: string | undefined;
  readonly date: string;
}

/**
 * What the caller says is sold; else, where the code of the merchant says nothing, what its profile says. Of the code
 * the rule book asks itself.
 */
export function soldAs(q: Sold): { readonly supply: Supply | undefined; readonly saidBy: SupplySaidBy } {
  if (q.supply !== undefined) return { supply: q.supply, saidBy: 'CALLER' };
  return q.profile?.supply != null && supplyOf(q.mcc, q.date) === undefined
    ? { supply: q.profile.supply, saidBy: 'PROFILE' }
    : { supply: undefined, saidBy: 'CODE' };
}
