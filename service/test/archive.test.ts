// Old months in the archive: what users ask of them is answered or refused and never decided again, the files prove
// themselves, and a month comes back as it was.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ranges } from '../src/adapters/http/months.ts';
import { operations } from '../src/adapters/http/operations.ts';
import type { VerifiedReceipt } from '../src/core/audit/receipt.ts';
import { makeArchive, restoreMonth, verifyArchive } from '../src/modules/archive/index.ts';
import { audit, CheckpointFolder, findLastCheckpoint, unproven } from '../src/modules/audit/index.ts';
import { checkpointIn } from '../src/modules/audit/sealer.ts';
import { system } from '../src/modules/kernel/principal.ts';
import { type Database, Pool } from '../src/platform/database.ts';
import { readJournal } from '../src/platform/journal-entries.ts';
import { ensurePartitions } from '../src/platform/migrate.ts';
import { assayWith } from './cli/run.ts';
import { until } from './durability/support/conditions.ts';
import {
  type Account,
  type Answer,
  makeDatabase,
  makeTestApp,
  type TestApp,
  type TestDatabase,
} from './support/app.ts';
import { allSealed, check, keyOf } from './support/audit.ts';
import { cdrRow, cdrText, dataDirOf, drop, status } from './support/cdr-files.ts';
import { connectMs } from './support/database.ts';
import { contentOf, expectRefusal } from './support/guarantees.ts';
import { uuidOf } from './support/journal.ts';

const env = { ASSAY_MASTER_KEY: '5d'.repeat(32), ARCHIVE_AFTER_MONTHS: '6' };
const psps = 4;
const sales = 40;
const customer = { email: 'archived.person@example.com', name: 'Ada Old', phoneNumber: '+2348030000002' };

interface Own {
  readonly psp: Account;
  readonly client: Account;
  readonly gamer: Account;
  /** Wire ids of its records of November. */
  readonly ids: Record<string, string>;
}

let database: TestDatabase;
let t: TestApp;
/** Connections as the service has them. */
let auditing: Pool;
let cli: ReturnType<typeof assayWith>;
const owns: Own[] = [];

const sale = (ref: string, over: Record<string, unknown> = {}) => ({
  ref,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
  ...over,
});
const verify = (o: Own, ref: string, over: Record<string, unknown> = {}) =>
  t.post('/v1/transaction/verifyTransaction', sale(ref, over), o.client.apiKey);
const money = (ref: string) => ({
  ref,
  totalAmount: 5000,
  currency: 'NGN',
  countryCode: 'NG',
  transactionFee: 1.5,
  customer,
});
const bet = (ref: string) => ({ amount: 100, ref, customer, ip: '102.0.2.44', type: 'sports' });
const win = (ref: string, wagerReference: string) => ({ amount: 50, ref, customer, wagerReference });
const call = (cdr_id: string) => ({
  cdr_id,
  timestamp: '2026-11-21T09:52:05Z',
  caller_number: '+2348031234567',
  receiver_number: '+2348059876543',
  call_start_time: '2026-11-21T09:50:00Z',
  call_end_time: '2026-11-21T09:52:00Z',
  call_duration_seconds: 120,
  call_type: 'VOICE',
  call_status: 'COMPLETED',
  caller_location: { latitude: 6.5244, longitude: 3.3792 },
  network_provider: 'MTN Nigeria',
  billing_information: { call_cost: 24.5, currency: 'NGN', billing_plan: 'PREPAID', data_used_kb: 0 },
  recording_available: false,
});

/** What each kind of record is submitted by. */
const submissions = (
  o: Own,
  i: number,
): readonly (readonly [string, string, Record<string, unknown>, Account, string])[] => [
  ['sale', '/v1/transaction/verifyTransaction', sale(`sale-${i}`), o.client, 'transactionId'],
  ['deposit', '/v1/payment/deposit', money(`dep-${i}`), o.gamer, 'transactionId'],
  [
    'withdrawal',
    '/v1/payment/withdrawal',
    { ...money(`wd-${i}`), toAddress: { bank: 'First', account: '3099' } },
    o.gamer,
    'transactionId',
  ],
  ['wager', '/captureWager', bet(`bet-${i}`), o.gamer, 'wagerId'],
  ['payout', '/capturePayout', win(`win-${i}`, `bet-${i}`), o.gamer, 'payoutId'],
  ['cdr', '/v1/telecom/recordCDR', call(`cdr-${i}`), o.client, 'cdrId'],
  [
    'basket',
    '/v1/basket/submitBasket',
    {
      ref: `cart-${i}`,
      totalAmount: 107.5,
      items: [{ sku: 'A', title: 'Pen', description: '', quantity: 10, price: 10.75, subTotal: 107.5 }],
      paymentMethods: { card: 107.5 },
      currency: 'NGN',
      countryCode: 'NG',
    },
    o.client,
    'basketId',
  ],
];

