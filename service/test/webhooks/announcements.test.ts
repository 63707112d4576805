// Which events are announced, to whom and with what content (Spec 6.1, 6.2, 6.5): compared at the receivers with the
// journal and with what the API shows.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventKind, eventKinds } from '../../src/core/events.ts';
import { rotateKey } from '../../src/modules/accounts/index.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import { warnOfLicences } from '../../src/modules/verification/index.ts';
import { eventDifferences } from '../client/shape.ts';
import { until } from '../durability/support/conditions.ts';
import type { Account, TestApp } from '../support/app.ts';
import { contentOf, setStanding } from '../support/guarantees.ts';
import { readersAtEnd, uuidOf } from '../support/journal.ts';
import type { Receiver } from '../support/receivers.ts';
import { made } from '../support/reports.ts';
import { subscribe } from '../support/webhooks.ts';
import { bodyOf, makeDeliveringApp, Receivers, sale, sell, subscribed } from './support/scene.ts';

const receivers = new Receivers();
let t: TestApp;
let psp: Account;
let client: Account;
let operator: Account;
/** The PSP's address, and the client's two. */
let whole: Receiver;
let one: Receiver;
let two: Receiver;

beforeAll(async () => {
  t = await makeDeliveringApp();
  psp = await t.makePsp();
  operator = await t.makeOperator();
  [whole, one, two] = [await receivers.start(), await receivers.start(), await receivers.start()];
  await subscribed(t, psp, whole);
  client = await t.makeClient(psp);
  await subscribe(t, client, one.url);
  await subscribe(t, client, two.url);
});
afterAll(async () => {
  await t?.stop();
  await receivers.stop();
});

/** What the journal keeps of a report, from the report as it is shown. */
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
function reportRecord({ reportId, kind, parameters, revision, state, reason, provisional, asOf, manifest }: any) {
  const record = { reportId, kind, parameters, revision, state };
  if (manifest === null) return { ...record, reason };
  const { dataset, contentSha256, files } = manifest;
  return { ...record, provisional, asOf, dataset, contentSha256, files };
}

interface Announced {
  readonly id: string;
  readonly kind: string;
  readonly body: Record<string, unknown>;
}

/** Journal entries with a name on the wire, of one PSP or one of its accounts, from an account's first webhook on. */
async function announcedTo(account: Account, ofAccount?: Account): Promise<Announced[]> {
  const rows = await t.database.admin.query(
    `SELECT kind, body FROM journal WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2)
       AND id > (SELECT min(id::text)::uuid FROM webhooks WHERE account_id = $3) ORDER BY seq`,
    [psp.uuid, ofAccount?.uuid ?? null, account.uuid],
  );
  return rows
    .filter((r) => eventKinds[r.kind as EventKind] !== null)
    .map((r) => ({ kind: r.kind as string, body: JSON.parse(r.body as string) }))
    .map(({ kind, body }) => ({ kind, id: body.id, body }));
}

const idsAt = (r: Receiver) => r.received.map((x) => bodyOf(x).id as string).sort();
const idsOf = (all: readonly Announced[]) => all.map((a) => a.id).sort();

/** Every address got each of its announcements once, and nothing else. */
async function expectToldOnce(): Promise<void> {
  const all = await announcedTo(psp);
  const own = (await announcedTo(client, client)).filter((a) => !/^(review|case)\./.test(a.kind));
  await until('all is told', () => whole.received.length >= all.length && one.received.length >= own.length);
  await until('all is settled', async () => {
    const rows = await t.database.admin.query("SELECT 1 FROM webhook_deliveries WHERE state <> 'delivered'");
    return rows.length === 0;
  });
  expect(idsAt(whole)).toEqual(idsOf(all));
  expect(idsAt(one)).toEqual(idsOf(own));
}

