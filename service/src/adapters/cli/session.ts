// A command's connection to the API, always over HTTP: to a service elsewhere (ASSAY_URL), to the service that runs on
// this machine through its local socket, or, if none runs, to one composed in this process that does not listen.
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Output as Answer, Assay, AssayError, type OperationId } from '@assay/client';
import { type Refusal, type RefusalCode, refusalCodes, refuse } from '../../core/refusal.ts';
import { doorsOf, firstOpen, operatorHeader } from '../http/door-place.ts';
import { named } from './exit-codes.ts';
import type { Output } from './output.ts';
import { type CommandEnvironment, endable, endedBy, loginName, settingsAnywhere } from './surroundings.ts';

/** Timeout of a request. It is long because the person at the keyboard can interrupt the command. */
const patienceMs = 3_600_000;
/** The largest page of a list. */
const largestPage = 200;

/** The PSP and client that an operation is called for. */
interface Owner {
  readonly pspId: string;
  readonly clientId: string;
}

interface Asking {
  readonly as?: Owner | undefined;
  /** Options by field, if their names differ: `{ countryCode: '--country' }`. */
  readonly options?: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

export interface Session {
  /** Calls an operation. Numbers in the answer print exactly as the service wrote them. @throws Refusal */
  ask<O extends OperationId>(id: O, input?: Fields, asking?: Asking): Promise<Answer<O>>;
  /** Returns a document byte for byte, with its headers. @throws Refusal */
  document(
    id: OperationId,
    input: Fields,
  ): Promise<{ readonly content: string | Uint8Array; readonly headers: Pick<Headers, 'get'> }>;
  /** Returns at most `limit` entries of a list, from as many pages as needed. @throws Refusal */
  list<O extends OperationId>(id: O, input: Fields, limit: number, asking?: Asking): Promise<Answer<O>>;
  /** Returns the owner of an account, webhook address, file or login. @throws NOT_FOUND */
  owner(id: string): Promise<Owner>;
}

/** Connects to the service for one command, and disconnects however the command ends. */
export async function withSession<T>({ around }: Output, use: (session: Session) => Promise<T>): Promise<T> {
  const way = await findWay(around);
  try {
    return await endable(around, (ended) => Promise.race([use(sessionOn(way.api, ended)), endedBy(ended)]));
  } finally {
    await way.close();
  }
}

interface Way {
  readonly api: Assay;
  close(): Promise<void>;
}

async function findWay(around: CommandEnvironment): Promise<Way> {
  const settings = settingsAnywhere(around);
  const { remote } = settings;
  if (remote) {
    const api = new Assay({ baseUrl: remote.url, apiKey: remote.apiKey, timeoutMs: patienceMs });
    return { api, close: async () => undefined };
  }
  const door = await firstOpen(await doorsOf(settings));
  if (door !== undefined) return { api: over(async () => connect(door)), close: async () => undefined };
  // Imported here, since a command that finds a running service does not need it.
  const { openApp } = await import('./local.ts');
  const app = await openApp(around, settings);
  return { api: over(() => app.connect()), close: () => app.stop() };
}

/** A client over connections other than TCP, acting as the person at the keyboard. */
function over(open: () => Promise<Duplex>): Assay {
  const operator = { [operatorHeader]: encodeURIComponent(loginName()) };
  const fetch = async (url: string, { method, headers, body, signal }: RequestInit) => {
    const stream = await open();
    return new Promise((resolve, reject) => {
      stream.once('error', reject);
      const request = httpRequest(
        url,
        {
          method: method as string,
          headers: { ...(headers as Record<string, string>), ...operator },
          signal: signal as AbortSignal,
          createConnection: () => stream,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            const status = response.statusCode ?? 0;
            resolve({
              ok: status === 200,
              status,
              type: 'basic',
              url: '',
              headers: { get: (name: string) => response.headers[name]?.toString() ?? null },
              text: async () => Buffer.concat(chunks).toString('utf8'),
              arrayBuffer: async () => Buffer.concat(chunks),
            });
          });
        },
      );
      request.once('error', reject);
      request.end(body);
    });
  };
  return new Assay({
    baseUrl: 'http://here',
    timeoutMs: patienceMs,
    fetch: fetch as unknown as typeof globalThis.fetch,
  });
}

function sessionOn(api: Assay, signal: AbortSignal): Session {
  const reply = async (id: OperationId, input: Fields, { as, options }: Asking) => {
    try {
      return await api.reply(id, input as never, { ...as, signal });
    } catch (e) {
      throw e instanceof AssayError ? refusalOf(e, options) : e;
    }
  };
  const session: Session = {
    async ask(id, input = {}, asking = {}) {
      const { text } = await reply(id, input, asking);
      return (readExactly(text) as { content: Answer<typeof id> }).content;
    },
    async document(id, input) {
      const { content, text, headers } = await reply(id, input, {});
      return {
        content: (content as unknown) instanceof Uint8Array ? (content as unknown as Uint8Array) : text,
        headers,
      };
    },
    async list(id, input, limit, asking) {
      const items: unknown[] = [];
      let page: { items: readonly unknown[]; nextCursor: string | null };
      let { cursor } = input;
      do {
        const next = { ...input, cursor, limit: Math.min(largestPage, limit - items.length) };
        page = (await session.ask(id, next, asking)) as unknown as typeof page;
        items.push(...page.items);
        cursor = page.nextCursor;
      } while (page.nextCursor !== null && items.length < limit);
      return { ...page, items } as never;
    },
    owner: (id) => session.ask('getOwner', { id }),
  };
  return session;
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Parses JSON so that numbers print as written, even with more digits than a double has. */
function readExactly(text: string): unknown {
  const exact: Reviver = (_key, value, context) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? JSON.rawJSON(context.source)
      : value;
  return JSON.parse(text, exact as (key: string, value: unknown) => unknown);
}

/** Converts a refusal of the service to one that names options; any other error is returned unchanged. */
function refusalOf(e: AssayError, options: Asking['options']): Error {
  if (!Object.hasOwn(refusalCodes, e.code)) return e;
  const refusal: Refusal = refuse(e.code as RefusalCode, e.message, e.retryAfterS);
  return named(refusal, options);
}
