// Traces as a collector receives them: a span for each request, joined to the caller's trace, and one for each commit.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

let t: TestApp;
let psp: Account;
let collector: Server;
const asked: string[] = [];
const spans: Span[] = [];

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString('utf8'));
    for (const r of body.resourceSpans) for (const scope of r.scopeSpans) spans.push(...scope.spans);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  t = await makeTestApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${address}/` } });
  psp = await t.makePsp();
});
afterAll(async () => {
  await t.stop();
  await new Promise((resolve) => collector.close(resolve));
});

const sale = {
  ref: 'traced-1',
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
};
const of = (name: string) => spans.filter((s) => s.name === name);
const said = (s: Span) =>
  Object.fromEntries(s.attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

describe('a trace', () => {
  it('has a span for a request, in the trace of whoever asked, and tells of no key, amount or person', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const r = await t.post('/v1/transaction/verifyTransaction', sale, psp.apiKey, headers);
    contentOf(r);
    const name = 'POST /v1/transaction/verifyTransaction';
    await until('the span is sent', () => of(name).length === 1);
    expect(asked.every((a) => a === 'POST /v1/traces')).toBe(true);
    const [span] = of(name) as [Span];
    expect([span.traceId, span.parentSpanId]).toEqual([traceId, '00f067aa0ba902b7']);
    expect(said(span)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/transaction/verifyTransaction',
      'http.response.status_code': 200,
      'assay.request_id': r.headers.get('x-request-id'),
    });
  });

  it('has a span for each commit, with how many were in it', async () => {
    contentOf(await t.post('/v1/transaction/verifyTransaction', { ...sale, ref: 'traced-2' }, psp.apiKey));
    await until('a commit is told of', () => of('commit_batch').length > 0);
    expect(Number(said(of('commit_batch')[0] as Span)['db.operation.batch.size'])).toBeGreaterThan(0);
  });

  it('has a span as long as the answer took', async () => {
    const operator = await t.makeOperator();
    const { apiKey } = contentOf(
      await t.post(`/v1/admin/account/${psp.id}/key`, { name: 'tests', mode: 'test' }, operator.apiKey),
    );
    const traceId = '1bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    contentOf(await t.post('/v1/transaction/verifyTransaction', { ...sale, ref: 'slow-700-a' }, apiKey, headers));
    const span = await until('the span is sent', () => spans.find((s) => s.traceId === traceId));
    const nanoseconds = BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano);
    expect(Number(nanoseconds / 1_000_000n)).toBeGreaterThanOrEqual(690);
  });

  it('is not kept where the caller keeps none', async () => {
    const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' };
    await t.get('/v1/transaction?limit=1', psp.apiKey, headers);
    await t.get('/v1/transaction?limit=2', psp.apiKey);
    await until('the later request is told of', () => of('GET /v1/transaction').length === 1);
    expect(spans.filter((s) => s.traceId === '0af7651916cd43dd8448eb211c80319c')).toEqual([]);
  });

  it('ends with the route of what was refused, never with what was asked for', async () => {
    expect((await t.get('/v1/transaction/txn_private', psp.apiKey)).status).toBe(404);
    await until('it is told of', () => of('GET /v1/transaction/:transactionId').length === 1);
    expect(JSON.stringify(spans)).not.toContain('txn_private');
  });
});
