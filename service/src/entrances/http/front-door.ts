// Runs before the framework: asks Admission about each request by its headers and writes the refusals, the first ones
// at once, the mass of them late. A caller whose refusal is held cannot retry meanwhile, so that refusing takes little
// time whatever the load.
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import type { Principal } from '../../modules/kernel/principal.ts';
import { every, type Repeating } from '../../platform/every.ts';
import { type Admission, ticksPerSecond } from './admission.ts';
import { busyMessage, limitedMessage, wholeSeconds } from './limits.ts';

export interface FrontDoorOptions {
  readonly admission: Admission;
  /** The principal of a key or session that was valid when last checked. */
  readonly recall: (headers: IncomingHttpHeaders) => Principal | undefined;
  readonly newId: () => string;
  readonly monotonic: () => number;
  /** Size of a key's bucket. */
  readonly burst: number;
  readonly apiVersion: string;
  /** Called for each refusal as it is written. */
  readonly observe: (r: ObservedRefusal) => void;
  /** Receives about a second's refusals, by status. */
  readonly tell: (refused: Readonly<Record<number, number>>) => void;
}

export interface ObservedRefusal {
  readonly id: string;
  /** Undefined for a caller who was not known. */
  readonly principal: Principal | undefined;
  readonly method: string;
  readonly status: number;
  readonly code: 'RATE_LIMITED' | 'OVERLOADED';
  readonly ms: number;
}

interface Refused {
  readonly response: ServerResponse;
  readonly principal: Principal | undefined;
  readonly at: number;
  readonly limitedMs: number;
}

/** Maximum refusals held; beyond it they are written at once. */
const mostHeld = 10_000;
/** Ticks a refusal is held: spread, so that callers refused together do not retry together. */
const heldTicks = { least: ticksPerSecond / 2, spread: ticksPerSecond };
/** Never refused: monitoring matters most under load. */
const watchers = new Set(['/health/live', '/health/ready', '/metrics']);

const body = (message: string) => JSON.stringify({ success: false, message });
const busyBody = body(busyMessage);
const limitedBody = body(limitedMessage);

export class FrontDoor {
  readonly #o: FrontDoorOptions;
  readonly #held = new Map<number, Refused[]>();
  readonly #ticking: Repeating;
  #heldCount = 0;
  #placed = 0;
  #tick = 0;
  #tickAt: number;
  /** Refusals since the last tick. */
  #prompt = 0;
  #told: Record<number, number> = {};
  #closed = false;

  constructor(options: FrontDoorOptions) {
    this.#o = options;
    this.#tickAt = options.monotonic();
    this.#ticking = every(1000 / ticksPerSecond, () => this.#onTick());
  }

  /** Refusals not yet written. */
  get held(): number {
    return this.#heldCount;
  }

  /** Passes requests on to `next`, or refuses them. */
  before(next: RequestListener): RequestListener {
    return (request, response) => {
      if (this.#closed || watchers.has(request.url as string)) return next(request, response);
      const principal = this.#o.recall(request.headers);
      const admitted = this.#o.admission.decide(principal?.actor);
      if (admitted === 'in') return next(request, response);
      if (principal?.test === true) response.setHeader('x-assay-mode', 'test');
      const limitedMs = admitted === 'busy' ? 0 : admitted.limitedMs;
      this.#refuse({ response, principal, at: this.#o.monotonic(), limitedMs });
    };
  }

  /** Writes the held refusals and refuses nothing from here on. */
  close(): void {
    this.#closed = true;
    void this.#ticking.stop();
    for (const tick of [...this.#held.keys()]) this.#release(tick);
  }

  #refuse(refused: Refused): void {
    // As many at once as cost little compared to the served work.
    if (this.#prompt++ < this.#o.admission.perTick / 4 || this.#heldCount >= mostHeld) {
      this.#write(refused);
      return;
    }
    const tick = this.#tick + heldTicks.least + (this.#placed++ % heldTicks.spread);
    const there = this.#held.get(tick);
    if (there) there.push(refused);
    else this.#held.set(tick, [refused]);
    this.#heldCount++;
  }

  #release(tick: number): void {
    const due = this.#held.get(tick);
    if (!due) return;
    this.#held.delete(tick);
    this.#heldCount -= due.length;
    for (const refused of due) this.#write(refused);
  }

  #write({ response, principal, at, limitedMs }: Refused): void {
    const status = limitedMs > 0 ? 429 : 503;
    this.#told[status] = (this.#told[status] ?? 0) + 1;
    const [id, code] = [this.#o.newId(), limitedMs > 0 ? ('RATE_LIMITED' as const) : ('OVERLOADED' as const)];
    const method = response.req.method ?? '';
    this.#o.observe({ id, principal, method, status, code, ms: this.#o.monotonic() - at });
    if (response.destroyed) return;
    const text = limitedMs > 0 ? limitedBody : busyBody;
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': text.length,
      'x-error-code': code,
      'retry-after': String(wholeSeconds(limitedMs)),
      'x-request-id': id,
      'x-api-version': this.#o.apiVersion,
      'cache-control': 'no-store',
      ...(limitedMs > 0 ? { 'ratelimit-limit': String(this.#o.burst), 'ratelimit-remaining': '0' } : {}),
      ...(this.#closed ? { connection: 'close' } : {}),
    });
    response.end(text);
  }

  #onTick(): void {
    const now = this.#o.monotonic();
    this.#o.admission.tick(now - this.#tickAt);
    this.#tickAt = now;
    this.#prompt = 0;
    this.#release(++this.#tick);
    if (this.#tick % ticksPerSecond > 0 || Object.keys(this.#told).length === 0) return;
    this.#o.tell(this.#told);
    this.#told = {};
  }
}
