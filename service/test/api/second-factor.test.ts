// Signing in with a second factor: codes of a generator and recovery codes, each accepted once; who may remove one, and
// who has to set one up (Security 8).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete, told } from '../support/journal.ts';
import {
  challengeOf,
  codeNow,
  enter,
  type Person,
  secondStep,
  sessionOf,
  setUpCodes,
  signIn,
  trySignIn,
  type WithCodes,
} from '../support/people.ts';

const minute = 60_000;
const accounts = '/v1/admin/account';
const wrongCode = '000000';

let t: TestApp;
let operator: Account;
beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
});
afterAll(() => t?.stop());

/** Somebody with codes; the next code is not used yet. */
const somebody = async (role: 'auditor' | 'administrator' = 'auditor') => {
  const person = await setUpCodes(t, await enter(t, operator, role));
  t.advance(30_000);
  return person;
};
/** A code that is surely not the one of the moment or next to it. */
const wrongFor = (person: WithCodes): string =>
  [-1, 0, 1].some((steps) => codeNow(t, person, steps) === wrongCode) ? '000001' : wrongCode;
const enterBy = async (person: WithCodes, code = codeNow(t, person)) =>
  secondStep(t, await challengeOf(t, person), code);
const seen = (r: Answer) => ({
  status: r.status,
  text: r.text,
  headers: [...r.headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
});

describe('setting up a code generator', () => {
  it('stores nothing until a code proves that the generator has the secret', async () => {
    const person = await enter(t, operator, 'auditor');
    const begun = contentOf(await person.post('/v1/session/codes/start', {}));
    expect(begun).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      address: `otpauth://totp/Assay:${encodeURIComponent(person.email)}?secret=${begun.secret}&issuer=Assay`,
      setUp: expect.any(String),
      expiresAt: new Date(t.now() + 15 * minute).toISOString(),
    });
    const body = { setUp: begun.setUp, code: wrongCode };
    expectRefusal(await person.post('/v1/session/codes', body), 400, 'FIELD_INVALID');
    expect(contentOf(await person.get('/v1/session/second-factor'))).toMatchObject({ codesSince: null });
    // A password alone still lets in.
    await signIn(t, person);
  });

  it('does not make the sign-in younger: the new session is as old as the one before, and ends with it', async () => {
    const person = await enter(t, operator, 'auditor');
    const { expiresAt } = contentOf(await person.get('/v1/session'));
    t.advance(10 * minute);
    const coded = await setUpCodes(t, person);
    expect(contentOf(await coded.get('/v1/session')).expiresAt).toBe(expiresAt);
    t.advance(6 * minute);
    expectRefusal(await coded.post('/v1/session/codes/start', {}), 403, 'SIGN_IN_AGAIN');
  });

  it('gives ten recovery codes once, and ends the sessions that began without it', async () => {
    const person = await enter(t, operator, 'auditor');
    const elsewhere = await signIn(t, person);
    const coded = await setUpCodes(t, person);
    expect(new Set(coded.recoveryCodes).size).toBe(10);
    for (const code of coded.recoveryCodes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    for (const old of [person, elsewhere]) expectRefusal(await old.get(accounts), 401, 'SESSION_INVALID');
    expect((await coded.get(accounts)).status).toBe(200);
    expect(contentOf(await coded.get('/v1/session/second-factor'))).toEqual({
      required: false,
      codesSince: new Date(t.now()).toISOString(),
      passkeys: [],
      recoveryCodesLeft: 10,
    });
  });

  it('is refused twice, for another person, late, and with an old session', async () => {
    const [one, two] = [await enter(t, operator, 'auditor'), await enter(t, operator, 'auditor')];
    const { setUp, secret } = contentOf(await one.post('/v1/session/codes/start', {}));
    const now = () => ({ setUp, code: codeNow(t, { secret }) });
    expectRefusal(await two.post('/v1/session/codes', now()), 400, 'FIELD_INVALID');
    t.advance(15 * minute);
    expectRefusal(await one.post('/v1/session/codes', now()), 403, 'SIGN_IN_AGAIN');
    const again = await signIn(t, one);
    expectRefusal(await again.post('/v1/session/codes', now()), 400, 'FIELD_INVALID');
    const coded = await setUpCodes(t, { ...one, ...again });
    const next = contentOf(await coded.post('/v1/session/codes/start', {}));
    const second = { setUp: next.setUp, code: codeNow(t, next) };
    expectRefusal(await coded.post('/v1/session/codes', second), 409, 'STATE_CONFLICT');
  });

  it('keeps neither secret nor recovery codes readable, in database, journal or log', async () => {
    const person = await somebody();
    const challenge = await challengeOf(t, person);
    const dump = JSON.stringify([
      await t.database.admin.query('SELECT * FROM users'),
      await t.database.admin.query('SELECT * FROM sessions'),
      await t.database.admin.query("SELECT body FROM journal WHERE kind LIKE 'user.%'"),
      t.logged,
    ]);
    for (const canary of [person.secret, challenge, ...person.recoveryCodes]) expect(dump).not.toContain(canary);
  });
});

