// Negative controls: a small valid history and its database, and ways to manipulate them, each with the check that has
// to find it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toWire } from '../../../src/core/ids.ts';
import type { Database } from '../../../src/platform/database.ts';
import { cdrRow, cdrText, drop } from '../../support/cdr-files.ts';
import type { TestDatabase } from '../../support/database.ts';
import { type Receiver, startReceiver } from '../../support/receivers.ts';
import { checkDeliveries } from './check-deliveries.ts';
import { checkFiles, type SentFile } from './check-files.ts';
import { caughtUp } from './check-readers.ts';
import { SealCheck } from './check-seal.ts';
import { checkTotals } from './check-totals.ts';
import { Checks } from './checks.ts';
import { until } from './conditions.ts';
import type { CheckName, Violation } from './finding.ts';
import { type Ground, prepare } from './ground.ts';
import { Client, History, type Party, type Sent } from './history.ts';
import type { Stage } from './service-process.ts';
import { newRef, payIn, sale, storm } from './storm.ts';

export interface Told {
  readonly ground: Ground;
  readonly history: History;
  readonly sold: Sent;
  readonly back: Sent;
  readonly declined: Sent;
  readonly files: readonly SentFile[];
  readonly receiver: Receiver;
}

/** Makes a small history: sales, a chargeback, a decline, a file, a subscribed address. The service is then stopped. */
export async function tell(stage: Stage, database: TestDatabase): Promise<Told> {
  const ground = await prepare(stage, database, 2);
  const receiver = await startReceiver();
  stage.defer(() => receiver.stop());
  const env: Readonly<Record<string, string>> = {
    ...ground.env,
    WEBHOOK_ALLOW_HTTP: 'true',
    CDR_PICKUP_CRON: '0 0 1 1 *',
  };
  const service = await stage.service(env);
  const client = new Client();
  const history = new History();
  const party = ground.clients[0] as Party;
  const post = async (path: string, body: unknown) => {
    const key = { 'x-api-key': party.apiKey };
    const r = await client.call(service.address, 'POST', path, key, JSON.stringify(body));
    if (r.status !== 200) throw new Error(`${path} answered ${r.status}: ${r.text}`);
  };
  await post('/v1/client/subscribeToClient', { webhookUrl: receiver.url });
  const files = [{ name: 'calls.csv', account: party.account, lines: 40, rejected: 4, repeated: 0 }];
  const rows = Array.from({ length: 40 }, (_, i) => cdrRow(i, i % 10 === 9 ? { caller_number: '' } : {}));
  drop(env.DATA_DIR as string, { uuid: party.account } as never, 'calls.csv', cdrText(...rows));
  await post('/v1/telecom/pickUp', {});
  await storm({
    history,
    client,
    parties: [ground.psp, ...ground.clients],
    addresses: () => [service.address],
    workers: 8,
    max: 120,
    seed: 7,
  });
  const send = (...a: [Sent['operation'], { ref: string }]) => history.send(client, service.address, party, ...a);
  const sold = await send('verifyTransaction', sale(newRef(), 120));
  const filed = newRef();
  await send('deposit', payIn(filed, 80, 1));
  const back = await send('chargeBack', { ref: filed });
  const no = newRef();
  await send('verifyTransaction', sale(no, 70));
  const declined = await send('declineTransaction', { ref: no });
  const none = async (what: string) => (await ground.db.query(`SELECT 1 FROM ${what} LIMIT 1`)).length === 0;
  await until('the file is taken in', () => none('cdr_files WHERE completed_at IS NULL'));
  await caughtUp({ db: ground.db });
  await until('all is delivered', () => none("webhook_deliveries WHERE state <> 'delivered'"));
  service.signal('SIGTERM');
  await service.exited;
  client.close();
  return { ground, history, sold, back, declined, files, receiver };
}

/** What the checks say of a history nobody has tampered with, and what they remember of it. */
export interface Sound {
  readonly violations: readonly Violation[];
  readonly checks: Checks;
}

/** Runs all checks. */
export async function allChecks(t: Told): Promise<Sound> {
  const checks = new Checks(t.ground.db);
  const violations: Violation[] = [];
  for (const check of inTurn(t, t.ground.db, checks)) violations.push(...(await check()));
  return { violations, checks };
}

/** Runs the checks that compare with a history: a forged one is all that the others do not read. */
export const historyChecks = async (t: Told, history: History): Promise<readonly Violation[]> =>
  (await new Checks(t.ground.db).look(history, 'after asking again')).violations;

