// Without a setting a key may approve what was proposed, but nobody approves alone: not with a key that they issued, not with
// two keys of theirs, and not with a key that another key of theirs issued.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, issueKey } from '../support/guarantees.ts';
import { enter, type SignedIn } from '../support/people.ts';

type Caller = Pick<SignedIn, 'post'>;
let t: TestApp;
let staff: Account;
let ada: SignedIn;
let bola: SignedIn;
let n = 0;
beforeAll(async () => {
  t = await makeTestApp();
  staff = await t.makeOperator();
  ada = await enter(t, staff, 'administrator');
  bola = await enter(t, staff, 'administrator');
});
afterAll(() => t?.stop());

const byKey = (key: string): Caller => ({ post: (path, body) => t.post(path, body, key) });
const issuedBy = async (by: Caller): Promise<Caller> =>
  byKey(contentOf(await by.post(`/v1/admin/account/${staff.id}/key`, { name: 'spare' })).apiKey);
const proposed = async (by: Caller): Promise<string> => {
  const fee = { feeId: `HAND-${++n}`, percent: '2', validFrom: `${2100 + n}-01-01`, validTo: `${2101 + n}-01-01` };
  return contentOf(await by.post('/v1/admin/proposal', { reason: 'contract', fee })).proposalId;
};
const approve = (by: Caller, id: string) => by.post(`/v1/admin/proposal/${id}/approve`, { reason: 'checked' });

it.each<[string, () => Promise<readonly [Caller, Caller]>]>([
  ['a person and a key of theirs', async () => [ada, await issuedBy(ada)]],
  ['two keys of one person', async () => [await issuedBy(ada), await issuedBy(ada)]],
  ['a person and a key that a key of theirs issued', async () => [ada, await issuedBy(await issuedBy(ada))]],
  [
    'a key and one that it issued',
    async () => {
      const key = byKey((await issueKey(t, staff)).apiKey);
      return [key, await issuedBy(key)];
    },
  ],
])('%s are one person, in either order', async (_what, both) => {
  const [a, b] = await both();
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const id = await proposed(one);
    expectRefusal(await approve(other, id), 403, 'TWO_PERSONS', /are the same person/);
    expect(contentOf(await approve(bola, id)).state).toBe('APPROVED');
  }
});

it('keys that two people issued are two', async () => {
  const id = await proposed(await issuedBy(ada));
  expect(contentOf(await approve(await issuedBy(bola), id)).state).toBe('APPROVED');
});
