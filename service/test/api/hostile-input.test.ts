// Requests made to keep the service busy: a mebibyte long, or costly to parse. Each must cost the shared thread about
// as much as a harmless request of its size; quadratic work would take minutes. Measured in processor time, so that a
// busy machine does not matter.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
let client: Account;
let operator: Account;
beforeAll(async () => {
  t = await makeTestApp({ env: { BODY_LIMIT: `${limit}`, BASKET_BODY_LIMIT: `${limit}` } });
  client = await t.makeClient(await t.makePsp());
  operator = await t.makeOperator();
});
afterAll(() => t.stop());

const limit = 1_048_576;
const room = limit - 600;
const of = (text: string, length = room) => text.repeat(Math.floor(length / text.length));
const list = (n: number, make: (i: number) => string) => Array.from({ length: n }, (_, i) => make(i)).join();

const members = (field: string, value: string): Record<string, string> => ({
  ref: '"r"',
  totalAmount: '107.5',
  currency: '"NGN"',
  countryCode: '"NG"',
  transactionFee: '0',
  [field]: value,
});
const bodyOf = (m: Record<string, string>) =>
  `{${Object.entries(m)
    .map(([k, v]) => `"${k}":${v}`)
    .join()}}`;
const sale = (field: string, value: string) => bodyOf({ paymentMethods: '{"card":107.5}', ...members(field, value) });
const withdrawal = (field: string, value: string) =>
  bodyOf({ customer: '{"email":"a@b.co"}', toAddress: '{}', ...members(field, value) });
const bank = (value: string) => withdrawal('toAddress', value);

type Make = [what: string, path: string, body: () => string];
const verify = '/v1/transaction/verifyTransaction';
const pay = '/v1/payment/withdrawal';
const bodies: Make[] = [
  ['opening brackets', verify, () => of('[')],
  ['objects in objects', verify, () => of('{"a":')],
  [
    'brackets just deep enough, again and again',
    verify,
    () => sale('x', `[${list(16_000, () => `${'['.repeat(29)}${']'.repeat(29)}`)}]`),
  ],
  ['digits', verify, () => sale('totalAmount', of('9'))],
  ['decimals', verify, () => sale('totalAmount', `0.${of('0')}1`)],
  ['an exponent without end', verify, () => sale('totalAmount', `1e${of('9')}`)],
  ['a great exponent', verify, () => sale('totalAmount', '1e999999999')],
  ['numbers of many digits', pay, () => bank(`{"n":[${list(8_000, () => '9'.repeat(120))}]}`)],
  ['members nobody knows', verify, () => sale('x', `{${list(60_000, (i) => `"k${i}":1`)}}`)],
  ['members that differ in their last letter', verify, () => `{${list(30_000, (i) => `"${'k'.repeat(24)}${i}":1`)}}`],
  ['payment methods', verify, () => sale('paymentMethods', `{${list(60_000, (i) => `"m${i}":1`)}}`)],
  ['escapes', verify, () => sale('ref', `"${of('\\u0041')}"`)],
  ['a long ref', verify, () => sale('ref', `"${of('a')}"`)],
  ['white space', verify, () => `${of(' ')}{}`],
  ['accents on one letter', verify, () => sale('ref', `"a${of('\u0301', room / 2)}"`)],
  ['a long e-mail of ats', pay, () => withdrawal('customer', `{"email":"${of('a@')}"}`)],
  ['a long e-mail of dots', pay, () => withdrawal('customer', `{"email":"a@${of('a.')}"}`)],
  ['a long telephone number', pay, () => withdrawal('customer', `{"email":"a@b.co","phoneNumber":"+${of('1')}"}`)],
  ['a long IBAN', pay, () => bank(`{"iban":"NL91${of('A')}"}`)],
  ['IBANs', pay, () => bank(`{${list(12_000, (i) => `"iban${i}":"NL91ABNA0417164300${i}"`)}}`)],
  ['bank details in bank details', pay, () => bank(`${'{"a":'.repeat(29)}"${of('GB82WEST')}"${'}'.repeat(29)}`)],
  ['spaces in a number', pay, () => bank(`{"account":"1${of(' ')}x"}`)],
  [
    'a long address of a chain',
    '/v1/payment/cryptoWithdrawal',
    () =>
      bodyOf({
        ...members('currency', '"BTC"'),
        blochainHash: '"0x"',
        customer: '{"email":"a@b.co"}',
        toAddress: `"${of('1')}"`,
      }),
  ],
  [
    'a long address of a network',
    '/captureWager',
    () => `{"amount":1,"ref":"r","customer":{"email":"a@b.co"},"ip":"${of('1:')}","type":"s"}`,
  ],
  ['a long time', '/v1/telecom/recordCDR', () => `{"cdr_id":"c","call_start_time":"${of('2026-11-21T')}"}`],
  [
    'items',
    '/v1/basket/submitBasket',
    () =>
      sale(
        'items',
        `[${list(9_000, (i) => `{"sku":"${i}","title":"t","description":"","quantity":1,"price":1,"subTotal":1}`)}]`,
      ),
  ],
];

/** Milliseconds that this thread works for the answer, the least of three; the service runs in it, as all do. */
async function cost(ask: () => Promise<Answer>): Promise<{ ms: number; answer: Answer }> {
  let least = Number.POSITIVE_INFINITY;
  let answer: Answer | undefined;
  for (let i = 0; i < 3 && least > boundMs / 4; i++) {
    const before = process.threadCpuUsage();
    answer = await ask();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return { ms: least, answer: answer as Answer };
}
const boundMs = 1_000;

it.each(bodies)('a body of %s costs no more than its size', async (_, path, make) => {
  const body = make();
  const { ms, answer } = await cost(() => t.post(path, body, client.apiKey));
  expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500);
  expect(answer.headers.get('x-error-code')).not.toBe('BODY_TOO_LARGE');
  expect(ms).toBeLessThan(boundMs);
});

it('a query or a header of any form costs no more than its size', async () => {
  const long = 7_000;
  const texts = ['1', 'a', '%20', '2026-11-21T', 'a.', '[', '%7B%22a%22:', '%00', '+', '-', 'txn_', '%CC%81'].map((x) =>
    of(x, long),
  );
  const asked = [
    ...texts.flatMap((x) => [
      () => t.get(`/v1/transaction?ref=${x}&from=${x.slice(0, 50)}`, client.apiKey),
      () => t.get(`/v1/transaction?createdFrom=${x}`, client.apiKey),
      () => t.get(`/v1/transaction/${x}`, client.apiKey),
      () => t.get(`/v1/journal?kind=${x}`, client.apiKey),
      () => t.get(`/v1/admin/account?q=${x}`, operator.apiKey),
      () => t.get(`/v1/client/verifyClientStatus?${x}`, client.apiKey),
    ]),
    () => t.get(`/v1/transaction?${list(1_000, (i) => `a${i}=1`).replaceAll(',', '&')}`, client.apiKey),
    ...[
      'x-api-key',
      'x-client-id',
      'x-psp-id',
      'cookie',
      'traceparent',
      'x-csrf-token',
      'idempotency-key',
      'accept',
    ].flatMap((name) =>
      ['a', '1', '; ', 'assay=', '-', '_'].map(
        (x) => () => t.get('/v1/client/verifyClientStatus', client.apiKey, { [name]: of(x, long) }),
      ),
    ),
  ];
  for (const ask of asked) {
    const { ms, answer } = await cost(ask);
    expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500);
    expect(ms).toBeLessThan(boundMs / 2);
  }
});
