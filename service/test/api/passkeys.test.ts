// Passkeys: as the only proof and as the second one, several per person; answers from another site, given twice, without
// a check of their holder or with a counter that went back are refused (Security 8).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { Authenticator, type How } from '../support/authenticator.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete, told } from '../support/journal.ts';
import {
  challengeOf,
  enter,
  type Person,
  type SignedIn,
  secondStep,
  sessionOf,
  setUpCodes,
  signIn,
  trySignIn,
} from '../support/people.ts';

const minute = 60_000;
const accounts = '/v1/admin/account';
const origin = 'https://assay.example.com';

let t: TestApp;
let operator: Account;
beforeAll(async () => {
  t = await makeTestApp({ env: { BASE_URL: `${origin}/` } });
  operator = await t.makeOperator();
});
afterAll(() => t?.stop());

interface Holder extends SignedIn, Person {
  readonly device: Authenticator;
  readonly recoveryCodes: readonly string[];
}

const optionsFor = async (s: SignedIn) => contentOf(await s.post('/v1/session/passkey/start', {})).options;
const add = async (s: SignedIn, device: Authenticator, name = 'Laptop', how: How = {}) =>
  s.post('/v1/session/passkey', { name, passkey: device.make(await optionsFor(s), how) });

/** Somebody with a passkey, whose next challenge is a later one. */
async function holder(how: How = {}, role: 'auditor' | 'administrator' = 'auditor'): Promise<Holder> {
  const person = await enter(t, operator, role);
  const device = new Authenticator(origin);
  const r = await add(person, device, 'Laptop', how);
  const { recoveryCodes } = contentOf(r);
  t.advance(1000);
  return { ...person, ...sessionOf(t, r), device, recoveryCodes };
}

const ask = async () => contentOf(await t.post('/v1/session/passkey/sign-in/start', {})).options;
const answer = (passkey: unknown) => t.post('/v1/session/passkey/sign-in', { passkey });
async function signInBy({ device }: Holder, how: How = {}): Promise<Answer> {
  t.advance(1);
  return answer(device.use(await ask(), how));
}
const del = (s: SignedIn, path: string) =>
  t.raw(path, { method: 'DELETE', headers: { cookie: s.cookie, 'x-csrf-token': s.csrfToken } });
const factors = async (s: SignedIn) => contentOf(await s.get('/v1/session/second-factor'));

