// SQL that completes what journal entries say of a record: its parties by keyed hash, its earlier revisions, the person
// of a payout's wager. Reads only.
import type { PspId } from '../../core/ids.ts';
import { parseJson } from '../../core/json.ts';
import type { Dimension } from '../../core/risk/counters.ts';
import type { RiskKeys } from '../../core/risk/rule.ts';
import { chainHashWritten } from '../../core/wallets/chain-hash.ts';
import type { Database } from '../../platform/database.ts';
import { ofOnly, onlyPsp } from '../../platform/each-psp.ts';
import { type JournalEntry, readJournal } from '../../platform/journal-entries.ts';
import { ofPlayer } from '../search/index.ts';
import { watchedKinds } from './watched-kinds.ts';

export interface RecordPlace {
  readonly psp: PspId;
  readonly id: string;
}
export type Parties = Pick<RiskKeys, 'customer' | 'wallet' | 'msisdn' | 'bankAccount'>;

/** What a lookup of a record says of its parties. Only an address that is another spelling of its mailbox has one of that. */
const partyOf = { wallet: 'wallet', msisdn: 'msisdn', mailbox: 'customer' } as const satisfies Record<
  string,
  keyof Parties
>;

const values = (places: readonly RecordPlace[]) => [places.map((p) => p.psp), places.map((p) => p.id)];

/**
 * Keyed hashes by PSP and record.
 * @param named records with lookups
 * @param withdrawals transactions that went to a bank account
 */
export async function partiesOf(
  db: Database,
  named: readonly RecordPlace[],
  withdrawals: readonly RecordPlace[],
): Promise<Map<string, Parties>> {
  const found = new Map<string, Parties>();
  const add = (psp: PspId, id: string, more: Parties) => {
    const name = `${psp} ${id}`;
    found.set(name, { ...found.get(name), ...more });
  };
  const all = [...named, ...withdrawals];
  if (all.length > 0)
    for (const r of await db.query<{ psp: PspId; id: string; kind: keyof typeof partyOf; hash: string }>(
      `SELECT l.psp_id AS psp, l.record_id AS id, l.kind, l.hash FROM unnest($1::uuid[], $2::uuid[]) AS k(p, r)
       JOIN lookups l ON l.psp_id = k.p AND l.record_id = k.r AND l.kind IN ('wallet', 'msisdn', 'mailbox')`,
      values(all),
    ))
      add(r.psp, r.id, { [partyOf[r.kind]]: r.hash });
  if (withdrawals.length > 0)
    for (const r of await db.query<{ psp: PspId; id: string; request: string }>(
      `SELECT t.psp_id AS psp, t.id, t.request FROM unnest($1::uuid[], $2::uuid[]) AS k(p, r)
       JOIN transactions t ON t.psp_id = k.p AND t.id = k.r`,
      values(withdrawals),
    )) {
      const { toAddress } = parseJson(r.request) as { toAddress?: unknown };
      if (typeof toAddress === 'string') add(r.psp, r.id, { bankAccount: toAddress });
    }
  return found;
}

export interface EarlierRevision {
  readonly revision: number;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  /** When it was recorded, ISO UTC. */
  readonly at: string;
}

/** The former revisions of transactions, by PSP and id. */
export async function revisionsBefore(
  db: Database,
  places: readonly RecordPlace[],
): Promise<Map<string, EarlierRevision[]>> {
  const found = new Map<string, EarlierRevision[]>();
  if (places.length === 0) return found;
  for (const { psp, id, ...r } of await db.query<EarlierRevision & { psp: PspId; id: string }>(
    `SELECT t.psp_id AS psp, t.id, t.revision, t.status, t.amount, t.currency, t.updated_at AS at
     FROM (SELECT DISTINCT p, r FROM unnest($1::uuid[], $2::uuid[]) AS k(p, r)) k
     JOIN transaction_revisions t ON t.psp_id = k.p AND t.id = k.r`,
    values(places),
  ))
    found.set(`${psp} ${id}`, [...(found.get(`${psp} ${id}`) ?? []), r]);
  return found;
}

/** The payouts to another person than the one who placed the wager, by PSP and payout. @param pairs wagers with their payouts */
export async function payoutsToOthers(
  db: Database,
  pairs: readonly (RecordPlace & { readonly payout: string })[],
): Promise<Set<string>> {
  if (pairs.length === 0) return new Set();
  const rows = await db.query<{ psp: PspId; payout: string }>(
    `SELECT k.p AS psp, k.o AS payout FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS k(p, r, o)
     JOIN wagers w ON w.psp_id = k.p AND w.id = k.r AND ${ofOnly('w.psp_id', 4)}
     JOIN payouts x ON x.psp_id = k.p AND x.id = k.o AND ${ofOnly('x.psp_id', 4)}
     WHERE w.subject <> x.subject AND NOT EXISTS (
       SELECT FROM lookups a JOIN lookups b ON b.psp_id = k.p AND ${ofPlayer('b')} AND b.hash = a.hash AND b.record_id = k.o
         AND ${ofOnly('b.psp_id', 4)}
       WHERE a.psp_id = k.p AND ${ofPlayer('a')} AND a.record_id = k.r AND ${ofOnly('a.psp_id', 4)})`,
    [...values(pairs), pairs.map((p) => p.payout), onlyPsp(db, pairs)],
  );
  return new Set(rows.map((r) => `${r.psp} ${r.payout}`));
}

/** Entries of a PSP that rules look at, after a number, with ids from the first up to before the second. */
export const entriesBetween = (
  db: Database,
  psp: PspId,
  after: number,
  from: string,
  until: string,
  limit: number,
): Promise<JournalEntry[]> =>
  readJournal(db, 'WHERE psp_id = $1 AND seq > $2 AND id >= $3 AND id < $4 AND kind = ANY ($5) ORDER BY seq LIMIT $6', [
    psp,
    after,
    from,
    until,
    watchedKinds,
    limit,
  ]);

/** SQL: what an entry has in a text field. */
const told = (field: string): string => `split_part(split_part(body, '"${field}":"', 2), '"', 1)`;

/** Entries of a PSP after a number about records that name one of the keys; some may name none. */
export const entriesNaming = (
  db: Database,
  psp: PspId,
  after: number,
  keys: readonly { readonly of: Dimension; readonly key: string }[],
): Promise<JournalEntry[]> => {
  const of = (...dimensions: readonly Dimension[]) => keys.filter((k) => dimensions.includes(k.of)).map((k) => k.key);
  return readJournal(
    db,
    `WHERE psp_id = $1 AND seq > $2 AND kind = ANY ($3) AND (account_id = ANY ($4::uuid[])
       OR lower(btrim(${told('blochainHash')})) = ANY ($5) OR ${told('ipNetwork')} = ANY ($6)
       OR ($7 AND ${told('type')} = 'withdrawal')
       OR EXISTS (SELECT FROM lookups l WHERE l.psp_id = $1 AND l.record_id = resource_id AND l.hash = ANY ($8)))
     ORDER BY seq`,
    [
      ...[psp, after, watchedKinds, of('client')],
      ...[of('chainHash').flatMap(chainHashWritten), of('network'), of('bankAccount').length > 0],
      of('customer', 'wallet', 'msisdn'),
    ],
  );
};
