// Sends webhook requests: a POST, limited in time and size, to a permitted address, and its result. Follows no
// redirect, retries nothing, throws nothing.

import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { parseRange } from '../core/public-address.ts';
import { said } from '../core/said.ts';
import { literalAddress, readWebhookUrl, type WebhookRules, WebhookUrlFault } from '../core/webhook-url.ts';
import { type Clock, monotonicClock, systemClock } from './clock.ts';
import { GuardedLookup, LookupFault } from './guarded-lookup.ts';

export interface OutgoingOptions extends WebhookRules {
  /** For DNS and the connection with TLS; default 5 s. */
  readonly connectTimeoutMs?: number;
  /** From the first step to the last byte; default 15 s. */
  readonly totalTimeoutMs?: number;
  /** Certificates to trust instead of the well-known ones, as PEM. */
  readonly ca?: string;
  /** DNS servers to ask instead of the machine's own, as address and port. */
  readonly dnsServers?: readonly string[];
  readonly clock?: Clock;
}

type Stage = 'guard' | 'connect' | 'send' | 'answer';

type Reason =
  | 'OK'
  | 'HTTP_NOT_200'
  | 'REDIRECT'
  | 'GONE'
  | 'RATE_LIMITED'
  | 'TIMEOUT'
  | 'CONNECT_FAILED'
  | 'DNS_FAILED'
  | 'TLS_FAILED'
  | 'RESET'
  | 'ADDRESS_NOT_PUBLIC'
  | 'BAD_URL'
  | 'RESPONSE_BROKEN';

export interface Outcome {
  /** Null without a response. */
  readonly status: number | null;
  /** The stage it reached. */
  readonly stage: Stage;
  /** Only the status of a response counts, even if its body ends too late or not at all. */
  readonly reason: Reason;
  /** The first 8 KiB of the response body as text without NUL. */
  readonly response: string | null;
  /** Seconds from the response's Retry-After; null without one. */
  readonly retryAfterS: number | null;
  readonly durationMs: number;
}

/** Timeout of a name's resolution if nothing is sent. */
const checkedWithinMs = 2_000;
const readAtMost = 64 * 1024;
const keepAtMost = 8 * 1024;

export class Outgoing {
  readonly #rules: WebhookRules;
  readonly #lookup: GuardedLookup;
  readonly #agent: Agent;
  readonly #totalTimeoutMs: number;
  readonly #clock: Clock;

