// Keys of operators and erasures that two people are required for: proposed by one, approved by another who has nothing to do
// with the first, done once by the first. Tries every way around it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { system } from '../../src/modules/kernel/principal.ts';
import { createUser } from '../../src/modules/users/change-user.ts';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, setStanding } from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, rowCount } from '../support/journal.ts';
import { enter, type Person, type SignedIn, signIn } from '../support/people.ts';

let t: TestApp;
let staff: Account;
let psp: Account;
let ada: SignedIn & Person;
let bola: SignedIn & Person;
/** Of the PSP. */
let chidi: SignedIn & Person;
let dayo: SignedIn & Person;
let n = 0;
beforeAll(async () => {
  t = await makeTestApp({ env: { REQUIRE_TWO_PERSONS: 'operator-keys,erasure' } });
  staff = await t.makeOperator();
  psp = await t.makePsp();
  ada = await enter(t, staff, 'administrator');
  bola = await enter(t, staff, 'administrator');
  chidi = await enter(t, psp, 'administrator');
  dayo = await enter(t, psp, 'administrator');
});
afterAll(() => t?.stop());

const again = async (who: Person): Promise<SignedIn & Person> => ({ ...who, ...(await signIn(t, who)) });
async function signInAgain(): Promise<void> {
  [ada, bola, chidi, dayo] = [await again(ada), await again(bola), await again(chidi), await again(dayo)];
}
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
type Who = Pick<SignedIn, 'post'>;
const place = '/v1/admin/proposal';
const byKey = (key: string): Who => ({ post: (path, body) => t.post(path, body, key) });
const approve = (who: Who, p: Shown) => who.post(`${place}/${p.proposalId}/approve`, { reason: 'checked' });
const keyOf = (over = {}) => ({ accountId: staff.id, name: `night ${++n}`, scopes: ['read'], ...over });
const proposeKey = async (who: Who, operatorKey: object): Promise<Shown> =>
  contentOf(await who.post(place, { reason: 'night jobs', operatorKey }));
const issue = (who: Who, { accountId, ...key }: ReturnType<typeof keyOf>, proposalId?: string): Promise<Answer> =>
  who.post(`/v1/admin/account/${accountId}/key`, { ...key, ...(proposalId ? { proposalId } : {}) });
const keys = () => rowCount(t, 'api_keys', 'account_id = $1', [staff.uuid]);

