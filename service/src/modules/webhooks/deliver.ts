// The delivery worker: claims due deliveries, sends them, stores the results. Several processes may work on one
// database. Schedules and leases use the service's clock, pacing and pauses the monotonic one; timers only wake it.
import { setTimeout as pause } from 'node:timers/promises';
import { type EventKind, eventKinds } from '../../core/events.ts';
import { toWire } from '../../core/ids.ts';
import { stored } from '../../core/said.ts';
import { nextAttempt } from '../../core/webhooks/schedule.ts';
import type { Pool } from '../../platform/database.ts';
import { errorFields } from '../../platform/log.ts';
import type { Outcome, Outgoing } from '../../platform/outgoing.ts';
import { PollLoop } from '../../platform/poll-loop.ts';
import { Presence } from '../../platform/presence.ts';
import { randomFraction } from '../../platform/random.ts';
import { type HasAccounts, isTestTenant } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { AddressCare } from './address-care.ts';
import {
  type Claimed,
  claim,
  type DueAddress,
  dueAddresses,
  giveBack,
  leaseMs,
  type Result,
  type Statements,
} from './attempt-store.ts';
import { settleDeliveries } from './delivery-store.ts';
import { Lanes, mostInHand } from './lanes.ts';
import { Reclaim } from './reclaim.ts';
import { presenceOf } from './reclaim-store.ts';
import { Results } from './results.ts';
import { type SigningSecrets, signatureHeaders } from './signature.ts';
import { SecretsOfMany } from './signing-secrets.ts';

/** No attempt starts on a shorter lease: it must cover the attempt's timeout and storing its result. */
const leastLeaseMs = 30_000;

export interface Attempted {
  readonly reason: string;
  readonly durationMs: number;
  /** Milliseconds from the event to the start of its first attempt; undefined for later attempts. */
  readonly sinceMs: number | undefined;
}

export interface DelivererOptions {
  readonly services: Needs<'settings' | 'clock' | 'monotonic' | 'ids' | 'log' | 'db' | 'committer' | 'vault'> &
    HasAccounts;
  /** One of its connections is held permanently. */
  readonly pool: Statements & Pick<Pool, 'withClient'>;
  readonly outgoing: Pick<Outgoing, 'send'>;
  /** Maximum deliveries in flight. */
  readonly concurrency: number;
  readonly observe?: (a: Attempted) => void;
  /** Polling interval in addition to wake-ups: for what becomes due, and what other processes write. */
  readonly everyMs?: number;
  /** How long a stop waits for requests in flight, in milliseconds. */
  readonly graceMs?: number;
}

interface InHand extends Claimed {
  readonly url: string;
  readonly secrets: () => Promise<SigningSecrets>;
  readonly until: number;
}

export class Deliverer {
  readonly #o: DelivererOptions;
  readonly #worker: string;
  readonly #lanes: Lanes<InHand>;
  readonly #results: Results;
  readonly #care: AddressCare;
  readonly #presence: Presence;
  readonly #reclaim: Reclaim;
  readonly #secrets: SecretsOfMany;
  readonly #underWay = new Map<InHand, Promise<void>>();
  readonly #loop: PollLoop;
  #settle = false;

