// What a call sends and how its answer is read, against a service that answers as it is told to.
import { describe, expect, it } from 'vitest';
import { Assay, AssayError, type AssayOptions, isRefusal, NoReplyError, operations } from '../src/index.ts';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

type Answer = (sent: Sent, init: RequestInit) => Response | Promise<Response>;

const ok = (content: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ success: true, message: 'done', content }), { headers });
const no = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ success: false, message }), { status, headers: { 'x-error-code': code, ...headers } });

/** A client whose service gives these answers, the last one again and again. */
function clientOf(answers: readonly Answer[], over: Partial<AssayOptions> = {}) {
  const sent: Sent[] = [];
  const slept: number[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    const one = {
      method: init.method ?? 'GET',
      url: String(url),
      headers: init.headers as Record<string, string>,
      body: init.body as string | undefined,
    };
    sent.push(one);
    return await (answers[Math.min(sent.length, answers.length) - 1] as Answer)(one, init);
  };
  const sleep = async (ms: number) => void slept.push(ms);
  const options = { baseUrl: 'https://assay.example/', apiKey: 'key', fetch, sleep, random: () => 0.5, ...over };
  return { assay: new Assay(options as AssayOptions & { amounts?: 'number' }), sent, slept };
}

const order = {
  ref: 'order-1',
  totalAmount: '107.50',
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: '107.50' },
  transactionFee: 1.5,
};
const deposit = { ref: 'd', totalAmount: 1, currency: 'NGN', customer: {}, countryCode: 'NG', transactionFee: 0 };

describe('a call', () => {
  it('sends body, key and headers, and answers with the content', async () => {
    const { assay, sent } = clientOf([() => ok({ status: 'APPROVED', vatAmount: 7.5 })], { clientId: 'cli_1' });
    expect(await assay.verifyTransaction(order, { expand: ['tax', 'fees'], pspId: 'psp_1' })).toEqual({
      status: 'APPROVED',
      vatAmount: 7.5,
    });
    expect(sent).toEqual([
      {
        method: 'POST',
        url: 'https://assay.example/v1/transaction/verifyTransaction?expand=tax%2Cfees',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'x-api-key': 'key',
          'x-client-id': 'cli_1',
          'x-psp-id': 'psp_1',
        },
        body: '{"ref":"order-1","totalAmount":107.50,"currency":"NGN","countryCode":"NG","paymentMethods":{"card":107.50},"transactionFee":1.5}',
      },
    ]);
  });

  it('puts path parameters by their names, and the rest into the query or the body', async () => {
    const { assay, sent } = clientOf([() => ok({})]);
    await assay.getTransaction({ transactionId: 'txn_1/..?a' }, { expand: 'tax' });
    await assay.listTransactions({ status: 'DECLINED', limit: 5, ref: undefined as unknown as string });
    await assay.placeHold({ accountId: 'cli_1', code: 'REVIEW', reason: 'looked odd' });
    await assay.pickUpCdrFiles();
    expect(sent.map((s) => [s.method, s.url.replace('https://assay.example', ''), s.body])).toEqual([
      ['GET', '/v1/transaction/txn_1%2F..%3Fa?expand=tax', undefined],
      ['GET', '/v1/transaction?status=DECLINED&limit=5', undefined],
      ['POST', '/v1/admin/account/cli_1/hold', '{"code":"REVIEW","reason":"looked odd"}'],
      ['POST', '/v1/telecom/pickUp', undefined],
    ]);
  });

  it('says what is missing before it asks anybody', async () => {
    const { assay, sent } = clientOf([() => ok({})]);
    await expect(assay.getTransaction({ transactionId: '' })).rejects.toThrow('getTransaction needs transactionId');
    await expect(assay.reply('nothing' as 'getCdr', { cdrId: 'x' })).rejects.toThrow('nothing is no operation');
    await expect(assay.verifyTransaction({ ...order, totalAmount: '1,5' })).rejects.toThrow("totalAmount: '1,5' is no");
    expect(sent).toEqual([]);
  });

  it('gives the whole reply where it is asked for', async () => {
    const { assay } = clientOf([
      () => ok({ apiKey: 'k' }, { 'x-client-id': 'cli_7', 'x-request-id': 'r-1', 'idempotency-replayed': 'true' }),
    ]);
    const reply = await assay.reply('verifyClientStatus');
    expect(reply).toMatchObject({
      content: { apiKey: 'k' },
      message: 'done',
      status: 200,
      requestId: 'r-1',
      replayed: true,
    });
    expect(reply.headers.get('x-client-id')).toBe('cli_7');
  });

  it('reads amounts as exact text where it is told to, and documents as text', async () => {
    const answer = () => new Response('{"success":true,"message":"","content":{"vatAmount":0.10,"revision":2}}');
    const { assay } = clientOf([answer], { amounts: 'text' });
    expect(await assay.getTransaction({ transactionId: 't' })).toEqual({ vatAmount: '0.10', revision: 2 });
    const document = '{ "schemaVersion": 1, "amount": 0.10 }';
    const report = await clientOf([() => new Response(document)]).assay.reply('getReportJson', { reportId: 'r' });
    expect(report.text).toBe(document);
    const csv = clientOf([() => new Response('line;code\n')]);
    expect(await csv.assay.getRejectedCsv({ fileId: 'f' })).toBe('line;code\n');
  });

  it('has a method for each operation', () => {
    const { assay } = clientOf([() => ok({})]);
    for (const id of Object.keys(operations)) expect([id, typeof Reflect.get(assay, id)]).toEqual([id, 'function']);
  });
});

