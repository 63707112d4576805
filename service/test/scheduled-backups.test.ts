// Backups at set times: made beside the running service, checked, kept by day, week and month, and an alarm where the last
// good one is too old. What a backup holds, and that it is restored, is tested in test/cli/backup.test.ts.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseCrontab } from 'graphile-worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeptBackup } from '../src/platform/kept-backups.ts';
import { makeLog } from '../src/platform/log.ts';
import { BadBackup } from '../src/platform/read-backup.ts';
import { takeBackup } from '../src/platform/take-backup.ts';
import { readSettings } from '../src/settings.ts';
import { assayWith } from './cli/run.ts';
import { until } from './durability/support/conditions.ts';
import { makeDatabase, makeEmptyDatabase, makeTestApp, type TestApp } from './support/app.ts';
import { makeFolder } from './support/folder.ts';
import { contentOf } from './support/guarantees.ts';

const hour = 3_600_000;
const day = 24 * hour;
const folders: string[] = [];
const newFolder = () => {
  const folder = makeFolder('assay-backups-');
  folders.push(folder);
  return folder;
};
const nameAt = (ms: number) => `assay-${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.backup`;
const dir = newFolder();

let t: TestApp;
beforeAll(async () => {
  t = await makeTestApp({ env: { BACKUP_DIR: dir, BACKUP_KEEP_DAILY: '2', BACKUP_KEEP_WEEKLY: '2' } });
});
afterAll(async () => {
  await t?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const saidIn = (app: TestApp, text: string) => app.logged.filter((line) => line.includes(`"${text}"`));
const queue = (app: TestApp) => app.database.admin.query("SELECT graphile_worker.add_job('backup')");

async function metric(series: string, app = t): Promise<string | undefined> {
  const { text } = await app.get('/metrics');
  return text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);
}

/** Has the job run, as it does at its times, and waits for its end. */
async function makeOne(app = t, says = 'a backup was made and checked'): Promise<void> {
  const before = saidIn(app, says).length;
  await queue(app);
  await until('the job has run', () => saidIn(app, says).length > before);
}

describe('a service with BACKUP_DIR', () => {
  it('makes its first backup at once, and says that there was none', async () => {
    await until('the first is made', () => readdirSync(dir).includes(nameAt(t.now())));
    expect(saidIn(t, 'there is no good backup')).toHaveLength(1);
    await until('it is counted', async () => (await metric('assay_backups_total{outcome="made"}')) === '1');
    expect(readdirSync(dir)).toEqual([nameAt(t.now())]);
    expect(statSync(join(dir, nameAt(t.now()))).mode & 0o777).toBe(0o600);
    expect(await metric('assay_backup_overdue')).toBe('0');
    expect(await metric('assay_backup_bytes')).toBe(String(statSync(join(dir, nameAt(t.now()))).size));
  });

  it('makes the next beside requests, with everything acknowledged before, and it is restored', async () => {
    const psp = await t.makePsp();
    const sell = async (ref: string) => {
      const sale = { ref, totalAmount: 107.5, currency: 'NGN', countryCode: 'NG', transactionFee: 0 };
      const r = await t.post(
        '/v1/transaction/verifyTransaction',
        { ...sale, paymentMethods: { card: 107.5 } },
        psp.apiKey,
      );
      return contentOf(r).transactionId as string;
    };
    const before = await Promise.all(Array.from({ length: 20 }, (_, i) => sell(`before-${i}`)));
    t.advance(day);
    const meanwhile = Promise.all(Array.from({ length: 50 }, (_, i) => sell(`during-${i}`)));
    await makeOne();
    await meanwhile;
    const empty = await makeEmptyDatabase();
    try {
      const env = { DATABASE_URL: empty.url, DATA_DIR: join(newFolder(), 'data') };
      const back = await assayWith(env)('restore', join(dir, nameAt(t.now())), '--json');
      expect(back.exitCode, back.stderr).toBe(0);
      expect(back.json().masterKey).toBe(false);
      const rows = await empty.admin.query<{ ref: string }>("SELECT ref FROM transactions WHERE ref LIKE 'before-%'");
      expect(rows).toHaveLength(before.length);
    } finally {
      await empty.drop();
    }
  });

  it('keeps what it is told to, removes the rest and what killed processes left, and touches no other file', async () => {
    const others = ['notes.txt', 'assay-2026-01-01.backup', 'assay-20200101T000000Z.backup.gpg'];
    for (const name of others) writeFileSync(join(dir, name), 'mine');
    const old = (days: number) => nameAt(t.now() - days * day);
    const half = `${old(1)}.unchecked.half`;
    for (const name of [old(3), old(40), `${old(5)}.unchecked`, `${old(6)}.unchecked.half`, half])
      writeFileSync(join(dir, name), '');
    const newest = nameAt(t.now());
    t.advance(hour);
    await makeOne();
    const left = readdirSync(dir).filter((n) => !others.includes(n));
    // The newest of this day and of the one before, of this week and of the one before, and of each month.
    const today = nameAt(t.now());
    expect(left).not.toContain(newest);
    expect(left).toContain(today);
    expect(left).toContain(old(40 + 1 / 24));
    expect(left.filter((n) => n.includes('unchecked'))).toEqual([half]);
    for (const name of others) expect(readFileSync(join(dir, name), 'utf8')).toBe('mine');
    for (const name of [...others, half]) rmSync(join(dir, name));
  });

  it('raises an alarm where the last good one is too old, and tries another, whatever a wrong clock has left', async () => {
    const ahead = join(dir, nameAt(t.now() + 400 * day));
    writeFileSync(ahead, '');
    t.advance(26 * hour);
    expect(await metric('assay_backup_overdue')).toBe('0');
    t.advance(hour);
    expect(await metric('assay_backup_overdue')).toBe('1');
    expect(await metric('assay_backup_age_seconds')).toBe(String((27 * hour) / 1000));
    const before = saidIn(t, 'a backup was made and checked').length;
    await t.app.following?.backups?.look();
    expect(saidIn(t, 'the last good backup is too old').at(-1)).toContain('"ageHours":27');
    await until('another is made', () => saidIn(t, 'a backup was made and checked').length > before);
    expect(existsSync(join(dir, nameAt(t.now())))).toBe(true);
    expect(await metric('assay_backup_overdue')).toBe('0');
    const said = t.logged.length;
    await t.app.following?.backups?.look();
    expect(t.logged.length).toBe(said);
    expect(existsSync(ahead)).toBe(true);
    rmSync(ahead);
  });

  it('serves on where the folder is gone, counts and logs the failure, and recovers with the folder', async () => {
    renameSync(dir, `${dir}-away`);
    try {
      await makeOne(t, 'no backup was made');
      expect(saidIn(t, 'no backup was made').at(-1)).toContain(`there is no folder ${dir}`);
      expect(await metric('assay_backups_total{outcome="failed"}')).toBe('1');
      expect([await metric('assay_backup_age_seconds'), await metric('assay_backup_overdue')]).toEqual(['Nan', '1']);
      expect((await t.get('/health/ready')).status).toBe(200);
    } finally {
      renameSync(`${dir}-away`, dir);
    }
    expect(await metric('assay_backup_overdue')).toBe('0');
    t.advance(1000);
    await makeOne();
    expect(existsSync(join(dir, nameAt(t.now())))).toBe(true);
  });
});

describe('a stop while a backup is made', () => {
  it('does not wait for it, and leaves nothing of it', async () => {
    const folder = newFolder();
    const database = await makeDatabase();
    const app = await makeTestApp({ env: { BACKUP_DIR: folder }, database });
    await until('the first is made', () => saidIn(app, 'a backup was made and checked').length === 1);
    app.advance(1000);
    await database.admin.transaction(async (tx) => {
      await tx.query('LOCK TABLE filings IN ACCESS EXCLUSIVE MODE');
      await queue(app);
      const waits = () =>
        database.admin.query("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'filings'::regclass");
      await until('the backup waits for the table', async () => (await waits()).length > 0);
      await app.stop();
    });
    await database.drop();
    expect(readdirSync(folder)).toHaveLength(1);
    expect(saidIn(app, 'no backup was made')).toEqual([]);
  });
});

describe('a backup that cannot be read back', () => {
  const made = async (folder: string, spoil: (file: string) => void) =>
    makeKeptBackup({
      ...{ folder, keep: { daily: 1, weekly: 0, monthly: 0 }, now: new Date(t.now()) },
      signal: new AbortController().signal,
      async take(file) {
        const manifest = await takeBackup({
          ...{ dataDir: newFolder(), databaseUrl: t.database.url, file, withMasterKey: false, version: '0' },
          ...{ now: new Date(t.now()), log: makeLog('silent'), signal: new AbortController().signal, progress() {} },
        });
        spoil(file);
        return manifest;
      },
    });

  it('is no backup: it is removed, and the older ones stay', async () => {
    const folder = newFolder();
    const older = nameAt(t.now() - 2 * day);
    writeFileSync(join(folder, older), '');
    const cut = made(folder, (file) => truncateSync(file, Math.floor(statSync(file).size / 2)));
    await expect(cut).rejects.toThrow(BadBackup);
    expect(readdirSync(folder)).toEqual([older]);
    const { removed } = await made(folder, () => undefined);
    expect(removed).toEqual([older]);
    expect(readdirSync(folder)).toEqual([nameAt(t.now())]);
  });
});

describe('assay backup without a file', () => {
  const env = () => ({ DATABASE_URL: t.database.url, DATA_DIR: newFolder() });

  it('makes one in BACKUP_DIR, checks it and removes those past their keeping', async () => {
    const folder = newFolder();
    const old = ['assay-20200101T010000Z.backup', 'assay-20200101T020000Z.backup'];
    for (const name of old) writeFileSync(join(folder, name), '');
    const kept = { BACKUP_KEEP_DAILY: '2', BACKUP_KEEP_WEEKLY: '0', BACKUP_KEEP_MONTHLY: '0' };
    const r = await assayWith({ ...env(), BACKUP_DIR: folder, BACKUP_CRON: 'off', ...kept })('backup', '--json');
    expect(r.exitCode, r.stderr).toBe(0);
    const { file, sound, removed } = r.json();
    expect([sound, removed]).toEqual([true, old.slice(0, 1)]);
    expect(readdirSync(folder).map((n) => join(folder, n))).toEqual([join(folder, old[1] as string), file]);
    const checked = await assayWith({})('restore', file, '--check', '--json');
    expect(checked.json().sound).toBe(true);
  });

  it('is wrong usage without BACKUP_DIR, and with the master key', async () => {
    const none = await assayWith(env())('backup');
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('set BACKUP_DIR')]);
    mkdirSync(join(newFolder(), 'secrets'));
    const keyed = await assayWith({ ...env(), BACKUP_DIR: newFolder() })('backup', '--with-master-key');
    expect([keyed.exitCode, keyed.stderr]).toEqual([2, expect.stringContaining('never hold the key')]);
  });
});

