// People of clients: whoever signs in for a client does at most what its key does, sees nothing of other clients and nothing
// of reviews, cases or lists, and is let in by the PSP or by an administrator of the same client.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, placeHold, setStanding } from '../support/guarantees.ts';
import { expectJournalComplete } from '../support/journal.ts';
import { enter, type Person, type SignedIn, signIn, trySignIn } from '../support/people.ts';
import { totalled } from '../totals/life.ts';

let t: TestApp;
let staff: Account;
let psp: Account;
let client: Account;
let neighbour: Account;
let stranger: Account;
/** Administrators of the PSP, the client and its neighbour; a member of the client. */
let ada: SignedIn & Person;
let chi: SignedIn & Person;
let ngozi: SignedIn & Person;
let mem: SignedIn & Person;
let n = 0;
const known: { transactionId: string; otherTransactionId: string } = { transactionId: '', otherTransactionId: '' };

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
const sale = (ref: string) => ({
  ref,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
});
const people = '/v1/admin/user';
const invite = (who: Pick<SignedIn, 'post'>, over: Record<string, unknown>): Promise<Answer> =>
  who.post(people, { email: `invited-${++n}@example.com`, name: 'Invited', role: 'member', ...over });
const byKey = (key: string): Pick<SignedIn, 'post' | 'get'> => ({
  post: (path, body) => t.post(path, body, key),
  get: (path, headers) => t.get(path, key, headers),
});

beforeAll(async () => {
  t = await makeTestApp();
  staff = await t.makeOperator();
  psp = await t.makePsp('Example Pay');
  client = await t.makeClient(psp);
  neighbour = await t.makeClient(psp, { registeredName: 'Neighbour Games Ltd', email: 'boss@neighbour.example' });
  stranger = await t.makePsp('Stranger Pay');
  ada = await enter(t, psp, 'administrator');
  chi = await enter(t, client, 'administrator');
  mem = await enter(t, client, 'member');
  ngozi = await enter(t, neighbour, 'administrator');
  known.transactionId = contentOf(
    await t.post('/v1/transaction/verifyTransaction', sale('own-order'), client.apiKey),
  ).transactionId;
  known.otherTransactionId = contentOf(
    await t.post('/v1/transaction/verifyTransaction', sale('neighbour-order'), neighbour.apiKey),
  ).transactionId;
});
afterAll(() => t?.stop());

const keyed = operations.filter((o) => o.access === undefined);
const named = (os: readonly Operation[]) => os.map((o) => [o.id, o] as [string, Operation]);
/** Where its parameters name nothing. */
const nowhere = (o: Operation) => o.path.replace(/:[A-Za-z]+/g, 'nothing');
const codeOf = (r: Answer) => [r.status, r.headers.get('x-error-code')];

describe('what somebody of a client may call', () => {
  it.each(named(keyed))('%s: at most what the key of the client may', async (_id, o) => {
    // A body that no operation takes: who may call is decided before.
    const send = (who: Pick<SignedIn, 'post' | 'get'>) =>
      o.method === 'GET' ? who.get(nowhere(o)) : who.post(nowhere(o), []);
    const [key, administrator, member] = [
      codeOf(await send(byKey(client.apiKey))),
      codeOf(await send(chi)),
      codeOf(await send(mem)),
    ];
    const mayKey = o.audience.includes('client');
    expect(key[1] === 'AUDIENCE').toBe(!mayKey);
    // An operation that names its roles may leave out even administrators.
    expect([key, [403, 'ROLE']]).toContainEqual(administrator);
    if (!mayKey) expect([administrator, member]).toEqual([key, key]);
    else expect([administrator, [403, 'ROLE']]).toContainEqual(member);
    if (mayKey && o.method !== 'GET' && o.roles === undefined) expect(member).toEqual([403, 'ROLE']);
  });

  it('never has to do with reviews, cases, matches, lists, rules of risk, proposals or the journal', () => {
    const about = /review|case|match|\/v1\/lists|risk|proposal|journal|\/v1\/admin\/(?!user)/i;
    const theirs = operations.filter((o) => o.audience.includes('client') && about.test(`${o.id} ${o.path}`));
    expect(theirs.map((o) => o.id)).toEqual([]);
  });

  it('is the same for reading, word for word', async () => {
    await totalled(t);
    const reads = keyed.filter(
      (o) => o.method === 'GET' && o.audience.includes('client') && !o.path.includes(':') && !o.query?.required?.length,
    );
    expect(reads.length).toBeGreaterThan(30);
    for (const o of reads.filter(
      (r) => !['listRequests', 'listOwnKeys', 'getOverview', 'getCheckpoint'].includes(r.id),
    )) {
      const [key, person] = [await t.get(o.path, client.apiKey), await chi.get(o.path)];
      expect({ id: o.id, status: person.status, text: person.text }).toEqual({
        id: o.id,
        status: key.status,
        text: key.text,
      });
    }
  });
});

