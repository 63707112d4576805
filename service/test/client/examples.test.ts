// Runs the examples unchanged against a real service.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { settingRows } from '../../src/setting-rows.ts';
import { until } from '../durability/support/conditions.ts';
import { makeTestDrop } from '../sftp/support/drop.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { cdrRow, cdrText } from '../support/cdr-files.ts';
import { statesOf, subscribe } from '../support/webhooks.ts';
import { clientOf } from './world.ts';

const example = (name: string) => join(import.meta.dirname, '../../../examples', name);
const run = promisify(execFile);

const launcher = join(import.meta.dirname, '../../bin/example.js');
const tooOld = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } });",
)}`;

/** What an example prints, run as `npm run example` on a Node too old for it. It is given these variables alone. */
const said = async (name: string, args: readonly string[], env: Record<string, string>): Promise<string> =>
  (await run(process.execPath, ['--import', tooOld, launcher, name.replace('.ts', ''), ...args], { env })).stdout;

const told = (t: TestApp, account: Account) => ({ ASSAY_URL: t.address, ASSAY_KEY: account.apiKey });

it('psp-checkout takes money only when the payment is approved', async () => {
  const t = await makeTestApp();
  try {
    const psp = await t.makePsp();
    const shop = await t.makeClient(psp);
    const env = { ...told(t, psp), CLIENT_ID: shop.id };
    expect(await said('psp-checkout.ts', ['107.50', 'o-1'], env)).toBe('paid: 97.23 to the shop, 7.5 VAT, 1.08 fee\n');
    expect(await said('psp-checkout.ts', ['2000000', 'o-2'], env)).toMatch(/^the card was refused; .* declined\n$/);
    const { items } = await clientOf(t, psp).listTransactions();
    expect(items.map((i) => [i.ref, i.status])).toEqual([
      ['o-2', 'DECLINED'],
      ['o-1', 'APPROVED'],
    ]);
    await clientOf(t, await t.makeOperator()).setStanding({
      accountId: shop.id,
      operationalStanding: 'SUSPENDED',
      reason: 'licence lapsed',
    });
    expect(await said('psp-checkout.ts', ['10', 'o-3'], env)).toBe(
      'declined: the client is suspended; no money was taken\n',
    );
    await expect(said('psp-checkout.ts', ['1', 'o-1'], { ...env, ASSAY_KEY: 'asy_wrong' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^KEY_INVALID: .+ \(request [0-9a-f-]{36}\)\n$/),
    });
  } finally {
    await t.stop();
  }
});

it('webhook-receiver takes each event once and nothing that is forged', async () => {
  // The receiver goes by the time of this machine.
  const startAt = new Date().toISOString();
  const t = await makeTestApp({ env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_CONCURRENCY: '4' }, startAt });
  const client = await t.makeClient(await t.makePsp());
  const child = spawn(process.execPath, [example('webhook-receiver.ts')], {
    env: { PORT: '0', WEBHOOK_SECRET: client.secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  try {
    const port = await until('it listens', () => /port: (\d+)/.exec(output)?.[1]);
    const url = `http://127.0.0.1:${port}/`;
    expect((await fetch(url, { method: 'POST', body: '{"type":"forged"}' })).status).toBe(401);
    const assay = clientOf(t, client);
    const webhookId = await subscribe(t, client, url);
    const { eventId } = await assay.testWebhook({ webhookId });
    const delivered = async () => (await statesOf(t, webhookId))[eventId] === 'delivered';
    await until('it was delivered', delivered);
    await until('it said so', () => output.includes('webhook.test'));
    const deliveries = await assay.listDeliveries({ webhookId });
    const { deliveryId } = deliveries.items.find((d) => d.eventId === eventId) as { deliveryId: string };
    await assay.retryDelivery({ webhookId, deliveryId });
    await until(
      'it was delivered again',
      async () => (await assay.getDelivery({ webhookId, deliveryId })).attempts.length === 2,
    );
    expect(output.match(/webhook\.test/g)).toHaveLength(1);
    expect(output).not.toContain('forged');
  } finally {
    child.kill();
    await ended;
    await t.stop();
  }
});

it('an example that npm runs ends with npm, which hands a signal to a shell that tells nobody', async () => {
  const child = spawn('npm', ['run', '--silent', 'example', '--', 'webhook-receiver'], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', WEBHOOK_SECRET: 'whsec_c2VjcmV0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: whatever a failing test leaves of it is ended together.
    detached: true,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  // Its output is closed once no process of it is left.
  const closed = new Promise((resolve) => child.stdout.once('close', resolve));
  try {
    await until('it listens', () => /port: (\d+)/.test(output));
    child.kill('SIGTERM');
    await closed;
  } finally {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // It is gone, as it should be.
    }
  }
});

it('cdr-drop uploads a file and tells what became of each line', async () => {
  const d = await makeTestDrop();
  const dir = mkdtempSync(join(tmpdir(), 'assay-example-'));
  try {
    const client = await d.t.makeClient(await d.t.makePsp());
    writeFileSync(join(dir, 'night.csv'), cdrText(cdrRow(1), cdrRow(2, { call_duration_seconds: 'x' }), cdrRow(3)));
    const env = { ...told(d.t, client), SFTP_HOST: d.host, SFTP_PORT: `${d.port}` };
    const output = await said('cdr-drop.ts', [join(dir, 'night.csv')], env);
    expect(output).toMatch(/^PARTIALLY_ACCEPTED: 2 of 3 records accepted$/m);
    expect(output).toMatch(/^line 3, call_duration_seconds: .+$/m);
    const { items } = await clientOf(d.t, client).listSftpCredentials();
    expect(items.map((l) => l.name)).toEqual(['nightly job']);
  } finally {
    rmSync(dir, { recursive: true, force: true });
    await d.stop();
  }
});

it('the examples ask on the port that the service has by itself, and take none of its ports', () => {
  const { default: port } = settingRows.find((r) => r.name === 'PORT') as { default: string };
  for (const name of ['psp-checkout.ts', 'cdr-drop.ts'])
    expect(readFileSync(example(name), 'utf8')).toContain(`ASSAY_URL = 'http://127.0.0.1:${port}'`);
  expect(readFileSync(example('webhook-receiver.ts'), 'utf8')).not.toContain(`PORT = '${port}'`);
});

it('npm run example without a name says which there are', async () => {
  const none = run(process.execPath, [launcher], { env: {} });
  await expect(none).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('psp-checkout') });
});
