// The alerts and the board under deploy ask for what a service answers: each of their queries is read by Prometheus' own
// grammar, and each metric and label in it is found at /metrics of a service under load, counters with values that rose.
import { readFileSync, rmSync } from 'node:fs';
import { connect as connectTo, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { metricRows } from '../../src/adapters/http/metric-rows.ts';
import { sftpLimits } from '../../src/adapters/sftp/limits.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import { createSftpLogin } from '../../src/modules/telecom/sftp-credentials.ts';
import { until } from '../durability/support/conditions.ts';
import { connect, sftpOf, upload } from '../sftp/support/drop.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { cdrRow, cdrText } from '../support/cdr-files.ts';
import { makeFolder } from '../support/folder.ts';
import { contentOf } from '../support/guarantees.ts';
import { answers, type Receiver, startReceiver } from '../support/receivers.ts';
import { made } from '../support/reports.ts';
import { subscribe } from '../support/webhooks.ts';
import { type Query, readQuery, readSeries, type Series, selected } from './promql.ts';

const deploy = join(import.meta.dirname, '../../../deploy');
const read = (file: string) => readFileSync(join(deploy, file), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
const alerts = (parse(read('prometheus/alerts.yaml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  (g) => g.rules,
);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}
const board = JSON.parse(read('grafana/assay.json'));
const panels: readonly Panel[] = board.panels;

/** Every query, with the texts that show labels of its result. */
const queries = [
  ...alerts.map((a) => ({ at: a.alert, expr: a.expr, shows: [a.annotations.summary, a.annotations.description] })),
  ...panels.flatMap((p) =>
    (p.targets ?? []).map((t) => ({ at: `${p.title} ${t.refId}`, expr: t.expr, shows: [t.legendFormat] })),
  ),
].map((q) => ({ ...q, query: readQuery(q.expr.replaceAll('$__rate_interval', '5m')) }));

/** Labels that Prometheus adds to what it gathers. */
const added = { job: 'assay', instance: 'assay1.internal:8080' };

const folder = makeFolder('assay-backups-');
const receivers: Receiver[] = [];
let t: TestApp;
let psp: Account;
let before: Series[];
let after: Series[];

const scrape = async (): Promise<Series[]> => [
  { metric: 'up', labels: added, value: 1 },
  ...readSeries((await t.get('/metrics')).text).map((s) => ({ ...s, labels: { ...s.labels, ...added } })),
];

beforeAll(async () => {
  const auditor = await startReceiver();
  const [good, bad] = [await startReceiver(), await startReceiver({ behaviour: answers(500) })];
  receivers.push(auditor, good, bad);
  t = await makeTestApp({
    env: {
      ...{ WEBHOOK_CONCURRENCY: '64', WEBHOOK_ALLOW_HTTP: 'true', BACKUP_DIR: folder, RATE_BURST: '150' },
      ...{ CDR_SFTP: 'embedded', SFTP_PORT: '0', CDR_PICKUP_CRON: '*/15 * * * *', AUDIT_WEBHOOK_URL: auditor.url },
      AUDIT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 5).toString('base64')}`,
    },
  });
  before = await scrape();
  psp = await t.makePsp();
  for (const r of [good, bad]) await subscribe(t, psp, r.url);
  await load();
  after = await scrape();
});
afterAll(async () => {
  await t?.stop();
  for (const r of receivers) await r.stop();
  rmSync(folder, { recursive: true, force: true });
});

const sale = (ref: string) => ({
  ...{ ref, totalAmount: 107.5, currency: 'NGN', countryCode: 'NG', transactionFee: 1.5 },
  paymentMethods: { card: 107.5 },
});
const verify = (ref: string, key: string) => t.post('/v1/transaction/verifyTransaction', sale(ref), key);

/** What happens to a service in a bad hour. */
async function load(): Promise<void> {
  for (let i = 0; i < 20; i++) contentOf(await verify(`order-${i}`, psp.apiKey));
  expect((await verify('stranger', 'asy_wrong')).status).toBe(401);
  const operator = await t.makeOperator();
  const { apiKey } = contentOf(
    await t.post(`/v1/admin/account/${psp.id}/key`, { name: 'tests', mode: 'test' }, operator.apiKey),
  );
  expect((await verify('error-503-a', apiKey)).status).toBe(503);
  expect((await verify('slow-1-a', apiKey)).status).toBe(200);
  await flood();
  await fileDrop();
  await reports();
  await until('webhooks were sent to both receivers, and the auditor has a checkpoint', () =>
    receivers.every((r) => r.received.length > 0),
  );
  await until('a backup was made', () => t.logged.some((l) => l.includes('a backup was made and checked')));
}

async function flood(): Promise<void> {
  const loud = await t.makePsp('Loud PSP');
  // The door knows keys that were valid once.
  contentOf(await verify('loud', loud.apiKey));
  const all = await Promise.all(Array.from({ length: 400 }, () => t.get('/v1/webhook', loud.apiKey)));
  expect(all.some((r) => r.status === 429)).toBe(true);
}

async function fileDrop(): Promise<void> {
  const [host, port] = (t.app.sftpAddress() as string).split(':') as [string, string];
  const at = { host, port: Number(port) };
  const of = { psp: psp.uuid, account: psp.uuid };
  const how = { name: 'test', publicKey: undefined, password: true };
  const { login, password } = await createSftpLogin(t.app.services, system, of, how, t.now());
  await expect(connect(at, { username: login.username, password: 'wrong' })).rejects.toThrow();
  const client = await connect(at, { username: login.username, password: password as string });
  await upload(await sftpOf(client), '/cdr/incoming/CDR_TEST_1.csv', cdrText(cdrRow(1), cdrRow(2)));
  await t.database.admin.query("SELECT graphile_worker.add_job('cdr-pick-up')");
  const lines = async () => (await scrape()).find((s) => s.metric === 'assay_cdr_analysed_records_total');
  await until('its records are taxed', async () => ((await lines())?.value ?? 0) >= 2);
  client.end();
  const crowd: Socket[] = [];
  await until('one more connection is not let in', async () => {
    crowd.push(connectTo(at.port, at.host).on('error', () => undefined));
    return ((await scrape()).find((s) => s.metric === 'assay_sftp_refused_connections_total')?.value ?? 0) > 0;
  });
  for (const socket of crowd) socket.destroy();
}

async function reports(): Promise<void> {
  const ask = { kind: 'feeStatement', period: '2026-10' };
  expect((await made(t, ask, psp.apiKey)).state).toBe('DONE');
  await t.database.admin.query('ALTER VIEW totals_by_fee RENAME TO totals_by_fee_away');
  try {
    const other = { ...ask, period: '2026-09' };
    expect((await made(t, other, psp.apiKey)).state).toBe('FAILED');
    expect((await t.get('/v1/totals?dayFrom=2026-10-01&dayTo=2026-10-31', psp.apiKey)).status).toBe(500);
  } finally {
    await t.database.admin.query('ALTER VIEW totals_by_fee_away RENAME TO totals_by_fee');
  }
}

/** The matchers of a query with the board's variables filled in. */
const filled = ({ selectors }: Query) =>
  selectors.map((s) => ({
    ...s,
    matchers: s.matchers.map((m) => ({ ...m, value: m.value === '$job' ? added.job : m.value })),
  }));

describe('every query', () => {
  it('is one that Prometheus reads', () => {
    expect(queries.length).toBeGreaterThan(60);
    expect(() => readQuery('sum by (le (rate(a[5m]))')).toThrow('no query from position');
    expect(readQuery('a{b!="c",d=~"e"} > on (f) rate(g[5m])').selectors).toEqual([
      {
        metric: 'a',
        overTime: false,
        matchers: [
          { label: 'b', op: '!=', value: 'c' },
          { label: 'd', op: '=~', value: 'e' },
        ],
      },
      { metric: 'g', overTime: true, matchers: [] },
    ]);
  });

  it.each(queries)('$at: has series with values, which rise where counted, and the labels it shows', (asked) => {
    const { query, shows } = asked;
    expect(query.selectors.length).toBeGreaterThan(0);
    const sum = (series: readonly Series[]) => series.reduce((all, s) => all + s.value, 0);
    for (const selector of filled(query)) {
      const found = selected(after, selector);
      expect(found.length, JSON.stringify(selector)).toBeGreaterThan(0);
      expect(found.filter((s) => !Number.isFinite(s.value))).toEqual([]);
      if (selector.overTime) expect(sum(found), selector.metric).toBeGreaterThan(sum(selected(before, selector)));
    }
    const found = filled(query).flatMap((selector) => selected(after, selector));
    const labels = new Set(found.flatMap((s) => Object.keys(s.labels)));
    expect(query.grouped.filter((label) => !labels.has(label))).toEqual([]);
    const shown = shows.flatMap((text) => [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)/g)].map(([, name]) => name));
    const left = query.grouped.length > 0 ? query.grouped : [...labels];
    expect(shown.filter((label) => !left.includes(label as string))).toEqual([]);
  });
});

describe('the alerts', () => {
  it('see the first rise of what is counted one by one: each series that they compare with 0 is there before it', () => {
    const single = queries.filter((q) => /increase\(/.test(q.expr));
    expect(single.map((q) => q.at)).toContain('AssayReportsFail');
    const text = (s: Series) => JSON.stringify([s.metric, Object.entries(s.labels).sort()]);
    const known = new Set(before.map(text));
    for (const { at, query } of single)
      for (const selector of filled(query).filter((s) => s.overTime))
        expect(
          selected(after, selector)
            .map(text)
            .filter((s) => !known.has(s)),
          at,
        ).toEqual([]);
  });

  it('ring for guessing at the file drop from one network, of which only so many sign-ins are let in to fail', () => {
    const { expr = '' } = alerts.find((a) => a.alert === 'AssayFileDropSignInsFail') ?? {};
    const [, minutes, most] = /failed"\}\[(\d+)m\][\s\S]* > ([\d.]+)$/.exec(expr) ?? [];
    const { failures, failureEveryMs } = sftpLimits;
    const inTime = failures + (Number(minutes) * 60_000) / failureEveryMs;
    expect(/\bincrease\(/.test(expr) ? inTime : inTime / (Number(minutes) * 60)).toBeGreaterThan(Number(most));
  });

  it('wake nobody for what a test key made fail or wait, nor does the board show it as failed', () => {
    const forced = after.filter((s) => s.labels.route === 'forced' && s.metric.endsWith('_count'));
    expect(forced.map((s) => s.labels.status).sort()).toEqual(['200', '503']);
    const failing = queries.filter((q) => ['AssayFaults', 'AssayVerifySlow', '5xx A'].includes(q.at));
    expect(failing).toHaveLength(3);
    for (const { at, query } of failing)
      for (const selector of filled(query))
        expect(
          selected(after, selector).filter((s) => s.labels.route === 'forced'),
          at,
        ).toEqual([]);
  });

  it('ask of room for the fullest process, which the sums over all would hide', () => {
    const { query } = queries.find((q) => q.at === 'AssayAtItsLimit') ?? {};
    expect(query?.selectors.map((s) => s.metric)).toEqual(['assay_requests_share']);
    expect(metricRows.assay_requests_share).toMatchObject({ fullest: true });
  });

  it('have each a name of its own, a severity, and words for whoever is woken', () => {
    expect(new Set(alerts.map((a) => a.alert)).size).toBe(alerts.length);
    for (const a of alerts) {
      expect(['critical', 'warning', 'info'], a.alert).toContain(a.labels.severity);
      expect(a.annotations.summary.length, a.alert).toBeGreaterThan(10);
      expect(a.annotations.description, a.alert).toMatch(/\.$/);
      expect(a.for ?? '1m', a.alert).toMatch(/^\d+[mh]$/);
    }
  });

  it('are loaded by the piece of configuration beside them, under the job that they name', () => {
    const { scrape_configs: jobs, rule_files: files } = parse(read('prometheus/scrape.yaml'));
    expect(jobs.map((j: { job_name: string }) => j.job_name)).toEqual([added.job]);
    for (const file of files) expect(parse(read(`prometheus/${file}`)).groups.length).toBeGreaterThan(0);
  });
});

describe('the board', () => {
  it('shows every metric of the service', () => {
    const asked = new Set(queries.flatMap((q) => q.query.selectors.map((s) => s.metric)));
    const missing = Object.keys(metricRows).filter(
      (name) => !['', '_bucket', '_sum', '_count'].some((ending) => asked.has(name + ending)),
    );
    expect(missing).toEqual([]);
  });

  it('has panels that do not cover each other, with ids of their own', () => {
    expect(new Set(panels.map((p) => p.id)).size).toBe(panels.length);
    const covers = ({ gridPos: a }: Panel, { gridPos: b }: Panel) =>
      a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
    for (const p of panels) {
      expect(p.gridPos.x + p.gridPos.w, p.title).toBeLessThanOrEqual(24);
      expect(panels.filter((o) => o.id > p.id && covers(p, o)).map((o) => o.title)).toEqual([]);
    }
  });

  it('asks for its job by a variable that is filled from the service', () => {
    const names = board.templating.list.map((v: { name: string }) => v.name);
    expect(names).toEqual(['datasource', 'job']);
    for (const { targets } of panels) for (const { expr } of targets ?? []) expect(expr).toContain('job="$job"');
    expect(board.templating.list[1].definition).toBe('label_values(assay_build_info, job)');
    expect(after.some((s) => s.metric === 'assay_build_info')).toBe(true);
  });
});
