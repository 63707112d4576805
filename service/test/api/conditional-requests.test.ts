// What two people change at the same time: whoever says what they have read (If-Match, RFC 9110 13.1) overwrites nothing that
// somebody else saved meanwhile. Held for every operation that replaces a whole thing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { announcedTypes } from '../../src/modules/webhooks/administer.ts';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';

const writers = 20;

/** A thing that is replaced: where it is read and changed, by whom, and `writers` and more states that differ. */
interface Thing {
  readonly read: string;
  readonly change: string;
  readonly by: Account;
  body(n: number): object;
  /** What of the thing a body says. */
  shown(content: Record<string, unknown>): unknown;
  said(body: Record<string, unknown>): unknown;
}

/** Those whose callers say in full what they change, or add something. */
const named: Readonly<Record<string, string>> = {
  updateClient: 'changes only the fields that are present',
  setPlayerLimits: 'changes only the limits that are named',
  setTaxProfile: 'adds a profile from a day on',
  setClientLicence: 'adds a licence',
  setFee: 'adds a row',
  setUserRole: 'is one word',
  setStanding: 'is one word',
  renamePasskey: 'is one word, of one person',
  changePassword: 'is proved by the password before',
};

let t: TestApp;
let things: Readonly<Record<string, Thing>>;

beforeAll(async () => {
  t = await makeTestApp();
  const psp = await t.makePsp();
  const client = await t.makeClient(psp);
  const staff = await t.makeOperator();
  const made = async (path: string, body: object, by = psp) => contentOf(await t.post(path, body, by.apiKey));
  await made('/v1/client/subscribeToClient', { webhookUrl: 'https://hooks.example.com/a' });
  const hook = contentOf(await t.get('/v1/webhook', psp.apiKey)).items[0].webhookId;
  const view = { countryCode: 'NG', until: '2036-06-30T00:00:00.000Z', reason: 'audit' };
  const authority = (
    await made('/v1/admin/authority', { ...view, name: 'Tax Authority', dayFrom: '2024-01-01' }, staff)
  ).authorityId;
  const rhythm = { kind: 'rateCorrection', every: 'MONTH', onDay: 3, timeZone: 'Africa/Lagos', countryCode: 'NG' };
  const schedule = (await made('/v1/report-schedule', { ...rhythm, hour: 23 })).scheduleId;
  await made('/v1/lists/OWN_BLOCK/entries', { ref: 'B-1', names: ['Before'] });
  const owners = `/v1/client/${client.id}/owners`;
  const owner = { name: 'Ada Obi', dateOfBirth: '1980-02-29' };
  await made(owners, { owners: [{ ...owner, sharePercent: '99' }] });
  const rules = contentOf(await t.get('/v1/risk-rule', psp.apiKey)).items as { id: string; action: string }[];
  const declining = rules
    .filter((r) => r.action === 'decline')
    .map((r) => r.id)
    .sort();
  const modes = ['OFF', 'OBSERVE', 'ENFORCE'];
  things = {
    setClientOwners: {
      ...{ read: owners, change: owners, by: psp },
      body: (n) => ({ owners: [{ ...owner, sharePercent: String(n + 1) }] }),
      shown: (c) => (c.owners as { sharePercent: string }[]).map((o) => o.sharePercent),
      said: (b) => (b.owners as { sharePercent: string }[]).map((o) => o.sharePercent),
    },
    setEventTypes: {
      ...{ read: `/v1/webhook/${hook}`, change: `/v1/webhook/${hook}/eventTypes`, by: psp },
      body: (n) => ({ eventTypes: announcedTypes.filter((_, i) => ((n + 1) >> i) & 1) }),
      shown: (c) => c.eventTypes,
      said: (b) => b.eventTypes,
    },
    setRiskPolicy: {
      ...{ read: '/v1/risk-policy', change: '/v1/risk-policy', by: psp },
      body: (n) => ({ declining: declining.filter((_, i) => ((n + 1) >> i) & 1), holding: [], reason: 'seen' }),
      shown: (c) => c.declining,
      said: (b) => b.declining,
    },
    changeAuthority: {
      ...{ read: `/v1/admin/authority/${authority}`, change: `/v1/admin/authority/${authority}`, by: staff },
      body: (n) => ({ ...view, dayFrom: `2025-01-${String(n + 1).padStart(2, '0')}` }),
      shown: (c) => c.dayFrom,
      said: (b) => b.dayFrom,
    },
    setPlayerPolicy: {
      ...{ read: '/v1/player/policy', change: '/v1/player/policy', by: psp },
      body: (n) => ({
        exclusions: modes[(n + 1) % 3],
        limits: modes[Math.floor((n + 1) / 3) % 3],
        countryLimits: modes[Math.floor((n + 1) / 9) % 3],
      }),
      shown: (c) => [c.exclusions, c.limits, c.countryLimits],
      said: (b) => [b.exclusions, b.limits, b.countryLimits],
    },
    changeReportSchedule: {
      ...{ read: `/v1/report-schedule/${schedule}`, change: `/v1/report-schedule/${schedule}`, by: psp },
      body: (n) => ({ hour: n === 24 ? 20 : n }),
      shown: (c) => c.hour,
      said: (b) => b.hour,
    },
    putOwnListEntry: {
      ...{ read: '/v1/lists/OWN_BLOCK/entries/B-1', change: '/v1/lists/OWN_BLOCK/entries', by: psp },
      body: (n) => ({ ref: 'B-1', names: [`Person ${n}`] }),
      shown: (c) => (c.names as { name: string }[]).map((x) => x.name),
      said: (b) => b.names,
    },
  };
});
afterAll(() => t?.stop());