const readers = () => (t.app.following?.readers ?? []).map((r) => r.name);
const options = (month: string) => ({
  services: t.app.services,
  principal: system,
  owner: database.admin,
  month,
  signal: new AbortController().signal,
});
const make = (month: string) => makeArchive(options(month), readers());
const file = (month: string) => join(t.app.services.settings.dataDir, 'archive', `${month}.assay`);
const verifyAll = () =>
  Array.fromAsync(verifyArchive(database.admin, t.app.services.settings.dataDir, options('').signal));
const findings = async () => {
  const folders = [new CheckpointFolder(join(t.app.services.settings.dataDir, 'checkpoints'))];
  // Prepared: the same audit is planned once for all PSPs.
  return (await Array.fromAsync(audit({ db: auditing.prepared, folders }))).flatMap((a) =>
    a.findings.map((f) => f.message),
  );
};
/** All readers have read all that was recorded. */
async function settled(): Promise<void> {
  await allSealed(t);
  await until('all have read all', async () => {
    for (const r of t.app.following?.readers ?? []) r.wake();
    const [n] = await database.admin.query(
      `SELECT count(*) AS behind FROM journal_heads h CROSS JOIN unnest($1::text[]) r(reader)
       LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = r.reader WHERE coalesce(c.seq, 0) < h.seq`,
      [readers()],
    );
    return n?.behind === 0;
  });
}
/** A pool with each of whose readings of entries a PSP records something, as one that never rests, at most so often. */
function recordingMeanwhile<T extends Database>(pool: T, most: number): { pool: T; times: () => number } {
  let times = 0;
  const query = async (text: string, values?: unknown[]) => {
    if (text.includes('ORDER BY seq, id LIMIT') && times < most)
      contentOf(await verify(owns[0] as Own, `without-rest-${most}-${++times}`));
    return pool.query(text, values);
  };
  const get = (of: T, name: string | symbol) => {
    const value = name === 'query' ? query : Reflect.get(of, name, of);
    return typeof value === 'function' ? value.bind(of) : value;
  };
  return { pool: new Proxy(pool, { get }), times: () => times };
}
const tables = ['transactions', 'wagers', 'payouts', 'cdrs', 'cdr_analyses', 'journal'];
/** Every row of the partitioned tables and of what is left beside them, as text. */
const everything = async (month: string) =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => {
        const part = `${table}_${month.replace('-', '')}`;
        const [there] = await database.admin.query('SELECT FROM pg_class WHERE relname = $1 AND relispartition', [
          part,
        ]);
        const rows = await database.admin.query<{ row: string }>(
          there ? `SELECT t::text AS row FROM ${part} t ORDER BY 1` : 'SELECT WHERE false',
        );
        return [table, rows.map((r) => r.row)];
      }),
    ),
  );
const kept = [
  'refs',
  'transaction_revisions',
  'lookups',
  'daily_totals',
  'baskets',
  'chargebacks',
  'audit_tiles',
  'journal_other',
];
const counts = async () =>
  Object.fromEntries(
    await Promise.all(
      kept.map(
        async (table) => [table, (await database.admin.query(`SELECT count(*) AS n FROM ${table}`))[0]?.n] as const,
      ),
    ),
  );

let november: Record<string, string[]>;
let before: Record<string, unknown>;
let firstAnswers: Answer[];

beforeAll(async () => {
  database = await makeDatabase();
  t = await makeTestApp({ database, env });
  auditing = new Pool(database.url, { max: 1, log: t.app.services.log, role: 'assay_app', connectMs });
  cli = assayWith({ ...env, DATABASE_URL: database.url, DATA_DIR: t.app.services.settings.dataDir });
  for (let i = 0; i < psps; i++) {
    const psp = await t.makePsp(`Old Pay ${i}`);
    const client = await t.makeClient(psp);
    const gamer = await t.makeClient(psp, { classification: 'IGAMING_LOCAL' });
    const o: Own = { psp, client, gamer, ids: {} };
    owns.push(o);
    for (const [kind, path, body, by, id] of submissions(o, i))
      o.ids[kind] = contentOf(await t.post(path, body, by.apiKey))[id];
    await Promise.all(Array.from({ length: sales }, async (_, n) => contentOf(await verify(o, `more-${i}-${n}`))));
    o.ids.undone = contentOf(await verify(o, `undone-${i}`)).transactionId;
  }
  // In the next month: a chargeback, a revision, and records of its own.
  t.advance(20 * 86_400_000);
  for (const [i, o] of owns.entries()) {
    contentOf(await t.post('/v1/transaction/chargeBack', { ref: `undone-${i}` }, o.psp.apiKey));
    contentOf(await verify(o, `more-${i}-0`, { totalAmount: 215, paymentMethods: { card: 215 } }));
    o.ids.december = contentOf(await verify(o, `december-${i}`)).transactionId;
  }
  firstAnswers = await Promise.all(owns.map((o, i) => verify(o, `sale-${i}`)));
  await settled();
  november = await everything('2026-11');
});
afterAll(async () => {
  await auditing?.end();
  await t?.stop();
  await database?.drop();
});

