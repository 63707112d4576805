// The composition root: builds the halves of the service that a process is to be, serving, following or both, and joins
// them. Only main.ts, the command line and tests import it.
import type { Duplex } from 'node:stream';
import type { Following } from './following.ts';
import { composeGround, type Ground, type GroundOptions, unlessEnded } from './ground.ts';
import { startMaintenance } from './modules/kernel/maintenance.ts';
import { passwordCost } from './modules/users/index.ts';
import { commitForm } from './platform/batch-parameters.ts';
import { monotonicClock, systemClock } from './platform/clock.ts';
import { pickUpJob, queueJob } from './platform/jobs.ts';
import { errorFields, makeLog } from './platform/log.ts';
import type { Wake } from './platform/worker.ts';
import { makeAllYoung } from './platform/young-heap.ts';
import { composeServing, type Offered } from './serving.ts';
import type { Settings } from './settings.ts';

export interface App extends Pick<Ground, 'services' | 'metrics' | 'embedded' | 'migrated'> {
  /** The background half, if this process has it. */
  readonly following: Following | undefined;
  /** Starts the HTTP server, the other listeners and the background half; returns the HTTP address. */
  listen(): Promise<string>;
  /** Starts the background half alone. */
  start(): Promise<void>;
  /** Connects the command line to the service within this process. */
  connect(): Promise<Duplex>;
  /** Address of the file drop, as host and port, once it listens. */
  sftpAddress(): string | undefined;
  /** Wakes the background half on behalf of a process that serves. */
  wake(wake: Wake): void;
  /** Not ready from here on: it still serves, and closes each connection with its next answer. */
  leave(): void;
  /** Finishes accepted requests and stops; takes at most 10 s. */
  stop(): Promise<void>;
}

export interface AppOptions extends Partial<Omit<GroundOptions, 'settings' | 'wake'>> {
  readonly settings: Settings;
  /** Wakes a process that follows, if this one does not. */
  readonly wakeBeside?: (wake: Wake) => void;
}

/**
 * Builds what the setting ROLE says, both halves without it.
 * @param options `passwords`, `form`, `answerWithinMs` and `lookEveryMs` (between looks at all journals) are for tests only
 */
export async function makeApp({ settings, wakeBeside = () => undefined, ...options }: AppOptions): Promise<App> {
  makeAllYoung();
  let following: Following | undefined;
  const wake = (w: Wake) => (following ? following.wake(w) : wakeBeside(w));
  const ground = await composeGround({
    clock: systemClock,
    monotonic: monotonicClock,
    log: makeLog(settings.logLevel),
    passwords: passwordCost,
    form: commitForm,
    answerWithinMs: 15_000,
    lookEveryMs: 1000,
    ...options,
    settings,
    wake,
  });
  const { services, metrics, embedded, migrated } = ground;
  try {
    // Loaded here because a process that only serves does not need it.
    if (settings.role !== 'serve') {
      const composing = import('./following.ts').then((m) => m.composeFollowing(ground));
      following = await unlessEnded(composing, options.ended);
    }
  } catch (e) {
    await ground.stop();
    throw e;
  }
  const serving = composeServing(ground, following ? services : leavingWork(services, wake));
  const maintenance = startMaintenance(services, ground.pool, following !== undefined);
  const start = async () => following?.start();
  return {
    ...{ services, metrics, embedded, migrated, following, start },
    ...serving,
    async listen() {
      const address = await serving.listen();
      await start();
      return address;
    },
    wake(w) {
      if ('psps' in w) services.backgroundPauses.decided();
      following?.wake(w);
    },
    async stop() {
      maintenance.stop();
      await serving.stop();
      await following?.stop();
      await maintenance.flushUse().catch(() => undefined);
      await ground.stop();
    },
  };
}

/** Files are taken in the process that is asked; a process that follows works on them, here or on another machine. */
function leavingWork(services: Ground['services'], wake: (w: Wake) => void): Offered {
  const { cdrIntake, db, log } = services;
  return {
    ...services,
    cdrIntake: {
      take: (only) => cdrIntake.take(only),
      keepPublished: (file) => cdrIntake.keepPublished(file),
      async work() {
        wake({ work: 'intake' });
        await queueJob(db, pickUpJob).catch((e) =>
          log.warn(errorFields(e), 'other machines are not told of a pick-up; theirs come at the times set'),
        );
      },
    },
  };
}
