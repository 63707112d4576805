// The tutorial works as a reader follows it: its commands run in one shell, in order, each stopping the rest if it fails.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { freePort } from '../support/free-ports.ts';
import { blocksOf } from './pages.ts';

const page = 'docs/tutorial/first-order.md';

let t: TestApp;
let dir: string;
beforeAll(async () => {
  // The receiver goes by the time of this machine.
  const startAt = new Date().toISOString();
  t = await makeTestApp({ env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_CONCURRENCY: '4' }, startAt });
  dir = mkdtempSync(join(tmpdir(), 'assay-tutorial-'));
  const programs = join(dir, 'programs');
  mkdirSync(programs);
  const curl = join(programs, 'curl');
  writeFileSync(curl, `#!/bin/sh\nexec "${process.execPath}" "${join(import.meta.dirname, 'curl-process.ts')}" "$@"\n`);
  chmodSync(curl, 0o755);
});
afterAll(async () => {
  await t?.stop();
  if (dir) rmSync(dir, { recursive: true, force: true });
});

it('ends with a verdict, its webhook and a statement that balances', async () => {
  const psp = await t.makePsp('Demo PSP');
  // The line that the start prints has been pasted before, as the README says.
  const pasted = {
    totalAmount: 107.5,
    transactionFee: 1.5,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 107.5 },
  };
  const { status } = await t.post('/v1/transaction/verifyTransaction', { ref: 'order-1', ...pasted }, psp.apiKey);
  expect(status).toBe(200);
  const lines = blocksOf(page)
    .join('\n')
    .replaceAll('8090', String(await freePort()));
  // Its reader has a service and a key, and not necessarily the repository.
  expect(lines).not.toMatch(/\bnp[mx] /);
  // Where a command fails the receiver is ended with the shell; the page ends it by itself.
  const script = `set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${lines}`;
  const path = [join(dir, 'programs'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH: path, ASSAY: t.address, KEY: psp.apiKey };
  const said = await new Promise<{ failed: boolean; text: string }>((resolve) => {
    execFile('bash', ['--norc', '-c', script], { cwd: dir, env, timeout: 500_000 }, (e, stdout, stderr) =>
      resolve({ failed: e !== null, text: `${stdout}${stderr}` }),
    );
  });
  expect(said, said.text).toMatchObject({ failed: false });
  const { items } = JSON.parse(readFileSync(join(dir, 'statement.json'), 'utf8')).content;
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ currency: 'NGN', countryCode: 'NG', approved: 1, balance: 0 });
  expect(readFileSync(join(dir, 'received.txt'), 'utf8')).toContain('transaction.created');
});
