// Records what a screening found, as the only writing statement of a transaction: new matches with their alerts, former
// ones that are found again with something else, and those that are no match any more. Never changes a decision.
import { type AccountId, nobody, type PspId, type TransactionId, toWire } from '../../core/ids.ts';
import { openedByRule } from '../../core/risk/review.ts';
import { type Said, said, stored } from '../../core/said.ts';
import type { ListPurpose } from '../../core/screening/entry.ts';
import {
  alertsAgain,
  isSame,
  type ListMatch,
  type MatchDetail,
  type MatchedKind,
  opensAgain,
  severityOf,
} from '../../core/screening/match.ts';
import type { Writes } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { type SubjectKey, sealPersonal } from '../kernel/subjects.ts';
import { listMatchRule, matchesUnresolved, openedAlert } from '../reviews/index.ts';
import { type EntryKey, fromStored, lastRevisions } from './list-store.ts';
import type { HasLists } from './lists.ts';
import { journalled, matchDetail, matchPlace } from './match-resource.ts';
import {
  type ClientOf,
  holdMatches,
  keyOfMatch,
  matchesAbout,
  matchRef,
  matchRow,
  ownerMatches,
  paidMatches,
} from './match-store.ts';
import { aboutWallet } from './screened.ts';

const bySystem: Principal = { kind: 'operator', psp: nobody, account: nobody, actor: openedByRule };

/** Something that was screened, and all that it matches. */
export interface Screened {
  readonly psp: PspId;
  readonly account: AccountId;
  readonly transaction: TransactionId | null;
  readonly what: MatchedKind;
  readonly about: string;
  /** The person under whose key what was compared is sealed. */
  readonly person?: SubjectKey | undefined;
  readonly asked: string;
  readonly found: readonly FoundMatch[];
}

export interface FoundMatch {
  readonly list: string;
  readonly shared: boolean;
  readonly ref: string;
  readonly revision: number;
  readonly purpose: ListPurpose;
  readonly score: number;
  readonly name: string;
  readonly fields: MatchDetail['fields'];
}

type RecordNeeds = Needs<'ids' | 'committer' | 'vault'>;

function detailOf(s: RecordNeeds, of: Screened, id: string, { name, fields }: FoundMatch): string {
  const detail: MatchDetail = { asked: of.asked, name, fields };
  return of.person
    ? sealPersonal(of.person, detail, matchPlace(id))
    : s.vault.seal(JSON.stringify(detail), matchPlace(id));
}

function openedMatch(s: RecordNeeds, of: Screened, found: FoundMatch, at: string): Writes {
  const id = s.ids.next();
  const { list, shared, ref, revision, purpose, score } = found;
  const match: ListMatch = {
    ...{ psp: of.psp, id, account: of.account, transaction: of.transaction, what: of.what, about: of.about },
    ...{ subject: of.person?.subject ?? null, list, shared, ref, revision, purpose, score },
    detail: detailOf(s, of, id, found),
    ...{ state: 'OPEN', exception: null, version: 1, createdAt: at, updatedAt: at },
  };
  const alert = alertOf(s, match, at);
  return {
    ...alert,
    ...erasuresOf(of),
    refsNew: [...(alert.refsNew ?? []), { ...matchRef(match), target: id, revision: 1 }],
    rows: [matchRow(match), entryOf(s, 'match.opened', match, at), ...alert.rows],
  };
}

/** Nothing is sealed for a person who is erased at that moment. */
const erasuresOf = ({ person }: Screened): Pick<Writes, 'erasures'> =>
  person ? { erasures: [{ psp: person.psp, epoch: person.epoch }] } : {};

const nouns: Readonly<Record<MatchedKind, Said>> = {
  CLIENT: said`The client`,
  OWNER: said`An owner or director of the client`,
  CUSTOMER: said`A customer`,
  WALLET: said`A wallet`,
};

/** The ids of those of these matches that have an alert that nobody has resolved. */
async function withOpenAlert(tx: Database, matches: readonly ListMatch[]): Promise<ReadonlySet<string>> {
  if (matches.length === 0) return new Set();
  const wire = (m: ListMatch) => toWire('match', m.id);
  const open = await matchesUnresolved(
    tx,
    matches.map((m) => m.psp),
    matches.map(wire),
  );
  return new Set(matches.filter((m) => open.has(wire(m))).map((m) => m.id));
}

