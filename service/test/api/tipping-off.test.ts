// Nobody learns from the service that they are under suspicion: everything that a client or PSP can reach is read with
// its own keys and at its own receivers, and searched for texts that operators wrote.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { type IdKind, idPrefixes } from '../../src/core/ids.ts';
import { until } from '../durability/support/conditions.ts';
import type { Account, Answer, TestApp } from '../support/app.ts';
import { allSealed } from '../support/audit.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { readersAtEnd, uuidOf } from '../support/journal.ts';
import type { Receiver } from '../support/receivers.ts';
import { makeDeliveringApp, Receivers, sale, subscribed } from '../webhooks/support/scene.ts';

/** Operators' words about accounts, and the words of a review, which a client's PSP works on. */
const secret = /zebra/i;
const ofReview = /quagga|"(?:cas|rev|cit)_|"review"/i;
const receivers = new Receivers();
let t: TestApp;
let operator: Account;
let psp: Account;
let client: Account;
let atClient: Receiver;
let atPsp: Receiver;
/** Every answer to a call that changes something, by who made it. */
const answered: { who: string; text: string }[] = [];
const ids: Record<string, string> = {};

async function post(who: string, a: Account, path: string, body: unknown, headers = {}): Promise<Answer> {
  const r = await t.post(path, body, a.apiKey, headers);
  answered.push({ who, text: r.text });
  return r;
}
const staff = async (path: string, body: unknown) =>
  contentOf(await t.post(`/v1/admin/account/${path}`, body, operator.apiKey));
/** Both receivers have heard of a transaction. */
const told = (id: string | undefined) =>
  until('the sale is told', () =>
    [atClient, atPsp].every((r) => r.received.some((m) => m.body.includes(id as string))),
  );
const verify = async (a = client, over = {}) =>
  contentOf(await post(a === psp ? 'psp' : 'client', a, '/v1/transaction/verifyTransaction', sale(over)));

/** What an earlier version of the service wrote: private words in records, entries and events. */
async function asWrittenEarlier(transaction: string): Promise<void> {
  const { admin } = t.database;
  const shown = 'the client is on hold (UNDER_REVIEW): the account is under review';
  const told = 'the client is on hold (STR_ZEBRA): zebra report filed';
  const flag = '"code":"UNDER_REVIEW","reason":"the account is under review"';
  const earlier = '"code":"STR_ZEBRA","reason":"zebra report filed"';
  const id = uuidOf(transaction);
  await admin.query('UPDATE transactions SET reason = $2 WHERE id = $1', [id, told]);
  for (const table of ['journal', 'webhook_events'])
    await admin.query(
      `UPDATE ${table} SET body = replace(replace(body, $1, $2), $3, $4) WHERE body LIKE '%UNDER_REVIEW%'`,
      [shown, told, flag, earlier],
    );
}

