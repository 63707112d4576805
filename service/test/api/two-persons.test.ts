// With REQUIRE_TWO_PERSONS, rates change only with two people, and one person cannot act as both. Tries every way
// around it.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { rowCount } from '../support/journal.ts';
import { enter, type SignedIn, signIn } from '../support/people.ts';
import { changesRates } from '../support/rates.ts';

let t: TestApp;
let staff: Account;
/** Made on the command line's own terms: by nobody who signs in. */
let ada: SignedIn;
let bola: SignedIn;
let n = 0;
beforeAll(async () => {
  t = await makeTestApp({ env: { REQUIRE_TWO_PERSONS: 'rates' } });
  staff = await t.makeOperator();
  ada = await enter(t, staff, 'administrator');
  bola = await enter(t, staff, 'reviewer');
});
afterAll(() => t?.stop());

const fee = () => ({ feeId: `TWO-${++n}`, percent: '2', validFrom: `${2100 + n}-01-01`, validTo: `${2101 + n}-01-01` });
const nigeria = () => JSON.parse(readFileSync(new URL('../../data/tax/NG.json', import.meta.url), 'utf8'));
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire says
type Shown = any;
const propose = async (who: SignedIn): Promise<Shown> =>
  contentOf(await who.post('/v1/admin/proposal', { reason: 'contract', fee: fee() }));
const approve = (who: Pick<SignedIn, 'post'>, p: Shown) =>
  who.post(`/v1/admin/proposal/${p.proposalId}/approve`, { reason: 'checked' });
const byKey = (key: string): Pick<SignedIn, 'post'> => ({ post: (path, body) => t.post(path, body, key) });
const inForce = async (p: Shown): Promise<boolean> =>
  contentOf(await ada.get('/v1/admin/fee')).items.some((f: Shown) => f.feeId === p.subject);

/** Somebody whom `by` lets sign in, with a password of their own meanwhile. */
async function made(by: Pick<SignedIn, 'post'>, role: string): Promise<SignedIn> {
  const email = `made-${++n}@example.com`;
  const { password } = contentOf(await by.post('/v1/admin/user', { email, name: `Made ${n}`, role }));
  await t.database.admin.query("UPDATE users SET password_kind = 'OWN' WHERE email = $1", [email]);
  return signIn(t, { email, password });
}
const keyOf = async (by: Pick<SignedIn, 'post'>): Promise<string> =>
  contentOf(await by.post(`/v1/admin/account/${staff.id}/key`, { name: 'spare' })).apiKey;

async function expectNotTwo(answer: Answer, p: Shown, says: RegExp): Promise<void> {
  expectRefusal(answer, 403, 'TWO_PERSONS', says);
  expect(await inForce(p)).toBe(false);
  // The proposal waits for somebody else, and its place is free for another again.
  contentOf(await ada.post(`/v1/admin/proposal/${p.proposalId}/reject`, { reason: 'test' }));
}

