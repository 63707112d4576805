// Resolves API keys (new-key.ts) to principals. A key is cached for less than a second, so that a revocation takes effect
// everywhere within one.
import { hash, timingSafeEqual } from 'node:crypto';
import { fromWire, type PspId, toWire } from '../../core/ids.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import { scopesFrom } from '../../core/scopes.ts';
import type { OperationalStanding } from '../../core/standing.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { recordedNetwork } from '../../platform/network.ts';
import { ownBytes } from '../../platform/own-bytes.ts';
import type { Principal } from '../kernel/principal.ts';
import { checksum, hashOf, prefixOf } from './new-key.ts';
import { standingsColumn, standingsJoins, strictestOf } from './standings.ts';

const trustedMs = 750;
/** From this age on a used key is refreshed in the background, so that no request waits for it. */
const refreshMs = 400;
const form = /^(asy|asytest)_([0-9a-hjkmnp-tv-z]{26})_([0-9A-Za-z_-]{43})_([0-9a-f]{8})$/;

interface Known {
  readonly principal: Principal;
  readonly secretHash: Uint8Array;
  /** As stored. */
  readonly scopes: string | null;
  readonly expiresAt: number | undefined;
  readonly revoked: boolean;
  /** Standing of an operator's account unless ACTIVE: its keys are then rejected. */
  readonly barred: string | undefined;
  /** Monotonic milliseconds. */
  readonly readAt: number;
}

const isLive = (k: Known, now: number) =>
  !k.revoked && k.barred === undefined && (k.expiresAt === undefined || k.expiresAt > now);

const invalid = () => refuse('KEY_INVALID', 'the API key is not valid');

interface FoundKey {
  readonly id: string;
  readonly psp_id: string;
  readonly account_id: string;
  readonly secret_hash: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly scopes: string | null;
  readonly kind: Principal['kind'];
  readonly operational_standing: OperationalStanding;
  readonly test: boolean;
  readonly standings: string;
}

const knownFrom = (r: FoundKey, readAt: number): Known => ({
  scopes: r.scopes,
  principal: {
    kind: r.kind,
    psp: r.psp_id,
    account: r.account_id,
    actor: toWire('key', r.id),
    test: r.test,
    ...(r.scopes === null ? {} : { scopes: scopesFrom(r.scopes) ?? [] }),
    ...strictestOf(r),
  },
  secretHash: ownBytes(Buffer.from(r.secret_hash, 'hex')),
  expiresAt: r.expires_at === null ? undefined : Date.parse(r.expires_at),
  revoked: r.revoked_at !== null,
  barred:
    r.kind === 'operator' && r.operational_standing !== 'ACTIVE' ? r.operational_standing.toLowerCase() : undefined,
  readAt,
});

export interface HasKeys {
  readonly keys: KeyRing;
}

/** Resolves API keys to principals. One per process. */
export class KeyRing {
  readonly #db: Database;
  readonly #clock: Clock;
  /** For the age of cached keys: unaffected by a clock that was set back. */
  readonly #monotonic: Clock;
  readonly #known = new Map<string, Known>();
  readonly #checked = new Map<string, { id: string; known: Known }>();
  readonly #loading = new Map<string, Promise<Known | null>>();
  readonly #used = new Map<string, { psp: PspId; at: number; address: string | undefined }>();
  /** Keys requested in this turn of the event loop, read with one statement. */
  #asked: { id: string; resolve(known: Known | null): void; reject(e: unknown): void }[] = [];
  /** Number of key changes made by this process. */
  #changes = 0;

  constructor(db: Database, clock: Clock, monotonic: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#monotonic = monotonic;
  }

  /**
   * The key's principal; synchronous if cached.
   * @param address the caller's address
   */
  resolve(text: string, address?: string): Principal | Refusal | Promise<Principal | Refusal> {
    // A recently checked key is found by the hash of its whole text.
    const digest = hash('sha256', text, 'base64');
    const checked = this.#checked.get(digest);
    if (checked) {
      const now = this.#clock();
      const ageMs = this.#ageMs(checked.known);
      if (ageMs < trustedMs && checked.known === this.#known.get(checked.id) && isLive(checked.known, now)) {
        this.#used.set(checked.id, { psp: checked.known.principal.psp, at: now, address });
        // If this fails, the request that finds the key too old tries again and gets the error.
        if (ageMs > refreshMs) this.#load(checked.id).catch(() => undefined);
        return checked.known.principal;
      }
    }
    const found = this.#find(text, address);
    if (found instanceof Promise) return found.then((f) => this.#remember(digest, f));
    return this.#remember(digest, found);
  }

  #ageMs(k: Known): number {
    return this.#monotonic() - k.readAt;
  }

  /** The principal of a key that was valid when last checked. It may have ended since, so this permits nothing. */
  recall(text: string): Principal | undefined {
    return this.#checked.get(hash('sha256', text, 'base64'))?.known.principal;
  }

