// PSPs and clients look after their own keys, see and reach nobody else's, and end all that a leaked one made.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, setStanding } from '../support/guarantees.ts';
import { expectJournalComplete, told } from '../support/journal.ts';
import { enter, sessionOf, trySignIn } from '../support/people.ts';

let t: TestApp;
let staff: Account;
let psp: Account;
let client: Account;
beforeAll(async () => {
  t = await makeTestApp();
  staff = await t.makeOperator();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

interface Issued {
  readonly keyId: string;
  readonly apiKey: string;
}
const issue = async (by: string, over: Record<string, unknown> = {}, headers = {}): Promise<Issued> =>
  contentOf(await t.post('/v1/key', { name: 'spare', ...over }, by, headers));
const idOf = ({ apiKey }: { apiKey: string }) => `key_${apiKey.split('_')[1]}`;
const works = async (key: string): Promise<number> => (await t.get('/v1/client/verifyClientStatus', key)).status;
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
const listed = async (by: string, headers = {}): Promise<Shown[]> =>
  contentOf(await t.get('/v1/key?limit=200', by, headers)).items;
const made = async (by: string, keyId: string, query = ''): Promise<Shown[]> =>
  contentOf(await t.get(`/v1/key/${keyId}/made${query}`, by)).items;

describe('the keys of a PSP and of its clients', () => {
  it('are replaced by keys that last as long as they were issued for, however often and with whatever grace', async () => {
    const day = 86_400_000;
    const ends = (ms: number) => new Date(t.now() + ms).toISOString();
    const rotate = async (keyId: string, graceHours: number) =>
      contentOf(await t.post(`/v1/key/${keyId}/rotate`, { graceHours }, psp.apiKey));
    const lasting = await issue(psp.apiKey, { name: 'for 90 days', expiresAt: ends(90 * day) });
    t.advance(80 * day);
    const second = await rotate(lasting.keyId, 1);
    expect(second.expiresAt).toBe(ends(90 * day));
    // The grace has shortened the life of the second one meanwhile, and what it was issued for counts.
    const third = await rotate(second.keyId, 5);
    t.advance(3_600_000);
    expect([third.expiresAt, (await rotate(second.keyId, 0)).expiresAt]).toEqual([
      ends(90 * day - 3_600_000),
      ends(90 * day),
    ]);
    const unending = await issue(psp.apiKey, { name: 'for ever' });
    for (let i = 0; i < 2; i++) expect((await rotate(unending.keyId, 5)).expiresAt).toBeNull();
  });

  it('last no longer than the key that issued them was issued for, through every door, and never without an end', async () => {
    const day = 86_400_000;
    const ends = (ms: number) => new Date(t.now() + ms).toISOString();
    const psp = await t.makePsp();
    const client = await t.makeClient(psp);
    const lasting = await issue(psp.apiKey, { name: 'for 10 days', expiresAt: ends(10 * day) });
    const unending = await issue(psp.apiKey, { name: 'for ever' });
    t.advance(4 * day);
    const by = lasting.apiKey;
    expect((await issue(by)) as Shown).toMatchObject({ expiresAt: ends(10 * day) });
    expect((await issue(by, { expiresAt: ends(10 * day) })) as Shown).toMatchObject({ expiresAt: ends(10 * day) });
    const ofClient = { 'x-client-id': client.id };
    expect((await issue(by, {}, ofClient)) as Shown).toMatchObject({ expiresAt: ends(10 * day) });
    expect((await issue(by, { mode: 'test' })) as Shown).toMatchObject({ expiresAt: ends(10 * day) });
    const tooLong = { name: 'longer', expiresAt: ends(10 * day + 1) };
    for (const refused of [
      await t.post('/v1/key', tooLong, by),
      await t.post('/v1/key', tooLong, by, ofClient),
      await t.post('/v1/key', { ...tooLong, mode: 'test' }, by),
      await t.post(`/v1/key/${unending.keyId}/rotate`, { graceHours: 0 }, by),
    ]) {
      expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'SCOPE']);
      expect(refused.body.message).toContain('240 hours');
    }
    const ended = await t.post('/v1/key', { name: 'ended', expiresAt: ends(0) }, by);
    expect([ended.status, ended.body.message]).toEqual([400, expect.stringContaining("'expiresAt' has passed")]);
    // What was refused ended nothing, and a key goes on being replaced by one that lasts as long.
    expect(await works(unending.apiKey)).toBe(200);
    const next = contentOf(await t.post(`/v1/key/${lasting.keyId}/rotate`, { graceHours: 0 }, by));
    expect(next.expiresAt).toBe(ends(10 * day));
    expect(await works(by)).toBe(401);
  });

  it('are issued, listed, rotated and revoked by themselves', async () => {
    for (const { apiKey } of [psp, client]) {
      const { keyId, apiKey: spare } = await issue(apiKey, { name: 'checkout', scopes: ['payments'] });
      expect(await works(spare)).toBe(200);
      expect((await listed(apiKey)).find((k) => k.keyId === keyId)).toMatchObject({
        name: 'checkout',
        scopes: ['payments'],
        mode: 'live',
        revokedAt: null,
      });
      const rotated = contentOf(await t.post(`/v1/key/${keyId}/rotate`, { graceHours: 1 }, apiKey));
      expect(rotated).toMatchObject({ name: 'checkout', scopes: ['payments'], replaced: [{ keyId }] });
      expect([await works(spare), await works(rotated.apiKey), await works(apiKey)]).toEqual([200, 200, 200]);
      t.advance(3_600_001);
      expect([await works(spare), await works(rotated.apiKey), await works(apiKey)]).toEqual([401, 200, 200]);
      contentOf(await t.post(`/v1/key/${rotated.keyId}/revoke`, { reason: 'not needed' }, apiKey));
      expect([await works(rotated.apiKey), await works(apiKey)]).toEqual([401, 200]);
      expect((await told(t, rotated.keyId)).map((e) => [e.kind, e.body.actor.by])).toEqual([
        ['key.issued', idOf({ apiKey })],
        ['key.revoked', idOf({ apiKey })],
      ]);
      for (const ended of [keyId, rotated.keyId])
        expectRefusal(await t.post(`/v1/key/${ended}/rotate`, {}, apiKey), 409, 'STATE_CONFLICT');
    }
  });

  it('come in pages, newest first', async () => {
    const own = await t.makePsp();
    const ids = [idOf(own)];
    for (let i = 0; i < 3; i++) ids.unshift((await issue(own.apiKey)).keyId);
    const first = contentOf(await t.get('/v1/key?limit=2', own.apiKey));
    const second = contentOf(await t.get(`/v1/key?limit=2&cursor=${first.nextCursor}`, own.apiKey));
    expect([...first.items, ...second.items].map((k: Shown) => k.keyId)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
  });

  it('of a client are looked after by its PSP too, which names it', async () => {
    const named = { 'x-client-id': client.id };
    const { keyId, apiKey } = await issue(psp.apiKey, { name: 'by the PSP' }, named);
    expect((await listed(psp.apiKey, named)).map((k) => k.keyId)).toContain(keyId);
    expect((await listed(client.apiKey)).map((k) => k.keyId)).toContain(keyId);
    expect((await listed(psp.apiKey)).map((k) => k.keyId)).not.toContain(keyId);
    expect(contentOf(await t.get('/v1/client/verifyClientStatus', apiKey)).clientId).toBe(client.id);
    contentOf(await t.post(`/v1/key/${keyId}/revoke`, { reason: 'x' }, psp.apiKey));
    expect(await works(apiKey)).toBe(401);
  });

  it('include those of their test accounts, which live keys look after', async () => {
    for (const own of [psp, client]) {
      const test = await issue(own.apiKey, { mode: 'test' });
      expect((await listed(own.apiKey)).find((k) => k.keyId === test.keyId)).toMatchObject({ mode: 'test' });
      expectRefusal(
        await t.post('/v1/key', { name: 'spare', mode: 'live' }, test.apiKey),
        400,
        'FIELD_INVALID',
        /the field 'mode' cannot be 'live'/,
      );
      const further = await issue(test.apiKey);
      expect(further.apiKey).toMatch(/^asytest_/);
      expect((await listed(test.apiKey)).map((k) => k.keyId)).toEqual([further.keyId, test.keyId]);
      expectRefusal(await t.post(`/v1/key/${idOf(own)}/revoke`, { reason: 'x' }, test.apiKey), 404, 'NOT_FOUND');
      for (const { keyId, apiKey } of [test, further]) {
        contentOf(await t.post(`/v1/key/${keyId}/revoke`, { reason: 'x' }, own.apiKey));
        expect(await works(apiKey)).toBe(401);
      }
    }
  });

  it('are out of reach for everybody else, and for a client those of its PSP', async () => {
    const stranger = await t.makePsp();
    const theirs = await t.makeClient(stranger);
    const neighbour = await t.makeClient(psp);
    const test = await issue(psp.apiKey, { mode: 'test' });
    const targets = { psp: idOf(psp), client: idOf(client), test: test.keyId };
    for (const [who, target] of [
      [stranger, 'psp'],
      [stranger, 'client'],
      [stranger, 'test'],
      [theirs, 'client'],
      [neighbour, 'client'],
      [neighbour, 'psp'],
      [client, 'psp'],
      [client, 'test'],
    ] as const) {
      const path = `/v1/key/${targets[target]}`;
      for (const r of [
        await t.get(`${path}/made`, who.apiKey),
        await t.post(`${path}/rotate`, {}, who.apiKey),
        await t.post(`${path}/revoke`, { reason: 'x' }, who.apiKey),
      ])
        expectRefusal(r, 404, 'NOT_FOUND', 'not found, or not yours to see');
    }
    for (const r of [
      await t.get('/v1/key', stranger.apiKey, { 'x-client-id': client.id }),
      await t.post('/v1/key', { name: 'x' }, neighbour.apiKey, { 'x-client-id': client.id }),
      await t.post(`/v1/key/${idOf(psp)}/revoke`, { reason: 'x' }, psp.apiKey, { 'x-client-id': client.id }),
    ])
      expectRefusal(r, 404, 'NOT_FOUND');
    expect(await Promise.all([psp, client, test].map((k) => works(k.apiKey)))).toEqual([200, 200, 200]);
  });

  it('are not widened by themselves, in any way', async () => {
    const narrow = await issue(psp.apiKey, { scopes: ['administration'] });
    expectRefusal(await t.post('/v1/key', { name: 'x', scopes: ['payments'] }, narrow.apiKey), 403, 'SCOPE');
    expectRefusal(await t.post(`/v1/key/${idOf(psp)}/rotate`, {}, narrow.apiKey), 403, 'SCOPE');
    expectRefusal(
      await t.post('/v1/key', { name: 'x', scopes: ['read'] }, narrow.apiKey, { 'x-client-id': client.id }),
      403,
      'SCOPE',
    );
    const own = contentOf(await t.post(`/v1/key/${narrow.keyId}/rotate`, { graceHours: 0 }, narrow.apiKey));
    expect(own.scopes).toEqual(['administration']);
    expect([await works(narrow.apiKey), await works(own.apiKey)]).toEqual([401, 403]);
    for (const scopes of [['payments'], ['records'], ['read']]) {
      const { apiKey } = await issue(psp.apiKey, { scopes });
      expectRefusal(await t.post('/v1/key', { name: 'x' }, apiKey), 403, 'SCOPE');
    }
    expect(await works(psp.apiKey)).toBe(200);
  });

  it('are not issued while the account is suspended, and are revoked', async () => {
    const own = await t.makePsp();
    const { keyId } = await issue(own.apiKey);
    await setStanding(t, own, { operationalStanding: 'SUSPENDED' });
    expectRefusal(await t.post('/v1/key', { name: 'x' }, own.apiKey), 403, 'ACCOUNT_SUSPENDED');
    contentOf(await t.post(`/v1/key/${keyId}/revoke`, { reason: 'x' }, own.apiKey));
  });
});

describe('what a leaked key made', () => {
  const person = (email: string) => ({ email, name: 'Made', role: 'administrator' });
  const subscribe = async (by: string, url: string): Promise<string> => {
    contentOf(await t.post('/v1/client/subscribeToClient', { webhookUrl: url }, by));
    const { items } = contentOf(await t.get('/v1/webhook', by));
    return items.find((w: Shown) => w.url === url).webhookId;
  };
  const statusOf = async (answer: Promise<Answer>) => (await answer).status;

  it('is listed with what its keys and people made in turn, and ended by one call; the rest stays', async () => {
    const own = await t.makePsp();
    const kept = await t.makeClient(own);
    const colleague = await enter(t, own, 'administrator');
    const why = { reason: 'x' };
    const [promoted, dismissed, ended] = [
      await enter(t, own, 'auditor'),
      await enter(t, own, 'reviewer'),
      await enter(t, own, 'reviewer'),
    ];
    contentOf(await t.post(`/v1/admin/user/${dismissed.userId}/disable`, why, own.apiKey));
    const keptHook = await subscribe(own.apiKey, 'https://hooks.example.com/kept');
    const leaked = await issue(own.apiKey, { name: 'leaked' });
    t.advance(60_000);
    const since = new Date(t.now()).toISOString();

    const second = await issue(leaked.apiKey, { name: 'second' });
    const third = await issue(second.apiKey, { name: 'third' });
    const test = await issue(leaked.apiKey, { name: 'test', mode: 'test' });
    const hook = await subscribe(leaked.apiKey, 'https://hooks.example.com/thief');
    const rogue = await t.makeClient({ ...own, apiKey: leaked.apiKey }, { registrationNumber: 'RC-ROGUE' });
    const login = contentOf(await t.post('/v1/telecom/sftpCredentials', { name: 'drop' }, leaked.apiKey));
    const invited = contentOf(await t.post('/v1/admin/user', person('thief@example.com'), leaked.apiKey));
    await t.database.admin.query("UPDATE users SET password_kind = 'OWN' WHERE email = 'thief@example.com'");
    const thief = sessionOf(t, await trySignIn(t, { email: 'thief@example.com', password: invited.password }));
    const byThief = contentOf(await thief.post('/v1/key', { name: 'by the thief' }));
    contentOf(await t.post(`/v1/webhook/${keptHook}/pause`, { reason: 'x' }, leaked.apiKey));
    contentOf(await t.post(`/v1/admin/user/${colleague.userId}/password`, { reason: 'x' }, leaked.apiKey));
    contentOf(await t.post(`/v1/admin/user/${promoted.userId}/role`, { ...why, role: 'administrator' }, leaked.apiKey));
    contentOf(await t.post(`/v1/admin/user/${dismissed.userId}/enable`, why, leaked.apiKey));
    contentOf(await t.post(`/v1/admin/user/${ended.userId}/disable`, why, leaked.apiKey));
    contentOf(await t.post(`/v1/admin/user/${ended.userId}/enable`, why, own.apiKey));

    const expected = [
      ['key', second.keyId, idOf(leaked)],
      ['key', third.keyId, idOf(second)],
      ['key', test.keyId, idOf(leaked)],
      ['webhook', hook, idOf(leaked)],
      ['client', rogue.id, idOf(leaked)],
      ['key', idOf(rogue), idOf(leaked)],
      ['login', login.loginId, idOf(leaked)],
      ['person', invited.user.userId, idOf(leaked)],
      ['key', byThief.keyId, invited.user.userId],
      ['person', colleague.userId, idOf(leaked)],
      ['person', promoted.userId, idOf(leaked)],
      ['person', dismissed.userId, idOf(leaked)],
    ];
    const before = await made(own.apiKey, leaked.keyId);
    const testAccounts = before.filter((m) => m.type === 'client' && m.id !== rogue.id);
    // The first test key made the PSP's test account.
    expect(testAccounts.length).toBe(1);
    const shown = before.filter((m) => !testAccounts.includes(m)).map((m) => [m.type, m.id, m.madeBy]);
    expect(shown.sort()).toEqual(expected.sort());
    expect(before.every((m) => m.active)).toBe(true);

    const keys = [leaked, second, third, test, byThief, rogue].map((k) => k.apiKey);
    expect(await Promise.all(keys.map(works))).toEqual(keys.map(() => 200));
    const revoked = contentOf(
      await t.post(`/v1/key/${leaked.keyId}/revoke`, { reason: 'leaked', endMadeSince: since }, own.apiKey),
    );
    expect(revoked.made.filter((m: Shown) => m.active).map((m: Shown) => m.type)).toEqual(['client', 'client']);

    expect(await Promise.all(keys.map(works))).toEqual(keys.map(() => 401));
    expect(await statusOf(thief.get('/v1/session'))).toBe(401);
    expect(await statusOf(trySignIn(t, { email: 'thief@example.com', password: invited.password }))).toBe(401);
    for (const person of [colleague, promoted]) expect(await statusOf(person.get('/v1/session'))).toBe(401);
    const people = contentOf(await t.get('/v1/admin/user?limit=200', own.apiKey)).items;
    const stateOf = (id: string) => people.find((p: Shown) => p.userId === id).state;
    expect([promoted, dismissed, ended].map((p) => stateOf(p.userId))).toEqual(['DISABLED', 'DISABLED', 'ACTIVE']);
    expect(await statusOf(t.get(`/v1/webhook/${hook}`, own.apiKey))).toBe(404);
    const logins = contentOf(await t.get('/v1/telecom/sftpCredentials', own.apiKey)).items;
    expect(logins.find((l: Shown) => l.loginId === login.loginId).state).toBe('REVOKED');
    for (const [id, kind] of [
      [second.keyId, 'key.revoked'],
      [third.keyId, 'key.revoked'],
      [test.keyId, 'key.revoked'],
      [byThief.keyId, 'key.revoked'],
      [login.loginId, 'sftp_login.revoked'],
      [invited.user.userId, 'user.updated'],
    ] as const) {
      const last = (await told(t, id)).at(-1);
      expect([last?.kind, last?.body.actor.by, last?.body.evidence.reason]).toEqual([kind, idOf(own), 'leaked']);
    }

    expect([await works(own.apiKey), await works(kept.apiKey)]).toEqual([200, 200]);
    expect(await statusOf(t.get(`/v1/webhook/${keptHook}`, own.apiKey))).toBe(200);
    const again = contentOf(
      await t.post(`/v1/key/${leaked.keyId}/revoke`, { reason: 'leaked', endMadeSince: since }, own.apiKey),
    );
    expect(again.revokedAt).toBe(revoked.revokedAt);
    await expectJournalComplete(t);
  });

  it('before the leak stays, and a plain revocation ends the key alone', async () => {
    const own = await t.makePsp();
    const old = await issue(own.apiKey);
    const before = await issue(old.apiKey);
    t.advance(60_000);
    const since = new Date(t.now()).toISOString();
    const after = await issue(old.apiKey);
    expect((await made(own.apiKey, old.keyId, `?since=${since}`)).map((m) => m.id)).toEqual([after.keyId]);
    const other = await issue(own.apiKey);
    const byOther = await issue(other.apiKey);
    expect(contentOf(await t.post(`/v1/key/${other.keyId}/revoke`, { reason: 'x' }, own.apiKey)).made).toBeUndefined();
    contentOf(await t.post(`/v1/key/${old.keyId}/revoke`, { reason: 'x', endMadeSince: since }, own.apiKey));
    expect(await Promise.all([old, after, before, byOther].map((k) => works(k.apiKey)))).toEqual([401, 401, 200, 200]);
  });

  it('does not end whoever asks', async () => {
    const own = await t.makePsp();
    const asking = await issue(own.apiKey);
    const endMadeSince = '2020-01-01T00:00:00Z';
    const done = contentOf(
      await t.post(`/v1/key/${idOf(own)}/revoke`, { reason: 'leaked', endMadeSince }, asking.apiKey),
    );
    expect(done.made).toMatchObject([{ id: asking.keyId, active: true }]);
    expect([await works(own.apiKey), await works(asking.apiKey)]).toEqual([401, 200]);
  });

  it('ends with a key that revokes itself', async () => {
    const own = await t.makePsp();
    const leaked = await issue(own.apiKey);
    const second = await issue(leaked.apiKey);
    const body = { reason: 'leaked', endMadeSince: '2020-01-01T00:00:00Z' };
    contentOf(await t.post(`/v1/key/${leaked.keyId}/revoke`, body, leaked.apiKey));
    expect(await Promise.all([leaked, second, own].map((k) => works(k.apiKey)))).toEqual([401, 401, 200]);
  });

  it('ends however much it is', async () => {
    const own = await t.makePsp();
    const leaked = await issue(own.apiKey);
    const keys = await Promise.all(Array.from({ length: 150 }, () => issue(leaked.apiKey)));
    const body = { reason: 'leaked', endMadeSince: '2020-01-01T00:00:00Z' };
    const done = contentOf(await t.post(`/v1/key/${leaked.keyId}/revoke`, body, own.apiKey));
    expect(done.made.map((m: Shown) => m.active)).toEqual(keys.map(() => false));
    // Failed sign-ins are limited.
    t.advance(60_000);
    for (const k of keys.slice(0, 10)) expect(await works(k.apiKey)).toBe(401);
  });

  it('is seen and ended by staff for an operator’s key, across PSPs', async () => {
    const night = contentOf(await t.post('/v1/admin/operator', { name: 'Night' }, staff.apiKey));
    const made1 = contentOf(await t.post('/v1/admin/psp', { name: 'Rogue', countryCode: 'NG' }, night.apiKey));
    const keyId = idOf(night);
    expect((await made(staff.apiKey, keyId)).map((m) => [m.type, m.id])).toEqual([
      ['client', made1.pspId],
      ['key', idOf(made1)],
    ]);
    expectRefusal(await t.get(`/v1/key/${keyId}/made`, psp.apiKey), 404, 'NOT_FOUND');
    const body = { reason: 'leaked', endMadeSince: '2020-01-01T00:00:00Z' };
    contentOf(await t.post(`/v1/admin/key/${keyId}/revoke`, body, staff.apiKey));
    expect(await works(made1.apiKey)).toBe(401);
  });

  it('is found by an index that has nothing but such entries', async () => {
    const plan = await t.database.admin.transaction(async (tx) => {
      await tx.query('SET LOCAL enable_seqscan = off');
      return tx.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT id FROM journal
         WHERE split_part(split_part(body, '"by":"', 2), '"', 1) = ANY ($1) AND id >= $2
           AND kind IN ('client.created', 'client.updated', 'key.issued', 'sftp_login.issued', 'sftp_login.updated',
             'user.created', 'user.password_changed')`,
        [[idOf(psp)], '00000000-0000-7000-8000-000000000000'],
      );
    });
    const text = plan.map((r) => r['QUERY PLAN']).join('\n');
    expect(text).toMatch(/by_maker|split_part/);
    expect(text).not.toMatch(/Seq Scan|by_resource|administration/);
  });
});