/** What is removed is not there to be changed once more: it has a test of its own. */
const removing = 'removeOwnListEntry';
const conditional = operations.filter((o) => typeof o.conditional === 'string' && o.id !== removing);

it('every operation that replaces a whole thing has a GET with an ETag', () => {
  const gets = operations.filter((o) => o.method === 'GET');
  const replacing = operations.filter(
    (o) =>
      o.method !== 'GET' &&
      o.access === undefined &&
      (/^(?:set|change|update|put|replace|rename)[A-Z]/.test(o.id) ||
        gets.some((g) => g.path === o.path && !g.id.startsWith('list'))),
  );
  expect(replacing.length).toBeGreaterThan(10);
  expect(replacing.filter((o) => !o.conditional && !(o.id in named)).map((o) => o.id)).toEqual([]);
  for (const o of conditional)
    expect(gets.find((g) => g.id === o.conditional)?.conditional, `${o.id}: ${o.conditional}`).toBe(true);
  expect(conditional.map((o) => o.id).sort()).toEqual(Object.keys(things).sort());
});

describe.each(conditional.map((o) => o.id))('%s', (id) => {
  const thing = () => things[id] as Thing;
  const read = async () => {
    const r = await t.get(thing().read, thing().by.apiKey);
    const tag = r.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    return { tag, shown: thing().shown(contentOf(r)) };
  };
  const change = (n: number, headers: Record<string, string> = {}) =>
    t.post(thing().change, thing().body(n), thing().by.apiKey, headers);
  const said = (n: number) => thing().said(thing().body(n) as Record<string, unknown>);

  it('saves what was changed on what is there, and says its new ETag', async () => {
    const before = await read();
    const r = await change(24, { 'if-match': `"another", ${before.tag}` });
    expect(r.status, r.text).toBe(200);
    const after = await read();
    expect([after.shown, r.headers.get('etag')]).toEqual([said(24), after.tag]);
    expect(after.tag).not.toBe(before.tag);
    // Repeated, as after an answer that was lost: it is done, and is said to be.
    const again = await change(24, { 'if-match': before.tag });
    expect([again.status, again.headers.get('idempotency-replayed'), again.headers.get('etag')]).toEqual([
      200,
      'true',
      after.tag,
    ]);
  });

  it('saves nothing on what was there before, on a weak tag, or where there is one already', async () => {
    const before = await read();
    const conditions = [
      { 'if-match': '"what-was-there-before0"' },
      { 'if-match': `W/${before.tag}` },
      { 'if-none-match': '*' },
      { 'if-none-match': before.tag },
    ];
    for (const headers of conditions) {
      const r = await change(22, headers);
      expectRefusal(r, 412, 'PRECONDITION', /^nothing is saved/);
    }
    expect(await read()).toEqual(before);
  });

  it('refuses a condition that it cannot read', async () => {
    const before = await read();
    for (const value of ['unquoted', `${before.tag} "x`, '"a" *', '', ','])
      expectRefusal(await change(22, { 'if-match': value }), 400, 'QUERY_INVALID', /double quotes/);
    expect(await read()).toEqual(before);
  });

  it(`lets exactly one of ${writers} who have read the same save`, async () => {
    const before = await read();
    const answers = await Promise.all(Array.from({ length: writers }, (_, n) => change(n, { 'if-match': before.tag })));
    const won = answers.flatMap((r, n) => (r.status === 200 ? [n] : []));
    expect(won).toHaveLength(1);
    for (const [n, r] of answers.entries())
      if (n !== won[0]) expectRefusal(r, 412, 'PRECONDITION', /^nothing is saved/);
    expect((await read()).shown).toEqual(said(won[0] as number));
  });

  it('asks nothing of those who set no condition', async () => {
    const before = await read();
    expect((await change(23)).status).toBe(200);
    const r = await change(21, { 'if-match': '*' });
    expect(r.status, r.text).toBe(200);
    expect((await read()).tag).not.toBe(before.tag);
  });
});

