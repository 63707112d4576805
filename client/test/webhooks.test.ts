// Webhook requests: the published vectors hold, what the library of Standard Webhooks signs holds, nothing else does.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookError, type WebhookRequest } from '../src/index.ts';

interface Vector {
  readonly what: string;
  readonly secrets: { readonly current: string; readonly previous?: string; readonly previousLeads?: boolean };
  readonly timestamp: number;
  readonly body: string;
  readonly headers: Record<string, string>;
}
const page = join(import.meta.dirname, '../../docs/reference/webhook-vectors.json');
const { vectors } = JSON.parse(readFileSync(page, 'utf8')) as { vectors: Vector[] };

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const other = `whsec_${btoa('another secret of somebody else!')}`;
const at = (v: Vector) => () => v.timestamp * 1000;

describe.each(vectors.map((v) => [v.what, v] as const))('the vector of %s', (_, v) => {
  const { current, previous, previousLeads } = v.secrets;

  it('holds in both forms, from text, bytes, Headers and plain headers', async () => {
    const base = { body: v.body, headers: v.headers, now: at(v) };
    const leading = previousLeads ? (previous as string) : current;
    const ways: WebhookRequest[] = [
      { ...base, secret: current },
      { ...base, secret: [other, current] },
      { ...base, secret: current, headers: new Headers(v.headers) },
      { ...base, secret: current, body: new TextEncoder().encode(v.body) },
      { ...base, secret: leading, form: 'x-signature' },
      ...(previous === undefined ? [] : [{ ...base, secret: previous }]),
    ];
    for (const way of ways) expect(await verifyWebhook(way)).toEqual(JSON.parse(v.body));
  });

  it('does not hold with another secret or body, in either form', async () => {
    for (const form of ['standard', 'x-signature'] as const)
      for (const over of [{ secret: other }, { body: `${v.body} ` }, { secret: [] }]) {
        const request = { body: v.body, headers: v.headers, secret: current, now: at(v), form, ...over };
        await expect(verifyWebhook(request)).rejects.toThrow(WebhookError);
      }
  });
});

describe('a request', () => {
  const body = '{"id":"evt_1","type":"transaction.created","version":2,"data":{"amount":0.10}}';
  const now = 1_800_000_000_000;
  const signed = (text = body, ms = now, id = 'evt_1') => ({
    'webhook-id': id,
    'webhook-timestamp': `${ms / 1000}`,
    'webhook-signature': new Webhook(secret).sign(id, new Date(ms), text),
  });
  const ask = (over: Partial<WebhookRequest>) =>
    verifyWebhook({ body, headers: signed(), secret, now: () => now, ...over });

  it('that the library of Standard Webhooks signed is genuine', async () => {
    expect(await ask({})).toEqual(JSON.parse(body));
    expect(await ask({ amounts: 'text' })).toMatchObject({ version: 2, data: { amount: '0.10' } });
  });

  it('of another time is refused, and so is one whose id or time was changed', async () => {
    expect(await ask({ now: () => now + 300_000 })).toMatchObject({ id: 'evt_1' });
    for (const ms of [now + 301_000, now - 301_000])
      await expect(ask({ now: () => ms })).rejects.toThrow(/more than 300 seconds/);
    await expect(ask({ now: () => now + 20_000, toleranceS: 10 })).rejects.toThrow(/more than 10 seconds/);
    await expect(ask({ headers: { ...signed(), 'webhook-id': 'evt_2' } })).rejects.toThrow(/forged or was altered/);
    const later = { ...signed(), 'webhook-timestamp': `${now / 1000 + 1}` };
    await expect(ask({ headers: later })).rejects.toThrow(/forged or was altered/);
  });

  it('is not checked against an empty secret, with which anybody can sign', async () => {
    for (const empty of ['', 'whsec_', [secret, ''], ['whsec_', secret]])
      for (const form of ['standard', 'x-signature'] as const) {
        const leading = [empty].flat().find((s) => s !== secret) ?? '';
        const forged = leading === '' ? 'ab'.repeat(32) : createHmac('sha256', leading).update(body).digest('hex');
        const asked = ask({ secret: empty, form, headers: { ...signed(), 'x-signature': forged } });
        await expect(asked).rejects.toThrow(new TypeError('a secret is empty: anybody can sign with it'));
      }
  });

  it('without what proves it is refused, whatever else it bears', async () => {
    const { 'webhook-signature': signature } = signed();
    for (const headers of [
      {},
      { 'X-Signature': 'ab'.repeat(32) },
      { ...signed(), 'webhook-signature': '' },
      { ...signed(), 'webhook-signature': signature.replace('v1,', 'v2,') },
      { ...signed(), 'webhook-signature': 'v1,AAAA v1, x' },
      { ...signed(), 'webhook-timestamp': 'now' },
    ])
      await expect(ask({ headers })).rejects.toThrow(WebhookError);
    for (const given of ['', 'zz', 'ab'.repeat(31), undefined])
      await expect(ask({ form: 'x-signature', headers: { 'x-signature': given } })).rejects.toThrow(WebhookError);
  });

  it('signed by several is genuine by one of them, and its header may come as a list', async () => {
    const headers = { ...signed(), 'webhook-signature': [`v1,AAAA ${signed()['webhook-signature']}`] };
    expect(await ask({ headers })).toMatchObject({ id: 'evt_1' });
  });

  it('that is genuine but no JSON is refused as well, and a secret of no form is said to be one', async () => {
    await expect(ask({ body: '{', headers: signed('{') })).rejects.toThrow('the body is not JSON');
    await expect(ask({ secret: 'whsec_***' })).rejects.toThrow(TypeError);
  });
});
