// What would change a decision: what was in the way of a decline, for those who may know it, and which decisions of the last
// 30 days a change of standing would have turned, by count and money.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, placeHold, setStanding } from '../support/guarantees.ts';
import { entryCount } from '../support/journal.ts';
import { enter } from '../support/people.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-10T12:00:00Z', env: { REQUIRED_LEVEL: 'BASIC,IGAMING_GLOBAL=ENHANCED' } });
});
beforeEach(async () => {
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

const sell = async (over: object = {}, of = client): Promise<Shown> => {
  const body = {
    ...{ ref: `o-${++n}`, totalAmount: 100, currency: 'NGN', countryCode: 'NG' },
    ...{ paymentMethods: { card: 100 }, transactionFee: 1 },
    ...over,
  };
  return contentOf(await t.post('/v1/transaction/verifyTransaction?expand=decision', body, of.apiKey));
};
const sellFor = (totalAmount: number, currency: string) =>
  sell({ totalAmount, currency, paymentMethods: { card: totalAmount } });
const preview = async (change: object, key = psp.apiKey, of = client): Promise<Shown> =>
  contentOf(await t.post('/v1/standing/preview', { accountId: of.id, ...change }, key));

describe('expand=decision', () => {
  it('names the version of the standing that decided, and nothing that would have to be different when approved', async () => {
    const { decision } = await sell();
    expect(decision).toMatchObject({ standing: { version: 1, pspVersion: 1 }, wouldChange: [] });
    await setStanding(t, client, { verificationLevel: 'ENHANCED' });
    expect((await sell()).decision.standing).toEqual({ version: 2, pspVersion: 1 });
  });

  it('names all that declined it, and no private code or reason, to the client and later too', async () => {
    await setStanding(t, client, { verificationLevel: 'UNVERIFIED' });
    await placeHold(t, client, { code: 'SANCTIONS_REVIEW', reason: 'name match: director on a list' });
    await placeHold(t, client, { code: 'LICENCE_EXPIRED', reason: 'told by the authority' });
    await placeHold(t, client, { code: 'STR_FILED', reason: 'STR 118', blocking: false });
    const sold = await sell();
    const wouldChange = [
      { of: 'ACCOUNT', what: 'hold', is: 'UNDER_REVIEW', needed: null },
      { of: 'ACCOUNT', what: 'hold', is: 'LICENCE_EXPIRED', needed: null },
      { of: 'ACCOUNT', what: 'verificationLevel', is: 'UNVERIFIED', needed: 'BASIC' },
    ];
    expect(sold.decision.wouldChange).toEqual(wouldChange);
    for (const key of [client.apiKey, psp.apiKey]) {
      const later = await t.get(`/v1/transaction/${sold.transactionId}?expand=decision`, key);
      expect(contentOf(later).decision.wouldChange).toEqual(wouldChange);
      expect(later.text).not.toMatch(/SANCTIONS|STR|director/);
    }
  });

  it('does not say that a standing would admit what its recorder declined', async () => {
    const sold = await sell({ ref: 'taken-back' });
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref: 'taken-back' }, client.apiKey));
    const later = contentOf(await t.get(`/v1/transaction/${sold.transactionId}?expand=decision`, client.apiKey));
    expect(later.decision).toMatchObject({ status: 'DECLINED', wouldChange: [] });
  });
});

