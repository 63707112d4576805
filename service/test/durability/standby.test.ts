// Two database servers behind one DATABASE_URL: what is acknowledged is stored on both, and nothing is acknowledged
// while one is missing.
import { afterAll, expect, inject, it } from 'vitest';
import { cdrRow, cdrText, drop } from '../support/cdr-files.ts';
import { startReceiver } from '../support/receivers.ts';
import { scenario } from './scenarios/standby-promoted.ts';
import { checkDeliveries } from './support/check-deliveries.ts';
import { caughtUp } from './support/check-readers.ts';
import { Checks } from './support/checks.ts';
import { joinStandby, makeCluster } from './support/cluster.ts';
import { until } from './support/conditions.ts';
import { prepare } from './support/ground.ts';
import { Client, History, type Party } from './support/history.ts';
import { Stage } from './support/service-process.ts';
import { holds } from './support/short-form.ts';
import { askAgain, newRef, sale, storm } from './support/storm.ts';

const stage = new Stage(inject('madeFolder'));
afterAll(() => stage.end());

it('goes on over the promoted standby without being restarted, and loses nothing it acknowledged', async () => {
  await holds(scenario, 1);
});

it('makes the reports, takes in the files and sends the events that were under way, each once', async () => {
  const cluster = await makeCluster(stage);
  const ground = await prepare(stage, cluster.database, 1);
  await joinStandby(cluster, 'synchronous');
  const env = { ...ground.env, WEBHOOK_ALLOW_HTTP: 'true', CDR_PICKUP_CRON: 'off' };
  const { address } = await stage.service(env);
  const client = new Client();
  stage.defer(async () => client.close());
  const party = ground.clients[0] as Party;
  const receiver = await startReceiver();
  stage.defer(() => receiver.stop());
  const call = async (path: string, body: object, { apiKey } = party) => {
    const r = await client.call(address, 'POST', path, { 'x-api-key': apiKey }, JSON.stringify(body));
    expect(r.status, r.text).toBe(200);
  };
  await call('/v1/client/subscribeToClient', { webhookUrl: receiver.url }, ground.psp);
  const files = ['first.csv', 'second.csv', 'third.csv'];
  const lines = 3000;
  for (const name of files) {
    const rows = Array.from({ length: lines }, (_, i) => cdrRow(`${name}-${i}`));
    drop(
      ground.env.DATA_DIR as string,
      { id: '', uuid: party.account, apiKey: party.apiKey, secret: '' },
      name,
      cdrText(...rows),
    );
  }
  const history = new History();
  await storm({
    history,
    client,
    parties: [party],
    addresses: () => [address],
    workers: 8,
    max: 200,
    seed: 401,
    plain: true,
  });
  await call('/v1/telecom/pickUp', {});
  const kinds = ['chargebacks', 'cryptoActivity', 'ggrDuty', 'chargebacks'];
  for (const [i, kind] of kinds.entries()) await call('/v1/report', { kind, period: `2026-0${i + 1}` });
  await cluster.primary.kill();
  await cluster.standby.promote();

  await until('all are made', async () => {
    const rows = await ground.db.query('SELECT state FROM reports');
    return rows.length === kinds.length && rows.every((r) => r.state === 'DONE');
  });
  // What was cut off goes on at the next pick-up.
  await until('all files are taken in', async () => {
    await call('/v1/telecom/pickUp', {});
    const rows = await ground.db.query("SELECT FROM cdr_files WHERE state = 'ACCEPTED'");
    return rows.length === files.length;
  });
  await caughtUp({ db: ground.db }, ['webhooks']);
  await until('all is delivered', async () => {
    return (await ground.db.query("SELECT FROM webhook_deliveries WHERE state <> 'delivered'")).length === 0;
  });
  const once = "SELECT kind, count(*) AS n FROM journal WHERE kind = 'report.completed' GROUP BY kind";
  expect(await ground.db.query(once)).toEqual([{ kind: 'report.completed', n: kinds.length }]);
  const calls = 'SELECT count(*) AS n, count(DISTINCT cdr_id) AS ids FROM cdrs';
  expect(await ground.db.query(calls)).toEqual([{ n: files.length * lines, ids: files.length * lines }]);
  expect(await checkDeliveries(ground.db, [{ url: receiver.url, received: receiver.received }])).toEqual([]);
  expect((await new Checks(ground.db).look(history, 'before asking again')).violations).toEqual([]);
});

it('acknowledges nothing while the standby is missing, unless it was told not to wait; then the checks find what is lost', async () => {
  const cluster = await makeCluster(stage);
  const ground = await prepare(stage, cluster.database, 1);
  await joinStandby(cluster, 'synchronous');
  const { address, output } = await stage.service(ground.env);
  const client = new Client();
  stage.defer(async () => client.close());
  const history = new History();
  const checks = new Checks(ground.db);
  const party = ground.clients[0] as Party;

  await cluster.standby.stop();
  const waiting = history.send(client, address, party, 'verifyTransaction', sale(newRef(), 50));
  const admin = cluster.primary.pool();
  stage.defer(() => admin.end());
  const cancelled = await until('the commit waits for the standby, and is cancelled', async () => {
    const rows = await admin.query(
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query ILIKE '%commit_batch%'",
    );
    return rows.length > 0;
  });
  expect(cancelled).toBe(true);
  expect(await waiting).toMatchObject({ status: 503, code: 'UNKNOWN_OUTCOME' });

  const { output: started } = stage.spawn(ground.env);
  await until('another start says what it waits for', () => started().includes('for the synchronous standby'));

  // What an operator must not do where a standby may be promoted later: go on without it.
  await admin.query('ALTER SYSTEM RESET synchronous_standby_names');
  await admin.query('SELECT pg_reload_conf()');
  await askAgain(history, client, address);
  expect((await checks.look(history, 'after asking again')).violations).toEqual([]);

  let over = false;
  const load = storm({
    history,
    client,
    parties: [party],
    addresses: () => [address],
    workers: 8,
    max: 2000,
    seed: 400,
    stop: () => over,
    plain: true,
  });
  await until('some were acknowledged', () => history.count('ok') >= 100);
  await cluster.primary.kill();
  over = true;
  await load;
  await cluster.standby.start();
  await until('the service says why it cannot go on', async () => {
    await history.send(client, address, party, 'verifyTransaction', sale(newRef(), 50));
    return output().includes(`${cluster.standby.host} is a standby`);
  });
  await cluster.standby.promote();
  const { violations } = await checks.look(history, 'before asking again');
  const lost = violations.filter((v) => v.check === 'C1' && v.effect === 'lost');
  stage.report('asynchronous replication', { acknowledged: history.count('ok'), lost: lost.length }, lost[0]);
  expect(lost.length).toBeGreaterThan(0);
});
