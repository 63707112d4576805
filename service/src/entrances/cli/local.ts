// The service composed in this process: for commands about this machine's own database and files, and for all others
// where no service runs. With the embedded database it joins the server that runs, or starts it for the moment; the
// last process out stops it.
import type { App } from '../../app.ts';
import { nobody } from '../../core/ids.ts';
import type { Principal } from '../../modules/kernel/principal.ts';
import type { Settings } from '../../settings.ts';
import type { Output } from './output.ts';
import { endable, endedBy, loginName, type Surroundings, settingsIn } from './surroundings.ts';

/** Who acts: the person's login name stands in the journal. */
export const person = (): Principal => ({
  kind: 'operator',
  psp: nobody,
  account: nobody,
  actor: `cli:${loginName()}`,
});

/** Few connections, and no limit of time. */
export async function openApp(around: Surroundings, settings: Settings): Promise<App> {
  // Loaded here: help and questions of usage need nothing of the service.
  const [{ makeApp }, { logIn }] = await Promise.all([import('../../app.ts'), import('./log.ts')]);
  return makeApp({ settings: { ...settings, databasePool: 2, databaseWaitMs: 0 }, log: logIn(around, settings) });
}

/** Composes the service for one command and ends it again, however the command ends. */
export async function withApp<T>({ around }: Output, use: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(around, settingsIn(around));
  try {
    // Interrupted: what was committed stands; the database is left as by any other end.
    return await endable(around, (ended) => Promise.race([use(app), endedBy(ended)]));
  } finally {
    await app.stop();
  }
}
