// Call detail records of an earlier version, which stored their columns only in text: the upgrade fills the columns,
// and records that such a version makes beside the current one have them at once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Row } from '../../src/platform/database.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { cdrs } from '../../src/records/cdrs.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { aCall } from '../support/calls.ts';
import { contentOf } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let asWritten: Row[];

const names = Object.keys(cdrs.columns);
const added = names.slice(names.indexOf('created_at') + 1, names.indexOf('is_late') + 1);
const before = names.slice(0, names.indexOf('created_at') + 1).join();

const call = { ...aCall, network_provider: 'MTN "Nigeria"' };
const zero = { latitude: 0, longitude: 0 };
const lagos = { latitude: 6.524379, longitude: 3.379206 };
const calls: Record<string, unknown>[] = [
  {},
  { call_type: 'sms', caller_number: 'My Bank', call_status: 'Quoted "so" \\ and é' },
  { caller_location: lagos, imei_caller: '490154203237518', imei_receiver: '356938035643809' },
  { caller_location: zero, call_type: 'TELEPATHY' },
  { caller_location: lagos, receiver_location: zero },
  { call_start_time: '2026-11-01T09:30:00Z', call_end_time: '2026-11-01T09:32:00Z' },
  {
    billing_information: { ...call.billing_information, data_used_kb: JSON.rawJSON('1234567890123456789.000001') },
    voip_details: { packet_loss_percentage: 0.5, jitter_ms: 0, latency_ms: JSON.rawJSON('1e2') },
    recording_available: true,
  },
];

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  for (const [i, c] of calls.entries())
    contentOf(await t.post('/v1/telecom/recordCDR', { ...call, cdr_id: `CDR-${i}`, ...c }, psp.apiKey));
  asWritten = await columnsOf("cdr_id LIKE 'CDR-_'");
});
afterAll(() => t?.stop());

const columnsOf = (where: string) =>
  t.database.admin.query(`SELECT ${added.join()} FROM cdrs WHERE ${where} ORDER BY right(cdr_id, 1), cdr_id`);

/** Copies of the records as a version before writes them, with other ids. */
const copies = (how: string, count: number) => `INSERT INTO cdrs (${before})
  SELECT ${before.replace(',id,', ',gen_random_uuid(),').replace(',cdr_id,', `,'${how} ' || n || cdr_id,`)}
  FROM cdrs, generate_series(1, ${count}) n WHERE cdr_id LIKE 'CDR-_'`;

it('has a value in every column of some of the records', () => {
  for (const name of added) expect([name, asWritten.some((r) => r[name] !== null)]).toEqual([name, true]);
});

it('gives the columns to what a version before records meanwhile', async () => {
  await t.database.admin.query(copies('beside', 1));
  expect(await columnsOf("cdr_id LIKE 'beside %'")).toEqual(asWritten);
});

it('fills in what was recorded before the upgrade, more than are done at once', async () => {
  const { admin } = t.database;
  const each = 3000;
  await admin.withClient(async (c) => {
    await c.query("SET session_replication_role = 'replica'");
    await c.query(copies('earlier', each));
    await c.query('RESET session_replication_role');
  });
  expect((await columnsOf("cdr_id LIKE 'earlier %'")).every((r) => added.every((name) => r[name] === null))).toBe(true);
  await admin.query("DELETE FROM migrations WHERE name = '0042-fill-columns-of-calls.sql'");
  expect(await migrate(admin, new Date(t.now()))).toEqual(['0042-fill-columns-of-calls.sql']);
  expect(await columnsOf("cdr_id LIKE 'earlier %'")).toEqual(
    asWritten.flatMap((r) => Array.from({ length: each }, () => r)),
  );
});
