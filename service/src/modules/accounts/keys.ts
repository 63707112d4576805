// Resolves API keys (new-key.ts) to principals. A key is kept in memory until its account, its PSP or a key of its account
// changes (access-changes.ts): for reading, a revocation takes effect everywhere within a second; commits check it exactly
// (authority.ts).
import { hash, timingSafeEqual } from 'node:crypto';
import { fromWire, type PspId, toWire } from '../../core/ids.ts';
import { type Refusal, refuse, said } from '../../core/refusal.ts';
import { scopesFrom } from '../../core/scopes.ts';
import type { OperationalStanding } from '../../core/standing.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ExpectedAccount, FactLoader } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { Kept } from '../../platform/kept.ts';
import { recordedNetwork } from '../../platform/network.ts';
import { ownBytes } from '../../platform/own-bytes.ts';
import type { Principal } from '../kernel/principal.ts';
import type { AccessChanges } from './access-changes.ts';
import { checksum, hashOf, prefixOf } from './new-key.ts';
import { standingsColumn, standingsJoins, strictestOf } from './standings.ts';

/** Some 35,000 keys. */
const mostBytes = 64 * 2 ** 20;
const bytesOfKey = 1800;
/** After this a key is read again: it may have been ended by hand, or by a process of an earlier version. */
const longestKeptMs = 5 * 60_000;
const form = /^(asy|asytest)_([0-9a-hjkmnp-tv-z]{26})_([0-9A-Za-z_-]{43})_([0-9a-f]{8})$/;

/** A key as it was read. */
export interface Known {
  readonly principal: Principal;
  readonly secretHash: Uint8Array;
  /** As stored. */
  readonly scopes: string | null;
  readonly expiresAt: number | undefined;
  readonly revoked: boolean;
  /** Standing of an operator's account unless ACTIVE: its keys are then rejected. */
  readonly barred: string | undefined;
  /** The accounts (UUIDs) whose change may change this. */
  readonly restsOn: readonly string[];
  /** What commits by the key expect. */
  readonly expects: readonly ExpectedAccount[];
  /** When it was read, in milliseconds since the epoch. */
  readonly readAt: number;
  /** Whether it must be read again before it permits anything. */
  stale?: true;
  /** Whether no use of it was stored when it was read, and none was seen since. */
  unused: boolean;
  /** SHA-256 of the whole key, once it was found to be right. */
  digest?: string;
}

const invalid = () => refuse('KEY_INVALID', 'the API key is not valid');

interface FoundKey {
  readonly id: string;
  readonly psp_id: string;
  readonly account_id: string;
  readonly secret_hash: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly unused: boolean;
  readonly scopes: string | null;
  readonly kind: Principal['kind'];
  readonly operational_standing: OperationalStanding;
  readonly test: boolean;
  readonly standings: string;
  readonly version: number;
  readonly access: number;
  readonly psp_version: number;
  readonly lives: readonly string[];
}

const knownFrom = (r: FoundKey, readAt: number): Known => ({
  readAt,
  unused: r.unused,
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
  restsOn: [r.account_id, r.psp_id, ...r.lives],
  expects: [
    { psp: r.psp_id, id: r.account_id, version: r.version, access: r.access },
    ...(r.account_id === r.psp_id ? [] : [{ psp: r.psp_id, id: r.psp_id, version: r.psp_version }]),
  ],
});

/** Why a key permits nothing now; undefined if it is valid. */
export function refusalOf(k: Known | undefined, now: number): Refusal | undefined {
  if (!k || k.revoked) return invalid();
  if (k.expiresAt !== undefined && k.expiresAt <= now) return refuse('KEY_INVALID', 'the API key has expired');
  return k.barred === undefined ? undefined : refuse('KEY_INVALID', said`the operator's account is ${k.barred}`);
}

/** Where a key's text has its id, as it is on the wire without a prefix: by this, keys are kept. */
function wireIn(text: string): string {
  const from = text.indexOf('_') + 1;
  return text.slice(from, from + 26);
}
const wireOf = (id: string): string => toWire('key', id).slice('key_'.length);
const idOf = (wire: string) => fromWire('key', `key_${wire}`);