describe('a thousand other clients', () => {
  const marks = () => ['Neighbour', 'neighbour', neighbour.id, known.otherTransactionId, ngozi.userId, ada.userId];

  beforeAll(async () => {
    // Clients like the neighbour, each with a name of its own.
    await t.database.admin.query(
      `INSERT INTO accounts SELECT (json_populate_record(a, json_build_object('id', gen_random_uuid(),
         'name', 'Neighbour ' || i || ' Ltd', 'registration_number', 'NB-' || i))).*
       FROM accounts a, generate_series(1, 1000) i WHERE a.id = $1`,
      [neighbour.uuid],
    );
  });

  it('are in no list, count, file, search or id that somebody of a client asks for', async () => {
    expect(contentOf(await ada.get('/v1/client?limit=1&count=true&q=Neighbour')).total.rows).toBe(1001);
    const reads = keyed.filter((o) => o.method === 'GET' && o.audience.includes('client') && !o.path.includes(':'));
    for (const o of reads)
      for (const headers of [{}, { accept: 'text/csv' }] as Record<string, string>[]) {
        const counts = o.query?.properties.count === undefined ? '' : '?count=true';
        for (const who of [chi, mem]) {
          const { text } = await who.get(`${o.path}${counts}`, headers);
          expect([o.id, marks().filter((m) => text.includes(m))]).toEqual([o.id, []]);
        }
      }
    const { total } = contentOf(await chi.get('/v1/transaction?count=true'));
    expect(total).toEqual({ rows: 1, more: false });
  });

  it('are found by nothing that is typed', async () => {
    for (const q of ['Neighbour', 'Neighbour 7', 'NB-7', 'neighbour-order', known.otherTransactionId, neighbour.id])
      for (const who of [chi, mem]) expect(contentOf(await who.post('/v1/search', { q })).items).toEqual([]);
    expect(contentOf(await chi.post('/v1/search', { q: 'own-order' })).items).toHaveLength(1);
    for (const id of [known.otherTransactionId, neighbour.id, ngozi.userId, ada.userId, psp.id])
      expectRefusal(await chi.get(`/v1/id/${id}`), 404, 'NOT_FOUND');
    expectRefusal(await chi.get(`/v1/client/${neighbour.id}`), 404, 'NOT_FOUND');
    for (const header of [{ 'x-client-id': neighbour.id }, { 'x-client-id': psp.id }])
      expectRefusal(await chi.get('/v1/transaction', header), 404, 'NOT_FOUND');
    expectRefusal(await chi.get('/v1/transaction', { 'x-psp-id': psp.id }), 403, 'AUDIENCE');
  });
});

