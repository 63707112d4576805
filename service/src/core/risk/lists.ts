// Lists of persons, wallets and addresses as rules see them: an interface, filled by the module that keeps lists.

import type { PspId } from '../ids.ts';

export const listedKinds = ['wallet', 'ip', 'msisdn', 'person', 'mcc', 'country'] as const;
export type ListedKind = (typeof listedKinds)[number];

/**
 * Names of the lists that a value is on, of those that all PSPs watch and the PSP's own; lists of what is allowed are
 * left out. Answers from memory. Values of persons, wallets and numbers are the keyed hashes of their normal form, as in
 * lookups; `ip` is an address or network in clear, countries are ISO 3166-1 alpha-2, MCCs four digits.
 */
export type ListLookup = (psp: PspId, kind: ListedKind, value: string) => readonly string[];

export const noLists: ListLookup = () => [];
