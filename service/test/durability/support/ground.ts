// The accounts of a durability scenario: created in a database before its service processes start, or over HTTP after
// an embedded first start.

import { makeApp } from '../../../src/app.ts';
import { toWire } from '../../../src/core/ids.ts';
import { createAccount } from '../../../src/modules/accounts/administer.ts';
import { system } from '../../../src/modules/kernel/principal.ts';
import { createSftpLogin } from '../../../src/modules/telecom/sftp-credentials.ts';
import type { Database, Pool } from '../../../src/platform/database.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { readSettings } from '../../../src/settings.ts';
import type { TestDatabase } from '../../support/database.ts';
import type { Client, Party } from './history.ts';
import type { Stage } from './service-process.ts';

/** The master key of all processes of a test. */
const masterKey = '5a'.repeat(32);

/** A database on the run's server with accounts in it, for any number of processes. */
export interface Ground {
  /** Settings of every process on it. */
  readonly env: Readonly<Record<string, string>>;
  /** The owner's connection. */
  readonly db: Pool;
  readonly operatorKey: string;
  /** The PSP acting for itself. */
  readonly psp: Party;
  /** Clients with keys of their own. */
  readonly clients: readonly Party[];
  /** The PSP's key, on behalf of each client. */
  readonly onBehalf: readonly Party[];
}

const appOver = (env: Ground['env']) =>
  makeApp({
    settings: readSettings({ ...env, DATABASE_POOL: '2', LOG_LEVEL: 'silent' }),
    log: makeLog('silent'),
  });

/** Creates a login of the file drop for a client. */
export async function sftpLogin(ground: Ground, party: Party): Promise<{ username: string; password: string }> {
  const app = await appOver(ground.env);
  try {
    const { login, password } = await createSftpLogin(
      app.services,
      system,
      { psp: party.psp, account: party.account },
      { name: 'durability', password: true },
      Date.now(),
    );
    return { username: login.username, password: password as string };
  } finally {
    await app.stop();
  }
}

/** Makes an operator, a PSP and clients in a database that no service uses yet. */
export async function prepare(stage: Stage, database: TestDatabase, clients: number): Promise<Ground> {
  stage.defer(() => database.drop());
  const env = { DATABASE_URL: database.url, DATA_DIR: stage.folder(), ASSAY_MASTER_KEY: masterKey };
  const app = await appOver(env);
  try {
    const s = app.services;
    const make = (kind: 'psp' | 'operator' | 'client', name: string, psp?: string) => {
      const id = s.ids.next();
      return createAccount(
        s,
        system,
        { psp: psp ?? id, id, kind, name, country: 'NG', ...(psp ? { classification: 'ECOMM_LOCAL' } : {}) },
        Date.now(),
      );
    };
    const operator = await make('operator', 'Operator');
    const psp = await make('psp', 'Durable Pay');
    const pspId = psp.account.id;
    const own: Party[] = [];
    for (let i = 1; i <= clients; i++) {
      const c = await make('client', `Client ${i}`, pspId);
      own.push({ name: `client ${i}`, apiKey: c.apiKey, psp: pspId, account: c.account.id, pspKey: psp.apiKey });
    }
    return {
      env,
      db: database.admin,
      operatorKey: operator.apiKey,
      psp: { name: 'psp', apiKey: psp.apiKey, psp: pspId, account: pspId },
      clients: own,
      onBehalf: own.map((c) => ({
        ...c,
        name: `psp for ${c.name}`,
        apiKey: psp.apiKey,
        onBehalfOf: toWire('client', c.account),
      })),
    };
  } finally {
    await app.stop();
  }
}

/** The demo PSP of an embedded first start, and clients that it registers over HTTP. */
export async function settle(
  client: Client,
  address: string,
  demoKey: string,
  db: Database,
  clients: number,
): Promise<Party[]> {
  const [row] = await db.query("SELECT id FROM accounts WHERE kind = 'psp'");
  const psp = row?.id as string;
  const parties: Party[] = [{ name: 'psp', apiKey: demoKey, psp, account: psp }];
  for (let i = 1; i <= clients; i++) {
    const r = await client.call(
      address,
      'POST',
      '/v1/client/registerClient',
      { 'x-api-key': demoKey },
      JSON.stringify({
        registeredName: `Client ${i}`,
        registrationNumber: `RC-${i}`,
        countryCode: 'NG',
        email: `client-${i}@example.com`,
        phoneNumber: '+2348030000001',
        classification: 'ECOMM_LOCAL',
        organizationTin: '12345678-0001',
      }),
    );
    if (r.status !== 200) throw new Error(`registerClient answered ${r.status}: ${r.text}`);
    const [made] = await db.query('SELECT id FROM accounts WHERE psp_id = $1 AND registration_number = $2', [
      psp,
      `RC-${i}`,
    ]);
    parties.push({
      name: `client ${i}`,
      apiKey: JSON.parse(r.text).content.apiKey,
      psp,
      account: made?.id as string,
      pspKey: demoKey,
    });
  }
  return parties;
}
