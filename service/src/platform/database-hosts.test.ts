// Several hosts in one URL, each a loopback proxy to the test server that can be closed or stop responding. A real
// standby and its promotion are tested in service/test/durability/standby.test.ts.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { makeDatabase } from '../../test/support/app.ts';
import { Pool } from './database.ts';
import { DatabaseHosts } from './database-hosts.ts';
import { makeLog } from './log.ts';

interface Door {
  readonly host: string;
  /** Number of connections made through it. */
  count: number;
  /** Accepts connections, but transfers nothing from here on, in either direction. */
  silence(): void;
  shut(): Promise<void>;
}

const later: (() => unknown)[] = [];
afterEach(async () => {
  for (const work of later.splice(0).reverse()) await work();
});

async function door(): Promise<Door> {
  const url = new URL(inject('serverUrl').replace('@/', '@localhost/'));
  const folder = url.searchParams.get('host');
  const sockets = new Set<Socket>();
  let silent = false;
  const server: Server = createServer((from) => {
    made.count++;
    sockets.add(from);
    from.on('error', () => undefined);
    if (silent) return;
    const to = folder ? connect(`${folder}/.s.PGSQL.5432`) : connect(Number(url.port), url.hostname);
    sockets.add(to);
    to.on('error', () => undefined);
    from.pipe(to).pipe(from);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const made: Door = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: 0,
    silence() {
      silent = true;
      for (const s of sockets) s.unpipe().pause();
    },
    async shut() {
      for (const s of sockets) s.destroy();
      if (server.listening) await once(server.close(), 'close');
    },
  };
  later.push(made.shut);
  return made;
}

const { username, password } = new URL(inject('serverUrl').replace('@/', '@localhost/'));
const urlOf = (hosts: readonly string[], rest = '', database = 'postgres') =>
  `postgres://${username}:${password}@${hosts.join(',')}/${database}${rest}`;

function pool(url: string, options: { max?: number; waitMs?: number; logged?: string[] } = {}): Pool {
  const log = makeLog('warn', { write: (line) => void options.logged?.push(line) });
  const made = new Pool(url, { max: options.max ?? 1, ...(options.waitMs ? { waitMs: options.waitMs } : {}), log });
  later.push(() => made.end());
  return made;
}

const works = async (p: Pool) => expect(await p.query('SELECT 1 AS n')).toEqual([{ n: 1 }]);

describe('a URL', () => {
  it('with several hosts is one URL for each, with everything else as it was', () => {
    const { all, plain } = new DatabaseHosts(
      'postgres://u:p%2Cw@db1:5432,db2,[fd00::2]:5433/assay?sslmode=require&target_session_attrs=any&x=1',
    );
    expect(plain).toBe(false);
    expect(all).toEqual([
      { name: 'db1:5432', url: 'postgres://u:p%2Cw@db1:5432/assay?sslmode=require&x=1' },
      { name: 'db2', url: 'postgres://u:p%2Cw@db2/assay?sslmode=require&x=1' },
      { name: '[fd00::2]:5433', url: 'postgres://u:p%2Cw@[fd00::2]:5433/assay?sslmode=require&x=1' },
    ]);
  });

  it.each([
    'postgres://u:p@db/assay?sslmode=require',
    'postgres://u:p@/assay?host=%2Frun%2Fpostgresql&port=5432',
    'postgres://localhost',
  ])('with one is left to the driver: %s', (url) => {
    const hosts = new DatabaseHosts(url);
    expect(hosts.plain).toBe(true);
    expect(hosts.current.url).toBe(url);
  });
});

describe('connections', () => {
  it('go to the next host where one is dead, and begin with the one that worked', async () => {
    const [one, two] = [await door(), await door()];
    await one.shut();
    const p = pool(urlOf([one.host, two.host]), { max: 3 });
    await works(p);
    // Each holds its connection until all three have one, so none can be used twice.
    let begun = 0;
    const { promise: all, resolve } = Promise.withResolvers<void>();
    const held = () =>
      p.transaction(async (tx) => {
        await tx.query('SELECT 1');
        if (++begun === 3) resolve();
        await all;
      });
    await Promise.all([held(), held(), held()]);
    expect([one.count, two.count]).toEqual([0, 3]);
  });

  it('go to the other host when theirs is lost, back again too, and the log says so', async () => {
    const logged: string[] = [];
    const [one, two] = [await door(), await door()];
    const p = pool(urlOf([one.host, two.host]), { logged });
    await works(p);
    expect([one.count, two.count]).toEqual([1, 0]);
    await one.shut();
    await expect.poll(() => works(p).then(() => two.count), { timeout: 120_000 }).toBe(1);
    expect(logged.some((l) => l.includes(two.host) && l.includes('the database is another server than before'))).toBe(
      true,
    );
  });

  it('leave a host that takes connections and says nothing', async () => {
    const [one, two] = [await door(), await door()];
    one.silence();
    const p = pool(urlOf([one.host, two.host]), { waitMs: 3_000 });
    await works(p);
    expect(one.count).toBe(1);
  });

  it('begin with the other host once one has left a statement unanswered', async () => {
    const [one, two] = [await door(), await door()];
    const p = pool(urlOf([one.host, two.host]), { waitMs: 3_000 });
    await works(p);
    one.silence();
    await expect(p.query('SELECT 2')).rejects.toThrow('the database gave no answer within 3500 ms');
    await works(p);
    expect([one.count, two.count]).toEqual([1, 1]);
  });

  it('end what waits for a silent host once another pool has found the new one', async () => {
    const [one, two] = [await door(), await door()];
    const url = urlOf([one.host, two.host]);
    const patient = pool(url);
    await works(patient);
    one.silence();
    const waiting = expect(patient.query('SELECT 2')).rejects.toThrow('Connection terminated');
    await works(pool(url, { waitMs: 3_000 }));
    await waiting;
    await works(patient);
  });

  it('are refused, without the password, where no host can be written to', async () => {
    const [one, two] = [await door(), await door()];
    await Promise.all([one.shut(), two.shut()]);
    const refused = pool(urlOf([one.host, two.host])).query('SELECT 1');
    await expect(refused).rejects.toThrow(
      `no server of DATABASE_URL takes writes: ${one.host} gave no connection: connect ECONNREFUSED ${one.host}; ${two.host} gave no connection: connect ECONNREFUSED ${two.host}`,
    );
    await expect(refused).rejects.not.toThrow(password);
  });
});

describe('a server that takes no writes', () => {
  it('is refused for read-write, and good enough where a primary is asked for', async () => {
    const database = await makeDatabase();
    later.push(() => database.drop());
    const name = new URL(database.url.replace('@/', '@localhost/')).pathname.slice(1);
    await database.admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const { host } = await door();
    const asking = (attrs: string) => pool(urlOf([host], `?target_session_attrs=${attrs}`, name));
    await expect(asking('read-write').query('SELECT 1')).rejects.toThrow(
      `no server of DATABASE_URL takes writes: ${host} takes no writes`,
    );
    await works(asking('primary'));
    await works(asking('any'));
  });

  const write = 'CREATE TABLE written ()';
  it.each([
    ['committing', (p: Pool) => p.committing('write', `${write}`, [])],
    ['transaction', (p: Pool) => p.transaction((tx) => tx.query(write))],
    ['withClient', (p: Pool) => p.withClient((c) => c.query(write))],
    ['query', (p: Pool) => p.query(write)],
  ] as const)('costs the connection that finds out in %s, so that the next one is new', async (_, attempt) => {
    const database = await makeDatabase();
    later.push(() => database.drop());
    const p = pool(database.url);
    await p.query('SET default_transaction_read_only = on');
    await expect(attempt(p)).rejects.toMatchObject({ code: '25006' });
    await attempt(p);
  });
});
