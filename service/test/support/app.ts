// A real service for a test file: with its own database cloned from the template, a clock that the test advances, and
// an HTTP address on a free port.
import { rmSync } from 'node:fs';
import { inject } from 'vitest';
import { type App, makeApp } from '../../src/app.ts';
import { toWire } from '../../src/core/ids.ts';
import { createAccount } from '../../src/modules/accounts/administer.ts';
import type { Audience } from '../../src/modules/kernel/operation.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import type { CommitForm } from '../../src/platform/batch-parameters.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { PasswordCost } from '../../src/platform/passwords.ts';
import { readSettings } from '../../src/settings.ts';
import { createDatabase, type TestDatabase, testsBegin } from './database.ts';
import { makeFolder } from './folder.ts';
import { PlainRequests } from './plain-request.ts';
import { unpublished } from './published.ts';

export type { TestDatabase };

/** A database of its own, migrated. */
export const makeDatabase = (): Promise<TestDatabase> => createDatabase(inject('serverUrl'), inject('template'));
export const makeEmptyDatabase = (): Promise<TestDatabase> => createDatabase(inject('serverUrl'));

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** Body as text and parsed. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
  readonly body: any;
}

/** Kinds of accounts that have keys. */
export type KeyKind = Exclude<Audience, 'authority'>;

export interface Account {
  /** psp_… or cli_… */
  readonly id: string;
  readonly uuid: string;
  readonly apiKey: string;
  readonly secret: string;
}

export interface TestApp {
  readonly app: App;
  readonly address: string;
  readonly database: TestDatabase;
  /** Everything logged so far. */
  readonly logged: string[];
  /** Advances the clock, which stands still otherwise. */
  advance(ms: number): void;
  /** Sets the machine's clock, as a correction does: no time passes. */
  setClock(byMs: number): void;
  now(): number;
  post(path: string, body: unknown, key?: string, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a request with any bytes. */
  raw(path: string, init: RequestInit): Promise<Answer>;
  makePsp(name?: string, country?: string): Promise<Account>;
  makeOperator(): Promise<Account>;
  makeClient(psp: Account, over?: Record<string, unknown>): Promise<Account>;
  stop(): Promise<void>;
}

export interface TestOptions {
  /** Settings by their environment names. */
  readonly env?: Record<string, string>;
  readonly database?: TestDatabase;
  readonly startAt?: string;
  /** The cost of hashing passwords; a cheap one by default. */
  readonly passwords?: 'shipped';
  /** The form of rows that another version writes. */
  readonly form?: CommitForm;
  /** Longest wait for a receiver's answer, by the machine's clock and not the test's; the shipped one by default. */
  readonly answerWithinMs?: number;
  /** From one look at all journals to the next; the shipped one by default. */
  readonly lookEveryMs?: number;
}

/** Needs 16 KiB and well below a millisecond; the shipped cost is slow on purpose, and most tests do not need it. */
const cheapPasswords: PasswordCost = { N: 16, r: 8, p: 1 };

export async function makeTestApp(options: TestOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await makeDatabase());
  const dir = makeFolder('assay-app-');
  let now = Date.parse(options.startAt ?? testsBegin);
  let passedMs = 0;
  const logged: string[] = [];
  const app = await makeApp({
    settings: readSettings({
      PORT: '0',
      CDR_SFTP: 'off',
      DATA_DIR: dir,
      DATABASE_URL: database.url,
      LOG_LEVEL: 'debug',
      DATABASE_POOL: '4',
      // Only the test advances time, so buckets of rate limits are not refilled: one must last for a whole file.
      RATE_BURST: '100000',
      CDR_PICKUP_CRON: 'off',
      RETENTION_CRON: 'off',
      LICENCE_CRON: 'off',
      REPORT_SCHEDULE_CRON: 'off',
      // Never by the machine's clock, whatever its time; off would make none that a test asks for either.
      BACKUP_CRON: '0 0 30 2 *',
      // Most tests change levels as an operator does who works alone.
      REQUIRE_TWO_PERSONS: 'none',
      // Both are of the machine's clock: one that is busy with other tests is late, and nobody is to be refused for it.
      QUEUE_AGE_MS: '60000',
      DATABASE_WAIT_MS: '120000',
      // Most tests subscribe addresses that nobody serves; tests of deliveries turn delivery on.
      WEBHOOK_CONCURRENCY: '0',
      // Nothing listens there: names are not resolved, wherever the tests run.
      WEBHOOK_DNS: '127.0.0.1:9',
      ...options.env,
    }),
    clock: () => now,
    monotonic: () => passedMs,
    log: makeLog(options.env?.LOG_LEVEL ?? 'debug', { write: (line) => void logged.push(line) }),
    ...(options.passwords === 'shipped' ? {} : { passwords: cheapPasswords }),
    ...(options.form ? { form: options.form } : {}),
    ...(options.answerWithinMs === undefined ? {} : { answerWithinMs: options.answerWithinMs }),
    ...(options.lookEveryMs === undefined ? {} : { lookEveryMs: options.lookEveryMs }),
  });
  const address = await app.listen();
  const requests = new PlainRequests();

