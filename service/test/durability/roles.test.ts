// ROLE: the half of the service that answers and the half that follows, in processes of their own, on one machine and on
// two. What one leaves to the other is done, a follower that is lost is replaced, and answering goes on meanwhile.
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp } from '../../src/app.ts';
import { fromWire } from '../../src/core/ids.ts';
import { createAccount } from '../../src/modules/accounts/administer.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type Wake, WakeSender } from '../../src/platform/worker.ts';
import { readSettings } from '../../src/settings.ts';
import { makeDatabase } from '../support/app.ts';
import { cdrRow, cdrText, drop } from '../support/cdr-files.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { checkDeliveries } from './support/check-deliveries.ts';
import { caughtUp } from './support/check-readers.ts';
import { Checks } from './support/checks.ts';
import { until } from './support/conditions.ts';
import { found, type Ground } from './support/foundation.ts';
import { Client, History, type Party } from './support/history.ts';
import { patient, type ServiceProcess, Stage } from './support/service-process.ts';
import { newRef, sale } from './support/storm.ts';
import { Workers } from './support/workers.ts';

const stage = new Stage();
const workers = new Workers();
afterAll(async () => {
  workers.kill();
  await stage.end();
});

const text = async (address: string, path: string) => (await fetch(`${address}${path}`)).text();
const figure = (metrics: string, name: string) =>
  Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(metrics)?.[1]);

