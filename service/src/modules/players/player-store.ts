// All SQL on exclusions and limits of players and on how PSPs apply them, and their wire forms.
import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import { wireNumber } from '../../core/money.ts';
import { isRestricting, limitAt, type Restriction } from '../../core/players/restriction.ts';
import { RestrictionResource } from '../../entries/players.ts';
import { resourceOf } from '../../entries/schema.ts';
import type { FactLoader } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { ofOnly, onlyPsp } from '../../platform/each-psp.ts';
import { playerPolicies, playerRestrictions } from '../../records/player-restrictions.ts';
import { type Prefixed, type RecordOf, tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';
import type { ListFilter } from '../kernel/list-filter.ts';

const table = tableOf(playerRestrictions);
const policyTable = tableOf(playerPolicies);

export type PlayerPolicy = RecordOf<typeof playerPolicies>;

export const restrictionRow = (r: Restriction) => row('player_restrictions', table.toRow(r));
export const policyRow = (p: PlayerPolicy) => row('player_policies', policyTable.toRow(p));

/** Rows by which a new restriction is found. */
export const keyRows = (r: Restriction) =>
  r.subjects.map((hash) => row('player_keys', { psp_id: r.psp, hash, restriction_id: r.id }));

/** @param at ISO UTC */
export function restrictionResource(stored: Restriction, at: string) {
  const r = limitAt(stored, at);
  return resourceOf(RestrictionResource, r, {
    restrictionId: toWire('restriction', r.id),
    clientId: accountWire(r.psp, r.account),
    countryCode: r.country,
    amount: r.amount === null ? null : wireNumber(r.amount),
    pendingAmount: r.pendingAmount === null ? null : wireNumber(r.pendingAmount),
    from: r.fromAt,
    until: r.untilAt,
    inForce: isRestricting(r, at),
  });
}

/** What its entity tag is of. */
export const policyState = (psp: PspId, p: PlayerPolicy | undefined) => [psp, p?.version ?? 0];

export const policyResource = (p: PlayerPolicy | undefined) => ({
  exclusions: p?.exclusions ?? 'OFF',
  limits: p?.limits ?? 'OFF',
  countryLimits: p?.countryLimits ?? 'OFF',
  version: p?.version ?? 0,
  updatedAt: p?.updatedAt ?? null,
});

/** A player, by keyed hashes. */
export interface PlayerKey {
  readonly psp: PspId;
  readonly hashes: readonly string[];
}

/** What a decision about a player rests on. */
export interface Protection {
  readonly policy: PlayerPolicy;
  /** Includes those of other operators, and those that ended. */
  readonly restrictions: readonly Restriction[];
  /** The PSP's number of erasures and of changes to restrictions, read at the same moment. */
  readonly epoch: number;
}

const keyText = (k: PlayerKey) => `${k.psp}|${k.hashes.join(',')}`;

type Found = Prefixed<typeof playerPolicies, 'p_'> &
  Partial<Prefixed<typeof playerRestrictions, 'r_'>> & { readonly hash: string | null; readonly epoch: number };

/** How a PSP protects a player; undefined if it never said that it does. */
export const protectionOf: FactLoader<PlayerKey, Protection> = {
  name: 'player-protection',
  text: keyText,
  async load(db, keys) {
    // One statement, so that all of it is of the same moment.
    const rows = await db.query<Found>(
      `SELECT ${policyTable.columns('p', 'p_')}, k.hash, ${table.columns('r', 'r_')}, coalesce(e.epoch, 0) AS epoch
       FROM player_policies p
       LEFT JOIN subject_epochs e ON e.psp_id = p.psp_id AND ${ofOnly('e.psp_id', 3)}
       LEFT JOIN player_keys k ON k.psp_id = p.psp_id AND k.hash = ANY ($2) AND ${ofOnly('k.psp_id', 3)}
       LEFT JOIN player_restrictions r ON r.psp_id = k.psp_id AND r.id = k.restriction_id AND ${ofOnly('r.psp_id', 3)}
       WHERE p.psp_id = ANY ($1::uuid[]) AND ${ofOnly('p.psp_id', 3)} ORDER BY r.id`,
      [[...new Set(keys.map((k) => k.psp))], keys.flatMap((k) => k.hashes), onlyPsp(db, keys)],
    );
    const byPsp = Map.groupBy(rows, (r) => r.p_psp_id);
    return new Map(
      keys.flatMap((k) => {
        const found = byPsp.get(k.psp);
        const [first] = found ?? [];
        if (!found || !first) return [];
        const restrictions = new Map<string, Restriction>();
        for (const r of found)
          if (r.hash !== null && k.hashes.includes(r.hash)) {
            const restriction = table.fromPrefixed('r_', r as Prefixed<typeof playerRestrictions, 'r_'>);
            restrictions.set(restriction.id, restriction);
          }
        const policy = policyTable.fromPrefixed('p_', first);
        return [[keyText(k), { policy, restrictions: [...restrictions.values()], epoch: first.epoch }]];
      }),
    );
  },
};

export const findPolicy = (db: Pick<Database, 'query'>, psp: PspId): Promise<PlayerPolicy | undefined> =>
  policyTable.find(db, 'WHERE psp_id = $1', [psp]);

/** Restrictions of a player, oldest first. */
export const restrictionsOf = (db: Pick<Database, 'query'>, { psp, hashes }: PlayerKey): Promise<Restriction[]> =>
  table.read(
    db,
    `WHERE psp_id = $1 AND id IN (SELECT restriction_id FROM player_keys WHERE psp_id = $1 AND hash = ANY ($2)) ORDER BY id`,
    [psp, hashes],
  );

export const findRestriction = (
  db: Pick<Database, 'query'>,
  psp: PspId,
  id: string,
): Promise<Restriction | undefined> => table.find(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);

/** @param f.at only those in force at this moment, ISO UTC */
export const listRestrictions = (
  db: Pick<Database, 'query'>,
  f: ListFilter<'kind' | 'source' | 'at'>,
): Promise<Restriction[]> =>
  table.read(
    db,
    `WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR kind = $3)
       AND ($4::text IS NULL OR source = $4) AND ($5::uuid IS NULL OR id < $5)
       AND ($6::timestamptz IS NULL OR (from_at <= $6 AND (until_at IS NULL OR until_at > $6)))
     ORDER BY id DESC LIMIT $7`,
    [f.psp, f.account, f.kind, f.source, f.before, f.at, f.limit],
  );