const cart = (ref: string) => ({
  ref,
  totalAmount: 107.5,
  items: [{ sku: 'B1', title: 'Book', description: 'A book', quantity: 1, price: 107.5, subTotal: 107.5 }],
  paymentMethods: { card: 107.5 },
  currency: 'NGN',
  countryCode: 'NG',
});
const customer = { email: 'ada@example.com', name: 'Ada Obi' };
const movement = (ref: string) => ({ ref, totalAmount: 1000, customer, countryCode: 'NG', transactionFee: 1 });
const post = async (path: string, body: unknown, key = client.apiKey) => contentOf(await t.post(path, body, key));
const verify = (body: unknown) => post('/v1/transaction/verifyTransaction', body);

/** Kinds that the steps of an operation bring to the PSP's address, in the journal's order. */
async function kindsOf(steps: () => Promise<unknown>): Promise<string[]> {
  const before = (await announcedTo(psp)).length;
  await steps();
  await expectToldOnce();
  return (await announcedTo(psp)).slice(before).map((a) => a.kind);
}

describe('announced once to every subscribed address, with the full resource', () => {
  it.each<[string, () => Promise<unknown>, string[]]>([
    ['a verified transaction', () => verify(sale()), ['transaction.created']],
    [
      'a transaction verified again with another body',
      async () => {
        const body = sale();
        await verify(body);
        await verify(body);
        await verify({ ...body, transactionFee: 2 });
      },
      ['transaction.created', 'transaction.updated'],
    ],
    [
      'a declined transaction',
      async () => {
        const body = sale();
        await verify(body);
        await post('/v1/transaction/declineTransaction', { ref: body.ref });
      },
      ['transaction.created', 'transaction.updated'],
    ],
    [
      'a chargeback',
      async () => {
        const body = sale();
        await verify(body);
        await post('/v1/transaction/chargeBack', { ref: body.ref }, psp.apiKey);
      },
      ['transaction.created', 'transaction.updated'],
    ],
    [
      'a basket, its transaction, and their verification',
      async () => {
        const { transactionId } = await post('/v1/basket/submitBasket', cart('basket-1'));
        await verify(sale({ transactionID: transactionId }));
      },
      ['basket.created', 'transaction.created', 'transaction.updated'],
    ],
    [
      'a crypto deposit',
      () =>
        post('/v1/payment/cryptoDeposit', {
          ...movement('cd'),
          currency: 'USDT',
          blochainHash: `0x${'5c'.repeat(32)}`,
        }),
      ['transaction.created'],
    ],
    [
      'a deposit and a withdrawal',
      async () => {
        await post('/v1/payment/deposit', { ...movement('gd'), currency: 'NGN', paymentMethods: { card: 1000 } });
        await post('/v1/payment/withdrawal', {
          ...movement('gw'),
          currency: 'NGN',
          toAddress: { bank: 'First Bank', accountNumber: '0011223344' },
        });
      },
      ['transaction.created', 'transaction.created'],
    ],
    ['a registered client, and its first key', () => t.makeClient(psp), ['client.created', 'key.issued']],
    [
      'changes of standing',
      async () => {
        await setStanding(t, client, { operationalStanding: 'SUSPENDED' });
        await setStanding(t, client, { operationalStanding: 'ACTIVE' });
      },
      ['client.updated', 'client.updated'],
    ],
    [
      'holds, placed and released',
      async () => {
        const path = `/v1/admin/account/${client.id}/hold`;
        const hold = { code: 'REVIEW', reason: 'a look' };
        await post(path, hold, operator.apiKey);
        const { flags } = contentOf(await t.get('/v1/client/verifyClientStatus', client.apiKey));
        await post(`${path}/${flags[0].id}/release`, { reason: 'seen' }, operator.apiKey);
      },
      ['client.updated', 'client.updated'],
    ],
    [
      'a review, worked on, and its case, to the PSP alone',
      async () => {
        const { transactionId } = await verify(sale());
        const { reviewId } = await post('/v1/review', { transactionId, reason: 'odd' }, psp.apiKey);
        await readersAtEnd(t, ['reviews', 'cases']);
        await post(`/v1/review/${reviewId}/assign`, {}, psp.apiKey);
        const { items } = contentOf(await t.get('/v1/case', psp.apiKey));
        await post(`/v1/case/${items[0].caseId}/note`, { note: 'seen' }, psp.apiKey);
      },
      ['transaction.created', 'review.opened', 'case.opened', 'review.updated', 'case.updated'],
    ],
    [
      'keys, issued and revoked',
      async () => {
        const path = `/v1/admin/account/${client.id}/key`;
        const { keyId } = await post(path, { name: 'second', reason: 'test' }, operator.apiKey);
        await post(`/v1/admin/key/${keyId}/revoke`, { reason: 'test' }, operator.apiKey);
      },
      ['key.issued', 'key.revoked'],
    ],
  ])('%s', async (_, steps, kinds) => {
    expect(await kindsOf(steps)).toEqual(kinds);
  });

  it('wagers, payouts and stored secrets are not announced', async () => {
    const wager = { amount: 100, ref: 'bet', customer, ip: '102.0.2.44', type: 'sports' };
    const silent = async () => {
      const player = await t.makeClient(psp, { classification: 'IGAMING_LOCAL' });
      await post('/captureWager', wager, player.apiKey);
      await post('/capturePayout', { amount: 200, ref: 'win', customer, wagerReference: 'bet' }, player.apiKey);
      await post('/v1/client/addPSPSecret', { psp: 'PAYSTACK', secret: 'sk_planted' }, player.apiKey);
    };
    expect(await kindsOf(silent)).toEqual(['client.created', 'key.issued']);
  });

  it('and both addresses of the client got the same bytes', async () => {
    await expectToldOnce();
    const own = new Map(one.received.map((r) => [bodyOf(r).id, r.body]));
    await until('the second has what the first has', () => idsAt(two).length >= idsAt(one).length - 1);
    // The first alone heard of its own subscription.
    for (const r of two.received) expect(r.body).toBe(own.get(bodyOf(r).id));
    expect(two.received).toHaveLength(one.received.length - 1);
  });
});