describe('a sign-in with codes', () => {
  it('takes two steps: the password gives a challenge that opens nothing, the code gives the session', async () => {
    const person = await somebody();
    const first = await trySignIn(t, person);
    expect(first.headers.get('set-cookie')).toBeNull();
    expect(contentOf(first)).toEqual({
      challenge: expect.any(String),
      methods: ['CODE', 'RECOVERY_CODE'],
      expiresAt: new Date(t.now() + 5 * minute).toISOString(),
    });
    const { challenge } = contentOf(first);
    const asCookie = await t.get(accounts, undefined, { cookie: `assay_session=${challenge}` });
    expectRefusal(asCookie, 401, 'SESSION_INVALID');
    const r = await secondStep(t, challenge, codeNow(t, person));
    expect(contentOf(r).user.userId).toBe(person.userId);
    const session = sessionOf(t, r);
    expect((await session.get(accounts)).status).toBe(200);
    const [entry] = (await told(t, person.userId)).filter((e) => e.kind === 'user.signed_in').slice(-1);
    expect(entry?.body.evidence).toEqual({ method: 'PASSWORD', secondFactor: 'CODE' });
  });

  it('takes a code typed in groups, and one of the step before or after, but no other', async () => {
    for (const steps of [-1, 0, 1]) {
      const person = await somebody();
      t.advance(2 * minute);
      const code = codeNow(t, person, steps);
      contentOf(await enterBy(person, `${code.slice(0, 3)} ${code.slice(3)}`));
    }
    for (const steps of [-2, 2]) {
      const person = await somebody();
      t.advance(2 * minute);
      expectRefusal(await enterBy(person, codeNow(t, person, steps)), 401, 'SIGN_IN_FAILED');
    }
  });

  it('takes each code once, the one of the set-up too, and none that is older than the last', async () => {
    const person = await setUpCodes(t, await enter(t, operator, 'auditor'));
    expectRefusal(await enterBy(person), 401, 'SIGN_IN_FAILED');
    contentOf(await enterBy(person, codeNow(t, person, 1)));
    expectRefusal(await enterBy(person, codeNow(t, person, 1)), 401, 'SIGN_IN_FAILED');
    expectRefusal(await enterBy(person, codeNow(t, person)), 401, 'SIGN_IN_FAILED');
    t.advance(minute);
    contentOf(await enterBy(person));
  });

  it('lets one of several in that come with one code at the same moment', async () => {
    const person = await somebody();
    const challenges = await Promise.all([1, 2, 3].map(() => challengeOf(t, person)));
    const code = codeNow(t, person);
    const all = await Promise.all(challenges.map((c) => secondStep(t, c, code)));
    expect(all.map((r) => r.status).sort()).toEqual([200, 401, 401]);
  });

  it('takes each recovery code once, however it is typed', async () => {
    const person = await somebody();
    const [one, two] = person.recoveryCodes as [string, string];
    contentOf(await enterBy(person, ` ${one.toUpperCase().replaceAll('-', ' ')}`));
    expectRefusal(await enterBy(person, one), 401, 'SIGN_IN_FAILED');
    const challenges = await Promise.all([1, 2].map(() => challengeOf(t, person)));
    const all = await Promise.all(challenges.map((c) => secondStep(t, c, two)));
    expect(all.map((r) => r.status).sort()).toEqual([200, 401]);
    const session = sessionOf(t, all.find((r) => r.status === 200) as Answer);
    expect(contentOf(await session.get('/v1/session/second-factor')).recoveryCodesLeft).toBe(8);
  });

  it('ends the recovery codes that are replaced', async () => {
    const person = await somebody();
    const session = sessionOf(t, await enterBy(person));
    const { recoveryCodes } = contentOf(await session.post('/v1/session/recovery-codes', {}));
    expectRefusal(await enterBy(person, person.recoveryCodes[0]), 401, 'SIGN_IN_FAILED');
    contentOf(await enterBy(person, recoveryCodes[0]));
    const bare = await enter(t, operator, 'auditor');
    expectRefusal(await bare.post('/v1/session/recovery-codes', {}), 409, 'STATE_CONFLICT');
  });

  it("takes no code of another person's generator, nor another person's recovery code", async () => {
    const [ada, bola] = [await somebody(), await somebody()];
    expectRefusal(await enterBy(ada, codeNow(t, bola)), 401, 'SIGN_IN_FAILED');
    expectRefusal(await enterBy(ada, bola.recoveryCodes[0]), 401, 'SIGN_IN_FAILED');
    contentOf(await enterBy(bola, bola.recoveryCodes[0]));
  });
});

