// WORKERS: several processes that serve as one service, beside the one that follows. A lost worker is replaced and
// nothing acknowledged is lost, all workers end together, and a change made in one applies in all.
import { readFileSync, statfsSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { isAlive } from '../../src/platform/process-turns.ts';
import { Checks } from './support/checks.ts';
import { until } from './support/conditions.ts';
import { found, type Ground } from './support/foundation.ts';
import { Client, History, type Party } from './support/history.ts';
import { ownerPool, postmaster } from './support/postgres-process.ts';
import { patient, type ServiceProcess, Stage } from './support/service-process.ts';
import { Staff } from './support/standing.ts';
import { askAgain, newRef, sale, storm } from './support/storm.ts';
import { Workers } from './support/workers.ts';

const stage = new Stage();
const all = new Workers();
afterAll(async () => {
  all.kill();
  await stage.end();
});

const two = { ...patient, ROLE: '', WORKERS: '2', LOG_LEVEL: 'info' };

const alive = (pid: number) => isAlive(pid);
/** Workers that served, in the order they were ready. */
const workersOf = (service: { output(): string }) => all.of(service, 'serve');
const ready = (service: { output(): string }, count: number) =>
  until(`${count} workers are or were ready`, () => workersOf(service).length >= count && workersOf(service));

/** A child of a process with a setting in its environment. */
const childOf = (pid: number, setting: string): number | undefined =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .map(Number)
    .find((p) => p > 0 && readFileSync(`/proc/${p}/environ`, 'utf8').split('\0').includes(setting));

/** Requests on a connection each: they fall on the workers by turns or by chance, sooner or later on all. */
async function metric(address: string, name: string): Promise<number> {
  const r = await fetch(`${address}/metrics`, { headers: { connection: 'close' } });
  const text = await r.text();
  return [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce((n, m) => n + Number(m[1]), 0);
}

/** Each caller a connection, so that they meet all workers. */
async function sendFromMany(service: ServiceProcess, history: History, party: Party, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new Client();
      await history.send(client, service.address, party, 'verifyTransaction', sale(newRef(), 20));
      client.close();
    }),
  );
}

const verified = 'assay_http_request_seconds_count\\{route="/v1/transaction/verifyTransaction"';

describe('a service of two workers', () => {
  let ground: Ground;

  it('replaces a worker that is killed under load, and loses nothing that was acknowledged', async () => {
    ground = await found(stage, 2);
    const service = await stage.service({ ...ground.env, ...two });
    const first = await ready(service, 2);
    const client = new Client();
    const history = new History();
    const start = history.now();
    let over = false;
    const load = storm({
      history,
      client,
      parties: [ground.psp, ...ground.clients],
      addresses: () => [service.address],
      workers: 32,
      max: 2000,
      seed: 900,
      stop: () => over,
    });
    await until('some were acknowledged', () => history.count('ok', start) >= 150);
    // The first: whose ports the others were given.
    process.kill(first[0] as number, 'SIGKILL');
    const killed = history.now();
    const now = await ready(service, 3);
    expect(now.filter(alive)).toHaveLength(2);
    await until('it goes on', () => history.count('ok', killed) >= 100);
    over = true;
    await load;
    await askAgain(history, client, service.address);
    expect((await new Checks(ground.db).look(history, 'after asking again')).violations).toEqual([]);
    stage.report('one of two workers killed', history.summary(start));
    client.close();
    // The process that follows has the lowest priority: on a busy machine it is asked to end when it has nothing in hand.
    await until('the journal is read', async () => {
      const behind = await ground.db.query(
        'SELECT 1 FROM journal_cursors c JOIN journal_heads h USING (psp_id) WHERE c.seq < h.seq LIMIT 1',
      );
      return behind.length === 0;
    });
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(all.alive()).toEqual([]);
  });

  it('replaces one that hangs, which no signal but the last ends', async () => {
    ground ??= await found(stage, 2);
    const service = await stage.service({ ...ground.env, ...two, WORKER_SILENCE_MS: '6000' });
    const [first] = await ready(service, 2);
    process.kill(first as number, 'SIGSTOP');
    const said = `"role":"serve","pid":${first},"silentMs":6000,"msg":"a worker hangs and is ended"`;
    await until('it is logged', () => service.output().includes(said));
    await ready(service, 3);
    expect(alive(first as number)).toBe(false);
    service.signal('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(all.alive()).toEqual([]);
  });

  it('adds up what its workers count, and holds in all what was told to one', async () => {
    ground ??= await found(stage, 2);
    const service = await stage.service({ ...ground.env, ...two });
    await ready(service, 2);
    await until('all are there', async () => (await metric(service.address, 'assay_processes')) === 3);
    const history = new History();
    const [party] = ground.clients as [Party];
    await sendFromMany(service, history, party, 40);
    expect(history.count('ok')).toBe(40);
    // One follows, however many serve.
    expect(await metric(service.address, 'assay_processes')).toBe(3);
    // The disk is one, whoever looks at it.
    const { blocks, bsize } = statfsSync(ground.env.DATA_DIR as string);
    expect(await metric(service.address, 'assay_disk_bytes')).toBe(blocks * bsize);
    await until('it shows itself', async () => (await metric(service.address, 'assay_followers')) === 1);
    // As often as asked, and whichever worker is.
    for (let i = 0; i < 6; i++) {
      const text = await (await fetch(`${service.address}/metrics`, { headers: { connection: 'close' } })).text();
      const counted = [...text.matchAll(new RegExp(`^${verified}[^}]*\\} (\\d+)$`, 'gm'))];
      expect(counted.reduce((n, m) => n + Number(m[1]), 0)).toBe(40);
    }
    const staff = new Client();
    await new Staff(staff, ground).suspend(service, party.account);
    const acknowledged = history.now();
    await sendFromMany(service, history, party, 40);
    const after = history.all.filter((s) => s.sentAt > acknowledged);
    expect(after.map((s) => s.content?.status)).toEqual(after.map(() => 'DECLINED'));
    staff.close();

    // Its supervisor lost, each worker finishes what it has in hand and ends.
    const workers = workersOf(service);
    service.signal('SIGKILL');
    await service.exited;
    await until('no worker is left', () => !workers.some(alive));
    await until('the address is free', () =>
      fetch(`${service.address}/health/live`).then(
        () => false,
        () => true,
      ),
    );
  });

  it('gives up when its workers cannot start any more, and says so', async () => {
    ground ??= await found(stage, 2);
    const service = await stage.service({ ...ground.env, ...two });
    const [one] = await ready(service, 2);
    await until('it is followed', () => service.output().includes('"role":"follow"'));
    // As a newer version leaves the schema.
    await ground.db.query("INSERT INTO migrations (name, hash) VALUES ('9999-of-a-newer-version.sql', '')");
    process.kill(one as number, 'SIGKILL');
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.output()).toMatch(/workers ended at their start 5 times in a row/);
    expect(all.alive()).toEqual([]);
    // Six starts one after the other.
  });
});

