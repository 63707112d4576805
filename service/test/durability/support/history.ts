// The requests and replies of a test's clients, with which the database is compared afterwards. The outcome of a
// request is ok, refused (nothing was recorded) or unknown.
import { Agent, request } from 'node:http';
import { toWire } from '../../../src/core/ids.ts';

export type OperationName = 'verifyTransaction' | 'deposit' | 'declineTransaction' | 'chargeBack';

const paths: Record<OperationName, string> = {
  verifyTransaction: '/v1/transaction/verifyTransaction',
  deposit: '/v1/payment/deposit',
  declineTransaction: '/v1/transaction/declineTransaction',
  chargeBack: '/v1/transaction/chargeBack',
};

/** A sender: a key, and the account of its transactions. */
export interface Party {
  readonly name: string;
  readonly apiKey: string;
  readonly psp: string;
  /** uuid */
  readonly account: string;
  /** x-client-id of a PSP's key. */
  readonly onBehalfOf?: string;
  /** For a client: the key of its PSP, since only the PSP files chargebacks. */
  readonly pspKey?: string;
}

function headersOf(p: Party, operation: OperationName): Record<string, string> {
  if (operation === 'chargeBack' && p.pspKey)
    return { 'x-api-key': p.pspKey, 'x-client-id': toWire('client', p.account) };
  return { 'x-api-key': p.apiKey, ...(p.onBehalfOf ? { 'x-client-id': p.onBehalfOf } : {}) };
}

export type Outcome = 'ok' | 'refused' | 'unknown';

export interface Sent {
  readonly party: Party;
  readonly operation: OperationName;
  readonly ref: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Counters of the history: a request sent after another's reply has the greater number. */
  readonly sentAt: number;
  answeredAt: number;
  /** performance.now() at the reply; 0 without one. */
  answeredMs: number;
  /** Milliseconds until the reply or the error. */
  tookMs: number;
  outcome: Outcome | undefined;
  /** 0 without a reply. */
  status: number;
  /** x-error-code, or the connection's error. */
  code: string;
  replayed: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
  content: any;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** One client machine: keeps connections to the addresses it calls. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });

  /** @throws the connection's error */
  call(
    address: string,
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const q = request(`${address}${path}`, {
        method,
        agent: this.#agent,
        headers: {
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
        timeout: 45_000,
      });
      q.on('timeout', () => q.destroy(new Error('the client gave up waiting')));
      q.on('error', reject);
      q.on('response', (r) => {
        const parts: Buffer[] = [];
        r.on('data', (b) => parts.push(b));
        r.on('error', reject);
        r.on('end', () =>
          resolve({ status: r.statusCode ?? 0, headers: r.headers, text: Buffer.concat(parts).toString() }),
        );
        // An incomplete body does not count as a reply.
        r.on('aborted', () => reject(Object.assign(new Error('cut off'), { code: 'ECONNRESET' })));
      });
      q.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export class History {
  readonly all: Sent[] = [];
  inFlight = 0;
  #clock = 0;
  /** Whether a request may arrive twice from here on, so that the refusal of one copy does not tell about the other. */
  twice = false;

  now(): number {
    return ++this.#clock;
  }

  count(outcome: Outcome, since = 0): number {
    return this.all.reduce((n, s) => n + (s.outcome === outcome && s.sentAt > since ? 1 : 0), 0);
  }

  /** Number of requests by outcome and code, for the report. */
  summary(since = 0): Record<string, number> {
    const out: Record<string, number> = {};
    for (const s of this.all) {
      if (s.sentAt <= since) continue;
      const name =
        s.outcome === 'ok'
          ? 'ok'
          : `${s.outcome ?? 'open'} ${s.status || ''}${s.code && ` ${s.code}`}`.replace('  ', ' ');
      out[name] = (out[name] ?? 0) + 1;
    }
    return out;
  }

  async send(
    client: Client,
    address: string,
    party: Party,
    operation: OperationName,
    body: Readonly<Record<string, unknown>> & { ref: string },
  ): Promise<Sent> {
    const entry: Sent = {
      party,
      operation,
      ref: body.ref,
      body,
      sentAt: this.now(),
      answeredAt: Number.POSITIVE_INFINITY,
      answeredMs: 0,
      tookMs: 0,
      outcome: undefined,
      status: 0,
      code: '',
      replayed: false,
      text: '',
      content: undefined,
    };
    this.all.push(entry);
    this.inFlight++;
    const began = performance.now();
    try {
      const r = await client.call(address, 'POST', paths[operation], headersOf(party, operation), JSON.stringify(body));
      entry.status = r.status;
      entry.code = (r.headers['x-error-code'] as string | undefined) ?? '';
      entry.replayed = r.headers['idempotency-replayed'] === 'true';
      entry.text = r.text;
      entry.outcome = classify(entry, this.twice);
      if (entry.outcome === 'ok') entry.content = JSON.parse(r.text).content;
    } catch (e) {
      entry.code = (e as NodeJS.ErrnoException).code ?? String(e);
      // If the connection was refused, nothing was sent.
      entry.outcome = entry.code === 'ECONNREFUSED' ? 'refused' : 'unknown';
    } finally {
      entry.answeredAt = this.now();
      entry.answeredMs = performance.now();
      entry.tookMs = entry.answeredMs - began;
      this.inFlight--;
    }
    return entry;
  }
}

function classify(s: Sent, twice: boolean): Outcome {
  if (s.status === 200) return 'ok';
  if (twice && (s.status === 429 || s.status === 503)) return 'unknown';
  // The other copy may have overtaken this one and filed it.
  if (twice && s.code === 'ALREADY_CHARGED_BACK') return 'unknown';
  if (s.status >= 400 && s.status < 500) return 'refused';
  if (s.status === 503 && s.code === 'OVERLOADED') return 'refused';
  return 'unknown';
}
