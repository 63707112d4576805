// How a command reaches the service: by URL, through the local socket, or without a running service. Permissions,
// replies and journal entries are the same each way, and over TCP the socket's header has no effect.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doorFolder, doorPrefix, operatorHeader } from '../../src/adapters/http/door-place.ts';
import { operations } from '../../src/adapters/http/operations.ts';
import { type App, makeApp } from '../../src/app.ts';
import { fromWire } from '../../src/core/ids.ts';
import { makeLog } from '../../src/platform/log.ts';
import { readSettings } from '../../src/settings.ts';
import { makeDatabase } from '../support/app.ts';
import { cdrRow, cdrText, drop } from '../support/cdr-files.ts';
import { makeFolder } from '../support/folder.ts';
import { assayWith } from './run.ts';
import { makeWorld, me, type World } from './world.ts';

let w: World;
beforeAll(async () => {
  w = await makeWorld({ ...masterKey, WEBHOOK_ALLOW_HTTP: 'true', CDR_PICKUP_CRON: 'off' });
});
afterAll(() => w?.stop());

const doors = (dir = w.env.DATA_DIR as string) => readdirSync(doorFolder(dir)).map((n) => join(doorFolder(dir), n));
const masterKey = { ASSAY_MASTER_KEY: 'a'.repeat(64) };
/** What a process with another master key could not read of the database itself. */
const otherKey = { ASSAY_MASTER_KEY: 'f'.repeat(64) };
const names = (r: { json(): { items: { registeredName: string }[] } }) => r.json().items.map((p) => p.registeredName);

async function start(env: Readonly<Record<string, string>>, logged: string[] = []): Promise<App> {
  const app = await makeApp({
    settings: readSettings({ ...env, PORT: '0', CDR_SFTP: 'off', DATABASE_POOL: '2' }),
    log: makeLog('warn', { write: (line) => void logged.push(line) }),
  });
  await app.listen();
  return app;
}

