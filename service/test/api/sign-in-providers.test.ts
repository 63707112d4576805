// Signing in through a provider of OpenID Connect: whom it lets in, whom it does not, and what is asked besides. The
// provider is a real one, run by the test (Security 8).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete, rowCount, told } from '../support/journal.ts';
import { codeNow, enter, invite, type Person, secondStep, sessionOf, setUpCodes } from '../support/people.ts';
import { startProvider, type TestProvider } from '../support/provider.ts';

const base = 'https://assay.example.com';
const returnTo = `${base}/console/sign-in/provider`;
const accounts = '/v1/admin/account';

let provider: TestProvider;
/** Another provider of the same account. */
let second: TestProvider;
let t: TestApp;
let staff: Account;
let psp: Account;
beforeAll(async () => {
  [provider, second] = [await startProvider([returnTo]), await startProvider([returnTo])];
  // The accounts have to be known before the service that names them is started.
  const env = { ASSAY_MASTER_KEY: '5a'.repeat(32), BASE_URL: base };
  const before = await makeTestApp({ env });
  [staff, psp] = [await before.makeOperator(), await before.makePsp('Own')];
  const { issuer, clientId, clientSecret } = provider;
  const named = (name: string, accountId: string, secondFactor: string) => ({
    ...{ name, issuer, clientId, clientSecret, accountId, secondFactor },
    label: `Test ${name}`,
  });
  const list = [
    named('staff', staff.id, 'never'),
    named('psp', psp.id, 'never'),
    named('amr', staff.id, 'amr'),
    named('always', staff.id, 'always'),
    { ...named('second', staff.id, 'never'), issuer: second.issuer },
  ];
  t = await makeTestApp({ env: { ...env, SIGN_IN_PROVIDERS: JSON.stringify(list) }, database: before.database });
  stopBefore = () => before.stop();
});
let stopBefore = async () => {};
afterAll(async () => {
  await t?.stop();
  await stopBefore();
  await provider?.stop();
  await second?.stop();
});

const known = (email: string, sub = `sub of ${email}`) => ({ sub, email, email_verified: true });
const start = async (name: string) => contentOf(await t.post(`/v1/session/provider/${name}/start`, {}));
const finish = (name: string, attempt: string, query: string) =>
  t.post(`/v1/session/provider/${name}`, { attempt, query });

/** A whole sign-in of the one who is at the provider. */
async function through(name = 'staff', at = provider): Promise<Answer> {
  const { url, attempt } = await start(name);
  const back = await at.follow(url);
  expect(back.origin + back.pathname).toBe(returnTo);
  return finish(name, attempt, back.search.slice(1));
}

describe('a sign-in through a provider', () => {
  it('is offered by name, and asks with state, nonce and PKCE', async () => {
    const { items } = contentOf(await t.get('/v1/session/provider'));
    expect(items.map((p: { label: string }) => p.label)).toEqual([
      'Test staff',
      'Test psp',
      'Test amr',
      'Test always',
      'Test second',
    ]);
    expect(JSON.stringify(items)).not.toContain(provider.clientSecret);
    const { url } = await start('staff');
    const asked = new URL(url).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('redirect_uri')).toBe(returnTo);
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    expectRefusal(await t.post('/v1/session/provider/other/start', {}), 404, 'NOT_FOUND');
  });

  it('lets in the person whose verified e-mail it is, without their password, however it is written', async () => {
    const person = await invite(t, staff, 'auditor');
    provider.who = known(person.email.toUpperCase());
    const r = await through();
    expect(contentOf(r).user).toMatchObject({ email: person.email, role: 'auditor', mustChangePassword: false });
    expect((await sessionOf(t, r).get(accounts)).status).toBe(200);
    const [entry] = (await told(t, contentOf(r).user.userId)).filter((e) => e.kind === 'user.signed_in');
    expect(entry?.body.evidence).toEqual({ method: 'PROVIDER', secondFactor: null });
  });

  it('creates nobody, gives no role, and lets in nobody of another account', async () => {
    const people = await rowCount(t, 'users');
    provider.who = known('stranger@example.com');
    expectRefusal(await through(), 401, 'SIGN_IN_FAILED');
    const ofPsp = await invite(t, psp, 'administrator');
    provider.who = known(ofPsp.email);
    expectRefusal(await through('staff'), 401, 'SIGN_IN_FAILED');
    expect(contentOf(await through('psp')).account.accountId).toBe(psp.id);
    expect(await rowCount(t, 'users')).toBe(people + 1);
  });

  it('needs an e-mail that the provider has verified, and a person who is not disabled', async () => {
    const person = await enter(t, staff, 'auditor');
    provider.who = { ...known(person.email), email_verified: false };
    const unverified = await through();
    expectRefusal(unverified, 401, 'SIGN_IN_FAILED');
    provider.who = known(person.email);
    contentOf(await t.post(`/v1/admin/user/${person.userId}/disable`, { reason: 'left' }, staff.apiKey));
    expect((await through()).text).toBe(unverified.text);
  });

  it('takes nobody for the one who had the e-mail at the provider before', async () => {
    const person = await invite(t, staff, 'auditor');
    provider.who = known(person.email, 'the first');
    contentOf(await through());
    provider.who = known(person.email, 'the second');
    expectRefusal(await through(), 401, 'SIGN_IN_FAILED');
    provider.who = known(person.email, 'the first');
    contentOf(await through());
  });

  it('leads to one person from two providers of their account that vouch for one e-mail, each with its own id for them', async () => {
    const person = await invite(t, staff, 'auditor');
    provider.who = known(person.email, 'the id at one');
    second.who = known(person.email, 'the id at the other');
    const { userId } = contentOf(await through()).user;
    expect(contentOf(await through('second', second)).user.userId).toBe(userId);
    second.who = known(person.email, 'the id at one');
    expectRefusal(await through('second', second), 401, 'SIGN_IN_FAILED');
  });

  it('that is ended at the provider goes on here until the person is disabled, which ends it at once', async () => {
    const person = await invite(t, staff, 'auditor');
    provider.who = known(person.email);
    const signedIn = sessionOf(t, await through());
    provider.who = known('somebody.else@example.com');
    expect((await signedIn.get(accounts)).status).toBe(200);
    contentOf(await t.post(`/v1/admin/user/${signedIn.userId}/disable`, { reason: 'left' }, staff.apiKey));
    expectRefusal(await signedIn.get(accounts), 401, 'SESSION_INVALID');
  });
});

