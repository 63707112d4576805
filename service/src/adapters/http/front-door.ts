// Runs before the framework: asks Admission about each request by its headers. A request for which there is no room waits
// here, unread, and the newest is let in as soon as there is; those that found none are refused late. A caller that is
// held cannot retry meanwhile, so that refusing takes little time whatever the load.
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Principal } from '../../modules/kernel/principal.ts';
import { every, type Repeating } from '../../platform/every.ts';
import { type Admission, ticksPerSecond } from './admission.ts';
import { busyMessage, limitedMessage, wholeSeconds } from './limits.ts';
import { arrivedAt } from './request-clock.ts';

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
  /** Receives about a second's refusals, by status: how many, and the actors that most of them were of. */
  readonly tell: (
    refused: Readonly<Record<number, number>>,
    actors: Readonly<Record<number, readonly string[]>>,
  ) => void;
}

interface ObservedRefusal {
  readonly id: string;
  /** Undefined for a caller who was not known. */
  readonly principal: Principal | undefined;
  readonly method: string;
  readonly status: number;
  readonly code: 'RATE_LIMITED' | 'OVERLOADED';
  readonly ms: number;
}

interface Held {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: Principal | undefined;
  readonly at: number;
  readonly limitedMs: number;
  /** Whether it was let in. */
  passed: boolean;
}

/** Maximum requests held; beyond it they are refused at once. */
const mostHeld = 10_000;
/** Ticks a request is held before it is refused: spread, so that callers refused together do not retry together. */
const heldTicks = { least: ticksPerSecond / 2, spread: ticksPerSecond };
/** Never refused: monitoring matters most under load. */
const watchers = new Set(['/health/live', '/health/ready', '/metrics']);

/** Actors that are named of each status. */
const mostNamed = 3;

const body = (message: string) => JSON.stringify({ success: false, message });
const busyBody = body(busyMessage);
const limitedBody = body(limitedMessage);

export class FrontDoor {
  readonly #o: FrontDoorOptions;
  /** By the tick of their refusal. */
  readonly #held = new Map<number, Held[]>();
  /** Those of known keys that are let in when there is room, the newest last; some of them may have been refused. */
  #waiting: Held[] = [];
  #next: RequestListener = () => undefined;
  readonly #ticking: Repeating;
  #heldCount = 0;
  #placed = 0;
  #tick = 0;
  #tickAt: number;
  /** Refusals written at once since the last tick. */
  #prompt = 0;
  #told: Record<number, number> = {};
  /** Of those, how many of each known actor, by status. */
  #actors: Record<number, Map<string, number>> = {};
  #closed = false;

  constructor(options: FrontDoorOptions) {
    this.#o = options;
    this.#tickAt = options.monotonic();
    options.admission.whenFinished(() => this.#letIn(1));
    this.#ticking = every(1000 / ticksPerSecond, () => this.#onTick());
  }

  /** Requests neither let in nor refused yet. */
  get held(): number {
    return this.#heldCount;
  }

  /** Passes requests on to `next`, or refuses them. */
  before(next: RequestListener): RequestListener {
    this.#next = next;
    return (request, response) => {
      if (this.#closed || watchers.has(request.url as string)) return next(request, response);
      const principal = this.#o.recall(request.headers);
      const admitted = this.#o.admission.decide(principal?.actor);
      if (admitted === 'in') return next(request, response);
      if (principal?.test === true) response.setHeader('x-assay-mode', 'test');
      const limitedMs = admitted === 'busy' ? 0 : admitted.limitedMs;
      this.#hold({ request, response, principal, at: this.#o.monotonic(), limitedMs, passed: false });
    };
  }

  /** Refuses what is held, and nothing from here on. */
  close(): void {
    this.#closed = true;
    void this.#ticking.stop();
    for (const tick of [...this.#held.keys()]) this.#release(tick);
  }

  #hold(held: Held): void {
    const waits = held.principal !== undefined && held.limitedMs === 0;
    // Of those that wait for nothing, as many are refused at once as cost little compared to the served work.
    if (this.#heldCount >= mostHeld || (!waits && this.#prompt++ < this.#o.admission.perTick / 4)) {
      this.#write(held);
      return;
    }
    const tick = this.#tick + heldTicks.least + (this.#placed++ % heldTicks.spread);
    const there = this.#held.get(tick);
    if (there) there.push(held);
    else this.#held.set(tick, [held]);
    if (waits) this.#waiting.push(held);
    this.#heldCount++;
  }

  /**
   * Lets in as many as there is room for. The newest have waited least: the oldest first would make all of them wait as
   * long as the longest queue.
   */
  #letIn(most: number): void {
    for (let room = Math.min(most, this.#o.admission.room); room > 0; ) {
      const held = this.#waiting.pop();
      if (!held) return;
      // Refused meanwhile, or its caller left.
      if (held.response.writableEnded || held.response.destroyed) continue;
      held.passed = true;
      this.#heldCount--;
      room--;
      arrivedAt.set(held.request, held.at);
      this.#next(held.request, held.response);
    }
  }

  #release(tick: number): void {
    const due = this.#held.get(tick)?.filter((held) => !held.passed);
    this.#held.delete(tick);
    if (!due) return;
    this.#heldCount -= due.length;
    for (const held of due) this.#write(held);
  }

  #write({ response, principal, at, limitedMs }: Held): void {
    const status = limitedMs > 0 ? 429 : 503;
    this.#told[status] = (this.#told[status] ?? 0) + 1;
    if (principal) {
      const actors = (this.#actors[status] ??= new Map());
      actors.set(principal.actor, (actors.get(principal.actor) ?? 0) + 1);
    }
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
    this.#letIn(Number.POSITIVE_INFINITY);
    this.#release(++this.#tick);
    this.#waiting = this.#waiting.filter(({ response }) => !response.writableEnded && !response.destroyed);
    if (this.#tick % ticksPerSecond > 0 || Object.keys(this.#told).length === 0) return;
    this.#o.tell(this.#told, this.#loudest());
    this.#told = {};
    this.#actors = {};
  }

  #loudest(): Record<number, string[]> {
    const named: Record<number, string[]> = {};
    for (const [status, actors] of Object.entries(this.#actors)) {
      const most = [...actors].sort(([, a], [, b]) => b - a).slice(0, mostNamed);
      named[Number(status)] = most.map(([actor]) => actor);
    }
    return named;
  }
}
