// The sessions of a person: what they see of their own, ending one or all others, and administrators who end those of
// their people.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete, told } from '../support/journal.ts';
import { enter, type SignedIn, sessionOf, signIn } from '../support/people.ts';

const accounts = '/v1/admin/account';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

let t: TestApp;
let operator: Account;
beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
});
afterAll(() => t?.stop());

const own = async (s: SignedIn) =>
  contentOf(await s.get('/v1/session/all')).items as { sessionId: string; current: boolean }[];
const currentOf = async (s: SignedIn) => (await own(s)).find((x) => x.current)?.sessionId as string;
const end = (s: SignedIn, sessionId: string) => s.post(`/v1/session/all/${sessionId}/end`, {});

describe('the list of one’s own sessions', () => {
  it('shows each with device, networks, times and proof, and which one asks', async () => {
    const person = await enter(t, operator, 'auditor');
    const { email, password } = person;
    const elsewhere = sessionOf(
      t,
      await t.post('/v1/session', { email, password }, undefined, { 'user-agent': firefox }),
    );
    const began = t.now();
    t.advance(60_000);
    contentOf(await elsewhere.get('/v1/session'));
    await t.app.services.sessions.flushUse();
    const { items } = contentOf(await person.get('/v1/session/all'));
    expect(items).toHaveLength(2);
    expect(items[0]).toEqual({
      sessionId: expect.stringMatching(/^ses_/),
      current: false,
      device: 'Firefox on Linux',
      method: 'PASSWORD',
      secondFactor: null,
      network: '127.0.0.0/24',
      seenNetwork: '127.0.0.0/24',
      createdAt: new Date(began).toISOString(),
      seenAt: new Date(began + 60_000).toISOString(),
      expiresAt: new Date(began + 12 * 3_600_000).toISOString(),
    });
    expect(items[1]).toMatchObject({ current: true });
    expect(await own(elsewhere)).toMatchObject([{ current: true }, { current: false }]);
  });

  it('leaves out those that have ended: signed out, idle, of the time before a new password', async () => {
    const person = await enter(t, operator, 'auditor');
    await (await signIn(t, person)).leave();
    expect(await own(person)).toHaveLength(1);
    await signIn(t, person);
    for (let i = 0; i < 2; i++) {
      t.advance(31 * 60_000);
      contentOf(await person.get('/v1/session'));
      await t.app.services.sessions.flushUse();
    }
    expect(await own(person)).toHaveLength(1);
    const change = { currentPassword: person.password, newPassword: 'a river of plain words' };
    const after = sessionOf(t, await person.post('/v1/session/password', change));
    expect(await own(after)).toMatchObject([{ current: true }]);
  });

  it('takes any name of a browser, and shows it as words alone', async () => {
    const person = await enter(t, operator, 'auditor');
    const { email, password } = person;
    for (const agent of ['<script>alert(1)</script>', 'x'.repeat(3000), 'é'])
      contentOf(await t.post('/v1/session', { email, password }, undefined, { 'user-agent': agent }));
    for (const { device } of (await own(person)) as unknown as { device: string }[])
      expect(device).toMatch(/^(Unknown device|Program on Node)$/);
    const rows = await t.database.admin.query('SELECT agent FROM sessions WHERE length(agent) > 200');
    expect(rows).toEqual([]);
  });
});

describe('ending sessions of one’s own', () => {
  it('ends the one that is named, at once and no other', async () => {
    const person = await enter(t, operator, 'auditor');
    const [one, two] = [await signIn(t, person), await signIn(t, person)];
    contentOf(await end(person, await currentOf(one)));
    expectRefusal(await one.get(accounts), 401, 'SESSION_INVALID');
    for (const open of [person, two]) expect((await open.get(accounts)).status).toBe(200);
    expect(await own(person)).toHaveLength(2);
  });

  it('does not reach the sessions of another person, of one that has ended, or of none', async () => {
    const [person, other] = [await enter(t, operator, 'auditor'), await enter(t, operator, 'auditor')];
    const gone = await signIn(t, person);
    const id = await currentOf(gone);
    await gone.leave();
    for (const sessionId of [await currentOf(other), id, 'ses_01h455vb4pex5vsknk084sn02q', 'x'])
      expectRefusal(await end(person, sessionId), 404, 'NOT_FOUND');
    expect((await other.get(accounts)).status).toBe(200);
  });

  it('ends all others: this one goes on under a new cookie, until it would have ended', async () => {
    const person = await enter(t, operator, 'auditor');
    const others = [await signIn(t, person), await signIn(t, person)];
    t.advance(60_000);
    const [before] = (await own(person)).filter((s) => s.current);
    const after = sessionOf(t, await person.post('/v1/session/end-others', {}));
    for (const ended of [...others, person]) expectRefusal(await ended.get(accounts), 401, 'SESSION_INVALID');
    const left = await own(after);
    expect(left).toEqual([{ ...before, sessionId: left[0]?.sessionId, seenAt: expect.any(String) }]);
  });
});

describe('an administrator', () => {
  it('sees the sessions of their people and ends them, with a reason in the journal', async () => {
    const administrator = await enter(t, operator, 'administrator');
    const person = await enter(t, operator, 'auditor');
    await signIn(t, person);
    const path = `/v1/admin/user/${person.userId}`;
    const { items } = contentOf(await administrator.get(`${path}/session`));
    expect(items.map((s: { current: boolean }) => s.current)).toEqual([false, false]);
    contentOf(await administrator.post(`${path}/end-sessions`, { reason: 'left one open' }));
    expectRefusal(await person.get(accounts), 401, 'SESSION_INVALID');
    expect(contentOf(await administrator.get(`${path}/session`)).items).toEqual([]);
    await signIn(t, person);
    const [entry] = (await told(t, person.userId)).filter((e) => e.kind === 'user.sessions_ended');
    expect([entry?.body.actor.by, entry?.body.evidence]).toEqual([
      administrator.userId,
      { sessionId: null, reason: 'left one open' },
    ]);
  });

  it('of another PSP, and whoever is no administrator, neither sees nor ends them', async () => {
    const person = await enter(t, operator, 'auditor');
    const path = `/v1/admin/user/${person.userId}`;
    const foreign = await enter(t, await t.makePsp('Other'), 'administrator');
    const auditor = await enter(t, operator, 'auditor');
    for (const [by, status, code] of [
      [foreign, 404, 'NOT_FOUND'],
      [auditor, 403, 'ROLE'],
    ] as const) {
      expectRefusal(await by.get(`${path}/session`), status, code);
      expectRefusal(await by.post(`${path}/end-sessions`, { reason: 'theft' }), status, code);
    }
    expect((await person.get(accounts)).status).toBe(200);
  });

  it('leaves each of these steps in the journal', () => expectJournalComplete(t));
});