/** What a server says first. */
async function greetingAt(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    return await new Promise<string>((heard, reject) => {
      socket.once('data', (bytes) => heard(bytes.toString()));
      socket.once('error', reject);
    });
  } finally {
    socket.destroy();
  }
}

describe('the first start of several workers', () => {
  it('makes one database with one demo PSP, tells its key once, tries another follower where the first is killed before it is ready, and SIGINT takes all of it down', async () => {
    const dataDir = stage.folder();
    const service = await stage.service({ DATA_DIR: dataDir, ...two, CDR_SFTP: 'embedded', SFTP_PORT: '0' });
    const killed = await until('one that follows starts', () => childOf(service.pid, 'ROLE=follow'));
    process.kill(killed, 'SIGKILL');
    expect(all.of(service, 'follow')).not.toContain(killed);
    expect((await fetch(`${service.address}/health/ready`)).status).toBe(200);
    // Also while others are still starting, unless that takes them longer than a reader of figures waits.
    await until('figures are told', async () => (await metric(service.address, 'assay_processes')) >= 1);
    const workers = await ready(service, 2);
    await until('another follows', () => all.of(service, 'follow').length === 1);
    await until('all are there', async () => (await metric(service.address, 'assay_processes')) === 3);
    const drop = Number(/sftp:\/\/127\.0\.0\.1:(\d+)/.exec(service.output())?.[1]);
    for (let i = 0; i < 4; i++) expect(await greetingAt(drop)).toMatch(/^SSH-2\.0-/);
    expect(workersOf(service)).toEqual(workers);
    expect(service.output().match(/^ {2}asy_\S+$/gm)).toHaveLength(1);
    expect(service.output().match(/Assay is ready/g)).toHaveLength(1);
    const db = ownerPool(dataDir);
    expect(await db.query("SELECT 1 FROM accounts WHERE kind = 'psp'")).toHaveLength(1);
    await db.end();
    service.signal('SIGINT');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(all.alive()).toEqual([]);
    expect(postmaster(dataDir)).toBeUndefined();
  });

  it('fails as a whole when the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const PORT = String((other.address() as AddressInfo).port);
    const { exited, output } = stage.spawn({ DATA_DIR: stage.folder(), ...two, PORT });
    expect(await exited).toEqual({ code: 1, signal: null });
    expect(output()).toMatch(
      /Assay could not start: the HTTP server cannot listen on 127\.0\.0\.1:\d+.*; set PORT or HOST/,
    );
    other.close();
  });
});
