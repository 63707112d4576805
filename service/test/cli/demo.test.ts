// assay demo: the same seed gives the same data, made through the public API, and repeating the run changes nothing.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Assay } from '@assay/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { houses } from '../../demo/cast.ts';
import { makeWorld } from '../../demo/make-world.ts';
import { type Event, planOf } from '../../demo/plan.ts';
import { progressBar } from '../../demo/progress.ts';
import { startReceiver } from '../../demo/receiver.ts';
import { classifications } from '../../src/core/standing.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { makeFolder } from '../support/folder.ts';
import { expectJournalComplete, readersAtEnd } from '../support/journal.ts';
import { assayWith } from './run.ts';

const small = { seed: 38, days: 3, scale: 0.15 };
const quiet = { show: () => undefined, end: () => undefined };

interface Lived {
  readonly t: TestApp;
  readonly operator: Account;
  readonly startMs: number;
}

/** A service in which the world was made. */
async function live(): Promise<Lived> {
  const t = await makeTestApp({ env: { CDR_SFTP: 'embedded', SFTP_PORT: '0' }, startAt: '2026-10-30T06:00:00Z' });
  const lived = { t, operator: await t.makeOperator(), startMs: t.now() };
  await make(lived);
  return lived;
}

async function make({ t, operator, startMs }: Lived): Promise<void> {
  const [host, port] = (t.app.sftpAddress() as string).split(':');
  await makeWorld(
    small,
    {
      url: t.address,
      apiKey: operator.apiKey,
      startMs,
      receiver: undefined,
      drop: { host: host as string, port: Number(port) },
      moveTo: (ms) => t.advance(Math.max(0, ms - t.now())),
    },
    quiet,
  );
}

/** Until what follows the journal has read all of it. */
const allRead = ({ t }: Lived) => readersAtEnd(t, ['daily-totals', 'reviews']);

/** Everything the API says of a world that is no id and no time of day. */
async function told(lived: Lived) {
  await allRead(lived);
  const { t, operator } = lived;
  const staff = new Assay({ baseUrl: t.address, apiKey: operator.apiKey, amounts: 'text' });
  const world: Record<string, unknown> = {};
  for await (const psp of staff.pages('listAccounts', { kind: 'psp' })) {
    const as = { pspId: psp.clientId };
    const days = { dayFrom: '2026-10-01', dayTo: '2026-11-30', by: 'day,countryCode,kind,verdict' };
    const lines = (items: readonly object[]) => items.map((l) => ({ ...l, rows: '' })).sort(byText);
    const names = new Map<string, string>();
    for await (const c of staff.pages('listClients', {}, as)) names.set(c.clientId, c.registeredName);
    const transactions: unknown[] = [];
    for await (const x of staff.pages('listTransactions', { limit: 200 }, as))
      transactions.push([
        x.ref,
        names.get(x.clientId),
        x.type,
        x.status,
        x.reason,
        x.totalAmount,
        x.vatAmount,
        x.revision,
      ]);
    const files: unknown[] = [];
    for await (const f of staff.pages('listCdrFiles', {}, as)) files.push([f.fileName, f.state, f.counts]);
    const reports: unknown[] = [];
    for await (const r of staff.pages('listReports', {}, as)) reports.push([r.kind, r.parameters, r.state]);
    const reviews: unknown[] = [];
    for await (const r of staff.pages('listReviews', {}, as)) reviews.push([r.rule, r.outcome]);
    const stories = {
      cases: (await staff.listCases({ queue: 'default' }, as)).items
        .filter((c) => c.assignee !== null)
        .map((c) => [c.clientName, c.state]),
      matches: (await staff.listMatches({}, as)).items.map((m) => [m.list, m.score, m.state]),
      held: (await staff.listWalletHolds({}, as)).items.map((h) => [h.reason, h.inForce]),
      excluded: (await staff.listPlayerRestrictions({}, as)).items.map((r) => [r.kind, r.source, r.inForce]),
      disputes: (await staff.listDisputes({}, as)).items.map((d) => d.state),
      filed: (await staff.listFilings({}, as)).items.map((f) => [f.form, f.period, f.reference]),
      declared: (await staff.listCdrDeclarations({}, as)).items.map((d) => [d.period, d.lineCount]),
      schedules: (await staff.listReportSchedules({}, as)).items.map((x) => [x.kind, x.every]),
    };
    const [totals, taxes] = [await staff.listTotals(days, as), await staff.listTaxTotals(days, as)];
    world[`${psp.registeredName}${psp.test ? ' (test)' : ''}`] = {
      clients: [...names.values()].sort(),
      totals: lines(totals.items),
      taxes: lines(taxes.items),
      transactions: transactions.sort(byText),
      files: files.sort(byText),
      reports: reports.sort(byText),
      reviews: reviews.sort(byText),
      stories,
      outstanding: (await staff.listOutstandingChargebacks({ limit: 200 }, as)).items.length,
    };
  }
  return world;
}
const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

