// One command's use of the service: composes the app without its HTTP entrance, asks its operations as the
// person at the keyboard, and leaves. With the embedded database it joins the server that runs, or starts it
// for the moment; the last process out stops it.
import { existsSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { type App, makeApp } from '../../app.ts';
import type { Json } from '../../core/json.ts';
import { Refusal } from '../../core/refusal.ts';
import { secretPlace } from '../../modules/accounts/index.ts';
import type { Operation, Reply } from '../../modules/kernel/operation.ts';
import type { Principal, Services } from '../../modules/kernel/services.ts';
import { makeLog } from '../../platform/log.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { readBody, type Schema } from '../http/reader.ts';
import { named } from './exit-codes.ts';

const nobody = '00000000-0000-0000-0000-000000000000';

/** Who acts: the person's login name stands in the journal. */
function person(): Principal {
  let name: string;
  try {
    name = userInfo().username;
  } catch {
    name = `uid ${process.getuid?.() ?? 'unknown'}`;
  }
  return { kind: 'operator', psp: nobody, account: nobody, actor: `cli:${name}` };
}

export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string | boolean | undefined>>;
  readonly query?: unknown;
  /** Fields of the operation whose option has another name: `{ countryCode: '--country' }`. */
  readonly options?: Readonly<Record<string, string>>;
}

export interface Session {
  readonly services: Services;
  readonly principal: Principal;
  readonly migrated: readonly string[];
  readonly now: number;
  /** Calls an operation with the checks of the wire. @throws Refusal */
  ask(operation: Operation, asked: Asked): Promise<Reply>;
}

/** Opens the service for one command and closes it again, however the command ends. */
export async function withSession<T>(use: (session: Session) => Promise<T>): Promise<T> {
  const settings: Settings = { ...readSettings(process.env), databasePool: 2 };
  const keyFile = join(resolve(settings.dataDir), 'secrets', 'master.key');
  const hadKey = settings.masterKey !== undefined || existsSync(keyFile);
  const app = await makeApp({ settings, log: makeLog(settings.logLevel === 'silent' ? 'silent' : 'warn') });
  // Interrupted: what was committed stands; the database is left as by any other end.
  const leave = () => void app.stop().finally(() => process.exit(130));
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  try {
    await sameMasterKey(app, () => {
      if (!hadKey) rmSync(keyFile, { force: true });
    });
    return await use(sessionOf(app));
  } finally {
    process.off('SIGINT', leave);
    process.off('SIGTERM', leave);
    await app.stop();
  }
}

/** A secret sealed under another master key could never be opened by the service: better to stop here. */
async function sameMasterKey(app: App, undo: () => void): Promise<void> {
  const { db, vault } = app.services;
  const [any] = await db.query('SELECT id, secret_sealed FROM accounts LIMIT 1');
  if (!any) return;
  try {
    vault.open(any.secret_sealed as string, secretPlace(any.id as string));
  } catch (cause) {
    undo();
    throw new Error(
      'the master key here is not the one this database was sealed with; set ASSAY_MASTER_KEY or DATA_DIR as the service has it',
      { cause },
    );
  }
}

function sessionOf(app: App): Session {
  const { services } = app;
  const principal = person();
  const now = services.clock();
  return {
    services,
    principal,
    migrated: app.migrated,
    now,
    async ask(operation, { params = {}, body = {}, query, options = {} }) {
      try {
        const read = operation.body && readBody(operation.body as Schema, given(body));
        if (read instanceof Refusal) throw read;
        return await operation.handle({
          services,
          principal,
          onBehalfOf: undefined,
          body: read?.value,
          query,
          params,
          now,
        });
      } catch (e) {
        throw e instanceof Refusal ? named(e, options) : e;
      }
    },
  };
}

/** The fields that were given, as a request's body would hold them. */
const given = (body: Asked['body']): Json =>
  Object.fromEntries(Object.entries(body ?? {}).filter(([, v]) => v !== undefined)) as Json;