beforeAll(async () => {
  t = await makeDeliveringApp();
  operator = await t.makeOperator();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  [atClient, atPsp] = [await receivers.start(), await receivers.start()];
  await subscribed(t, psp, atPsp);
  ids.webhook = await subscribed(t, client, atClient);
  ids.before = (await verify()).transactionId;
  await told(ids.before);
  const heard = [atClient.received.length, atPsp.received.length];

  const remark = { code: 'STR_ZEBRA', reason: 'zebra report 118 filed', blocking: false };
  const { flags } = await staff(`${client.id}/hold`, remark);
  await staff(`${client.id}/hold/${flags[0].id}/release`, { reason: 'zebra report answered' });
  await staff(`${client.id}/hold`, remark);
  await staff(`${client.id}/hold`, { code: 'ZEBRA_AHEAD', reason: 'zebra from 2099', from: '2099-01-01T00:00:00Z' });
  ids.after = (await verify()).transactionId;
  await told(ids.after);
  // The sale, and nothing of the remarks before it.
  expect([atClient.received.length, atPsp.received.length]).toEqual(heard.map((n) => n + 1));

  const held = await staff(`${client.id}/hold`, { code: 'SANCTIONS_ZEBRA', reason: 'zebra: name match on a list' });
  ids.declined = (await verify()).transactionId;
  ids.onBehalf = contentOf(
    await post('psp', psp, '/v1/transaction/verifyTransaction', sale(), { 'x-client-id': client.id }),
  ).transactionId;
  await staff(`${client.id}/hold/${held.flags.at(-1).id}/release`, { reason: 'zebra: no match' });
  await staff(`${client.id}/standing`, { operationalStanding: 'SUSPENDED', reason: 'zebra tip from the police' });
  await verify();
  await staff(`${client.id}/standing`, { operationalStanding: 'ACTIVE', reason: 'zebra tip was wrong' });
  const house = await staff(`${psp.id}/hold`, { code: 'ZEBRA_HOUSE', reason: 'zebra licence in doubt' });
  ids.underPsp = (await verify()).transactionId;
  await verify(psp);
  await staff(`${psp.id}/hold/${house.flags.at(-1).id}/release`, { reason: 'zebra licence seen' });
  await staff(`${psp.id}/standing`, { operationalStanding: 'SUSPENDED', reason: 'zebra capital missing' });
  await verify();
  await staff(`${psp.id}/standing`, { operationalStanding: 'ACTIVE', reason: 'zebra capital there' });
  const review = contentOf(
    await t.post('/v1/review', { transactionId: ids.after, reason: 'quagga pattern' }, psp.apiKey),
  );
  contentOf(await t.post(`/v1/review/${review.reviewId}/note`, { note: 'quagga once more' }, psp.apiKey));
  await readersAtEnd(t, ['reviews', 'cases']);
  const [{ caseId }] = contentOf(await t.get(`/v1/case?clientId=${client.id}`, psp.apiKey)).items;
  const inCase = async (step: string, body: object, key = psp.apiKey) =>
    contentOf(await t.post(`/v1/case/${caseId}/${step}`, body, key));
  await inCase('note', { note: 'quagga in a case' });
  await inCase('link', { to: ids.before, note: 'quagga link' });
  await inCase('file', { name: 'quagga.txt', type: 'text/plain', content: Buffer.from('quagga').toString('base64') });
  await inCase('action', { action: 'DECLINE', reason: 'quagga action', transactionId: ids.after });
  await inCase('action', { action: 'HOLD', reason: 'zebra from a case' }, operator.apiKey);
  const [{ holdId }] = contentOf(await t.get(`/v1/case/${caseId}`, psp.apiKey)).items.filter(
    (i: { holdId: string | null }) => i.holdId !== null,
  );
  await inCase('action', { action: 'RELEASE', reason: 'zebra release', holdId }, operator.apiKey);
  await inCase('approve', {}, (await t.makeOperator()).apiKey);
  await inCase('escalate', { note: 'quagga escalated' });
  contentOf(await post('client', client, '/v1/report', { kind: 'vatReturn', period: '2026-11', countryCode: 'NG' }));
  const last = (await verify()).transactionId;
  await until('the last sale is told', () => atClient.received.some((r) => r.body.includes(last)));
  await until('nothing waits', async () => {
    const rows = await t.database.admin.query(
      "SELECT 1 FROM webhook_deliveries WHERE state IN ('pending', 'delivering')",
    );
    return rows.length === 0;
  });
  await asWrittenEarlier(ids.declined as string);
  await allSealed(t);
});
afterAll(async () => {
  await t?.stop();
  await receivers.stop();
});

const expansions = ['', '?expand=data', '?expand=revisions,decision', '?records=true&expand=data'];

const anyId = new RegExp(`\\b(?:${Object.values(idPrefixes).join('|')})_[0-9a-z]{26}\\b`, 'g');

/** Of a place's own kind all, and of each other kind one: what has no kind in its name takes any. */
function* fitting(place: string | undefined, named: Iterable<string>): Generator<string> {
  const own: string | undefined = idPrefixes[place?.replace(/Id$/, '') as IdKind];
  const others = new Set<string>();
  for (const id of named) {
    const prefix = id.split('_')[0] as string;
    if (own === undefined || prefix === own) yield id;
    else if (!others.has(prefix)) {
      others.add(prefix);
      yield id;
    }
  }
}