describe('a challenge', () => {
  it('ends after five minutes, with the next sign-in, and with a new password', async () => {
    const person = await somebody();
    const late = await challengeOf(t, person);
    t.advance(5 * minute);
    expectRefusal(await secondStep(t, late, codeNow(t, person)), 401, 'SIGN_IN_FAILED');

    const unused = await challengeOf(t, person);
    contentOf(await enterBy(person));
    t.advance(minute);
    expectRefusal(await secondStep(t, unused, codeNow(t, person)), 401, 'SIGN_IN_FAILED');

    const before = await challengeOf(t, person);
    const reset = `/v1/admin/user/${person.userId}/password`;
    contentOf(await t.post(reset, { reason: 'forgotten' }, operator.apiKey));
    expectRefusal(await secondStep(t, before, codeNow(t, person)), 401, 'SIGN_IN_FAILED');
  });

  it('that is made up or changed is none', async () => {
    const person = await somebody();
    const challenge = await challengeOf(t, person);
    const changed = challenge.replace(/.$/, (c) => (c === '=' ? 'A' : '='));
    for (const other of ['x', 'v1:', `v1:${'A'.repeat(200)}`, changed, `v9:${challenge.slice(3)}`])
      expectRefusal(await secondStep(t, other, codeNow(t, person)), 401, 'SIGN_IN_FAILED');
    contentOf(await secondStep(t, challenge, codeNow(t, person)));
  });
});

