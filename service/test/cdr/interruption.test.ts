// A process that ends at any point of a call detail file: the next process continues, and no line is lost or recorded
// twice. Of two processes at the same time, one processes the file.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CdrIntake } from '../../src/modules/telecom/index.ts';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { until } from '../durability/support/conditions.ts';
import { Stage } from '../durability/support/service-process.ts';
import { type Account, makeDatabase, makeTestApp, type TestApp, type TestDatabase } from '../support/app.ts';
import { cdrRow, cdrText, dataDirOf, drop, status, tree } from '../support/cdr-files.ts';
import { connectMs } from '../support/database.ts';
import { deep, upTo } from '../support/depth.ts';

/** Three portions, or six. */
const rows = upTo(2_700, 5_400);
/** Long ago by every clock there is: each of them is recorded with a warning. */
const longAgo = {
  timestamp: '2020-01-02T09:02:05Z',
  call_start_time: '2020-01-02T09:00:00Z',
  call_end_time: '2020-01-02T09:02:00Z',
};
/** Every hundredth line is kept out, every ninetieth says again what an earlier one said. */
const text = cdrText(
  ...Array.from({ length: rows }, (_, i) =>
    cdrRow(i % 90 === 89 ? i - 1 : i, { ...longAgo, ...(i % 100 === 99 ? { caller_number: '' } : {}) }),
  ),
);
const rejected = rows / 100;
// Of every ten of these one is kept out for another reason.
const duplicate = rows / 90 - rows / 900;
const accepted = rows - rejected - duplicate;
const counts = { total: rows, accepted, rejected, duplicate, warned: accepted };

async function accounted(database: TestDatabase, account: string) {
  const [r] = await database.admin.query(
    `SELECT (SELECT count(*) FROM cdrs WHERE account_id = $1) AS cdrs,
       (SELECT count(DISTINCT cdr_id) FROM cdrs WHERE account_id = $1) AS ids,
       (SELECT count(*) FROM refs WHERE account_id = $1 AND space = 'cdr') AS refs,
       (SELECT count(*) FROM cdr_suspense WHERE account_id = $1) AS suspended,
       (SELECT sum((body::json->'data'->>'accepted')::integer) FROM journal
        WHERE account_id = $1 AND kind = 'cdr.file_portion') AS journalled,
       (SELECT count(*) FROM journal WHERE account_id = $1 AND kind = 'cdr.file_completed') AS completed`,
    [account],
  );
  return r;
}
const whole = {
  cdrs: counts.accepted,
  ids: counts.accepted,
  refs: counts.accepted,
  suspended: rejected,
  journalled: counts.accepted,
  completed: 1,
};

