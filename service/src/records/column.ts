// The kinds of columns that a definition may have, with their values' types in TypeScript.
import type { AccountId, PspId, TransactionId } from '../core/ids.ts';

/** PostgreSQL's names of the column types. */
export type ColumnType = 'uuid' | 'text' | 'int4' | 'int8' | 'numeric' | 'timestamptz' | 'date' | 'bool';

/**
 * A column whose values are `V` in TypeScript: amounts are decimal text, times and dates ISO 8601 in UTC. `M` is the
 * value's type for readers of the record; it differs for JSON text.
 */
export interface Column<V = unknown, M = V> {
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** Whether it contains JSON text. */
  readonly json?: boolean;
  /** Never set: `V` and `M` stand here so that the compiler knows them. */
  readonly value?: V;
  readonly meaning?: M;
}

const column = <V>(type: ColumnType): Column<V> => ({ type, nullable: false });

export const uuid = column<string>('uuid');
export const pspId = column<PspId>('uuid');
export const accountId = column<AccountId>('uuid');
export const transactionId = column<TransactionId>('uuid');
export const text = column<string>('text');
export const int4 = column<number>('int4');
export const int8 = column<number>('int8');
export const numeric = column<string>('numeric');
export const timestamptz = column<string>('timestamptz');
export const date = column<string>('date');
export const bool = column<boolean>('bool');

/** Text limited to certain values. */
export const textOf = <V extends string>(): Column<V> => column<V>('text');
/** JSON text that parses to an `M`. */
export const json = <M>(): Column<string, M> => ({ type: 'text', nullable: false, json: true });

export const optional = <V, M>({ value: _, meaning: __, ...c }: Column<V, M>): Column<V | null, M | null> => ({
  ...c,
  nullable: true,
});

export type ColumnMap = Readonly<Record<string, Column>>;
