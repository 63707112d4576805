// How much waits for somebody, from indexes.
import type { PspId } from '../../core/ids.ts';
import { type Database, only } from '../../platform/database.ts';

export interface Waiting {
  readonly openReviews: number;
  readonly openCases: number;
  readonly overdueCases: number;
  readonly openMatches: number;
}

const count = (table: string, condition: string) =>
  `(SELECT count(*) FROM ${table} w WHERE w.psp_id = ANY ($1::uuid[]) AND ($2::uuid IS NULL OR w.account_id = $2)
    AND ${condition})`;

/**
 * What is looked into, of which clients learn nothing.
 * @param account limits it to what concerns this account
 * @param at now, ISO UTC
 */
export const countWaiting = async (
  db: Database,
  psps: readonly PspId[],
  account: string | undefined,
  at: string,
): Promise<Waiting> =>
  only(
    await db.query<Waiting & object>(
      `SELECT ${count('reviews', "w.state = 'OPEN'")} AS "openReviews",
         ${count('cases', "w.state <> 'CLOSED'")} AS "openCases",
         ${count('cases', "w.state <> 'CLOSED' AND w.due_at < $3::timestamptz")} AS "overdueCases",
         ${count('list_matches', "w.state = 'OPEN'")} AS "openMatches"`,
      [psps, account, at],
    ),
  );

/** Open disputes whose evidence is due between two times, ISO UTC. */
export const countDisputesDue = async (
  db: Database,
  psps: readonly PspId[],
  account: string | undefined,
  from: string,
  to: string,
): Promise<number> =>
  only(
    await db.query<{ n: number }>(
      `SELECT ${count('disputes', "w.state = 'OPEN' AND w.evidence_due_at >= $3::timestamptz AND w.evidence_due_at < $4::timestamptz")} AS n`,
      [psps, account, from, to],
    ),
  ).n;

/** Proposals that wait for a second person: those of a PSP, or all. */
export const countOpenProposals = async (db: Database, psp: PspId | undefined): Promise<number> =>
  only(
    await db.query<{ n: number }>(
      "SELECT count(*) AS n FROM proposals WHERE state = 'OPEN' AND ($1::uuid IS NULL OR psp_id = $1)",
      [psp ?? null],
    ),
  ).n;
