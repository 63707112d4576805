// What the write path is given: a command, the facts it decides on, and what it writes. The committer takes
// these and knows no domain; modules write them and know no SQL of the commit.
import type { AccountId, PspId } from '../core/ids.ts';
import type { WrittenRow } from '../records/index.ts';
import type { Database } from './database.ts';

/** Loads one kind of fact for many commands with one query. */
export interface FactLoader<K, V> {
  readonly name: string;
  text(key: K): string;
  /** The fact where memory knows it; checked again by commit_batch, so it may be stale. */
  peek?(key: K): V | undefined;
  /** One query for all keys; facts that do not exist are absent from the map. */
  load(db: Database, keys: readonly K[]): Promise<Map<string, V>>;
  /** Called for keys of commands whose expectations failed. */
  forget?(key: K): void;
}

export interface Need<V> {
  /** Loader and key as one text: the fact's name in a batch. */
  readonly id: string;
  readonly loader: FactLoader<unknown, V>;
  readonly key: unknown;
  /** Taken as absent at the first attempt, without asking: the commit finds out when it is not. */
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

/** Facts of one command; undefined means it does not exist. */
export type Facts = <V>(n: Need<V>) => V | undefined;

export interface RefKey {
  readonly psp: PspId;
  readonly space: string;
  readonly ref: string;
  readonly account: AccountId;
}

export type Row = WrittenRow;

/** A person's key, to be stored where none stands. */
export interface NewSubjectKey {
  readonly psp: PspId;
  readonly subject: string;
  readonly keySealed: string;
  readonly generation: number;
  readonly createdAt: string;
}

/** What a decision expects to be still true at the commit, and writes if it is. */
export interface Writes {
  readonly accounts: readonly { psp: PspId; id: string; version: number }[];
  /** That no person of the PSP was erased since the keys used were read. */
  readonly erasures?: readonly { psp: PspId; epoch: number }[];
  readonly subjects?: readonly NewSubjectKey[];
  readonly refsHeld?: readonly (RefKey & { revision: number })[];
  readonly refsNew?: readonly (RefKey & { target: string; revision: number })[];
  /** Rows by column name; a column that is not named is null. */
  readonly rows: readonly Row[];
}

export interface Decided<R> {
  readonly reply: R;
  /** Absent when nothing is to be written: a repetition. */
  readonly writes?: Writes | undefined;
}

export interface Command<R = unknown> {
  /** Whose queue it waits in; queues take turns. */
  readonly account: AccountId;
  /** Of commands with a key in common at most one writes in a batch, in the order they came. */
  readonly keys: readonly string[];
  /** Changes the account itself: later commands of the account wait for the next batch. */
  readonly exclusive?: boolean;
  readonly needs: readonly Need<unknown>[];
  /** Further needs that only the first facts tell (a ref's record); called until it adds nothing new. */
  furtherNeeds?(facts: Facts): readonly Need<unknown>[];
  /** Pure. Returns an Error (a Refusal) for an expected no. */
  decide(facts: Facts): Decided<R> | Error;
  /** After the commit: what was written is now known. */
  committed?(): void;
}