describe('a no', () => {
  it('is an error with code, kind, status, request id and the service’s own sentence', async () => {
    const { assay } = clientOf([() => no(409, 'REF_CONFLICT', 'the ref was used before', { 'x-request-id': 'r-9' })]);
    const error = await assay.verifyTransaction(order).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(AssayError);
    expect(error).toMatchObject({ code: 'REF_CONFLICT', kind: 'conflict', status: 409, requestId: 'r-9' });
    expect((error as Error).message).toBe('the ref was used before');
    expect([
      isRefusal(error, 'REF_CONFLICT'),
      isRefusal(error, 'NOT_FOUND'),
      isRefusal(new Error(), 'NOT_FOUND'),
    ]).toEqual([true, false, false]);
  });

  it('is told of also where something between answered', async () => {
    const { assay } = clientOf([() => new Response('<html>', { status: 413 })], { retries: 0 });
    await expect(assay.listClients()).rejects.toMatchObject({ code: 'UNKNOWN', kind: 'unknown', status: 413 });
    const page = clientOf([() => new Response('<html>Sign in</html>')], { retries: 0 });
    await expect(page.assay.listClients()).rejects.toMatchObject({ name: 'AssayError', code: 'UNKNOWN', status: 200 });
  });
});

describe('repeating', () => {
  const overloaded = () => no(503, 'OVERLOADED', 'busy', { 'retry-after': '2' });
  const unknown = () => no(503, 'UNKNOWN_OUTCOME', 'unknown');
  const limited = () => no(429, 'RATE_LIMITED', 'slower', { 'retry-after': '1' });
  const down = () => Promise.reject(new TypeError('fetch failed'));
  const fine = () => ok({ status: 'APPROVED' });

  it.each<[string, Answer]>([
    ['overload', overloaded],
    ['an unknown outcome', unknown],
    ['a rate limit', limited],
    ['a broken connection', down],
    ['a gateway', () => new Response('', { status: 502 })],
    ['a rate limit of a gateway', () => new Response('', { status: 429 })],
    ['a request that came too slowly', () => no(408, 'REQUEST_TIMEOUT', 'slow')],
  ])('follows %s with the same bytes, for a read and for what its ref makes safe', async (_, failure) => {
    for (const call of ['getTransaction', 'verifyTransaction'] as const) {
      const { assay, sent } = clientOf([failure, failure, fine]);
      await (call === 'getTransaction' ? assay.getTransaction({ transactionId: 't' }) : assay.verifyTransaction(order));
      expect(sent.length).toBe(3);
      expect(new Set(sent.map((s) => JSON.stringify(s))).size).toBe(1);
    }
  });

  it.each<[string, Answer]>([
    ['overload', overloaded],
    ['an unknown outcome', unknown],
    ['a broken connection', down],
  ])('never follows %s where a second time would be a second thing', async (_, failure) => {
    const { assay, sent } = clientOf([failure, fine]);
    await expect(assay.createReport({ kind: 'vatReturn' })).rejects.toThrow();
    expect(sent.length).toBe(1);
  });

  it('does not follow an answer that would be the same again', async () => {
    for (const answer of [() => no(400, 'FIELD_INVALID', 'no'), () => no(500, 'INTERNAL', 'a fault')]) {
      const { assay, sent } = clientOf([answer]);
      await expect(assay.listClients()).rejects.toBeInstanceOf(AssayError);
      expect(sent.length).toBe(1);
    }
  });

  it('waits longer each time, by chance, and never less than it was asked to', async () => {
    const { assay, slept } = clientOf([down, down, overloaded, limited, fine]);
    await assay.deposit(deposit as never, { retries: 4 });
    expect(slept).toEqual([150, 300, 2200, 1400]);
  });

  it('ends when its attempts are used up, with what was said last', async () => {
    const { assay, sent } = clientOf([unknown], { retries: 2 });
    await expect(assay.deposit(deposit as never)).rejects.toMatchObject({ code: 'UNKNOWN_OUTCOME' });
    expect(sent.length).toBe(3);
  });
});

