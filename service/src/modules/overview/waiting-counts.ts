// How much waits for somebody, from indexes.
import type { PspId } from '../../core/ids.ts';
import { type Database, only } from '../../platform/database.ts';
import { type Waits, waitsIn } from '../kernel/waits.ts';

/**
 * What is looked into, of which clients learn nothing.
 * @param account limits it to what concerns this account
 * @param at now, ISO UTC
 */
export const lookedInto = (
  db: Database,
  psps: readonly PspId[],
  account: string | undefined,
  at: string,
): Promise<Waits[]> =>
  db.query(
    [
      waitsIn('openReviews', 'reviews w', "w.state = 'OPEN'"),
      waitsIn('openCases', 'cases w', "w.state <> 'CLOSED'"),
      waitsIn('overdueCases', 'cases w', "w.state <> 'CLOSED' AND w.due_at < $3::timestamptz"),
      waitsIn('openMatches', 'list_matches w', "w.state = 'OPEN'"),
    ].join(' UNION ALL '),
    [psps, account, at],
  );

/** Open disputes whose evidence is due between two times, ISO UTC. */
export const disputesDue = (
  db: Database,
  psps: readonly PspId[],
  account: string | undefined,
  from: string,
  to: string,
): Promise<Waits[]> =>
  db.query(
    waitsIn(
      'disputesDue',
      'disputes w',
      "w.state = 'OPEN' AND w.evidence_due_at >= $3::timestamptz AND w.evidence_due_at < $4::timestamptz",
    ),
    [psps, account, from, to],
  );

/** Proposals that wait for a second person: those of a PSP, or all. */
export const countOpenProposals = async (db: Database, psp: PspId | undefined): Promise<number> =>
  only(
    await db.query<{ n: number }>(
      "SELECT count(*) AS n FROM proposals WHERE state = 'OPEN' AND ($1::uuid IS NULL OR psp_id = $1)",
      [psp ?? null],
    ),
  ).n;
