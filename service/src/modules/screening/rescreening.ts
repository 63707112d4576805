// Screens all clients of a PSP, their owners and recent customers again after a list that concerns it has changed, page by
// page, and opens matches whose exception is over. Any number of processes may do it: one at a time works on a PSP.
import { scheduler } from 'node:timers/promises';
import { isoTime } from '../../core/calendar.ts';
import type { AccountId, PspId } from '../../core/ids.ts';
import type { Database, Pool } from '../../platform/database.ts';
import { untilNotGivingWay } from '../../platform/database-away.ts';
import { every, type Repeating } from '../../platform/every.ts';
import { errorFields } from '../../platform/log.ts';
import { listAccounts } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { ownersOfClients } from '../verification/index.ts';
import { loadsAfter } from './list-store.ts';
import { type ListedNames, namesChangedAfter } from './listed-names.ts';
import type { HasLists } from './lists.ts';
import {
  type ClientOf,
  type ClientVersion,
  clientVersions,
  holdScreening,
  lastScreening,
  noteScreened,
  overExceptions,
  pspsToScreen,
  pspsWithOver,
} from './match-store.ts';
import { endUnlisted, recordMatches, reopen, type Screened, type ScreenedWhole } from './record-matches.ts';
import { screenedClient, screenedOwners } from './screened.ts';
import { screenCustomers } from './screened-customers.ts';

/** Clients of a commit. */
const page = 1000;
/** Clients are compared with all of all lists so often, so that nothing missed stays so; between, with what changed. */
const wholeEveryMs = 7 * 86_400_000;
/** Names compared without leaving the thread to others. */
const step = 25;

interface Done {
  readonly screened: number;
  readonly opened: number;
}

type RescreenNeeds = Needs<'clock' | 'ids' | 'log' | 'committer' | 'vault' | 'subjects' | 'settings'> & HasLists;

export class Rescreening {
  readonly #s: RescreenNeeds;
  readonly #pool: Pick<Pool, 'query' | 'transaction'>;
  #repeating: Repeating | undefined;
  #stopped = false;
  #names = 0;
  /** The loads that all PSPs were screened for, and those that matter for later ones. */
  #through = 0;
  readonly #loads = new Map<string, number>();

  constructor(s: RescreenNeeds, pool: Pick<Pool, 'query' | 'transaction'>) {
    this.#s = s;
    this.#pool = pool;
  }