  constructor(options: DelivererOptions) {
    this.#o = options;
    const { ids, log } = options.services;
    this.#worker = ids.next();
    this.#secrets = new SecretsOfMany(options.services);
    this.#lanes = new Lanes(options.concurrency);
    this.#care = new AddressCare(options.services);
    this.#presence = new Presence(options.pool, presenceOf(this.#worker), log);
    this.#reclaim = new Reclaim({
      services: options.services,
      db: options.pool,
      worker: this.#worker,
      inHand: () => [...this.#lanes.waiting(), ...this.#underWay.keys()],
    });
    this.#results = new Results(options.pool, this.#worker, log, (healths) => this.#care.look(healths));
    this.#loop = new PollLoop({
      pass: () =>
        this.#cycle().catch((e) => {
          this.#reclaim.lost();
          log.warn(errorFields(e), 'webhook deliveries could not be claimed; tried again shortly');
        }),
      atNet: () => {
        this.#settle = true;
      },
      everyMs: options.everyMs ?? 1000,
    });
  }

  /** Number of URLs to which nothing is currently sent, because they keep failing. */
  get breakersOpen(): number {
    return this.#lanes.open;
  }

  start(): void {
    this.#loop.start();
  }

  /** Signals that something may be due. */
  wake(): void {
    this.#loop.wake();
  }

  /** Checks at once, as it does every second. */
  look(): void {
    this.#loop.look();
  }

  /** Starts nothing more, releases what waits, and finishes what is in flight or, after the grace period, releases it. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    const left = this.#lanes.drain();
    const grace = new AbortController();
    await Promise.race([
      Promise.all(this.#underWay.values()),
      pause(this.#o.graceMs ?? 3000, undefined, { signal: grace.signal }).catch(() => undefined),
    ]);
    grace.abort();
    await this.#results.close();
    await this.#care.idle();
    await this.#giveBack([...left, ...this.#underWay.keys()]);
    await this.#presence.hide();
  }

  /** Claims what the lanes have room for. The rest waits until a delivery ends. */
  async #cycle(): Promise<void> {
    const { clock, monotonic } = this.#o.services;
    if (this.#settle) {
      this.#settle = false;
      await this.#presence.show();
      await this.#reclaim.run();
      await settleDeliveries(this.#o.pool, clock());
      this.#lanes.review(monotonic());
    }
    if (this.#lanes.free <= 0) return;
    const addresses = await dueAddresses(this.#o.pool, clock(), mostInHand);
    const now = clock();
    const shares = this.#lanes.share(addresses, monotonic());
    if (shares.length === 0) return;
    const until = now + leaseMs;
    const claimed = await claim(this.#o.pool, this.#worker, shares, now, until);
    this.#take(
      claimed,
      shares.map((s) => s.address),
      now,
      until,
    );
  }

  #take(claimed: readonly Claimed[], addresses: readonly DueAddress[], now: number, until: number): void {
    const byWebhook = new Map(addresses.map((a) => [a.webhook, a]));
    const secretsOf = this.#secrets.of(addresses, now);
    const urls = new Set<string>();
    const takenAt = this.#o.services.monotonic();
    for (const c of claimed) {
      const { url, account } = byWebhook.get(c.webhook) as DueAddress;
      this.#lanes.add(url, { ...c, url, secrets: () => secretsOf(account), until }, c.retry, takenAt);
      urls.add(url);
    }
    for (const url of urls) this.#advance(url);
  }

  /** Sends from one lane as far as its slots allow. */
  #advance(url: string): void {
    const { monotonic } = this.#o.services;
    while (!this.#loop.stopped) {
      const d = this.#lanes.next(url, monotonic());
      if (!d) return;
      const work = this.#attempt(d).finally(() => this.#underWay.delete(d));
      this.#underWay.set(d, work);
    }
  }

  async #attempt(d: InHand): Promise<void> {
    const { clock, monotonic } = this.#o.services;
    const started = clock();
    if (d.until - started < leastLeaseMs) {
      this.#lanes.abandoned(d.url, monotonic());
      await this.#giveBack([d]);
      return;
    }
    const outcome = await this.#send(d, started);
    const ended = clock();
    const behindBreaker = this.#lanes.ended(d.url, outcome.reason === 'OK', monotonic());
    this.#o.observe?.({
      reason: outcome.reason,
      durationMs: outcome.durationMs,
      sinceMs: d.attempts === 0 ? started - Date.parse(d.happenedAt) : undefined,
    });
    this.#advance(d.url);
    await Promise.all([
      this.#giveBack(behindBreaker),
      new Promise<void>((resolve) => {
        this.#results.add({ result: this.#result(d, outcome, started, ended), done: resolve });
      }),
    ]);
    this.#settled(d);
    if (outcome.reason === 'GONE')
      this.#care.disable(d.psp, d.webhook, stored`disabled: the receiver answered 410 Gone`);
  }

  async #send(d: InHand, now: number): Promise<Ended> {
    try {
      return await this.#o.outgoing.send(d.url, d.body, {
        ...signatureHeaders(await d.secrets(), toWire('event', d.event), Math.floor(now / 1000), d.body),
        'X-Event': eventKinds[d.type as EventKind] ?? d.type,
        'X-Attempt': String(d.attempts + 1),
        ...((await isTestTenant(this.#o.services, d.psp)) ? { 'x-assay-mode': 'test' } : {}),
      });
    } catch (e) {
      // Without its secret it cannot be signed, and it is never sent unsigned.
      this.#o.services.log.error({ webhook: d.webhook, ...errorFields(e) }, 'a webhook delivery could not be signed');
      return notSigned;
    }
  }

  #result(d: InHand, o: Ended, startedMs: number, endedMs: number): Result {
    const next =
      o.reason === 'OK' || o.reason === 'GONE'
        ? undefined
        : nextAttempt({
            attempts: d.attempts + 1,
            reason: o.reason,
            retryAfterS: o.retryAfterS,
            nowMs: endedMs,
            random: randomFraction(),
          });
    const state =
      o.reason === 'OK' ? 'delivered' : o.reason === 'GONE' ? 'held' : next === undefined ? 'exhausted' : 'retrying';
    const endedAt = new Date(endedMs).toISOString();
    return {
      psp: d.psp,
      id: d.id,
      state,
      nextAt: next === undefined ? null : new Date(next).toISOString(),
      finishedAt: state === 'delivered' || state === 'exhausted' ? endedAt : null,
      startedAt: new Date(startedMs).toISOString(),
      endedAt,
      durationMs: o.durationMs,
      status: o.status,
      stage: o.stage,
      reason: o.reason,
      response: o.response,
      ok: o.reason === 'OK',
    };
  }

  #settled(d: InHand): void {
    if (this.#lanes.settled(d.url, d.retry, this.#o.services.monotonic())) this.wake();
  }

  /** Not tried, so it stays due. If the database does not answer, the lease expires and releases it. */
  async #giveBack(all: readonly InHand[]): Promise<void> {
    if (all.length === 0) return;
    const { db, log } = this.#o.services;
    await giveBack(db, this.#worker, all).catch((e) => {
      this.#reclaim.lost();
      log.warn(errorFields(e), 'webhook deliveries were not given back; it is tried again, or their leases end');
    });
    for (const d of all) this.#settled(d);
  }
}

/** The result of an attempt; adds a reason for one that was never sent. */
type Ended = Omit<Outcome, 'reason'> & { readonly reason: Outcome['reason'] | 'NOT_SIGNED' };

const notSigned: Ended = {
  status: null,
  stage: 'guard',
  reason: 'NOT_SIGNED',
  response: null,
  retryAfterS: null,
  durationMs: 0,
};
