// A replay of a proposed risk rule, cut off amid by SIGTERM and by kill -9 of the service: asked again, it says the same as
// one that nothing disturbed, and the same as SQL over the entries.
import { afterAll, expect, it } from 'vitest';
import { accountWire } from '../../src/core/ids.ts';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { makeDatabase } from '../support/app.ts';
import { connectMs } from '../support/database.ts';
import { until } from './support/conditions.ts';
import { prepare } from './support/ground.ts';
import { type ServiceProcess, Stage } from './support/service-process.ts';

const stage = new Stage();
afterAll(() => stage.end());

const sales = 60;
const copies = 200;
const page = 5000;

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;

async function call(
  address: string,
  key: string,
  path: string,
  body?: object,
): Promise<{ status: number; content: Shown }> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const r = await fetch(
    `${address}${path}`,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  );
  return { status: r.status, content: r.ok ? ((await r.json()) as Shown).content : await r.text() };
}
const content = async (...asked: Parameters<typeof call>): Promise<Shown> => {
  const { status, content: shown } = await call(...asked);
  expect(status, JSON.stringify([asked[2], shown])).toBe(200);
  return shown;
};

/** Both count a client's sales of the day; the second takes other amounts. */
const rule = (version: number, from: number, below: number) => ({
  ...{ id: 'CUT_OFF', version, from: '2020-01-01', until: null, scope: { operations: ['verifyTransaction'] } },
  counters: { lastDay: { of: 'client', measure: 'count', window: '24h', kinds: ['verifyTransaction'] } },
  condition: `record.amount >= decimal("${from}") && record.amount < decimal("${below}") && counters.lastDay > 1000`,
  ...{
    severity: 'HIGH',
    code: 'RISK_POLICY',
    reason: 'Amounts of a kind, from a client that sold much today.',
    action: 'review',
  },
  source: { title: 'A test of the risk book', date: '2026-11-26' },
});

