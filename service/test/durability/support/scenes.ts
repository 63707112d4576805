// The surroundings of a scenario: a service with accounts, the history of its load and its checks, on an embedded
// server of its own or on a database of the run's server.
import type { Pool } from '../../../src/platform/database.ts';
import type { Wanted } from '../scenarios/scenario.ts';
import { SealCheck } from './check-seal.ts';
import { Checks } from './checks.ts';
import type { Scene } from './faults.ts';
import { type Ground, prepare, settle } from './ground.ts';
import { Client, History } from './history.ts';
import { ownerPool } from './postgres-process.ts';
import { patient, type ServiceProcess, type Stage } from './service-process.ts';

export interface Place extends Scene {
  /** The owner's connection. */
  readonly db: Pool;
  /** DATA_DIR of the service. */
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly seal: SealCheck;
}

export type SharedPlace = Place & { readonly ground: Ground };

/** Two processes on one database; the first is the place's own. */
export interface Pair {
  readonly place: SharedPlace;
  readonly processes: [ServiceProcess, ServiceProcess];
}

type Env = Readonly<Record<string, string>>;

/** Starts a service with an embedded database server of its own, whose processes may be killed. */
export async function onOwnServer(stage: Stage, clients: number, over: Env = {}, script?: string): Promise<Place> {
  const dataDir = over.DATA_DIR ?? (await stage.madeFolder());
  const env = { ...over, DATA_DIR: dataDir };
  const client = new Client();
  stage.defer(async () => client.close());
  const service = await stage.service(env, script);
  const db = ownerPool(dataDir);
  stage.defer(() => db.end());
  return {
    stage,
    client,
    history: new History(),
    checks: new Checks(db),
    parties: await settle(client, service.address, await service.demoKey(), db, clients),
    service,
    restart: () => stage.service(env, script),
    db,
    dataDir,
    env,
    seal: new SealCheck(db, [dataDir]),
  };
}

/** Starts a service on a new database of the run's server, which is not affected. */
export async function onSharedServer(
  stage: Stage,
  w: Pick<Wanted, 'database'>,
  clients: number,
  over: Env = {},
  script?: string,
): Promise<SharedPlace> {
  const ground = await prepare(stage, await w.database(), clients);
  const env = { ...ground.env, ...over };
  const client = new Client();
  stage.defer(async () => client.close());
  const service: ServiceProcess = await stage.service(env, script);
  return {
    stage,
    client,
    history: new History(),
    checks: new Checks(ground.db),
    parties: [ground.psp, ...ground.clients],
    service,
    restart: () => stage.service(env, script),
    db: ground.db,
    dataDir: ground.env.DATA_DIR as string,
    env,
    seal: new SealCheck(ground.db, [ground.env.DATA_DIR as string]),
    ground,
  };
}

export async function pairOnSharedServer(stage: Stage, w: Pick<Wanted, 'database'>, clients: number): Promise<Pair> {
  const place = await onSharedServer(stage, w, clients, patient);
  return { place, processes: [place.service, await place.restart()] };
}