/** A call as a party; its content. */
async function call(address: string, party: Pick<Party, 'apiKey'>, path: string, body?: unknown) {
  const r = await fetch(`${address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': party.apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
  const said = (await r.json()) as any;
  expect([path, r.status, said.message]).toEqual([path, 200, said.message]);
  return said.content;
}

/** Has a file picked up, a report made and a test event sent by a request to this address, and waits for all three. */
async function leaveWork(address: string, ground: Ground, party: Party, receiver: Receiver): Promise<void> {
  const name = `${newRef('calls')}.csv`;
  const account = { id: '', uuid: party.account, apiKey: party.apiKey, secret: '' };
  drop(ground.env.DATA_DIR as string, account, name, cdrText(cdrRow(name)));
  expect(await call(address, party, '/v1/telecom/pickUp', {})).toEqual({ taken: 1 });
  const report = await call(address, party, '/v1/report', { kind: 'chargebacks', period: '2026-10' });
  const { items } = await call(address, party, '/v1/webhook');
  const test = await call(address, party, `/v1/webhook/${items[0].webhookId}/test`, {});
  const state = await until('the file is done', async () => {
    const files = (await call(address, party, '/v1/telecom/file')).items;
    const file = files.find((f: { fileName: string }) => f.fileName === name);
    return file?.completedAt ? file.state : undefined;
  });
  expect(state).toBe('ACCEPTED');
  await until('the report is made', async () => {
    return (await call(address, party, `/v1/report/${report.reportId}`)).state === 'DONE';
  });
  await until('the test event is there', () => receiver.received.some((r) => r.body.includes(test.eventId)));
}

async function listener(service: { address: string }, party: Party): Promise<Receiver> {
  const receiver = await startReceiver();
  stage.defer(() => receiver.stop());
  await call(service.address, party, '/v1/client/subscribeToClient', { webhookUrl: receiver.url });
  return receiver;
}

/** Nothing is picked up at set times: only what is asked for is. */
const settings = { ...patient, ROLE: '', WEBHOOK_ALLOW_HTTP: 'true', CDR_PICKUP_CRON: 'off', LOG_LEVEL: 'info' };

describe('a service whose setting ROLE has no value', () => {
  let ground: Ground;
  let party: Party;
  let service: ServiceProcess;
  let receiver: Receiver;
  beforeAll(async () => {
    ground = await found(stage, 1);
    party = ground.clients[0] as Party;
    service = await stage.service({ ...ground.env, ...settings, STOP_DELAY_MS: '120000' });
    await until('it is followed', () => workers.of(service, 'follow').length === 1);
    receiver = await listener(service, party);
  });

  it('answers in one process and follows in another of lower priority, in all its threads', async () => {
    const [serving] = workers.of(service, 'serve') as [number];
    const [following] = workers.of(service, 'follow') as [number];
    const priorities = (pid: number) =>
      new Set(readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread))));
    expect(priorities(serving)).toEqual(new Set([getPriority()]));
    expect(priorities(following)).toEqual(new Set([Math.min(19, getPriority() + 10)]));
  });

  it('shows figures of both halves wherever they are read, and none that is no number', async () => {
    const idle = ['webhook_backlog', 'webhook_breakers_open', 'auditor_troubled', 'sftp_connections'];
    let metrics = '';
    await until('nothing waits', async () => {
      metrics = await text(service.address, '/metrics');
      return idle.every((name) => figure(metrics, `assay_${name}`) === 0);
    });
    expect([figure(metrics, 'assay_processes'), figure(metrics, 'assay_followers')]).toEqual([2, 1]);
    for (const name of ['webhooks', 'daily-totals', 'reviews', 'cdr-analysis', 'seal'])
      expect(metrics).toMatch(new RegExp(`^assay_journal_reader_lag\\{reader="${name}"\\} \\d+$`, 'm'));
    expect(metrics.split('\n').filter((l) => /^assay_\w+ NaN$/i.test(l) && !l.includes('eta'))).toEqual([]);
  });

  it('answers while its follower hangs, shows that none is there when it is lost, and replaces it', async () => {
    const client = new Client();
    const history = new History();
    const send = async (count: number) => {
      for (let i = 0; i < count; i++)
        await history.send(client, service.address, party, 'verifyTransaction', sale(newRef(), 20));
    };
    const [following] = workers.of(service, 'follow') as [number];
    await send(5);
    process.kill(following, 'SIGSTOP');
    await send(10);
    const none = until('it shows that none is there', async () => {
      const { attention } = await call(service.address, { apiKey: ground.operatorKey }, '/v1/overview');
      return attention.backgroundProcesses === 0;
    });
    process.kill(following, 'SIGKILL');
    await none;
    expect((await fetch(`${service.address}/health/ready`)).status).toBe(200);
    await send(10);
    await until('another follows', () => workers.of(service, 'follow').length === 2);
    await send(5);
    expect(history.count('ok')).toBe(30);
    await caughtUp(ground, ['daily-totals', 'seal', 'webhooks', 'reviews', 'cdr-analysis']);
    const refs = history.all.map((s) => s.ref);
    const heard = () => receiver.received.filter((r) => refs.some((ref) => r.body.includes(`"${ref}"`)));
    await until('each is delivered', () => new Set(heard().map((r) => r.headers['webhook-id'])).size >= 30);
    // What was in flight when it was lost may have come twice, as the same event.
    expect(await checkDeliveries(ground.db, [{ url: receiver.url, received: receiver.received }])).toEqual([]);
    expect((await new Checks(ground.db).look(history, 'after asking again')).violations).toEqual([]);
    client.close();
  });

  it('has files picked up, reports made and events sent that are asked for', () =>
    leaveWork(service.address, ground, party, receiver));

  it('follows until it has stopped answering, and ends both', async () => {
    service.signal('SIGTERM');
    await until('it leaves', async () => (await fetch(`${service.address}/health/ready`)).status === 503);
    const ref = newRef('late');
    await call(service.address, party, '/v1/transaction/verifyTransaction', sale(ref, 20));
    await until('what it records now is delivered', () => receiver.received.some((r) => r.body.includes(`"${ref}"`)));
    // Ends the delay.
    service.signal('SIGINT');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(workers.alive()).toEqual([]);
  });

  it('goes on answering where its first follower finds no database, and tries another', async () => {
    const { url, admin, drop: remove } = await makeDatabase();
    stage.defer(remove);
    const owner = `owner_${process.pid}`;
    // A member of the role that has made the tables: who has all rights himself has no limit.
    await admin.query(`CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'x' IN ROLE postgres, assay_app`);
    const DATABASE_URL = url.replace(/\/\/[^@]*@/, `//${owner}:x@`);
    const service = await stage.service({ ...ground.env, ...settings, DATA_DIR: stage.folder(), DATABASE_URL });
    // Before the follower, which begins now, has connections of its own.
    await admin.query(`ALTER ROLE ${owner} CONNECTION LIMIT 1`);
    await until('one that follows ends', () => /"role":"follow","pid":\d+,"code":75/.test(service.output()));
    expect((await fetch(`${service.address}/health/live`)).status).toBe(200);
    await admin.query(`ALTER ROLE ${owner} CONNECTION LIMIT -1`);
    await until('another follows', () => workers.of(service, 'follow').length === 1);
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    await admin.query(`DROP OWNED BY ${owner}`);
    await admin.query(`DROP ROLE ${owner}`);
  });

  it('does not start where its follower cannot, and says why', async () => {
    const { exited, output } = stage.spawn({
      ...ground.env,
      ...settings,
      WEBHOOK_ALLOW_HTTP: 'false',
      AUDIT_WEBHOOK_URL: 'http://auditor.example/',
      AUDIT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
    });
    expect(await exited).toEqual({ code: 1, signal: null });
    expect(output()).toMatch(/Assay could not start: settings: AUDIT_WEBHOOK_URL/);
    expect(output()).toContain('a worker ended at its start (follow)');
  });
});

