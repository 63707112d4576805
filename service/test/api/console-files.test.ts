// The console's files at /console: which are served, how long they may be cached, and what the pages are allowed to do
// (Security 8).
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleHeaders, serveConsole } from '../../src/adapters/http/console.ts';
import { makeTestApp } from '../support/app.ts';

let folder: string;
let app: FastifyInstance;
const page = '<!doctype html><title>Assay</title><script type="module" src="/console/assets/index-a1b2.js"></script>';
const script = `export const text = '${'x'.repeat(5000)}';`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-console-'));
  writeFileSync(join(folder, 'secret.txt'), 'beside the build');
  app = Fastify();
  serveConsole(app, join(folder, 'dist'));
  await app.ready();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (url: string, encoding = 'identity') => app.inject({ url, headers: { 'accept-encoding': encoding } });

describe('without a build', () => {
  it('a plain page says how to make one', async () => {
    const r = await get('/console/');
    expect([r.statusCode, r.headers['content-type'], r.headers['cache-control']]).toEqual([
      503,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(r.body).toContain('<code>npm run build</code>');
    expect(r.headers).toMatchObject(consoleHeaders);
  });
});

describe('with a build', () => {
  beforeAll(() => {
    mkdirSync(join(folder, 'dist', 'assets'), { recursive: true });
    writeFileSync(join(folder, 'dist', 'index.html'), page);
    writeFileSync(join(folder, 'dist', 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    writeFileSync(join(folder, 'dist', '.hidden'), 'not for anybody');
    const asset = join(folder, 'dist', 'assets', 'index-a1b2.js');
    writeFileSync(asset, script);
    writeFileSync(`${asset}.br`, brotliCompressSync(script));
    writeFileSync(`${asset}.gz`, gzipSync(script));
  });

  it.each([
    '/console/',
    '/console/transactions',
    '/console/transactions/txn_01h455vb4pex5vsknk084sn02q',
    '/console/a/b',
  ])('%s is the page, asked for anew each time', async (url) => {
    const r = await get(url);
    expect([r.statusCode, r.headers['content-type'], r.headers['cache-control'], r.body]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
      page,
    ]);
  });

  it('/console leads to it', async () => {
    const r = await get('/console');
    expect([r.statusCode, r.headers.location]).toEqual([302, '/console/']);
  });

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])('assets come compressed for who takes %s, to be kept for ever', async (accepted, encoding) => {
    const r = await get('/console/assets/index-a1b2.js', accepted);
    expect([r.statusCode, r.headers['content-encoding'], r.headers['cache-control']]).toEqual([
      200,
      encoding,
      'public, max-age=31536000, immutable',
    ]);
    expect(r.headers['content-type']).toMatch(/^(text|application)\/javascript; charset=utf-8$/);
    expect(r.rawPayload.length).toBe(
      encoding === 'br'
        ? brotliCompressSync(script).length
        : encoding === 'gzip'
          ? gzipSync(script).length
          : script.length,
    );
  });

  it.each([
    '/console/assets/index-none.js',
    '/console/none.svg',
    '/console/.hidden',
    '/console/../secret.txt',
    '/console/%2e%2e/secret.txt',
    '/console/..%2fsecret.txt',
    '/console/assets/..%2f..%2fsecret.txt',
    '/console/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/console/assets/..%5c..%5csecret.txt',
    '/console/assets/%00',
  ])('%s gives no file that is not the build’s', async (url) => {
    const r = await get(url);
    expect(r.body).not.toMatch(/beside the build|not for anybody/);
    if (r.statusCode === 200) expect(r.body).toBe(page);
    else expect(r.statusCode).toBeGreaterThanOrEqual(400);
  });

  it.each([
    '/console',
    '/console/',
    '/console/clients',
    '/console/mark.svg',
    '/console/assets/index-a1b2.js',
    '/console/assets/none.js',
  ])('%s comes with the policy', async (url) => expect((await get(url)).headers).toMatchObject(consoleHeaders));
});

describe('the policy', () => {
  it('runs the build’s scripts and nothing inline, talks to the service only, and stands in no frame', () => {
    const directives = new Map(
      consoleHeaders['content-security-policy'].split('; ').map((d) => {
        const [name, ...sources] = d.split(' ');
        return [name, sources.join(' ')] as const;
      }),
    );
    expect(Object.fromEntries(directives)).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    });
    expect(consoleHeaders['content-security-policy']).not.toMatch(/unsafe-eval|https?:|\*/);
    expect(consoleHeaders).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });

  it('stands in the answers of the running service, whose pages and probes answer HEAD as GET, without the body', async () => {
    const t = await makeTestApp();
    try {
      const r = await t.get('/console/');
      for (const [name, value] of Object.entries(consoleHeaders))
        expect([name, r.headers.get(name)]).toEqual([name, value]);
      for (const path of ['/console/', '/docs', '/docs/none', '/openapi.json', '/health/live', '/health/ready']) {
        const [got, head] = await Promise.all(
          ['GET', 'HEAD'].map((method) => fetch(`${t.address}${path}`, { method })),
        );
        expect([path, head?.status, await head?.text()]).toEqual([path, got?.status, '']);
        for (const name of ['content-type', 'content-length', 'cache-control', 'content-security-policy'])
          expect([path, name, head?.headers.get(name)]).toEqual([path, name, got?.headers.get(name)]);
      }
    } finally {
      await t.stop();
    }
  });
});
