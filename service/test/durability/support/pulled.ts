// A service and a second one on the same database whose connections go through the proxy of plug.ts, which cuts them
// before and after each writing statement of some work.
import { expect } from 'vitest';
import { type App, makeApp } from '../../../src/app.ts';
import { audit } from '../../../src/modules/audit/index.ts';
import type { Principal } from '../../../src/modules/kernel/principal.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { readSettings } from '../../../src/settings.ts';
import { type Account, makeTestApp, type TestApp } from '../../support/app.ts';
import { allSealed } from '../../support/audit.ts';
import { deep } from '../../support/depth.ts';
import { makeFolder } from '../../support/folder.ts';
import { expectJournalComplete } from '../../support/journal.ts';
import { until } from './conditions.ts';
import { type Moment, Plug } from './plug.ts';

const env = { ASSAY_MASTER_KEY: '5a'.repeat(32) };

export interface Attempt {
  /** Does the work; throws if it was interrupted. */
  run(): Promise<unknown>;
  /** Expects that all rows and entries of the work exist, or none. */
  whole?(): Promise<void>;
  /** Expects that the work is done, once or several times. */
  done?(): Promise<void>;
}

export class PulledWorld {
  readonly t: TestApp;
  readonly plug: Plug;
  /** A service connected through the proxy. It does not listen, so that only the work writes. */
  readonly app: App;
  readonly psp: Account;
  readonly client: Account;

  private constructor(parts: { t: TestApp; plug: Plug; app: App; psp: Account; client: Account }) {
    this.t = parts.t;
    this.plug = parts.plug;
    this.app = parts.app;
    this.psp = parts.psp;
    this.client = parts.client;
  }

  static async start(): Promise<PulledWorld> {
    const t = await makeTestApp({ env });
    const psp = await t.makePsp();
    const client = await t.makeClient(psp);
    const plug = await Plug.start(t.database.url);
    const DATA_DIR = makeFolder('assay-plug-');
    const settings = readSettings({ ...env, DATABASE_URL: plug.url, DATA_DIR, LOG_LEVEL: 'silent' });
    const app = await makeApp({ settings, clock: t.now, log: makeLog('silent') });
    return new PulledWorld({ t, plug, app, psp, client });
  }

  async stop(): Promise<void> {
    await this.app.stop();
    await this.plug.stop();
    await this.t.stop();
  }

  /** The PSP, acting with its own key. */
  get principal(): Principal {
    return { kind: 'psp', psp: this.psp.uuid, account: this.psp.uuid, actor: 'key' };
  }

  /** Bodies of the PSP's entries of one kind, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever stands there
  async entries(kind: string): Promise<any[]> {
    const rows = await this.t.database.admin.query<{ body: string }>(
      'SELECT body FROM journal WHERE psp_id = $1 AND kind = $2 ORDER BY seq',
      [this.psp.uuid, kind],
    );
    return rows.map((r) => JSON.parse(r.body));
  }

  /** Waits until no statement sent before the cut is running; the journal then agrees with the records. */
  async settled(): Promise<void> {
    const { t } = this;
    await until('every statement is done', async () => {
      const [r] = await t.database.admin.query(
        `SELECT count(*) AS n FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'`,
      );
      return r?.n === 0;
    });
    await expectJournalComplete(t);
  }

  /**
   * Cuts the connections before the first and after each writing statement. Interrupted work is repeated without a cut.
   * Before any other the database has what it has after the one before it: `npm run check:deep` cuts there, too.
   * @param prepared prepares one attempt, without a cut
   * @returns how often the work was interrupted
   */
  async pullEverywhere(prepared: () => Promise<Attempt>, sound: () => Promise<void>): Promise<number> {
    let brokenOff = 0;
    for (const moment of ['before', 'after'] as const satisfies readonly Moment[])
      for (let at = 1; ; at++) {
        const attempt = await prepared();
        this.plug.pullAt(at, moment);
        const outcome = await attempt.run().then(
          () => 'done',
          () => 'broken off',
        );
        const pulled = this.plug.leave();
        await this.settled();
        await sound();
        await attempt.whole?.();
        if (outcome === 'broken off') {
          expect(pulled, 'it failed with the plug in').toBe(true);
          brokenOff++;
          if (attempt.done) {
            await attempt.run();
            await this.settled();
            await sound();
            await attempt.whole?.();
          }
        }
        await attempt.done?.();
        if (!pulled || (moment === 'before' && !deep)) break;
      }
    return brokenOff;
  }

  /** Expects that an audit of all entries, rows and checkpoints finds nothing. */
  async expectAudited(): Promise<void> {
    await allSealed(this.t);
    for await (const one of audit({ db: this.t.database.admin, folders: [] })) expect(one.findings).toEqual([]);
  }
}