describe('a key of an operator', () => {
  it('is issued once, to the person who proposed it, when another has approved it', async () => {
    const key = keyOf();
    const before = await keys();
    expectRefusal(await issue(ada, key), 403, 'TWO_PERSONS', /proposalId/);
    expectRefusal(await issue(byKey(staff.apiKey), key), 403, 'TWO_PERSONS');
    const p = await proposeKey(ada, key);
    expectRefusal(await issue(ada, key, p.proposalId), 409, 'STATE_CONFLICT', /OPEN/);
    expectRefusal(await approve(ada, p), 409, 'STATE_CONFLICT');
    contentOf(await approve(bola, p));
    // Who approved, a third person and a key see no key.
    expectRefusal(await issue(bola, key, p.proposalId), 403, 'TWO_PERSONS');
    expectRefusal(await issue(byKey(staff.apiKey), key, p.proposalId), 403, 'TWO_PERSONS');
    for (const other of [
      { ...key, name: 'day' },
      { ...key, scopes: ['read', 'administration'] },
    ])
      expectRefusal(await issue(ada, other, p.proposalId), 409, 'STATE_CONFLICT', /something else/);
    expect(await keys()).toBe(before);
    const made = contentOf(await issue(ada, key, p.proposalId));
    expect(made).toMatchObject({ name: key.name, scopes: ['read'] });
    expect((await t.get('/v1/admin/account', made.apiKey)).status).toBe(200);
    expectRefusal(await issue(ada, key, p.proposalId), 409, 'STATE_CONFLICT', /DONE/);
    expect(await keys()).toBe(before + 1);
    const { state, version } = contentOf(await ada.get(`${place}/${p.proposalId}`));
    expect([state, version]).toEqual(['DONE', 3]);
  });

  it('goes through once when two calls use an approval at the same time', async () => {
    const key = keyOf();
    const p = await proposeKey(ada, key);
    contentOf(await approve(bola, p));
    const before = await keys();
    const answers = await Promise.all([1, 2, 3, 4].map(() => issue(ada, key, p.proposalId)));
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1);
    expect(await keys()).toBe(before + 1);
  });

  it('is approved by nobody who is the same person, made the other, or acts with a key', async () => {
    const made = async (by: Who): Promise<SignedIn> => {
      const email = `made-${++n}@example.com`;
      const body = { email, name: 'Made', role: 'administrator' };
      const { password } = contentOf(await by.post('/v1/admin/user', body));
      await t.database.admin.query("UPDATE users SET password_kind = 'OWN' WHERE email = $1", [email]);
      return signIn(t, { email, password });
    };
    const puppet = await made(ada);
    const p = await proposeKey(ada, keyOf());
    expectRefusal(await approve(puppet, p), 403, 'TWO_PERSONS', /independent/);
    expectRefusal(await approve(byKey(staff.apiKey), p), 403, 'TWO_PERSONS', /signed in/);
    expectRefusal(
      await byKey(staff.apiKey).post(place, { reason: 'x', operatorKey: keyOf() }),
      403,
      'TWO_PERSONS',
      /signed in/,
    );
    // The same e-mail in another operator's account is the same person.
    const second = await t.makeOperator();
    const { password } = await createUser(
      t.app.services,
      system,
      { email: ada.email, name: 'Ada again', role: 'administrator', account: second.uuid },
      t.now(),
    );
    await t.database.admin.query("UPDATE users SET password_kind = 'OWN' WHERE account_id = $1", [second.uuid]);
    const twin = await signIn(t, { email: ada.email, password });
    expect(twin.userId).not.toBe(ada.userId);
    expectRefusal(await approve(twin, p), 403, 'TWO_PERSONS', /independent/);
    contentOf(await bola.post(`${place}/${p.proposalId}/reject`, { reason: 'test' }));
    expectRefusal(await approve(bola, p), 409, 'STATE_CONFLICT');
  });

  it('is refused when the account is suspended meanwhile, or the approval is old', async () => {
    const other = await t.makeOperator();
    const key = keyOf({ accountId: other.id });
    const [open, approved] = [await proposeKey(ada, key), await proposeKey(ada, { ...key, name: 'second' })];
    contentOf(await approve(bola, approved));
    await setStanding(t, other, { operationalStanding: 'SUSPENDED' });
    expectRefusal(await approve(bola, open), 409, 'STATE_CONFLICT', /SUSPENDED/);
    expectRefusal(
      await issue(ada, { ...key, name: 'second' }, approved.proposalId),
      409,
      'STATE_CONFLICT',
      /SUSPENDED/,
    );
    await setStanding(t, other, { operationalStanding: 'ACTIVE' });
    t.advance(8 * 86_400_000);
    await signInAgain();
    expectRefusal(await issue(ada, { ...key, name: 'second' }, approved.proposalId), 409, 'STATE_CONFLICT', /7 days/);
    expectRefusal(await ada.post(place, { reason: 'x', operatorKey: keyOf({ accountId: psp.id }) }), 404, 'NOT_FOUND');
  });

  it('and an operator are made that way alone; keys of PSPs as ever', async () => {
    expectRefusal(await ada.post('/v1/admin/operator', { name: 'Night' }), 403, 'TWO_PERSONS');
    const p = contentOf(await ada.post(place, { reason: 'nights', operator: { name: 'Night' } }));
    contentOf(await approve(bola, p));
    const asked = { name: 'Night', proposalId: p.proposalId };
    expectRefusal(await ada.post('/v1/admin/operator', { ...asked, name: 'Day' }), 409, 'STATE_CONFLICT');
    expect(contentOf(await ada.post('/v1/admin/operator', asked)).name).toBe('Night');
    expectRefusal(await ada.post('/v1/admin/operator', asked), 409, 'STATE_CONFLICT');
    contentOf(await ada.post(`/v1/admin/account/${psp.id}/key`, { name: 'spare' }));
    contentOf(await t.post('/v1/key', { name: 'own' }, psp.apiKey));
  });
});

