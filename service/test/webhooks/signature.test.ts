// Signatures at every kind of receiver (Spec 5.5, 6.3): one that reads the bytes, one that serializes the parsed body
// again, and one with the library of Standard Webhooks. Altered requests are rejected.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { canonicalText, Numeral, wireNumber } from '../../src/core/money.ts';
import { announcement } from '../../src/core/webhooks/announcement.ts';
import { announcedSchemas } from '../../src/entries/index.ts';
import { newWebhookSecret } from '../../src/modules/accounts/administer.ts';
import { type SigningSecrets, signatureHeaders } from '../../src/modules/webhooks/signature.ts';
import { Outgoing } from '../../src/platform/outgoing.ts';
import { type Received, type Receiver, startReceiver } from '../support/receivers.ts';

interface Vector {
  readonly what: string;
  readonly secrets: SigningSecrets;
  readonly timestamp: number;
  readonly body: string;
  readonly headers: Record<string, string>;
}
const page = join(import.meta.dirname, '../../../docs/reference/webhook-vectors.json');
const { vectors } = JSON.parse(readFileSync(page, 'utf8')) as { vectors: Vector[] };

/** The receiver of the specification, over the bytes or over what it makes of them. */
function accepts(request: Pick<Received, 'body' | 'headers'>, secret: string, rewritten = false): boolean {
  const body = rewritten ? JSON.stringify(JSON.parse(request.body)) : request.body;
  const expected = createHmac('sha256', secret).update(body, 'utf8').digest();
  const given = Buffer.from(String(request.headers['x-signature']), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const nowS = () => Math.floor(Date.now() / 1000);
const entry = (data: unknown): string =>
  JSON.stringify({
    id: 'evt_01m00000000000000000000001',
    type: 'transaction.created',
    event: 'New Transaction',
    timestamp: '2027-01-15T09:30:00.000Z',
    actor: { account: 'psp_x', by: 'key:a' },
    clientId: 'cli_01m00000000000000000000002',
    version: 1,
    data,
  });

/** Amounts of up to 15 digits, as callers write them. */
const amountText = fc
  .tuple(fc.stringMatching(/^[0-9]{1,15}$/), fc.integer({ min: 0, max: 14 }))
  .map(([digits, decimals]) => {
    const padded = digits.padStart(decimals + 1, '0');
    const text = decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
    return text.replace(/^0+(?=\d)/, '');
  });

describe('the published vectors', () => {
  it.each(vectors.map((v) => [v.what, v] as const))('hold: %s', (_, v) => {
    const id = v.headers['webhook-id'] as string;
    expect(signatureHeaders(v.secrets, id, v.timestamp, v.body)).toEqual(v.headers);
  });

  it('hold for the library of Standard Webhooks, which signs the same', () => {
    for (const v of vectors) {
      const id = v.headers['webhook-id'] as string;
      const secrets = [v.secrets.current, ...(v.secrets.previous ? [v.secrets.previous] : [])];
      const signed = secrets.map((s) => new Webhook(s).sign(id, new Date(v.timestamp * 1000), v.body));
      expect(signed.join(' '), v.what).toBe(v.headers['webhook-signature']);
    }
  });
});

describe('a body', () => {
  it('with amounts of up to 15 digits is the same after a receiver has read it and written it out again', () => {
    fc.assert(
      fc.property(fc.array(amountText), fc.jsonValue(), fc.string({ unit: 'grapheme' }), (amounts, rest, text) => {
        const { body } = announcement(entry({ amounts: amounts.map(wireNumber), rest, text }), announcedSchemas);
        expect(JSON.stringify(JSON.parse(body))).toBe(body);
      }),
      { numRuns: 2000 },
    );
  });

  it('holds every amount exactly, of whatever length', () => {
    const long = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 38n - 1n }), fc.integer({ min: 0, max: 18 }));
    fc.assert(
      fc.property(
        fc.oneof(
          amountText,
          long.map(([n, d]) => `${n}e-${d}`),
        ),
        (text) => {
          const amount = canonicalText(text);
          const { body } = announcement(entry({ amount: wireNumber(amount) }), announcedSchemas);
          const read = (parseJson(body) as { data: { amount: Numeral } }).data.amount;
          expect(read).toBeInstanceOf(Numeral);
          expect(canonicalText(read.text)).toBe(amount);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([1, 2, 3])('of %i changed bytes fits no signature', (changes) => {
    const secret = newWebhookSecret();
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat(), { minLength: changes, maxLength: changes }), (body, places) => {
        const headers = signatureHeaders({ current: secret }, 'evt_1', nowS(), body);
        const bytes = Buffer.from(body);
        for (const p of places) bytes[p % bytes.length] = ((bytes[p % bytes.length] as number) + 1) & 0x7f;
        const changed = bytes.toString();
        if (changed === body) return;
        const lower = { 'x-signature': headers['X-Signature'] };
        expect(accepts({ body, headers: lower }, secret)).toBe(true);
        expect(accepts({ body: changed, headers: lower }, secret)).toBe(false);
        expect(() => new Webhook(secret).verify(changed, headers, { jsonParse: false })).toThrow();
      }),
    );
  });
});

describe('a request on its way', () => {
  let receiver: Receiver;
  let outgoing: Outgoing;
  const [old, fresh] = [newWebhookSecret(), newWebhookSecret()];
  const { body } = announcement(
    entry({ amount: wireNumber('107.50'), name: 'Ọlá "Books" 😀 \u2028', note: '<&>' }),
    announcedSchemas,
  );

  beforeAll(async () => {
    receiver = await startReceiver();
    outgoing = new Outgoing({ allowHttp: true, allowCidrs: [] });
  });
  afterAll(() => Promise.all([receiver.stop(), outgoing.close()]));

  async function arrives(secrets: SigningSecrets): Promise<Received> {
    const outcome = await outgoing.send(receiver.url, body, signatureHeaders(secrets, 'evt_1', nowS(), body));
    expect(outcome.reason).toBe('OK');
    return receiver.received.at(-1) as Received;
  }
  const standard = (r: Received, secret: string) =>
    new Webhook(secret).verify(r.body, r.headers as Record<string, string>);

  it('is accepted by all three kinds of receivers and by none with another secret', async () => {
    const r = await arrives({ current: old });
    expect(accepts(r, old)).toBe(true);
    expect(accepts(r, old, true)).toBe(true);
    expect(standard(r, old)).toEqual(JSON.parse(body));
    expect(accepts(r, fresh)).toBe(false);
    expect(() => standard(r, fresh)).toThrow();
  });

  it('is accepted with either secret during a rotation, and X-Signature with the one that leads', async () => {
    const before = await arrives({ current: fresh, previous: old, previousLeads: true });
    expect([accepts(before, old), accepts(before, fresh)]).toEqual([true, false]);
    const after = await arrives({ current: fresh, previous: old });
    expect([accepts(after, old), accepts(after, fresh)]).toEqual([false, true]);
    for (const r of [before, after]) for (const s of [old, fresh]) expect(standard(r, s)).toEqual(JSON.parse(body));
  });

  it('is not accepted after its time by the library of Standard Webhooks, nor under another id', async () => {
    const late = signatureHeaders({ current: old }, 'evt_1', nowS() - 600, body);
    expect(() => new Webhook(old).verify(body, late)).toThrow(/too old/);
    const other = { ...signatureHeaders({ current: old }, 'evt_1', nowS(), body), 'webhook-id': 'evt_2' };
    expect(() => new Webhook(old).verify(body, other)).toThrow(/No matching signature/);
  });
});
