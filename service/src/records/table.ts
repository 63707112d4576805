// What a definition provides for reading: the record type, the columns to select, and the conversion between row and
// record. A property is named like its column in camel case, an id like its noun (`account_id` is `account`), and JSON
// text is parsed.
import type { Column, ColumnMap } from './column.ts';
import type { RecordDefinition, RowOf } from './define.ts';

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type PropertyOf<C extends string> = Camel<C extends `${infer Noun}_id` ? Noun : C>;
const propertyOf = (column: string): string =>
  column.replace(/_id$/, '').replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

type Meaning<C> = C extends Column<unknown, infer M> ? M : never;

/** A record in the service. `N` gives the properties with other names. */
export type RecordOf<D extends { readonly columns: ColumnMap }, N = unknown> = {
  readonly [C in keyof D['columns'] & string as C extends keyof N ? N[C] & string : PropertyOf<C>]: Meaning<
    D['columns'][C]
  >;
};

/** A source of rows. */
interface Readable {
  query<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

/** A row whose column names have a prefix, so that it can be joined with others. */
export type Prefixed<D extends { readonly columns: ColumnMap }, P extends string> = {
  readonly [C in keyof RowOf<D> & string as `${P}${C}`]: RowOf<D>[C];
};

export interface Table<D extends RecordDefinition, N = unknown> {
  /**
   * The columns for a SELECT.
   * @param alias alias of the table; its name by default
   * @param prefix prefix of the result's column names; none by default
   */
  columns(alias?: string, prefix?: string): string;
  fromRow(row: RowOf<D>): RecordOf<D, N>;
  fromPrefixed<P extends string>(prefix: P, row: Prefixed<D, P>): RecordOf<D, N>;
  toRow(record: RecordOf<D, N>): RowOf<D>;
  /** Records in the statement's order. @param rest SQL of the statement after the table's name */
  read(db: Readable, rest: string, values?: readonly unknown[]): Promise<RecordOf<D, N>[]>;
  /** The first record in the statement's order. */
  find(db: Readable, rest: string, values?: readonly unknown[]): Promise<RecordOf<D, N> | undefined>;
}

/** @param names properties with other names than their columns */
export function tableOf<
  D extends RecordDefinition,
  const N extends { readonly [C in keyof D['columns']]?: string } = Record<never, never>,
>(definition: D, names?: N): Table<D, N> {
  const named: Readonly<Record<string, string | undefined>> = names ?? {};
  const all = Object.keys(definition.columns);
  const property = (column: string) => named[column] ?? propertyOf(column);
  const properties = all.map(property);
  const texts = all.filter((c) => definition.columns[c]?.json).map((c) => [c, property(c)] as const);
  const [blankRecord, blankRow] = [blank(properties), blank(all)];
  const columns = (alias = definition.table, prefix = '') =>
    all.map((column) => `${alias}.${column}${prefix && ` AS ${prefix}${column}`}`).join(', ');
  const fromPrefixed = (prefix: string, row: Fields) => {
    const record = copy(blankRecord, properties, row, prefix === '' ? all : all.map((column) => prefix + column));
    for (const [, name] of texts) record[name] = parsed(record[name]);
    return record as RecordOf<D, N>;
  };
  const fromRow = (row: RowOf<D>) => fromPrefixed('', row);
  const select = `SELECT ${columns()} FROM ${definition.table}`;
  const read = async (db: Readable, rest: string, values?: readonly unknown[]) =>
    (await db.query<RowOf<D>>(`${select} ${rest}`, values)).map(fromRow);
  return {
    read,
    find: async (db, rest, values) => (await read(db, rest, values))[0],
    columns,
    fromRow,
    fromPrefixed,
    toRow(record) {
      const row = copy(blankRow, all, record, properties);
      for (const [column, name] of texts)
        if (row[column] !== null) row[column] = JSON.stringify((record as Fields)[name]);
      return row as RowOf<D>;
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Every object starts as a copy of one with all properties: V8 makes objects slow that get many properties by name. */
const blank = (keys: readonly string[]): Fields =>
  JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, null]))));

/** Each row written and read goes through here: only a loop over two lists of names. */
function copy(onto: Fields, keys: readonly string[], from: Fields, theirs: readonly string[]): Record<string, unknown> {
  const made = { ...onto };
  for (let i = 0; i < keys.length; i++) made[keys[i] as string] = from[theirs[i] as string];
  return made;
}

const parsed = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : text);
