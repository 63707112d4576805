// Exclusions and limits of players: found by e-mail, telephone number or document across the operators of a PSP, noted or
// enforced as the PSP says, exactly also at the same moment, and readable by nobody.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { loadPlayerRules } from '../../src/platform/data-files.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { dataDirOf } from '../support/cdr-files.ts';
import { contentOf, expectRefusal, refusesOperators } from '../support/guarantees.ts';
import { expectJournalComplete, readersAtEnd, told } from '../support/journal.ts';

let t: TestApp;
/** Another process of the same service. */
let beside: TestApp;
let psp: Account;
let bet: Account;
let casino: Account;
let n = 0;

const hourMs = 3_600_000;

beforeAll(async () => {
  t = await makeTestApp({ startAt: '2026-11-10T09:00:00Z' });
  beside = await makeTestApp({
    database: t.database,
    startAt: '2026-11-10T09:00:00Z',
    env: { DATA_DIR: dataDirOf(t) },
  });
});
beforeEach(async () => {
  psp = await t.makePsp('Lake Payments', 'KE');
  bet = await operator('Lake Bets');
  casino = await operator('Lake Casino');
});
afterAll(async () => {
  await beside?.stop();
  await t?.stop();
});

/** Time passes for both processes. */
function pass(ms: number): void {
  t.advance(ms);
  beside.advance(ms);
}
function goBack(ms: number): void {
  t.setClock(-ms);
  beside.setClock(-ms);
}

const operator = (registeredName: string, country = 'KE') =>
  t.makeClient(psp, {
    registeredName,
    registrationNumber: `L-${++n}`,
    countryCode: country,
    classification: 'IGAMING_LOCAL',
  });

const kip = { email: 'kip@example.com', phoneNumber: '+254700000001' };
const ofKip = ['email:kip@example.com'];
type Over = Record<string, unknown>;

const deposit = (by: Account, over: Over = {}, at = t) => {
  const body = {
    ref: `d-${++n}`,
    totalAmount: 100,
    currency: 'KES',
    customer: kip,
    countryCode: 'KE',
    transactionFee: 0,
    ...over,
  };
  return at.post('/v1/payment/deposit', body, by.apiKey);
};
const withdraw = (by: Account, over: Over = {}) =>
  t.post('/v1/payment/withdrawal', { ...exampleOf('withdrawal'), ref: `x-${++n}`, customer: kip, ...over }, by.apiKey);
const wager = (by: Account, over: Over = {}, at = t) => {
  const body = { amount: 100, ref: `w-${++n}`, customer: kip, ip: '102.0.2.44', type: 'sports', ...over };
  return at.post('/captureWager', body, by.apiKey);
};
const payout = (by: Account, wagerReference: string, amount: number) =>
  t.post('/capturePayout', { amount, ref: `p-${++n}`, customer: kip, wagerReference }, by.apiKey);
const exampleOf = (id: string) => operations.find((o) => o.id === id)?.example as Over;

const policy = (over: Over, key = psp.apiKey, headers: Record<string, string> = {}) =>
  t.post('/v1/player/policy', over, key, headers);
const exclude = (over: Over = {}, key = psp.apiKey) =>
  t.post('/v1/player/exclude', { subjects: ofKip, source: 'PLAYER', ...over }, key);
const limit = (kind: string, period: string, amount: number | null, over: Over = {}, key = psp.apiKey) =>
  t.post('/v1/player/limits', { subjects: ofKip, limits: [{ kind, period, currency: 'KES', amount }], ...over }, key);
const find = async (subjects = ofKip, key = psp.apiKey) =>
  contentOf(await t.post('/v1/player/find', { subjects }, key));
const balance = async (key = psp.apiKey, over: Over = {}) =>
  contentOf(await t.post('/v1/player/balance', { subjects: ofKip, ...over }, key)).balances;
const statusOf = async (sent: ReturnType<typeof deposit>): Promise<string> => contentOf(await sent).status;
const load = (text: string, over: Over = {}, key = psp.apiKey) =>
  t.post('/v1/player/exclusions', { source: 'GAMSTOP', text, ...over }, key);

