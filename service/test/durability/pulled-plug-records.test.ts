// A power failure between any two statements of an erasure, a report, a webhook's redelivery, a call detail file,
// written-off lines and a review that a rule opens: row and journal entry both exist or neither does, and the work can
// be repeated.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccount } from '../../src/modules/accounts/index.ts';
import { ReportRunner, reportKinds, requestReport } from '../../src/modules/reports/index.ts';
import { makeRiskReader } from '../../src/modules/risk/index.ts';
import { erase } from '../../src/modules/subjects/erase.ts';
import { findAnyFile, writeOffLines } from '../../src/modules/telecom/index.ts';
import { replay, retry } from '../../src/modules/webhooks/index.ts';
import { Pool } from '../../src/platform/database.ts';
import type { JournalReader } from '../../src/platform/journal-reader.ts';
import type { Account } from '../support/app.ts';
import { verified } from '../support/audit.ts';
import { cdrLine, cdrRow, cdrText, dataDirOf, drop, tree } from '../support/cdr-files.ts';
import { connectMs } from '../support/database.ts';
import { contentOf } from '../support/guarantees.ts';
import { uuidOf } from '../support/journal.ts';
import { caughtUp, plant, subscribe } from '../support/webhooks.ts';
import { until } from './support/conditions.ts';
import { type Attempt, PulledWorld } from './support/pulled.ts';

let w: PulledWorld;
let pool: Pool;
/** Of the process by way of the plug; it makes one kind, so that requests of another wait. */
let runner: ReportRunner;
/** What raises alerts, while somebody is erased. */
let looking: JournalReader | undefined;
const kindOf = (name: string) => reportKinds.filter((k) => k.name === name);
beforeAll(async () => {
  w = await PulledWorld.start();
  pool = new Pool(w.plug.url, { max: 2, role: 'assay_app', log: w.t.app.services.log, connectMs });
  // What the plug is pulled out of is to be done by nobody else.
  for (const { following } of [w.t.app, w.app]) await following?.reports.stop();
  runner = new ReportRunner({ services: w.app.services, pool, kinds: kindOf('chargebacks') });
  await w.t.app.following?.readers.find((r) => r.name === 'reviews')?.stop();
});
afterAll(async () => {
  await looking?.stop();
  await pool?.end();
  await w?.stop();
});

let made = 0;
/** Ids of events that were put in by hand, which no entry tells of. */
const planted: string[] = [];
const one = async (sql: string, values: readonly unknown[]) => (await w.t.database.admin.query(sql, values))[0];
const asked = (webhookId: string) => ({
  principal: w.principal,
  reach: { psp: w.psp.uuid },
  id: uuidOf(webhookId),
  now: w.t.now(),
});

/** A file of an account with one valid line and one rejected line that names a number. @returns its id (uuid) */
async function fileWithRejectedLine(account: Account, number: string): Promise<string> {
  const name = `kept-${++made}.csv`;
  const wrong = cdrRow(`wrong-${made}`, { caller_number: number, call_duration_seconds: 'long' });
  drop(dataDirOf(w.t), account, name, cdrText(cdrRow(`sound-${made}`), wrong));
  await w.t.app.services.cdrIntake.pickUp();
  const file = await one('SELECT id FROM cdr_files WHERE name = $1 AND completed_at IS NOT NULL', [name]);
  return file?.id as string;
}

async function erasure(): Promise<Attempt> {
  const n = ++made;
  const [email, number] = [`gone${n}@example.com`, `+23480300${10_000 + n}`];
  const deposit = { ref: `gone-${n}`, totalAmount: 10, currency: 'NGN', countryCode: 'NG', transactionFee: 0 };
  const { transactionId } = contentOf(
    await w.t.post('/v1/payment/deposit', { ...deposit, customer: { email } }, w.client.apiKey),
  );
  const { subject } = (await one('SELECT subject FROM transactions WHERE id = $1', [uuidOf(transactionId)])) as {
    subject: string;
  };
  const file = await fileWithRejectedLine(w.client, number);
  const state = async () => {
    const key = await one('SELECT key_sealed IS NULL AS gone FROM subject_keys WHERE subject = $1', [subject]);
    const line = await one('SELECT raw_sealed IS NULL AS gone FROM cdr_suspense WHERE file_id = $1', [file]);
    const told = (await w.entries('subject.erased')).filter((e) => e.data.subjects.includes(subject));
    return { key: key?.gone, line: line?.gone, told: told.map((e) => e.data.rejectedLines) };
  };
  const all = { key: true, line: true, told: [1] };
  // Nobody is erased before what was recorded of them is looked through.
  looking = makeRiskReader(w.t.app.services, w.t.database.admin);
  looking.start();
  return {
    run: () =>
      erase(
        w.app.services,
        { principal: w.principal, now: w.t.now() },
        { subjects: [`email:${email}`, `phone:${number}`] },
        'asked',
      ),
    whole: async () => expect([all, { key: false, line: false, told: [] }]).toContainEqual(await state()),
    async done() {
      await looking?.stop();
      expect(await state()).toEqual(all);
    },
  };
}