describe('where nothing is archived', () => {
  it('rows of any month are taken, as a wrong clock writes them, and the audit looks at rows of every month', async () => {
    const put = (id: string) =>
      database.admin.query(
        `INSERT INTO wagers SELECT psp_id, $1, account_id, recorded_by, 'put-in', amount, currency, country, product_line, ip,
           evidence, request, observations, sealed, subject, created_at, decided_on FROM wagers LIMIT 1`,
        [id],
      );
    for (const id of ['01700000-0000-7000-8000-000000000001', '01ff0000-0000-7000-8000-000000000002']) {
      await put(id);
      expect((await findings()).join()).toMatch(/the journal has no entry about it/);
      expect(await database.admin.query('DELETE FROM wagers_other WHERE id = $1 RETURNING id', [id])).toEqual([{ id }]);
    }
    expect(await findings()).toEqual([]);
    const list = contentOf(await t.get('/v1/wager', owns[0]?.psp.apiKey));
    expect(list.archivedBefore).toBeUndefined();
    expectRefusal(await t.get(`/v1/wager/wgr_${'0'.repeat(26)}`, owns[0]?.psp.apiKey), 404, 'NOT_FOUND');
  });
});

describe('the audit of a PSP that records without rest', () => {
  it('ends at what was recorded when it began, and says so', async () => {
    const most = 300;
    const { pool, times } = recordingMeanwhile(database.admin, most);
    const psp = owns[0]?.psp.uuid as string;
    const [head] = await database.admin.query('SELECT seq FROM journal_heads WHERE psp_id = $1', [psp]);
    const [found] = await Array.fromAsync(audit({ db: pool, psp, folders: [] }));
    const recorded = times();
    expect(recorded).toBeGreaterThan(0);
    expect(recorded).toBeLessThan(most);
    const through = head?.seq as number;
    expect(found).toMatchObject({ entries: through, findings: [] });
    expect(found?.remarks).toEqual([
      expect.stringMatching(
        new RegExp(
          `^entr(y|ies) ${through + 1}( to \\d+)?: recorded during this verification, and left to the next one$`,
        ),
      ),
    ]);
    const [next] = await Array.fromAsync(audit({ db: database.admin, psp, folders: [] }));
    expect(next).toMatchObject({ entries: through + recorded, findings: [] });
    // What is gone from the end is found though later entries follow.
    await database.admin
      .transaction(async (tx) => {
        await tx.query('DELETE FROM journal WHERE psp_id = $1 AND seq > $2', [psp, through - 1]);
        const cut = recordingMeanwhile(tx, 1);
        const [a] = await Array.fromAsync(audit({ db: cut.pool, psp, folders: [] }));
        expect(a?.findings[0]).toMatchObject({ code: 'ENTRY_MISSING', seq: through });
        throw new Error('rolled back');
      })
      .catch((e: Error) => expect(e.message).toBe('rolled back'));
    await settled();
  });
});

describe('a month that is still needed is not archived', () => {
  it('while it is younger than ARCHIVE_AFTER_MONTHS', async () => {
    await expect(make('2026-10')).rejects.toThrow(/younger than ARCHIVE_AFTER_MONTHS, 6 months/);
    t.advance(86_400_000 * 200);
    await ensurePartitions(database.admin, new Date(t.now()));
    const off = { ...t.app.services, settings: { ...t.app.services.settings, archiveAfterMonths: 0 } };
    await expect(makeArchive({ ...options('2026-10'), services: off }, readers())).rejects.toThrow(
      /nothing may be archived/,
    );
  });

  it('before the months that are older', async () => {
    await expect(make('2026-11')).rejects.toThrow(/archive 2026-10 first/);
    expect(await make('2026-10')).toMatchObject({ month: '2026-10', rows: { journal: 0, transactions: 0 } });
  });

  it('while a reader has not read to its end', async () => {
    await database.admin.query("INSERT INTO journal_cursors VALUES ($1, 'new', 1)", [owns[0]?.psp.uuid]);
    await expect(makeArchive(options('2026-11'), [...readers(), 'new'])).rejects.toThrow(/has not read to its end/);
  });

  it('while an account has calls in it and has not closed that month', async () => {
    await expect(make('2026-11')).rejects.toThrow(
      new RegExp(`(${owns.map((o) => o.client.id).join('|')}) has call detail records in it and has not closed`),
    );
    for (const o of owns) contentOf(await t.post('/v1/telecom/period/close', { period: '2026-11' }, o.client.apiKey));
    await settled();
  });

  it('while a chargeback of it is in dispute', async () => {
    const [row] = await database.admin.query<{
      id: string;
      account_id: string;
      transaction_id: string;
      psp_id: string;
    }>('SELECT * FROM chargebacks LIMIT 1');
    await database.admin.query(
      `INSERT INTO disputes SELECT $1, gen_random_uuid(), $2, $3, $4, 'why', now(), 'OPEN', '[]', NULL, 'x', NULL, 1, now(), now()`,
      [row?.psp_id, row?.account_id, row?.id, row?.transaction_id],
    );
    await expect(make('2026-11')).rejects.toThrow(/in dispute/);
    await database.admin.query('DELETE FROM disputes');
  });

  it('while its records are not what the journal tells', async () => {
    await database.admin.query("UPDATE wagers SET amount = amount + 1 WHERE ref = 'bet-1'");
    await expect(make('2026-11')).rejects.toThrow(/nothing is archived: the wager .* not what was recorded/);
    await database.admin.query("UPDATE wagers SET amount = amount - 1 WHERE ref = 'bet-1'");
  });
});

