// One command's use of the service: composes the app without its HTTP entrance, asks its operations as the
// person at the keyboard, and leaves. With the embedded database it joins the server that runs, or starts it
// for the moment; the last process out stops it.

import { userInfo } from 'node:os';
import type { App } from '../../app.ts';
import { nobody } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Call, Operation, Reply } from '../../modules/kernel/operation.ts';
import type { Principal } from '../../modules/kernel/principal.ts';
import type { Settings } from '../../settings.ts';
import type { Served } from '../http/operations.ts';
import { readBody, type Schema } from '../http/reader.ts';
import { named } from './exit-codes.ts';
import type { Output } from './output.ts';
import { endable, Interrupted, logIn, settingsIn } from './surroundings.ts';

/** Who acts: the person's login name stands in the journal. */
export function person(): Principal {
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
  readonly body?: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly query?: unknown;
  /** Reads what this account's own key would, as staff; nothing is written in its name. */
  readonly of?: { readonly psp: string; readonly account: string };
  /** Fields of the operation whose option has another name: `{ countryCode: '--country' }`. */
  readonly options?: Readonly<Record<string, string>>;
}

export interface Session {
  readonly services: App['services'];
  readonly principal: Principal;
  readonly migrated: readonly string[];
  readonly now: number;
  /** Calls an operation with the checks of the wire. @throws Refusal */
  ask(operation: Operation<Served>, asked: Asked): Promise<Reply>;
}

/** Opens the service for one command and closes it again, however the command ends. */
export async function withSession<T>({ around }: Output, use: (session: Session) => Promise<T>): Promise<T> {
  const settings: Settings = { ...settingsIn(around), databasePool: 2, databaseWaitMs: 0 };
  // Loaded here: a question of usage needs nothing of the service.
  const { makeApp } = await import('../../app.ts');
  const app = await makeApp({ settings, log: logIn(around, settings) });
  try {
    // Interrupted: what was committed stands; the database is left as by any other end.
    return await endable(around, (ended) => Promise.race([use(sessionOf(app)), endedBy(ended)]));
  } finally {
    await app.stop();
  }
}

const endedBy = (ended: AbortSignal): Promise<never> =>
  new Promise((_, reject) => ended.addEventListener('abort', () => reject(new Interrupted()), { once: true }));

function sessionOf(app: App): Session {
  const { services } = app;
  const principal = person();
  const now = services.clock();
  return {
    services,
    principal,
    migrated: app.migrated,
    now,
    async ask(operation, { params = {}, body = {}, query, of, options = {} }) {
      try {
        const read = operation.body && readBody(operation.body as Schema, given(body));
        if (read instanceof Refusal) throw read;
        const call: Call = {
          principal: of ? { ...principal, kind: 'client', ...of, staff: { psp: nobody, account: nobody } } : principal,
          onBehalfOf: undefined,
          body: read?.value,
          query,
          params,
          now,
        };
        return await operation.handle(call, services);
      } catch (e) {
        throw e instanceof Refusal ? named(e, options) : e;
      }
    },
  };
}

/** The fields that were given, as a request's body would hold them. */
const given = (body: Asked['body']): Json =>
  Object.fromEntries(Object.entries(body ?? {}).filter(([, v]) => v !== undefined)) as Json;