let months = 0;
/** Asks for a report that nobody asked for before. */
function report(name: string, services = w.app.services) {
  const period = new Date(Date.UTC(2001, ++months)).toISOString().slice(0, 7);
  return async () => {
    const concerned = await findAccount(w.t.database.admin, w.psp.uuid, w.psp.uuid);
    if (!concerned) throw new Error('the PSP is not there');
    const [kind] = kindOf(name);
    if (!kind) throw new Error('the kind is not there');
    return requestReport(services, w.principal, kind, concerned, { period }, w.t.now());
  };
}

async function reportRequest(): Promise<Attempt> {
  const request = report('cryptoActivity');
  const before = (await w.entries('report.requested')).length;
  const told = async () => (await w.entries('report.requested')).length - before;
  return {
    run: request,
    async whole() {
      const r = await one('SELECT count(*) AS n FROM reports WHERE psp_id = $1', [w.psp.uuid]);
      expect(r?.n).toBe(before + (await told()));
    },
    done: async () => expect(await told()).toBe(1),
  };
}

async function reportEnd(): Promise<Attempt> {
  const { report: r } = await report('chargebacks', w.t.app.services)();
  const state = async () => {
    const row = await one(
      `SELECT state, (SELECT count(*) FROM report_files f WHERE f.psp_id = r.psp_id AND f.report_id = r.id) AS files
       FROM reports r WHERE id = $1`,
      [r.id],
    );
    const ended = (await w.entries('report.completed')).filter((e) => uuidOf(e.data.reportId) === r.id);
    return { done: row?.state === 'DONE', files: (row?.files as number) > 0, told: ended.length };
  };
  const all = { done: true, files: true, told: 1 };
  return {
    async run() {
      await runner.work();
      // It says nothing of what broke it off: another process makes it then.
      if (!(await state()).done) throw new Error('it was not made');
    },
    whole: async () => expect([all, { done: false, files: false, told: 0 }]).toContainEqual(await state()),
    done: async () => expect(await state()).toEqual(all),
  };
}

async function redelivery(): Promise<Attempt> {
  const someone = await w.t.makeClient(w.psp);
  const webhookId = await subscribe(w.t, someone);
  const exhausted = { state: 'exhausted', attempts: ['HTTP_NOT_200'] };
  const { eventId, deliveryId } = await plant(w.t, webhookId, someone, exhausted);
  planted.push(uuidOf(eventId));
  const state = async () => {
    const d = await one('SELECT state FROM webhook_deliveries WHERE id = $1', [uuidOf(deliveryId)]);
    const told = (await w.entries('client.webhook_retried')).some((e) => e.data.deliveryId === deliveryId);
    return { due: d?.state === 'pending', told };
  };
  return {
    run: () => retry(w.app.services, asked(webhookId), uuidOf(deliveryId)),
    whole: async () =>
      expect([
        { due: true, told: true },
        { due: false, told: false },
      ]).toContainEqual(await state()),
    done: async () => expect(await state()).toEqual({ due: true, told: true }),
  };
}

async function replayed(): Promise<Attempt> {
  const someone = await w.t.makeClient(w.psp);
  await verified(w.t, someone, { ref: `untold-${++made}` });
  const webhookId = await subscribe(w.t, someone);
  await caughtUp(w.t);
  const count = async () =>
    (await one('SELECT count(*) AS n FROM webhook_deliveries WHERE webhook_id = $1', [uuidOf(webhookId)]))?.n as number;
  const before = await count();
  const period = {
    since: new Date(w.t.now() - 3_600_000).toISOString(),
    until: new Date(w.t.now() + 3_600_000).toISOString(),
  };
  const told = async () =>
    (await w.entries('client.webhook_replayed'))
      .filter((e) => e.data.webhookId === webhookId)
      .reduce((n: number, e) => n + e.data.added, 0);
  return {
    run: () => replay(w.app.services, asked(webhookId), period, 'missing'),
    whole: async () => expect((await count()) - before).toBe(await told()),
    done: async () => expect(await told()).toBeGreaterThan(0),
  };
}