/** About the match by its version: it may have another one once this is resolved. Its entry is in the journal in clear and names nobody. */
const alertOf = (s: RecordNeeds, m: ListMatch, at: string): Writes =>
  openedAlert(
    s,
    {
      psp: m.psp,
      account: m.account,
      about: `${toWire('match', m.id)}/${m.version}`,
      rule: listMatchRule,
      reason: stored`${nouns[m.what]} matches the entry ${m.ref} of the list ${m.list} with ${m.score} percent; see ${toWire('match', m.id)}.`,
      severity: severityOf(m.purpose),
      // Gathers with the customer's other alerts; those of a client and its owners gather by the client.
      person: m.what === 'OWNER' ? undefined : (m.subject ?? undefined),
    },
    at,
  );

const entryOf = (s: RecordNeeds, kind: 'match.opened' | 'match.updated', m: ListMatch, at: string) =>
  journalRow(s, bySystem, at, {
    ...{ kind, psp: m.psp, account: m.account, resourceId: m.id, version: m.version, data: journalled(m) },
  });

function changedMatch(
  s: RecordNeeds,
  before: ListMatch,
  change: Partial<ListMatch>,
  alerts: boolean,
  at: string,
): Writes {
  const match: ListMatch = { ...before, ...change, version: before.version + 1, updatedAt: at };
  const alert: Partial<Writes> = alerts ? alertOf(s, match, at) : {};
  return {
    ...alert,
    refsHeld: [{ ...matchRef(before), revision: before.version }],
    rows: [matchRow(match), entryOf(s, 'match.updated', match, at), ...(alert.rows ?? [])],
  };
}

/** Writes are decided so often, where a person decides on one of the matches at the same moment. */
const mostTries = 3;

export interface ScreenedWhole {
  /** The clients of whom all owners were screened: what matched as an owner of theirs, and is none, has ended. */
  readonly wholes?: readonly ClientOf[];
  /** Whether an entry was compared: a match with another one stays as it is. Default: all were. */
  compared?(m: ListMatch): boolean;
  /** Reads which clients are still as they were screened; the others are left out. Default: all are. */
  stillAsRead?(tx: Database): Promise<(of: ClientOf) => boolean>;
}

/** @returns the number of alerts opened */
export async function recordMatches(
  tx: Database,
  s: RecordNeeds,
  screened: readonly Screened[],
  at: string,
  { wholes = [], compared = () => true, stillAsRead }: ScreenedWhole = {},
): Promise<number> {
  // A customer's next payment under another name says nothing about the one that matched.
  const changed = screened.filter((of) => of.found.length > 0 || endsWithout(of));
  if (changed.length === 0 && wholes.length === 0) return 0;
  await holdMatches(
    tx,
    [...changed, ...wholes].map((of) => of.psp),
  );
  const isAsRead = (await stillAsRead?.(tx)) ?? (() => true);
  const [current, owned] = [changed.filter(isAsRead), wholes.filter(isAsRead)];
  if (current.length === 0 && owned.length === 0) return 0;
  for (let opened = 0, tries = 1; ; tries++) {
    const writes = await toRecord(tx, s, current, at, owned, compared);
    if (writes.length === 0) return opened;
    const all = writes.map((w) => w.writes);
    const refused = new Set(await s.committer.within(tx, all));
    opened += writes.filter((w, i) => w.alerts && !refused.has(i)).length;
    if (refused.size === 0) return opened;
    if (tries === mostTries) throw new Error('matches were changed at the same moment; they are screened again');
  }
}

/** Of a kind that is screened whole: what does not match any more has ended. */
const endsWithout = ({ what }: Pick<ListMatch, 'what'>): boolean => what === 'CLIENT' || what === 'OWNER';

interface ToRecord {
  readonly writes: Writes;
  readonly alerts: boolean;
}