it('removes an entry of a list only as it was read', async () => {
  const psp = await t.makePsp();
  const list = '/v1/lists/OWN_LEAVING';
  const put = (name: string) => t.post(`${list}/entries`, { ref: 'B-1', names: [name] }, psp.apiKey);
  const remove = (tag: string) => t.post(`${list}/remove`, { ref: 'B-1' }, psp.apiKey, { 'if-match': tag });
  const tagOf = async () => (await t.get(`${list}/entries/B-1`, psp.apiKey)).headers.get('etag') ?? '';
  contentOf(await put('As it was read'));
  const read = await tagOf();
  contentOf(await put('As somebody else has written it since'));
  expectRefusal(await remove(read), 412, 'PRECONDITION', /^nothing is saved/);
  expect(contentOf(await t.get(`${list}/entries/B-1`, psp.apiKey)).names).toMatchObject([
    { name: 'As somebody else has written it since' },
  ]);
  const now = await tagOf();
  const answers = await Promise.all(Array.from({ length: 8 }, () => remove(now)));
  // It was removed once; the others were too late, or are told that it is done, as is who repeats it.
  const replayed = (r: Answer) => r.headers.get('idempotency-replayed') === 'true';
  expect(answers.filter((r) => r.status === 200 && !replayed(r))).toHaveLength(1);
  for (const r of answers) if (r.status !== 200) expectRefusal(r, 412, 'PRECONDITION', /^nothing is saved/);
  const again = await remove(now);
  expect([again.status, replayed(again)]).toEqual([200, true]);
  expect((await t.get(`${list}/entries/B-1`, psp.apiKey)).status).toBe(404);
});

it('sets the owners of a client for the first time once, of many who found none', async () => {
  const psp = await t.makePsp();
  const client = await t.makeClient(psp);
  const set = (n: number, headers: Record<string, string>) =>
    t.post(
      `/v1/client/${client.id}/owners`,
      { owners: [{ name: `Owner ${n}`, sharePercent: '10', dateOfBirth: '1980-02-29' }] },
      psp.apiKey,
      headers,
    );
  expectRefusal(await set(0, { 'if-match': '*' }), 412, 'PRECONDITION', /nothing yet/);
  const answers = await Promise.all(Array.from({ length: writers }, (_, n) => set(n, { 'if-none-match': '*' })));
  expect(answers.map((r) => r.status).sort()).toEqual([200, ...Array(writers - 1).fill(412)]);
});

it('passes over no condition where there is nothing to compare', async () => {
  const psp = await t.makePsp();
  const r = await t.post('/v1/key', { name: 'till' }, psp.apiKey, { 'if-match': '"a"' });
  expectRefusal(r, 412, 'PRECONDITION', /^what this changes has no ETag/);
  expect((await t.get('/v1/key', psp.apiKey, { 'if-match': '"a"' })).status).toBe(200);
});

it('keeps both of two changes of one schedule that name different parameters', async () => {
  const { change, by, read } = things.changeReportSchedule as Thing;
  const answers = await Promise.all([
    t.post(change, { countryCode: 'KE' }, by.apiKey),
    t.post(change, { rule: 'KE-VAT' }, by.apiKey),
  ]);
  expect(
    answers.map((r) => r.status),
    answers.map((r) => r.text).join(),
  ).toEqual([200, 200]);
  expect(contentOf(await t.get(read, by.apiKey)).parameters).toMatchObject({ countryCode: 'KE', rule: 'KE-VAT' });
});