describe('a month in the archive', () => {
  beforeAll(async () => {
    before = await counts();
    const made = await make('2026-11');
    expect(made.rows).toEqual(Object.fromEntries(tables.map((table) => [table, november[table]?.length])));
  });

  it('is in no table, and everything beside it stays', async () => {
    expect(await everything('2026-11')).toEqual(Object.fromEntries(tables.map((table) => [table, []])));
    const { journal_other: others, ...rest } = await counts();
    const { journal_other: _, ...was } = before;
    expect(rest).toEqual(was);
    // Entries that are about no record: who was registered, which keys were issued.
    expect(others).toBeGreaterThan(psps * 3);
    const loose = await database.admin.query("SELECT FROM pg_class WHERE relname ~ '_202611$' AND relkind = 'r'");
    expect(loose).toEqual([]);
  });

  it('answers a repeated ref of every kind as archived, decides nothing again and records nothing', async () => {
    const [heads] = await database.admin.query('SELECT sum(seq) AS n FROM journal_heads');
    for (const [i, o] of owns.entries())
      for (const [kind, path, body, by] of submissions(o, i)) {
        const r = await t.post(path, body, by.apiKey);
        expect([kind, r.status, r.headers.get('x-error-code')]).toEqual([kind, 410, 'ARCHIVED']);
        expect(r.body.message).toContain(body.cdr_id ?? body.ref);
        expect(r.body.message).toContain('2026-12-01');
      }
    const changed = await verify(owns[0] as Own, 'sale-0', { totalAmount: 50, paymentMethods: { card: 50 } });
    expectRefusal(changed, 410, 'ARCHIVED', /assay archive read/);
    expect(await database.admin.query('SELECT sum(seq) AS n FROM journal_heads')).toEqual([heads]);
  });

  it('answers equal and different repetitions at once, without holding up others', async () => {
    const o = owns[0] as Own;
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => verify(o, i % 3 === 0 ? `fresh-${i}` : `more-0-${i % sales}`)),
    );
    expect(answers.map((r) => r.status)).toEqual(answers.map((_, i) => (i % 3 === 0 ? 200 : 410)));
  });

  it('rejects a line of a call detail file whose record it holds, and takes in the others', async () => {
    const o = owns[0] as Own;
    const late = { timestamp: new Date(t.now()).toISOString(), call_start_time: '', call_end_time: '' };
    const begun = new Date(t.now() - 600_000).toISOString();
    const times = {
      ...late,
      call_start_time: begun,
      call_end_time: new Date(Date.parse(begun) + 120_000).toISOString(),
    };
    drop(
      dataDirOf(t),
      o.client,
      'again.csv',
      cdrText(cdrRow('x', { ...times, cdr_id: 'cdr-0' }), cdrRow('new', times)),
    );
    await t.app.services.cdrIntake.pickUp();
    const told = status(dataDirOf(t), o.client, 'again.csv');
    expect(told.counts).toMatchObject({ accepted: 1, rejected: 1, duplicate: 0 });
    expect(JSON.stringify(told)).toContain('its record is in the archive');
  });

  it('answers details, status and receipt of its records as archived, and what never was as not found', async () => {
    const o = owns[1] as Own;
    for (const path of [
      `/v1/transaction/${o.ids.sale}`,
      `/v1/transaction/${o.ids.sale}/history`,
      `/v1/transaction/verifyTransactionStatus?transactionId=${o.ids.sale}`,
      `/v1/wager/${o.ids.wager}`,
      `/v1/payout/${o.ids.payout}`,
      `/v1/telecom/cdr/${o.ids.cdr}`,
      `/v1/audit/receipt/${o.ids.basket}`,
      `/v1/audit/receipt/${o.ids.sale}`,
      `/v1/audit/receipt/${o.ids.undone}`,
    ])
      expect([path, (await t.get(path, o.psp.apiKey)).status]).toEqual([path, 410]);
    expectRefusal(await t.post('/v1/transaction/chargeBack', { ref: 'sale-1' }, o.psp.apiKey), 410, 'ARCHIVED');
    expectRefusal(await t.post('/capturePayout', win('late-win', 'bet-1'), o.gamer.apiKey), 410, 'ARCHIVED');
    expectRefusal(await t.post('/capturePayout', win('late-win', 'no-such-bet'), o.gamer.apiKey), 404, 'NOT_FOUND');
    // What is not kept by month stays where it is.
    expect((await t.get(`/v1/basket/${o.ids.basket}`, o.psp.apiKey)).status).toBe(200);
    // A client learns nothing of another client's refs.
    expectRefusal(await t.post('/capturePayout', win('late-win', 'bet-1'), o.client.apiKey), 404, 'NOT_FOUND');
    expect((await t.get(`/v1/transaction/${o.ids.december}`, o.psp.apiKey)).status).toBe(200);
    expect((await t.get(`/v1/audit/receipt/${o.ids.december}`, o.psp.apiKey)).status).toBe(200);
  });

  it('is named at the end of lists, and a period that reaches into it is refused', async () => {
    const { apiKey } = (owns[0] as Own).psp;
    for (const path of ['/v1/transaction', '/v1/wager', '/v1/payout', '/v1/telecom/cdr', '/v1/journal?records=true']) {
      const list = contentOf(await t.get(path, apiKey));
      expect([path, list.archivedBefore]).toEqual([path, '2026-12-01']);
    }
    // Neither of these is a list, and each would seem to say that there is nothing else.
    const operator = await t.makeOperator();
    const view = {
      name: 'Revenue',
      countryCode: 'NG',
      dayFrom: '2026-01-01',
      until: '2099-12-31T00:00:00Z',
      reason: 'x',
    };
    const { authorityId } = contentOf(await t.post('/v1/admin/authority', view, operator.apiKey));
    const sample = contentOf(await t.get(`/v1/authority/sample?seed=1&authorityId=${authorityId}`, operator.apiKey));
    expect(sample.archivedBefore).toBe('2026-12-01');
    const hits = contentOf(await t.post('/v1/search', { q: 'sale-1' }, apiKey));
    expect(hits.archivedBefore).toBe('2026-12-01');
    const first = contentOf(await t.get('/v1/transaction?limit=1', apiKey));
    expect([first.nextCursor, first.archivedBefore]).toEqual([expect.any(String), undefined]);
    for (const query of [
      'from=2026-11-30T23:59:59Z',
      'dayFrom=2026-11-30&dayTo=2026-12-30',
      'dayFrom=2026-12-01&dayTo=2026-12-30',
    ])
      expectRefusal(await t.get(`/v1/transaction?${query}`, apiKey), 410, 'ARCHIVED', /part of the period/);
    for (const query of ['from=2026-12-01T00:00:00Z', 'dayFrom=2026-12-02&dayTo=2026-12-30'])
      expect((await t.get(`/v1/transaction?${query}`, apiKey)).status).toBe(200);
    expectRefusal(await t.post('/v1/report', { kind: 'chargebacks', period: '2026-11' }, apiKey), 410, 'ARCHIVED');
    // A search for an amount says that it begins after the archive.
    const asked = { q: '100', from: '2026-11-01T00:00:00Z', to: '2026-12-20T00:00:00Z' };
    expect(contentOf(await t.post('/v1/search', asked, apiKey)).amounts).toEqual({
      from: '2026-12-01T00:00:00.000Z',
      to: '2026-12-20T00:00:00.000Z',
    });
    expect((await t.post('/v1/report', { kind: 'chargebacks', period: '2027-01' }, apiKey)).status).toBe(200);
    const totals = contentOf(await t.get('/v1/totals?dayFrom=2026-11-01&dayTo=2026-11-30', apiKey));
    expect(totals.items.length).toBeGreaterThan(0);
  });

  it('is left out by the audit, which says so and finds nothing wrong', async () => {
    await settled();
    expect(await findings()).toEqual([]);
    const audited = await cli('audit', 'verify', '--json');
    expect([audited.exitCode, audited.stderr]).toEqual([0, '']);
    const own = audited.json().psps.find((p: { pspId: string }) => p.pspId === owns[0]?.psp.id);
    expect(own.remarks).toEqual([
      expect.stringMatching(/^entries 1 to \d+: those of records are in the archive; assay archive verify/),
    ]);
    const wrong = await database.admin.query(
      "UPDATE journal SET body = replace(body, 'Lagos', 'Logos') WHERE kind = 'client.created' AND body LIKE '%Lagos%' RETURNING 1",
    );
    expect(wrong.length).toBeGreaterThan(0);
    expect((await findings()).join()).toMatch(/is not the one that was sealed/);
    await database.admin.query("UPDATE journal SET body = replace(body, 'Logos', 'Lagos') WHERE body LIKE '%Logos%'");
    expect(await findings()).toEqual([]);
  });

  it('cannot be counted again: totals stand, and rebuilding and comparing them is refused', async () => {
    for (const command of ['rebuild', 'verify']) {
      const r = await cli('totals', command, '--psp', owns[0]?.psp.id as string);
      expect([r.exitCode, r.stderr]).toEqual([
        3,
        expect.stringMatching(/part of the journal is of a month in the archive/),
      ]);
    }
  });

  it('takes no row, not even one that was decided before it was archived', async () => {
    const [row] = await database.admin.query('SELECT * FROM transaction_revisions LIMIT 1');
    await expect(
      database.admin.query('INSERT INTO transactions SELECT * FROM transaction_revisions WHERE id = $1', [row?.id]),
    ).rejects.toMatchObject({ code: '23A10' });
  });

  it('is listed, and read with receipts that hold without the service', async () => {
    const listed = (await cli('archive', 'list', '--json')).json();
    expect(listed.items.map((m: { month: string }) => m.month)).toEqual(['2026-10', '2026-11']);
    for (const [i, o] of owns.entries()) {
      const key = await keyOf(t, o.psp);
      // Every kind of the first PSP, one of each other.
      for (const [kind, , body] of submissions(o, i).slice(0, i === 0 ? undefined : 1)) {
        const r = await cli('archive', 'read', o.ids[kind] as string, '--json');
        expect([kind, r.exitCode, r.stderr]).toEqual([kind, 0, expect.any(String)]);
        const [record] = r.json().records;
        const proof = check(record.receipt, key);
        expect(proof).toMatchObject({ entries: [{ resource: uuidOf(o.ids[kind] as string) }] });
        if (kind !== 'basket') expect(record.rows[0].row).toMatchObject({ psp_id: o.psp.uuid });
        expect(r.stdout).not.toMatch(/archived\.person|Ada Old/);
        const ref = (body.cdr_id ?? body.ref) as string;
        if (kind !== 'basket') {
          const byRef = (await cli('archive', 'read', ref, '--psp', o.psp.id, '--json')).json();
          expect(byRef.records).toEqual([record]);
        }
      }
      // Its chargeback was recorded a month later.
      const undone = (await cli('archive', 'read', o.ids.undone as string, '--json')).json().records[0];
      const told = check(undone.receipt, key) as VerifiedReceipt;
      expect(told.entries.map((e) => e.kind)).toEqual(['transaction.created', 'transaction.updated']);
    }
    expect((await cli('archive', 'read', 'no-such-ref', '--psp', owns[0]?.psp.id as string)).exitCode).toBe(3);
  });

  it('proves itself: every entry against the signed checkpoints, every byte against the journal', async () => {
    const sound = await verifyAll();
    expect(sound.flatMap((m) => m.findings)).toEqual([]);
    expect(sound[1]).toMatchObject({ entries: november.journal?.length, month: '2026-11' });
    expect(sound[1]?.psps).toBeGreaterThanOrEqual(psps);

    const bytes = readFileSync(file('2026-11'));
    for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
      const wrong = Buffer.from(bytes);
      wrong[at] = (wrong[at] as number) ^ 1;
      writeFileSync(file('2026-11'), wrong);
      expect((await verifyAll())[1]?.findings).toEqual([expect.stringMatching(/was changed: its SHA-256 is/)]);
    }
    writeFileSync(file('2026-11'), bytes.subarray(0, -1));
    expect((await verifyAll())[1]?.findings).toHaveLength(1);
    rmSync(file('2026-11'));
    expect((await verifyAll())[1]?.findings).toEqual([expect.stringMatching(/is missing/)]);
    const r = await cli('archive', 'verify');
    expect([r.exitCode, r.stderr]).toEqual([1, expect.stringMatching(/the archive of 1 of 2 months is not sound/)]);
    await expect(restoreMonth(options('2026-11'))).rejects.toThrow(/is missing/);
    writeFileSync(file('2026-11'), bytes);

    // Whoever changes the hash in the database too is told by the journal.
    await database.admin.query("UPDATE archived_months SET sha256 = repeat('0', 64) WHERE month = '2026-11-01'");
    expect((await verifyAll())[1]?.findings[0]).toMatch(/names another file for 2026-11 than the journal/);
    await database.admin.query("UPDATE archived_months a SET sha256 = $1 WHERE month = '2026-11-01'", [
      sound[1]?.sha256,
    ]);
    expect((await cli('archive', 'verify')).exitCode).toBe(0);
  });

  it('is not proved by a checkpoint that the key of the service did not sign', async () => {
    await database.admin.query(
      "UPDATE audit_checkpoints SET note = replace(note, 'assay', 'essay') WHERE psp_id = $1",
      [owns[2]?.psp.uuid],
    );
    expect((await verifyAll())[1]?.findings).toEqual([expect.stringMatching(/not signed by the key/)]);
    await database.admin.query(
      "UPDATE audit_checkpoints SET note = replace(note, 'essay', 'assay') WHERE psp_id = $1",
      [owns[2]?.psp.uuid],
    );
  });

  it('keeps nobody from being forgotten: with the key gone, nothing in the file can be read', async () => {
    const o = owns[0] as Own;
    const [entry] = (await cli('archive', 'read', o.ids.deposit as string, '--json')).json().records;
    const sealed = entry.rows[0].row.sealed as string;
    expect(sealed).toMatch(/^p2\./);
    contentOf(
      await t.post('/v1/subject/erase', { subjects: [`email:${customer.email}`], reason: 'asked to' }, o.psp.apiKey),
    );
    const found = contentOf(await t.post('/v1/subject/find', { subjects: [`email:${customer.email}`] }, o.psp.apiKey));
    expect(found.archivedBefore).toBe('2026-12-01');
    const byAddress = await t.post('/v1/subject/erase', { subjects: ['address:First'], reason: 'x' }, o.psp.apiKey);
    expectRefusal(byAddress, 410, 'ARCHIVED', /name the person by e-mail/);
    const [key] = await database.admin.query(
      'SELECT key_sealed, destroyed_at FROM subject_keys WHERE psp_id = $1 AND subject = $2',
      [o.psp.uuid, entry.rows[0].row.subject],
    );
    expect(key).toMatchObject({ key_sealed: null, destroyed_at: expect.any(String) });
    const again = (await cli('archive', 'read', o.ids.deposit as string, '--json')).json().records[0];
    expect(check(again.receipt, await keyOf(t, o.psp))).toMatchObject({ entries: [{ kind: 'transaction.created' }] });
  });

  it('comes back row by row as it was, and is read and repeated as before', async () => {
    await expect(restoreMonth(options('2026-10'))).rejects.toThrow(/restore 2026-11 first/);
    await restoreMonth(options('2026-11'));
    expect(await everything('2026-11')).toEqual(november);
    expect(await counts()).toEqual({
      ...before,
      journal_other: before.journal_other,
      lookups: expect.any(Number),
      refs: expect.any(Number),
      transaction_revisions: before.transaction_revisions,
      daily_totals: expect.any(Number),
      audit_tiles: expect.any(Number),
    });
    for (const [i, o] of owns.entries()) {
      const r = await verify(o, `sale-${i}`);
      expect([r.status, r.headers.get('idempotency-replayed'), r.text]).toEqual([200, 'true', firstAnswers[i]?.text]);
    }
    await settled();
    expect(await findings()).toEqual([]);
    expect((await cli('totals', 'verify')).exitCode).toBe(0);
    const erased = await t.get(
      `/v1/transaction/verifyTransactionStatus?transactionId=${owns[0]?.ids.deposit}&expand=customer`,
      owns[0]?.psp.apiKey,
    );
    expect(JSON.stringify(contentOf(erased))).not.toContain('archived.person');
  });
});