describe('adding a passkey', () => {
  it('asks for one that is found without an e-mail and checks its holder, and names nobody else', async () => {
    const person = await enter(t, operator, 'auditor');
    expect(await optionsFor(person)).toMatchObject({
      rp: { id: 'assay.example.com', name: 'Assay' },
      user: { name: person.email },
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    expectRefusal(await t.post('/v1/session/passkey/start', {}), 401, 'SESSION_INVALID');
  });

  it('ends the sessions before, brings recovery codes with the first, and none with the next', async () => {
    const person = await enter(t, operator, 'auditor');
    const device = new Authenticator(origin);
    const r = await add(person, device);
    expect(contentOf(r).recoveryCodes).toHaveLength(10);
    expectRefusal(await person.get(accounts), 401, 'SESSION_INVALID');
    const after = sessionOf(t, r);
    const next = await add(after, device, 'Telephone');
    expect(contentOf(next).recoveryCodes).toEqual([]);
    const { passkeys, recoveryCodesLeft } = await factors(sessionOf(t, next));
    expect([passkeys.map((p: { name: string }) => p.name), recoveryCodesLeft]).toEqual([['Laptop', 'Telephone'], 10]);
  });

  it('leaves the recovery codes as they are where a code generator is set up besides, which brings none', async () => {
    const person = await holder();
    const coded = await setUpCodes(t, person);
    expect(coded.recoveryCodes).toEqual([]);
    t.advance(1);
    contentOf(await secondStep(t, await challengeOf(t, person), person.recoveryCodes[0] as string));
  });

  it.each<[string, How]>([
    ['from another site', { origin: 'https://assay.example.org' }],
    ['from a page under the name of the site without https', { origin: 'http://assay.example.com' }],
    ['bound to another host name', { rpId: 'example.com' }],
    ['whose holder was not checked', { verified: false }],
    ['to a challenge that was made up', { challenge: Buffer.from('v1:AAAA').toString('base64url') }],
  ])('refuses an answer %s', async (_, how) => {
    const person = await enter(t, operator, 'auditor');
    expectRefusal(await add(person, new Authenticator(origin), 'Laptop', how), 400, 'FIELD_INVALID');
    expect((await factors(person)).passkeys).toEqual([]);
  });

  it("refuses an answer to another person's challenge, to one of a sign-in, and a late one", async () => {
    const [one, two] = [await enter(t, operator, 'auditor'), await enter(t, operator, 'auditor')];
    const device = new Authenticator(origin);
    const options = await optionsFor(one);
    const made = device.make(options);
    expectRefusal(await two.post('/v1/session/passkey', { name: 'x', passkey: made }), 400, 'FIELD_INVALID');
    const { challenge } = await ask();
    const other = device.make(options, { challenge });
    expectRefusal(await one.post('/v1/session/passkey', { name: 'x', passkey: other }), 400, 'FIELD_INVALID');
    t.advance(5 * minute);
    expectRefusal(await one.post('/v1/session/passkey', { name: 'x', passkey: made }), 400, 'FIELD_INVALID');
  });

  it('needs a recent sign-in, and ends at ten', async () => {
    let person: SignedIn = await enter(t, operator, 'auditor');
    t.advance(15 * minute);
    expectRefusal(await person.post('/v1/session/passkey/start', {}), 403, 'SIGN_IN_AGAIN');
    person = await enter(t, operator, 'auditor');
    const device = new Authenticator(origin);
    for (let i = 0; i < 10; i++) person = sessionOf(t, await add(person, device, `Key ${i}`));
    expectRefusal(await add(person, device, 'one more'), 409, 'LIMIT_REACHED');
  });
});

describe('a sign-in with a passkey alone', () => {
  it('needs neither e-mail nor password, and counts as strong', async () => {
    const person = await holder();
    const r = await signInBy(person);
    expect(contentOf(r).user.userId).toBe(person.userId);
    expect((await sessionOf(t, r).get(accounts)).status).toBe(200);
    const [entry] = (await told(t, person.userId)).filter((e) => e.kind === 'user.signed_in').slice(-1);
    expect(entry?.body.evidence).toEqual({ method: 'PASSKEY', secondFactor: null });
    expect((await factors(sessionOf(t, r))).passkeys[0].usedAt).toBe(new Date(t.now()).toISOString());
  });

  it('asks everybody the same, whoever they are', async () => {
    const options = await ask();
    expect({ ...options, challenge: null }).toMatchObject({ rpId: 'assay.example.com', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
  });

  it.each<[string, How]>([
    ['from another site', { origin: 'https://assay.example.org' }],
    ['bound to another host name', { rpId: 'example.com' }],
    ['whose holder was not checked', { verified: false }],
    ['to a challenge that was made up', { challenge: Buffer.from('v1:AAAA').toString('base64url') }],
    ['that names nobody', { userHandle: Buffer.from('nobody').toString('base64url') }],
    [
      'that names another person',
      { userHandle: Buffer.from('01900000-0000-7000-8000-000000000000').toString('base64url') },
    ],
  ])('refuses an answer %s', async (_, how) => {
    const person = await holder();
    expectRefusal(await signInBy(person, how), 401, 'SIGN_IN_FAILED');
    contentOf(await signInBy(person));
  });

  it('takes each answer once, also if it is sent twice at the same moment, and none after five minutes', async () => {
    const person = await holder();
    t.advance(1);
    const used = person.device.use(await ask());
    const both = await Promise.all([answer(used), answer(used)]);
    expect(both.map((r) => r.status).sort()).toEqual([200, 401]);
    expectRefusal(await answer(used), 401, 'SIGN_IN_FAILED');
    const late = person.device.use(await ask());
    t.advance(5 * minute);
    expectRefusal(await answer(late), 401, 'SIGN_IN_FAILED');
  });

  it('refuses another answer to a challenge that was answered', async () => {
    const person = await holder();
    t.advance(1);
    const options = await ask();
    contentOf(await answer(person.device.use(options)));
    expectRefusal(await answer(person.device.use(options)), 401, 'SIGN_IN_FAILED');
  });

  it('refuses a counter that stands still or goes back: the key was copied', async () => {
    const person = await holder({ counter: 5 });
    contentOf(await signInBy(person, { counter: 7 }));
    for (const counter of [7, 6, 0]) expectRefusal(await signInBy(person, { counter }), 401, 'SIGN_IN_FAILED');
    contentOf(await signInBy(person, { counter: 8 }));
  });

  it('refuses a changed signature, and a disabled person, with the same bytes', async () => {
    const person = await holder();
    t.advance(1);
    const used = person.device.use(await ask());
    const { signature } = used.response;
    const forged = { ...used, response: { ...used.response, signature: signature.replace(/.{4}$/, 'AAAA') } };
    const wrong = await answer(forged);
    expectRefusal(wrong, 401, 'SIGN_IN_FAILED');
    contentOf(await t.post(`/v1/admin/user/${person.userId}/disable`, { reason: 'left' }, operator.apiKey));
    expect((await signInBy(person)).text).toBe(wrong.text);
  });

  it('is not locked out by wrong passwords, and locks nobody out by wrong answers', async () => {
    const person = await holder();
    for (let i = 0; i < 6; i++) await trySignIn(t, { ...person, password: 'not the password' });
    contentOf(await signInBy(person));
    const other = await holder();
    for (let i = 0; i < 6; i++) await signInBy(other, { verified: false });
    expect(contentOf(await trySignIn(t, other)).methods).toEqual(['RECOVERY_CODE', 'PASSKEY']);
  });
});

describe('a passkey as the second step', () => {
  const second = (challenge: string, passkey: unknown) => t.post('/v1/session/second-factor', { challenge, passkey });

  it('completes the sign-in of its own person, and of nobody else', async () => {
    const [ada, bola] = [await holder(), await holder()];
    t.advance(1);
    const challenge = await challengeOf(t, ada);
    expectRefusal(await second(challenge, bola.device.use(await ask())), 401, 'SIGN_IN_FAILED');
    expect(contentOf(await second(challenge, ada.device.use(await ask()))).user.userId).toBe(ada.userId);
    const [entry] = (await told(t, ada.userId)).filter((e) => e.kind === 'user.signed_in').slice(-1);
    expect(entry?.body.evidence).toEqual({ method: 'PASSWORD', secondFactor: 'PASSKEY' });
  });

  it('can be replaced by a recovery code; both at once, or neither, are refused', async () => {
    const person = await holder();
    t.advance(1);
    const challenge = await challengeOf(t, person);
    const passkey = person.device.use(await ask());
    const both = { challenge, passkey, code: '123456' };
    expectRefusal(await t.post('/v1/session/second-factor', both), 400, 'FIELD_INVALID');
    expectRefusal(await t.post('/v1/session/second-factor', { challenge }), 400, 'FIELD_INVALID');
    expectRefusal(await secondStep(t, challenge, '123456'), 401, 'SIGN_IN_FAILED');
    contentOf(await secondStep(t, challenge, person.recoveryCodes[0] as string));
  });
});

describe('passkeys of a person', () => {
  it('are renamed and removed by their person, by nobody else', async () => {
    const [ada, bola] = [await holder(), await holder()];
    const [{ passkeyId }] = (await factors(ada)).passkeys;
    const name = `/v1/session/passkey/${passkeyId}/name`;
    expectRefusal(await bola.post(name, { name: 'Mine' }), 404, 'NOT_FOUND');
    expectRefusal(await del(bola, `/v1/session/passkey/${passkeyId}`), 404, 'NOT_FOUND');
    expect(contentOf(await ada.post(name, { name: 'Telephone' }))).toMatchObject({ passkeyId, name: 'Telephone' });
    const after = sessionOf(t, await del(ada, `/v1/session/passkey/${passkeyId}`));
    expect(await factors(after)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    expectRefusal(await signInBy(ada), 401, 'SIGN_IN_FAILED');
    await signIn(t, ada);
  });

  it('end with a reset by an administrator', async () => {
    const person = await holder();
    const path = `/v1/admin/user/${person.userId}/reset-second-factor`;
    contentOf(await t.post(path, { reason: 'lost the laptop' }, operator.apiKey));
    expectRefusal(await signInBy(person), 401, 'SIGN_IN_FAILED');
    await signIn(t, person);
  });

  it('are refused where the service has an address in place of a name', async () => {
    const bare = await makeTestApp({ env: { BASE_URL: 'https://203.0.113.7' } });
    try {
      expectRefusal(await bare.post('/v1/session/passkey/sign-in/start', {}), 409, 'STATE_CONFLICT');
    } finally {
      await bare.stop();
    }
  });

  it('satisfy a second factor that is required', async () => {
    const strict = await makeTestApp({ env: { REQUIRE_SECOND_FACTOR: 'all' } });
    try {
      const person = await enter(strict, await strict.makeOperator(), 'administrator');
      expectRefusal(await person.get(accounts), 403, 'SECOND_FACTOR_REQUIRED');
      const device = new Authenticator('http://localhost:4711');
      const after = sessionOf(strict, await add(person, device));
      expect((await after.get(accounts)).status).toBe(200);
      const [{ passkeyId }] = (await factors(after)).passkeys;
      const headers = { cookie: after.cookie, 'x-csrf-token': after.csrfToken };
      const removal = await strict.raw(`/v1/session/passkey/${passkeyId}`, { method: 'DELETE', headers });
      expectRefusal(removal, 409, 'STATE_CONFLICT');
    } finally {
      await strict.stop();
    }
  });

  it('leave each step in the journal', () => expectJournalComplete(t));
});