  start(): void {
    this.#repeating = every(
      1000,
      () => this.work(),
      (e) => this.#s.log.error(errorFields(e), 'clients not screened against changed lists; it is tried again'),
    );
  }

  /** A list has changed: it is looked at now, and not at the end of the second. Does nothing before the start. */
  wake(): void {
    this.#repeating?.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#repeating?.stop();
  }

  /** Screens what is due. */
  async work(): Promise<void> {
    await this.#reopen();
    for (const { owner, seq, complete } of await loadsAfter(this.#pool, this.#through)) {
      this.#through = seq;
      // Parts of a file are screened together, after the last.
      if (complete) this.#loads.set(owner, seq);
    }
    if (this.#loads.size === 0) return;
    const loads = [...this.#loads].map(([owner, seq]) => ({ owner, seq }));
    const due = await pspsToScreen(this.#pool, loads);
    if (due.length > 0) {
      await this.#s.lists.refresh();
      await this.#s.lists.readNames();
      for (const psp of due) if (!this.#stopped) await this.#screen(psp);
    }
  }

  async #screen(psp: PspId): Promise<void> {
    const { lists, vault, log } = this.#s;
    const { seq } = lists;
    const last = await lastScreening(this.#pool, psp);
    const begun = this.#s.clock();
    const isWhole = last === undefined || last.wholeAt === null || begun - Date.parse(last.wholeAt) > wholeEveryMs;
    const changed = isWhole ? undefined : await namesChangedAfter(this.#pool, vault, last.seq, seq);
    const clients = await this.#clients(psp, changed);
    // Customers were compared with the rest when they paid, or at a change before.
    const recent =
      changed ?? (last && last.seq > 0 ? await namesChangedAfter(this.#pool, vault, last.seq, seq) : undefined);
    const customers = clients && (await this.#customers(psp, recent));
    if (!clients || !customers || !(await this.#endUnlisted(psp))) return;
    const at = isoTime(this.#s.clock());
    await this.#pool.transaction(async (tx) => {
      if (await holdScreening(tx, psp)) await noteScreened(tx, psp, seq, at, changed === undefined);
    });
    const opened = clients.opened + customers.opened;
    log.info(
      { psp, clients: clients.screened, customers: customers.screened, opened, seq, whole: changed === undefined },
      'clients and customers were screened against changed lists',
    );
  }

  /**
   * @param changed what changed in the lists; undefined to compare all of them
   * @returns undefined if another process screens the PSP, or the service stops
   */
  async #clients(psp: PspId, changed: ListedNames | undefined): Promise<Done | undefined> {
    const names = changed ?? this.#s.lists;
    const done = { screened: 0, opened: 0 };
    for (let before: string | undefined; ; ) {
      const accounts = await listAccounts(this.#pool, { psp, kind: 'client', before, limit: page });
      const screened: Screened[] = [];
      for (const { id: account, name, country } of accounts) {
        screened.push(screenedClient(names, { psp, account, name, country }));
        await this.#pause();
      }
      const keys = accounts.map((a) => ({ psp, account: a.id }));
      const ids = accounts.map((a) => a.id);
      const shown = await clientVersions(this.#pool, psp, ids);
      const read = new Map(accounts.map((a) => [a.id, { account: a.version, shown: shown.get(a.id)?.shown ?? 0 }]));
      const owned = await ownersOfClients(this.#s, this.#pool, keys);
      for (const of of owned) {
        screened.push(...screenedOwners(this.#s, names, of));
        await this.#pause();
      }
      const opened = await this.#record(psp, screened, {
        wholes: owned,
        compared: (m) => changed === undefined || changed.knows(m.psp, m),
        stillAsRead: (tx) => stillAsRead(tx, psp, read),
      });
      if (opened === undefined) return undefined;
      done.screened += accounts.length;
      done.opened += opened;
      before = accounts.at(-1)?.id;
      if (accounts.length < page) return done;
    }
  }

  /** Those who paid of late. @param changed what changed in the lists; undefined to compare all of them */
  async #customers(psp: PspId, changed: ListedNames | undefined): Promise<Done | undefined> {
    const { lists, settings, clock } = this.#s;
    const done = { screened: 0, opened: 0 };
    if (settings.screeningCustomerDays === 0 || changed?.size === 0) return done;
    const since = isoTime(clock() - settings.screeningCustomerDays * 86_400_000);
    for (let after: string | undefined = ''; after !== undefined; ) {
      const of = { psp, since, after };
      const customers = await screenCustomers(this.#s, this.#pool, changed ?? lists, of, () => this.#pause());
      const opened = await this.#record(psp, customers.matched);
      if (opened === undefined) return undefined;
      done.screened += customers.screened;
      done.opened += opened;
      after = customers.next;
    }
    return done;
  }

  /** @returns whether all were looked at */
  async #endUnlisted(psp: PspId): Promise<boolean> {
    for (let after: string | undefined; !this.#stopped; ) {
      const next = await untilNotGivingWay(() =>
        this.#pool.transaction(async (tx) =>
          (await holdScreening(tx, psp)) ? endUnlisted(tx, this.#s, psp, after, isoTime(this.#s.clock())) : null,
        ),
      );
      if (next === null) return false;
      if (next === undefined) return true;
      after = next;
    }
    return false;
  }

  /** @param whole of clients, which are screened whole */
  async #record(psp: PspId, screened: readonly Screened[], whole: ScreenedWhole = {}): Promise<number | undefined> {
    if (this.#stopped) return undefined;
    // Payments are screened meanwhile, and may open the same match.
    return untilNotGivingWay(() =>
      this.#pool.transaction(async (tx) => {
        if (!(await holdScreening(tx, psp))) return undefined;
        return recordMatches(tx, this.#s, screened, isoTime(this.#s.clock()), whole);
      }),
    );
  }

  /** Leaves the thread to others after some names. */
  async #pause(): Promise<void> {
    if (++this.#names % step === 0) await scheduler.yield();
  }

  async #reopen(): Promise<void> {
    const at = isoTime(this.#s.clock());
    for (const psp of await pspsWithOver(this.#pool, at))
      await this.#pool.transaction(async (tx) => reopen(tx, this.#s, await overExceptions(tx, psp, at), at));
  }
}

/** Which clients are as they were read: one that has changed since is screened by its change. */
async function stillAsRead(tx: Database, psp: PspId, read: ReadonlyMap<AccountId, ClientVersion>) {
  const now = await clientVersions(tx, psp, [...read.keys()]);
  return ({ account }: ClientOf): boolean => {
    const [then, is] = [read.get(account), now.get(account)];
    return then?.account === is?.account && then?.shown === is?.shown;
  };
}
