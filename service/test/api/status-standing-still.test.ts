// The state of the service while something does not move: call detail files, the seal, a reader of the journal. What waits
// is little, and is not called well for that.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CdrIntake } from '../../src/modules/telecom/index.ts';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed, verified } from '../support/audit.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import { connectMs } from '../support/database.ts';
import { contentOf } from '../support/guarantees.ts';

let t: TestApp;
let client: Account;
let operator: Account;

beforeAll(async () => {
  t = await makeTestApp();
  client = await t.makeClient(await t.makePsp());
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

describe('work that stands still', () => {
  const minute = 60_000;
  /** Keeps a reader of the journal from moving. */
  const hold = (reader: string) =>
    t.database.admin.query(
      `CREATE OR REPLACE FUNCTION hold_${reader.replace('-', '_')}() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'a test holds this reader'; END $$;
       CREATE TRIGGER held_${reader.replace('-', '_')} BEFORE INSERT OR UPDATE ON journal_cursors FOR EACH ROW
         WHEN (NEW.reader = '${reader}') EXECUTE FUNCTION hold_${reader.replace('-', '_')}()`,
    );

  it('is not well in call detail files that nothing is done on, whatever becomes of other files', async () => {
    const mine = t.app.services.cdrIntake;
    const state = async () => (await found('callFiles')).state;
    expect(await found('callFiles')).toMatchObject({ state: 'OK', value: 'none waiting' });
    drop(dataDirOf(t), client, 'long.csv', cdrText(...Array.from({ length: 2_500 }, (_, i) => cdrRow(i))));
    await mine.take({});
    expect(await found('callFiles')).toMatchObject({ state: 'OK', value: expect.stringMatching(/ left$/) });
    t.advance(31 * minute);
    // Another file is picked up: that is not work on the first.
    drop(dataDirOf(t), await t.makeClient(await t.makePsp()), 'other.csv', cdrText(cdrRow(1)));
    await mine.take({});
    expect(await found('callFiles')).toMatchObject({
      state: 'WARNING',
      value: expect.stringMatching(/ left, nothing done for 31 min$/),
      advice: expect.stringContaining('"a call detail file could not be worked on to its end"'),
    });
    const pool = new Pool(t.database.url, { max: 2, log: makeLog('silent'), role: 'assay_app', connectMs });
    try {
      const one: CdrIntake = new CdrIntake({
        ...{ services: t.app.services, pool, dataDir: dataDirOf(t) },
        observe: () => void one.stop(),
      });
      await one.work();
    } finally {
      await pool.end();
    }
    // A portion was recorded.
    expect(await state()).toBe('OK');
    t.advance(31 * minute);
    expect(await state()).toBe('WARNING');
    await mine.work();
    expect(await found('callFiles')).toMatchObject({ state: 'OK', value: 'none waiting' });
  });

  it('is seen in a file that later ones of its PSP pass, and not in one that waited for those before it', async () => {
    for (const name of ['first.csv', 'second.csv']) {
      drop(dataDirOf(t), client, name, cdrText(cdrRow(name)));
      await t.app.services.cdrIntake.pickUp();
    }
    t.advance(31 * minute);
    const set = (name: string, state: string, at: string | null) =>
      t.database.admin.query('UPDATE cdr_files SET state = $2, completed_at = $3 WHERE name = $1', [name, state, at]);
    const now = new Date(t.now()).toISOString();
    await set('first.csv', 'ACCEPTED', now);
    await set('second.csv', 'PROCESSING', null);
    const waited = await found('callFiles');
    await set('first.csv', 'PROCESSING', null);
    await set('second.csv', 'ACCEPTED', now);
    const passed = await found('callFiles');
    await set('first.csv', 'ACCEPTED', now);
    expect([waited.state, passed.state]).toEqual(['OK', 'WARNING']);
  });

  it('is not well in a seal that is behind in a journal of no PSP', async () => {
    await allSealed(t);
    expect(await found('sealing')).toMatchObject({ state: 'OK', value: 'every entry is sealed' });
    await hold('seal');
    await t.makeOperator();
    t.advance(minute);
    expect(await found('sealing')).toMatchObject({
      state: 'WARNING',
      value: expect.stringMatching(/^\d entr(y|ies), the oldest 1 min old$/),
    });
  });

  it('is not well in a reader that is stuck, however few entries wait for it', async () => {
    await until('it has read all', async () => (await found('reader.daily-totals')).value === 'at the end');
    await hold('daily-totals');
    for (let i = 0; i < 5; i++) await verified(t, client);
    expect(await found('reader.daily-totals')).toMatchObject({ state: 'OK', value: '5 entries behind' });
    t.advance(minute);
    expect(await found('reader.daily-totals')).toMatchObject({
      state: 'WARNING',
      value: '5 entries behind, the oldest 1 min old',
      advice: expect.stringContaining('the log names the PSP and the cause'),
    });
    t.advance(14 * minute);
    expect((await found('reader.daily-totals')).state).toBe('CRITICAL');
    expect((await status()).state).toBe('CRITICAL');
  });
});
