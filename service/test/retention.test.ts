// Data that is stored for a limited time: it is removed afterwards, completely and alone, and never while it is still
// needed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clearPast } from '../src/modules/subjects/retention.ts';
import { lockReplays } from '../src/modules/webhooks/replay-store.ts';
import { until } from './durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from './support/app.ts';
import { cdrRow, cdrText, dataDirOf, drop } from './support/cdr-files.ts';
import { contentOf } from './support/guarantees.ts';
import { rowCount, uuidOf } from './support/journal.ts';
import { caughtUp, plant, subscribe } from './support/webhooks.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let webhookId: string;
const day = 86_400_000;
const clear = () => clearPast(t.app.services);
const left = async (): Promise<number[]> =>
  Promise.all(['webhook_events', 'webhook_deliveries', 'webhook_attempts'].map((table) => rowCount(t, table)));
const stands = (eventId: string) => rowCount(t, 'webhook_events', 'id = $1', [uuidOf(eventId)]);

beforeAll(async () => {
  t = await makeTestApp({ env: { RETENTION_WEBHOOK_BODIES_DAYS: '30', RETENTION_REJECTED_LINES_DAYS: '60' } });
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  webhookId = await subscribe(t, client);
  await caughtUp(t);
  await t.database.admin.query('DELETE FROM webhook_deliveries');
  await t.database.admin.query('DELETE FROM webhook_events');
});
afterAll(() => t?.stop());

describe('announcements', () => {
  it('go with their attempts once all their deliveries ended so many days ago, and not a day before', async () => {
    const { eventId, deliveryId } = await plant(t, webhookId, client, { attempts: ['TIMEOUT', 'OK'] });
    const failed = await plant(t, webhookId, client, { state: 'exhausted', attempts: ['TIMEOUT'] });
    t.advance(30 * day);
    await clear();
    expect(await left()).toEqual([2, 2, 3]);
    t.advance(1);
    await clear();
    expect(await left()).toEqual([0, 0, 0]);
    for (const id of [eventId, failed.eventId])
      expect((await t.get(`/v1/event/${id}`, client.apiKey)).status).toBe(404);
    expect((await t.get(`/v1/webhook/${webhookId}/deliveries/${deliveryId}`, client.apiKey)).status).toBe(404);
  });

  it('stay whole while a delivery waits, is held or in hand, or ended later', async () => {
    const waiting = [];
    for (const state of ['pending', 'retrying', 'held', 'delivering'])
      waiting.push(await plant(t, webhookId, client, { state, attempts: ['TIMEOUT'] }));
    const told = await plant(t, webhookId, client);
    const late = await plant(t, webhookId, client);
    t.advance(31 * day);
    await t.database.admin.query('UPDATE webhook_deliveries SET finished_at = $2 WHERE id = $1', [
      uuidOf(late.deliveryId),
      new Date(t.now() - day).toISOString(),
    ]);
    await clear();
    for (const { eventId } of [...waiting, late]) expect(await stands(eventId)).toBe(1);
    expect(await stands(told.eventId)).toBe(0);
    await t.database.admin.query('DELETE FROM webhook_attempts');
    await t.database.admin.query('DELETE FROM webhook_deliveries');
    t.advance(31 * day);
    await clear();
    expect(await left()).toEqual([0, 0, 0]);
  });

  it('are removed in small steps, however many there are, and of every PSP', async () => {
    const other = await t.makePsp();
    const theirs = await subscribe(t, other);
    await caughtUp(t);
    // Of its own subscription it is still to be told.
    await t.database.admin.query("UPDATE webhook_deliveries SET state = 'cancelled', finished_at = created_at");
    for (let i = 0; i < 3; i++) await plant(t, theirs, other);
    await t.database.admin.query(
      `INSERT INTO webhook_events (psp_id, id, account_id, type, body, created_at)
       SELECT $1, uuid_floor($2::timestamptz + n * interval '1 ms'), $1, 'transaction.created', '{}', $2
       FROM generate_series(1, 1000) n`,
      [psp.uuid, new Date(t.now()).toISOString()],
    );
    t.advance(31 * day);
    await clear();
    expect((await left())[0]).toBe(0);
  });

  it('are left alone while a replay of the PSP is under way', async () => {
    const { eventId } = await plant(t, webhookId, client);
    t.advance(31 * day);
    await t.database.admin.transaction(async (tx) => {
      expect(await lockReplays(tx, psp.uuid)).toBe(true);
      await clear();
    });
    expect(await stands(eventId)).toBe(1);
    await clear();
    expect(await stands(eventId)).toBe(0);
  });

  it('can be made anew from the journal by a replay', async () => {
    const from = new Date(t.now()).toISOString();
    t.advance(1000);
    const body = {
      ref: 'kept',
      totalAmount: 107.5,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: { card: 107.5 },
      transactionFee: 0,
    };
    const { transactionId } = contentOf(await t.post('/v1/transaction/verifyTransaction', body, client.apiKey));
    await caughtUp(t);
    const event = async () =>
      (
        await t.database.admin.query("SELECT * FROM webhook_events WHERE body LIKE '%' || $1 || '%'", [transactionId])
      )[0];
    const first = await event();
    expect(first).toBeDefined();
    await t.database.admin.query("UPDATE webhook_deliveries SET state = 'delivered', finished_at = created_at");
    t.advance(40 * day);
    await clear();
    expect(await event()).toBeUndefined();
    const end = new Date(Date.parse(from) + day).toISOString();
    contentOf(
      await t.post(`/v1/webhook/${webhookId}/replay`, { since: from, until: end, only: 'missing' }, client.apiKey),
    );
    expect(await event()).toEqual(first);
  });
});

