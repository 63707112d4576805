// Accounts that a benchmark needs besides the PSP of its database.
import { makeApp } from '../service/src/app.ts';
import { createAccount } from '../service/src/modules/accounts/index.ts';
import { system } from '../service/src/modules/kernel/principal.ts';
import { readSettings } from '../service/src/settings.ts';
import { log, type Place } from './stage.ts';

/** @returns their keys */
export const makePsps = (place: Place, count: number): Promise<string[]> => make(place, count, 'psp');

/** Clients of the database's first PSP. @returns their keys */
export const makeClients = (place: Place, count: number): Promise<string[]> => make(place, count, 'client');

async function make(place: Place, count: number, kind: 'psp' | 'client'): Promise<string[]> {
  const settings = { PORT: '0', CDR_SFTP: 'off', DATA_DIR: place.dataDir, DATABASE_URL: place.url, LOG_LEVEL: 'warn' };
  const app = await makeApp({ settings: readSettings(settings), log });
  const { services: s } = app;
  const [first] = await s.db.query(
    "SELECT id FROM accounts WHERE kind = 'psp' AND test_of IS NULL ORDER BY id LIMIT 1",
  );
  const keys: string[] = [];
  for (let i = 1; i <= count; i++) {
    const id = s.ids.next();
    const named = { id, name: `${kind} ${i}`, country: 'NG' };
    const n =
      kind === 'psp'
        ? { ...named, kind, psp: id }
        : { ...named, kind, psp: first?.id as string, classification: 'ECOMM_LOCAL' as const };
    keys.push((await createAccount(s, system, n, s.clock())).apiKey);
  }
  await app.stop();
  return keys;
}