describe('every operation that reads a range', () => {
  /** What these read is not kept by month of the record. */
  const others = [
    // The days that it sees: what it reads of them is refused like all reading.
    'createAuthority',
    'changeAuthority',
    'declareCdr',
    'closeCdrPeriod',
    // From when an exclusion is in force.
    'excludePlayer',
    // They say themselves from which day on they count or search.
    'playerBalance',
    'searchAll',
    'createReport',
    // Who had it before.
    'assignCase',
    'assignReview',
    // A schedule fills these in, and refuses them.
    'createReportSchedule',
    'changeReportSchedule',
    'getConsistency',
    'getStatement',
    'listAccrualTotals',
    'listAuthorityTotals',
    'listAuthorityCallTotals',
    'listCdrDeclarations',
    'listCdrTotals',
    'listDeliveries',
    'listEvents',
    'listFilings',
    'listKeyMade',
    // Kept for days, which no archive reaches.
    'listRequests',
    'getTaxChangesFeed',
    'listExchangeRates',
    'loadExchangeRates',
    'listTaxChanges',
    'listTaxTotals',
    'listTotals',
    'placeHold',
  ];
  it('is known to refuse what is in the archive, or listed here', () => {
    const named = /^(from|since|dayFrom|callFrom|period|callPeriod)$/;
    const found = operations.flatMap((o) => {
      const fields = { ...o.query?.properties, ...o.body?.properties };
      const starts = Object.keys(fields).filter((name) => named.test(name));
      return starts.length === 0 ? [] : [[o.id, starts.sort()] as const];
    });
    const known = Object.entries(ranges).map(([id, fields]) => [id, [...fields].sort()]);
    expect(
      Object.fromEntries(found.filter(([id]) => !others.includes(id))),
      'name a call that reads months of records in `ranges` of adapters/http/months.ts, any other in `others` here',
    ).toEqual(Object.fromEntries(known));
    expect(others.filter((id) => !found.some(([o]) => o === id))).toEqual([]);
  });
});

