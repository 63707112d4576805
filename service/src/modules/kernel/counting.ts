// How many rows a list's filters find, counted by the list's own statement: the count cannot mean other rows than the
// list. Bounded in rows and in time, because lists of records are as long as their months.
import { type Database, only } from '../../platform/database.ts';
import { tookTooLong } from '../../platform/database-away.ts';
import { Named, type Needs, Nullable, Type } from './operation.ts';

/** Rows are counted up to this number. */
export const mostCounted = 10_000;
const budgetMs = 500;

export const countQuery = {
  count: Type.Optional(
    Type.Enum(['true'], {
      description: `\`true\` adds \`total\`: how many rows the filters find on all pages, counted up to ${mostCounted.toLocaleString('en')}.`,
    }),
  ),
};

export const RowTotal = Nullable(
  Named('RowTotal', 'The number of rows that the filters of a list find.', {
    rows: Type.Integer({ description: 'Number of rows.' }),
    more: Type.Boolean({ description: 'Whether there are more than were counted.' }),
  }),
  'Only if `count` was requested. Null if counting took too long.',
);

export interface Total {
  readonly rows: number;
  readonly more: boolean;
}

/** Runs the only statement of a list, with the limit it is given; from the start of the list, without a cursor. */
export type Counted = (db: Database, limit: number) => Promise<unknown>;

/** @returns undefined if it took too long */
export async function countRows(s: Needs<'db'>, list: Counted): Promise<Total | undefined> {
  try {
    const rows = await s.db.transaction(async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = ${budgetMs}`);
      return countedBy(tx, list);
    });
    return { rows: Math.min(rows, mostCounted), more: rows > mostCounted };
  } catch (e) {
    if (tookTooLong(e)) return undefined;
    throw e;
  }
}

async function countedBy(tx: Database, list: Counted): Promise<number> {
  let rows = 0;
  const counter: Database = {
    async query<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]> {
      const counted = await tx.query<{ rows: number }>(`SELECT count(*) AS rows FROM (${text}) AS list`, values);
      rows += only(counted).rows;
      return [];
    },
  };
  await list(counter, mostCounted + 1);
  return rows;
}

/** The member `total` of a page, if it was requested. */
export async function totalOf(
  s: Needs<'db'>,
  query: { readonly count?: 'true' },
  list: Counted,
): Promise<{ total?: Total | null }> {
  return query.count === undefined ? {} : { total: (await countRows(s, list)) ?? null };
}
