// Lists in words: what each is for, the kinds of what is listed and matched, and who may change a list.

import type { Content } from '../../data/assay.ts';
import { say } from '../../words/words.ts';

export type ScreeningList = Content<'listLists'>['items'][number];
export type ListEntry = Content<'listListEntries'>['items'][number];
export type Match = Content<'listMatches'>['items'][number];
export type FieldScore = Match['fields'][number];

export const purposes: Readonly<Record<ScreeningList['purpose'], string>> = {
  SANCTIONS: say('Sanctions'),
  PEP: say('Politically exposed persons'),
  BLOCK: say('Blocked'),
  ALLOW: say('Allowed'),
};

/** Purposes of lists that are kept entry by entry. */
export const ownPurposes = (['BLOCK', 'ALLOW', 'PEP'] as const).map((value) => ({ value, label: purposes[value] }));

export const entryKinds: Readonly<Record<ListEntry['kind'], string>> = {
  PERSON: say('Person'),
  ORGANISATION: say('Organisation'),
  VESSEL: say('Ship'),
  AIRCRAFT: say('Aircraft'),
  KEY: say('Exact values only'),
};

export const keyKinds: Readonly<Record<ListEntry['keys'][number]['kind'], string>> = {
  wallet: say('Wallet'),
  ip: say('IP address or network'),
  msisdn: say('Telephone number'),
  person: say('Identifier of a person'),
  mcc: say('Merchant category'),
  country: say('Country'),
};

export const matchedKinds: Readonly<Record<Match['matched'], string>> = {
  CLIENT: say('Client'),
  CUSTOMER: say('Customer'),
  OWNER: say('Owner or director'),
  WALLET: say('Wallet'),
};

export const options = <K extends string>(names: Readonly<Record<K, string>>): { value: K; label: string }[] =>
  (Object.entries(names) as [K, string][]).map(([value, label]) => ({ value, label }));

/** Whether entries are put and removed one by one: published lists change with their file only. */
export const isKeptByHand = (l: Pick<ScreeningList, 'form' | 'purpose'>): boolean =>
  l.purpose !== 'SANCTIONS' && (l.form === 'API' || l.form === 'PLAIN_CSV');

/** Names a person may give a list. */
export const listName = /^[A-Z][A-Z0-9_]{1,39}$/;
export const born = /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/;

/** Lines of a text field as values; empty lines are left out. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