describe('the proof of entries', () => {
  it('finds each entry that is not the one that was sealed, alone or among 32 neighbours', async () => {
    await settled();
    const { uuid } = (owns[1] as Own).psp;
    const entries = await readJournal(database.admin, 'WHERE psp_id = $1 ORDER BY seq', [uuid]);
    const sealed = (await findLastCheckpoint(database.admin, uuid)) as NonNullable<
      Awaited<ReturnType<typeof findLastCheckpoint>>
    >;
    const { root } = checkpointIn(sealed);
    expect(sealed.size).toBe(entries.length);
    expect(entries.length % 32).not.toBe(0);
    expect(await unproven(database.admin, sealed, root, entries)).toEqual([]);
    const first = 10;
    expect(await unproven(database.admin, sealed, root, entries.slice(first))).toEqual([]);
    for (const at of [first, 31, 32, 50, entries.length - 1]) {
      const changed = entries.map((e, i) => (i === at ? { ...e, body: e.body.replace('timestamp', 'timestamq') } : e));
      const bad = await unproven(database.admin, sealed, root, changed.slice(first));
      expect(bad.map((e) => e.seq)).toEqual([at + 1]);
    }
    const swapped = entries.with(40, { ...(entries[41] as (typeof entries)[number]), seq: 41 });
    expect((await unproven(database.admin, sealed, root, swapped)).map((e) => e.seq)).toEqual([41]);
  });
});

