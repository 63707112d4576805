// The accounts a durability test works with, made before its service processes start.
import { toWire } from '../../../src/core/ids.ts';
import { makeApp } from '../../../src/app.ts';
import { createAccount } from '../../../src/modules/accounts/administer.ts';
import { system } from '../../../src/modules/accounts/first-start.ts';
import type { Database } from '../../../src/platform/database.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { readSettings } from '../../../src/settings.ts';
import type { Client, Party } from './history.ts';

/** All processes of a test open the same secrets. */
export const masterKey = '5a'.repeat(32);

export interface Foundation {
  readonly operatorKey: string;
  /** The PSP for itself. */
  readonly psp: Party;
  /** Clients with keys of their own. */
  readonly clients: readonly Party[];
  /** The PSP's key, on behalf of each client. */
  readonly onBehalf: readonly Party[];
}

/** Makes an operator, a PSP and clients in a database that no service uses yet. */
export async function lay(databaseUrl: string, dataDir: string, clients: number): Promise<Foundation> {
  const app = await makeApp({
    settings: readSettings({
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      ASSAY_MASTER_KEY: masterKey,
      DATABASE_POOL: '2',
      LOG_LEVEL: 'silent',
    }),
    log: makeLog('silent'),
  });
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
      own.push({ name: `client ${i}`, apiKey: c.apiKey, psp: pspId, account: c.account.id });
    }
    return {
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

/** The demo PSP of an embedded first start, and clients it registers over the wire. */
export async function settle(client: Client, address: string, demoKey: string, db: Database, clients: number): Promise<Party[]> {
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
    const [made] = await db.query('SELECT id FROM accounts WHERE psp_id = $1 AND registration_number = $2', [psp, `RC-${i}`]);
    parties.push({ name: `client ${i}`, apiKey: JSON.parse(r.text).content.apiKey, psp, account: made?.id as string });
  }
  return parties;
}
