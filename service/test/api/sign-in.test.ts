// Signing in to the console: the cookie, the life of a session, protection against other sites and against guessing,
// and changing one's own password (Security 8).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete, told, uuidOf } from '../support/journal.ts';
import { cookieOf, enter, invite, sessionOf, signIn, trySignIn } from '../support/people.ts';

const hour = 3_600_000;

let t: TestApp;
let operator: Account;
beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
});
afterAll(() => t?.stop());

const accounts = '/v1/admin/account';

describe('signing in', () => {
  it('gives who it is, the account, and a token against other sites; the cookie is for the browser alone', async () => {
    const person = await enter(t, operator, 'auditor');
    const r = await t.post('/v1/session', { email: ` ${person.email.toUpperCase()}`, password: person.password });
    expect(contentOf(r)).toEqual({
      user: {
        userId: person.userId,
        email: person.email,
        name: expect.stringMatching(/^Person \d+$/),
        role: 'auditor',
        mustChangePassword: false,
        mustSetUpSecondFactor: false,
      },
      account: { kind: 'operator', accountId: operator.id, name: 'Test operator' },
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: new Date(t.now() + 12 * hour).toISOString(),
    });
    expect(r.headers.get('set-cookie')).toMatch(
      /^assay_session=ses_[0-9a-z]{26}_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    const again = await sessionOf(t, r).get('/v1/session');
    expect(again.body.content).toEqual(r.body.content);
    expect(again.headers.get('set-cookie')).toBeNull();
  });

  it('sends the cookie over https only where the service is reached by https', async () => {
    const secure = await makeTestApp({ env: { BASE_URL: 'https://assay.example.com' } });
    try {
      const person = await invite(secure, await secure.makeOperator(), 'auditor');
      const r = await trySignIn(secure, person);
      expect(r.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/);
      expect((await sessionOf(secure, r).leave()).headers.get('set-cookie')).toMatch(
        /^assay_session=; .*Max-Age=0; Secure$/,
      );
    } finally {
      await secure.stop();
    }
  });

  it('asks for the fields it needs and takes nothing else', async () => {
    expectRefusal(await t.post('/v1/session', {}), 400, 'FIELD_REQUIRED', "the field 'email' is required");
    expectRefusal(await t.post('/v1/session', { email: 'a@b.example' }), 400, 'FIELD_REQUIRED');
    // A null is as good as nothing sent.
    expectRefusal(await t.post('/v1/session', { email: 'a@b.example', password: null }), 400, 'FIELD_REQUIRED');
    for (const wrong of [{ email: 1 }, { email: [] }, { password: 'x'.repeat(201) }])
      expectRefusal(
        await t.post('/v1/session', { email: 'a@b.example', password: 'x', ...wrong }),
        400,
        'FIELD_INVALID',
      );
    const form = await t.raw('/v1/session', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=a%40b.example&password=x',
    });
    expectRefusal(form, 415, 'CONTENT_TYPE');
  });

  it('is logged with the network it came from, and so is a failure, neither with the e-mail', async () => {
    const person = await enter(t, operator, 'auditor');
    const before = t.logged.length;
    await trySignIn(t, person);
    await trySignIn(t, { ...person, password: 'not the password' });
    const lines = t.logged.slice(before);
    const withNetwork = lines.map((l) => JSON.parse(l)).filter((l) => l.network === '127.0.0.0/24');
    expect(withNetwork.map((l) => [l.msg, l.user ?? l.code])).toEqual([
      ['signed in', person.userId],
      ['refused', 'SIGN_IN_FAILED'],
    ]);
    expect(lines.join()).not.toContain(person.email);
  });

  it('keeps neither the password nor the token readable, in database, journal or log', async () => {
    const person = await enter(t, operator, 'auditor');
    // The secret itself may hold an underscore.
    const secret = person.cookie.slice(-43);
    const dump = JSON.stringify([
      await t.database.admin.query('SELECT * FROM users'),
      await t.database.admin.query('SELECT * FROM sessions'),
      await t.database.admin.query("SELECT body FROM journal WHERE kind LIKE 'user.%'"),
    ]);
    for (const canary of [person.password, secret, person.csrfToken]) {
      expect(dump).not.toContain(canary);
      expect(t.logged.join()).not.toContain(canary);
    }
    expect(t.logged.join()).not.toContain(person.email);
    const entries = await told(t, person.userId);
    expect(entries.map((e) => e.text).join()).not.toContain(person.email);
  });

  it('keeps passwords at the full cost where nobody gives another, as the service is started', async () => {
    const shipped = await makeTestApp({ passwords: 'shipped' });
    try {
      const person = await invite(shipped, await shipped.makeOperator(), 'auditor');
      const [kept] = await shipped.database.admin.query('SELECT password_scrypt FROM users WHERE email = $1', [
        person.email,
      ]);
      expect(kept?.password_scrypt).toMatch(/^scrypt\$16384\$8\$5\$/);
      expectRefusal(await trySignIn(shipped, { ...person, password: `${person.password}x` }), 401, 'SIGN_IN_FAILED');
      contentOf(await trySignIn(shipped, person));
    } finally {
      await shipped.stop();
    }
  });
});