describe('an exclusion', () => {
  it('changes nothing until the PSP says that it applies', async () => {
    contentOf(await exclude());
    expect(await statusOf(deposit(bet))).toBe('APPROVED');
    expect((await wager(bet)).status).toBe(200);
  });

  it('declines deposits and refuses wagers of the player with every operator, once the PSP enforces it', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    const { restrictionId, inForce } = contentOf(await exclude());
    expect([restrictionId, inForce]).toEqual([expect.stringMatching(/^rst_/), true]);
    for (const by of [bet, casino]) {
      const made = contentOf(await deposit(by));
      expect(made.status).toBe('DECLINED');
      const shown = contentOf(await t.get(`/v1/transaction/${made.transactionId}`, by.apiKey));
      expect(shown.reason).toMatch(/excluded from gambling .*\(PLAYER_EXCLUDED\)$/);
      expectRefusal(await wager(by), 409, 'PLAYER_EXCLUDED');
      expect(await statusOf(deposit(by, { customer: { email: 'other@example.com' } }))).toBe('APPROVED');
    }
  });

  it('knows a telephone number as people write it at home, with deposits and wagers alike', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    contentOf(await exclude({ subjects: ['phone:+254700000001'] }));
    for (const phoneNumber of ['+254700000001', '00254700000001', '0700000001', '0700 000 001', '254 700-000-001']) {
      const customer = { email: 'another@example.com', phoneNumber };
      expect(await statusOf(deposit(bet, { customer }))).toBe('DECLINED');
      expectRefusal(await wager(casino, { customer }), 409, 'PLAYER_EXCLUDED');
    }
    for (const phoneNumber of ['+254 (0)700 000 001', '+2540700000001', '+٢٥٤٧٠٠٠٠٠٠٠١', 'tel:+254700000001'])
      expectRefusal(await wager(casino, { customer: { email: 'b@example.com', phoneNumber } }), 409, 'PLAYER_EXCLUDED');
    expect((await wager(casino, { customer: { email: 'a@example.com', phoneNumber: '0700000002' } })).status).toBe(200);
  });

  it('knows a mailbox by each of its spellings, in exclusions, limits and sums, and keeps other mailboxes apart', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE', limits: 'ENFORCE' }));
    contentOf(await exclude({ subjects: ['email:ada.byron+bets@gmail.com'] }));
    const as = (email: string) => ({ customer: { email } });
    for (const email of [
      'adabyron@gmail.com',
      'a.d.a.byron@googlemail.com',
      'Ada.Byron+2@gmail.com',
      'ada.byron+bets@gmail.com',
    ]) {
      expect([email, await statusOf(deposit(bet, as(email)))]).toEqual([email, 'DECLINED']);
      expectRefusal(await wager(casino, as(email)), 409, 'PLAYER_EXCLUDED');
    }
    for (const email of ['ada.byron@example.com', 'adabyron2@gmail.com', 'adabyron@gmail.example'])
      expect([email, await statusOf(deposit(bet, as(email)))]).toEqual([email, 'APPROVED']);
    // Elsewhere a dot is a letter like others, and what follows + is not.
    contentOf(await exclude({ subjects: ['email:bob@example.com'] }));
    expect(await statusOf(deposit(bet, as('bob+x@example.com')))).toBe('DECLINED');
    expect(await statusOf(deposit(bet, as('b.ob@example.com')))).toBe('APPROVED');
    // A limit is used up by all spellings.
    contentOf(await limit('DEPOSIT', 'DAY', 250, { subjects: ['email:eve@example.com'] }));
    const spelled = ['eve@example.com', 'eve+1@example.com', 'EVE+2@example.com', 'eve+3@example.com'];
    const made: string[] = [];
    for (const email of spelled) made.push(await statusOf(deposit(bet, as(email))));
    expect(made).toEqual(['APPROVED', 'APPROVED', 'DECLINED', 'DECLINED']);
    const sums = async (email: string) => (await balance(psp.apiKey, { subjects: [`email:${email}`] }))[0].deposits;
    expect([await sums('eve@example.com'), await sums('eve+9@example.com')]).toEqual([2, 2]);
    // At one moment, by two processes, too.
    contentOf(await limit('DEPOSIT', 'DAY', 300, { subjects: ['email:mallory@example.com'] }));
    const many = Array.from({ length: 20 }, (_, i) =>
      statusOf(deposit(i % 3 ? bet : casino, as(`mallory+${i}@example.com`), i % 2 ? t : beside)),
    );
    expect((await Promise.all(many)).filter((s) => s === 'APPROVED')).toHaveLength(3);
  });

  it('never keeps a player from their money: payouts and withdrawals pass', async () => {
    const ref = `w-${n + 1}`;
    contentOf(await wager(bet));
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    contentOf(await exclude());
    expect((await payout(bet, ref, 900)).status).toBe(200);
    expect(await statusOf(withdraw(bet))).toBe('APPROVED');
  });

  it('is noted and brought to a person, and nothing is stopped, where the PSP only observes', async () => {
    contentOf(await policy({ exclusions: 'OBSERVE' }));
    contentOf(await exclude());
    const made = contentOf(await deposit(bet));
    expect(made.status).toBe('APPROVED');
    const shown = contentOf(await t.get(`/v1/transaction/${made.transactionId}`, psp.apiKey));
    expect(shown.observations).toContainEqual(expect.objectContaining({ code: 'PLAYER_EXCLUDED', field: 'customer' }));
    const { wagerId } = contentOf(await wager(bet));
    const bets = contentOf(await t.get(`/v1/wager/${wagerId}`, psp.apiKey));
    expect(bets.observations).toContainEqual(expect.objectContaining({ code: 'PLAYER_EXCLUDED' }));
    await readersAtEnd(t, ['player-alerts']);
    const { items } = contentOf(await t.get('/v1/review?rule=PLAYER_EXCLUDED', psp.apiKey));
    const seen = items.map((r: { transactionId: string | null; severity: string }) => [r.transactionId, r.severity]);
    expect(seen.map(String).sort()).toEqual([',HIGH', `${made.transactionId},HIGH`]);
  });

  it.each([
    ['phone:+254 700 000 001', { email: 'new@example.com', phoneNumber: '0700000001' }],
    ['phone:00254700000001', { email: 'new@example.com', phoneNumber: 254700000001 }],
    ['email: KIP@Example.com ', kip],
  ])('finds the player by %s, however it is written', async (subject, customer) => {
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    contentOf(await exclude({ subjects: [subject] }));
    expect(await statusOf(deposit(bet, { customer }))).toBe('DECLINED');
  });

  it('of one operator applies to that one, and its own key can place no other', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    const { clientId } = contentOf(await exclude({}, bet.apiKey));
    expect(clientId).toBe(bet.id);
    expect(await statusOf(deposit(bet))).toBe('DECLINED');
    expect(await statusOf(deposit(casino))).toBe('APPROVED');
    expectRefusal(await exclude({ clientId: casino.id }, bet.apiKey), 404, 'NOT_FOUND');
  });

  it('begins and ends when it says', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    const at = (ms: number) => new Date(t.now() + ms).toISOString();
    contentOf(await exclude({ from: at(hourMs), until: at(2 * hourMs) }));
    const seen: string[] = [];
    for (let i = 0; i < 3; i++) {
      seen.push(await statusOf(deposit(bet)));
      pass(hourMs);
    }
    expect(seen).toEqual(['APPROVED', 'DECLINED', 'APPROVED']);
  });

  it('ends early only where its register allows it, or if it was a mistake', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    const end = (id: string, over: Over, key = psp.apiKey) =>
      t.post(`/v1/player/restriction/${id}/end`, { reason: 'asked to', ...over }, key);
    const british = contentOf(await exclude({ source: 'GAMSTOP', countryCode: 'GB' }));
    expectRefusal(await end(british.restrictionId, {}), 409, 'STATE_CONFLICT');
    expectRefusal(await end(british.restrictionId, { mistaken: true }, bet.apiKey), 404, 'NOT_FOUND');
    expect(await statusOf(deposit(bet))).toBe('DECLINED');
    expect(contentOf(await end(british.restrictionId, { mistaken: true })).inForce).toBe(false);
    expect(await statusOf(deposit(bet))).toBe('APPROVED');
    const own = contentOf(await exclude({ source: 'OPERATOR' }));
    contentOf(await end(own.restrictionId, {}));
    expect((await end(own.restrictionId, {})).headers.get('idempotency-replayed')).toBe('true');
    expect(await statusOf(deposit(bet))).toBe('APPROVED');
    const [lim] = contentOf(await limit('DEPOSIT', 'DAY', 1000)).limits;
    expectRefusal(await end(lim.restrictionId, {}), 409, 'STATE_CONFLICT');
  });

  it('that the player asked for is called a mistake by the PSP alone, not by the client that takes the bets', async () => {
    for (const over of [{ source: 'PLAYER' }, { source: 'GAMSTOP', countryCode: 'GB' }]) {
      const { restrictionId } = contentOf(await exclude(over, bet.apiKey));
      const end = (key: string) =>
        t.post(`/v1/player/restriction/${restrictionId}/end`, { reason: 'another person', mistaken: true }, key);
      expectRefusal(await end(bet.apiKey), 409, 'STATE_CONFLICT', /your PSP/);
      expect(contentOf(await end(psp.apiKey)).inForce).toBe(false);
    }
    const own = contentOf(await exclude({ source: 'OPERATOR' }, bet.apiKey));
    const path = `/v1/player/restriction/${own.restrictionId}/end`;
    expect(contentOf(await t.post(path, { reason: 'typed wrong', mistaken: true }, bet.apiKey)).inForce).toBe(false);
  });

  // LCCP 3.5.4 of the Gambling Commission: a period that the player chose runs to its end, and who returns waits a day.
  it('lasts at least as long as the law says, where it may end before its time', async () => {
    const end = async (id: string, over: Over = {}) =>
      contentOf(await t.post(`/v1/player/restriction/${id}/end`, { reason: 'asked to', ...over }, psp.apiKey));
    const from = '2026-08-31T10:00:00.000Z';
    // LT: six months at least; PT, article 39(5): after three months; IT: one without end after six months.
    const of = async (countryCode: string, source: string, over: Over = {}) =>
      contentOf(await exclude({ source, countryCode, subjects: [`email:least-${++n}@example.com`], from, ...over }));
    for (const [country, source, least] of [
      ['LT', 'APSIRIBOJUSIU_REGISTRAS', '2027-02-28T10:00:00.000Z'],
      ['PT', 'srij', '2026-11-30T10:00:00.000Z'],
      ['IT', 'RUA', '2027-02-28T10:00:00.000Z'],
      // LCCP 3.5.4: six months with an operator of Great Britain; elsewhere the wait of a limit that rises.
      ['GB', 'PLAYER', '2027-02-28T10:00:00.000Z'],
    ] as const) {
      const { restrictionId } = await of(country, source);
      expect(await end(restrictionId)).toMatchObject({ until: least, inForce: true });
      expect(await end(restrictionId)).toMatchObject({ until: least, version: 2 });
      const { restrictionId: wrong } = await of(country, source);
      expect((await end(wrong, { mistaken: true })).inForce).toBe(false);
    }
    // One that began long ago ends at once, one that ends sooner by itself stays as it is, and a longer one is shortened.
    expect((await end((await of('PT', 'SRIJ', { from: '2026-08-01T00:00:00Z' })).restrictionId)).inForce).toBe(false);
    const short = await of('IT', 'RUA', { until: '2026-11-29T10:00:00.000Z' });
    expect(await end(short.restrictionId)).toMatchObject({ until: '2026-11-29T10:00:00.000Z', version: 1 });
    const long = await of('PT', 'SRIJ', { until: '2028-01-01T00:00:00.000Z' });
    expect(await end(long.restrictionId)).toMatchObject({ until: '2026-11-30T10:00:00.000Z' });
  });

  it('that the player asked for cannot be ended early by an operator, and without an end only after a wait', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    const end = (id: string, over: Over = {}) =>
      t.post(`/v1/player/restriction/${id}/end`, { reason: 'asked to', ...over }, psp.apiKey);
    for (const source of ['PLAYER', 'player']) {
      const chosen = contentOf(await exclude({ source, until: '2027-06-01T00:00:00Z' }));
      expectRefusal(await end(chosen.restrictionId), 409, 'STATE_CONFLICT', /cannot end before/);
      expect(await statusOf(deposit(bet))).toBe('DECLINED');
      expect(contentOf(await end(chosen.restrictionId, { mistaken: true })).inForce).toBe(false);
      const open = contentOf(await exclude({ source, countryCode: 'SE' }));
      const ended = contentOf(await end(open.restrictionId));
      expect(Date.parse(ended.until) - t.now()).toBe(72 * hourMs);
      pass(hourMs);
      const again = await end(open.restrictionId);
      expect([contentOf(again).until, again.headers.get('idempotency-replayed')]).toEqual([ended.until, 'true']);
      pass(71 * hourMs - 1);
      expect(await statusOf(deposit(bet))).toBe('DECLINED');
      pass(1);
      expect(await statusOf(deposit(bet))).toBe('APPROVED');
      goBack(72 * hourMs);
    }
    const british = contentOf(await exclude({ source: 'GamStop', countryCode: 'GB' }));
    expectRefusal(await end(british.restrictionId), 409, 'STATE_CONFLICT');
  });

  it('is the same one when it is asked for again, and has one entry for each change', async () => {
    const first = contentOf(await exclude({ source: 'OPERATOR', until: '2027-06-01T00:00:00Z' }));
    const again = await exclude({ source: 'OPERATOR', until: '2027-06-01T00:00:00Z' });
    expect(contentOf(again).restrictionId).toBe(first.restrictionId);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    contentOf(await t.post(`/v1/player/restriction/${first.restrictionId}/end`, { reason: 'asked to' }, psp.apiKey));
    expect((await told(t, first.restrictionId)).map((e) => e.kind)).toEqual([
      'restriction.placed',
      'restriction.changed',
    ]);
    await expectJournalComplete(t);
  });

  it.each([
    [{ subjects: [] }, "field 'subjects'"],
    [{ subjects: ['kip@example.com'] }, "field 'subjects[0]'"],
    [{ subjects: ['phone:12'] }, "field 'subjects[0]'"],
    [{ subjects: ['document:123456782'] }, "field 'subjects[0]'"],
    [{ until: '2020-01-01T00:00:00Z' }, "field 'until'"],
    [{ source: undefined }, "field 'source'"],
  ])('is refused when it says %j', async (over, names) => {
    const refused = await exclude(over as Over);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain(names);
    expect(refused.text).not.toContain('kip@example.com');
  });
});

