// The number of proposals waiting for a decision.
import { type Database, only } from '../../platform/database.ts';

export const countOpenProposals = async (db: Database): Promise<number> =>
  only(await db.query<{ n: number }>("SELECT count(*) AS n FROM proposals WHERE state = 'OPEN'")).n;
