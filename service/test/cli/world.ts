// A service with its own database and the real clock, and the command line beside it with the same settings: each must
// see the changes of the other.
import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { type App, makeApp } from '../../src/app.ts';
import { makeLog } from '../../src/platform/log.ts';
import { readSettings } from '../../src/settings.ts';
import { makeDatabase, type TestDatabase } from '../support/app.ts';
import { makeFolder } from '../support/folder.ts';
import { assayWith, type Ran } from './run.ts';

/** Whom the journal names for what the command line did. */
export const me = `cli:${userInfo().username}`;

export interface World {
  readonly app: App;
  readonly address: string;
  readonly database: TestDatabase;
  readonly env: Readonly<Record<string, string>>;
  /** Runs `assay` with `--json`. */
  json(...args: string[]): Promise<Ran>;
  /** Runs `assay` as a person does. */
  plain(...args: string[]): Promise<Ran>;
  /** Calls the running service. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
  call(path: string, key: string, body?: unknown): Promise<{ status: number; body: any }>;
  /** A PSP made by the command line. */
  makePsp(name: string): Promise<{ pspId: string; apiKey: string; secret: string }>;
  /** A client registered over the API. */
  makeClient(pspKey: string, countryCode?: string): Promise<{ clientId: string; apiKey: string }>;
  /** Journal bodies of a kind, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the journal says
  journal(kind: string): Promise<any[]>;
  stop(): Promise<void>;
}

/** @param more further settings, by their environment names */
export async function makeWorld(more: Readonly<Record<string, string>> = {}): Promise<World> {
  const database = await makeDatabase();
  const dir = makeFolder('assay-cli-');
  const env = { DATABASE_URL: database.url, DATA_DIR: dir, ...more };
  const app = await makeApp({
    // An operator who works alone.
    settings: readSettings({ REQUIRE_TWO_PERSONS: 'none', ...env, PORT: '0', CDR_SFTP: 'off', DATABASE_POOL: '4' }),
    log: makeLog('silent'),
  });
  const address = await app.listen();
  const plain = assayWith(env);
  let clients = 0;
  const call: World['call'] = async (path, key, body) => {
    const r = await fetch(`${address}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: r.status, body: await r.json() };
  };
  return {
    app,
    address,
    database,
    env,
    plain,
    json: (...args) => plain(...args, '--json'),
    call,
    async makePsp(name) {
      const r = await plain('psp', 'create', '--name', name, '--country', 'NG', '--json');
      if (r.exitCode !== 0) throw new Error(`psp create ended with ${r.exitCode}: ${r.stderr}`);
      return r.json();
    },
    async makeClient(pspKey, countryCode = 'NG') {
      const r = await call('/v1/client/registerClient', pspKey, {
        registeredName: 'Lagos Books Ltd',
        registrationNumber: `RC-${++clients}`,
        countryCode,
        email: 'accounts@lagosbooks.example',
        phoneNumber: '+2348030000001',
        classification: 'ECOMM_LOCAL',
        organizationTin: '12345678-0001',
      });
      if (r.status !== 200) throw new Error(`registerClient answered ${r.status}`);
      const { apiKey } = r.body.content;
      const { clientId } = (await call('/v1/client/verifyClientStatus', apiKey)).body.content;
      return { clientId, apiKey };
    },
    async journal(kind) {
      const rows = await database.admin.query<{ body: string }>(
        'SELECT body FROM journal WHERE kind = $1 ORDER BY psp_id, seq',
        [kind],
      );
      return rows.map((r) => JSON.parse(r.body));
    },
    async stop() {
      await app.stop();
      await database.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A transaction as the service takes it. */
export const order = (ref: string) => ({
  ref,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
});
