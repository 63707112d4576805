// GET /v1/overview: its figures equal those of daily totals, its counts those of the records, and each caller sees only
// its own.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { localDate } from '../../src/core/calendar.ts';
import { waitingFigures } from '../../src/modules/kernel/waits.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { entryCount } from '../support/journal.ts';
import { subscribe } from '../support/webhooks.ts';
import { type Cast, live, makeCast, totalled } from '../totals/life.ts';

let t: TestApp;
let cast: Cast;
let otherPsp: Account;

beforeAll(async () => {
  t = await makeTestApp({ env: { LOG_LEVEL: 'info' } });
  cast = await makeCast(t);
  await live(t, cast, 11, 250);
  otherPsp = await t.makePsp('Other PSP', 'KE');
  const other = await t.makeClient(otherPsp);
  const sale = {
    ref: 'o1',
    totalAmount: 100,
    paymentMethods: {},
    transactionFee: 0,
    currency: 'NGN',
    countryCode: 'NG',
  };
  contentOf(await t.post('/v1/transaction/verifyTransaction', sale, other.apiKey));
  await totalled(t);
});
afterAll(() => t?.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
const overview = async (key: string, query = '', headers = {}): Promise<any> =>
  contentOf(await t.get(`/v1/overview${query}`, key, headers));

async function statuses(where: string, values: unknown[]) {
  const rows = await t.database.admin.query(
    `SELECT status, count(*) AS n FROM transactions WHERE ${where} GROUP BY 1`,
    values,
  );
  const of = (s: string) => (rows.find((r) => r.status === s)?.n as number | undefined) ?? 0;
  return { approved: of('APPROVED'), declined: of('DECLINED'), pending: of('PENDING') };
}

describe('getOverview accepts', () => {
  it('and counts what the records are', async () => {
    const o = await overview(cast.psp.apiKey);
    const records = await statuses('psp_id = $1', [cast.psp.uuid]);
    expect(o.scope).toBe('psp');
    expect(o.counts).toMatchObject(records);
    expect(records.approved).toBeGreaterThan(10);
    expect(o.counts.chargedBack).toBeGreaterThan(0);
    expect(o.counts.wagers).toBeGreaterThan(0);
    expect(o.entriesBehind).toBe(0);
  });

  it('and says by day and by country what it says of the whole', async () => {
    const o = await overview(cast.psp.apiKey);
    for (const name of ['approved', 'declined', 'pending', 'chargedBack', 'wagers', 'payouts'])
      for (const lines of [o.amounts, o.byDay, o.byCountry])
        expect(lines.reduce((n: number, l: Record<string, number>) => n + (l[name] as number), 0)).toBe(o.counts[name]);
    const totals = contentOf(
      await t.get(
        `/v1/totals?dayFrom=${o.period.from}&dayTo=${o.period.to}&by=countryCode&verdict=APPROVED`,
        cast.psp.apiKey,
      ),
    ).items;
    // How sales were paid is in the totals alone.
    const paid = ['discounts', 'vouchers', 'cash', 'rows', 'verdict'];
    const figures = (line: object) => Object.fromEntries(Object.entries(line).filter(([name]) => !paid.includes(name)));
    expect(o.byCountry.filter((l: { approved: number }) => l.approved > 0)).toEqual(
      totals.map(({ count, ...line }: { count: number }) =>
        expect.objectContaining({ ...figures(line), approved: count }),
      ),
    );
  });

  it('and counts the last minutes as they stand', async () => {
    const { recent } = await overview(cast.psp.apiKey);
    expect(recent).toMatchObject(await statuses('psp_id = $1 AND created_at >= $2', [cast.psp.uuid, recent.from]));
    expect(recent.approved).toBeGreaterThan(0);
    expect(Date.parse(recent.to) - Date.parse(recent.from)).toBe(15 * 60_000);
    const counted = recent.minutes.reduce((n: number, m: { approved: number }) => n + m.approved, 0);
    expect(counted).toBe(recent.approved);
  });

  it('fewer days than thirty, and says which', async () => {
    const o = await overview(cast.psp.apiKey, '?days=1');
    const today = localDate('Africa/Lagos', t.now());
    expect(o.period).toEqual({ from: today, to: today, days: 1 });
  });

  it('a PSP that has nothing', async () => {
    const o = await overview((await t.makePsp('New')).apiKey);
    expect(o).toMatchObject({ amounts: [], byDay: [], byCountry: [], recent: { approved: 0, minutes: [] } });
    expect(o.attention).toMatchObject({
      openReviews: 0,
      failingWebhooks: 0,
      cdrFilesInWork: 0,
      exhaustedDeliveries: 0,
    });
  });
});

describe('getOverview validates', () => {
  it.each(['0', '367', '1.5', 'x', '-1'])('days=%s', async (days) => {
    expectRefusal(await t.get(`/v1/overview?days=${days}`, cast.psp.apiKey), 400, 'QUERY_INVALID');
  });
});

describe('getOverview authorises', () => {
  it('a client for its own alone, and tells it of no reviews', async () => {
    const client = cast.clients[0] as Account;
    const o = await overview(client.apiKey);
    expect(o.scope).toBe('client');
    expect(o.counts).toMatchObject(await statuses('account_id = $1', [client.uuid]));
    expect(o.recent).toMatchObject(
      await statuses('account_id = $1 AND created_at >= $2', [client.uuid, o.recent.from]),
    );
    const { openReviews, openCases, overdueCases, openMatches, openProposals } = o.attention;
    expect([openReviews, openCases, overdueCases, openMatches, openProposals]).toEqual(Array(5).fill(null));
    // Readers of the journal go on between two looks; when they have read all, both see the same.
    await vi.waitFor(
      async () => {
        const { at: _, ...own } = await overview(client.apiKey);
        const { at: __, ...narrowed } = await overview(cast.psp.apiKey, '', { 'x-client-id': client.id });
        expect(narrowed).toEqual({
          ...own,
          scope: 'psp',
          attention: {
            ...own.attention,
            openReviews: expect.any(Number),
            openCases: expect.any(Number),
            overdueCases: 0,
            openMatches: 0,
            openProposals: 0,
          },
        });
      },
      { timeout: 90_000, interval: 200 },
    );
  });

  it('an operator for every PSP together', async () => {
    const operator = await overview(cast.operator.apiKey);
    expect(operator.scope).toBe('operator');
    expect(operator.counts).toMatchObject(await statuses('true', []));
    const [one, other] = [await overview(cast.psp.apiKey), await overview(otherPsp.apiKey)];
    expect(operator.counts.approved).toBe(one.counts.approved + other.counts.approved);
    expect(operator.attention.openProposals).toBe(0);
    // Only the operator can start one.
    expect([operator, one].map((o) => o.attention.backgroundProcesses)).toEqual([1, null]);
  });

  it('nobody for the client of another', async () => {
    const client = cast.clients[0] as Account;
    expectRefusal(await t.get('/v1/overview', otherPsp.apiKey, { 'x-client-id': client.id }), 404, 'NOT_FOUND');
  });
});

describe('getOverview tells', () => {
  it('nothing to the journal', async () => {
    const before = await entryCount(t);
    await overview(cast.psp.apiKey);
    expect(await entryCount(t)).toBe(before);
  });

  it('of what wants attention', async () => {
    const psp = await t.makePsp('Troubled');
    const client = await t.makeClient(psp);
    const subscribed = contentOf(
      await t.post(
        '/v1/client/subscribeToClient',
        { clientId: client.id, webhookUrl: 'https://example.com/h' },
        psp.apiKey,
      ),
    );
    expect(subscribed).toBeDefined();
    const db = t.database.admin;
    await db.query(
      `INSERT INTO webhook_health (psp_id, webhook_id, failing_since, failures, warned_hours)
       SELECT psp_id, id, now(), 3, 0 FROM webhooks WHERE psp_id = $1`,
      [psp.uuid],
    );
    const at = (id: string) => overview(psp.apiKey, id);
    expect((await at('')).attention).toMatchObject({ failingWebhooks: 1, disabledWebhooks: 0 });
    await db.query("UPDATE webhooks SET state = 'DISABLED' WHERE psp_id = $1", [psp.uuid]);
    expect((await at('')).attention).toMatchObject({ failingWebhooks: 0, disabledWebhooks: 1 });
  });

  it('of licences that end within 30 days, disputes that need evidence and cases that are overdue', async () => {
    const psp = await t.makePsp('Watched');
    const [client, other] = [await t.makeClient(psp), await t.makeClient(psp)];
    const inDays = (n: number) => new Date(t.now() + n * 86_400_000).toISOString();
    const license = async (by: Account, activity: string, days: number) => {
      const licence = {
        activity,
        authority: 'NLRC',
        number: '1',
        countryCode: 'NG',
        validUntil: inDays(days).slice(0, 10),
      };
      const { licences } = contentOf(await t.post(`/v1/client/${by.id}/licence`, licence, by.apiKey));
      const path = `/v1/client/${by.id}/licence/${licences.at(-1).licenceId}/accept`;
      contentOf(await t.post(path, {}, cast.operator.apiKey));
      return licence;
    };
    const soon = await license(client, 'GAMING', 6);
    await license(client, 'CRYPTO', 40);
    const later = await license(other, 'GAMING', 20);
    // Of many others the next warning comes sooner, for a licence that ends later than in 30 days.
    const inDb = t.database.admin;
    const day = (n: number) => inDays(n).slice(0, 10);
    await inDb.query('UPDATE client_verifications SET warn_on = $2 WHERE psp_id = $1', [psp.uuid, day(13)]);
    await inDb.query(
      `INSERT INTO client_verifications (psp_id, id, licences, warn_on, version, updated_at)
       SELECT psp_id, gen_random_uuid(), replace(licences, $3, $4), $5, 1, now()
       FROM client_verifications, generate_series(1, 250) WHERE psp_id = $1 AND id = $2`,
      [psp.uuid, other.uuid, later.validUntil, day(35), day(5)],
    );
    const dispute = async (ref: string, days: number) => {
      const sale = {
        ref,
        totalAmount: 107.5,
        currency: 'NGN',
        countryCode: 'NG',
        paymentMethods: { card: 107.5 },
        transactionFee: 0,
      };
      const { transactionId } = contentOf(await t.post('/v1/transaction/verifyTransaction', sale, client.apiKey));
      const { chargebackId } = contentOf(
        await t.post('/v1/transaction/chargeBack', { ref }, psp.apiKey, { 'x-client-id': client.id }),
      );
      const asked = { chargebackId, reason: 'delivered', evidenceDueAt: inDays(days) };
      contentOf(await t.post('/v1/dispute', asked, client.apiKey));
      return transactionId;
    };
    const transactionId = await dispute('due', 6);
    await dispute('later', 8);
    contentOf(await t.post('/v1/review', { transactionId, reason: 'looks odd' }, psp.apiKey));
    const ofClient = await overview(client.apiKey);
    expect(ofClient.attention).toMatchObject({
      disputesDue: 1,
      endingLicences: [{ clientId: client.id, activity: 'GAMING', validUntil: soon.validUntil }],
    });
    const due = contentOf(await t.get('/v1/dispute?state=OPEN&dueWithinDays=7', client.apiKey));
    expect(due.items.map((d: { transactionId: string }) => d.transactionId)).toEqual([transactionId]);
    const found = async () => (await overview(psp.apiKey)).attention;
    await vi.waitFor(async () => expect(await found()).toMatchObject({ openCases: 1, overdueCases: 0 }), {
      timeout: 90_000,
      interval: 200,
    });
    expect((await found()).endingLicences.map((l: { clientId: string }) => l.clientId)).toEqual([client.id, other.id]);
    await t.database.admin.query("UPDATE cases SET due_at = '2020-01-01' WHERE psp_id = $1", [psp.uuid]);
    expect(await found()).toMatchObject({ openReviews: 1, overdueCases: 1, openMatches: 0 });
    expect((await overview(otherPsp.apiKey)).attention).toMatchObject({ endingLicences: [], disputesDue: 0 });
    // A week on, the licence has ended, the first dispute's day is past, and the second one's is near.
    t.advance(7 * 86_400_000);
    expect((await overview(client.apiKey)).attention).toMatchObject({ disputesDue: 1, endingLicences: [] });
  });
});

describe('listWaitingPsps', () => {
  const waiting = async (figure: string) =>
    contentOf(await t.get(`/v1/overview/waiting?figure=${figure}`, cast.operator.apiKey));

  it('names the PSPs behind each figure of the overview of all, those with the most first', async () => {
    const [few, many] = [await t.makePsp('Few'), await t.makePsp('Many')];
    for (const [psp, addresses] of [
      [few, 1],
      [many, 3],
    ] as const)
      for (let i = 0; i < addresses; i++)
        await subscribe(t, await t.makeClient(psp), `https://example.com/${psp.id}/${i}`);
    const state = (now: string) =>
      t.database.admin.query('UPDATE webhooks SET state = $2 WHERE psp_id = ANY ($1)', [[few.uuid, many.uuid], now]);
    await state('DISABLED');
    const { items } = await waiting('disabledWebhooks');
    const ours = items.filter((i: { name: string }) => ['Few', 'Many'].includes(i.name));
    expect(ours).toEqual([
      { pspId: many.id, name: 'Many', count: 3 },
      { pspId: few.id, name: 'Few', count: 1 },
    ]);
    const { attention } = await overview(cast.operator.apiKey);
    for (const figure of waitingFigures) {
      const { psps, items } = await waiting(figure);
      expect(psps, figure).toBe(items.length);
      expect(
        items.reduce((sum: number, i: { count: number }) => sum + i.count, 0),
        figure,
      ).toBe(attention[figure]);
    }
    await state('ACTIVE');
    expect(JSON.stringify(await waiting('disabledWebhooks'))).not.toContain(few.id);
  });

  it('is for operators alone, and for figures that there are', async () => {
    const path = '/v1/overview/waiting?figure=openCases';
    expectRefusal(await t.get(path, cast.psp.apiKey), 403, 'AUDIENCE');
    expectRefusal(await t.get('/v1/overview/waiting?figure=all', cast.operator.apiKey), 400, 'QUERY_INVALID');
    expectRefusal(await t.get('/v1/overview/waiting', cast.operator.apiKey), 400, 'FIELD_REQUIRED');
  });
});