/** Two portions: a line that is too long ends the first. */
async function file(): Promise<Attempt> {
  const n = ++made;
  const name = `plug-${n}.csv`;
  const row = (i: number) => cdrLine(cdrRow(`${n}-${i}`, { timestamp: '2026-11-21T09:02:05Z' }));
  const kept = cdrLine(cdrRow(`${n}-kept`, { call_duration_seconds: 'long' }));
  drop(w.app.services.settings.dataDir, w.client, name, cdrText(row(1), 'x'.repeat(1_100_000), row(2), kept, row(1)));
  const state = async () => {
    const f = await one('SELECT id, version, state, completed_at IS NOT NULL AS ended FROM cdr_files WHERE name = $1', [
      name,
    ]);
    const id = f?.id ?? null;
    const portions = (await w.entries('cdr.file_portion')).filter((e) => e.data.fileName === name);
    const sum = (what: string) => portions.reduce((s: number, e) => s + e.data[what], 0);
    const calls = await one("SELECT count(*) AS n FROM cdrs WHERE cdr_id LIKE $1 || '-%'", [`CDR-${n}`]);
    const refs = await one("SELECT count(*) AS n FROM refs WHERE space = 'cdr' AND ref LIKE $1 || '-%'", [`CDR-${n}`]);
    const lines = await one('SELECT count(*) AS n FROM cdr_suspense WHERE file_id = $1', [id]);
    const ends = (await w.entries('cdr.file_completed')).filter((e) => uuidOf(e.data.fileId) === id);
    return {
      id,
      rows: { calls: calls?.n, refs: refs?.n, lines: lines?.n, ended: f?.ended ?? false, version: f?.version ?? 0 },
      told: {
        calls: sum('accepted'),
        refs: sum('accepted'),
        lines: sum('rejected'),
        ended: ends.length === 1,
        version: portions.length + ends.length,
      },
    };
  };
  return {
    async run() {
      await w.app.services.cdrIntake.pickUp();
      // It says nothing of what broke it off: the next pick-up goes on.
      const { rows } = await state();
      if (!rows.ended || tree(w.app.services.settings.dataDir, 'processing').length > 0)
        throw new Error('it was not ended');
    },
    async whole() {
      const { rows, told } = await state();
      expect(rows).toEqual(told);
    },
    async done() {
      expect((await state()).told).toEqual({ calls: 2, refs: 2, lines: 2, ended: true, version: 3 });
    },
  };
}

async function writtenOff(): Promise<Attempt> {
  const id = await fileWithRejectedLine(w.client, '+2348031234567');
  const found = await findAnyFile(w.t.database.admin, id);
  if (!found) throw new Error('the file is not there');
  const state = async () => {
    const line = await one('SELECT state FROM cdr_suspense WHERE file_id = $1', [id]);
    const told = (await w.entries('cdr.lines_written_off')).filter((e) => uuidOf(e.data.fileId) === id);
    return [line?.state === 'WRITTEN_OFF', ...told.map((e) => e.data.count)];
  };
  return {
    run: () => writeOffLines(w.app.services, w.principal, found, undefined, 'test calls', w.t.now()),
    whole: async () => expect([[true, 1], [false]]).toContainEqual(await state()),
    done: async () => expect(await state()).toEqual([true, 1]),
  };
}

async function reviewOpened(): Promise<Attempt> {
  const large = { totalAmount: 90_000_000, paymentMethods: { card: 90_000_000 } };
  const id = uuidOf(await verified(w.t, w.client, { ref: `large-${++made}`, ...large }));
  const behind = async () => {
    const r = await one(
      `SELECT greatest(0, j.seq - coalesce(c.seq, 0)) AS n FROM journal j
       LEFT JOIN journal_cursors c ON c.psp_id = j.psp_id AND c.reader = 'reviews'
       WHERE j.psp_id = $1 AND j.resource_id = $2 AND j.kind = 'transaction.created'`,
      [w.psp.uuid, id],
    );
    return r?.n as number;
  };
  const reviews = async () => {
    const r = await one(
      `SELECT (SELECT count(*) FROM reviews WHERE transaction_id = $1) AS rows,
         (SELECT count(*) FROM refs WHERE space = 'review' AND ref LIKE $1 || ':%') AS refs,
         (SELECT count(*) FROM journal j JOIN reviews r ON r.psp_id = j.psp_id AND r.id = j.resource_id
          WHERE r.transaction_id = $1) AS entries`,
      [id],
    );
    return [r?.rows, r?.refs, r?.entries];
  };
  return {
    async run() {
      const reader = makeRiskReader(w.app.services, pool);
      reader.start();
      await until('it was read or broken off', async () => w.plug.pulled || (await behind()) === 0);
      await reader.stop();
      if ((await behind()) > 0) throw new Error('it was not read');
    },
    // The review and the cursor are one commit: an entry that was read is one that a review was opened for.
    whole: async () => expect(await reviews()).toEqual((await behind()) > 0 ? [0, 0, 0] : [1, 1, 1]),
    done: async () => expect(await reviews()).toEqual([1, 1, 1]),
  };
}

const works: readonly [string, () => Promise<Attempt>][] = [
  ['an erasure', erasure],
  ["a report's request", reportRequest],
  ["a report's end", reportEnd],
  ['a redelivery', redelivery],
  ['a replay', replayed],
  ["a call detail file's portions and end", file],
  ['lines written off', writtenOff],
  ['a review opened by a rule', reviewOpened],
];

describe('the plug pulled at any writing statement', () => {
  it.each(works)('of %s leaves row and entry, or neither, and it can be repeated', async (_, prepared) => {
    const brokenOff = await w.pullEverywhere(prepared, async () => undefined);
    // At its one call of the commit function at the least, before and after.
    expect(brokenOff).toBeGreaterThanOrEqual(2);
  });

  it('leaves nothing that an audit finds', async () => {
    await w.t.database.admin.query('DELETE FROM webhook_events WHERE id = ANY ($1)', [planted]);
    await w.expectAudited();
  });
});
