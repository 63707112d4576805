// The client: one method per operation, built from the generated table.
import { readExact, writeJson } from './decimals.ts';
import { errorOf, isRefusal } from './errors.ts';
import { exchange } from './exchange.ts';
import { operations } from './generated/operations.ts';
import type { OperationRow } from './operation-row.ts';
import { eachItem } from './pages.ts';
import { delayMs, maySucceedLater, sleep } from './retry.ts';
import { Session, sessionPath } from './session.ts';
import type { CallOptions, FileId, Input, Item, ListId, Methods, OperationId, Output, Reply } from './types.ts';

export interface AssayOptions {
  /** Base URL of the service: 'https://assay.example'. In a browser, '' means the page's own origin. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Calls are made by the person signed in with createSession instead of with a key. */
  readonly session?: boolean | undefined;
  /** The PSP an operator acts as. */
  readonly pspId?: string | undefined;
  /** Language of messages, as in Accept-Language; English if there is none. */
  readonly language?: string | undefined;
  /** The client (account) a PSP's calls are about. */
  readonly clientId?: string | undefined;
  /** 'text': every amount in a reply is the exact text the service sent. */
  readonly amounts?: 'number' | 'text' | undefined;
  /** Per attempt; default 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** How many times a safely repeatable call is retried; default 3. */
  readonly retries?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** For tests: waits between attempts. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** For tests: returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random?: (() => number) | undefined;
}

const table: Readonly<Record<string, OperationRow>> = operations;

class Caller<A> {
  readonly #o: AssayOptions;
  readonly #base: string;
  readonly #session: Session | undefined;

  constructor(options: AssayOptions) {
    this.#o = options;
    this.#base = options.baseUrl.replace(/\/+$/, '');
    this.#session = options.session === true ? new Session() : undefined;
  }

  /** Calls an operation and returns its whole reply: message, headers and request id in addition to the content. */
  async reply<O extends OperationId>(id: O, input?: Input<O>, options: CallOptions = {}): Promise<Reply<Output<O, A>>> {
    return (await this.#repeated(callOf(id, input, options))) as Reply<Output<O, A>>;
  }

  /**
   * A whole list as CSV, all rows that its filters find. Throws if the file did not come to its end. With a `language`, `en` or
   * `fr`, it is for people: headings and codes in words, in the form that spreadsheets of that language read.
   */
  async csv<O extends FileId>(
    id: O,
    input?: Input<O>,
    { language, ...options }: CallOptions & { readonly language?: string | undefined } = {},
  ): Promise<Reply<string>> {
    const call = callOf(id, input, options);
    const accept = language === undefined ? 'text/csv' : `text/csv; language=${language}`;
    return (await this.#repeated({ ...call, row: { ...call.row, text: true }, accept })) as Reply<string>;
  }

  async #repeated(call: Call): Promise<Reply<unknown>> {
    const { row, options } = call;
    const retries = row.idempotent ? (options.retries ?? this.#o.retries ?? 3) : 0;
    let renewed = false;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(call);
      } catch (error) {
        if (!renewed && isRefusal(error, 'CSRF') && this.#session) {
          // Another tab has signed in since, so nothing was done: fetch the current token and try once more.
          renewed = true;
          this.#session.forgetToken();
          attempt--;
          continue;
        }
        if (attempt >= retries || !maySucceedLater(error)) throw error;
        const random = (this.#o.random ?? Math.random)();
        await (this.#o.sleep ?? sleep)(delayMs(attempt, error, random), options.signal);
      }
    }
  }

  /** All items of a list. Each page is fetched when iteration reaches it. */
  pages<O extends ListId>(id: O, input?: Input<O>, options?: CallOptions): AsyncIterableIterator<Item<O, A>> {
    const next = (more: object) => this.reply(id, { ...(input as object), ...more } as Input<O>, options);
    return eachItem(async (more) => (await next(more)).content as unknown as { items: Item<O, A>[] });
  }

  async #attempt(call: Call): Promise<Reply<unknown>> {
    const { row, body, options } = call;
    const o = this.#o;
    const { response, text, bytes } = await exchange({
      fetch: o.fetch ?? globalThis.fetch,
      url: `${this.#base}${call.path}${call.query}`,
      method: row.method,
      headers: await this.#headers(call),
      body,
      credentials: this.#session ? 'same-origin' : 'omit',
      timeoutMs: options.timeoutMs ?? o.timeoutMs ?? 30_000,
      signal: options.signal,
      what: `${row.method} ${row.path}`,
      binary: row.bytes === true,
    });
    if (!response.ok) throw errorOf(response, text);
    const { content, message } =
      bytes !== undefined || row.text ? { content: bytes ?? text, message: '' } : this.#read(response, text, row);
    this.#session?.learn(row.method, row.path, response, content);
    return {
      content,
      text,
      message,
      status: response.status,
      headers: response.headers,
      requestId: response.headers.get('x-request-id') ?? undefined,
      etag: response.headers.get('etag') ?? undefined,
      replayed: response.headers.get('idempotency-replayed') === 'true',
    };
  }

  async #headers({ row, body, options, accept }: Call): Promise<Record<string, string>> {
    const o = this.#o;
    const clientId = options.clientId ?? o.clientId;
    const pspId = options.pspId ?? o.pspId;
    return {
      accept: accept ?? (row.text || row.bytes ? '*/*' : 'application/json'),
      ...(o.language === undefined ? {} : { 'accept-language': o.language }),
      ...(o.apiKey === undefined ? {} : { 'x-api-key': o.apiKey }),
      ...(clientId === undefined ? {} : { 'x-client-id': clientId }),
      ...(pspId === undefined ? {} : { 'x-psp-id': pspId }),
      ...(options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch }),
      ...(options.ifNoneMatch === undefined ? {} : { 'if-none-match': options.ifNoneMatch }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(await this.#session?.headers(row.method, row.path, () => this.#askSession(options))),
    };
  }

  /** Reads the session; the reply carries its token. */
  #askSession(options: CallOptions): Promise<unknown> {
    const row: OperationRow = { method: 'GET', path: sessionPath };
    return this.#attempt({ row, path: sessionPath, query: '', body: undefined, options });
  }