describe('a session', () => {
  it('opens the API as its account, until its person leaves', async () => {
    const person = await enter(t, operator, 'auditor');
    expect((await person.get(accounts)).status).toBe(200);
    const left = await person.leave();
    expect(contentOf(left)).toEqual({});
    expect(left.headers.get('set-cookie')).toMatch(/^assay_session=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
    for (const path of [accounts, '/v1/session']) expectRefusal(await person.get(path), 401, 'SESSION_INVALID');
  });

  it('ends after an hour without a call, and goes on as long as there are some', async () => {
    const person = await enter(t, operator, 'auditor');
    for (let i = 0; i < 3; i++) {
      t.advance(hour - 1000);
      expect((await person.get(accounts)).status).toBe(200);
    }
    t.advance(hour);
    expectRefusal(await person.get(accounts), 401, 'SESSION_INVALID', 'the session has ended; sign in again');
  });

  it('ends after twelve hours however busy its person is', async () => {
    const person = await enter(t, operator, 'auditor');
    for (let i = 0; i < 23; i++) {
      t.advance(hour / 2);
      expect((await person.get(accounts)).status).toBe(200);
    }
    t.advance(hour / 2);
    expectRefusal(await person.get(accounts), 401, 'SESSION_INVALID');
  });

  it('is known to a process that has not seen its calls, once they are written down', async () => {
    const env = { ASSAY_MASTER_KEY: '5a'.repeat(32) };
    const one = await makeTestApp({ env });
    const person = await enter(one, await one.makeOperator(), 'auditor');
    one.advance(hour - 1000);
    expect((await person.get(accounts)).status).toBe(200);
    await one.app.services.sessions.flushUse();
    const startAt = new Date(one.now() + hour / 2).toISOString();
    const other = await makeTestApp({ env, database: one.database, startAt });
    try {
      expect((await other.get(accounts, undefined, { cookie: person.cookie })).status).toBe(200);
      // What ends a session here is seen there within a second.
      await person.leave();
      other.advance(1000);
      expectRefusal(await other.get(accounts, undefined, { cookie: person.cookie }), 401, 'SESSION_INVALID');
    } finally {
      await other.stop();
      await one.stop();
    }
  });

  it('that is made up, cut short or of another form is none', async () => {
    const { cookie } = await enter(t, operator, 'auditor');
    const value = cookie.slice('assay_session='.length);
    const others = [
      value.slice(0, -1),
      `${value}x`,
      value.replace(/.$/, (c) => (c === 'A' ? 'B' : 'A')),
      `ses_01h455vb4pex5vsknk084sn02q_${'A'.repeat(43)}`,
      'x',
      '%00',
      "' OR 1=1 --",
    ];
    for (const other of others) {
      t.advance(60_000);
      const r = await t.get(accounts, undefined, { cookie: `assay_session=${other}` });
      expectRefusal(r, 401, 'SESSION_INVALID', 'the session has ended; sign in again');
    }
    expectRefusal(await t.get(accounts, undefined, { cookie: 'assay_session=' }), 401, 'KEY_MISSING');
    expectRefusal(await t.get(accounts, undefined, { cookie: `other=${value}` }), 401, 'KEY_MISSING');
    expect((await t.get(accounts, undefined, { cookie: `a=b; ${cookie}; c=d` })).status).toBe(200);
  });

  it('is not looked at where a key is sent along', async () => {
    const person = await enter(t, operator, 'auditor');
    const psp = await t.makePsp();
    const r = await t.get('/v1/transaction', psp.apiKey, { cookie: person.cookie });
    expect(r.status).toBe(200);
    expectRefusal(await t.get(accounts, 'asy_wrong', { cookie: person.cookie }), 401, 'KEY_INVALID');
    // No token is asked for either: a key is sent by no browser of its own accord.
    expect((await t.post('/v1/admin/user', {}, psp.apiKey, { cookie: person.cookie })).status).toBe(400);
  });

  it('of a key there is none: its own operations are for people', async () => {
    for (const [method, path] of [
      ['GET', '/v1/session'],
      ['DELETE', '/v1/session'],
      ['POST', '/v1/session/password'],
    ] as const) {
      const withKey = { 'x-api-key': operator.apiKey, 'content-type': 'application/json' };
      const body = method === 'POST' ? { body: '{"currentPassword":"x","newPassword":"twelve letters"}' } : {};
      expectRefusal(await t.raw(path, { method, headers: withKey, ...body }), 403, 'AUDIENCE');
      const nobody = await t.raw(path, { method, headers: { 'content-type': 'application/json' }, ...body });
      expectRefusal(nobody, 401, 'SESSION_INVALID', 'nobody is signed in');
    }
  });
});

describe('a call with the cookie', () => {
  it('that is no GET needs the token of its session', async () => {
    const [one, two] = [await enter(t, operator, 'administrator'), await enter(t, operator, 'administrator')];
    const body = { name: 'Forged', countryCode: 'NG' };
    const forged: Record<string, string>[] = [
      {},
      { 'x-csrf-token': '' },
      { 'x-csrf-token': two.csrfToken },
      { 'x-csrf-token': `${one.csrfToken}x` },
    ];
    for (const headers of forged) {
      const r = await t.post('/v1/admin/psp', body, undefined, { cookie: one.cookie, ...headers });
      expectRefusal(r, 403, 'CSRF', 'the header x-csrf-token is missing or not that of this session');
    }
    for (const [method, path] of [
      ['DELETE', '/v1/session'],
      ['POST', '/v1/session/password'],
    ] as const)
      expectRefusal(await t.raw(path, { method, headers: { cookie: one.cookie } }), 403, 'CSRF');
    const [{ n }] = (await t.database.admin.query("SELECT count(*) AS n FROM accounts WHERE name = 'Forged'")) as [
      { n: number },
    ];
    expect(n).toBe(0);
    expect((await one.post('/v1/admin/psp', body)).status).toBe(200);
  });
});

describe('guessing', () => {
  const guess = (email: string, password = 'not the password') => t.post('/v1/session', { email, password });
  const seen = (r: Answer) => ({
    status: r.status,
    text: r.text,
    headers: [...r.headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
  });

  it('learns nothing: unknown e-mail, wrong password, disabled and locked get the same bytes', async () => {
    const [known, gone, locked] = [
      await enter(t, operator, 'auditor'),
      await enter(t, operator, 'auditor'),
      await enter(t, operator, 'auditor'),
    ];
    contentOf(await t.post(`/v1/admin/user/${gone.userId}/disable`, { reason: 'left' }, operator.apiKey));
    for (let i = 0; i < 5; i++) await guess(locked.email);
    const unknown = await guess('nobody@example.com');
    expectRefusal(unknown, 401, 'SIGN_IN_FAILED');
    for (const r of [await guess(known.email), await trySignIn(t, gone), await trySignIn(t, locked)])
      expect(seen(r)).toEqual(seen(unknown));
  });

  it('costs the same work for an unknown e-mail as for a known one', async () => {
    const known = await enter(t, operator, 'auditor');
    const { passwords } = t.app.services;
    const original = passwords.matching;
    const checked: boolean[] = [];
    Object.assign(passwords, {
      matching(this: typeof passwords, password: string, kept: readonly string[]) {
        checked.push(kept.length > 0);
        return original.call(passwords, password, kept);
      },
    });
    try {
      await guess(known.email);
      await guess('nobody@example.com');
      expect(checked).toEqual([true, false]);
    } finally {
      Object.assign(passwords, { matching: original });
    }
    // With nothing to compare it derives a key all the same, and is never right.
    expect(await passwords.check('anything', undefined)).toBe(false);
  });

  it('is locked out after five failures for fifteen minutes, the right password too', async () => {
    const person = await enter(t, operator, 'auditor');
    for (let i = 0; i < 5; i++) expectRefusal(await guess(person.email), 401, 'SIGN_IN_FAILED');
    expectRefusal(await trySignIn(t, person), 401, 'SIGN_IN_FAILED');
    // Who is signed in stays so: a lock is against guessing.
    expect((await person.get(accounts)).status).toBe(200);
    t.advance(15 * 60_000 - 1);
    expectRefusal(await trySignIn(t, person), 401, 'SIGN_IN_FAILED');
    t.advance(1);
    expect((await trySignIn(t, person)).status).toBe(200);
  });

  it('begins to count anew after a good sign-in', async () => {
    const person = await enter(t, operator, 'auditor');
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) await guess(person.email);
      expect((await trySignIn(t, person)).status).toBe(200);
    }
  });

  it('is counted try by try, though all come at once', async () => {
    const person = await enter(t, operator, 'auditor');
    const all = await Promise.all(Array.from({ length: 8 }, () => guess(person.email)));
    for (const r of all) expectRefusal(r, 401, 'SIGN_IN_FAILED');
    expectRefusal(await trySignIn(t, person), 401, 'SIGN_IN_FAILED');
    const failed = (await told(t, person.userId)).filter((e) => e.kind === 'user.sign_in_failed');
    expect(failed.map((e) => [e.body.data.failures, e.body.data.lockedUntil !== null])).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, false],
      [0, true],
    ]);
  });

  it('locks nobody out where they have signed in before, from wherever the others come', async () => {
    const two = await makeTestApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    try {
      const { sessions } = two.app.services;
      const person = await enter(two, await two.makeOperator(), 'auditor');
      const from = (network: string, password: string) =>
        two.post('/v1/session', { email: person.email, password }, undefined, { 'x-forwarded-for': network });
      const home = { cookie: cookieOf(await from('203.0.113.9', person.password)) };
      await two.get(accounts, undefined, { ...home, 'x-forwarded-for': '203.0.113.9' });
      await sessions.flushUse();
      const rush = async (network: string) => {
        for (let i = 0; i < 5; i++) expectRefusal(await from(network, 'wrong'), 401, 'SIGN_IN_FAILED');
      };
      await rush('198.51.100.7');
      for (const unknown of ['198.51.100.7', '192.0.2.1', '2001:db8::1'])
        expectRefusal(await from(unknown, person.password), 401, 'SIGN_IN_FAILED');
      // The lock stays for the others.
      for (let i = 0; i < 3; i++) expect((await from('203.0.113.9', person.password)).status).toBe(200);
      expectRefusal(await from('198.51.100.7', person.password), 401, 'SIGN_IN_FAILED');
      // Guesses from there lock there too, as long as anywhere.
      await rush('203.0.113.9');
      expectRefusal(await from('203.0.113.9', person.password), 401, 'SIGN_IN_FAILED');
      two.advance(15 * 60_000);
      expect((await from('203.0.113.9', person.password)).status).toBe(200);
    } finally {
      await two.stop();
    }
  });

  it('is slowed down by address, and cannot take the processor', async () => {
    const other = await makeTestApp({ passwords: 'shipped' });
    try {
      const tries = Array.from({ length: 110 }, () => trySignIn(other, { email: 'x@example.com', password: 'x' }));
      const codes = (await Promise.all(tries)).map((r) => r.headers.get('x-error-code'));
      const count = (code: string) => codes.filter((c) => c === code).length;
      expect([count('RATE_LIMITED'), count('OVERLOADED'), count('SIGN_IN_FAILED')]).toEqual([10, 90, 10]);
      other.advance(10_000);
      expectRefusal(await trySignIn(other, { email: 'x@example.com', password: 'x' }), 401, 'SIGN_IN_FAILED');
    } finally {
      await other.stop();
    }
  });
});