  /** @throws an Error that names an invalid range */
  constructor(o: OutgoingOptions) {
    const wrong = o.allowCidrs.find((text) => !parseRange(text));
    if (wrong !== undefined) throw new Error(`webhooks may be sent to '${wrong}', which is no range of addresses`);
    this.#rules = { allowHttp: o.allowHttp, allowCidrs: o.allowCidrs };
    this.#lookup = new GuardedLookup(this.#rules, o.dnsServers);
    this.#totalTimeoutMs = o.totalTimeoutMs ?? 15_000;
    this.#clock = o.clock ?? systemClock;
    this.#agent = new Agent({
      connect: {
        lookup: this.#lookup.lookup,
        timeout: o.connectTimeoutMs ?? 5_000,
        ...(o.ca === undefined ? {} : { ca: o.ca }),
      },
      // A connection carries one request at a time, so that aborting a slow one does not affect others.
      allowH2: false,
      // One timer limits the whole exchange; these would restart with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends a POST; the content type is JSON unless the headers name another. */
  async send(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Outcome> {
    const begun = monotonicClock();
    const target = readWebhookUrl(url, this.#rules);
    if (target instanceof WebhookUrlFault)
      return { status: null, stage: 'guard', reason: target.reason, response: null, retryAfterS: null, durationMs: 0 };
    const exchange = new Exchange();
    const timer = setTimeout(() => exchange.end('TIMEOUT'), this.#totalTimeoutMs);
    this.#agent.dispatch(
      {
        origin: target.origin,
        path: target.pathname + target.search,
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'user-agent': 'Assay-Webhooks/1', ...headers },
      },
      exchange,
    );
    const fault = await exchange.ended;
    clearTimeout(timer);
    const { status } = exchange;
    return {
      status,
      stage: fault === 'ADDRESS_NOT_PUBLIC' ? 'guard' : exchange.stage,
      reason: status === null ? (fault ?? 'RESPONSE_BROKEN') : reasonOfStatus(status),
      response: status === null ? null : asText(exchange.body),
      retryAfterS: retryAfterS(exchange.retryAfter, this.#clock()),
      durationMs: Math.round(monotonicClock() - begun),
    };
  }

  /**
   * The address in its normal form, or why it may not be called; resolves its name, sends nothing. A name that DNS does
   * not know, or does not answer within two seconds, is accepted: each delivery checks again.
   */
  async check(url: string): Promise<URL | WebhookUrlFault> {
    const target = readWebhookUrl(url, this.#rules);
    if (target instanceof WebhookUrlFault || literalAddress(target.hostname) !== undefined) return target;
    const answered = new AbortController();
    const fault = await Promise.race([
      this.#lookup.addresses(target.hostname).then(() => undefined, lookupFault),
      pause(checkedWithinMs, undefined, { signal: answered.signal }).catch(() => undefined),
    ]);
    answered.abort();
    return fault?.reason === 'ADDRESS_NOT_PUBLIC'
      ? new WebhookUrlFault('ADDRESS_NOT_PUBLIC', said`names a host that is not public: ${target.hostname}`)
      : target;
  }

  /** Aborts requests in flight; callers that need their results wait first. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** One request and its response, as an undici handler. */
class Exchange implements Dispatcher.DispatchHandler {
  /** Resolves once, with the reason of a failure or undefined. */
  readonly ended: Promise<Reason | undefined>;
  readonly #resolve: (fault: Reason | undefined) => void;
  stage: Stage = 'connect';
  status: number | null = null;
  retryAfter: string | undefined;
  body = Buffer.alloc(0);
  #read = 0;
  #over = false;
  #controller: Dispatcher.DispatchController | undefined;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Reason | undefined>();
    this.ended = promise;
    this.#resolve = resolve;
  }

  /** Ends it and closes the connection; later events have no effect. */
  end(fault: Reason | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#resolve(fault);
    this.#controller?.abort(new Error('no longer waited for'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Cancelled while it waited for its connection: it must not be sent any more.
    if (this.#over) {
      controller.abort(new Error('no longer waited for'));
      return;
    }
    this.#controller = controller;
    this.stage = 'send';
  }

  onRequestSent(): void {
    this.stage = 'answer';
  }

  onResponseStart(_: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    this.stage = 'answer';
    this.status = status;
    const given = headers['retry-after'];
    this.retryAfter = Array.isArray(given) ? given[0] : given;
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#read += chunk.length;
    const room = keepAtMost - this.body.length;
    if (room > 0) this.body = Buffer.concat([this.body, chunk.subarray(0, room)]);
    if (this.#read > readAtMost) this.end(undefined);
  }

  onResponseEnd(): void {
    this.#controller = undefined;
    this.end(undefined);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#controller = undefined;
    this.end(reasonOfError(error, this.stage));
  }
}

function lookupFault(e: unknown): LookupFault {
  if (e instanceof LookupFault) return e;
  throw e;
}

function reasonOfStatus(status: number): Reason {
  if (status === 200) return 'OK';
  if (status === 410) return 'GONE';
  if (status === 429) return 'RATE_LIMITED';
  return status >= 300 && status < 400 ? 'REDIRECT' : 'HTTP_NOT_200';
}

function reasonOfError(error: Error & { code?: unknown; syscall?: unknown }, stage: Stage): Reason {
  if (error instanceof LookupFault) return error.reason;
  const code = String(error.code);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'TIMEOUT';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') return 'RESET';
  if (stage !== 'connect') return code === 'UND_ERR_DESTROYED' ? 'RESET' : 'RESPONSE_BROKEN';
  // If several addresses were tried, the error contains one for each.
  return error.syscall === 'connect' || error instanceof AggregateError || code.startsWith('UND_ERR')
    ? 'CONNECT_FAILED'
    : 'TLS_FAILED';
}

/** Text that PostgreSQL accepts: no NUL, and no incomplete character at the end. */
const asText = (bytes: Buffer): string =>
  new TextDecoder('utf-8').decode(bytes, { stream: true }).replaceAll('\0', '\u{fffd}');

/** As seconds or as a date. */
function retryAfterS(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const until = / GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - nowMs) / 1000));
}