describe('the erasure of a person', () => {
  const known = (email: string) => ({ subjects: [`email:${email}`] });
  const bet = async (email: string) => {
    const client = await t.makeClient(psp);
    const customer = { email, name: 'Jane Roe', phone: '+2348030000002' };
    contentOf(
      await t.post(
        '/captureWager',
        { amount: 10, ref: `bet-${++n}`, customer, ip: '102.0.2.44', type: 'sports' },
        client.apiKey,
      ),
    );
  };
  const readable = async (email: string): Promise<number> =>
    contentOf(await t.post('/v1/subject/find', known(email), psp.apiKey)).items.reduce(
      (sum: number, i: Shown) => sum + i.readable,
      0,
    );

  it('is proposed by one of the PSP, approved by another, and then done once', async () => {
    const email = 'jane.roe@example.com';
    await bet(email);
    expect(await readable(email)).toBeGreaterThan(0);
    const asked = { ...known(email), reason: 'request of 2026-11-20' };
    expectRefusal(await t.post('/v1/subject/erase', asked, psp.apiKey), 403, 'TWO_PERSONS');
    expectRefusal(await chidi.post('/v1/subject/erase', asked), 403, 'TWO_PERSONS');
    expectRefusal(await ada.post('/v1/subject/erase', { ...asked, pspId: psp.id }), 403, 'TWO_PERSONS');
    const p = contentOf(await chidi.post(place, { reason: 'request of 2026-11-20', erasure: known(email) }));
    contentOf(await approve(dayo, p));
    const done = { ...asked, proposalId: p.proposalId };
    expectRefusal(await dayo.post('/v1/subject/erase', done), 403, 'TWO_PERSONS');
    expectRefusal(
      await chidi.post('/v1/subject/erase', { ...done, ...known('other@example.com') }),
      409,
      'STATE_CONFLICT',
    );
    expect(await readable(email)).toBeGreaterThan(0);
    expect(contentOf(await chidi.post('/v1/subject/erase', done)).erasureId).not.toBeNull();
    expect(await readable(email)).toBe(0);
    await bet(email);
    expectRefusal(await chidi.post('/v1/subject/erase', done), 409, 'STATE_CONFLICT', /DONE/);
    expect(await readable(email)).toBeGreaterThan(0);
  });

  it('leaves nothing of the person in the proposal', async () => {
    const p = contentOf(await chidi.post(place, { reason: 'asked for', erasure: known('joan.poe@example.com') }));
    const shown = await chidi.get(`${place}/${p.proposalId}`);
    expect(shown.text).not.toContain('joan');
    for (const table of ['proposals', 'journal', 'refs']) {
      const rows = await t.database.admin.query(`SELECT x::text AS text FROM ${table} x`);
      expect(rows.filter((r) => (r.text as string).includes('joan.poe'))).toEqual([]);
    }
  });

  it('is seen by its PSP and staff alone, and a PSP proposes nothing else', async () => {
    const stranger = await enter(t, await t.makePsp(), 'administrator');
    const client = await t.makeClient(psp);
    const p = contentOf(await chidi.post(place, { reason: 'asked for', erasure: known('seen@example.com') }));
    const ids = async (who: SignedIn): Promise<string[]> =>
      contentOf(await who.get(`${place}?limit=200`)).items.map((i: Shown) => i.proposalId);
    expect(await ids(stranger)).toEqual([]);
    for (const who of [chidi, dayo, ada]) expect(await ids(who)).toContain(p.proposalId);
    const kinds = contentOf(await chidi.get(`${place}?limit=200`)).items.map((i: Shown) => i.kind);
    expect(new Set(kinds)).toEqual(new Set(['ERASURE']));
    expectRefusal(await t.get(place, client.apiKey), 403, 'AUDIENCE');
    for (const body of [
      { operator: { name: 'Mine' } },
      { operatorKey: keyOf() },
      { level: { clientId: client.id, verificationLevel: 'ENHANCED' } },
      { fee: { feeId: 'MINE', percent: '0', validFrom: '2100-01-01' } },
    ])
      expectRefusal(await chidi.post(place, { reason: 'x', ...body }), 403, 'AUDIENCE');
    const level = await proposeKey(ada, keyOf());
    expectRefusal(await chidi.get(`${place}/${level.proposalId}`), 404, 'NOT_FOUND');
    expectRefusal(await approve(chidi, level), 404, 'NOT_FOUND');
    expectRefusal(await stranger.post(`${place}/${p.proposalId}/reject`, { reason: 'x' }), 404, 'NOT_FOUND');
    expectRefusal(await chidi.post(place, { reason: 'x' }), 400, 'FIELD_INVALID');
  });

  it('is done alone where the setting does not ask for two', async () => {
    const free = await makeTestApp();
    try {
      const house = await free.makePsp();
      const before = await entryCount(free);
      contentOf(await free.post('/v1/subject/erase', { ...known('a@example.com'), reason: 'asked for' }, house.apiKey));
      expect(await entryCount(free)).toBe(before);
      const night = await free.makeOperator();
      contentOf(await free.post(`/v1/admin/account/${night.id}/key`, { name: 'spare' }, night.apiKey));
    } finally {
      await free.stop();
    }
  });

  it('leaves a complete journal', () => expectJournalComplete(t));
});