/** A socket that its process has left behind. */
async function leaveBehind(path: string): Promise<void> {
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('there'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((there) => child.stdout.once('data', there));
  const ended = new Promise((gone) => child.once('exit', gone));
  child.kill('SIGKILL');
  await ended;
  expect(existsSync(path)).toBe(true);
}

describe('the door of a running service', () => {
  it('lets in who may enter its folder: nobody but its own user', () => {
    const [door = ''] = doors();
    expect(lstatSync(doorFolder(w.env.DATA_DIR as string)).mode & 0o777).toBe(0o700);
    expect(lstatSync(door).isSocket()).toBe(true);
    expect(lstatSync(door).mode & 0o777).toBe(0o600);
  });

  it('is the way of a command that finds it: the service answers, in its own settings', async () => {
    await w.makePsp('Door Pay');
    const r = await assayWith({ ...w.env, ...otherKey })('psp', 'list', '--json');
    expect([r.exitCode, r.stderr]).toEqual([0, '']);
    expect(names(r)).toContain('Door Pay');
    // A command about the machine's own database composes what it needs, and has the wrong key.
    expect((await assayWith({ ...w.env, ...otherKey })('migrate')).exitCode).toBe(1);
  });

  it('makes an operator of nobody who comes over TCP with its header, whatever they ask', async () => {
    const asked = operations.filter((o) => o.access === undefined);
    expect(asked.length).toBeGreaterThan(100);
    for (const o of asked) {
      const r = await fetch(`${w.address}${o.path.replace(/:\w+/g, 'x')}`, {
        method: o.method,
        headers: { [operatorHeader]: 'root', 'content-type': 'application/json' },
        ...(o.body ? { body: '{}' } : {}),
      });
      expect([o.id, r.status, r.headers.get('x-error-code')]).toEqual([o.id, 401, 'KEY_MISSING']);
    }
    const { apiKey } = await w.makePsp('Header Pay');
    const r = await fetch(`${w.address}/v1/admin/account`, {
      headers: { [operatorHeader]: 'root', 'x-api-key': apiKey },
    });
    expect([r.status, r.headers.get('x-error-code')]).toEqual([403, 'AUDIENCE']);
  });

  it.each([
    ['that does not say who asks', {}],
    ['whose name is no name', { [operatorHeader]: 'a name' }],
    ['that has a name too long', { [operatorHeader]: 'x'.repeat(301) }],
    ['whose name cannot be decoded', { [operatorHeader]: '%zz' }],
    ['whose name has a line feed', { [operatorHeader]: 'root%0Aroot' }],
  ])('lets nothing through it %s', async (_what, headers) => {
    const [socketPath = ''] = doors();
    const status = await new Promise((resolve, reject) => {
      const asked = request({ socketPath, path: '/v1/admin/account', headers }, (r) => resolve(r.resume().statusCode));
      asked.once('error', reject).end();
    });
    expect(status).toBe(401);
  });

  it('is not the way to another database, though the folder is the same', async () => {
    const other = await makeDatabase();
    try {
      const beside = assayWith({ ...w.env, DATABASE_URL: other.url });
      await w.makePsp('One Pay');
      await beside('psp', 'create', '--name', 'Two Pay', '--country', 'NG');
      expect(names(await beside('psp', 'list', '--json'))).toEqual(['Two Pay']);
      const mine = names(await w.json('psp', 'list'));
      expect([mine.includes('One Pay'), mine.includes('Two Pay')]).toEqual([true, false]);
    } finally {
      await other.drop();
    }
  });

  it('keeps a command without DATABASE_URL from making a database beside that of the service', async () => {
    const { DATABASE_URL: _, ...without } = w.env;
    for (const command of [['psp', 'list'], ['migrate']]) {
      const r = await assayWith({ ...without })(...command);
      expect([r.exitCode, r.stderr]).toEqual([2, expect.stringMatching(/DATABASE_URL names: run the command with/)]);
    }
    expect(existsSync(join(w.env.DATA_DIR as string, 'postgres'))).toBe(false);
  });

  it.each([
    ['a password', 'postgres://ada:one@db/assay', 'postgres://ada:two@db/assay', {}, true],
    ['a host', 'postgres://ada:one@db/assay', 'postgres://ada:one@db2/assay', {}, false],
    ['a name', 'postgres://ada@db/assay', 'postgres://ada@db/test', {}, false],
    ['a role', 'postgres://ada@db/assay', 'postgres://bola@db/assay', {}, false],
    ['a port of the environment', 'postgres://ada@db/assay', 'postgres://ada@db/assay', { PGPORT: '5433' }, false],
    ['the embedded database', 'postgres://ada@db/assay', '', {}, false],
  ])('has a name that two databases share only where they differ in no more than %s', (what, one, two, env, same) => {
    const prefix = (url: string, more = {}) => doorPrefix(readSettings({ DATABASE_URL: url, ...more }));
    expect([what, prefix(one) === prefix(two, env)]).toEqual([what, same]);
    expect(prefix(one)).not.toContain('ada');
  });

  it('is passed by where its process was killed, and removed by the next one that starts', async () => {
    const dir = makeFolder('assay-door-');
    mkdirSync(doorFolder(dir), { mode: 0o700 });
    const env = { ...masterKey, DATABASE_URL: w.database.url, DATA_DIR: dir };
    const left = join(doorFolder(dir), `${doorPrefix(readSettings(env))}00000000`);
    await leaveBehind(left);
    expect((await assayWith(env)('psp', 'list')).exitCode).toBe(0);
    const anHourAgo = Date.now() / 1000 - 3600;
    utimesSync(left, anHourAgo, anHourAgo);
    const [one, two] = [await start(env), await start(env)];
    try {
      expect(existsSync(left)).toBe(false);
      expect(doors(dir)).toHaveLength(2);
      await one.stop();
      expect(doors(dir)).toHaveLength(1);
      expect((await assayWith({ ...env, ...otherKey })('psp', 'list')).exitCode).toBe(0);
    } finally {
      await two.stop();
    }
    expect(doors(dir)).toEqual([]);
  });

  it.each([
    ['others may enter its folder', () => makeFolder('assay-door-open-'), 'others may enter'],
    [
      'its path is too long for a socket',
      () => {
        const dir = join(makeFolder('assay-door-long-'), 'a'.repeat(90));
        mkdirSync(dir);
        return dir;
      },
      'too long for a socket',
    ],
  ])('is not opened where %s, and commands do without', async (_why, folder, says) => {
    const dir = folder();
    mkdirSync(doorFolder(dir));
    chmodSync(doorFolder(dir), 0o755);
    const env = { ...masterKey, DATABASE_URL: w.database.url, DATA_DIR: dir };
    const logged: string[] = [];
    const app = await start(env, logged);
    try {
      expect(logged.join('')).toContain(says);
      expect(doors(dir)).toEqual([]);
      expect((await assayWith(env)('psp', 'list')).exitCode).toBe(0);
    } finally {
      await app.stop();
    }
  });
});

describe('the three ways to the service', () => {
  it('do the same, refuse the same and are journalled alike', async () => {
    const apiKey = (await w.json('operator', 'create', '--name', 'Elsewhere')).json().apiKey;
    const ways = {
      door: assayWith(w.env),
      alone: assayWith({ ...w.env, DATA_DIR: makeFolder('assay-alone-') }),
      elsewhere: assayWith({ ASSAY_URL: w.address, ASSAY_API_KEY: apiKey, DATA_DIR: makeFolder('assay-elsewhere-') }),
    };
    const told: unknown[] = [];
    for (const [way, assay] of Object.entries(ways)) {
      const made = (await assay('psp', 'create', '--name', `Way ${way}`, '--country', 'NG', '--json')).json();
      const shown = await assay('standing', 'set', made.pspId, '--standing', 'SUSPENDED', '--reason', 'x', '--json');
      const refused = await assay('psp', 'create', '--name', 'x', '--country', 'ZZ', '--json');
      const unknown = await assay('webhook', 'show', 'whk_01h455vb4pex5vsknk084sn02q', '--json');
      const [entry] = (await w.journal('client.updated')).filter((e) => e.clientId === made.pspId);
      const { id: _, timestamp: __, clientId: ___, data: ____, rows: _____, actor, ...rest } = entry;
      told.push([
        shown.json().operationalStanding,
        refused.exitCode,
        refused.json(),
        unknown.exitCode,
        unknown.json(),
        rest,
      ]);
      expect(actor.by).toEqual(way === 'elsewhere' ? expect.stringMatching(/^key_/) : me);
    }
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
  });

  it.each([
    ['without a key', { ASSAY_URL: 'https://assay.example' }, 'ASSAY_URL needs ASSAY_API_KEY'],
    ['in clear over a network', { ASSAY_URL: 'http://assay.example', ASSAY_API_KEY: 'asy_x' }, 'must be an https://'],
    ['at no address', { ASSAY_URL: 'assay.example', ASSAY_API_KEY: 'asy_x' }, 'must be an https://'],
  ])('do not lead elsewhere %s', async (_how, env, says) => {
    const r = await assayWith({ ...w.env, ...env })('psp', 'list');
    expect([r.exitCode, r.stdout]).toEqual([2, '']);
    expect(r.stderr).toContain(says);
  });

  it.each([['migrate'], ['totals', 'verify'], ['audit', 'verify'], ['cdr', 'analyse'], ['backup', 'x.tar.zst']])(
    'are one for what is about this machine: %s %s is refused where ASSAY_URL names another',
    async (...words) => {
      const r = await assayWith({ ...w.env, ASSAY_URL: 'https://assay.example', ASSAY_API_KEY: 'asy_x' })(...words);
      expect([r.exitCode, r.stderr]).toEqual([2, expect.stringContaining('ASSAY_URL names a service elsewhere')]);
    },
  );

  it('say what is broken where nobody answers elsewhere', async () => {
    const r = await assayWith({ ASSAY_URL: 'http://127.0.0.1:9', ASSAY_API_KEY: 'asy_x' })('migrate');
    expect(r.exitCode).toBe(2);
    const asked = await assayWith({ ASSAY_URL: 'http://127.0.0.1:9', ASSAY_API_KEY: 'asy_x' })(
      'key',
      'revoke',
      'key_x',
      '--reason',
      'x',
    );
    expect([asked.exitCode, asked.stderr]).toEqual([1, expect.stringContaining('could not be reached')]);
  });
});

describe('a command with nothing but the id of something', () => {
  it('finds whose it is: account, webhook address, call detail file, login', async () => {
    const psp = await w.makePsp('Owner Pay');
    const { clientId, apiKey } = await w.makeClient(psp.apiKey);
    await w.call('/v1/client/subscribeToClient', apiKey, { webhookUrl: 'http://127.0.0.1:9/hook' });
    const [hook] = (await w.json('webhook', 'list', clientId)).json().items;
    const uuid = fromWire('client', clientId) as string;
    drop(w.env.DATA_DIR as string, { id: clientId, uuid, apiKey, secret: '' }, 'calls.csv', cdrText(cdrRow(1)));
    await w.json('cdr', 'pick-up');
    const [file] = (await w.json('cdr', 'files', '--client', clientId)).json().items;
    const login = (await w.json('sftp', 'create', clientId, '--name', 'billing')).json();
    const admin = (await w.json('operator', 'create', '--name', 'Finder')).json().apiKey;
    const owner = async (id: string) => (await w.call(`/v1/admin/owner/${id}`, admin)).body.content;
    expect(await owner(psp.pspId)).toEqual({ pspId: psp.pspId, clientId: psp.pspId });
    expect(await owner(clientId)).toEqual({ pspId: psp.pspId, clientId });
    for (const id of [hook.webhookId, file.fileId, login.loginId])
      expect([id, await owner(id)]).toEqual([id, { pspId: psp.pspId, clientId }]);
    for (const id of ['nobody', 'whk_01h455vb4pex5vsknk084sn02q', 'sfl_01h455vb4pex5vsknk084sn02q'])
      expect((await w.call(`/v1/admin/owner/${id}`, admin)).status).toBe(404);
  });
});
