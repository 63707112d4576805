// How many proposals wait for a decision.
import type { Database } from '../../platform/database.ts';

export async function countOpenProposals(db: Database): Promise<number> {
  const [r] = await db.query("SELECT count(*) AS n FROM proposals WHERE state = 'OPEN'");
  return r?.n as number;
}