describe('the request', () => {
  it('says of every event what the journal says, without actor, evidence and what is sealed', async () => {
    await expectToldOnce();
    const entries = new Map((await announcedTo(psp)).map((a) => [a.id, a]));
    for (const r of whole.received) {
      const body = bodyOf(r);
      const { id, type, event, timestamp, clientId, version, schema, data } = (entries.get(body.id) as Announced).body;
      expect(r.body).toBe(JSON.stringify({ id, type, event, timestamp, clientId, version, schema, data }));
      expect(r.headers).toMatchObject({
        'content-type': 'application/json',
        'x-event': event,
        'x-attempt': '1',
        'webhook-id': id,
      });
      expect(r.method).toBe('POST');
    }
  });

  it('holds a transaction as it is shown, the number texts included', async () => {
    const id = await sell(t, client, { totalAmount: 1075.25, paymentMethods: { card: 1075.25 } });
    const got = await until('it is told', () => one.received.find((r) => bodyOf(r).data.transactionId === id));
    const shown = (await t.get(`/v1/transaction/${id}`, client.apiKey)).text;
    expect(shown).toContain(/"data":(\{.*\})\}$/.exec(got.body)?.[1] as string);
  });

  it("is signed with the secret of the address's own account", async () => {
    await expectToldOnce();
    const signature = (r: { body: string }, a: Account) => createHmac('sha256', a.secret).update(r.body).digest('hex');
    for (const r of whole.received) expect(r.headers['x-signature']).toBe(signature(r, psp));
    for (const r of one.received) expect(r.headers['x-signature']).toBe(signature(r, client));
  });

  it('holds no secret, no key and nothing personal', () => {
    const all = [whole, one, two].flatMap((r) => r.received.map((x) => x.body)).join('\n');
    for (const planted of ['whsec_', 'asy_', 'sk_planted', 'ada@example.com', 'Ada Obi', 'lagosbooks', 'sealed'])
      expect(all).not.toContain(planted);
    expect(all).not.toContain(client.apiKey);
  });
});

