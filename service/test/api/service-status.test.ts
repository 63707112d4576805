// The state of the service: for staff alone, with what is really there, and without a path, a host or a secret.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { markOf } from '../../src/platform/settings-mark.ts';
import { readSettings } from '../../src/settings.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { connectMs } from '../support/database.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let operator: Account;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  operator = await t.makeOperator();
});
afterAll(() => t?.stop());

interface Shown {
  readonly name: string;
  readonly state: string;
  readonly value: string;
}
const status = async () => contentOf(await t.get('/v1/admin/status', operator.apiKey));
const found = async (name: string): Promise<Shown> =>
  (await status()).checks.find((c: Shown) => c.name === name) ?? expect.fail(`no check ${name}`);

describe('the state of the service', () => {
  it('has every part read: none is unknown', async () => {
    const { checks, version } = await status();
    expect(checks.filter((c: Shown) => c.state === 'UNKNOWN')).toEqual([]);
    expect((await found('background')).value).toBe('1 process');
    expect((await found('versions')).value).toBe(version);
    const [{ n }] = (await t.database.admin.query('SELECT count(*)::int AS n FROM migrations')) as [{ n: number }];
    expect((await found('migrations')).value).toContain(`${n} applied`);
  });

  it('names the settings that another process on the database has otherwise, while it has', async () => {
    expect(await found('settings')).toMatchObject({ state: 'OK', value: 'the same in all processes' });
    const url = t.database.url;
    const other = readSettings({
      REQUIRED_LEVEL: 'ENHANCED',
      REQUIRE_TWO_PERSONS: 'none',
      UNKNOWN_TAX: 'refuse',
      PORT: '1',
    });
    const pool = new Pool(url, { max: 1, log: makeLog('silent'), mark: markOf(other.alike), connectMs });
    try {
      await pool.query('SELECT 1');
      expect(await found('settings')).toMatchObject({
        state: 'WARNING',
        value: 'not the same in all processes: REQUIRED_LEVEL, UNKNOWN_TAX',
      });
      expect((await found('versions')).state).toBe('OK');
    } finally {
      await pool.end();
    }
    await until('its connection is gone', async () => (await found('settings')).state === 'OK');
  });

  it('says how far its clock is from that of the database', async () => {
    const [{ at }] = (await t.database.admin.query('SELECT clock_timestamp() AS at')) as [{ at: string }];
    // The clock of a test is given in.
    const byMs = Date.parse(at) + 2 * 3_600_000 - t.now();
    t.setClock(byMs);
    const ahead = await found('clocks');
    t.setClock(-2 * 3_600_000);
    const same = await found('clocks');
    t.setClock(-2 * 3_600_000);
    const behind = await found('clocks');
    t.setClock(4 * 3_600_000 - byMs);
    expect(ahead).toMatchObject({ state: 'WARNING', value: expect.stringMatching(/ ahead of that of the database$/) });
    expect(behind).toMatchObject({ state: 'WARNING', value: expect.stringMatching(/ behind that of the database$/) });
    expect([same.state, same.value]).toEqual(['OK', 'the same as that of the database']);
  });

  it('says what is wrong while it is', async () => {
    await t.database.admin.query(
      `INSERT INTO journal_set_aside (psp_id, reader, seq, error) SELECT psp_id, 'test', 1, 'x' FROM journal_heads LIMIT 1`,
    );
    const before = await found('setAside');
    await t.database.admin.query("DELETE FROM journal_set_aside WHERE reader = 'test'");
    const after = await found('setAside');
    expect([before.state, after.state]).toEqual(['WARNING', 'OK']);
  });

  it('has the readers that there are: neither that of 0.1 nor an auditor whose address was taken away', async () => {
    const metrics = (await t.get('/metrics')).text;
    const readers = [...metrics.matchAll(/^assay_journal_reader_lag{reader="([^"]+)"}/gm)].map(([, name]) => name);
    expect(readers).toContain('daily-totals');
    for (const old of ['totals', 'auditor'])
      await t.database.admin.query(
        'INSERT INTO journal_cursors (psp_id, reader, seq) SELECT psp_id, $1, 0 FROM journal_heads',
        [old],
      );
    const { checks } = (await status()) as { checks: Shown[] };
    const shown = checks.flatMap(({ name }) => (name.startsWith('reader.') ? [name.slice('reader.'.length)] : []));
    expect(shown.filter((name) => !readers.includes(name))).toEqual([]);
    expect(shown).toContain('daily-totals');
  });

  it('names no path, host, database or secret', async () => {
    const text = JSON.stringify(await status());
    expect(text).not.toMatch(/\/(tmp|home|dev|var|data)\b|localhost|127\.0\.0\.1|postgres:\/\/|secret|password/i);
  });

  it('is for staff: no PSP or client learns of it', async () => {
    expectRefusal(await t.get('/v1/admin/status', psp.apiKey), 403, 'AUDIENCE');
    expectRefusal(await t.get('/v1/admin/status', client.apiKey), 403, 'AUDIENCE');
    expect((await t.get('/v1/admin/status')).status).toBe(401);
  });
});
