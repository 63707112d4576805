// Which requirements a client meets, which are due, until when, and what of it expires. Pure.

import { addDays } from '../calendar.ts';
import { decimal, unitsAt } from '../money.ts';
import { either, phrase, type Said, said } from '../said.ts';
import type { VerificationLevel } from '../standing.ts';
import type { Licence } from './licence.ts';
import { type DocumentKind, isAtLeast, type Requirement } from './requirement.ts';

export const documentStates = ['SUBMITTED', 'ACCEPTED', 'REFUSED'] as const;
export type DocumentState = (typeof documentStates)[number];

export interface HeldDocument {
  readonly kind: DocumentKind;
  readonly state: DocumentState;
  /** Last day on which it counts, in the client's country; null if it does not expire. */
  readonly validUntil: string | null;
  /** The owner whose identity it shows; null if it names none. */
  readonly owner: string | null;
}

/** What a client has shown. */
export interface Shown {
  readonly organizationTin: string | null;
  /** Percent held by each owner, as decimal text; null if nothing was said of owners. */
  readonly ownerShares: readonly string[] | null;
  /** Of each owner, in the order of the shares. */
  readonly ownerIds: readonly string[] | null;
  readonly licences: readonly Licence[];
  readonly documents: readonly HeldDocument[];
}

/** DUE: missing. SUBMITTED: waits for a decision. HELD: met. EXPIRED: was met, and is not any more. */
export const dueStates = ['DUE', 'SUBMITTED', 'HELD', 'EXPIRED'] as const;
type DueState = (typeof dueStates)[number];

export interface Due {
  readonly requirement: Requirement;
  readonly state: DueState;
  /** Last day to meet it, in the client's country; null if it is met. */
  readonly dueBy: string | null;
  /** Last day on which what is held counts; null if it does not expire, or nothing is held. */
  readonly validUntil: string | null;
  /** Owners whose identity is not shown; empty for other requirements. */
  readonly missingOwners: readonly string[];
}

interface Item {
  readonly state: 'SUBMITTED' | 'ACCEPTED' | 'REFUSED';
  readonly validUntil: string | null;
}

interface Found extends Pick<Due, 'state' | 'validUntil'> {
  readonly ended: string | undefined;
}

/** @returns as `ended` the last day of what was held and has expired, also while something newer waits */
function stateOf(items: readonly Item[], today: string): Found {
  const held = items.filter((i) => i.state === 'ACCEPTED');
  const valid = held.filter((i) => i.validUntil === null || i.validUntil >= today);
  if (valid.length > 0) {
    const open = valid.some((i) => i.validUntil === null);
    const last = valid
      .map((i) => i.validUntil ?? '')
      .sort()
      .at(-1) as string;
    return { state: 'HELD', validUntil: open ? null : last, ended: undefined };
  }
  const last = held
    .map((i) => i.validUntil as string)
    .sort()
    .at(-1);
  if (items.some((i) => i.state === 'SUBMITTED')) return { state: 'SUBMITTED', validUntil: null, ended: last };
  return last === undefined
    ? { state: 'DUE', validUntil: null, ended: undefined }
    : { state: 'EXPIRED', validUntil: last, ended: last };
}

function shownFor(r: Requirement, shown: Shown): readonly Item[] {
  const always = { state: 'ACCEPTED', validUntil: null } as const;
  switch (r.need) {
    case 'DOCUMENT':
      return shown.documents.filter((d) => d.kind === r.document);
    case 'LICENCE':
      return shown.licences.filter(
        (l) =>
          l.activity === r.activity &&
          (r.authorities.length === 0 || r.authorities.some((a) => a.code === l.authority)),
      );
    case 'OWNERS':
      return shown.ownerShares === null ? [] : [always];
    case 'TAX_NUMBER':
      return shown.organizationTin === null || shown.organizationTin.trim() === '' ? [] : [always];
  }
}

/** Decimals of a share. */
const decimals = 4;

/** Percent held, as decimal text, in units of a ten-thousandth. */
export const shareUnits = (percent: string): bigint => unitsAt(decimal(percent), decimals) as bigint;