describe('a limit', () => {
  it('counts the deposits of the player with all operators in the calendar of the country, and no others', async () => {
    contentOf(await policy({ limits: 'ENFORCE' }));
    contentOf(await deposit(bet, { totalAmount: 300 }));
    contentOf(await limit('DEPOSIT', 'MONTH', 1000));
    expect(await statusOf(deposit(bet, { totalAmount: 400 }))).toBe('APPROVED');
    const over = contentOf(await deposit(casino, { totalAmount: 300.01 }));
    expect(over.status).toBe('DECLINED');
    const { reason } = contentOf(await t.get(`/v1/transaction/${over.transactionId}`, psp.apiKey));
    expect(reason).toContain('deposit limit of 1000 KES a month (PLAYER_LIMIT)');
    expect(await statusOf(deposit(casino, { totalAmount: 300 }))).toBe('APPROVED');
    expect(await statusOf(deposit(casino, { totalAmount: 0.01 }))).toBe('DECLINED');
    expect(await statusOf(deposit(casino, { currency: 'USD' }))).toBe('APPROVED');
    const { restrictions } = await find();
    expect(restrictions).toEqual([expect.objectContaining({ kind: 'DEPOSIT', amount: 1000, used: 1000 })]);
    // Midnight in Nairobi is 21:00 in UTC.
    const toDecember = Date.parse('2026-11-30T21:00:00Z') - t.now();
    pass(toDecember - 1);
    expect(await statusOf(deposit(bet, { totalAmount: 1 }))).toBe('DECLINED');
    pass(1);
    expect(await statusOf(deposit(bet, { totalAmount: 1 }))).toBe('APPROVED');
    goBack(toDecember);
  });

  it('is lower at once, and higher or gone only after the time the law of the country asks for', async () => {
    contentOf(await policy({ limits: 'ENFORCE' }));
    for (const [countryCode, hours] of [
      ['KE', 24],
      ['FR', 48],
      ['SE', 72],
      ['DE', 168],
    ] as const) {
      const subjects = [`email:${countryCode}@example.com`];
      const set = async (amount: number | null) =>
        contentOf(await limit('STAKE', 'DAY', amount, { subjects, countryCode })).limits[0];
      const first = await set(500);
      expect((await set(200)).amount).toBe(200);
      const raised = await set(800);
      expect([raised.amount, raised.pendingAmount]).toEqual([200, 800]);
      expect(Date.parse(raised.pendingFrom) - t.now()).toBe(hours * hourMs);
      // Asking again does not shorten or prolong it.
      pass(hourMs);
      expect((await set(800)).pendingFrom).toBe(raised.pendingFrom);
      const bets = (amount: number) => wager(bet, { amount, customer: { email: `${countryCode}@example.com` } });
      expectRefusal(await bets(201), 409, 'PLAYER_LIMIT');
      pass((hours - 1) * hourMs);
      expect((await bets(201)).status).toBe(200);
      const { restrictions } = contentOf(await t.post('/v1/player/find', { subjects }, psp.apiKey));
      expect(restrictions).toMatchObject([{ amount: 800, pendingAmount: null, pendingFrom: null, used: 201 }]);
      const ended = await set(null);
      expect(Date.parse(ended.until) - t.now()).toBe(hours * hourMs);
      expect(ended.restrictionId).toBe(first.restrictionId);
      goBack(hours * hourMs);
    }
  });

  it('waits as the law asks under which it was set, whatever country the change names', async () => {
    for (const countryCode of ['KE', undefined, 'DE']) {
      const subjects = [`email:${countryCode}-at-home@example.com`];
      const set = async (amount: number | null, over: Over = { countryCode }) =>
        contentOf(await limit('DEPOSIT', 'DAY', amount, { subjects, ...over })).limits[0];
      await set(100, { countryCode: 'DE' });
      for (const amount of [500, 600]) {
        const { pendingFrom } = await set(amount);
        expect([countryCode, Date.parse(pendingFrom) - t.now()]).toEqual([countryCode, 168 * hourMs]);
      }
      const { until } = await set(null);
      expect([countryCode, Date.parse(until) - t.now()]).toEqual([countryCode, 168 * hourMs]);
    }
    // Of two laws the one that asks for more, as where the limit was set without a country.
    const subjects = ['email:moved@example.com'];
    contentOf(await limit('DEPOSIT', 'DAY', 100, { subjects }));
    const [moved] = contentOf(await limit('DEPOSIT', 'DAY', 200, { subjects, countryCode: 'DE' })).limits;
    expect(Date.parse(moved.pendingFrom) - t.now()).toBe(168 * hourMs);
  });

  it('that is raised, ended and raised to the same amount again does not end', async () => {
    const set = async (amount: number | null) => contentOf(await limit('LOSS', 'DAY', amount)).limits[0];
    await set(100);
    const raised = await set(400);
    expect((await set(null)).until).toBe(raised.pendingFrom);
    expect(await set(400)).toMatchObject({
      amount: 100,
      pendingAmount: 400,
      pendingFrom: raised.pendingFrom,
      until: null,
    });
    expect((await set(400)).version).toBe(raised.version + 2);
  });

  it('rises in Sweden after 72 hours, and not before the running week or month has ended', async () => {
    const toTuesday = Date.parse('2026-12-01T10:00:00Z') - t.now();
    pass(toTuesday);
    const subjects = ['email:sven@example.com'];
    for (const [period, from] of [
      ['DAY', '2026-12-04T10:00:00.000Z'],
      // Midnight in Stockholm is 23:00 in UTC.
      ['WEEK', '2026-12-06T23:00:00.000Z'],
      ['MONTH', '2026-12-31T23:00:00.000Z'],
    ] as const) {
      const set = async (amount: number | null) =>
        contentOf(await limit('DEPOSIT', period, amount, { subjects, countryCode: 'SE' })).limits[0];
      await set(500);
      expect([period, (await set(800)).pendingFrom]).toEqual([period, from]);
      expect([period, (await set(null)).until]).toEqual([period, from]);
    }
    goBack(toTuesday);
  });

  it('of stakes and losses counts wagers, and what was won gives room for losses only', async () => {
    contentOf(await policy({ limits: 'ENFORCE' }));
    contentOf(await limit('LOSS', 'WEEK', 300));
    contentOf(await limit('STAKE', 'WEEK', 1000));
    contentOf(await wager(bet, { amount: 300, ref: 'lost' }));
    expectRefusal(await wager(casino, { amount: 1 }), 409, 'PLAYER_LIMIT');
    contentOf(await payout(bet, 'lost', 650));
    expect((await wager(casino, { amount: 650 })).status).toBe(200);
    const refused = await wager(casino, { amount: 51 });
    expect(refused.body.message).toContain('loss limit of 300 KES a week');
    // A free bet loses nothing.
    expect((await wager(casino, { amount: 0 })).status).toBe(200);
  });

  it('cannot be exceeded by deposits at the same moment, with several operators and processes', async () => {
    contentOf(await policy({ limits: 'ENFORCE' }));
    contentOf(await limit('DEPOSIT', 'DAY', 1000));
    const sent = Array.from({ length: 30 }, (_, i) => statusOf(deposit(i % 2 ? bet : casino, {}, i % 3 ? t : beside)));
    const statuses = await Promise.all(sent);
    expect(statuses.filter((s) => s === 'APPROVED')).toHaveLength(10);
    expect(statuses.filter((s) => s === 'DECLINED')).toHaveLength(20);
    expect(await balance()).toEqual([expect.objectContaining({ currency: 'KES', deposits: 10, deposited: 1000 })]);
    const wagers = await Promise.all([
      ...[contentOf(await limit('STAKE', 'DAY', 500))],
      ...Array.from({ length: 12 }, (_, i) => wager(bet, {}, i % 2 ? t : beside)),
    ]);
    expect(wagers.slice(1).filter((r) => r.status === 200)).toHaveLength(5);
  });

  it('applies to whatever is decided after it was set, also by requests of the same moment', async () => {
    contentOf(await policy({ limits: 'ENFORCE', exclusions: 'ENFORCE' }));
    const sent = Array.from({ length: 40 }, (_, i) => deposit(bet, {}, i % 2 ? t : beside));
    const [made] = await Promise.all([exclude(), ...sent]);
    contentOf(made);
    const entries = await t.database.admin.query<{ kind: string; body: string }>(
      'SELECT kind, body FROM journal WHERE psp_id = $1 ORDER BY seq',
      [psp.uuid],
    );
    const placed = entries.findIndex((e) => e.kind === 'restriction.placed');
    const after = entries.slice(placed + 1).filter((e) => e.kind === 'transaction.created');
    expect(after.filter((e) => JSON.parse(e.body).data.status === 'APPROVED')).toEqual([]);
    expect(await statusOf(deposit(bet, {}, beside))).toBe('DECLINED');
  });

  it('of a country applies to every player there, unless one of their own takes its place', async () => {
    psp = await t.makePsp('Rhein Zahlungen', 'DE');
    [bet, casino] = [await operator('Rhein Wetten', 'DE'), await operator('Rhein Spiele', 'DE')];
    const german = { currency: 'EUR', countryCode: 'DE' };
    contentOf(await policy({ countryLimits: 'ENFORCE', limits: 'ENFORCE' }));
    expect(await statusOf(deposit(bet, { ...german, totalAmount: 900 }))).toBe('APPROVED');
    expect(await statusOf(deposit(casino, { ...german, totalAmount: 100.01 }))).toBe('DECLINED');
    const both = await Promise.all([1, 2].map(() => statusOf(deposit(casino, { ...german, totalAmount: 60 }))));
    expect(both.sort()).toEqual(['APPROVED', 'DECLINED']);
    const higher = { limits: [{ kind: 'DEPOSIT', period: 'MONTH', currency: 'EUR', amount: 10_000 }] };
    contentOf(await limit('DEPOSIT', 'MONTH', 0, higher));
    expect(await statusOf(deposit(casino, { ...german, totalAmount: 5000 }))).toBe('APPROVED');
    expect(await statusOf(deposit(casino, { ...german, totalAmount: 5000 }))).toBe('DECLINED');
  });

  it('of a country counts what the player does under another e-mail with the same number, also at once', async () => {
    psp = await t.makePsp('Elbe Zahlungen', 'DE');
    [bet, casino] = [await operator('Elbe Wetten', 'DE'), await operator('Elbe Spiele', 'DE')];
    contentOf(await policy({ countryLimits: 'ENFORCE' }));
    const by = (email: string, phoneNumber: string, totalAmount: number, at = t) => {
      const customer = { email: `${email}@example.com`, phoneNumber };
      return statusOf(deposit(bet, { currency: 'EUR', countryCode: 'DE', totalAmount, customer }, at));
    };
    expect(await by('one', '+4915112345678', 900)).toBe('APPROVED');
    expect(await by('two', '0151 12345678', 100.01)).toBe('DECLINED');
    expect(await by('two', '0151 12345678', 100)).toBe('APPROVED');
    expect(await by('two', '+4915112345679', 900.01)).toBe('DECLINED');
    expect(await by('three', '+4915112345677', 1000)).toBe('APPROVED');
    const many = Array.from({ length: 20 }, (_, i) => by(`m${i % 5}`, '+4915112345670', 100, i % 2 ? t : beside));
    expect((await Promise.all(many)).filter((s) => s === 'APPROVED')).toHaveLength(10);
  });

  it('goes on for all that is known of the player, once more of it is named', async () => {
    contentOf(await policy({ limits: 'ENFORCE' }));
    const one = { email: 'first@example.com' };
    const two = { email: 'second@example.com', phoneNumber: '+254700000077' };
    const set = async (subjects: string[], amount: number | null) =>
      contentOf(await limit('DEPOSIT', 'DAY', amount, { subjects })).limits;
    const [first] = await set(['email:first@example.com'], 1000);
    contentOf(await deposit(bet, { totalAmount: 400, customer: one }));
    const both = ['email:first@example.com', 'phone:+254700000077'];
    const [second] = await set(both, 2000);
    expect([second.amount, second.pendingAmount]).toEqual([1000, 2000]);
    expect(second.restrictionId).not.toBe(first.restrictionId);
    expect(await statusOf(deposit(bet, { totalAmount: 600.01, customer: two }))).toBe('DECLINED');
    expect(await statusOf(deposit(bet, { totalAmount: 600, customer: two }))).toBe('APPROVED');
    expect(await statusOf(deposit(casino, { totalAmount: 0.01, customer: one }))).toBe('DECLINED');
    const { restrictions } = await find(both);
    expect(restrictions.map((r: { inForce: boolean; used?: number }) => [r.inForce, r.used])).toEqual([
      [false, undefined],
      [true, 1000],
    ]);
    // Asking again changes nothing, and its delay goes on.
    const again = await limit('DEPOSIT', 'DAY', 2000, { subjects: both });
    expect([contentOf(again).limits, again.headers.get('idempotency-replayed')]).toEqual([[second], 'true']);
    await expectJournalComplete(t);
  });

  it.each([
    [{ limits: [] }, "field 'limits'"],
    [{ limits: [{ kind: 'DEPOSIT', period: 'DAY', currency: 'KES', amount: -1 }] }, 'amount'],
    [{ limits: [{ kind: 'DEPOSIT', period: 'YEAR', currency: 'KES', amount: 1 }] }, 'period'],
    [{ limits: [{ kind: 'DEPOSIT', period: 'DAY', currency: 'KEX', amount: 1 }] }, 'KEX'],
    [{ limits: [{ kind: 'DEPOSIT', period: 'DAY', currency: 'KES', amount: 0.001 }] }, 'amount'],
  ])('is refused when it says %j', async (over, names) => {
    const refused = await limit('DEPOSIT', 'DAY', 1, over);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain(names);
  });
});

