// The example receivers of the how-to page, run unchanged: they accept what Assay sends and nothing else.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clean } from '../cli/run.ts';
import { until } from '../durability/support/conditions.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { freePort } from '../support/free-ports.ts';
import { contentOf } from '../support/guarantees.ts';
import { statesOf, subscribe } from '../support/webhooks.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/how-to/receive-webhooks.md'), 'utf8');
const blockOf = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] as string;

/** Python is not everywhere; where it is, its receiver is run too. */
const hasPython = spawnSync('python3', ['--version']).status === 0;
const receivers = [
  { language: 'js', file: 'receiver.mjs', command: process.execPath },
  ...(hasPython ? [{ language: 'python', file: 'receiver.py', command: 'python3' }] : []),
];

let t: TestApp;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'assay-receivers-'));
  t = await makeTestApp({ env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_CONCURRENCY: '4' } });
});
afterAll(async () => {
  await t?.stop();
  rmSync(dir, { recursive: true, force: true });
});

describe('the receiver of the how-to page', () => {
  // Spec 6.3
  it.each(receivers)('in $language takes what is signed and refuses what is not', async (r) => {
    const account = await t.makeClient(await t.makePsp());
    writeFileSync(join(dir, r.file), blockOf(r.language));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const child: ChildProcess = spawn(r.command, [join(dir, r.file)], {
      env: clean({ PORT: `${port}`, WEBHOOK_SECRET: account.secret }),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    try {
      const post = (signature?: string) =>
        fetch(url, {
          method: 'POST',
          body: '{"type":"forged"}',
          headers: signature === undefined ? {} : { 'x-signature': signature },
        });
      await until('it listens', async () => (await post()).status === 401);
      for (const signature of ['', 'zz', 'a'.repeat(64)]) expect((await post(signature)).status).toBe(401);
      const id = await subscribe(t, account, url);
      const { eventId } = contentOf(await t.post(`/v1/webhook/${id}/test`, '', account.apiKey));
      await until('it was delivered', async () => (await statesOf(t, id))[eventId] === 'delivered');
      await until('it said so', () => said.includes('webhook.test'));
      expect(said).not.toContain('forged');
    } finally {
      child.kill();
      await ended;
    }
  });
});