describe('one service that serves and one that follows, as on two machines', () => {
  it('share the work, and each answers for its health', async () => {
    const ground = await found(stage, 1);
    const [party] = ground.clients as [Party];
    // Both pick up at set times, but not now.
    const env = { ...ground.env, ...settings, CDR_PICKUP_CRON: '0 0 30 2 *' };
    const serving = await stage.service({ ...env, ROLE: 'serve' });
    const receiver = await listener(serving, party);
    const overview = () => call(serving.address, { apiKey: ground.operatorKey }, '/v1/overview');
    expect((await overview()).attention.backgroundProcesses).toBe(0);
    const doors = readdirSync(`${ground.env.DATA_DIR}/door`);

    const following = stage.spawn({ ...env, ROLE: 'follow' });
    const address = await until('it follows', () => /Health\s+(http:\/\/[^/]+)/.exec(following.output())?.[1]);
    expect((await fetch(`${address}/health/ready`)).status).toBe(200);
    expect((await fetch(`${address}/v1/overview`, { headers: { 'x-api-key': party.apiKey } })).status).toBe(404);
    // A command would find no operation there.
    expect(readdirSync(`${ground.env.DATA_DIR}/door`)).toEqual(doors);
    const [there, here] = [await text(serving.address, '/metrics'), await text(address, '/metrics')];
    expect([there, here].map((m) => figure(m, 'assay_followers'))).toEqual([1, 1]);
    expect([there, here].map((m) => m.includes('assay_journal_reader_lag{'))).toEqual([false, true]);
    expect([there, here].map((m) => /^assay_sftp_connections /m.test(m))).toEqual([true, false]);
    await leaveWork(serving.address, ground, party, receiver);
    serving.signal('SIGTERM');
    following.child.kill('SIGTERM');
    expect(await serving.exited).toEqual({ code: 0, signal: null });
    expect(await following.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a process that serves', () => {
  it('wakes the one that follows for the journals that its commits have grown, and only for these', async () => {
    const database = await makeDatabase();
    const dataDir = stage.folder();
    const woken: Wake[] = [];
    let pass = (wake: Wake): void => void woken.push(wake);
    const half = (role: string) =>
      makeApp({
        settings: readSettings({
          ...{ ROLE: role, PORT: '0', CDR_SFTP: 'off', DATABASE_URL: database.url, DATA_DIR: dataDir },
        }),
        log: makeLog('silent'),
        // Wake-ups are all that it has.
        lookEveryMs: 3_600_000,
        wakeBeside: (wake) => pass(wake),
      });
    const [serve, follow] = [await half('serve'), await half('follow')];
    const address = await serve.listen();
    expect(serve.following).toBeUndefined();
    const operator = { apiKey: await makeOperator(serve) };
    const psp = await call(address, operator, '/v1/admin/psp', { name: 'Woken Pay', countryCode: 'NG' });
    const uuid = fromWire('psp', psp.pspId) as string;
    await follow.start();
    await until('its first look is over', async () => {
      const rows = await database.admin.query('SELECT 1 FROM journal_cursors WHERE psp_id = $1', [uuid]);
      return rows.length > 0;
    });
    woken.length = 0;
    pass = (wake) => {
      woken.push(wake);
      follow.wake(wake);
    };
    const party = { apiKey: psp.apiKey };
    await call(address, party, '/v1/transaction/verifyTransaction', sale(newRef(), 20));
    expect(woken).toEqual([{ psps: new Set([uuid]) }]);
    await caughtUp({ db: database.admin }, ['daily-totals', 'webhooks', 'reviews']);
    await call(address, party, '/v1/report', { kind: 'chargebacks', period: '2026-10' });
    await call(address, party, '/v1/telecom/pickUp', {});
    // A report's entry is in the journal, too.
    expect(woken.slice(1)).toEqual([{ psps: new Set([uuid]) }, { work: 'reports' }, { work: 'intake' }]);
    await call(address, party, '/v1/lists/OWN/entries', { ref: 'A', names: ['Somebody Listed'] });
    expect(woken.slice(4)).toContainEqual({ work: 'screening' });
    await serve.stop();
    await follow.stop();
    await database.drop();
  });

  it('has one message about journals under way, and the next has all that grew meanwhile', () => {
    const sent: Wake[] = [];
    let arrived = () => {};
    const sender = new WakeSender(({ wake }, then) => {
      sent.push(wake);
      if ('psps' in wake) arrived = then;
    });
    for (const psp of ['a', 'b', 'c', 'b']) sender.pass({ psps: new Set([psp]) });
    sender.pass({ work: 'reports' });
    expect(sent).toEqual([{ psps: new Set(['a']) }, { work: 'reports' }]);
    arrived();
    arrived();
    sender.pass({ psps: new Set(['d']) });
    expect(sent.slice(2)).toEqual([{ psps: new Set(['b', 'c']) }, { psps: new Set(['d']) }]);
  });
});

async function makeOperator(app: Awaited<ReturnType<typeof makeApp>>): Promise<string> {
  const s = app.services;
  const id = s.ids.next();
  return (await createAccount(s, system, { psp: id, id, kind: 'operator', name: 'Operator' }, s.clock())).apiKey;
}
