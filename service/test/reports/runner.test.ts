// Reports are made once, by any running process: taken over when a process is killed, returned when one stops, stored
// with their reason when they fail, and never larger than memory allows.

import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { mostRows } from '../../src/core/reports/check.ts';
import type { ReportContent } from '../../src/core/reports/document.ts';
import { findAccount } from '../../src/modules/accounts/index.ts';
import { type ReportKind, type ReportRun, reportKind } from '../../src/modules/kernel/report.ts';
import {
  findAnyReport,
  findReportFile,
  type Report,
  ReportRunner,
  requestReport,
} from '../../src/modules/reports/index.ts';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { until } from '../durability/support/conditions.ts';
import { Stage } from '../durability/support/service-process.ts';
import { type Account, makeDatabase, makeTestApp, type TestApp } from '../support/app.ts';
import { connectMs } from '../support/database.ts';
import { contentOf } from '../support/guarantees.ts';
import { told } from '../support/journal.ts';
import { ended } from '../support/reports.ts';

let t: TestApp;
let psp: Account;
const pools: Pool[] = [];

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
afterAll(async () => {
  for (const p of pools) await p.end();
  await t?.stop();
});

const content = (rows: ReportContent['sections'][number]['rows'] = [{ cells: ['1'] }]): ReportContent => ({
  title: 'Of a test',
  facts: [],
  provisional: false,
  sections: [{ name: 'lines', title: 'Lines', columns: [{ name: 'line', title: 'Line', type: 'count' }], rows }],
});

let kinds = 0;
/** A kind that only the runners of this file know. */
const kindOf = (run: (r: ReportRun) => Promise<ReportContent>): ReportKind<unknown> =>
  reportKind({
    name: `ofTest${++kinds}`,
    title: 'Of a test',
    summary: 'Of a test.',
    audience: ['psp'],
    parameters: Type.Object({ n: Type.Optional(Type.Integer()) }),
    read: () => undefined,
    run,
  });

/** A process's runner, with connections of its own. @param observed what it counts is added here */
function runnerOf(kind: ReportKind<unknown>, observed: unknown[] = []): ReportRunner {
  const pool = new Pool(t.database.url, { max: 2, log: makeLog('silent'), role: 'assay_app', connectMs });
  pools.push(pool);
  return new ReportRunner({ services: t.app.services, pool, kinds: [kind], observe: (made) => observed.push(made) });
}

async function ask(kind: ReportKind<unknown>, n?: number, of = psp): Promise<Report> {
  const { services: s } = t.app;
  const concerned = await findAccount(s.db, of.uuid, of.uuid);
  if (!concerned) throw new Error('the PSP is not there');
  const principal = { kind: 'psp', psp: of.uuid, account: of.uuid, actor: 'test' } as const;
  return (await requestReport(s, principal, kind, concerned, n === undefined ? {} : { n }, t.now())).report;
}
const find = async (r: Report) => (await findAnyReport(t.app.services.db, r.id)) as Report;
const entries = async (r: Report) => (await told(t, toWire('report', r.id))).map((e) => e.kind);

/** A gate that a run waits at. */
function gate() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