describe('the plan of a world', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planOf(small)).toEqual(planOf(small));
    expect(planOf({ ...small, seed: 12 })).not.toEqual(planOf(small));
  });

  it('has about 5,000 transactions without options, and everything that can happen', () => {
    const plan = planOf({ seed: 1, days: 30, scale: 1 });
    const kinds = Map.groupBy(plan, (e) => e.kind);
    const transactions = plan.filter((e) => 'methods' in e || 'digits' in e).length;
    expect(transactions).toBeGreaterThan(4500);
    expect(transactions).toBeLessThan(5500);
    const all: Event['kind'][] = ['sale', 'deposit', 'withdrawal', 'cryptoDeposit', 'cryptoWithdrawal', 'wager'];
    const more: Event['kind'][] = ['payout', 'decline', 'chargeback', 'netting', 'bar', 'free', 'calls'];
    expect([...kinds.keys()].sort()).toEqual([...all, ...more].sort());
    expect(new Set(houses.flatMap((h) => h.merchants.map((m) => m.classification)))).toEqual(new Set(classifications));
    expect(new Set(houses.map((h) => h.country)).size).toBe(houses.length);
  });

  it('never lets a payout come with its wager, nor anything before what it rests on', () => {
    const plan = planOf({ seed: 3, days: 30, scale: 1 });
    const step = (e: Event) => Math.floor(e.minute / 60);
    const first = new Map(
      plan.flatMap((e) => ('ref' in e && ('line' in e || 'methods' in e) ? [[e.ref, step(e)]] : [])),
    );
    for (const e of plan)
      if (e.kind === 'payout') expect(first.get(e.wagerRef)).toBeLessThan(step(e));
      else if ('ref' in e && !first.has(e.ref) && !('digits' in e)) throw new Error(`${e.ref} rests on nothing`);
      else if (e.kind === 'decline' || e.kind === 'chargeback' || e.kind === 'netting') {
        expect(first.get(e.ref)).toBeLessThan(step(e));
        if (e.against) expect(first.get(e.against)).toBeLessThan(step(e));
      }
  });
});

describe('a small world', () => {
  let one: Lived;
  let other: Lived;
  let first: Awaited<ReturnType<typeof told>>;
  beforeAll(async () => {
    // Side by side: while the one waits for its reports, the other is at work.
    [one, other] = await Promise.all([live(), live()]);
    first = await told(one);
  });
  afterAll(async () => {
    await one?.t.stop();
    await other?.t.stop();
  });

  it('is the same in another service: records, sums, taxes, files, reports and reviews', async () => {
    expect(await told(other)).toEqual(first);
  });

  it('holds what was planned, declines, chargebacks and faulty call records among it', async () => {
    const text = JSON.stringify(first);
    for (const part of ['CHARGED_BACK', 'declined by the PSP', 'the client is suspended', 'PARTIALLY_ACCEPTED'])
      expect(text).toContain(part);
    expect(text).not.toContain('FAILED');
    expect(Object.keys(first).sort()).toEqual([...houses.map((h) => h.name), 'Lagos Union Pay (test)'].sort());
    for (const part of ['nch-held-1', 'RISK_POLICY']) expect(text).toContain(part);
    expect(first['Lagos Union Pay']).toMatchObject({
      stories: {
        cases: [['Naija Chain Exchange Ltd', 'IN_REVIEW']],
        matches: [['DEMO_WATCH', expect.any(Number), 'OPEN']],
        held: [['named in a complaint of a customer', true]],
        excluded: [['EXCLUSION', 'PLAYER', true]],
        filed: [['NG-VAT', '2026-10', 'NRS-VAT-0417']],
        declared: [['2026-10', expect.any(Number)]],
        schedules: [['vatReturn', 'MONTH']],
      },
    });
    await expectJournalComplete(one.t);
  });

  it('is not changed by being made again', async () => {
    const counts = async () =>
      one.t.database.admin.query(
        `SELECT (SELECT count(*) FROM transactions) AS t, (SELECT count(*) FROM wagers) AS w, (SELECT count(*) FROM payouts) AS p,
         (SELECT count(*) FROM chargebacks) AS c, (SELECT count(*) FROM nettings) AS n, (SELECT count(*) FROM cdrs) AS d,
         (SELECT count(*) FROM accounts) AS a`,
      );
    const before = await counts();
    await make(one);
    expect(await counts()).toEqual(before);
  });
});

describe('the progress bar', () => {
  const stream = (isTTY: boolean) => {
    const written: string[] = [];
    return { isTTY, written, write: (text: string) => written.push(text) };
  };

  it('is drawn on one line of a terminal and taken away at the end', () => {
    const s = stream(true);
    const bar = progressBar(s);
    bar.show(1, 4, 'day 1 of 2');
    bar.show(1, 4, 'day 1 of 2');
    bar.show(4, 4, 'totals');
    bar.end();
    expect(s.written).toHaveLength(3);
    expect(s.written[0]).toContain(' 25 %  day 1 of 2');
    expect(s.written[1]).toContain('100 %  totals');
    expect(s.written.join('')).not.toContain('\n');
  });

  it('writes nothing where there is no terminal', () => {
    const s = stream(false);
    const bar = progressBar(s);
    bar.show(1, 4, 'day 1 of 2');
    bar.end();
    expect(s.written).toEqual([]);
  });
});

describe('a demo that others reach', () => {
  it('lets its service call this machine only where that was set by hand', async () => {
    const dir = makeFolder('assay-demo-');
    const ran = await assayWith({ HOST: '0.0.0.0' })('demo', '--data', join(dir, 'world'));
    expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining('set WEBHOOK_ALLOW_HTTP=true')]);
    rmSync(dir, { recursive: true });
  });
});

describe('the receiver of the demo', () => {
  it('answers as each of its addresses is said to behave', async () => {
    const receiver = await startReceiver();
    try {
      const ask = async (behaviour: string) =>
        (await fetch(receiver.urlFor(behaviour), { method: 'POST', body: '{}' })).status;
      expect([await ask('sound'), await ask('gone'), await ask('broken'), await ask('else')]).toEqual([
        200, 410, 500, 404,
      ]);
      const flaky = [await ask('flaky'), await ask('flaky'), await ask('flaky'), await ask('flaky')];
      expect(flaky).toEqual([200, 200, 200, 503]);
    } finally {
      await receiver.close();
    }
  });
});