describe('an archive that was cut off', () => {
  it('after the tables are in place is restored, and may be archived again', async () => {
    await make('2026-11');
    const { admin } = database;
    const owner = new Proxy(admin, {
      get(pool, name) {
        const value = Reflect.get(pool, name, pool);
        if (name === 'query')
          return (sql: string, values?: unknown[]) =>
            sql === 'ANALYZE' ? Promise.reject(new Error('killed')) : admin.query(sql, values);
        return typeof value === 'function' ? value.bind(pool) : value;
      },
    });
    await expect(restoreMonth({ ...options('2026-11'), owner })).rejects.toThrow('killed');
    expect(existsSync(file('2026-11'))).toBe(false);
    await make('2026-11');
    await restoreMonth(options('2026-11'));
    expect(await everything('2026-11')).toEqual(november);
  });

  /** A pool whose use fails after some transactions: as a killed process, it leaves what was committed. */
  const dying = (after: number) => {
    let left = after;
    const { admin } = database;
    return new Proxy(admin, {
      get(pool, name) {
        const value = Reflect.get(pool, name, pool);
        if (name === 'transaction')
          return (work: Parameters<typeof admin.transaction>[0]) =>
            left-- > 0 ? admin.transaction(work) : Promise.reject(new Error('killed'));
        return typeof value === 'function' ? value.bind(pool) : value;
      },
    });
  };

  it.each([0, 1, 2])('after %i of its commits loses nothing, and the same command finishes it', async (commits) => {
    await expect(makeArchive({ ...options('2026-11'), owner: dying(commits) }, readers())).rejects.toThrow('killed');
    const [n] = await database.admin.query("SELECT count(*) AS n FROM archived_months WHERE month = '2026-11-01'");
    expect(n?.n).toBe(commits === 0 ? 0 : 1);
    // A file is written before its commit, and one that is half of it beside.
    if (commits === 1) writeFileSync(`${file('2026-11')}.half`, 'half');
    if (commits === 1) {
      const r = await cli('backup', join(dirname(t.app.services.settings.dataDir), `backup-${process.pid}`));
      expect([r.exitCode, r.stderr]).toEqual([3, expect.stringMatching(/the archive of 2026-11 is not finished/)]);
      expect((await verifyAll()).at(-1)?.findings).toEqual([expect.stringMatching(/is not finished/)]);
      await expect(restoreMonth(options('2026-11'))).rejects.toThrow(/is not finished/);
    }
    if (commits === 0) {
      expect(await everything('2026-11')).toEqual(november);
      return;
    }
    await make('2026-11');
    expect((await verifyAll()).flatMap((m) => m.findings)).toEqual([]);
    await expect(restoreMonth({ ...options('2026-11'), owner: dying(0) })).rejects.toThrow('killed');
    expect((await verify(owns[0] as Own, 'sale-0')).status).toBe(410);
    await restoreMonth(options('2026-11'));
    expect(await everything('2026-11')).toEqual(november);
  });

  it('waits for a long read, loses no request meanwhile, and is done when it has ended', async () => {
    const steps: string[] = [];
    const waits = () => steps.filter((text) => text.startsWith('waits')).length;
    const archiving = await database.admin.withClient(async (c) => {
      // As pg_dump does.
      await c.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      for (const table of tables) await c.query(`SELECT count(*) FROM ${table}`);
      const owner = new Pool(database.url, { max: 3, log: t.app.services.log, connectMs });
      const { pool } = recordingMeanwhile(owner, 500);
      const made = makeArchive(
        { ...options('2026-11'), owner: pool, step: (text) => void steps.push(text) },
        readers(),
      );
      const ended = made.finally(() => owner.end());
      let over = false;
      void ended.then(
        () => (over = true),
        () => (over = true),
      );
      for (let n = 0; waits() < 2 && !over; n++) {
        const answers = await Promise.all(owns.map((o, i) => verify(o, `meanwhile-${i}-${n}`)));
        expect(answers.map((r) => r.status)).toEqual(answers.map(() => 200));
      }
      // Until then nothing has left the tables.
      if (!over) expect(contentOf(await verify(owns[0] as Own, 'sale-0')).status).toBe('APPROVED');
      await c.query('COMMIT');
      return ended;
    });
    expect(await archiving).toMatchObject({ month: '2026-11' });
    expect((await verify(owns[0] as Own, 'sale-0')).status).toBe(410);
    await restoreMonth(options('2026-11'));
  });

  it('is not begun over a file that the database does not know', async () => {
    mkdirSync(dirname(file('2026-11')), { recursive: true });
    writeFileSync(file('2026-11'), 'of another database');
    await expect(make('2026-11')).rejects.toThrow(/exists already, .*; move the file away/);
    rmSync(file('2026-11'));
  });
});