describe('an intake that loses its connection', () => {
  let t: TestApp;
  let psp: Account;
  beforeAll(async () => {
    t = await makeTestApp();
    psp = await t.makePsp();
  });
  afterAll(() => t.stop());

  it.each(deep ? [1, 2, 4] : [2])('after portion %i goes on from there', async (portions) => {
    const client = await t.makeClient(psp);
    drop(dataDirOf(t), client, 'long.csv', text);
    // The connection that holds the file ends by itself while the next portion is written.
    const { admin } = t.database;
    await admin.query(`CREATE OR REPLACE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      IF (SELECT count(*) FROM journal WHERE account_id = '${client.uuid}' AND kind = 'cdr.file_portion') >= ${portions}
      THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
      RETURN NULL; END $$`);
    await admin.query(
      'CREATE OR REPLACE TRIGGER end_connection BEFORE INSERT ON cdrs FOR EACH STATEMENT EXECUTE FUNCTION end_connection()',
    );
    const pool = new Pool(t.database.url, { max: 2, log: makeLog('silent'), role: 'assay_app', connectMs });
    await new CdrIntake({ services: t.app.services, pool, dataDir: dataDirOf(t) }).pickUp();
    await admin.query('DROP TRIGGER end_connection ON cdrs');
    const cut = await accounted(t.database, client.uuid);
    expect([cut?.completed, Number(cut?.cdrs) > 0, Number(cut?.cdrs) < counts.accepted]).toEqual([0, true, true]);
    await pool.end();
    await t.app.services.cdrIntake.pickUp();
    expect(status(dataDirOf(t), client, 'long.csv').counts).toEqual(counts);
    expect(await accounted(t.database, client.uuid)).toEqual(whole);
    expect(tree(dataDirOf(t), 'processing')).toEqual([]);
  });

  it('that is told to stop ends after the portion in hand, and the next goes on', async () => {
    const client = await t.makeClient(psp);
    drop(dataDirOf(t), client, 'long.csv', text);
    const pool = new Pool(t.database.url, { max: 2, log: makeLog('silent'), role: 'assay_app', connectMs });
    const intake: CdrIntake = new CdrIntake({
      services: t.app.services,
      pool,
      dataDir: dataDirOf(t),
      observe: () => void intake.stop(),
    });
    await intake.pickUp();
    await pool.end();
    expect(tree(dataDirOf(t), 'processing')).toHaveLength(1);
    await t.app.services.cdrIntake.pickUp();
    expect(status(dataDirOf(t), client, 'long.csv').counts).toEqual(counts);
    expect(await accounted(t.database, client.uuid)).toEqual(whole);
  });

  it('of two at once takes each file once', async () => {
    const clients = [await t.makeClient(psp), await t.makeClient(psp)];
    for (const c of clients)
      for (let i = 0; i < 10; i++)
        drop(dataDirOf(t), c, `${i}.csv`, cdrText(...[1, 2, 3].map((n) => cdrRow(i * 10 + n))));
    const pool = new Pool(t.database.url, { max: 3, log: makeLog('silent'), role: 'assay_app', connectMs });
    const other = new CdrIntake({ services: t.app.services, pool, dataDir: dataDirOf(t) });
    const mine = t.app.services.cdrIntake;
    const taken = await Promise.all([mine.take({}), other.take({})]);
    expect(taken[0] + taken[1]).toBe(20);
    await Promise.all([mine.work(), other.work()]);
    // A file the one had in hand was passed over by the other.
    await mine.work();
    await pool.end();
    for (const c of clients) {
      const files = await t.database.admin.query('SELECT state FROM cdr_files WHERE account_id = $1', [c.uuid]);
      expect(files.map((f) => f.state)).toEqual(Array(10).fill('ACCEPTED'));
      expect((await accounted(t.database, c.uuid))?.cdrs).toBe(30);
    }
    expect(tree(dataDirOf(t), 'processing')).toEqual([]);
  });
});

describe('a service that is killed', () => {
  const stage = new Stage();
  afterAll(() => stage.end());

  it('in the middle of a file goes on with it at its next start, timetable or none, and a timetable is known to the database', async () => {
    const database = await makeDatabase();
    stage.defer(() => database.drop());
    const dir = stage.folder();
    const ASSAY_MASTER_KEY = '5a'.repeat(32);
    const env = { DATABASE_URL: database.url, DATA_DIR: dir, ASSAY_MASTER_KEY };
    const t = await makeTestApp({ database, env: { ASSAY_MASTER_KEY } });
    const client = await t.makeClient(await t.makePsp());
    await t.stop();
    drop(dir, client, 'long.csv', text);
    const first = await stage.service({ ...env, CDR_PICKUP_CRON: 'off' });
    const taken = await fetch(`${first.address}/v1/telecom/pickUp`, {
      method: 'POST',
      headers: { 'x-api-key': client.apiKey, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(taken.status).toBe(200);
    await until('a portion is recorded', async () => ((await accounted(database, client.uuid))?.cdrs as number) > 0);
    first.signal('SIGKILL');
    await first.exited;
    // Without a timetable too: the file was taken already.
    const second = await stage.service({ ...env, CDR_PICKUP_CRON: 'off' });
    await until('the file is completed', () => status(dir, client, 'long.csv').state === 'PARTIALLY_ACCEPTED');
    second.signal('SIGTERM');
    await second.exited;
    await stage.service({ ...env, CDR_PICKUP_CRON: '0 0 1 1 *' });
    expect(status(dir, client, 'long.csv').counts).toEqual(counts);
    expect(await accounted(database, client.uuid)).toEqual(whole);
    // The queue writes its timetable down a moment after the service says that it is ready.
    await until('the timetable is known to the database', async () => {
      const known = await database.admin.query('SELECT identifier FROM graphile_worker._private_known_crontabs');
      return known.some((k) => k.identifier === 'cdr-pick-up');
    });
    drop(dir, client, 'later.csv', cdrText(cdrRow('later', longAgo)));
    // Spec 8.1: what the timetable does when its time has come.
    await database.admin.query("SELECT graphile_worker.add_job('cdr-pick-up')");
    await until('the job takes it', () => status(dir, client, 'later.csv').state === 'ACCEPTED');
  });
});
