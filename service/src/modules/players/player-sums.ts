// What a player deposited, staked, was paid and withdrew: sums over their records, found by keyed hash.
import type { PspId } from '../../core/ids.ts';
import type { LimitKind } from '../../core/players/rule.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { ofPlayer } from '../search/index.ts';

/** SQL: ids of the player's records of a kind. Parameters: 1 PSP, 2 hashes, 3 first moment. */
const recordsOf = (kind: string): string =>
  `SELECT l.record_id FROM lookups l WHERE l.psp_id = $1 AND ${ofPlayer('l')} AND l.hash = ANY ($2)
     AND l.record_kind = '${kind}' AND l.record_id >= uuid_floor($3)`;

const sumSql = (from: string, kind: string, more = ''): string =>
  `(SELECT coalesce(sum(t.amount), 0) FROM ${from} t WHERE t.psp_id = $1 AND t.id >= uuid_floor($3)
     AND t.id IN (${recordsOf(kind)}) AND t.currency = $4 AND ($5::uuid IS NULL OR t.account_id = $5)${more})`;

const staked = sumSql('wagers', 'wager');
const usedSql: Readonly<Record<LimitKind, string>> = {
  DEPOSIT: sumSql(
    'transactions',
    'transaction',
    ` AND t.kind IN ('deposit', 'cryptoDeposit') AND t.status = 'APPROVED'`,
  ),
  STAKE: staked,
  LOSS: `${staked} - ${sumSql('payouts', 'payout')}`,
};

export interface UsedKey {
  readonly psp: PspId;
  readonly kind: LimitKind;
  /** Names of the limit: two decisions that share one share its gate. */
  readonly gates: readonly string[];
  readonly hashes: readonly string[];
  /** ISO UTC. */
  readonly from: string;
  readonly currency: string;
  /** The operator; undefined for all of the PSP's. */
  readonly account: string | undefined;
}

export interface Used {
  /** Decimal text; below zero where more was won than staked. */
  readonly sum: string;
  /** Revision of each gate, in the order of the gates. */
  readonly revisions: readonly number[];
}

const gateCount = 1024;

/** Which of the PSP's gates a limit has. Limits that share one wait for each other, and for nothing more. */
function gateNumber(limit: string): number {
  let n = 0;
  for (let i = 0; i < limit.length; i++) n = (n * 31 + limit.charCodeAt(i)) % 1_000_003;
  return n % gateCount;
}

const gate = (psp: PspId, n: number): RefKey => ({ psp, space: 'player', ref: `gate-${n}`, account: psp });

/** The gates of a limit. Their revision grows with each act that counts, so that no two are decided on the same sum. */
export const gatesOf = (k: Pick<UsedKey, 'psp' | 'gates'>): RefKey[] => k.gates.map((g) => gate(k.psp, gateNumber(g)));

/** All gates of a PSP, made with its first policy: a commit creates the ref of its record, and no other beside it. */
export const newGates = (psp: PspId, nextId: () => string) =>
  Array.from({ length: gateCount }, (_, n) => ({ ...gate(psp, n), target: nextId(), revision: 1 }));

export async function readUsed(db: Pick<Database, 'query'>, k: UsedKey): Promise<Used> {
  const [found] = await db.query<Used>(
    `SELECT (${usedSql[k.kind]})::text AS sum,
       ARRAY(SELECT coalesce((SELECT revision FROM refs WHERE psp_id = $1 AND space = 'player' AND ref = g.ref AND account_id = $1), 0)
         FROM unnest($6::text[]) WITH ORDINALITY AS g (ref, n) ORDER BY g.n) AS revisions`,
    [k.psp, k.hashes, k.from, k.currency, k.account, gatesOf(k).map((g) => g.ref)],
  );
  return found ?? { sum: '0', revisions: [] };
}

const usedText = (k: UsedKey): string =>
  [k.psp, k.kind, ...k.gates, k.from, k.currency, k.account ?? '', ...k.hashes].join('|');

/** How much of a limit is used up. Few players have one, so each is a statement of its own. */
export const usedOf: FactLoader<UsedKey, Used> = {
  name: 'player-used',
  text: usedText,
  load: async (db, keys) =>
    new Map(await Promise.all(keys.map(async (k) => [usedText(k), await readUsed(db, k)] as const))),
};

export interface PlayerBalance {
  readonly currency: string;
  readonly deposits: number;
  readonly deposited: string;
  readonly wagers: number;
  readonly staked: string;
  readonly payouts: number;
  readonly paidOut: string;
  readonly withdrawals: number;
  readonly withdrawn: string;
}

const part = (record: string, sum: string, from: string, kind: string, where = '') =>
  `SELECT t.currency, '${sum}' AS what, '${record}' AS counted, count(*) AS n, sum(t.amount) AS total FROM ${from} t
   WHERE t.psp_id = $1 AND t.id >= uuid_floor($3) AND t.id < uuid_floor($4) AND t.id IN (${recordsOf(kind)} AND l.record_id < uuid_floor($4))
     AND ($5::uuid IS NULL OR t.account_id = $5)${where} GROUP BY t.currency`;

/** A chargeback takes the money back, unless a dispute of it was won. */
const approved = (kinds: string) =>
  ` AND t.status = 'APPROVED' AND t.kind IN (${kinds}) AND (t.chargeback IS NULL
      OR EXISTS (SELECT 1 FROM chargebacks c JOIN disputes d ON d.psp_id = $1 AND d.chargeback_id = c.id AND d.state = 'WON'
        WHERE c.psp_id = $1 AND c.transaction_id = t.id))`;
const parts = [
  part('deposits', 'deposited', 'transactions', 'transaction', approved(`'deposit', 'cryptoDeposit'`)),
  part('withdrawals', 'withdrawn', 'transactions', 'transaction', approved(`'withdrawal', 'cryptoWithdrawal'`)),
  part('wagers', 'staked', 'wagers', 'wager'),
  part('payouts', 'paidOut', 'payouts', 'payout'),
];
const figure = (name: string) => `coalesce(sum(n) FILTER (WHERE counted = '${name}'), 0)::int AS ${name}`;
const total = (name: string) => `coalesce(sum(total) FILTER (WHERE what = '${name}'), 0)::text AS "${name}"`;

/** Sums by currency. @param from ISO UTC @param to ISO UTC, not included */
export const balances = (
  db: Pick<Database, 'query'>,
  psp: PspId,
  hashes: readonly string[],
  range: { readonly from: string; readonly to: string; readonly account: string | undefined },
): Promise<PlayerBalance[]> =>
  db.query(
    `SELECT currency, ${['deposits', 'wagers', 'payouts', 'withdrawals'].map(figure).join(', ')},
       ${['deposited', 'staked', 'paidOut', 'withdrawn'].map(total).join(', ')}
     FROM (${parts.join(' UNION ALL ')}) s GROUP BY currency ORDER BY currency`,
    [psp, hashes, range.from, range.to, range.account],
  );
