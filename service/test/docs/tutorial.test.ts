// The tutorial works as a reader follows it: its commands run in one shell, in order, each stopping the rest if it fails.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { freePort } from '../support/free-ports.ts';
import { blocksOf } from './pages.ts';

const root = join(import.meta.dirname, '..', '..', '..');
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
  const program = (name: string, line: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  program('curl', `exec "${process.execPath}" "${join(import.meta.dirname, 'curl-process.ts')}" "$@"`);
  // The reader is in the repository; what the commands write is not to be there.
  program('npm', `shift 4; exec "${process.execPath}" "${join(root, 'service/bin/example.js')}" "$@"`);
});
afterAll(async () => {
  await t?.stop();
  if (dir) rmSync(dir, { recursive: true, force: true });
});

it('ends with a verdict, its webhook and a statement that balances', async () => {
  const psp = await t.makePsp('Demo PSP');
  const lines = blocksOf(page)
    .join('\n')
    .replaceAll('8090', String(await freePort()));
  expect(lines).toContain('npm run --silent example -- webhook-receiver');
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
  expect(readFileSync(join(dir, 'received.txt'), 'utf8')).toContain('transaction.created version 1');
});