describe('the data', () => {
  /** What the API shows of an event's resource: the client's, the basket's or the transaction's. */
  const shownNow = async (body: Record<string, unknown>) => {
    const data = body.data as Record<string, string>;
    const path =
      body.event === 'Client Change'
        ? `/v1/client/${body.clientId}`
        : body.event === 'New Basket'
          ? `/v1/basket/${data.basketId}`
          : body.event === 'Dispute Change'
            ? `/v1/dispute/${data.disputeId}`
            : body.event === 'Review Change'
              ? `/v1/review/${data.reviewId}`
              : body.event === 'Case Change'
                ? `/v1/case/${data.caseId}`
                : body.event === 'Report Change'
                  ? `/v1/report/${data.reportId}`
                  : `/v1/transaction/${data.transactionId}`;
    const { reviews: _, items: __, ...shown } = contentOf(await t.get(path, psp.apiKey));
    if (body.event === 'Report Change') return reportRecord(shown);
    return body.event === 'New Basket' ? contentOf(await t.get(path, psp.apiKey)) : shown;
  };

  it('of each kind is the resource in full, as the API shows it at that moment and openapi.json documents it', async () => {
    const own = await t.makeClient(psp);
    const keys = `/v1/admin/account/${own.id}/key`;
    let keyId = '';
    let ref = '';
    let chargebackId = '';
    let dispute = '';
    const steps: Record<string, () => Promise<unknown>> = {
      'client.created': () => Promise.resolve(),
      'client.updated': () => post(`/v1/client/${own.id}/update`, { registeredName: 'Eko Books' }, psp.apiKey),
      'key.issued': async () => {
        keyId = (await post(keys, { name: 'second' }, operator.apiKey)).keyId;
      },
      'key.updated': () =>
        rotateKey(t.app.services, system, own.uuid, { name: 'third' }, 60_000, t.now()) as Promise<unknown>,
      'key.revoked': () => post(`/v1/admin/key/${keyId}/revoke`, { reason: 'test' }, operator.apiKey),
      'basket.created': () => post('/v1/basket/submitBasket', cart('shown'), own.apiKey),
      'transaction.created': async () => {
        const body = sale();
        ref = body.ref as string;
        await post('/v1/transaction/verifyTransaction', body, psp.apiKey);
      },
      'transaction.updated': async () => {
        chargebackId = (await post('/v1/transaction/chargeBack', { ref }, psp.apiKey)).chargebackId;
      },
      'dispute.opened': async () => {
        const body = { chargebackId, reason: 'it was delivered', evidenceDueAt: '2030-01-01T00:00:00Z' };
        dispute = `/v1/dispute/${(await post('/v1/dispute', body, psp.apiKey)).disputeId}`;
      },
      'dispute.updated': () => post(`${dispute}/evidence`, { text: 'signed for' }, psp.apiKey),
      'dispute.resolved': () => post(`${dispute}/resolve`, { outcome: 'LOST', reason: 'too late' }, psp.apiKey),
      'review.opened': async () => {
        const { transactionId } = await post('/v1/transaction/verifyTransaction', sale(), own.apiKey);
        await post('/v1/review', { transactionId, reason: 'odd' }, psp.apiKey);
      },
      'case.opened': () => readersAtEnd(t, ['cases']),
      'case.updated': async () => {
        const [c] = contentOf(await t.get(`/v1/case?clientId=${own.id}`, psp.apiKey)).items;
        await post(`/v1/case/${c.caseId}/assign`, {}, psp.apiKey);
      },
      'report.completed': async () => {
        await made(t, { kind: 'chargebacks', period: '2026-10' }, psp.apiKey);
      },
      'report.failed': async () => {
        const { reportId } = await made(t, { kind: 'chargebacks', period: '2026-09' }, psp.apiKey);
        await t.database.admin.query("UPDATE reports SET begun = 3, state = 'RUNNING', manifest = NULL WHERE id = $1", [
          uuidOf(reportId),
        ]);
        // It is found beside the next one.
        await made(t, { kind: 'chargebacks', period: '2026-08' }, psp.apiKey);
      },
      'review.updated': async () => {
        const [r] = contentOf(await t.get(`/v1/review?clientId=${own.id}`, psp.apiKey)).items;
        await post(`/v1/review/${r.reviewId}/assign`, {}, psp.apiKey);
      },
      // Last: it opens an alert, which joins the client's case.
      'client.licence_expiring': async () => {
        const ending = { activity: 'GAMING', authority: 'MGA', number: '1', countryCode: 'MT' };
        const validUntil = new Date(t.now() + 20 * 86_400_000).toISOString().slice(0, 10);
        const path = `/v1/client/${own.id}/licence`;
        const { licences } = await post(path, { ...ending, validUntil }, own.apiKey);
        await post(`${path}/${licences[0].licenceId}/accept`, {}, operator.apiKey);
        await warnOfLicences(t.app.services);
      },
    };
    expect(Object.keys(steps).sort(), 'write a step that brings each announced event').toEqual(
      Object.keys(eventKinds)
        .filter((k) => eventKinds[k as EventKind])
        .sort(),
    );
    for (const [kind, step] of Object.entries(steps)) {
      const before = whole.received.length;
      await step();
      const got = await until(`${kind} is told`, () =>
        whole.received.slice(['client.created', 'case.opened'].includes(kind) ? 0 : before).findLast((r) => {
          const body = bodyOf(r);
          return body.type === kind && (!['client.created', 'case.opened'].includes(kind) || body.clientId === own.id);
        }),
      );
      expect(eventDifferences(bodyOf(got)), kind).toEqual([]);
      const { key, expiringLicence, ...data } = bodyOf(got).data;
      if (kind === 'client.licence_expiring') expect(expiringLicence).toMatchObject({ number: '1', daysLeft: 20 });
      expect([kind, data]).toEqual([kind, await shownNow(bodyOf(got))]);
      if (kind.startsWith('key.')) expect(Object.keys(key)).toEqual(['keyId', 'name', 'expiresAt', 'scopes']);
    }
  });
});

