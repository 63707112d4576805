// What a provider of OpenID Connect answers is believed only if it is a token of its own, for this service, of this
// attempt and of now. The provider here is one that lies: each token is as a good one, but for one thing (Security 8;
// OpenID Connect Core 1.0, 3.1.3.7).
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete } from '../support/journal.ts';
import { invite } from '../support/people.ts';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
type Claims = Readonly<Record<string, unknown>>;
type Made = (claims: Claims) => Promise<string> | string;

const clientId = 'assay';
let server: Server;
let issuer: string;
let keys: Keys;
let others: Keys;
/** What the provider publishes as its keys. */
let published: object[];
/** The token of the next answer. */
let token: string;
/** How often its keys were read. */
let keysRead = 0;
let userinfo: object = {};
let t: TestApp;
let staff: Account;

beforeAll(async () => {
  [keys, others] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  published = [{ ...(await exportJWK(keys.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' }];
  server = createServer((request, response) => {
    const at = request.url ?? '';
    if (at === '/keys') keysRead++;
    const answer = at.startsWith('/.well-known/')
      ? {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        }
      : at === '/keys'
        ? { keys: published }
        : at === '/userinfo'
          ? userinfo
          : { access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: token };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ASSAY_MASTER_KEY: '5a'.repeat(32), BASE_URL: 'https://assay.example.com' };
  const before = await makeTestApp({ env });
  stopBefore = () => before.stop();
  staff = await before.makeOperator();
  const list = [
    {
      name: 'staff',
      label: 'Staff',
      issuer,
      clientId,
      clientSecret: 'shared',
      accountId: staff.id,
      secondFactor: 'never',
    },
  ];
  t = await makeTestApp({
    env: { ...env, SIGN_IN_PROVIDERS: JSON.stringify(list) },
    database: before.database,
    startAt: new Date().toISOString(),
  });
});
let stopBefore = async () => {};
afterAll(async () => {
  await t?.stop();
  await stopBefore();
  server?.closeAllConnections();
  server?.close();
});

const now = () => Math.floor(Date.now() / 1000);
const signed = (claims: Claims, header = {}, { privateKey } = keys) =>
  new SignJWT(claims as JWTPayload).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(privateKey);
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A sign-in with a token that was made of good claims, and of what stands instead. */
async function signInWith(over: Claims, make: Made = signed, sub: string = randomUUID()) {
  const person = await invite(t, staff, 'auditor');
  const { url, attempt } = contentOf(await t.post('/v1/session/provider/staff/start', {}));
  const asked = new URL(url).searchParams;
  const good = { iss: issuer, aud: clientId, sub, nonce: asked.get('nonce') as string, iat: now(), exp: now() + 300 };
  const claims = { ...good, email: person.email, email_verified: true, ...over };
  token = await make(Object.fromEntries(Object.entries(claims).filter(([, v]) => v !== undefined)));
  const query = new URLSearchParams({ code: 'a code', state: asked.get('state') as string }).toString();
  return { person, answer: await t.post('/v1/session/provider/staff', { attempt, query }) };
}

it('lets in with a token that has nothing wrong', async () => {
  const { person, answer } = await signInWith({});
  expect(contentOf(answer).user.email).toBe(person.email);
});

const hour = 3600;
const wrong: readonly (readonly [string, () => Claims, Made?])[] = [
  ['of another issuer', () => ({ iss: 'https://other.example.com' })],
  ['of an issuer with a slash more', () => ({ iss: `${issuer}/` })],
  ['for another service', () => ({ aud: 'another' })],
  ['for several, without azp', () => ({ aud: [clientId, 'another'] })],
  ['for several, with the azp of another', () => ({ aud: [clientId, 'another'], azp: 'another' })],
  ['with the nonce of another browser', () => ({ nonce: 'another' })],
  ['without a nonce', () => ({ nonce: undefined })],
  ['that has expired', () => ({ iat: now() - 2 * hour, exp: now() - hour })],
  ['without an end', () => ({ exp: undefined })],
  ['that is not valid yet', () => ({ nbf: now() + hour })],
  ['that was issued later than now', () => ({ iat: now() + 120, exp: now() + hour })],
  ['without a time', () => ({ iat: undefined })],
  ['without a subject', () => ({ sub: undefined })],
  ['whose mail is not verified', () => ({ email_verified: false })],
  ['whose mail is said to be verified by a text', () => ({ email_verified: 'true' })],
  ['whose mail is a list', () => ({ email: ['a@example.com'] })],
  ['without a signature', () => ({}), (c) => `${encoded({ alg: 'none' })}.${encoded(c)}.`],
  [
    'with the algorithm None in other letters',
    () => ({}),
    (c) => `${encoded({ alg: 'nOnE', kid: 'one' })}.${encoded(c)}.`,
  ],
  ['signed by another key', () => ({}), (c) => signed(c, {}, others)],
  [
    'signed by a key that it brings along',
    () => ({}),
    async (c) => signed(c, { jwk: await exportJWK(others.publicKey) }, others),
  ],
  [
    'signed by a key of an address that it names',
    () => ({}),
    (c) => signed(c, { jku: `${issuer}/other`, kid: 'two' }, others),
  ],
  [
    'signed with the public key as a shared secret',
    () => ({}),
    async (c) => {
      const data = `${encoded({ alg: 'HS256', kid: 'one' })}.${encoded(c)}`;
      return `${data}.${createHmac('sha256', await exportSPKI(keys.publicKey))
        .update(data)
        .digest('base64url')}`;
    },
  ],
  [
    'signed with the shared secret of the service',
    () => ({}),
    (c) => {
      const data = `${encoded({ alg: 'HS256' })}.${encoded(c)}`;
      return `${data}.${createHmac('sha256', 'shared').update(data).digest('base64url')}`;
    },
  ],
  [
    'whose claims were changed after it was signed',
    () => ({}),
    async (c) => {
      const [head, , tail] = (await signed({ ...c, email: 'else@example.com' })).split('.');
      return `${head}.${encoded(c)}.${tail}`;
    },
  ],
];
it.each(wrong.map(([what, over, make = signed]) => [what, over, make] as const))(
  'refuses a token %s',
  async (_what, over, make) => {
    expectRefusal((await signInWith(over(), make)).answer, 401, 'SIGN_IN_FAILED');
  },
);

it('refuses what the provider says of somebody else than the token names', async () => {
  userinfo = { sub: 'another', email: (await invite(t, staff, 'auditor')).email, email_verified: true };
  expectRefusal((await signInWith({ email: undefined })).answer, 401, 'SIGN_IN_FAILED');
});

it('reads no answer of a provider that is larger than a million bytes', async () => {
  const sub = randomUUID();
  const said = async (bytes: number) => {
    const { email } = await invite(t, staff, 'auditor');
    userinfo = { sub, email, email_verified: true, more: 'x'.repeat(bytes) };
    return (await signInWith({ email: undefined }, signed, sub)).answer;
  };
  expectRefusal(await said(1_000_000), 401, 'SIGN_IN_FAILED');
  expect((await said(900_000)).status).toBe(200);
});

it('lets somebody in as who they were here before, though they have the mail of another now, until they are disabled', async () => {
  const signIn = async (over: Claims = {}) => (await signInWith(over, signed, 'one subject')).answer;
  const before = contentOf(await signIn()).user.userId;
  expect(contentOf(await signIn()).user.userId).toBe(before);
  expect(contentOf(await signIn({ email: 'new@example.com', email_verified: false })).user.userId).toBe(before);
  contentOf(await t.post(`/v1/admin/user/${before}/disable`, { reason: 'has left' }, staff.apiKey));
  expectRefusal(await signIn({ email: 'new@example.com' }), 401, 'SIGN_IN_FAILED');
  const after = contentOf(await signIn()).user.userId;
  expect(after).not.toBe(before);
  // Nobody can say which of two they are.
  contentOf(await t.post(`/v1/admin/user/${before}/enable`, { reason: 'is back' }, staff.apiKey));
  expectRefusal(await signIn(), 401, 'SIGN_IN_FAILED');
});

it.each([
  ['ahead', () => ({ iat: now() + 300, exp: now() + hour })],
  ['behind', () => ({ iat: now() - 600, exp: now() - 300 })],
])(
  'says that the clocks differ where that of the provider is five minutes %s, and warns who runs the service',
  async (_, times) => {
    const { answer } = await signInWith(times());
    expectRefusal(answer, 401, 'SIGN_IN_FAILED');
    expect(answer.body.message).toContain('the clocks of the sign-in provider and of this service differ');
    expect(t.logged.filter((line) => /"level":40.*a sign-in at a provider failed/.test(line))).not.toEqual([]);
  },
);

it('believes a key that the provider put in place of another a moment ago, and no longer the one before', async () => {
  const before = published;
  expect((await signInWith({})).answer.status).toBe(200);
  published = [{ ...(await exportJWK(others.publicKey)), kid: 'two', use: 'sig', alg: 'RS256' }];
  t.advance(1_000);
  const byNew: Made = (claims) => signed(claims, { kid: 'two' }, others);
  expect((await signInWith({}, byNew)).answer.status).toBe(200);
  expectRefusal((await signInWith({})).answer, 401, 'SIGN_IN_FAILED');
  published = before;
  t.advance(1_000);
  expect((await signInWith({})).answer.status).toBe(200);
});

it('reads the keys of a provider once for all who sign in within a second', async () => {
  // As many sign-ins as an address has at once.
  t.advance(600_000);
  const before = keysRead;
  for (let n = 0; n < 5; n++) expect((await signInWith({})).answer.status).toBe(200);
  expect(keysRead - before).toBe(1);
});

it('leaves each step in the journal', () => expectJournalComplete(t));