describe('the policy', () => {
  it('is the PSP’s alone: neither its clients nor the staff of the service can enforce anything for it', async () => {
    expectRefusal(await policy({ exclusions: 'ENFORCE' }, bet.apiKey), 403, 'AUDIENCE');
    const staff = await t.makeOperator();
    const acting = { 'x-psp-id': psp.id };
    expect((await policy({ exclusions: 'ENFORCE' }, staff.apiKey, acting)).status).toBe(403);
    const { exclusions, limits, countryLimits } = contentOf(await t.get('/v1/player/policy', bet.apiKey));
    expect([exclusions, limits, countryLimits]).toEqual(['OFF', 'OFF', 'OFF']);
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    const kept = contentOf(await policy({ limits: 'OBSERVE' }));
    expect([kept.exclusions, kept.limits, kept.version]).toEqual(['ENFORCE', 'OBSERVE', 2]);
    expect((await policy({ limits: 'OBSERVE' })).headers.get('idempotency-replayed')).toBe('true');
  });

  it('comes with what the law of countries asks for, each with its source', async () => {
    const { rules } = contentOf(await t.get('/v1/player/policy?countryCode=DE', psp.apiKey));
    expect(rules).toContainEqual(
      expect.objectContaining({ ruleId: 'DE-LUGAS-DEPOSIT', amount: 1000, currency: 'EUR', period: 'MONTH' }),
    );
    const all = loadPlayerRules();
    expect(all.countries.filter((c) => all.of(c).length > 0).length).toBeGreaterThanOrEqual(20);
    const every = all.countries.flatMap((c) => all.of(c));
    for (const r of every) expect([r.id, r.url]).toEqual([r.id, expect.stringMatching(/^https:/)]);
    expect(every.filter((r) => r.confidence !== 'assumed').map((r) => r.readOn)).not.toContain(null);
  });

  it('of one PSP says nothing about another one, whose players are others', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    contentOf(await exclude());
    const [mine, hers] = [psp, await t.makePsp('Delta Pay', 'KE')];
    psp = hers;
    const delta = await operator('Delta Bets');
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    expect(await statusOf(deposit(delta))).toBe('APPROVED');
    expect((await find()).restrictions).toEqual([]);
    expect(contentOf(await t.get('/v1/player/restriction', hers.apiKey)).items).toEqual([]);
    expect(contentOf(await t.get('/v1/player/restriction', mine.apiKey)).items).toHaveLength(1);
  });
});