  async function raw(path: string, init: RequestInit): Promise<Answer> {
    const r = await requests.send(`${address}${path}`, init);
    const bytes = new Uint8Array(await r.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    const unsaid = unpublished(init.method ?? 'GET', path, { status: r.status, headers: r.headers, body });
    if (unsaid.length > 0) throw new Error(`openapi.json says otherwise: ${unsaid.join('; ')}\n${text.slice(0, 2000)}`);
    // A reply says nothing of a fault; whoever reads the failed test wants the log's line.
    const fault =
      r.status === 500 ? logged.find((line) => line.includes(r.headers.get('x-request-id') ?? 'no id')) : undefined;
    return { status: r.status, headers: r.headers, bytes, text: fault ? `${text}\n${fault}` : text, body };
  }
  const post = (path: string, body: unknown, key?: string, headers: Record<string, string> = {}) =>
    raw(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key ? { 'x-api-key': key } : {}), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const s = app.services;
  const make = async (kind: 'psp' | 'operator', name: string, country?: string): Promise<Account> => {
    const id = s.ids.next();
    const made = await createAccount(s, system, { psp: id, id, kind, name, ...(country ? { country } : {}) }, now);
    return { id: toWire('psp', id), uuid: id, apiKey: made.apiKey, secret: made.secret };
  };
  let clients = 0;
  return {
    app,
    address,
    database,
    logged,
    post,
    raw,
    now: () => now,
    advance(ms) {
      now += ms;
      passedMs += ms;
    },
    setClock(byMs) {
      now += byMs;
    },
    get: (path, key, headers = {}) => raw(path, { headers: { ...(key ? { 'x-api-key': key } : {}), ...headers } }),
    makePsp: (name = 'Test PSP', country = 'NG') => make('psp', name, country),
    makeOperator: () => make('operator', 'Test operator'),
    async makeClient(psp, over = {}) {
      const r = await post(
        '/v1/client/registerClient',
        {
          registeredName: 'Lagos Books Ltd',
          registrationNumber: `RC-${++clients}`,
          countryCode: 'NG',
          email: 'accounts@lagosbooks.example',
          phoneNumber: '+2348030000001',
          classification: 'ECOMM_LOCAL',
          organizationTin: '12345678-0001',
          ...over,
        },
        psp.apiKey,
      );
      if (r.status !== 200) throw new Error(`registerClient answered ${r.status}: ${r.text}`);
      const { apiKey, secret } = r.body.content;
      const clientId = r.headers.get('x-client-id') as string;
      const { fromWire } = await import('../../src/core/ids.ts');
      return { id: clientId, uuid: fromWire('client', clientId) as string, apiKey, secret };
    },
    async stop() {
      await app.stop();
      requests.close();
      if (!options.database) await database.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
