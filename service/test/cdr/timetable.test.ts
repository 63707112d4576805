// With default settings, call detail files are picked up every quarter of an hour (Spec 8.1).
import { parseCrontab } from 'graphile-worker';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../src/settings.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { cdrRow, cdrText, dataDirOf, drop, status } from '../support/cdr-files.ts';

const shipped = readSettings({}).cdrPickupCron as string;

let t: TestApp;
beforeAll(async () => {
  t = await makeTestApp({ env: { CDR_PICKUP_CRON: shipped } });
});
afterAll(() => t?.stop());

describe('the shipped timetable', () => {
  it('has the four quarters of every hour of every day, and no other minute, as the library reads it', () => {
    const [item] = parseCrontab(`${shipped} cdr-pick-up`);
    const matches = item?.match as (at: object) => boolean;
    for (const [month, date, dow] of [
      [1, 1, 4],
      [2, 29, 2],
      [12, 31, 0],
    ])
      for (let hour = 0; hour < 24; hour++) {
        const minutes = Array.from({ length: 60 }, (_, min) => min);
        expect(minutes.filter((min) => matches({ min, hour, date, month, dow }))).toEqual([0, 15, 30, 45]);
      }
  });

  it('is registered by the service, and its job takes a file that was dropped', async () => {
    const client = await t.makeClient(await t.makePsp());
    drop(dataDirOf(t), client, 'quarter.csv', cdrText(cdrRow('quarter')));
    const known = () => t.database.admin.query('SELECT identifier FROM graphile_worker._private_known_crontabs');
    await vi.waitFor(async () => expect(await known()).toContainEqual({ identifier: 'cdr-pick-up' }), 60_000);
    await t.database.admin.query("SELECT graphile_worker.add_job('cdr-pick-up')");
    await vi.waitFor(() => expect(status(dataDirOf(t), client, 'quarter.csv').state).toBe('ACCEPTED'), 60_000);
  });
});