it('says after both what it says undisturbed, and what SQL over the entries says', async () => {
  const g = await prepare(stage, await makeDatabase(), 3);
  const first = await stage.service(g.env);
  for (let i = 0; i < sales; i++) {
    const totalAmount = (5000 + 1735 * i) / 100;
    const sale = { ref: `sale-${i}`, totalAmount, transactionFee: 0, currency: 'NGN', countryCode: 'NG' };
    const body = { ...sale, paymentMethods: { card: totalAmount }, customer: { email: `payer-${i}@example.com` } };
    await content(first.address, g.clients[i % 3]?.apiKey as string, '/v1/transaction/verifyTransaction', body);
  }
  const [staff] = await g.db.query<{ id: string }>("SELECT id FROM accounts WHERE kind = 'operator'");
  const keyPath = `/v1/admin/account/${accountWire(staff?.id as never, staff?.id as never)}/key`;
  const keyOf = async (name: string): Promise<string> =>
    (await content(first.address, g.operatorKey, keyPath, { name })).apiKey;
  const [one, second] = [await keyOf('a person'), await keyOf('a second person')];
  const propose = async (version: number, from: number, below: number): Promise<string> => {
    const asked = { reason: 'seen lately', risk: rule(version, from, below) };
    return (await content(first.address, one, '/v1/admin/proposal', asked)).proposalId;
  };
  const approve = `/v1/admin/proposal/${await propose(1, 200, 700)}/approve`;
  await content(first.address, second, approve, { reason: 'yes' });
  // Days that stay the same over midnight.
  const to = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const effect = `/v1/admin/proposal/${await propose(2, 500, 900)}/replay?to=${to}`;
  first.signal('SIGTERM');
  await first.exited;

  // The same sales many times, so that there are pages of them.
  await g.db.query(
    `WITH sample AS (SELECT psp_id, kind, account_id, body, row_number() OVER (ORDER BY seq) AS k FROM journal
       WHERE kind = 'transaction.created' AND psp_id = $1),
     made AS (INSERT INTO journal (psp_id, seq, id, kind, account_id, resource_id, body)
       SELECT s.psp_id, h.seq + n, uuidv7(), s.kind, s.account_id, uuidv7(), s.body
       FROM journal_heads h, generate_series(1, $2::int) n JOIN sample s ON s.k = 1 + n % $3
       WHERE h.psp_id = $1 RETURNING 1)
     UPDATE journal_heads SET seq = seq + $2 WHERE psp_id = $1`,
    [g.psp.psp, sales * copies, sales],
  );
  // Answers alone: nothing else reads the entries meanwhile.
  const serve = () => stage.service({ ...g.env, ROLE: 'serve' });

  let service = await serve();
  const undisturbed = await content(service.address, second, effect);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await cutOff(service, signal);
    service = await serve();
    expect(await content(service.address, second, effect), signal).toEqual(undisturbed);
  }

  const [own] = await g.db.query<Record<string, string>>(
    `WITH seen AS (SELECT (body::json->'data'->>'totalAmount')::numeric AS amount,
         row_number() OVER (PARTITION BY account_id ORDER BY seq) AS nth
       FROM journal WHERE psp_id = $1 AND kind = 'transaction.created'),
     looked AS (SELECT amount, amount >= 200 AND amount < 700 AND nth > 1000 AS was,
         amount >= 500 AND amount < 900 AND nth > 1000 AS becomes FROM seen)
     SELECT count(*)::text AS looked,
       count(*) FILTER (WHERE becomes AND NOT was)::text AS newly, sum(amount) FILTER (WHERE becomes AND NOT was)::text AS newly_sum,
       count(*) FILTER (WHERE was AND NOT becomes)::text AS gone, sum(amount) FILTER (WHERE was AND NOT becomes)::text AS gone_sum,
       count(*) FILTER (WHERE was AND becomes)::text AS same, sum(amount) FILTER (WHERE was AND becomes)::text AS same_sum
     FROM looked`,
    [g.psp.psp],
  );
  const records = (n = '', amount = '') => ({
    records: Number(n),
    lines: [{ currency: 'NGN', records: Number(n), amount: Number(amount) }],
  });
  stage.report({ ...undisturbed, examples: [] }, own);
  expect(undisturbed).toMatchObject({
    complete: true,
    failures: 0,
    looked: Number(own?.looked),
    newlyMatched: records(own?.newly, own?.newly_sum),
    noLongerMatched: records(own?.gone, own?.gone_sum),
    stillMatched: records(own?.same, own?.same_sum),
  });
  expect(Number(own?.newly) + Number(own?.gone)).toBeGreaterThan(3000);

  /** Asks for it, lets it come to its second page, and ends the service there. */
  async function cutOff(s: ServiceProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const waits = (what: string, most: number) =>
      until(`the replay waits on ${what}`, async () => {
        const found = await g.db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
          [`%${what}%`],
        );
        return found.length === most;
      });
    // One holds the lock, one waits for it, one looks.
    const locks = new Pool(g.env.DATABASE_URL as string, { max: 2, log: makeLog('silent'), connectMs });
    const lock = 'LOCK TABLE journal IN ACCESS EXCLUSIVE MODE';
    const reads = 'id < $4 AND kind = ANY ($5) ORDER BY seq';
    let behind: Promise<unknown> | undefined;
    let answer: Promise<number | string> | undefined;
    let goOn = () => {};
    const onSecond = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await locks.transaction(async (tx) => {
      await tx.query(lock);
      answer = call(s.address, second, effect).then(
        (r) => r.status,
        () => 'no answer',
      );
      await waits(reads, 1);
      // Queued behind the first page's read, it is had once that is done, and the second page waits on it.
      behind = locks.transaction(async (next) => {
        await next.query(lock);
        await onSecond;
      });
      await waits(lock, 1);
    });
    await waits(lock, 0);
    await waits(reads, 1);
    s.signal(signal);
    if (signal === 'SIGKILL') await s.exited;
    else
      await until('nobody is let in', () =>
        fetch(`${s.address}/health/live`).then(
          () => false,
          () => true,
        ),
      );
    goOn();
    await behind;
    await locks.end();
    expect(await answer).toBe(signal === 'SIGKILL' ? 'no answer' : 503);
    await s.exited;
  }
  expect(sales * copies).toBeGreaterThan(2 * page);
});