describe('a list of exclusions', () => {
  const csv = (...lines: string[]) => ['email,phone,document,until,reference', ...lines, ''].join('\n');

  it('is loaded once: what is known is left, a moved end is moved, what is new is added', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    const ada = 'ada@example.com,,,2027-06-01T00:00:00Z,R-1';
    const first = contentOf(await load(csv(ada, ',+254700000001,,2027-06-01,R-2', ',,NL:123456782,,R-3')));
    expect(first).toEqual({ lines: 3, added: 3, changed: 0, unchanged: 0 });
    expect(await statusOf(deposit(bet))).toBe('DECLINED');
    const again = await load(csv(ada, ',+254700000001,,2027-06-01,R-2', ',,NL:123456782,,R-3'));
    expect(contentOf(again)).toEqual({ lines: 3, added: 0, changed: 0, unchanged: 3 });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const moved = await load(csv(ada, ',+254700000001,,2026-11-01,R-2', 'eve@example.com,,,,R-4'));
    expect(contentOf(moved)).toEqual({ lines: 3, added: 1, changed: 1, unchanged: 1 });
    expect(await statusOf(deposit(bet))).toBe('APPROVED');
    expect((await find(['document:nl:123-456-782'])).excluded).toBe(true);
    await expectJournalComplete(t);
  });

  it('of a player of whom the register has learnt another number excludes that one too', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    const by = (phoneNumber: string) => wager(casino, { customer: { email: 'fresh@example.com', phoneNumber } });
    contentOf(await load(csv('ada@example.com,,,2027-06-01,R-9')));
    expect((await by('+254700000044')).status).toBe(200);
    const learnt = csv('ada@example.com,+254700000044,,2027-06-01,R-9');
    expect(contentOf(await load(learnt))).toMatchObject({ added: 0, changed: 1, unchanged: 0 });
    expectRefusal(await by('+254700000044'), 409, 'PLAYER_EXCLUDED');
    expect(contentOf(await load(learnt))).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
    // Its end moves for all that is known of the player.
    expect(contentOf(await load(csv('ada@example.com,+254700000044,,2026-11-01,R-9')))).toMatchObject({ changed: 1 });
    expect((await by('+254700000044')).status).toBe(200);
    expect((await wager(casino, { customer: { email: 'ada@example.com' } })).status).toBe(200);
  });

  it('never ends before its day what the player asked for', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE' }));
    const of = (source: string, reference: string, over: Over = {}) =>
      exclude({ subjects: [`email:${reference}@example.com`], source, reference, ...over }, bet.apiKey);
    const moved = async (source: string, reference: string, until: string) => {
      const text = csv(`${reference}@example.com,,,${until},${reference}`);
      const loaded = contentOf(await load(text, { source }, bet.apiKey));
      const [r] = (await find([`email:${reference}@example.com`])).restrictions;
      return [loaded.changed, r.until];
    };
    const until = '2027-06-01T00:00:00.000Z';
    contentOf(await of('PLAYER', 'W-1', { until }));
    expect(await moved('PLAYER', 'W-1', '2026-11-01')).toEqual([0, until]);
    expect(await statusOf(deposit(bet, { customer: { email: 'W-1@example.com' } }))).toBe('DECLINED');
    expect(await moved('PLAYER', 'W-1', '2027-07-01')).toEqual([1, '2027-07-01T00:00:00.000Z']);
    expect(await moved('PLAYER', 'W-1', '')).toEqual([1, null]);
    expect(await moved('PLAYER', 'W-1', '2028-01-01')).toEqual([0, null]);
    contentOf(await of('GAMSTOP', 'W-2', { until }));
    expect(await moved('GAMSTOP', 'W-2', '2026-11-01')).toEqual([1, '2026-11-01T00:00:00.000Z']);
  });

  it('of thousands of lines is stored whole', async () => {
    const lines = Array.from({ length: 2600 }, (_, i) => `player${i}@example.com,,,,R${i}`);
    expect(contentOf(await load(csv(...lines))).added).toBe(2600);
    expect(contentOf(await load(csv(...lines))).unchanged).toBe(2600);
    expect((await find(['email:player2599@example.com'])).excluded).toBe(true);
  });

  it.each([
    ['name,email\nAda,ada@example.com', 'line 1'],
    ['until\n2027-01-01', 'line 1'],
    ['email,until\nada@example.com,2027-01-01\nkip@example.com,soon', 'line 3'],
    ['email,phone\nada@example.com,12', 'line 2'],
    ['email,until\n,2027-01-01', 'line 2'],
    ['email,from,until\nada@example.com,2027-06-01,2027-01-06', 'line 2 ends before it begins'],
    ['email,until\nada@example.com', 'line 2'],
    ['email\n"ada@example.com', 'line 2 cannot be read: field 1 begins with a quote'],
  ])('is refused whole if it is damaged: %j', async (text, line) => {
    const refused = await load(text);
    expectRefusal(refused, 400, 'FIELD_INVALID');
    expect(refused.body.message).toContain(line);
    expect(refused.text).not.toContain('@example.com');
    expect(contentOf(await t.get('/v1/player/restriction', psp.apiKey)).items).toEqual([]);
  });
});