describe("one's own password", () => {
  it('that was given for one sign-in must be changed before anything else', async () => {
    const invited = await invite(t, operator, 'administrator');
    const person = await signIn(t, invited);
    expect((await person.get('/v1/session')).body.content.user.mustChangePassword).toBe(true);
    for (const r of [await person.get(accounts), await person.post('/v1/admin/psp', { name: 'X', countryCode: 'NG' })])
      expectRefusal(r, 403, 'PASSWORD_EXPIRED');
    const changed = await person.post('/v1/session/password', {
      currentPassword: invited.password,
      newPassword: 'of my own choosing',
    });
    expect(contentOf(changed).user.mustChangePassword).toBe(false);
    expect((await sessionOf(t, changed).get(accounts)).status).toBe(200);
  });

  it('ends every session when it is changed, and begins a new one', async () => {
    const person = await enter(t, operator, 'auditor');
    const elsewhere = await signIn(t, person);
    const body = { currentPassword: person.password, newPassword: 'another long one' };
    const changed = await person.post('/v1/session/password', body);
    expect(cookieOf(changed)).not.toBe(person.cookie);
    for (const old of [person, elsewhere]) expectRefusal(await old.get(accounts), 401, 'SESSION_INVALID');
    expect((await sessionOf(t, changed).get(accounts)).status).toBe(200);
    expectRefusal(await trySignIn(t, person), 401, 'SIGN_IN_FAILED');
    expect((await trySignIn(t, { ...person, password: 'another long one' })).status).toBe(200);
  });

  it('is changed by who knows it only, and five failures lock that too', async () => {
    const person = await enter(t, operator, 'auditor');
    const change = (currentPassword: string) =>
      person.post('/v1/session/password', { currentPassword, newPassword: 'another long one' });
    for (let i = 0; i < 5; i++) expectRefusal(await change('not it at all'), 400, 'FIELD_INVALID', /'currentPassword'/);
    expectRefusal(await change(person.password), 401, 'SIGN_IN_FAILED');
    t.advance(15 * 60_000);
    expect((await change(person.password)).status).toBe(200);
  });

  it('must be long, new, of several letters, and without name or e-mail', async () => {
    const person = await enter(t, operator, 'auditor');
    const local = person.email.split('@')[0] as string;
    for (const newPassword of ['short', person.password, 'aaaabbbbaaaabbbb', `my ${local} password`])
      expectRefusal(
        await person.post('/v1/session/password', { currentPassword: person.password, newPassword }),
        400,
        'FIELD_INVALID',
        /^the field 'newPassword' must /,
      );
  });
});

describe('what is told', () => {
  it('is each sign-in, failure, lock, change and leave, with the person as actor', async () => {
    const invited = await invite(t, operator, 'reviewer');
    const first = await signIn(t, invited);
    await t.post('/v1/session', { email: invited.email, password: 'wrong' });
    const body = { currentPassword: invited.password, newPassword: 'of my own choosing' };
    const person = sessionOf(t, await first.post('/v1/session/password', body));
    await person.leave();
    expectRefusal(await person.leave(), 401, 'SESSION_INVALID');
    const entries = await told(t, person.userId);
    expect(entries.map((e) => [e.kind, e.body.version, e.body.actor.by])).toEqual([
      ['user.created', 1, 'system'],
      ['user.signed_in', 2, person.userId],
      ['user.sign_in_failed', 3, person.userId],
      ['user.password_changed', 4, person.userId],
      ['user.signed_out', 5, person.userId],
    ]);
    for (const e of entries) expect(e.body.clientId).toBe(operator.id);
    expect(uuidOf(person.userId)).toMatch(/-7/);
    await expectJournalComplete(t);
  });

  it('is no fault of the service', () => {
    expect(t.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  });
});
