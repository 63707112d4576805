// Defines a journal entry: its data and its evidence, for one version of its kind.
import { Type } from 'typebox';

/** An entry's own content: `data`, and `evidence` if its kind has any. */
export type EntryContent = Type.TObject<{ data: Type.TSchema; evidence?: Type.TSchema }>;

/** @param about one sentence for the reference */
export const entry = <P extends { data: Type.TSchema; evidence?: Type.TSchema }>(about: string, content: P) =>
  Type.Object(content, { description: about });

/** The read-only form of a value, accepted for writing. */
export type Readonlys<T> = T extends (infer U)[]
  ? readonly Readonlys<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Readonlys<T[K]> }
    : T;