  #read(response: Response, text: string, row: OperationRow): { content: unknown; message: string } {
    try {
      const read = this.#o.amounts === 'text' ? readExact(text, row.integers) : JSON.parse(text);
      // A document such as a report's JSON has no envelope: it is returned byte for byte as it was hashed.
      return hasEnvelope(read) ? read : { content: read, message: '' };
    } catch {
      throw errorOf(response, text);
    }
  }
}

const hasEnvelope = (read: unknown): read is { content: unknown; message: string } =>
  typeof read === 'object' && read !== null && 'success' in read;

interface Call {
  readonly row: OperationRow;
  readonly path: string;
  readonly query: string;
  readonly body: string | undefined;
  readonly options: CallOptions;
  /** Asks for another form of the reply than the usual one. */
  readonly accept?: string;
}

function callOf(id: OperationId, input: unknown, options: CallOptions): Call {
  const row = rowOf(id);
  return { row, ...split(row, id, (input ?? {}) as Record<string, unknown>, options.expand), options };
}

function rowOf(id: string): OperationRow {
  const row = Object.hasOwn(table, id) ? table[id] : undefined;
  if (row === undefined) throw new TypeError(`${id} is no operation of this version of the client`);
  return row;
}

/** Puts each input of an operation where it belongs: path, query or body. */
function split(
  row: OperationRow,
  id: string,
  input: Record<string, unknown>,
  expand: CallOptions['expand'],
): Omit<Call, 'row' | 'options'> {
  const rest = { ...input };
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`${id} needs ${name}`);
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const parts = expand === undefined ? {} : { expand: [expand].flat().join(',') };
  return {
    path,
    query: queryOf(row.body ? parts : { ...rest, ...parts }),
    body: row.body ? writeJson(rest, row.decimals) : undefined,
  };
}

function queryOf(input: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && value !== null) query.append(name, String(value));
  return query.size > 0 ? `?${query}` : '';
}

for (const id of Object.keys(operations) as OperationId[])
  Object.defineProperty(Caller.prototype, id, {
    value: async function (this: Caller<unknown>, input?: Input<typeof id>, options?: CallOptions) {
      return (await this.reply(id, input, options)).content;
    },
  });

export type Assay<A = number> = Caller<A> & Methods<A>;

/** The client. With `amounts: 'text'`, amounts in replies are strings. */
export const Assay = Caller as unknown as {
  new (options: AssayOptions & { readonly amounts: 'text' }): Assay<string>;
  new (options: AssayOptions & { readonly amounts?: 'number' | undefined }): Assay<number>;
};