describe('the settings of backups', () => {
  it('are none without BACKUP_DIR, and else every night with a week, a month and a year', () => {
    expect(readSettings({}).backups).toBeUndefined();
    const { backups } = readSettings({ BACKUP_DIR: '/mnt/backups' });
    expect(backups).toEqual({
      dir: '/mnt/backups',
      cron: '23 1 * * *',
      keep: { daily: 7, weekly: 4, monthly: 12 },
      maxAgeMs: 26 * hour,
    });
    expect(parseCrontab(`${backups?.cron} backup`)).toHaveLength(1);
    expect(readSettings({ BACKUP_DIR: '/mnt/backups', BACKUP_CRON: 'off' }).backups?.cron).toBeUndefined();
  });

  it.each([
    [{ BACKUP_DIR: './data/backups' }, 'BACKUP_DIR must be a folder outside of DATA_DIR'],
    [{ BACKUP_DIR: '/srv/a', DATA_DIR: '/srv/a' }, 'BACKUP_DIR must be a folder outside of DATA_DIR'],
    [{ BACKUP_CRON: 'daily' }, 'BACKUP_CRON must be five fields of cron'],
    [{ BACKUP_KEEP_DAILY: '-1' }, 'BACKUP_KEEP_DAILY must be a whole number from 0'],
    [{ BACKUP_MAX_AGE_HOURS: '0' }, 'BACKUP_MAX_AGE_HOURS must be a whole number from 1'],
  ])('are refused as %j', (env, says) => {
    expect(() => readSettings(env)).toThrow(says);
  });
});