const inTurn = (t: Told, db: Database, checks: Checks): readonly (() => Promise<readonly Violation[]>)[] => [
  async () => (await checks.look(t.history, 'after asking again')).violations,
  () => checkFiles(db, t.files),
  () => checkDeliveries(db, [t.receiver]),
  () => new SealCheck(db, [t.ground.env.DATA_DIR as string]).look(),
  () => checkTotals(db),
];

export interface Tampering {
  readonly by: CheckName;
  readonly what: string;
  /** SQL that the owner of the database could run, and its parameters. */
  readonly sql: string;
  readonly values: (t: Told) => unknown[];
}

const of = (by: CheckName, what: string, sql: string, values: Tampering['values'] = () => []): Tampering => ({
  by,
  what,
  sql,
  values,
});
const sold = (t: Told) => [t.sold.ref];
const back = (t: Told) => [t.back.ref];
const psp = (t: Told) => [t.ground.psp.psp];

export const tamperings: readonly Tampering[] = [
  of('C1', 'a record that was taken away', 'DELETE FROM transactions WHERE ref = $1', sold),
  of('C1', 'a ref that was taken away', 'DELETE FROM refs WHERE ref = $1', sold),
  of(
    'C1',
    'a record that occurs twice',
    `INSERT INTO transactions SELECT (x).* FROM (SELECT json_populate_record(t, json_build_object('id', uuidv7())) AS x
     FROM transactions t WHERE ref = $1)`,
    sold,
  ),
  of('C4', 'a split that does not sum', 'UPDATE transactions SET remainder = remainder + 0.01 WHERE ref = $1', back),
  of(
    'C4',
    'a second chargeback',
    `INSERT INTO chargebacks SELECT (x).* FROM (SELECT json_populate_record(c, json_build_object('id', uuidv7())) AS x
     FROM chargebacks c JOIN transactions t ON t.id = c.transaction_id WHERE t.ref = $1)`,
    back,
  ),
  of(
    'C4',
    'a daily total that is a kobo too high',
    `UPDATE daily_cells SET vat = vat + 0.01, net = net - 0.01
     WHERE ctid = (SELECT ctid FROM daily_cells WHERE fee IS NOT NULL LIMIT 1)`,
  ),
  of(
    'C5',
    'a journal entry that was taken away',
    'DELETE FROM journal WHERE seq = (SELECT max(seq) - 1 FROM journal WHERE psp_id = $1) AND psp_id = $1',
    psp,
  ),
  of(
    'C5',
    'a journal entry that was written over',
    `UPDATE journal SET body = regexp_replace(body, '"id":"evt_.', '"id":"evt_!')
     WHERE psp_id = $1 AND kind = 'transaction.created' AND seq = (
       SELECT max(seq) FROM journal WHERE psp_id = $1 AND kind = 'transaction.created')`,
    psp,
  ),
  of(
    'C5',
    'a journal entry that says something else of what no record is compared with',
    `UPDATE journal SET body = replace(body, '"countryCode":"NG"', '"countryCode":"GH"')
     WHERE psp_id = $1 AND kind = 'transaction.created' AND body LIKE '%"countryCode":"NG"%'`,
    psp,
  ),
  of('C5', 'a head that ran ahead', 'UPDATE journal_heads SET seq = seq + 1 WHERE psp_id = $1', psp),
  of('C5', 'a record nobody journalled', 'UPDATE transactions SET revision = revision + 1 WHERE ref = $1', sold),
  of(
    'C5',
    'an event that was announced to nobody',
    'DELETE FROM webhook_deliveries WHERE id = (SELECT max(id::text)::uuid FROM webhook_deliveries)',
  ),
  of(
    'C5',
    'an event that was announced twice',
    `INSERT INTO webhook_deliveries SELECT (x).* FROM (SELECT json_populate_record(d, json_build_object('id', uuidv7())) AS x
     FROM webhook_deliveries d LIMIT 1)`,
  ),
  of(
    'C5',
    'a delivery that never was',
    `WITH e AS (INSERT INTO webhook_events SELECT (x).* FROM (SELECT json_populate_record(e, json_build_object('id', j.id)) AS x
       FROM webhook_events e, journal j WHERE j.account_id = $1 AND j.kind = 'chargeback.created' LIMIT 1) RETURNING id)
     INSERT INTO webhook_deliveries SELECT (x).* FROM (SELECT json_populate_record(d,
       json_build_object('id', uuidv7(), 'event_id', e.id)) AS x FROM webhook_deliveries d, e LIMIT 1)`,
    (t) => [t.ground.clients[0]?.account],
  ),
  of(
    'C5',
    'an announcement that says something else than what was sent',
    "UPDATE webhook_events SET body = replace(body, 'data', 'date')",
  ),
  of(
    'C6',
    'a sealed entry that was written over',
    `UPDATE journal SET body = replace(body, 'NGN', 'XAF') WHERE psp_id = $1 AND kind = 'transaction.created'`,
    psp,
  ),
  of(
    'C6',
    'a checkpoint that was signed by nobody',
    "UPDATE audit_checkpoints SET note = replace(note, E'\\n\\n', E'\\n1\\n\\n')",
  ),
  of(
    'C7',
    'a charged-back transaction that is declined',
    "UPDATE transactions SET status = 'DECLINED' WHERE ref = $1",
    back,
  ),
  of(
    'C7',
    'a charged-back transaction that was touched',
    'UPDATE transactions SET updated_at = now() WHERE ref = $1',
    back,
  ),
  of(
    'C7',
    'a declined transaction that is approved again',
    "UPDATE transactions SET status = 'APPROVED' WHERE ref = $1",
    (t) => [t.declined.ref],
  ),
  of('C8', 'a line of a file that left no record', 'DELETE FROM cdrs WHERE cdr_id = (SELECT max(cdr_id) FROM cdrs)'),
  of(
    'C8',
    'a line of a file that was recorded twice',
    `INSERT INTO cdrs SELECT (x).* FROM (SELECT json_populate_record(c, json_build_object('id', uuidv7())) AS x
     FROM cdrs c LIMIT 1)`,
  ),
  of(
    'C8',
    'a rejected line that was not kept',
    'DELETE FROM cdr_suspense WHERE line = (SELECT max(line) FROM cdr_suspense)',
  ),
];

