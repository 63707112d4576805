// Screens all clients of a PSP again after a list that concerns it has changed, page by page, and opens matches whose
// exception is over. Any number of processes may do it: one at a time works on a PSP.
import { scheduler } from 'node:timers/promises';
import { isoTime } from '../../core/calendar.ts';
import type { PspId } from '../../core/ids.ts';
import type { Pool } from '../../platform/database.ts';
import { every, type Repeating } from '../../platform/every.ts';
import { errorFields } from '../../platform/log.ts';
import { listAccounts } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { loadsAfter } from './list-store.ts';
import type { HasLists } from './lists.ts';
import { holdScreening, noteScreened, overExceptions, pspsToScreen, pspsWithOver } from './match-store.ts';
import { recordMatches, reopen, type Screened } from './record-matches.ts';
import { screenedClient } from './screened.ts';

/** Clients of a commit. */
const page = 1000;
/** Clients screened without leaving the thread to others. */
const step = 25;

type RescreenNeeds = Needs<'clock' | 'ids' | 'log' | 'committer' | 'vault'> & HasLists;

export class Rescreening {
  readonly #s: RescreenNeeds;
  readonly #pool: Pick<Pool, 'query' | 'transaction'>;
  #repeating: Repeating | undefined;
  #stopped = false;
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
    const { lists, clock, log } = this.#s;
    const { seq } = lists;
    let [before, clients, opened]: [string | undefined, number, number] = [undefined, 0, 0];
    for (;;) {
      if (this.#stopped) return;
      const accounts = await listAccounts(this.#pool, { psp, kind: 'client', before, limit: page });
      const screened: Screened[] = [];
      for (const [i, a] of accounts.entries()) {
        screened.push(screenedClient(lists, { psp, account: a.id, name: a.name, country: a.country }));
        if (i % step === step - 1) await scheduler.yield();
      }
      const at = isoTime(clock());
      const last = accounts.length < page;
      const held = await this.#pool.transaction(async (tx) => {
        if (!(await holdScreening(tx, psp))) return false;
        if (last) await noteScreened(tx, psp, seq, at);
        opened += await recordMatches(tx, this.#s, screened, at);
        return true;
      });
      if (!held) return;
      clients += accounts.length;
      if (last) break;
      before = accounts.at(-1)?.id;
    }
    log.info({ psp, clients, opened, seq }, 'clients were screened against changed lists');
  }

  async #reopen(): Promise<void> {
    const at = isoTime(this.#s.clock());
    for (const psp of await pspsWithOver(this.#pool, at))
      await this.#pool.transaction(async (tx) => reopen(tx, this.#s, await overExceptions(tx, psp, at), at));
  }
}