describe('the balance of a player', () => {
  it('is the sum of their records by currency, with all operators or one, and a client’s own only', async () => {
    contentOf(await deposit(bet, { totalAmount: 1000 }));
    contentOf(await deposit(casino, { totalAmount: 500, customer: { email: 'Kip@example.com' } }));
    contentOf(await deposit(bet, { totalAmount: 70, currency: 'USD' }));
    contentOf(await wager(bet, { amount: 400.5, ref: 'won' }));
    contentOf(await payout(bet, 'won', 900.25));
    contentOf(await withdraw(bet, { totalAmount: 250, currency: 'KES', countryCode: 'KE' }));
    contentOf(await deposit(bet, { customer: { email: 'other@example.com' } }));
    const sums = { deposits: 2, deposited: 1500, wagers: 1, staked: 400.5, payouts: 1, paidOut: 900.25 };
    const rest = { withdrawals: 1, withdrawn: 250, lost: -499.75, balance: 1749.75 };
    expect(await balance()).toEqual([
      { currency: 'KES', ...sums, ...rest },
      expect.objectContaining({ currency: 'USD', deposits: 1, deposited: 70, balance: 70 }),
    ]);
    expect((await balance(casino.apiKey))[0]).toMatchObject({ deposits: 1, deposited: 500, staked: 0 });
    expect((await balance(psp.apiKey, { clientId: casino.id }))[0]).toMatchObject({ deposited: 500 });
    expect(await balance(psp.apiKey, { until: '2026-01-01T00:00:00Z' })).toEqual([]);
  });

  it('leaves out a deposit that was charged back, and a limit counts it all the same', async () => {
    contentOf(await policy({ limits: 'ENFORCE' }));
    contentOf(await limit('DEPOSIT', 'DAY', 100));
    const { ref } = contentOf(await deposit(bet, { totalAmount: 60 }));
    contentOf(await deposit(bet, { totalAmount: 40 }));
    contentOf(await t.post('/v1/transaction/declineTransaction', { ref }, bet.apiKey));
    const back = contentOf(
      await t.post(
        '/v1/payment/deposit',
        {
          ...exampleOf('deposit'),
          currency: 'KES',
          countryCode: 'KE',
          ref: 'back',
          totalAmount: 60,
          transactionFee: 0,
          customer: kip,
        },
        psp.apiKey,
        { 'x-client-id': bet.id },
      ),
    );
    expect(back.status).toBe('APPROVED');
    contentOf(await t.post('/v1/transaction/chargeBack', { ref: 'back' }, psp.apiKey, { 'x-client-id': bet.id }));
    expect(await balance()).toEqual([expect.objectContaining({ deposits: 1, deposited: 40, balance: 40 })]);
    expect(await statusOf(deposit(bet, { totalAmount: 0.01 }))).toBe('DECLINED');
  });
});