describe('a report', () => {
  it('of two processes at once is made by one, once', async () => {
    const begun = new Map<number, number>();
    const kind = kindOf(async ({ parameters, db }) => {
      const { n } = parameters as { n: number };
      begun.set(n, (begun.get(n) ?? 0) + 1);
      await db.query('SELECT pg_sleep(0.02)');
      return content();
    });
    const reports: Report[] = [];
    for (let n = 0; n < 12; n++) reports.push(await ask(kind, n));
    const [one, two] = [runnerOf(kind), runnerOf(kind)];
    await until('all are done', async () => {
      await Promise.all([one.work(), two.work()]);
      return (await Promise.all(reports.map(find))).every((r) => r.state === 'DONE');
    });
    expect([...begun.values()]).toEqual(Array(12).fill(1));
    for (const r of reports) expect(await entries(r)).toEqual(['report.requested', 'report.completed']);
  });

  it('of a PSP with one waits behind the first of a PSP with many, not behind all of them', async () => {
    const other = await t.makePsp();
    const order: string[] = [];
    const kind = kindOf(async ({ psp: of }) => {
      order.push(of);
      return content();
    });
    for (let n = 0; n < 6; n++) await ask(kind, n);
    await ask(kind, 0, other);
    await runnerOf(kind).work();
    expect(order).toHaveLength(7);
    expect(order.indexOf(other.uuid)).toBe(1);
  });

  it('sees one moment, however long it takes', async () => {
    const [looked, go] = [gate(), gate()];
    const kind = kindOf(async ({ db }) => {
      const count = async () => (await db.query('SELECT count(*) AS n FROM accounts'))[0]?.n as number;
      const before = await count();
      looked.open();
      await go.passed;
      return content([{ cells: [String((await count()) - before)] }]);
    });
    const report = await ask(kind);
    const work = runnerOf(kind).work();
    await looked.passed;
    await t.makePsp();
    go.open();
    await work;
    const csv = await findReportFile(t.app.services.db, await find(report), 'csv:lines');
    expect(csv?.content).toBe('line\r\n0\r\n');
  });

  it('cannot write, nor hide that a statement failed', async () => {
    let told: unknown;
    const kind = kindOf(async ({ db }) => {
      await db.query('DELETE FROM webhooks RETURNING id -- LIMIT 1').catch((e) => {
        told = e;
      });
      return content();
    });
    const report = await ask(kind);
    await runnerOf(kind).work();
    expect(String(told)).toContain('read-only transaction');
    expect((await find(report)).state).toBe('FAILED');
  });

  it('is given back by a process that stops, and made by the next', async () => {
    const waiting = gate();
    let stop = true;
    const kind = kindOf(async ({ db }) => {
      waiting.open();
      // As long as it takes: only the end of the connection ends it.
      if (stop) await db.query('SELECT pg_sleep(600)');
      return content();
    });
    const report = await ask(kind);
    const first = runnerOf(kind);
    const working = first.work();
    await waiting.passed;
    expect((await find(report)).state).toBe('RUNNING');
    await first.stop();
    await working;
    expect(await find(report)).toMatchObject({ state: 'QUEUED', begun: 0 });
    stop = false;
    const next = runnerOf(kind);
    await until('the next one makes it', async () => {
      // The server's side of the lost connection goes on sleeping until it is ended; it may begin to only now.
      await t.database.admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(600)%' AND pid <> pg_backend_pid()",
      );
      await next.work();
      return (await find(report)).state === 'DONE';
    });
    expect(await entries(report)).toEqual(['report.requested', 'report.completed']);
  });

  it('is taken over when its connection is lost', async () => {
    let lost = false;
    const kind = kindOf(async ({ db }) => {
      if (!lost) {
        lost = true;
        const [own] = await db.query('SELECT pg_backend_pid() AS pid');
        await t.database.admin.query('SELECT pg_terminate_backend($1::integer)', [own?.pid]);
        await db.query('SELECT 1 AS one');
      }
      return content();
    });
    const report = await ask(kind);
    const runner = runnerOf(kind);
    await until('it is done', async () => {
      await runner.work();
      return (await find(report)).state === 'DONE';
    });
    expect((await find(report)).begun).toBe(2);
  });

  it('that ended three processes is not begun a fourth time, says so, and counts and is logged as failed', async () => {
    const kind = kindOf(async () => content());
    const report = await ask(kind);
    await t.database.admin.query("UPDATE reports SET begun = 3, state = 'RUNNING' WHERE id = $1", [report.id]);
    const observed: unknown[] = [];
    await runnerOf(kind, observed).work();
    expect(await find(report)).toMatchObject({ state: 'FAILED', reason: expect.stringContaining('begun 3 times') });
    expect(await entries(report)).toEqual(['report.requested', 'report.failed']);
    expect(observed).toEqual([{ kind: kind.name, state: 'FAILED', ms: 0 }]);
    const logged = t.logged.map((l) => JSON.parse(l)).filter((l) => l.report === report.id && l.level >= 50);
    expect(logged).toHaveLength(1);
  });

  it('tells its progress while it runs', async () => {
    const [half, go] = [gate(), gate()];
    const kind = kindOf(async (run) => {
      run.progress(1, 2);
      half.open();
      await go.passed;
      run.progress(2, 2);
      return content();
    });
    const report = await ask(kind);
    const work = runnerOf(kind).work();
    await half.passed;
    t.advance(10_000);
    const shown = await until('half is shown', async () => {
      const id = toWire('report', report.id);
      const [r] = await t.database.admin.query('SELECT percent FROM reports WHERE id = $1', [report.id]);
      return r?.percent === 50 && id;
    });
    expect(shown).toBe(toWire('report', report.id));
    go.open();
    await work;
    expect(await find(report)).toMatchObject({ state: 'DONE', percent: 100 });
  });

  it('that fails keeps a sentence without a word of what broke', async () => {
    const kind = kindOf(async () => {
      throw new Error('relation "secret" does not exist');
    });
    const report = await ask(kind);
    await runnerOf(kind).work();
    const failed = await find(report);
    expect(failed).toMatchObject({ state: 'FAILED', manifest: null, reason: expect.not.stringContaining('secret') });
    expect(t.logged.some((l) => l.includes('relation \\"secret\\"'))).toBe(true);
  });

  it.each(['53100', 'ENOSPC'])('for which a disk has no room (%s) says so', async (code) => {
    const kind = kindOf(async () => {
      throw new Error('while reading', { cause: Object.assign(new Error('No space left on device'), { code }) });
    });
    const report = await ask(kind);
    await runnerOf(kind).work();
    expect(await find(report)).toMatchObject({
      state: 'FAILED',
      reason: expect.stringMatching(/disk .* is full\. Run it again/),
    });
  });

  it('whose kind makes it wrongly fails instead of telling a wrong figure', async () => {
    const kind = kindOf(async () => content([{ cells: ['1.5e3'] }]));
    const report = await ask(kind);
    await runnerOf(kind).work();
    expect((await find(report)).state).toBe('FAILED');
  });

  it('of more rows than memory has room for fails with a sentence that says what to do', async () => {
    const kind = kindOf(async ({ db }) => {
      const rows = await db.query(`SELECT n::text AS line FROM generate_series(1, ${mostRows + 1}) AS n`);
      return content(rows.map((r) => ({ cells: [r.line as string] })));
    });
    const report = await ask(kind);
    await runnerOf(kind).work();
    expect((await find(report)).reason).toBe(
      `the report would be too large: more than ${mostRows} rows of one kind. Ask for a shorter period or a single client`,
    );
  });

  it('of a hundred thousand rows is made whole, in order', async () => {
    const n = 100_000;
    const kind = kindOf(async ({ db }) => {
      const rows = await db.query(`SELECT n::text AS line FROM generate_series(1, ${n}) AS n ORDER BY n DESC`);
      return content(rows.map((r) => ({ cells: [r.line as string] })));
    });
    const report = await ask(kind);
    await runnerOf(kind).work();
    const done = await find(report);
    expect([done.state, done.manifest?.sections[0]?.rows]).toEqual(['DONE', n]);
    const csv = await findReportFile(t.app.services.db, done, 'csv:lines');
    const lines = csv?.content.trimEnd().split('\r\n') ?? [];
    expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([n + 1, 'line', String(n), '1']);
    const json = await findReportFile(t.app.services.db, done, 'json');
    expect(JSON.parse(json?.content as string).sections[0].rows).toHaveLength(n);
  });
});