/** Owners whose identity is to be shown: those of whom the requirements ask who they are. */
export function ownersToShow(
  requirements: readonly Requirement[],
  { ownerIds, ownerShares }: Pick<Shown, 'ownerIds' | 'ownerShares'>,
): readonly string[] {
  const from =
    requirements.flatMap((r) => (r.need === 'OWNERS' ? [shareUnits(String(r.ownersFromPercent))] : [])).at(0) ?? 1n;
  return [...new Set((ownerIds ?? []).filter((_, i) => shareUnits(ownerShares?.[i] ?? '0') >= from))];
}

/** From what is still to be done to what is done. */
const openest = ['DUE', 'EXPIRED', 'SUBMITTED', 'HELD'] as const;

/** Each of the owners has to show who they are: the state is that of the one who is furthest from it. */
function stateOfOwners(
  owners: readonly string[],
  documents: readonly HeldDocument[],
  today: string,
): Found & Pick<Due, 'missingOwners'> {
  const each = owners.map((id) => ({
    id,
    ...stateOf(
      documents.filter((d) => d.owner === id),
      today,
    ),
  }));
  const first = (days: readonly (string | null | undefined)[]) =>
    days
      .flatMap((d) => d ?? [])
      .sort()
      .at(0);
  const state = openest.find((s) => each.some((e) => e.state === s)) ?? 'HELD';
  return {
    state,
    validUntil: first(each.flatMap((e) => (e.state === state ? [e.validUntil] : []))) ?? null,
    ended: first(each.map((e) => e.ended)),
    missingOwners: each.flatMap((e) => (e.state === 'HELD' ? [] : [e.id])),
  };
}

/** Where nobody holds as much as is asked for, the identity shown is that of a person who manages the client. */
function found(r: Requirement, requirements: readonly Requirement[], shown: Shown, today: string) {
  const owners = r.need === 'DOCUMENT' && r.document === 'OWNER_IDENTITY' ? ownersToShow(requirements, shown) : [];
  return owners.length === 0
    ? { ...stateOf(shownFor(r, shown), today), missingOwners: [] }
    : stateOfOwners(
        owners,
        shown.documents.filter((d) => d.kind === 'OWNER_IDENTITY'),
        today,
      );
}

/**
 * Every requirement with its state.
 * @param registeredOn the day on which the client was registered, in its country
 * @param today the day there
 */
export const dueOf = (requirements: readonly Requirement[], shown: Shown, registeredOn: string, today: string): Due[] =>
  requirements.map((requirement) => {
    const { ended, ...is } = found(requirement, requirements, shown, today);
    const begins = requirement.validFrom > registeredOn ? requirement.validFrom : registeredOn;
    return {
      requirement,
      ...is,
      // What has expired is due since its last day.
      dueBy: is.state === 'HELD' ? null : (ended ?? addDays(begins, requirement.withinDays)),
    };
  });

/** What is missing for a level: requirements of it and of lower ones that are not met. */
export const missingFor = (due: readonly Due[], level: VerificationLevel): Due[] =>
  due.filter((d) => isAtLeast(level, d.requirement.level) && d.state !== 'HELD');

/** The same with the number of owners of whom it is missing, who are not named. */
export const missingInWords = (d: Due): Said =>
  d.missingOwners.length === 0
    ? inWords(d.requirement)
    : said`${inWords(d.requirement)} (owners without one: ${d.missingOwners.length})`;

/** A requirement in a sentence, for a client's people. */
export function inWords(r: Requirement): Said {
  const named = (code: string) => phrase(code.toLowerCase().replaceAll('_', ' '));
  switch (r.need) {
    case 'DOCUMENT':
      return said`a document: ${named(r.document)}`;
    case 'LICENCE':
      return r.authorities.length === 0
        ? said`a licence for ${named(r.activity)}`
        : said`a licence for ${named(r.activity)} of ${either(r.authorities.map((a) => a.name))}`;
    case 'OWNERS':
      return said`the owners of ${r.ownersFromPercent} % or more`;
    case 'TAX_NUMBER':
      return said`the tax number`;
  }
}