describe('rejected lines', () => {
  it('lose what stood in them after their days; what was wrong with them, and their file, stay', async () => {
    const bad = cdrText(cdrRow('r1', { caller_number: '' }), cdrRow('r2'));
    drop(dataDirOf(t), client, 'old.csv', bad);
    await t.app.services.cdrIntake.pickUp();
    const [{ fileId }] = contentOf(await t.get('/v1/telecom/file', client.apiKey)).items;
    const csv = async () => (await t.get(`/v1/telecom/file/${fileId}/rejected.csv`, client.apiKey)).text;
    t.advance(59 * day);
    await clear();
    expect(await csv()).toContain('CDR-r1');
    t.advance(2 * day);
    await clear();
    expect(await csv()).not.toContain('CDR-r1');
    const errors = contentOf(await t.get(`/v1/telecom/file/${fileId}/errors`, client.apiKey));
    expect(errors.items.map((f: { code: string }) => f.code)).toContain('REQUIRED');
    expect(contentOf(await t.get(`/v1/telecom/file/${fileId}`, client.apiKey)).suspense.open).toBe(1);
  });
});

describe('0 days', () => {
  it('keep everything for ever', async () => {
    const { services } = t.app;
    const { eventId } = await plant(t, webhookId, client);
    t.advance(1000 * day);
    const settings = { ...services.settings, retentionWebhookBodiesDays: 0, retentionRejectedLinesDays: 0 };
    await clearPast({ settings, clock: services.clock, log: services.log, db: services.db });
    expect(await stands(eventId)).toBe(1);
  });
});

describe('the timetable', () => {
  it('has the job, which one process runs at its time', async () => {
    const timed = await makeTestApp({ env: { RETENTION_CRON: '0 0 1 1 *', RETENTION_WEBHOOK_BODIES_DAYS: '1' } });
    try {
      const house = await timed.makePsp();
      const { eventId } = await plant(timed, await subscribe(timed, house), house);
      timed.advance(2 * day);
      // What the timetable does when its time has come.
      await timed.database.admin.query("SELECT graphile_worker.add_job('retention')");
      await until('the event is gone', async () => {
        return (await timed.get(`/v1/event/${eventId}`, house.apiKey)).status === 404;
      });
    } finally {
      await timed.stop();
    }
  });
});

describe('what risk rules counted and matched', () => {
  it('goes 400 days after the key was seen last, and not a day before', async () => {
    const { admin } = t.database;
    const at = new Date(t.now()).toISOString();
    await admin.query(
      "INSERT INTO risk_activity (psp_id, dimension, key, state, last_at) VALUES ($1, 'client', 'kept', '[]', $2)",
      [psp.uuid, at],
    );
    await admin.query(
      `INSERT INTO risk_matches (psp_id, record_id, rule, version, operation, account_id, shadow, currency, amount, counters, matched_at)
       VALUES ($1, gen_random_uuid(), 'KEPT', 1, 'deposit', $1, false, 'NGN', 1, '{}', $2)`,
      [psp.uuid, at],
    );
    await admin.query("INSERT INTO risk_match_counts VALUES ($1, 'KEPT', 1, $2::timestamptz::date, $1, 1)", [
      psp.uuid,
      at,
    ]);
    const kept = async () => [
      await rowCount(t, 'risk_activity', "key = 'kept'"),
      await rowCount(t, 'risk_matches', "rule = 'KEPT'"),
    ];
    t.advance(400 * day);
    await clear();
    expect(await kept()).toEqual([1, 1]);
    t.advance(1);
    await clear();
    expect(await kept()).toEqual([0, 0]);
    t.advance(day);
    await clear();
    expect(await rowCount(t, 'risk_match_counts', "rule = 'KEPT'")).toBe(0);
  });
});
