// What is published, built and loaded as users have it: without this repository, without TypeScript, on the oldest Node
// that is promised where the machine has one.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
let dir: string;
let built: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-client-'));
  built = join(dir, 'node_modules', '@assay', 'client');
  execFileSync(process.execPath, [join(root, 'build.js'), built], { stdio: 'inherit' });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The machine's own Node, which need not know TypeScript; else the one that runs this. */
function plainNode(): string {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = (process.env.PATH ?? '').split(delimiter).filter((f) => f !== '' && !f.includes('node_modules'));
  return folders.map((f) => join(f, name)).find((f) => existsSync(f)) ?? process.execPath;
}

describe('the package', () => {
  it('is JavaScript and declarations that need nothing else', () => {
    const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((f) => /\.\w+$/.test(f));
    expect(files.filter((f) => !/(\.js|\.d\.ts|package\.json|README\.md)$/.test(f))).toEqual([]);
    const imported = files
      .filter((f) => f.endsWith('.js'))
      .flatMap((f) => [...readFileSync(join(built, f), 'utf8').matchAll(/from '([^']+)'/g)].map((m) => m[1] as string));
    expect(imported.filter((name) => !/^\.{1,2}\/.+\.js$/.test(name))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((k) => /dependencies/i.test(k))).toEqual([]);
  });

  it('works where TypeScript is not understood: calls, exact amounts, webhooks', async () => {
    const vectors = join(root, '../docs/reference/webhook-vectors.json');
    const program = `
      import { readFileSync } from 'node:fs';
      import { Assay, verifyWebhook } from '@assay/client';
      const assay = new Assay({ baseUrl: process.argv[2], apiKey: 'k', amounts: 'text' });
      const reply = await assay.verifyTransaction({ ref: 'r', totalAmount: '0.10' });
      const [v] = JSON.parse(readFileSync(process.argv[3], 'utf8')).vectors;
      const now = () => v.timestamp * 1000;
      const event = await verifyWebhook({ body: v.body, headers: v.headers, secret: v.secrets.current, now });
      console.log(JSON.stringify({ reply, type: event.type, node: process.versions.node }));
    `;
    writeFileSync(join(dir, 'program.mjs'), program);
    let asked = '';
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => {
        asked += chunk;
      });
      request.on('end', () =>
        response.end('{"success":true,"message":"","content":{"vatAmount":123456789012345678.10}}'),
      );
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stdout } = await promisify(execFile)(plainNode(), ['program.mjs', url, vectors], { cwd: dir });
    server.close();
    expect(JSON.parse(stdout)).toMatchObject({
      reply: { vatAmount: '123456789012345678.10' },
      type: 'transaction.created',
    });
    expect(asked).toBe('{"ref":"r","totalAmount":0.10}');
  });
});
