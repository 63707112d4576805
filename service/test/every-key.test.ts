// Rules on the API key of a request, for every operation that takes one: a valid call is refused with every kind of
// invalid key and with one of another audience, has no effect then, and succeeds with a valid key, as it is documented.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../src/adapters/http/operations.ts';
import type { Operation } from '../src/modules/kernel/operation.ts';
import { shippedTax } from '../src/platform/data-files.ts';
import { until } from './durability/support/conditions.ts';
import { conforming, expectNothingTold } from './fuzz/conforming.ts';
import { type Cast, soundCall } from './fuzz/sound-calls.ts';
import { type Account, type Answer, type KeyKind, makeTestApp, type TestApp } from './support/app.ts';
import { expectRefusal, forge, issueKey, revokeKey, strangeKey } from './support/guarantees.ts';
import { entryCount, rowCount } from './support/journal.ts';

let t: TestApp;
let cast: Cast;
let accounts: readonly Account[];
let expectConforming: ReturnType<typeof conforming>;
/** Things that paths name and that a call makes no new one of. */
let places: Readonly<Record<string, string>>;
/** By audience: keys that were good until they were revoked, or until their time. */
const revoked: Partial<Record<KeyKind, string>> = {};
const expired: Partial<Record<KeyKind, string>> = {};

/** People's own operations are in sign-in.test.ts. */
const keyed = operations.filter((o) => o.access === undefined);
const audienceOf = (o: Operation): KeyKind => (o.audience.includes('client') ? 'client' : (o.audience[0] as KeyKind));
const answersTo = async (key: string) => (await t.get('/v1/tax/rates?country=NG', key)).status;

beforeAll(async () => {
  t = await makeTestApp({ env: { LOG_LEVEL: 'trace' } });
  expectConforming = conforming(t.address);
  const [psp, operator] = [await t.makePsp(), await t.makeOperator()];
  const client = await t.makeClient(psp);
  const held = await t.makeClient(psp);
  const byAudience: Readonly<Record<KeyKind, Account>> = { psp, client, operator };
  accounts = Object.values(byAudience);
  const keys = { psp: psp.apiKey, client: client.apiKey, operator: operator.apiKey };
  const country = JSON.parse(shippedTax().find((text) => text.includes('"jurisdiction": "LI"')) as string);
  cast = { t, psp, keys, country };
  const made = async (id: string, over: Record<string, unknown> = {}, key = client.apiKey) => {
    const o = operations.find((x) => x.id === id) as Operation;
    const path = o.path.replace(':accountId', held.id);
    const r = await t.post(path, { ...(o.example as object), ...over }, key);
    expect(r.status, `${id} answered ${r.text}`).toBe(200);
    return r.body.content;
  };
  const basket = await made('submitBasket');
  const wager = await made('captureWager', { ref: 'bet' });
  const payout = await made('capturePayout', { wagerReference: 'bet' });
  const cdr = await made('recordCDR');
  const hold = await made('placeHold', { code: 'TEST', reason: 'test' }, operator.apiKey);
  places = {
    transactionId: basket.transactionId,
    clientId: client.id,
    basketId: basket.basketId,
    wagerId: wager.wagerId,
    payoutId: payout.payoutId,
    cdrId: cdr.cdrId,
    accountId: held.id,
    holdId: hold.flags[0].id,
    keyId: (await issueKey(t, held)).keyId,
  };
  for (const [audience, account] of Object.entries(byAudience) as [KeyKind, Account][]) {
    const [spare, brief] = [await issueKey(t, account), await issueKey(t, account, inAMinute())];
    expect([await answersTo(spare.apiKey), await answersTo(brief.apiKey)]).toEqual([200, 200]);
    await revokeKey(t, spare.keyId);
    [revoked[audience], expired[audience]] = [spare.apiKey, brief.apiKey];
  }
  t.advance(60_000);
});
afterAll(() => t?.stop());

const inAMinute = () => new Date(t.now() + 60_000).toISOString();