describe('an answer of the provider', () => {
  const person = async (): Promise<Person> => {
    const made = await invite(t, staff, 'auditor');
    provider.who = known(made.email);
    return made;
  };

  it('is accepted once', async () => {
    await person();
    const { url, attempt } = await start('staff');
    const { search } = await provider.follow(url);
    contentOf(await finish('staff', attempt, search.slice(1)));
    expectRefusal(await finish('staff', attempt, search.slice(1)), 401, 'SIGN_IN_FAILED');
  });

  it('is refused with the attempt of another browser, of another provider, a late one and one made up', async () => {
    await person();
    const [one, two] = [await start('staff'), await start('staff')];
    const back = (await provider.follow(one.url)).search.slice(1);
    // Somebody who is led to another one's answer would be signed in as them.
    expectRefusal(await finish('staff', two.attempt, back), 401, 'SIGN_IN_FAILED');
    expectRefusal(await finish('amr', one.attempt, back), 401, 'SIGN_IN_FAILED');
    expectRefusal(await finish('staff', 'v1:AAAA', back), 401, 'SIGN_IN_FAILED');
    t.advance(15 * 60_000);
    expectRefusal(await finish('staff', one.attempt, back), 401, 'SIGN_IN_FAILED');
  });

  it('is refused with a changed state, a changed code and an error', async () => {
    await person();
    const { url, attempt } = await start('staff');
    const { searchParams } = await provider.follow(url);
    const changed = (name: string, value: string) => {
      const other = new URLSearchParams(searchParams);
      other.set(name, value);
      return other.toString();
    };
    for (const query of [
      changed('state', 'other'),
      changed('code', 'other'),
      'error=access_denied',
      '',
      changed('iss', base),
    ])
      expect((await finish('staff', attempt, query || 'x=')).status).toBe(401);
  });
});

describe('the second factor beside a provider', () => {
  /** Somebody with codes, who is at the provider. */
  const coded = async (amr: readonly string[] = []) => {
    const person = await setUpCodes(t, await enter(t, staff, 'auditor'));
    provider.who = { ...known(person.email), amr };
    t.advance(30_000);
    return person;
  };

  it('is asked for where that of the provider is not trusted', async () => {
    const person = await coded(['pwd', 'mfa']);
    const { challenge, methods } = contentOf(await through('staff'));
    expect(methods).toEqual(['CODE', 'RECOVERY_CODE']);
    const r = await secondStep(t, challenge, codeNow(t, person));
    expect((await sessionOf(t, r).get(accounts)).status).toBe(200);
    // The provider's id is noted with this way too.
    provider.who = known(person.email, 'another');
    expectRefusal(await through('staff'), 401, 'SIGN_IN_FAILED');
  });

  it('is not asked for where the provider says that it was given, or is trusted always', async () => {
    await coded(['pwd', 'mfa']);
    expect(contentOf(await through('amr')).user).toBeDefined();
    await coded(['pwd']);
    expect(contentOf(await through('amr')).challenge).toBeDefined();
    expect(contentOf(await through('always')).user).toBeDefined();
  });

  it('leaves each step in the journal', () => expectJournalComplete(t));
});