describe('guessing codes', () => {
  it('counts with wrong passwords: five lock the sign-in for fifteen minutes, the right code too', async () => {
    const person = await somebody();
    const challenge = await challengeOf(t, person);
    for (let i = 0; i < 5; i++) expectRefusal(await secondStep(t, challenge, wrongFor(person)), 401, 'SIGN_IN_FAILED');
    expectRefusal(await secondStep(t, challenge, codeNow(t, person)), 401, 'SIGN_IN_FAILED');
    expectRefusal(await trySignIn(t, person), 401, 'SIGN_IN_FAILED');
    const failed = (await told(t, person.userId)).filter((e) => e.kind === 'user.sign_in_failed');
    expect(failed.map((e) => e.body.data.failures)).toEqual([1, 2, 3, 4, 0]);
    t.advance(15 * minute);
    contentOf(await enterBy(person));
  });

  it('is counted over challenges: the right password between does not begin the count again', async () => {
    const person = await somebody();
    for (let i = 0; i < 5; i++) expectRefusal(await enterBy(person, wrongFor(person)), 401, 'SIGN_IN_FAILED');
    expectRefusal(await trySignIn(t, person), 401, 'SIGN_IN_FAILED');
  });

  it('is counted attempt by attempt, though all come at once', async () => {
    const person = await somebody();
    const challenge = await challengeOf(t, person);
    await Promise.all(Array.from({ length: 8 }, () => secondStep(t, challenge, wrongFor(person))));
    expectRefusal(await secondStep(t, challenge, codeNow(t, person)), 401, 'SIGN_IN_FAILED');
  });

  it('learns nothing: wrong, used and late codes, lost challenges and locks get the same bytes', async () => {
    const [person, disabled, locked] = [await somebody(), await somebody(), await somebody()];
    const wrong = seen(await enterBy(person, wrongFor(person)));
    expect(wrong.status).toBe(401);
    const [used] = person.recoveryCodes as [string];
    contentOf(await enterBy(person, used));
    const ofDisabled = await challengeOf(t, disabled);
    contentOf(await t.post(`/v1/admin/user/${disabled.userId}/disable`, { reason: 'left' }, operator.apiKey));
    const ofLocked = await challengeOf(t, locked);
    for (let i = 0; i < 5; i++) await secondStep(t, ofLocked, wrongFor(locked));
    for (const r of [
      await enterBy(person, used),
      await secondStep(t, 'v1:none', wrongCode),
      await secondStep(t, ofDisabled, codeNow(t, disabled)),
      await secondStep(t, ofLocked, codeNow(t, locked)),
    ])
      expect(seen(r)).toEqual(wrong);
  });

  it('learns from a wrong password not who has a second factor', async () => {
    const [bare, coded] = [await enter(t, operator, 'auditor'), await somebody()];
    const guess = (p: Person) => trySignIn(t, { ...p, password: 'not the password' });
    expect(seen(await guess(coded))).toEqual(seen(await guess(bare)));
  });
});

describe('a second factor that is lost or not wanted', () => {
  it('is removed by its person, after a recent sign-in', async () => {
    const person = await somebody();
    const remove = (s: { cookie: string; csrfToken: string }) =>
      t.raw('/v1/session/codes', { method: 'DELETE', headers: { cookie: s.cookie, 'x-csrf-token': s.csrfToken } });
    t.advance(15 * minute);
    expectRefusal(await remove(person), 403, 'SIGN_IN_AGAIN');
    const session = sessionOf(t, await enterBy(person));
    const after = sessionOf(t, await remove(session));
    expectRefusal(await session.get(accounts), 401, 'SESSION_INVALID');
    expectRefusal(await remove(after), 404, 'NOT_FOUND');
    expect(contentOf(await after.get('/v1/session/second-factor'))).toMatchObject({
      codesSince: null,
      recoveryCodesLeft: 0,
    });
    await signIn(t, person);
  });

  it('is reset by an administrator of the account, with a reason, and the sessions end', async () => {
    const person = await somebody();
    const administrator = await somebody('administrator');
    const path = `/v1/admin/user/${person.userId}/reset-second-factor`;
    const other = await enter(t, await t.makePsp('Other'), 'administrator');
    const auditor = await enter(t, operator, 'auditor');
    const reason = { reason: 'lost the telephone' };
    expectRefusal(await other.post(path, reason), 404, 'NOT_FOUND');
    expectRefusal(await auditor.post(path, reason), 403, 'ROLE');
    expectRefusal(await administrator.post(path, {}), 400, 'FIELD_REQUIRED');
    const self = `/v1/admin/user/${administrator.userId}/reset-second-factor`;
    expectRefusal(await administrator.post(self, reason), 409, 'STATE_CONFLICT');
    expect((await person.get(accounts)).status).toBe(200);

    expect(contentOf(await administrator.post(path, reason))).toMatchObject({ secondFactor: false });
    expectRefusal(await person.get(accounts), 401, 'SESSION_INVALID');
    await signIn(t, person);
    const [entry] = (await told(t, person.userId)).filter((e) => e.kind === 'user.second_factor_changed').slice(-1);
    expect([entry?.body.actor.by, entry?.body.evidence]).toEqual([
      administrator.userId,
      { change: 'RESET', passkeyId: null, reason: 'lost the telephone' },
    ]);
    // A repeat changes nothing and is not journalled.
    const before = (await told(t, person.userId)).length;
    contentOf(await administrator.post(path, reason));
    expect((await told(t, person.userId)).length).toBe(before);
  });

  it('is seen by administrators: who has one', async () => {
    const [bare, coded] = [await enter(t, operator, 'auditor'), await somebody()];
    const { items } = contentOf(await t.get('/v1/admin/user?limit=2', operator.apiKey));
    const has = (p: { userId: string }) =>
      items.find((u: { userId: string }) => u.userId === p.userId)?.secondFactor as boolean;
    expect([has(bare), has(coded)]).toEqual([false, true]);
  });
});