/** Every text a key can GET: lists first, then whatever they name, until nothing new is named. */
async function everything(key: string, kind: 'client' | 'psp'): Promise<Map<string, string>> {
  const gets = operations.filter((o) => o.method === 'GET' && o.access === undefined && o.audience.includes(kind));
  const texts = new Map<string, string>();
  const named = new Set(Object.values(ids));
  const tried = new Set<string>();
  for (let more = true; more; ) {
    more = false;
    for (const o of gets) {
      const names = [...o.path.matchAll(/:(\w+)/g)].map((m) => m[1] as string);
      // A path's last id is the one listed below the others: of the addresses, the client's own.
      const filled = [...fitting(names.at(-1), named)].map((id) =>
        names.reduce(
          (p, name, i) => p.replace(`:${name}`, i < names.length - 1 ? (ids.webhook as string) : id),
          o.path,
        ),
      );
      const read = async (path: string) => {
        for (const query of path.includes('/audit/') ? [''] : expansions) {
          const r = await t.get(path + query, key);
          texts.set(path + query, r.text);
          // An id of something else: there is nothing to be expanded.
          if (r.status === 404) return;
          if (r.status !== 200) continue;
          for (const [id] of r.text.matchAll(anyId))
            if (!named.has(id) && named.size < 80) {
              named.add(id);
              more = true;
            }
        }
      };
      const untried = (names.length === 0 ? [o.path] : filled).filter((path) => !tried.has(path));
      for (const path of untried) tried.add(path);
      await Promise.all(untried.map(read));
    }
  }
  return texts;
}

describe('what operators wrote about an account', () => {
  it.each(['client', 'psp'] as const)('is in nothing that a key of the %s can read', async (kind) => {
    const texts = await everything((kind === 'client' ? client : psp).apiKey, kind);
    const ok = [...texts].filter(([, text]) => text.startsWith('{"success":true'));
    expect(ok.length).toBeGreaterThan(20);
    expect([...texts].filter(([, text]) => secret.test(text))).toEqual([]);
    if (kind === 'client') expect([...texts].filter(([, text]) => ofReview.test(text))).toEqual([]);
    // What is shown in its place.
    expect(texts.get(`/v1/transaction/${ids.declined}`)).toContain(
      'the client is on hold (UNDER_REVIEW): the account is under review',
    );
  });

  it('is in no answer to a call, during a hold and after it', () => {
    expect(answered.length).toBeGreaterThan(8);
    expect(answered.filter((a) => secret.test(a.text))).toEqual([]);
    expect(answered.map((a) => a.text).join()).toContain("declined: the client's PSP is on hold");
  });

  it('is in nothing that a receiver was told, however it is sent again', async () => {
    // A period ends before its last moment.
    t.advance(1000);
    const since = new Date(t.now() - 3_600_000).toISOString();
    const before = atClient.received.length;
    contentOf(await t.post(`/v1/webhook/${ids.webhook}/replay`, { since, only: 'all' }, client.apiKey));
    await until('all is told again', () => atClient.received.length >= before + 5);
    const [own, house] = [atClient, atPsp].map((a) => a.received.map((r) => r.body)) as [string[], string[]];
    const bodies = [...own, ...house];
    expect(bodies.filter((b) => secret.test(b))).toEqual([]);
    // The PSP is told of reviews and cases, its client of none.
    expect(own.filter((b) => ofReview.test(b))).toEqual([]);
    expect(house.join()).toMatch(/review\.opened.*case\.updated/s);
    expect(bodies.join()).toContain('"code":"UNDER_REVIEW"');
  });

  it('is in no receipt: one of a record from before is given to operators alone', async () => {
    const path = `/v1/audit/receipt/${ids.declined}`;
    for (const { apiKey } of [client, psp]) expectRefusal(await t.get(path, apiKey), 403, 'RECEIPT_WITHHELD');
    const r = await t.get(`/v1/audit/receipt/${ids.onBehalf}`, client.apiKey);
    expect(secret.test(r.text)).toBe(false);
  });

  it('is all there for operators', async () => {
    const accounts = await t.get('/v1/admin/account', operator.apiKey);
    expect(accounts.text).toContain('zebra report 118 filed');
    const journal = (await t.get('/v1/journal?expand=data&limit=200', operator.apiKey)).text;
    for (const words of [
      'zebra report answered',
      'zebra tip from the police',
      'zebra licence in doubt',
      'zebra from 2099',
    ])
      expect(journal).toContain(words);
  });
});