function partsOf(text: string): { prefix: string; wire: string; secret: string } | undefined {
  const m = form.exec(text);
  if (!m) return undefined;
  const [, prefix, wire, secret, sum] = m as unknown as [string, string, string, string, string];
  if (checksum(prefix, wire, secret) !== sum || idOf(wire) === undefined) return undefined;
  return { prefix, wire, secret };
}

interface Use {
  readonly psp: PspId;
  at: number;
  address: string | undefined;
}

export interface HasKeys {
  readonly keys: KeyRing;
}

/** Resolves API keys to principals. One per process. */
export class KeyRing {
  /** Keys as facts of what they decide. */
  readonly facts: FactLoader<string, Known> = {
    name: 'key',
    text: (wire) => wire,
    peek: (wire) => {
      const known = this.#known.peek(wire);
      return known?.stale ? undefined : known;
    },
    load: (db, wires) => this.#load(db, wires),
    // It stays for `recall`: a commit that found anything stale forgets the key too.
    forget: (wire) => this.#dropped(() => Object.assign(this.#known.peek(wire) ?? {}, { stale: true })),
  };
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #changes: AccessChanges;
  readonly #known = new Kept<Known>(mostBytes, () => bytesOfKey);
  readonly #loading = new Map<string, Promise<Known | null>>();
  readonly #used = new Map<string, Use>();
  /** Keys used for the first time that are stored next. */
  readonly #firsts: string[] = [];
  #stored: Promise<unknown> = Promise.resolve();
  /** Keys requested in this turn of the event loop, read with one statement. */
  #asked: { wire: string; resolve(known: Known | null): void; reject(e: unknown): void }[] = [];
  /** How often something was dropped. What was read meanwhile may lack the change, and is not kept. */
  #drops = 0;

  constructor(db: Database, clock: Clock, changes: AccessChanges) {
    this.#db = db;
    this.#clock = clock;
    this.#changes = changes;
    changes.follow((changed) => {
      if (changed === 'all') this.#dropped(() => this.#known.clear());
      else this.#dropThoseOf(new Set(changed.map((c) => c.id)));
    });
  }

