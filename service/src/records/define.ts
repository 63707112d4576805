// Defines a kind of record once: its columns with their types, its key, how it is written, and whether the journal has
// digests of its rows. The commit function, the encoding of rows, their TypeScript types and the comparison with the
// database's catalogue follow from it.
import type { IdKind } from '../core/ids.ts';
import type { Column, ColumnMap } from './column.ts';

export * as column from './column.ts';

/** How rows under one name are written. */
export type Write<K extends string = string> =
  /** A new row. */
  | { readonly how: 'insert' }
  /** A new row, or these columns of the existing row with its key. */
  | { readonly how: 'put'; readonly set: readonly K[] }
  /** As `put`, but the earlier of two values is kept: an end may only be brought forward. */
  | { readonly how: 'shorten'; readonly set: readonly K[] }
  /** As `put`, and the previous row moves to the table `former`. */
  | { readonly how: 'revise'; readonly former: string; readonly set: readonly K[] }
  /** These columns of a row known to exist. */
  | { readonly how: 'change'; readonly set: readonly K[] }
  /** These columns of a row whose version is one less than the new one; otherwise the command is decided again. */
  | { readonly how: 'changeVersion'; readonly set: readonly K[] }
  /** A journal entry, which gets its PSP's next number. */
  | { readonly how: 'append' };

export const insert = { how: 'insert' } as const;
export const append = { how: 'append' } as const;
export const put = <const K extends string>(...set: readonly K[]) => ({ how: 'put', set }) as const;
export const shorten = <const K extends string>(...set: readonly K[]) => ({ how: 'shorten', set }) as const;
export const change = <const K extends string>(...set: readonly K[]) => ({ how: 'change', set }) as const;
export const changeVersion = <const K extends string>(...set: readonly K[]) => ({ how: 'changeVersion', set }) as const;
export const revise = <const K extends string>(former: string, ...set: readonly K[]) =>
  ({ how: 'revise', former, set }) as const;

export interface RecordDefinition<
  T extends string = string,
  C extends ColumnMap = ColumnMap,
  W extends Readonly<Record<string, Write>> = Readonly<Record<string, Write>>,
  K extends string = string,
> {
  readonly table: T;
  readonly key: readonly K[];
  /** In the table's order. A later version appends columns, as the database does. */
  readonly columns: C;
  /** By the name under which decisions write it. */
  readonly writes: W;
  /** Kind of its rows' ids, by which the audit names them. */
  readonly resource?: IdKind;
  /** Whether an entry is about each row or has its digest, so that the audit finds rows without one. */
  readonly journaled?: boolean;
  /** Whether journal entries contain the SHA-256 of the rows: of all columns, or of the first ones up to this. */
  readonly vouched?: boolean | string;
  /** Column with the account whose access a change of a row changes. */
  readonly changesAccessOf?: string;
  /** Whether its rows are also asked for without knowing their PSP. A distributed database keeps a copy on each server. */
  readonly everywhere?: boolean;
}

/** Checks at compile time that the written names are columns. */
export function defineRecord<
  const T extends string,
  const C extends ColumnMap,
  const W extends Readonly<Record<string, Write<Extract<keyof C, string>>>>,
  const K extends Extract<keyof C, string>,
>(definition: {
  readonly table: T;
  readonly key: readonly K[];
  readonly columns: C;
  readonly writes: W;
  readonly resource?: IdKind;
  readonly journaled?: boolean;
  readonly vouched?: boolean | Extract<keyof C, string>;
  readonly changesAccessOf?: Extract<keyof C, string>;
  readonly everywhere?: boolean;
}): RecordDefinition<T, C, W, K> {
  return definition;
}

type Value<C> = C extends Column<infer V, unknown> ? V : never;
type Nullable<C extends ColumnMap> = { [K in keyof C]: null extends Value<C[K]> ? K : never }[keyof C];

/** A row as read. */
export type RowOf<R extends { readonly columns: ColumnMap }> = {
  readonly [K in keyof R['columns']]: Value<R['columns'][K]>;
};

/** A row as written: an optional column without a value is null. */
export type NewRow<R extends { readonly columns: ColumnMap }> = {
  readonly [K in Exclude<keyof R['columns'], Nullable<R['columns']>>]: Value<R['columns'][K]>;
} & { readonly [K in Nullable<R['columns']>]?: Value<R['columns'][K]> | undefined };
