// The write path's input: a command, the facts it decides on, and its writes. The committer takes these without any
// domain knowledge; modules create them without knowing the commit's SQL.
import type { AccountId, PspId } from '../core/ids.ts';
import type { WrittenRow } from '../records/index.ts';
import type { Database } from './database.ts';

/** Loads one kind of fact for many commands in one query. */
export interface FactLoader<K, V> {
  readonly name: string;
  text(key: K): string;
  /** The fact from a cache, if it is there; it may be stale, because commit_batch checks it again. */
  peek?(key: K): V | undefined;
  /** One query for all keys; missing facts are absent from the map. */
  load(db: Database, keys: readonly K[]): Promise<Map<string, V>>;
  /** Called for keys of commands whose expectations failed. */
  forget?(key: K): void;
}

export interface Need<V> {
  /** Loader and key as one text: the fact's name in a batch. */
  readonly id: string;
  readonly loader: FactLoader<unknown, V>;
  readonly key: unknown;
  /** Treated as absent at the first attempt, without a query: the commit detects it if it is not. */
  readonly presumeAbsent?: boolean;
}

/** Names a fact a command decides on. */
export function need<K, V>(loader: FactLoader<K, V>, key: K, presumeAbsent = false): Need<V> {
  return {
    id: `${loader.name}|${loader.text(key)}`,
    loader: loader as unknown as FactLoader<unknown, V>,
    key,
    presumeAbsent,
  };
}

/** Facts of one command; undefined means that the fact does not exist. */
export type Facts = <V>(n: Need<V>) => V | undefined;

export interface RefKey {
  readonly psp: PspId;
  readonly space: string;
  readonly ref: string;
  readonly account: AccountId;
}

export type Row = WrittenRow;

/** A person's key, to be stored unless there is one, or to have its number added. */
export interface NewSubjectKey {
  readonly psp: PspId;
  readonly subject: string;
  readonly keySealed: string;
  /** The person's telephone number, sealed under the key. */
  readonly numberSealed?: string | undefined;
  readonly generation: number;
  readonly createdAt: string;
}

/** An account at the version read and, where a key decides, at the number of changes of its keys. */
export interface ExpectedAccount {
  readonly psp: PspId;
  readonly id: AccountId;
  readonly version: number;
  readonly access?: number;
}

/** What a decision expects to be still true at the commit, and writes in that case. */
export interface Writes {
  readonly accounts?: readonly ExpectedAccount[] | undefined;
  /** Expects that no person of the PSP was erased since the keys were read. */
  readonly erasures?: readonly { psp: PspId; epoch: number }[] | undefined;
  readonly subjects?: readonly NewSubjectKey[] | undefined;
  /** With `target`, the ref leads to another record from now on. */
  readonly refsHeld?: readonly (RefKey & { revision: number; target?: string })[] | undefined;
  readonly refsNew?: readonly (RefKey & { target: string; revision: number })[] | undefined;
  /** Rows by column name; a column without a value is null. */
  readonly rows: readonly Row[];
}

/** Writes without these only check that what a repetition relies on is unchanged. */
export const changesSomething = (w: Writes): boolean =>
  w.rows.length > 0 || [w.subjects, w.refsHeld, w.refsNew].some((list) => list !== undefined && list.length > 0);

/** Facts by the names of their needs. */
export const factsOf =
  (loaded: ReadonlyMap<string, unknown>): Facts =>
  <V>(n: Need<V>) =>
    loaded.get(n.id) as V | undefined;

export interface Decided<R> {
  readonly reply: R;
  /** Absent if there is nothing to write, as for a repetition. */
  readonly writes?: Writes | undefined;
  readonly together?: Together | undefined;
}

/**
 * Decisions under one name follow each other within a batch, each on what the one before makes of some facts, and are
 * written together or not at all.
 */
export interface Together {
  readonly name: string;
  /** The facts after the decision. */
  readonly after: readonly (readonly [need: Need<unknown>, fact: unknown])[];
  /** Further rows to write, by a name each: of those of one name only the last decision's is. */
  readonly latest: readonly (readonly [name: string, row: Row])[];
}

export interface Command<R = unknown> {
  /** The account in whose queue it waits; queues take turns. */
  readonly account: AccountId;
  /** At most one of the commands sharing a key writes per batch, in order of arrival. */
  readonly keys: readonly string[];
  /** True if it changes the account itself: later commands of the account wait for the next batch. */
  readonly exclusive?: boolean;
  readonly needs: readonly Need<unknown>[];
  /** Further needs that depend on the first facts (a ref's record); called until it adds nothing new. */
  furtherNeeds?(facts: Facts): readonly Need<unknown>[];
  /** Pure. Returns an Error (a Refusal) if the call is refused. */
  decide(facts: Facts): Decided<R> | Error;
  /** Called after the commit, to update caches. */
  committed?(): void;
}
