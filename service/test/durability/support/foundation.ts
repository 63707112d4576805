// Prepares a durability test: accounts in a new database on the run's server.
import { makeDatabase } from '../../support/app.ts';
import { type Ground, prepare } from './ground.ts';
import type { Stage } from './service-process.ts';

export { type Ground, settle } from './ground.ts';

export const found = async (stage: Stage, clients: number): Promise<Ground> =>
  prepare(stage, await makeDatabase(), clients);
