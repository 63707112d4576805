// Composes the service in this process: for commands on this machine's database and files, and for all other commands
// if no service runs. With the embedded database it joins the running server or starts one; the last process that uses
// the server stops it.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { App, AppOptions } from '../../app.ts';
import { nobody } from '../../core/ids.ts';
import type { Principal } from '../../modules/kernel/principal.ts';
import type { Settings } from '../../settings.ts';
import { doorsIn, firstOpen } from '../http/door-place.ts';
import type { Output } from './output.ts';
import {
  type CommandEnvironment,
  endable,
  endedBy,
  Interrupted,
  loginName,
  settingsIn,
  UsageError,
} from './surroundings.ts';

/** The principal of a command; the journal records the person's login name. */
export const person = (): Principal => ({
  kind: 'operator',
  psp: nobody,
  account: nobody,
  actor: `cli:${loginName()}`,
});

/**
 * Without DATABASE_URL a command would make a database of its own beside the one of the service that runs on the folder, and
 * what it does would be done there. @throws UsageError
 */
async function expectMeant({ databaseUrl, dataDir }: Settings): Promise<void> {
  if (databaseUrl !== undefined || existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return;
  if ((await firstOpen(await doorsIn(dataDir))) === undefined) return;
  throw new UsageError(
    `the service that runs on ${resolve(dataDir)} has a database of its own, which DATABASE_URL names: run the command with the settings of the service`,
  );
}

/** Composes the whole service, whatever its processes do, with few database connections and without a time limit on statements. */
export async function openApp(around: CommandEnvironment, settings: Settings): Promise<App> {
  await expectMeant(settings);
  const { commandLog } = await import('./log.ts');
  const own = { role: 'all', databasePool: 2, databaseWaitMs: 0 } as const;
  return interruptibleApp(around, { settings: { ...settings, ...own }, log: commandLog(around, settings) });
}

/** Composes the service; interrupted meanwhile, it leaves no database server behind. @throws Interrupted */
export async function interruptibleApp(around: CommandEnvironment, options: AppOptions): Promise<App> {
  // Imported here, since help and usage errors do not need the service.
  const { makeApp } = await import('../../app.ts');
  return endable(around, (ended) =>
    makeApp({ ...options, ended }).catch((e) => {
      throw ended.aborted ? new Interrupted() : e;
    }),
  );
}

/** Composes the service for one command and stops it however the command ends. */
export async function withApp<T>({ around }: Output, use: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(around, settingsIn(around));
  try {
    // If the command is interrupted, committed changes remain, and the service is stopped as usual.
    return await endable(around, (ended) => Promise.race([use(app), endedBy(ended)]));
  } finally {
    await app.stop();
  }
}