describe('previewStanding', () => {
  it('counts what a suspension would have declined, by currency with its money, and changes nothing', async () => {
    const sold = [
      await sellFor(100, 'NGN'),
      await sellFor(250.5, 'NGN'),
      await sellFor(10.1, 'EUR'),
      await sellFor(10.2, 'EUR'),
    ];
    const before = await entryCount(t);
    const seen = await preview({ operationalStanding: 'SUSPENDED' });
    expect(seen).toMatchObject({ accountId: client.id, decisions: 4, unknown: 0 });
    expect(seen.turned).toEqual([
      { to: 'DECLINED', currency: 'EUR', count: 2, totalAmount: 20.3 },
      { to: 'DECLINED', currency: 'NGN', count: 2, totalAmount: 350.5 },
    ]);
    expect(seen.examples.map((e: Shown) => e.transactionId)).toEqual(sold.map((s) => s.transactionId).reverse());
    expect(seen.examples[0]).toMatchObject({
      clientId: client.id,
      registeredName: 'Lagos Books Ltd',
      to: 'DECLINED',
      totalAmount: 10.2,
    });
    expect(await entryCount(t)).toBe(before);
    expect((await preview({ operationalStanding: 'ACTIVE' })).turned).toEqual([]);
  });

  it('counts what the end of holds, a level, or both would have admitted', async () => {
    await placeHold(t, client, {});
    await sell();
    await setStanding(t, client, { verificationLevel: 'UNVERIFIED' });
    await sell();
    const counts = async (change: object) => (await preview(change)).turned.map((x: Shown) => [x.to, x.count]);
    expect(await counts({ endHolds: true })).toEqual([['APPROVED', 1]]);
    expect(await counts({ verificationLevel: 'BASIC' })).toEqual([]);
    expect(await counts({ verificationLevel: 'BASIC', endHolds: true })).toEqual([['APPROVED', 2]]);
    expect(await counts({ verificationLevel: 'BASIC', endHolds: true, operationalStanding: 'CLOSED' })).toEqual([]);
  });

  it('turns what was decided from the moment of a hold on, and what is no older than 30 days', async () => {
    await sell();
    t.advance(29 * 86_400_000);
    const holdFrom = new Date(t.now()).toISOString();
    t.advance(1);
    await sell();
    const sums = async () => (await preview({ holdFrom })).turned.map((x: Shown) => x.count);
    expect([await sums(), (await preview({ holdFrom })).decisions]).toEqual([[1], 2]);
    t.advance(2 * 86_400_000);
    expect((await preview({ holdFrom })).decisions).toBe(1);
  });

  it('of a PSP looks at all of its clients, whose own standing stays', async () => {
    const other = await t.makeClient(psp);
    await placeHold(t, other, {});
    await sell();
    await sell({}, other);
    const seen = await preview({ operationalStanding: 'SUSPENDED' }, psp.apiKey, psp);
    expect(seen.turned).toEqual([{ to: 'DECLINED', currency: 'NGN', count: 1, totalAmount: 100 }]);
    await setStanding(t, psp, { operationalStanding: 'SUSPENDED' });
    await sell();
    await sell({}, other);
    const operator = await t.makeOperator();
    const lifted = await preview({ operationalStanding: 'ACTIVE' }, operator.apiKey, psp);
    expect(lifted.turned).toEqual([{ to: 'APPROVED', currency: 'NGN', count: 1, totalAmount: 100 }]);
  });

  it('leaves out what its recorder declined, and says of how many declines the cause was not noted', async () => {
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref: (await sell()).ref }, client.apiKey));
    await placeHold(t, client, {});
    const { transactionId } = await sell();
    expect(await preview({ endHolds: true })).toMatchObject({ decisions: 1, unknown: 0, turned: [{ count: 1 }] });
    // As an earlier version recorded it.
    await t.database.admin.query(
      `UPDATE transactions SET evidence = (evidence::jsonb - 'standing')::text WHERE psp_id = $1 AND status = 'DECLINED'`,
      [psp.uuid],
    );
    expect(await preview({ endHolds: true })).toMatchObject({ decisions: 1, unknown: 1, turned: [] });
    const old = contentOf(await t.get(`/v1/transaction/${transactionId}?expand=decision`, psp.apiKey));
    expect(old.decision).toMatchObject({ standing: null, wouldChange: [] });
  });

  it('is for PSPs and staff: not for clients, not for another PSP, and for auditors too', async () => {
    const body = { accountId: client.id, endHolds: true };
    expectRefusal(await t.post('/v1/standing/preview', body, client.apiKey), 403, 'AUDIENCE');
    expectRefusal(await t.post('/v1/standing/preview', body, (await t.makePsp()).apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.post('/v1/standing/preview', { accountId: client.id }, psp.apiKey), 400, 'FIELD_REQUIRED');
    const auditor = await enter(t, await t.makeOperator(), 'auditor');
    expect(contentOf(await auditor.post('/v1/standing/preview', body)).decisions).toBe(0);
  });
});
