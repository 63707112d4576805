// All SQL on exchange rates. The rate in force for a day is its last revision.
import type { PublisherId, RateKind } from '../../core/exchange/publishers.ts';
import type { Quote } from '../../core/exchange/quotes.ts';
import type { Database } from '../../platform/database.ts';
import { exchangeRates } from '../../records/exchange-rates.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';

export type ExchangeRate = RecordOf<typeof exchangeRates>;
type Reading = Pick<Database, 'query'>;

const table = tableOf(exchangeRates);

interface Range {
  readonly publisher: PublisherId;
  readonly kind: RateKind;
  /** Undefined for all. */
  readonly currencies?: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** Rates in force between two days, both included. */
export const ratesInForce = (db: Reading, r: Range): Promise<(Quote & { readonly revision: number })[]> =>
  db.query(
    `SELECT DISTINCT ON (currency, day) currency, day, per, units, rate, revision FROM exchange_rates
     WHERE publisher = $1 AND kind = $2 AND ($3::text[] IS NULL OR currency = ANY ($3)) AND day BETWEEN $4 AND $5
     ORDER BY currency, day, revision DESC`,
    [r.publisher, r.kind, r.currencies, r.from, r.to],
  );

/** One load of a publisher at a time, until the transaction ends. */
export async function lockPublisher(tx: Database, publisher: PublisherId): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`exchange-rates|${publisher}`]);
}

/** Whether the same file was loaded to its end before, read from no later a day. */
export async function wasLoaded(tx: Database, sha256: string, from: string): Promise<boolean> {
  const rows = await tx.query('SELECT 1 FROM exchange_rates WHERE file_sha256 = $1 AND read_from <= $2 LIMIT 1', [
    sha256,
    from,
  ]);
  return rows.length > 0;
}

export interface RateFilter {
  readonly publisher?: string | undefined;
  readonly kind?: RateKind | undefined;
  readonly currency?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Includes rates that were corrected. */
  readonly former: boolean;
  /** The last rate of the page before. */
  readonly after?: Pick<ExchangeRate, 'day' | 'publisher' | 'kind' | 'currency' | 'revision'> | undefined;
  readonly limit: number;
}

/** Rates by day, the last day first. */
export function listRates(db: Reading, f: RateFilter): Promise<ExchangeRate[]> {
  const { after } = f;
  return table.read(
    db,
    `WHERE ($1::text IS NULL OR publisher = $1) AND ($2::text IS NULL OR kind = $2)
       AND ($3::text IS NULL OR currency = $3)
       AND ($4::date IS NULL OR day >= $4) AND ($5::date IS NULL OR day <= $5)
       AND ($6::date IS NULL OR day < $6
         OR (day = $6 AND (publisher, kind, currency) > ($7, $8, $9))
         OR ($11 AND day = $6 AND (publisher, kind, currency) = ($7, $8, $9) AND revision < $10))
       AND ($11 OR NOT EXISTS (SELECT 1 FROM exchange_rates n WHERE n.publisher = exchange_rates.publisher
         AND n.kind = exchange_rates.kind AND n.currency = exchange_rates.currency AND n.day = exchange_rates.day
         AND n.revision > exchange_rates.revision))
     ORDER BY day DESC, publisher, kind, currency, revision DESC LIMIT $12`,
    [
      f.publisher,
      f.kind,
      f.currency,
      f.from,
      f.to,
      after?.day,
      after?.publisher,
      after?.kind,
      after?.currency,
      after?.revision,
      f.former,
      f.limit,
    ],
  );
}

export interface Stock {
  readonly publisher: PublisherId;
  readonly kind: RateKind;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly currencies: readonly string[];
  /** ISO 8601 UTC. */
  readonly loadedAt: string;
}

/** What is stored of each publisher. */
export const stocks = (db: Reading): Promise<Stock[]> =>
  db.query(
    `SELECT publisher, kind, min(day) AS "firstDay", max(day) AS "lastDay",
       array_agg(DISTINCT currency ORDER BY currency) AS currencies, max(loaded_at) AS "loadedAt"
     FROM exchange_rates GROUP BY publisher, kind ORDER BY publisher, kind`,
  );

/** Loads that rows name. */
export const storedLoads = async (db: Reading): Promise<string[]> =>
  (await db.query<{ load_id: string }>('SELECT DISTINCT load_id FROM exchange_rates')).map((r) => r.load_id);

/** The rows of a load as the database sends them, in the order of their key. */
export const rowsOfLoad = `SELECT record_send(r) AS bytes FROM exchange_rates r WHERE load_id = $1
  ORDER BY currency COLLATE "C", day, revision`;