  /**
   * The key's principal; synchronous if it is known.
   * @param address the caller's address
   */
  resolve(text: string, address?: string): Principal | Refusal | Promise<Principal | Refusal> {
    const wire = wireIn(text);
    const known = this.#known.get(wire);
    if (known === undefined || this.#isOld(known) || !this.#changes.isFresh()) return this.#read(text, address);
    return this.#check(wire, known, text, address);
  }

  /** The principal of a key that was valid when last checked. It may have ended since, so this permits nothing. */
  recall(text: string): Principal | undefined {
    const known = this.#known.peek(wireIn(text));
    return known?.digest === hash('sha256', text, 'base64') ? known.principal : undefined;
  }

  async #read(text: string, address: string | undefined): Promise<Principal | Refusal> {
    const parts = partsOf(text);
    if (!parts) return invalid();
    if (!this.#changes.isFresh()) await this.#changes.read();
    const kept = this.#known.get(parts.wire);
    const known = kept && !this.#isOld(kept) ? kept : await this.#loadOne(parts.wire);
    return known ? this.#check(parts.wire, known, text, address) : invalid();
  }

  #isOld({ readAt, stale }: Known): boolean {
    return stale === true || Math.abs(this.#clock() - readAt) >= longestKeptMs;
  }

  #check(wire: string, k: Known, text: string, address: string | undefined): Principal | Refusal {
    const now = this.#clock();
    const digest = hash('sha256', text, 'base64');
    if (digest !== k.digest) {
      const parts = partsOf(text);
      // The prefix must match the kind of key.
      if (!parts || parts.prefix !== prefixOf(k.principal.test === true)) return invalid();
      if (!timingSafeEqual(hashOf(parts.secret, k.scopes), k.secretHash)) return invalid();
      k.digest = digest;
    }
    const refusal = refusalOf(k, now);
    if (refusal) return refusal;
    const used = this.#used.get(wire);
    // Changed in place: an object per request would outlive V8's young heap.
    if (used) {
      used.at = now;
      used.address = address;
    } else this.#used.set(wire, { psp: k.principal.psp, at: now, address });
    if (k.unused) {
      k.unused = false;
      // At once, so that no process replaces it where its registration is repeated; if that fails, it is stored with others.
      if (this.#firsts.push(wire) === 1) this.#inTurn(() => this.#firsts.splice(0)).catch(() => undefined);
    }
    return k.principal;
  }

  #loadOne(wire: string): Promise<Known | null> {
    let loading = this.#loading.get(wire);
    if (!loading) {
      const reading = this.#ask(wire).finally(() => {
        if (this.#loading.get(wire) === reading) this.#loading.delete(wire);
      });
      loading = reading;
      this.#loading.set(wire, reading);
    }
    return loading;
  }

  #ask(wire: string): Promise<Known | null> {
    return new Promise((resolve, reject) => {
      if (this.#asked.length === 0) setImmediate(() => void this.#readAsked());
      this.#asked.push({ wire, resolve, reject });
    });
  }

  async #readAsked(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const found = await this.#load(this.#db, [...new Set(asked.map((a) => a.wire))]);
      for (const a of asked) a.resolve(found.get(a.wire) ?? null);
    } catch (e) {
      for (const a of asked) a.reject(e);
    }
  }

  async #load(db: Database, wires: readonly string[]): Promise<Map<string, Known>> {
    const drops = this.#drops;
    const readAt = this.#clock();
    const rows = await db.query<FoundKey>(
      `SELECT k.id, k.psp_id, k.account_id, k.secret_hash, k.expires_at, k.revoked_at, k.scopes, k.last_used_at IS NULL AS unused, a.kind,
         a.operational_standing, t.test_of IS NOT NULL AS test, a.version, a.access, t.version AS psp_version,
         array_remove(ARRAY[la.id, lt.id], NULL) AS lives, ${standingsColumn}
       FROM api_keys k JOIN accounts a ON a.psp_id = k.psp_id AND a.id = k.account_id ${standingsJoins}
       WHERE k.id = ANY ($1::uuid[])`,
      [wires.map(idOf)],
    );
    const found = new Map(rows.map((r) => [wireOf(r.id), knownFrom(r, readAt)]));
    if (drops === this.#drops)
      for (const [wire, known] of found) {
        const before = this.#known.peek(wire);
        if (before?.digest !== undefined && timingSafeEqual(before.secretHash, known.secretHash))
          known.digest = before.digest;
        this.#known.set(wire, known);
      }
    return found;
  }

  #dropped(from: () => void): void {
    from();
    this.#loading.clear();
    this.#drops++;
  }

  #dropThoseOf(accounts: ReadonlySet<string>): void {
    this.#dropped(() => this.#known.deleteWhere((k) => k.restsOn.some((id) => accounts.has(id))));
  }

  /** Drops a key, so that a change made here takes effect at once. */
  forget(id: string): void {
    this.#dropped(() => this.#known.delete(wireOf(id)));
  }

  /** Drops the keys affected by an account's standing: its own, its clients' and their test keys. */
  forgetAccount(account: string): void {
    this.#dropThoseOf(new Set([account]));
  }

  /** Whether this process has seen a use of the key that is not stored yet. */
  wasUsed(id: string): boolean {
    return this.#used.has(wireOf(id));
  }

  /** Stores when keys were last used, and from which network; called periodically. */
  flushUse(): Promise<void> {
    return this.#inTurn(() => [...this.#used.keys()]);
  }

  /** One after the other, since two that have keys in common may wait for each other. */
  #inTurn(wires: () => string[]): Promise<void> {
    const done = this.#stored.then(() => this.#store(wires()));
    this.#stored = done.catch(() => undefined);
    return done;
  }

  async #store(wires: readonly string[]): Promise<void> {
    const used = wires.flatMap((wire) => {
      const use = this.#used.get(wire);
      return use ? [{ wire, ...use }] : [];
    });
    if (used.length === 0) return;
    await this.#db.query(
      `UPDATE api_keys k SET last_used_at = u.at, last_used_network = u.network
       FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[]) AS u(p, i, at, network) WHERE k.psp_id = u.p AND k.id = u.i`,
      [
        used.map((u) => u.psp),
        used.map((u) => idOf(u.wire)),
        used.map((u) => new Date(u.at).toISOString()),
        used.map((u) => recordedNetwork(u.address)),
      ],
    );
    // Known here until it is stored, and as long as it could not be: a used key is not replaced by a repeated registration.
    for (const { wire, at } of used) if (this.#used.get(wire)?.at === at) this.#used.delete(wire);
  }
}
