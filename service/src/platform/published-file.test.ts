// Fetching of published files: limits, redirects, and addresses that must not be called.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchPublished } from './published-file.ts';

let server: Server;
let base: string;
const seen: string[] = [];
const here = { allowHttp: true, allowCidrs: [] };

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    seen.push(path);
    if (path === '/file') response.end('Date,USD,\n');
    else if (path === '/large') response.end('x'.repeat(2000));
    else if (path === '/slow') response.write('x');
    else if (path.startsWith('/to?')) response.writeHead(302, { location: decodeURIComponent(path.slice(4)) }).end();
    else if (path === '/loop') response.writeHead(301, { location: '/loop' }).end();
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (address: string, more: object = {}) =>
  fetchPublished(address, { maxBytes: 1000, rules: here, ...more }).then(String, (e: Error) => e.message);

describe('a published file', () => {
  it('is fetched, also by way of a redirect', async () => {
    expect(await get(`${base}/file`)).toBe('Date,USD,\n');
    expect(await get(`${base}/to?${encodeURIComponent('/file')}`)).toBe('Date,USD,\n');
  });

  it('is not fetched when it is missing, too large, too slow, or redirects without end', async () => {
    expect(await get(`${base}/none`)).toMatch(/answered 404, not 200$/);
    expect(await get(`${base}/large`)).toMatch(/larger than 1000 bytes$/);
    expect(await get(`${base}/slow`, { totalTimeoutMs: 200 })).toMatch(/it took too long$/);
    expect(await get(`${base}/loop`)).toMatch(/redirects more than 3 times$/);
  });

  it('is not fetched from this machine or another that is not public, nor without TLS, nor by a redirect to one', async () => {
    seen.length = 0;
    const strict = (address: string) => fetchPublished(address, { maxBytes: 1000 }).catch((e: Error) => e.message);
    expect(await strict(`${base}/file`)).toMatch(/must start with https:\/\/$/);
    expect(await strict('https://127.0.0.1/file')).toMatch(/names a host that is not public: 127\.0\.0\.1$/);
    expect(await strict(`https://${['user', 'word'].join(':')}@example.com/`)).toMatch(
      /must not carry a user name or password$/,
    );
    expect(seen).toEqual([]);
    const inside = encodeURIComponent('http://169.254.169.254/latest/meta-data');
    expect(await get(`${base}/to?${inside}`)).toMatch(/names a host that is not public: 169\.254\.169\.254$/);
    expect(await get(`${base}/to?${encodeURIComponent('file:///etc/passwd')}`)).toMatch(/must start with https/);
  });
});