/** A call of an operation that must succeed, to be sent with any headers. */
async function soundly(o: Operation): Promise<{ key: string; send(headers: Record<string, string>): Promise<Answer> }> {
  const call = await soundCall(cast, operations, o);
  const path = o.path.replace(/:(\w+)/g, (_, name: string) => call.params?.[name] ?? places[name] ?? 'none');
  const url = call.query === undefined ? path : `${path}?${call.query}`;
  const init = o.method === 'GET' ? {} : { body: JSON.stringify(call.body ?? {}) };
  const type: Record<string, string> = o.method === 'GET' ? {} : { 'content-type': 'application/json' };
  return {
    key: call.key ?? cast.keys[audienceOf(o)],
    send: (headers) => t.raw(url, { method: o.method, headers: { ...type, ...headers }, ...init }),
  };
}

describe('the key of every operation', () => {
  it.each(keyed.map((o) => [o.id, o] as const))('%s lets in who has a good one, and nobody else', async (_, o) => {
    const { key, send } = await soundly(o);
    // What earlier calls had begun is journalled when it is done.
    await until(
      'no report is being made',
      async () => (await rowCount(t, 'reports', "state IN ('QUEUED', 'RUNNING')")) === 0,
    );
    const before = await entryCount(t);
    const refused = (r: Answer, status: number, code: string, message?: string) => {
      expectRefusal(r, status, code, message);
      expectConforming(o, r, 'with a key that is not good');
    };
    refused(await send({}), 401, 'KEY_MISSING', 'the header x-api-key is required');
    const mine = audienceOf(o);
    const bad = [
      'x',
      key.slice(0, -1),
      `${key}x`,
      key.toUpperCase(),
      strangeKey(t),
      forge(key),
      revoked[mine] as string,
    ];
    for (const given of bad)
      refused(await send({ 'x-api-key': given }), 401, 'KEY_INVALID', 'the API key is not valid');
    const late = await send({ authorization: `Bearer ${expired[mine]}` });
    refused(late, 401, 'KEY_INVALID', 'the API key has expired');
    for (const [kind, other] of Object.entries(cast.keys))
      if (!o.audience.includes(kind as KeyKind)) refused(await send({ 'x-api-key': other }), 403, 'AUDIENCE');
    expect(await entryCount(t)).toBe(before);
    // The address is slowed down after many failures; time forgives.
    t.advance(60_000);
    const good = await send({ authorization: `Bearer ${key}` });
    expect(good.status, `${o.id}: ${good.text}; see sound-calls.ts`).toBe(200);
    expectConforming(o, good, 'soundly');
  });

  it('stands in no log line, nor do secrets and persons', () => expectNothingTold(t, accounts));
});

describe('a key', () => {
  it.each(['psp', 'client', 'operator'] as const)(
    'of the %s is good to the last millisecond of its time',
    async (audience) => {
      const psp = await t.makePsp();
      const account = { psp, client: await t.makeClient(psp), operator: await t.makeOperator() }[audience];
      const { apiKey } = await issueKey(t, account, inAMinute());
      t.advance(59_999);
      expect(await answersTo(apiKey)).toBe(200);
      t.advance(1);
      const r = await t.get('/v1/tax/rates?country=NG', apiKey);
      expectRefusal(r, 401, 'KEY_INVALID', 'the API key has expired');
    },
  );

  it.each(['psp', 'client', 'operator'] as const)(
    'of the %s that is revoked leaves the others of its account good',
    async (audience) => {
      const psp = await t.makePsp();
      const account = { psp, client: await t.makeClient(psp), operator: await t.makeOperator() }[audience];
      const spare = await issueKey(t, account);
      expect(await answersTo(spare.apiKey)).toBe(200);
      await revokeKey(t, spare.keyId);
      expect(await answersTo(spare.apiKey)).toBe(401);
      expect(await answersTo(account.apiKey)).toBe(200);
    },
  );
});