describe('a service that is killed', () => {
  const stage = new Stage();
  afterAll(() => stage.end());

  it('in the middle of a report has it made by the next start, once', async () => {
    const database = await makeDatabase();
    stage.defer(() => database.drop());
    const env = { DATABASE_URL: database.url, ASSAY_MASTER_KEY: '5a'.repeat(32) };
    const before = await makeTestApp({ database, env: { ASSAY_MASTER_KEY: '5a'.repeat(32) } });
    const account = await before.makePsp();
    await before.stop();
    const first = await stage.service({ ...env, DATA_DIR: stage.folder(), CDR_PICKUP_CRON: 'off' });
    const wire = (address: string, path: string, body?: unknown) =>
      fetch(`${address}${path}`, {
        headers: { 'x-api-key': account.apiKey, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }).then(async (r) => ({
        status: r.status,
        headers: r.headers,
        bytes: new Uint8Array(),
        text: '',
        body: await r.json(),
      }));
    // The table cannot be read for the moment: the report stands in its middle.
    const holder = new Pool(database.url, { max: 1, log: makeLog('silent'), connectMs });
    stage.defer(() => holder.end());
    let reportId = '';
    await holder.transaction(async (tx) => {
      await tx.query('LOCK TABLE chargebacks IN ACCESS EXCLUSIVE MODE');
      const asked = await wire(first.address, '/v1/report', { kind: 'chargebacks', period: '2026-10' });
      reportId = contentOf(asked).reportId;
      await until('it runs', async () => {
        const [r] = await database.admin.query(
          "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'chargebacks'::regclass",
        );
        return r !== undefined;
      });
      first.signal('SIGKILL');
      await first.exited;
    });
    const second = await stage.service({ ...env, DATA_DIR: stage.folder(), CDR_PICKUP_CRON: 'off' });
    const get = (path: string) => wire(second.address, path);
    expect(await ended({ get } as never, reportId, account.apiKey)).toMatchObject({ state: 'DONE', revision: 1 });
    const ends = await database.admin.query("SELECT kind FROM journal WHERE kind LIKE 'report.%' ORDER BY seq");
    expect(ends.map((e) => e.kind)).toEqual(['report.requested', 'report.completed']);
  });
});