describe('what is stored about a player', () => {
  it('can be read by nobody, and an exclusion outlives the erasure of the person', async () => {
    contentOf(await policy({ exclusions: 'ENFORCE', limits: 'ENFORCE' }));
    contentOf(await deposit(bet));
    contentOf(await limit('DEPOSIT', 'DAY', 5000));
    contentOf(await exclude({ subjects: [...ofKip, 'phone:+254700000001', 'document:KE:ZQ55390147'] }));
    contentOf(await load('email,document\nplanted@example.com,KE:98765432\n'));
    const gone = { subjects: ofKip, reason: 'asked for it' };
    expect(contentOf(await t.post('/v1/subject/erase', gone, psp.apiKey)).keys).toBe(1);
    expect(await statusOf(deposit(bet))).toBe('DECLINED');
    const tables = ['player_restrictions', 'player_keys', 'player_policies', 'journal', 'refs', 'lookups'];
    for (const table of tables) {
      const [found] = await t.database.admin.query<{ all: string | null }>(
        `SELECT string_agg(x::text, ' ') AS all FROM ${table} x WHERE psp_id = $1`,
        [psp.uuid],
      );
      for (const planted of ['kip@', '254700000001', 'zq55390147', 'planted@', '98765432'])
        expect([table, planted, found?.all?.toLowerCase().includes(planted) ?? false]).toEqual([table, planted, false]);
    }
    expect(t.logged.some((line) => line.includes('planted@'))).toBe(false);
  });
});

describe('players', () => {
  refusesOperators(
    {
      app: () => t,
      method: 'POST',
      path: '/v1/player/exclude',
      caller: () => psp,
      body: () => ({ subjects: ofKip, source: 'PLAYER' }),
    },
    'excludePlayer',
  );

  it('are listed page by page without saying who they are', async () => {
    contentOf(await load(['email', ...Array.from({ length: 5 }, (_, i) => `l${i}@example.com`), ''].join('\n')));
    contentOf(await limit('DEPOSIT', 'DAY', 100));
    const list = async (query: string, key = psp.apiKey) =>
      contentOf(await t.get(`/v1/player/restriction?${query}`, key));
    const one = await list('limit=4');
    const two = await list(`limit=4&cursor=${one.nextCursor}`);
    expect([one.items.length, two.items.length, two.nextCursor]).toEqual([4, 2, null]);
    expect((await list('kind=DEPOSIT')).items).toHaveLength(1);
    expect((await list('source=GAMSTOP&inForce=true')).items).toHaveLength(5);
    expect((await list('', bet.apiKey)).items).toEqual([]);
    expect(JSON.stringify(one)).not.toContain('example.com');
  });
});
