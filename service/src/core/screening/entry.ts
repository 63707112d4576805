// An entry of a list: a person, an organisation or another thing that a publisher or a PSP lists, with its names, dates
// of birth, countries and exact keys. Also what a list is for, and from which score a name matches it.
import { type ListedKind, listedKinds } from '../risk/lists.ts';

/** SANCTIONS and PEP are published; BLOCK and ALLOW are lists of the operator's or a PSP's own. */
export const listPurposes = ['SANCTIONS', 'PEP', 'BLOCK', 'ALLOW'] as const;
export type ListPurpose = (typeof listPurposes)[number];

/** The score in percent from which a name matches, unless the list says another one. */
export const usualThresholds: Readonly<Record<ListPurpose, number>> = { SANCTIONS: 85, PEP: 85, BLOCK: 85, ALLOW: 100 };

/** KEY: nothing is known but exact keys. */
export const entryKinds = ['PERSON', 'ORGANISATION', 'VESSEL', 'AIRCRAFT', 'KEY'] as const;
export type EntryKind = (typeof entryKinds)[number];

export const keyKinds = listedKinds;

export interface ListedName {
  readonly name: string;
  /** The publisher calls the alias weak or of low quality: it matches only together with a date of birth or country. */
  readonly weak?: true;
}

export interface ListedKey {
  readonly kind: ListedKind;
  readonly value: string;
}

export interface ListEntry {
  /** The publisher's number of the entry; unique in its list. */
  readonly ref: string;
  readonly kind: EntryKind;
  /** The first is the main one. */
  readonly names: readonly ListedName[];
  /** YYYY, YYYY-MM or YYYY-MM-DD; two of them with `/` between them for a range. */
  readonly births: readonly string[];
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
  readonly keys: readonly ListedKey[];
  readonly programmes: readonly string[];
}

/** How lists are named: OFAC_SDN, OWN_BLOCK. */
export const listName = '^[A-Z][A-Z0-9_]{1,39}$';

/** An entry's content as one text: two with the same text say the same. */
export const contentOf = (e: ListEntry): string =>
  JSON.stringify([e.kind, e.names, e.births, e.countries, e.keys, e.programmes]);