describe('who is told', () => {
  it('is never another PSP, another client, or an address that came later', async () => {
    const [other, mine, theirs, late] = await Promise.all([
      t.makePsp('Other'),
      ...[1, 2, 3].map(() => receivers.start()),
    ]);
    const [a, b] = [await t.makeClient(psp), await t.makeClient(psp)];
    await subscribed(t, other as Account, theirs as Receiver);
    await subscribed(t, a, mine as Receiver);
    const [sold, before] = [await sell(t, a), await sell(t, b)];
    await subscribed(t, b, late as Receiver);
    const after = await sell(t, b);
    await until('they are told', () => mine?.received.length === 2 && late?.received.length === 2);
    const txns = (r?: Receiver) => r?.received.map((x) => bodyOf(x).data.transactionId).filter(Boolean);
    expect([txns(mine as Receiver), txns(late as Receiver), txns(theirs as Receiver)]).toEqual([[sold], [after], []]);
    await until('the PSP hears of both', () => [sold, before, after].every((id) => txns(whole)?.includes(id)));
  });

  it('hears only the types it chose', async () => {
    const r = await receivers.start();
    const picky = await t.makeClient(psp);
    const webhook = await subscribed(t, picky, r);
    await post(`/v1/webhook/${webhook}/eventTypes`, { eventTypes: ['transaction.updated'] }, picky.apiKey);
    const body = sale();
    await post('/v1/transaction/verifyTransaction', body, picky.apiKey);
    await post('/v1/transaction/declineTransaction', { ref: body.ref }, picky.apiKey);
    await until('it is told', () => r.received.length >= 2);
    expect(r.received.map((x) => bodyOf(x).type)).toEqual(['client.updated', 'transaction.updated']);
  });

  it('counts versions per resource', async () => {
    const body = sale();
    const { transactionId } = await verify(body);
    await verify({ ...body, transactionFee: 2 });
    await post('/v1/transaction/chargeBack', { ref: body.ref }, psp.apiKey);
    const of = () => whole.received.map(bodyOf).filter((b) => b.data.transactionId === transactionId);
    await until('all three came', () => of().length >= 3);
    expect(
      of()
        .map((b) => b.version)
        .sort(),
    ).toEqual([1, 2, 3]);
  });
});
