// A start on the data of each earlier release, also restored from its backup: replies are as before, every proof is
// valid, pending work continues, and new work is done beside the old. Also versions that meet a schema of another
// version.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyWebhook } from '@assay/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { publicData } from '../../src/core/public-standing.ts';
import { audit } from '../../src/modules/audit/index.ts';
import { dayOfCountry, verifyTotals } from '../../src/modules/totals/index.ts';
import { pspsWithJournal } from '../../src/platform/journal-cursor.ts';
import { migrate } from '../../src/platform/migrate.ts';
import { readTables } from '../../src/platform/take-backup.ts';
import { assayWith } from '../cli/run.ts';
import { until } from '../durability/support/conditions.ts';
import { Stage } from '../durability/support/service-process.ts';
import { makeDatabase, makeEmptyDatabase, makeTestApp, type TestApp, type TestDatabase } from '../support/app.ts';
import { allSealed, check } from '../support/audit.ts';
import { contentOf } from '../support/guarantees.ts';
import { type Person, signIn } from '../support/people.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { load, migrationsOf, read } from './fixture.ts';
import { type Answers, fixtureMasterKey } from './world.ts';

const migrations = join(import.meta.dirname, '..', '..', 'migrations');

/** A database as the release left it. */
async function databaseOf(version: string): Promise<TestDatabase> {
  const database = await makeEmptyDatabase();
  const { admin } = database;
  const text = read(version, 'data.copy');
  await admin.query(
    'CREATE TABLE migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  for (const m of migrationsOf(text)) await admin.query(readFileSync(join(migrations, m.name), 'utf8'));
  await admin.query("SELECT ensure_partitions('2026-10-01', 14)");
  await load(admin, text);
  return database;
}

const releases = readdirSync(join(import.meta.dirname, 'fixtures')).sort();

/**
 * Another database, restored by this version from a backup of the first one, whose schema is as the release left it.
 */
async function restoredFrom(database: TestDatabase, stage: Stage): Promise<TestDatabase> {
  const file = join(stage.folder(), 'assay.backup');
  const taken = await assayWith({ DATABASE_URL: database.url, DATA_DIR: stage.folder() })('backup', file);
  expect(taken.exitCode, taken.stderr).toBe(0);
  const restored = await makeEmptyDatabase();
  const put = await assayWith({ DATABASE_URL: restored.url, DATA_DIR: stage.folder() })('restore', file);
  expect(put.exitCode, put.stderr).toBe(0);
  return restored;
}

/**
 * An answer of an earlier release without what only operators read by now: reasons of holds, and why operators acted.
 * An operator reads the holds themselves, and of an account's standing the sentence that everybody reads.
 */
function asToldBy(answer: unknown, operator: boolean): unknown {
  if (Array.isArray(answer)) return answer.map((x) => asToldBy(x, operator));
  if (answer === null || typeof answer !== 'object') return answer;
  const parts = Object.fromEntries(Object.entries(answer).map(([k, v]) => [k, asToldBy(v, operator)]));
  const { operationalStanding, kind, flags } = parts;
  if (operationalStanding !== undefined) {
    const told = publicData('client.updated', parts) as object;
    return operator && flags !== undefined ? { ...told, flags } : told;
  }
  if (operator) return parts;
  return String(kind).startsWith('client.') ? { ...parts, reason: null } : publicData('transaction.updated', parts);
}

interface Posting {
  readonly kind: string;
  readonly account: string;
  readonly debit: number;
  readonly credit: number;
}

/**
 * A statement as releases made it that counted withdrawals as money that came in (decision 0241): their whole with what
 * customers paid, and what customers got with what merchants are owed.
 */
function withWithdrawalsAsSales(answer: unknown): unknown {
  const { content } = answer as { content?: { items?: { postings?: Posting[]; payable?: Record<string, number> }[] } };
  for (const item of content?.items ?? []) {
    const { postings, payable } = item;
    const out = postings?.filter((p) => p.kind === 'WITHDRAWN') ?? [];
    if (!postings || !payable || out.length === 0) continue;
    const exact = (n: number) => Number(n.toFixed(10));
    const of = (account: string) => out.find((p) => p.account === account) ?? { debit: 0, credit: 0 };
    const swapped: Readonly<Record<string, string>> = { CUSTOMERS: 'MERCHANT', MERCHANT: 'CUSTOMERS' };
    item.postings = postings
      .filter((p) => p.kind !== 'WITHDRAWN')
      .map((p) => {
        if (p.kind !== 'APPROVED') return p;
        const { debit, credit } = of(swapped[p.account] ?? p.account);
        return { ...p, debit: exact(p.debit + debit), credit: exact(p.credit + credit) };
      });
    payable.MERCHANT = exact((payable.MERCHANT ?? 0) + of('MERCHANT').debit + of('CUSTOMERS').credit);
  }
  return answer;
}

const ways = releases.flatMap((version) =>
  ['as it was left', 'restored from a backup of it'].map((how) => [version, how]),
);

describe.each(ways)('the data of release %s, %s', (version = '', how = '') => {
  const restores = how !== 'as it was left';
  const stage = new Stage();
  const answers = JSON.parse(read(version, 'answers.json')) as Answers;
  const { psp, client, operator, awaited } = answers;
  const keys = { psp: psp.apiKey, client: client.apiKey, operator: operator.apiKey };
  const released = migrationsOf(read(version, 'data.copy'));
  let database: TestDatabase;
  let receiver: Receiver;
  let t: TestApp;
  /** As it answers before anything new is recorded. */
  let asked: { path: string; was: unknown; is: unknown }[];

  beforeAll(async () => {
    database = await databaseOf(version);
    if (restores) {
      const left = database;
      database = await restoredFrom(left, stage);
      await left.drop();
    }
    receiver = await startReceiver();
    await database.admin.query("UPDATE webhooks SET url = $1 WHERE url LIKE '%/takes'", [receiver.url]);
    t = await makeTestApp({
      database,
      startAt: new Date(Date.parse(answers.endedAt) + 60_000).toISOString(),
      env: { ASSAY_MASTER_KEY: fixtureMasterKey, WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_CONCURRENCY: '8' },
    });
    asked = [];
    for (const a of answers.asked) {
      const r = await t.get(a.path, keys[a.as]);
      asked.push({
        path: a.path,
        was: asToldBy(a.answer, a.as === 'operator'),
        is: a.path.startsWith('/v1/settlement/statement') ? withWithdrawalsAsSales(r.body) : (r.body ?? r.text),
      });
    }
  });
  afterAll(async () => {
    await t?.stop();
    await receiver?.stop();
    await database?.drop();
    await stage.end();
  });

  it('rests on migrations that stand as they were released', () => {
    const hashOf = (name: string) =>
      createHash('sha256')
        .update(readFileSync(join(migrations, name)))
        .digest('hex');
    expect(released.map((m) => ({ name: m.name, hash: hashOf(m.name) }))).toEqual(released);
  });

  it('is brought to the schema of this version', async () => {
    const now = readdirSync(migrations).sort();
    // The restore has done it already.
    const missing = now.filter((name) => !released.some((m) => m.name === name));
    expect(t.app.migrated).toEqual(restores ? [] : missing);
    const rows = await database.admin.query('SELECT name FROM migrations ORDER BY name');
    expect(rows.map((r) => r.name)).toEqual(now);
  });

  it('has entries without a schema, which are as version 1 says but for what was added since', async () => {
    const published = JSON.parse(readFileSync(join(migrations, '../../docs/reference/entries.schema.json'), 'utf8'));
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema(published, 'entries');
    // The data of a key's entry was the key alone.
    const rows = await database.admin.query<{ body: string }>(
      `SELECT body FROM journal WHERE body LIKE '{"id":%' AND kind NOT LIKE 'key.%'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    const differences = rows.flatMap(({ body }) => {
      const entry = JSON.parse(body);
      const schema = `${entry.type}/1`;
      const check = ajv.getSchema(`entries#/$defs/${schema.replace('/', '~1')}`);
      if (!check) return [`${schema} is not published`];
      return check({ ...entry, schema })
        ? []
        : (check.errors ?? []).map((e) => `${schema}${e.instancePath} ${e.message}`);
    });
    expect([...new Set(differences)].sort()).toEqual([
      "cdr.file_portion/1/data must have required property 'rowsColumns'",
      "cdr.file_portion/1/data must have required property 'rowsSha256'",
      "tax.adjusted/1/evidence must have required property 'rowsColumns'",
      "tax.adjusted/1/evidence must have required property 'rowsSha256'",
      "wager.created/1/data must have required property 'ipNetwork'",
    ]);
  });

  it('has the day of every decision', async () => {
    for (const table of ['transactions', 'transaction_revisions', 'wagers', 'payouts']) {
      const [n] = await database.admin.query<{ all: number; right: number }>(
        `SELECT count(*) AS all, count(*) FILTER (WHERE decided_on::text = evidence::json->>'date') AS right FROM ${table}`,
      );
      expect(n, table).toEqual({ all: n?.right, right: n?.all });
      expect(n?.all, table).toBeGreaterThan(0);
    }
  });

  /** A case gathers the review that is open: the journal has an entry more, and once it is sealed, a checkpoint too. */
  const grown = (was: object): object =>
    JSON.parse(JSON.stringify(was), (name, value) => {
      if (name === 'checkpoint' || name === 'proof') return undefined;
      return name === 'progress' && 'complete' in value ? { complete: value.complete } : value;
    });

  it('is answered as it was: every list, detail, document and sum', () => {
    expect(asked.length).toBeGreaterThan(50);
    // What a later version adds to an answer is no change.
    for (const { path, was, is } of asked)
      expect({ path, is }).toMatchObject({ path, is: typeof was === 'string' ? was : grown(was as object) });
  });

  it('lets its keys and its people in', async () => {
    for (const key of [...Object.values(keys), awaited.apiKey, answers.testKey])
      expect((await t.get('/v1/overview', key)).status).toBe(200);
    const person = await signIn(t, answers.person as Person);
    expect((await person.get('/v1/transaction')).status).toBe(200);
  });

  it('finds its records by their customer', async () => {
    const listed = answers.asked.find((a) => a.operation === 'listWagers' && a.as === 'psp')?.answer;
    const [wager] = listed.content.items as { wagerId: string; clientId: string }[];
    const { request } = contentOf(await t.get(`/v1/wager/${wager?.wagerId}?expand=request`, psp.apiKey));
    const asked = { by: 'customer', value: request.customer.email };
    const found = contentOf(await t.post('/v1/record/find', asked, psp.apiKey));
    expect(found.items).toContainEqual(
      expect.objectContaining({ id: wager?.wagerId, type: 'wager', clientId: wager?.clientId }),
    );
    expect(new Set(found.items.map((r: { type: string }) => r.type))).toEqual(
      new Set(['transaction', 'wager', 'payout']),
    );
  });

  it('finds its records by telephone number, transfer and address, as far as their persons are not erased', async () => {
    await until('the backfills have ended', async () => {
      const rows = await database.admin.query<{ ended: boolean }>('SELECT ended FROM backfills');
      return rows.length > 0 && rows.every((r) => r.ended);
    });
    const details = async (type: string, rows: { id: string }[]) =>
      Promise.all(
        rows.map(async ({ id }) => ({
          id: toWire(type as 'wager', id),
          submitted: contentOf(await t.get(`/v1/${type}/${toWire(type as 'wager', id)}?expand=request`, psp.apiKey))
            .request,
        })),
      );
    const { admin } = database;
    const of = (table: string) =>
      admin.query<{ id: string }>(`SELECT id FROM ${table} WHERE psp_id = $1 AND subject IS NOT NULL`, [psp.uuid]);
    const all = (
      await Promise.all(['transaction', 'wager', 'payout'].map(async (type) => details(type, await of(`${type}s`))))
    ).flat();
    // What a caller would look for, and the records that name it, as they show themselves.
    const asked = new Map<string, Set<string>>();
    const names = (by: string, value: unknown, id: string) => {
      if (typeof value === 'string' && value !== 'erased')
        asked.set(`${by} ${value}`, (asked.get(`${by} ${value}`) ?? new Set()).add(id));
    };
    for (const { id, submitted } of all) {
      names('msisdn', submitted.customer?.phoneNumber, id);
      names('chainHash', submitted.blochainHash, id);
      names('ip', submitted.ip, id);
    }
    // The one wallet of this data is an erased person's; find-records.test.ts has others.
    expect(new Set([...asked.keys()].map((k) => k.split(' ')[0]))).toEqual(new Set(['chainHash', 'ip', 'msisdn']));
    expect(await admin.query("SELECT 1 FROM lookups WHERE kind = 'wallet'")).toEqual([]);
    for (const [key, ids] of asked) {
      const [by, value] = key.split(' ');
      const found = contentOf(await t.post('/v1/record/find', { by, value }, psp.apiKey)).items as { id: string }[];
      expect({ key, found: new Set(found.map((r) => r.id)) }).toEqual({ key, found: ids });
    }
  });

  it('holds every receipt it gave, and its totals and seal verify', async () => {
    const receipts = answers.asked.filter((a) => a.operation === 'getReceipt');
    expect(receipts.length).toBeGreaterThan(0);
    for (const r of receipts)
      for (const receipt of [r.answer.content, contentOf(await t.get(r.path, keys[r.as]))])
        expect(check(receipt, answers.auditKey)).toMatchObject({ entries: expect.any(Array) });
    const { db } = t.app.services;
    for (const id of await pspsWithJournal(db)) {
      const { differences, cells } = await verifyTotals(db, id, dayOfCountry(t.app.services));
      expect([differences, cells >= 0]).toEqual([[], true]);
    }
    await allSealed(t);
    // What the tests of that version put into the table by hand is no event of the journal, and is found.
    const byHand = await database.admin.query<{ id: string }>(
      "SELECT id FROM webhook_events WHERE seq IS NULL AND type <> 'webhook.test'",
    );
    const found: string[] = [];
    for await (const one of audit({ db, psp: undefined, folders: [], pinned: undefined, progress: () => undefined }))
      found.push(...one.findings.map((f) => f.message));
    const untold = ({ id }: { id: string }) =>
      `the event ${toWire('event', id)}: the journal has no entry that it announces`;
    expect(found.sort()).toEqual(byHand.map(untold).sort());
  });

  it('tells what waited to be told, signed under the secret of old', async () => {
    const told = await until('both were told', () => {
      const found = awaited.eventIds.map((id) => receiver.received.find((r) => r.body.includes(id)));
      return found.every((r) => r !== undefined) && found;
    });
    for (const r of told) {
      const request = {
        body: r?.body as string,
        headers: r?.headers as Record<string, string>,
        secret: awaited.secret,
      };
      expect(await verifyWebhook({ ...request, now: () => t.now() })).toMatchObject({ type: 'transaction.created' });
    }
  });

  it('goes on: an old ref is known, an old transaction is charged back, a new one is recorded and sealed', async () => {
    const sale = { totalAmount: 107.5, currency: 'NGN', countryCode: 'NG', paymentMethods: { card: 107.5 } };
    const verify = (ref: string) =>
      t.post('/v1/transaction/verifyTransaction', { ref, ...sale, transactionFee: 1.5 }, awaited.apiKey);
    const again = await verify('waits-1');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    const back = contentOf(await t.post('/v1/transaction/chargeBack', { ref: 'waits-2' }, psp.apiKey));
    expect(back.ref).toBe('waits-2');
    const { transactionId } = contentOf(await verify('new-1'));
    await allSealed(t);
    const receipt = contentOf(await t.get(`/v1/audit/receipt/${transactionId}`, awaited.apiKey));
    expect(check(receipt, answers.auditKey)).toMatchObject({ entries: expect.any(Array) });
  });
});