describe('time', () => {
  const never: Answer = (_, init) =>
    new Promise((_resolve, reject) => {
      if (init.signal?.aborted) reject(init.signal.reason);
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });

  it('ends an attempt that gets no answer', async () => {
    const { assay, sent } = clientOf([never], { timeoutMs: 5, retries: 1 });
    const error = await assay.listClients().catch((e: unknown) => e);
    expect(error).toBeInstanceOf(NoReplyError);
    expect(error).toMatchObject({ timedOut: true, message: 'GET /v1/client: no reply within 5 ms' });
    expect(sent.length).toBe(2);
  });

  it('does not say that the service was not reached where the connection was cut after the request', async () => {
    const cut: Answer = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));
    const { assay } = clientOf([cut]);
    await expect(assay.chargeBack({ ref: 'r' })).rejects.toMatchObject({
      name: 'NoReplyError',
      timedOut: false,
      message: 'POST /v1/transaction/chargeBack: no reply; the service could not be reached, or the connection was cut',
    });
  });

  it('also where the body does not come', async () => {
    const half: Answer = (_, init) =>
      new Response(
        new ReadableStream({
          start(stream) {
            stream.enqueue(new TextEncoder().encode('{"succ'));
            init.signal?.addEventListener('abort', () => stream.error(init.signal?.reason));
          },
        }),
      );
    const { assay } = clientOf([half], { timeoutMs: 5, retries: 0 });
    await expect(assay.listClients()).rejects.toMatchObject({ name: 'NoReplyError', timedOut: true });
  });

  it('is the caller’s to end: its signal stops the attempt and what would follow', async () => {
    const stop = new AbortController();
    const { assay, sent } = clientOf([never]);
    const call = assay.listClients({}, { signal: stop.signal });
    stop.abort(new Error('left the page'));
    await expect(call).rejects.toThrow('left the page');
    expect(sent.length).toBe(1);
    await expect(assay.listClients({}, { signal: stop.signal })).rejects.toThrow('left the page');
  });

  it('ends a wait between attempts as well', async () => {
    const stop = new AbortController();
    const { assay, sent } = clientOf(
      [
        () => {
          queueMicrotask(() => stop.abort(new Error('left')));
          return no(503, 'OVERLOADED', 'busy', { 'retry-after': '3600' });
        },
      ],
      { sleep: undefined },
    );
    await expect(assay.listClients({}, { signal: stop.signal })).rejects.toThrow('left');
    expect(sent.length).toBe(1);
  });
});

describe('pages', () => {
  it('follow the cursor to the end, asking only for what is read', async () => {
    const pages = [
      { items: [{ n: 1 }, { n: 2 }], nextCursor: 'a' },
      { items: [{ n: 3 }], nextCursor: 'b' },
      { items: [], nextCursor: null },
    ];
    const { assay, sent } = clientOf(pages.map((p) => () => ok(p)));
    const seen: unknown[] = [];
    for await (const t of assay.pages('listTransactions', { limit: 2 }, { clientId: 'cli_2' })) seen.push(t);
    expect(seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(sent.map((s) => s.url.split('?')[1])).toEqual(['limit=2', 'limit=2&cursor=a', 'limit=2&cursor=b']);
    expect(sent.every((s) => s.headers['x-client-id'] === 'cli_2')).toBe(true);
    const first = clientOf(pages.map((p) => () => ok(p)));
    for await (const _ of first.assay.pages('listTransactions')) break;
    expect(first.sent.length).toBe(1);
  });

  it('follow numbers where a list is numbered', async () => {
    const { assay, sent } = clientOf([
      () => ok({ items: [1], nextAfter: 7 }),
      () => ok({ items: [2], nextAfter: null }),
    ]);
    const seen: unknown[] = [];
    for await (const line of assay.pages('listCdrFileErrors', { fileId: 'cdf_1' })) seen.push(line);
    expect(seen).toEqual([1, 2]);
    expect(sent[1]?.url).toMatch(/\/cdf_1\/errors\?after=7$/);
  });
});