async function toRecord(
  tx: Database,
  s: RecordNeeds,
  screened: readonly Screened[],
  at: string,
  wholes: readonly ClientOf[],
  compared: (m: ListMatch) => boolean,
): Promise<ToRecord[]> {
  // The last of one name: the same customer may pay many times.
  const once = new Map(screened.map((of) => [`${of.psp}|${of.about}`, of]));
  const former = await matchesAbout(tx, [...once.values()]);
  const known = new Map(former.map((m) => [keyOfMatch(m), m]));
  for (const m of wholes.length === 0 ? [] : await ownerMatches(tx, wholes)) known.set(keyOfMatch(m), m);
  const changed = [...once.values()].flatMap((of) =>
    of.found.flatMap((found) => {
      const before = known.get(keyOfMatch({ ...found, psp: of.psp, about: of.about }));
      return before && alertsAgain(before, found, at) ? [before] : [];
    }),
  );
  const waiting = await withOpenAlert(tx, changed);
  const writes: ToRecord[] = [];
  const seen = new Set<string>();
  for (const of of once.values())
    for (const found of of.found) {
      const key = keyOfMatch({ ...found, psp: of.psp, about: of.about });
      seen.add(key);
      const before = known.get(key);
      if (before === undefined) {
        writes.push({ writes: openedMatch(s, of, found, at), alerts: true });
        continue;
      }
      const again = opensAgain(before, found, at);
      if (!again && isSame(before, found)) continue;
      const { revision, score } = found;
      const change = {
        ...{ revision, score, detail: detailOf(s, of, before.id, found), subject: of.person?.subject ?? null },
        ...(again ? { state: 'OPEN' as const, exception: null } : {}),
      };
      const alerts = alertsAgain(before, found, at) && !waiting.has(before.id);
      writes.push({ writes: { ...changedMatch(s, before, change, alerts, at), ...erasuresOf(of) }, alerts });
    }
  for (const m of known.values())
    if (endsWithout(m) && m.state !== 'ENDED' && !seen.has(keyOfMatch(m)) && compared(m))
      writes.push({ writes: changedMatch(s, m, { state: 'ENDED', exception: null }, false, at), alerts: false });
  return writes;
}

/** Matches looked at in a commit. */
const page = 1000;

/**
 * Ends matches of customers and wallets whose entry is listed no more, or changed and does not name them any more. Those of
 * clients and owners end where they are screened again; what paid once is not.
 * @param after the last one that was looked at
 * @returns the last one of this page; undefined after the last page
 */
export async function endUnlisted(
  tx: Database,
  s: RecordNeeds & Needs<'subjects'> & HasLists,
  psp: PspId,
  after: string | undefined,
  at: string,
): Promise<string | undefined> {
  await holdMatches(tx, [psp]);
  const found = await paidMatches(tx, psp, after, page);
  if (found.length === 0) return undefined;
  const entry = (m: ListMatch) => ({ owner: m.shared ? nobody : m.psp, list: m.list, ref: m.ref });
  const text = (e: EntryKey) => `${e.owner}/${e.list}/${e.ref}`;
  const last = new Map((await lastRevisions(tx, found.map(entry))).map((e) => [text(e), e]));
  const isUnlisted = async (m: ListMatch): Promise<boolean> => {
    const e = last.get(text(entry(m)));
    if (e === undefined || e.removed || e.revision === m.revision) return e?.removed === true;
    if (m.what !== 'WALLET') return !(await isNamed(tx, s, m));
    const { keys } = fromStored(s.vault, e);
    return !keys.some((k) => k.kind === 'wallet' && aboutWallet(s, psp, k.value) === m.about);
  };
  const writes: Writes[] = [];
  for (const m of found)
    if (await isUnlisted(m)) writes.push(changedMatch(s, m, { state: 'ENDED', exception: null }, false, at));
  if (writes.length > 0 && (await s.committer.within(tx, writes)).length > 0)
    throw new Error('a match was changed at the same moment; what is listed no more is looked for again');
  return found.length < page ? undefined : found.at(-1)?.id;
}

/** Whether the entry of a match has the name that was compared; what was erased cannot be compared and stays. */
async function isNamed(db: Database, s: Needs<'vault' | 'subjects'> & HasLists, m: ListMatch): Promise<boolean> {
  const detail = await matchDetail({ ...s, db }, m);
  if (detail === undefined) return true;
  const named = s.lists.searchNow(m.psp, { name: detail.asked, countries: [] }, (of) => of.list === m.list);
  return named.some((n) => n.shared === m.shared && n.entry.ref === m.ref);
}

/** Opens matches whose exception is over. */
export async function reopen(tx: Database, s: RecordNeeds, over: readonly ListMatch[], at: string): Promise<void> {
  if (over.length === 0) return;
  const waiting = await withOpenAlert(tx, over);
  await s.committer.within(
    tx,
    over.map((m) => changedMatch(s, m, { state: 'OPEN', exception: null }, !waiting.has(m.id), at)),
  );
}
