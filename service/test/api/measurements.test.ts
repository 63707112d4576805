// Metrics and health have correct values, not only names: the duration of a slow reply, the running version, and that a
// caller who disconnects is not counted as a lost database.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let testKey: string;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  const operator = await t.makeOperator();
  const path = `/v1/admin/account/${psp.id}/key`;
  testKey = contentOf(await t.post(path, { name: 'tests', mode: 'test' }, operator.apiKey)).apiKey;
});
afterAll(() => t.stop());

const sale = (ref: string) => ({
  ref,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
});
const verify = '/v1/transaction/verifyTransaction';

/** Value of a series whose labels hold all of these. */
async function metric(name: string, ...labels: string[]): Promise<number | undefined> {
  const { text } = await t.get('/metrics');
  const line = text.split('\n').find((l) => l.startsWith(`${name}{`) && labels.every((label) => l.includes(label)));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
}

describe('assay_http_request_seconds', () => {
  it('holds how long a slow answer took', async () => {
    const before = performance.now();
    contentOf(await t.post(verify, sale('slow-1200-a'), testKey));
    const seen = (performance.now() - before) / 1000;
    const labels = ['route="forced"', 'status="200"'];
    const sum = (await metric('assay_http_request_seconds_sum', ...labels)) as number;
    expect(sum).toBeGreaterThan(1.1);
    expect(sum).toBeLessThanOrEqual(seen);
    expect(await metric('assay_http_request_seconds_bucket', 'le="1"', ...labels)).toBe(0);
    expect(await metric('assay_http_request_seconds_bucket', 'le="+Inf"', ...labels)).toBe(1);
  });

  it('holds how long a refusal took, and a fault', async () => {
    expect((await t.post(verify, sale('slow-300-error-503-a'), testKey)).status).toBe(503);
    expect(await metric('assay_http_request_seconds_sum', 'route="forced"', 'status="503"')).toBeGreaterThan(0.25);
  });
});

describe('a caller who hangs up while it sends a body', () => {
  it('is no unknown outcome and no fault, however many there are', async () => {
    const { hostname, port } = new URL(t.address);
    const cutOff = () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(
            `POST ${verify} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nx-api-key: ${testKey}\r\ncontent-length: 5000\r\n\r\n{"ref":`,
            () => setTimeout(() => socket.resetAndDestroy(), 30),
          );
        });
        socket.once('close', () => resolve());
        socket.once('error', reject);
      });
    const count = 20;
    await Promise.all(Array.from({ length: count }, cutOff));
    const refused = () => t.logged.filter((l) => l.includes('"code":"BODY_MALFORMED"')).length;
    await until('all of them are noticed', () => refused() === count);
    expect(t.logged.filter((l) => l.includes('UNKNOWN_OUTCOME') || l.includes('"fault"'))).toEqual([]);
    expect(await metric('assay_http_request_seconds_count', `route="${verify}"`, 'status="503"')).toBeUndefined();
  });
});

describe('the version', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

  it('is in /health/live and in the metrics', async () => {
    expect((await t.get('/health/live')).body).toEqual({ status: 'live', version });
    expect(await metric('assay_build_info', `version="${version}"`)).toBe(1);
  });
});