describe('rates that two people are required for', () => {
  it('come into force when one proposes and another approves, who have nothing to do with each other', async () => {
    for (const [one, two] of [
      [ada, bola],
      [bola, ada],
    ] as const) {
      const p = await propose(one);
      expect(await inForce(p)).toBe(false);
      expectRefusal(await approve(one, p), 409, 'STATE_CONFLICT');
      contentOf(await approve(two, p));
      expect(await inForce(p)).toBe(true);
    }
  });

  it.each([
    ['loadTax', () => ['/v1/admin/tax', { reason: 'x', country: nigeria() }]],
    ['setFee', () => ['/v1/admin/fee', { ...fee(), reason: 'x' }]],
    ['endFee', () => ['/v1/admin/fee/TWO-1/end', { reason: 'x' }]],
    [
      'correctRates',
      () => [
        '/v1/correction',
        { clientId: staff.id, countryCode: 'NG', from: '2026-10-01', to: '2026-10-31', reason: 'x' },
      ],
    ],
  ] as [string, () => [string, object]][])('are not changed by %s, of a key or of a person', async (_id, request) => {
    const before = await rowCount(t, 'fee_rules');
    for (const who of [ada, byKey(staff.apiKey)])
      expectRefusal(await who.post(...request()), 403, 'TWO_PERSONS', /another person approves/);
    expect(await rowCount(t, 'fee_rules')).toBe(before);
  });

  it('end by two people: a fee row stays until another person approves its end', async () => {
    const p = await propose(ada);
    contentOf(await approve(bola, p));
    const feeEnd = { feeId: p.subject };
    const end = contentOf(await ada.post('/v1/admin/proposal', { reason: 'contract ended', feeEnd }));
    expect([end.kind, end.subject, await inForce(p)]).toEqual(['FEE_END', p.subject, true]);
    expectRefusal(await approve(ada, end), 409, 'STATE_CONFLICT');
    const puppet = await made(ada, 'reviewer');
    expectRefusal(await approve(puppet, end), 403, 'TWO_PERSONS', /not independent/);
    expect(await inForce(p)).toBe(true);
    contentOf(await approve(bola, end));
    expect(await inForce(p)).toBe(false);
    const again = await ada.post('/v1/admin/proposal', { reason: 'again', feeEnd });
    expectRefusal(again, 404, 'NOT_FOUND', /no live fee row/);
  });

  it('are followed by adjusting entries as another person approved them, and by no others', async () => {
    const psp = await t.makePsp();
    const correction = { clientId: psp.id, countryCode: 'NG', from: '2026-10-01', to: '2026-10-31' };
    const correct = (over: object) =>
      byKey(staff.apiKey).post('/v1/correction', { ...correction, reason: 'overlooked', ...over });
    const p = contentOf(await ada.post('/v1/admin/proposal', { reason: 'overlooked', correction }));
    const { proposalId } = p;
    expectRefusal(await correct({ proposalId }), 409, 'STATE_CONFLICT', /is OPEN/);
    expectRefusal(await approve(await made(ada, 'reviewer'), p), 403, 'TWO_PERSONS');
    contentOf(await approve(bola, p));
    expect(contentOf(await correct({ proposalId }))).toMatchObject({ looked: 0, adjusted: 0, next: null });
    for (const other of [
      { to: '2026-11-01' },
      { countryCode: 'KE' },
      { clientId: (await t.makePsp()).id },
      { rule: 'X' },
    ])
      expectRefusal(await correct({ proposalId, ...other }), 409, 'STATE_CONFLICT', /something else/);
    const fees = await propose(ada);
    contentOf(await approve(bola, fees));
    expectRefusal(await correct({ proposalId: fees.proposalId }), 409, 'STATE_CONFLICT', /something else/);
    expectRefusal(await correct({ proposalId: 'prp_none' }), 404, 'NOT_FOUND');
    expectRefusal(await correct({}), 403, 'TWO_PERSONS');
  });

  // That no other operation changes rates: client/contract.test.ts calls each.
  it('are changed by staff alone, and by PSPs through nothing', () => {
    // PSPs propose and approve erasures only: second-person.test.ts.
    for (const o of operations.filter((x) => changesRates.includes(x.id)))
      expect(o.audience.filter((a) => a !== 'psp' || !/Proposal$/.test(o.id))).toEqual(['operator']);
  });

  it('are not changed on the way of the command line either', async () => {
    const { rateKeeper } = t.app.services;
    const person = { kind: 'operator', psp: staff.uuid, account: staff.uuid, actor: 'cli:ada' } as const;
    const text = JSON.stringify(nigeria());
    await expect(
      rateKeeper.loadTax(t.app.services, person, [{ name: 'NG.json', text }], 'x', t.now()),
    ).rejects.toMatchObject({ code: 'TWO_PERSONS' });
    await expect(rateKeeper.endFee(t.app.services, person, 'TWO-1', 'x', t.now())).rejects.toMatchObject({
      code: 'TWO_PERSONS',
    });
  });

  it('are proposed and approved by no key, also one that somebody else was given', async () => {
    expectRefusal(
      await byKey(staff.apiKey).post('/v1/admin/proposal', { reason: 'x', fee: fee() }),
      403,
      'TWO_PERSONS',
      /people who signed in/,
    );
    for (const key of [await keyOf(ada), staff.apiKey, (await t.makeOperator()).apiKey]) {
      const p = await propose(ada);
      await expectNotTwo(await approve(byKey(key), p), p, /people who signed in/);
    }
  });

  it('are not approved by a person whom the proposer made, directly, by a key or by way of others', async () => {
    const direct = await made(ada, 'administrator');
    const throughKey = await made(byKey(await keyOf(ada)), 'reviewer');
    const keyOfKey = await keyOf(byKey(await keyOf(ada)));
    const throughTwoKeys = await made(byKey(keyOfKey), 'reviewer');
    const operator = contentOf(await ada.post('/v1/admin/operator', { name: 'Second desk' }));
    const throughOperator = await made(byKey(operator.apiKey), 'reviewer');
    const grandchild = await made(direct, 'reviewer');
    for (const puppet of [direct, throughKey, throughTwoKeys, throughOperator, grandchild]) {
      const p = await propose(ada);
      await expectNotTwo(await approve(puppet, p), p, /not independent/);
      const other = await propose(puppet);
      await expectNotTwo(await approve(ada, other), other, /not independent/);
    }
    const p = await propose(grandchild);
    contentOf(await approve(bola, p));
  });

  it('are not approved by two made-up people of one who stays behind', async () => {
    const [one, two] = [await made(ada, 'reviewer'), await made(ada, 'reviewer')];
    const p = await propose(one);
    await expectNotTwo(await approve(two, p), p, /not independent/);
    const key = staff.apiKey;
    const [three, four] = [await made(byKey(key), 'reviewer'), await made(byKey(key), 'reviewer')];
    const q = await propose(three);
    await expectNotTwo(await approve(four, q), q, /not independent/);
  });

  it('are not approved by a person whose password the proposer has reset', async () => {
    const carl = await enter(t, staff, 'reviewer');
    contentOf(await approve(carl, await propose(ada)));
    const { password } = contentOf(await ada.post(`/v1/admin/user/${carl.userId}/password`, { reason: 'forgotten' }));
    await t.database.admin.query("UPDATE users SET password_kind = 'OWN' WHERE email = $1", [carl.email]);
    const stolen = await signIn(t, { email: carl.email, password });
    const p = await propose(ada);
    await expectNotTwo(await approve(stolen, p), p, /not independent/);
  });
});

describe('rates that two people are not required for', () => {
  it('are changed by one, who is named in the journal', async () => {
    const lax = await makeTestApp();
    const alone = await enter(lax, await lax.makeOperator(), 'administrator');
    contentOf(await alone.post('/v1/admin/fee', { ...fee(), reason: 'contract' }));
    await lax.stop();
  });
});
