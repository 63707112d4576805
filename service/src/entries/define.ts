// How an entry of the journal is defined: what its data and its evidence are, at one version of its kind.
import { Type } from 'typebox';
import type { EventKind } from '../core/events.ts';

/** What an entry holds besides what all entries have: `data`, and `evidence` where it may have some. */
export type EntryContent = Type.TObject<{ data: Type.TSchema; evidence?: Type.TSchema }>;

/** The name of a schema: the kind and the version, `transaction.created/1`. */
export type SchemaName = `${EventKind}/${number}`;

/** @param about one sentence for the reference */
export const entry = <P extends { data: Type.TSchema; evidence?: Type.TSchema }>(about: string, content: P) =>
  Type.Object(content, { description: about });

/** A value as it is handed over to be written: nothing is changed in it. */
export type Readonlys<T> = T extends (infer U)[]
  ? readonly Readonlys<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Readonlys<T[K]> }
    : T;