describe('a backup of a database that has rows in every table', () => {
  const stage = new Stage();
  afterAll(() => stage.end());

  it('restores all that the schema has: neither foreign keys, which ask for an order, nor sequences', async () => {
    const database = await makeDatabase();
    stage.defer(() => database.drop());
    const found = await database.admin.query(
      `SELECT conname FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
       UNION ALL SELECT relname FROM pg_class WHERE relkind IN ('S', 'm') AND relnamespace = 'public'::regnamespace`,
    );
    expect(found).toEqual([]);
  });

  it('is restored to the same rows, each as it was, with partitions and rights', async () => {
    const first = await databaseOf(releases.at(-1) as string);
    stage.defer(() => first.drop());
    await migrate(first.admin, new Date());
    // Years after the partitions that every start makes.
    await first.admin.query("SELECT ensure_partitions('2031-05-01', 1)");
    const second = await restoredFrom(first, stage);
    stage.defer(() => second.drop());
    // Sessions end with a restore.
    const row = (name: string) => (name === 'sessions' ? "(to_jsonb(t) - 'ended_at')" : 't');
    const digests = async ({ admin }: TestDatabase) =>
      Object.fromEntries(
        await Promise.all(
          (await readTables(admin)).map(async ({ name }) => [
            name,
            await admin.query(
              `SELECT count(*) AS rows, md5(string_agg(${row(name)}::text, E'\\n' ORDER BY ${row(name)}::text)) AS digest FROM ${name} t`,
            ),
          ]),
        ),
      );
    const were = await digests(first);
    expect(Object.keys(were).length).toBeGreaterThan(50);
    expect(await digests(second)).toEqual(were);
    const shape = ({ admin }: TestDatabase) =>
      admin.query(
        `SELECT n.nspname, c.relname, c.relkind, c.relacl::text, pg_get_expr(c.relpartbound, c.oid) AS bound,
           (SELECT array_agg(t.tgname || ' ' || t.tgenabled::text ORDER BY t.tgname) FROM pg_trigger t WHERE t.tgrelid = c.oid) AS triggers,
           (SELECT array_agg(d ORDER BY d) FROM pg_index i, regexp_replace(pg_get_indexdef(i.indexrelid), 'INDEX \\S+', '') d
            WHERE i.indrelid = c.oid) AS indexes
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname IN ('public', 'graphile_worker') AND c.relkind <> ALL ('{i,I}') ORDER BY 1, 2`,
      );
    expect(await shape(second)).toEqual(await shape(first));
  });
});