  #remember(digest: string, found: { id: string; known: Known } | Refusal): Principal | Refusal {
    if (found instanceof Refusal) {
      this.#checked.delete(digest);
      return found;
    }
    if (this.#checked.size > 100_000) this.#checked.clear();
    this.#checked.set(digest, found);
    return found.known.principal;
  }

  #find(
    text: string,
    address: string | undefined,
  ): { id: string; known: Known } | Refusal | Promise<{ id: string; known: Known } | Refusal> {
    const m = form.exec(text);
    if (!m) return invalid();
    const [, prefix, wire, secret, sum] = m as unknown as [string, string, string, string, string];
    if (checksum(prefix, wire, secret) !== sum) return invalid();
    const id = fromWire('key', `key_${wire}`);
    if (!id) return invalid();
    const known = this.#known.get(id);
    if (known && this.#ageMs(known) < trustedMs) return this.#check(id, known, { prefix, secret, address });
    return this.#load(id).then((k) => (k ? this.#check(id, k, { prefix, secret, address }) : invalid()));
  }

  #check(
    id: string,
    k: Known,
    { prefix, secret, address }: { prefix: string; secret: string; address: string | undefined },
  ): { id: string; known: Known } | Refusal {
    // The prefix must match the kind of key.
    if (prefix !== prefixOf(k.principal.test === true)) return invalid();
    const given = hashOf(secret, k.scopes);
    if (!timingSafeEqual(given, k.secretHash)) return invalid();
    if (k.revoked) return invalid();
    if (k.expiresAt !== undefined && k.expiresAt <= this.#clock())
      return refuse('KEY_INVALID', 'the API key has expired');
    if (k.barred !== undefined) return refuse('KEY_INVALID', `the operator's account is ${k.barred}`);
    this.#used.set(id, { psp: k.principal.psp, at: this.#clock(), address });
    return { id, known: k };
  }

  #load(id: string): Promise<Known | null> {
    let loading = this.#loading.get(id);
    if (!loading) {
      const reading = this.#read(id).finally(() => {
        if (this.#loading.get(id) === reading) this.#loading.delete(id);
      });
      loading = reading;
      this.#loading.set(id, reading);
    }
    return loading;
  }

  #read(id: string): Promise<Known | null> {
    return new Promise((resolve, reject) => {
      if (this.#asked.length === 0) setImmediate(() => void this.#readAsked());
      this.#asked.push({ id, resolve, reject });
    });
  }

  async #readAsked(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const found = await this.#readAll([...new Set(asked.map((a) => a.id))]);
      for (const a of asked) a.resolve(found.get(a.id) ?? null);
    } catch (e) {
      for (const a of asked) a.reject(e);
    }
  }

  async #readAll(ids: readonly string[]): Promise<Map<string, Known>> {
    const readAt = this.#monotonic();
    const changes = this.#changes;
    const rows = await this.#db.query<FoundKey>(
      `SELECT k.id, k.psp_id, k.account_id, k.secret_hash, k.expires_at, k.revoked_at, k.scopes, a.kind, a.operational_standing,
         t.test_of IS NOT NULL AS test, ${standingsColumn}
       FROM api_keys k JOIN accounts a ON a.psp_id = k.psp_id AND a.id = k.account_id ${standingsJoins}
       WHERE k.id = ANY ($1::uuid[])`,
      [ids],
    );
    const found = new Map<string, Known>();
    for (const r of rows) found.set(r.id, knownFrom(r, readAt));
    if (this.#known.size > 100_000) this.#known.clear();
    // The result may lack a change made here meanwhile.
    if (changes === this.#changes) for (const [id, known] of found) this.#known.set(id, known);
    return found;
  }

  /** Drops a key from the cache, so that a change made here takes effect at once. */
  forget(id: string): void {
    this.#changes++;
    this.#loading.delete(id);
    this.#known.delete(id);
  }

  /** Drops the keys affected by an account's standing: its own, its clients' and their test keys. */
  forgetAccount(account: string): void {
    for (const [id, { principal: p }] of this.#known)
      if (p.account === account || p.psp === account || p.test === true) this.#known.delete(id);
    this.#loading.clear();
    this.#changes++;
  }

  /** Whether this process has seen a use of the key that is not stored yet. */
  wasUsed(id: string): boolean {
    return this.#used.has(id);
  }

  /** Stores when keys were last used, and from which network; called periodically. */
  async flushUse(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = [...this.#used];
    this.#used.clear();
    await this.#db.query(
      `UPDATE api_keys k SET last_used_at = u.at, last_used_network = u.network
       FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[]) AS u(p, i, at, network) WHERE k.psp_id = u.p AND k.id = u.i`,
      [
        used.map(([, u]) => u.psp),
        used.map(([id]) => id),
        used.map(([, u]) => new Date(u.at).toISOString()),
        used.map(([, u]) => recordedNetwork(u.address)),
      ],
    );
  }
}