describe('a second factor that is required', () => {
  let strict: TestApp;
  let staff: Account;
  beforeAll(async () => {
    strict = await makeTestApp({ env: { REQUIRE_SECOND_FACTOR: 'administrators' } });
    staff = await strict.makeOperator();
  });
  afterAll(() => strict?.stop());

  it('lets a person without one sign in to set it up, and for nothing else', async () => {
    const person = await enter(strict, staff, 'administrator');
    expect(contentOf(await person.get('/v1/session')).user.mustSetUpSecondFactor).toBe(true);
    const refused = 'a second factor is required here; set one up first';
    expectRefusal(await person.get(accounts), 403, 'SECOND_FACTOR_REQUIRED', refused);
    expectRefusal(await person.post('/v1/admin/psp', {}), 403, 'SECOND_FACTOR_REQUIRED');
    const coded = await setUpCodes(strict, person);
    expect(contentOf(await coded.get('/v1/session')).user.mustSetUpSecondFactor).toBe(false);
    expect((await coded.get(accounts)).status).toBe(200);
    strict.advance(30_000);
    const entered = await secondStep(strict, await challengeOf(strict, coded), codeNow(strict, coded));
    expect((await sessionOf(strict, entered).get(accounts)).status).toBe(200);
  });

  it('cannot be removed by its person, and is asked for again after a reset', async () => {
    const person = await setUpCodes(strict, await enter(strict, staff, 'administrator'));
    const headers = { cookie: person.cookie, 'x-csrf-token': person.csrfToken };
    expectRefusal(await strict.raw('/v1/session/codes', { method: 'DELETE', headers }), 409, 'STATE_CONFLICT');
    const reset = `/v1/admin/user/${person.userId}/reset-second-factor`;
    contentOf(await strict.post(reset, { reason: 'lost' }, staff.apiKey));
    expectRefusal(await (await signIn(strict, person)).get(accounts), 403, 'SECOND_FACTOR_REQUIRED');
  });

  it('is asked of administrators alone, and of an auditor who becomes one', async () => {
    const auditor = await enter(strict, staff, 'auditor');
    expect((await auditor.get(accounts)).status).toBe(200);
    const role = { role: 'administrator', reason: 'promoted' };
    contentOf(await strict.post(`/v1/admin/user/${auditor.userId}/role`, role, staff.apiKey));
    expectRefusal(await auditor.get(accounts), 403, 'SECOND_FACTOR_REQUIRED');
  });

  it('is asked of everybody where it is set so, and never of keys', async () => {
    const all = await makeTestApp({ env: { REQUIRE_SECOND_FACTOR: 'all' } });
    try {
      const account = await all.makeOperator();
      expectRefusal(await (await enter(all, account, 'auditor')).get(accounts), 403, 'SECOND_FACTOR_REQUIRED');
      expect((await all.get(accounts, account.apiKey)).status).toBe(200);
    } finally {
      await all.stop();
    }
  });
});

describe('everything about second factors', () => {
  it('is in the journal, entry by entry', async () => {
    await expectJournalComplete(t);
    expect(t.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  });
});