/**
 * Manipulates the database, runs the checks until the one meant has failed, and undoes it.
 * @param sound what the checks have seen before: they compare with it
 * @returns the checks that failed
 */
export async function tampered(t: Told, one: Tampering, sound: Sound): Promise<CheckName[]> {
  return t.ground.db.withClient(async (c) => {
    // The change is in a transaction that is rolled back; the checks run inside it.
    const inside = {
      query: async (text: string, v: readonly unknown[] = []) => (await c.query(text, v as unknown[])).rows,
    } as Database;
    await c.query('BEGIN');
    try {
      const { rowCount } = await c.query(one.sql, one.values(t));
      if (!rowCount) throw new Error(`nothing there to tamper with: ${one.what}`);
      const failed = new Set<CheckName>();
      for (const check of inTurn(t, inside, new Checks(inside, sound.checks))) {
        for (const v of await check()) failed.add(v.check);
        if (failed.has(one.by)) break;
      }
      return [...failed];
    } finally {
      await c.query('ROLLBACK');
    }
  });
}

/** Histories that differ from what happened. */
export const forgeries: readonly { by: CheckName; what: string; history: (t: Told) => History }[] = [
  forged('C1', 'an acknowledgement nobody gave', (t, all) => [...all, { ...t.sold, ref: 'never-sent' }]),
  forged('C1', 'an acknowledgement of another amount', (t, all) =>
    all.map((s) => (s === t.sold ? { ...s, content: { ...s.content, vatAmount: 0.01 } } : s)),
  ),
  forged('C2', 'a refusal of what was recorded', (t, all) =>
    all.map((s) => (s === t.sold ? { ...s, outcome: 'refused', status: 503 } : s)),
  ),
  forged('C3', 'an unknown outcome that was never settled', (t, all) => [
    ...all,
    { ...t.sold, ref: 'left-open', outcome: 'unknown', status: 0, content: undefined },
  ]),
];

function forged(by: CheckName, what: string, change: (t: Told, all: readonly Sent[]) => Sent[]) {
  return {
    by,
    what,
    history(t: Told) {
      const h = new History();
      h.all.push(...change(t, t.history.all));
      return h;
    },
  };
}

/** Overwrites the last checkpoint outside the database, and runs a check that has seen the original. */
export async function forgedCheckpoint(t: Told): Promise<CheckName[]> {
  const seal = new SealCheck(t.ground.db, [t.ground.env.DATA_DIR as string]);
  const before = await seal.look();
  const folder = join(t.ground.env.DATA_DIR as string, 'checkpoints', toWire('psp', t.ground.psp.psp));
  const file = join(folder, readdirSync(folder).sort().at(-1) as string);
  const kept = readFileSync(file, 'latin1');
  // Changes the tree's hash in the first of its checkpoints.
  writeFileSync(
    file,
    kept.replace(/^([A-Za-z0-9+/]{42})(.)=$/m, (_, hash, last) => `${hash}${last === 'A' ? 'E' : 'A'}=`),
    'latin1',
  );
  try {
    return [...before, ...(await seal.look())].map((v) => v.check);
  } finally {
    writeFileSync(file, kept, 'latin1');
  }
}