describe('the people of a client', () => {
  const idsOf = async (who: Pick<SignedIn, 'get'>, query = ''): Promise<string[]> =>
    contentOf(await who.get(`${people}?limit=200${query}`)).items.map((u: Shown) => u.userId);

  it('are let in by its PSP, by an administrator of its own and by staff, and by nobody else', async () => {
    for (const who of [ada, byKey(psp.apiKey), byKey(staff.apiKey)])
      expect(contentOf(await invite(who, { accountId: client.id })).user).toMatchObject({
        accountId: client.id,
        role: 'member',
      });
    for (const over of [{}, { accountId: client.id }])
      expect(contentOf(await invite(chi, over)).user.accountId).toBe(client.id);
    const other = await enter(t, stranger, 'administrator');
    // The header names whom a call is for: without a word of it the person would have been one of the PSP.
    const forClient = (id: string, over: object = {}) =>
      t.post(people, { email: `for-${++n}@example.com`, name: 'For', role: 'member', ...over }, psp.apiKey, {
        'x-client-id': id,
      });
    for (const over of [{}, { accountId: client.id }])
      expect(contentOf(await forClient(client.id, over)).user.accountId).toBe(client.id);
    expectRefusal(await forClient(client.id, { accountId: neighbour.id }), 400, 'FIELD_INVALID', /two accounts/);
    expectRefusal(await forClient(stranger.id), 404, 'NOT_FOUND');
    for (const [who, accountId] of [
      [ngozi, client.id],
      [chi, neighbour.id],
      [chi, psp.id],
      [other, client.id],
      [byKey(neighbour.apiKey), client.id],
    ] as const)
      expectRefusal(await invite(who, { accountId }), 404, 'NOT_FOUND');
    expectRefusal(await invite(mem, {}), 403, 'ROLE');
    const narrow = contentOf(await chi.post('/v1/key', { name: 'narrow', scopes: ['administration', 'read'] }));
    expectRefusal(await invite(byKey(narrow.apiKey), { role: 'administrator' }), 403, 'SCOPE');
  });

  it('are administrators or members, and nobody else is a member', async () => {
    for (const role of ['reviewer', 'auditor'])
      expectRefusal(await invite(chi, { role }), 400, 'FIELD_INVALID', /administrator or member/);
    expectRefusal(await invite(ada, { role: 'member' }), 400, 'FIELD_INVALID');
    const change = (who: SignedIn, user: string, role: string) =>
      who.post(`${people}/${user}/role`, { role, reason: 'test' });
    expectRefusal(await change(ada, mem.userId, 'reviewer'), 400, 'FIELD_INVALID');
    expectRefusal(await change(ngozi, mem.userId, 'administrator'), 404, 'NOT_FOUND');
    expectRefusal(await change(mem, chi.userId, 'member'), 403, 'ROLE');
    expect(contentOf(await change(chi, mem.userId, 'administrator')).role).toBe('administrator');
    expect(contentOf(await change(ada, mem.userId, 'member')).role).toBe('member');
  });

  it('see each other and nobody else; its PSP sees them', async () => {
    const own = await idsOf(chi);
    expect(own).toEqual(expect.arrayContaining([chi.userId, mem.userId]));
    for (const foreign of [ada.userId, ngozi.userId]) expect(own).not.toContain(foreign);
    expectRefusal(await chi.get(`${people}?accountId=${neighbour.id}`), 404, 'NOT_FOUND');
    expectRefusal(await chi.get(`${people}?accountId=${psp.id}`), 404, 'NOT_FOUND');
    expect(await idsOf(ada, `&accountId=${client.id}`)).toEqual(own);
    for (const foreign of [ada.userId, ngozi.userId])
      for (const verb of ['disable', 'enable', 'password', 'reset-second-factor', 'end-sessions'])
        expectRefusal(await chi.post(`${people}/${foreign}/${verb}`, { reason: 'theft' }), 404, 'NOT_FOUND');
  });

  it('sign in, and end when the PSP disables them', async () => {
    const { user, password } = contentOf(await invite(ada, { accountId: client.id }));
    const first = await trySignIn(t, { email: user.email, password });
    expect(contentOf(first).account).toMatchObject({ kind: 'client', accountId: client.id });
    expect(contentOf(first).user.mustChangePassword).toBe(true);
    await t.database.admin.query("UPDATE users SET password_kind = 'OWN' WHERE email = $1", [user.email]);
    const person = await signIn(t, { email: user.email, password });
    expect(contentOf(await person.get('/v1/transaction')).items).toHaveLength(1);
    contentOf(await ada.post(`${people}/${user.userId}/disable`, { reason: 'left' }));
    t.advance(1000);
    expectRefusal(await person.get('/v1/transaction'), 401, 'SESSION_INVALID');
  });

  it('look after the keys of their client as its key does, and no others', async () => {
    const made = contentOf(await chi.post('/v1/key', { name: 'shop' }));
    expect((await t.get('/v1/transaction', made.apiKey)).status).toBe(200);
    contentOf(await chi.post(`/v1/key/${made.keyId}/revoke`, { reason: 'test' }));
    expectRefusal(await mem.post('/v1/key', { name: 'shop' }), 403, 'ROLE');
    const theirs = `key_${neighbour.apiKey.split('_')[1]}`;
    expectRefusal(await chi.post(`/v1/key/${theirs}/revoke`, { reason: 'theft' }), 404, 'NOT_FOUND');
  });

  it('read of a hold what the client may read of it', async () => {
    await placeHold(t, client, { code: 'STR_ZEBRA', reason: 'zebra report filed', blocking: true });
    t.advance(1000);
    const [key, person] = [
      await t.get('/v1/client/verifyClientStatus', client.apiKey),
      await mem.get('/v1/client/verifyClientStatus'),
    ];
    expect(person.text).toBe(key.text);
    expect(person.text).not.toMatch(/zebra/i);
    expect((await mem.get(`/v1/client/${client.id}`)).text).not.toMatch(/zebra/i);
    expectRefusal(await mem.get(`/v1/client/${client.id}?expand=contact`), 403, 'ROLE');
  });

  it('read and change nothing once their client is closed', async () => {
    const closing = await t.makeClient(psp);
    const person = await enter(t, closing, 'administrator');
    await setStanding(t, closing, { operationalStanding: 'SUSPENDED' });
    t.advance(1000);
    expect((await person.get('/v1/transaction')).status).toBe(200);
    expectRefusal(await person.post('/v1/key', { name: 'shop' }), 403, 'ACCOUNT_SUSPENDED');
    await setStanding(t, closing, { operationalStanding: 'CLOSED' });
    t.advance(1000);
    expect((await person.get('/v1/transaction')).status).toBe(200);
    expectRefusal(await person.post('/v1/key', { name: 'shop' }), 403, 'ACCOUNT_CLOSED');
    expectRefusal(await invite(ada, { accountId: closing.id }), 409, 'STATE_CONFLICT', /CLOSED/);
  });

  it('are let in again and given more by their PSP only while their client is ACTIVE, and disabled at any time', async () => {
    const waiting = await t.makeClient(psp);
    const person = await enter(t, waiting, 'member');
    const ask = (verb: string, body: object = {}) =>
      ada.post(`/v1/admin/user/${person.userId}/${verb}`, { reason: 'test', ...body });
    contentOf(await ask('disable'));
    for (const operationalStanding of ['SUSPENDED', 'CLOSED'] as const) {
      await setStanding(t, waiting, { operationalStanding });
      t.advance(1000);
      for (const refused of [
        await ask('enable'),
        await ask('password'),
        await ask('role', { role: 'administrator' }),
        await invite(ada, { accountId: waiting.id }),
      ])
        expectRefusal(refused, 409, 'STATE_CONFLICT', new RegExp(`${operationalStanding}: nobody is let in`));
      expect(contentOf(await ask('disable')).state).toBe('DISABLED');
      expectRefusal(await person.get('/v1/session'), 401, 'SESSION_INVALID');
    }
  });

  it('leave a complete journal', async () => {
    await t.database.admin.query(
      "DELETE FROM accounts WHERE name LIKE 'Neighbour % Ltd' AND registration_number LIKE 'NB-%'",
    );
    await expectJournalComplete(t);
  });
});
