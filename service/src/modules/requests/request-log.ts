// Remembers what keys called and writes it in batches, apart from what is decided. Bounded in memory, and for each PSP and
// minute, over all processes: what is beyond the bound is counted by kind, and what even that has no room for is dropped
// and measured.
import { type AccountId, fromWire, type PspId, timeOfId } from '../../core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Pool } from '../../platform/database.ts';
import { errorFields, type Log } from '../../platform/log.ts';
import type { Principal } from '../kernel/principal.ts';
import { MinuteBudget } from './minute-budget.ts';
import { addRequests, lockRequests, type RequestRow, singleRequests } from './request-store.ts';

export interface Noted {
  readonly id: string;
  readonly principal: Principal;
  readonly onBehalfOf: AccountId | undefined;
  readonly method: string;
  readonly route: string | undefined;
  readonly status: number;
  readonly code?: string | undefined;
  readonly field?: string | undefined;
  readonly ref?: string | undefined;
  readonly ms: number;
}

export interface RequestLogOptions {
  readonly db: Pick<Pool, 'query' | 'transaction'>;
  readonly clock: Clock;
  readonly ids: { next(): string };
  readonly log: Log;
  /** Requests of a PSP and minute that are kept one by one. */
  readonly perMinute: number;
  /** Rows that wait to be written. */
  readonly mostWaiting: number;
  readonly dropped: (requests: number) => void;
}

/** Kinds of requests that are counted apart in one minute of a PSP; further ones are counted without their key. */
const mostKinds = 100;
const mostKindsInAll = 300;
const minuteMs = 60_000;
/** Rows of one statement. */
const mostWritten = 1000;

/** What requests that are counted together have in common. */
type Kind = Omit<RequestRow, 'id' | 'at' | 'field' | 'ref' | 'ms' | 'single' | 'requests'>;
type Rest = Kind & { requests: number };

interface Minute {
  readonly budget: MinuteBudget;
  readonly rest: Map<string, Rest>;
}

export class RequestLog {
  readonly #o: RequestLogOptions;
  readonly #minutes = new Map<PspId, Minute>();
  #waiting: RequestRow[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: RequestLogOptions) {
    this.#o = options;
  }

  /** Only calls of keys of PSPs and clients are kept: what people do in the console is in the journal. */
  note(n: Noted): void {
    const { psp, kind, actor, staff } = n.principal;
    if (kind === 'operator' || staff !== undefined || !actor.startsWith('key_')) return;
    const now = this.#o.clock();
    const number = Math.floor(now / minuteMs);
    let minute = this.#minutes.get(psp);
    if (minute?.budget.minute !== number) {
      if (minute) this.#close(psp, minute);
      minute = { budget: new MinuteBudget(this.#o.perMinute, number), rest: new Map() };
      this.#minutes.set(psp, minute);
    }
    const of = whose(n);
    if (!minute.budget.take(of.key ?? '', n.status >= 400)) this.#count(minute, of);
    else
      this.#add({
        ...of,
        id: n.id,
        at: new Date(now).toISOString(),
        requests: 1,
        single: true,
        field: n.field ?? null,
        ref: n.ref ?? null,
        ms: Math.round(n.ms),
      });
  }

  /** Writes what waits. @param all the counted rest of a minute that is not over, too */
  flush(all = false): Promise<void> {
    const number = Math.floor(this.#o.clock() / minuteMs);
    for (const [psp, minute] of this.#minutes)
      if (all || minute.budget.minute !== number) {
        this.#close(psp, minute);
        this.#minutes.delete(psp);
      }
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const rows = this.#waiting.slice(0, mostWritten);
      this.#waiting = this.#waiting.slice(rows.length);
      try {
        const beyond = await this.#o.db.transaction((tx) => this.#writeWithin(tx, rows));
        for (const [minute, psp] of beyond) this.#close(psp, minute);
      } catch (e) {
        this.#o.log.warn({ rows: rows.length, ...errorFields(e) }, 'requests not logged yet');
        const newer = this.#waiting;
        this.#waiting = [];
        for (const row of [...rows, ...newer]) this.#add(row);
        return;
      }
    }
  }

  /**
   * Writes rows one by one as far as the bound has room for them beside those of all processes, which write one after
   * another. This process takes no more of what is full.
   * @returns the others, to be counted
   */
  async #writeWithin(tx: Database, rows: readonly RequestRow[]): Promise<ReadonlyMap<Minute, PspId>> {
    await lockRequests(tx);
    const found = new Map<string, Minute>();
    const minuteOf = (psp: PspId, number: number): Minute => {
      const key = `${psp} ${number}`;
      const known = found.get(key) ?? { budget: new MinuteBudget(this.#o.perMinute, number), rest: new Map() };
      found.set(key, known);
      return known;
    };
    const psps = [...new Set(rows.filter((r) => r.single).map((r) => r.psp))];
    const minutes = rows.map(startedIn);
    const within = { first: Math.min(...minutes), last: Math.max(...minutes) };
    for (const t of psps.length === 0 ? [] : await singleRequests(tx, psps, within))
      minuteOf(t.psp, t.minute).budget.taken(t.key ?? '', t.refused, t.requests);
    const beyond = new Map<Minute, PspId>();
    const kept = rows.filter((row) => {
      if (!row.single) return true;
      const minute = minuteOf(row.psp, startedIn(row));
      if (minute.budget.take(row.key ?? '', row.status >= 400)) return true;
      this.#count(minute, row);
      beyond.set(minute, row.psp);
      const own = this.#minutes.get(row.psp)?.budget;
      if (own?.minute === minute.budget.minute) own.asFullAs(minute.budget, row.key ?? '', row.status >= 400);
      return false;
    });
    await addRequests(tx, kept);
    return beyond;
  }

  #add(row: RequestRow): void {
    if (this.#waiting.length < this.#o.mostWaiting) this.#waiting.push(row);
    else this.#o.dropped(row.requests);
  }

  #count({ rest }: Minute, of: Kind): void {
    const { psp, method, route, status, code, key, client } = of;
    const kind = `${method} ${route} ${status} ${code}`;
    const ofKey = `${key} ${client} ${kind}`;
    const known = rest.get(ofKey) ?? rest.get(kind);
    if (known) known.requests++;
    else if (rest.size < mostKinds) rest.set(ofKey, { ...kindOf(of), requests: 1 });
    else if (rest.size < mostKindsInAll)
      rest.set(kind, { ...kindOf(of), account: psp, client: null, key: null, requests: 1 });
    else this.#o.dropped(1);
  }

  /** The rest of a minute becomes rows that count. */
  #close(psp: PspId, { budget, rest }: Minute): void {
    const at = new Date(budget.minute * minuteMs + minuteMs - 1).toISOString();
    for (const r of rest.values())
      this.#add({ ...r, psp, id: this.#o.ids.next(), at, single: false, field: null, ref: null, ms: null });
  }
}

const whose = ({ principal, onBehalfOf, method, route, status, code }: Noted) => ({
  psp: principal.psp,
  account: principal.account,
  client: (principal.kind === 'client' ? principal.account : onBehalfOf) ?? null,
  key: fromWire('key', principal.actor) ?? null,
  method,
  route: route ?? null,
  status,
  code: code ?? null,
});

const kindOf = ({ psp, account, client, key, method, route, status, code }: Kind): Kind => ({
  ...{ psp, account, client, key, method, route, status, code },
});

/** The minute in which a request began, by its id. */
const startedIn = ({ id }: RequestRow): number => Math.floor(timeOfId(id) / minuteMs);