describe('a schema that is newer than the version', () => {
  const stage = new Stage();
  afterAll(() => stage.end());
  const newer = (db: TestDatabase) =>
    db.admin.query("INSERT INTO migrations (name, hash) VALUES ('9999-of-a-newer-version.sql', '')");
  const sentence =
    'the database was migrated by a newer version of Assay (9999-of-a-newer-version.sql is not known here); start that version or a later one';

  it('is refused at the start and by every command, with 1 and what to do, and left as it is', async () => {
    const database = await makeDatabase();
    stage.defer(() => database.drop());
    await newer(database);
    const env = { DATABASE_URL: database.url, DATA_DIR: stage.folder(), ASSAY_MASTER_KEY: fixtureMasterKey };
    const { exited, output } = stage.spawn(env);
    const [list, migrate] = await Promise.all([
      assayWith(env)('psp', 'list', '--json'),
      assayWith(env)('migrate', '--json'),
    ]);
    expect(await exited).toEqual({ code: 1, signal: null });
    expect(output()).toContain(`Assay could not start: ${sentence}`);
    for (const r of [list, migrate])
      expect([r.exitCode, r.json()]).toEqual([1, { success: false, code: 'FAULT', message: sentence }]);
    expect(await database.admin.query('SELECT 1 FROM vault_keys')).toEqual([]);
  });

  it('is told to a process that runs already, which records and reads whole or not at all', async () => {
    const database = await makeDatabase();
    const t = await makeTestApp({ database });
    try {
      const psp = await t.makePsp();
      const verify = (ref: string) =>
        t.post(
          '/v1/transaction/verifyTransaction',
          { ref, totalAmount: 10, currency: 'NGN', countryCode: 'NG', paymentMethods: {}, transactionFee: 1 },
          psp.apiKey,
        );
      const before = contentOf(await verify('before'));
      // A newer version takes a column away that every transaction is written with.
      await database.admin.query('ALTER TABLE transactions DROP COLUMN basket_ref');
      await newer(database);
      const after = await verify('after');
      expect([after.status, after.headers.get('x-error-code')]).toEqual([503, 'UNKNOWN_OUTCOME']);
      expect(await database.admin.query("SELECT 1 FROM transactions WHERE ref = 'after'")).toEqual([]);
      expect(await database.admin.query("SELECT 1 FROM refs WHERE ref = 'after'")).toEqual([]);
      // What it reads it reads whole as well: no record is shown without one of its fields, and the rest is read on.
      expect((await t.get(`/v1/transaction/${before.transactionId}`, psp.apiKey)).status).toBe(500);
      expect((await t.get('/v1/basket', psp.apiKey)).status).toBe(200);
      const warning = /"migrations":\["9999-of-a-newer-version\.sql"\],"msg":"a newer version of Assay has migrated/;
      await until('it says so', () => t.logged.some((line) => warning.test(line)));
    } finally {
      await t.stop();
      await database.drop();
    }
  });
});

describe('a migration that was changed after it had been applied', () => {
  it('is refused, and named', async () => {
    const database = await makeDatabase();
    try {
      await database.admin.query("UPDATE migrations SET hash = 'x' WHERE name = '0001-spine.sql'");
      await expect(makeTestApp({ database })).rejects.toThrow(
        'migration 0001-spine.sql was changed after it had been applied; bring back the file as it was released',
      );
    } finally {
      await database.drop();
    }
  });
});
