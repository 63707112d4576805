// A match of a client, one of its owners, a customer or a wallet with an entry of a list: its states, and what people may say about it. Pure.
// A client never learns of a match.
import type { AccountId, PspId, TransactionId } from '../ids.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Severity } from '../risk/review.ts';
import type { ListPurpose } from './entry.ts';
import type { FieldScore } from './score.ts';

/** OPEN: to be looked at. EXCEPTED: a person said that it is somebody else. ENDED: it is no match any more. */
export const matchStates = ['OPEN', 'EXCEPTED', 'ENDED'] as const;
type MatchState = (typeof matchStates)[number];

export const matchedKinds = ['CLIENT', 'OWNER', 'CUSTOMER', 'WALLET'] as const;
export type MatchedKind = (typeof matchedKinds)[number];

export interface MatchException {
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  /** ISO 8601 UTC; null for without end. */
  readonly until: string | null;
}

export interface MatchDetail {
  /** What was compared: a name or an address. */
  readonly asked: string;
  readonly name: string;
  readonly fields: readonly (Omit<FieldScore, 'field'> & { readonly field: FieldScore['field'] | 'key' })[];
}

export interface ListMatch {
  readonly psp: PspId;
  readonly id: string;
  readonly account: AccountId;
  readonly transaction: TransactionId | null;
  readonly what: MatchedKind;
  readonly about: string;
  readonly subject: string | null;
  readonly list: string;
  readonly shared: boolean;
  readonly ref: string;
  readonly revision: number;
  readonly purpose: ListPurpose;
  readonly score: number;
  readonly detail: string;
  readonly state: MatchState;
  readonly exception: MatchException | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const severityOf = (purpose: ListPurpose): Severity =>
  purpose === 'SANCTIONS' ? 'HIGH' : purpose === 'PEP' ? 'MEDIUM' : 'HIGH';

/** Whether an exception is in force. */
const exceptedAt = (m: Pick<ListMatch, 'state' | 'exception'>, at: string): boolean =>
  m.state === 'EXCEPTED' && m.exception !== null && (m.exception.until === null || m.exception.until > at);

/** What a further screening found of an entry that matched before. */
export interface FoundAgain {
  readonly revision: number;
  readonly score: number;
}

/** Whether a person would look at it again: the entry was changed, or the name is nearer to it. */
const isNews = (before: FoundAgain, found: FoundAgain): boolean =>
  before.revision !== found.revision || found.score > before.score;

/**
 * Whether a match is opened again: what it was excepted for has changed, its exception is over, or it had ended.
 * A person excepted the entry and the name as they were.
 */
export const opensAgain = (before: ListMatch, found: FoundAgain, at: string): boolean =>
  before.state === 'ENDED' || (before.state === 'EXCEPTED' && (isNews(before, found) || !exceptedAt(before, at)));

/** Whether it needs another alert if people have resolved those it had: it opens again, or there is news of it. */
export const alertsAgain = (before: ListMatch, found: FoundAgain, at: string): boolean =>
  opensAgain(before, found, at) || (before.state === 'OPEN' && isNews(before, found));

/** Whether nothing of it changes. A customer pays under several names: the nearest one stays. */
export const isSame = (before: ListMatch, found: FoundAgain): boolean =>
  before.revision === found.revision &&
  (before.what === 'CUSTOMER' ? found.score <= before.score : found.score === before.score);

/** The match after a person said that it is somebody else; the same object for a repetition. */
export function excepted(m: ListMatch, exception: MatchException): ListMatch | Refusal {
  if (exception.until !== null && exception.until <= exception.at)
    return refuse('FIELD_INVALID', "the field 'until' must be a time to come");
  if (m.state === 'ENDED') return refuse('STATE_CONFLICT', 'the match has ended: nothing is to be excepted');
  const same =
    m.state === 'EXCEPTED' && m.exception?.reason === exception.reason && m.exception.until === exception.until;
  return same ? m : { ...m, state: 'EXCEPTED', exception };
}

export function exceptionEnded(m: ListMatch): ListMatch | Refusal {
  if (m.state === 'OPEN') return m;
  if (m.state === 'ENDED') return refuse('STATE_CONFLICT', 'the match has ended: it has no exception');
  return { ...m, state: 'OPEN', exception: null };
}
