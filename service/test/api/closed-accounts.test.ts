// A closed account, or an account of a closed PSP, can neither read nor change anything, whoever acts for it. A
// suspended account cannot grant access to others or delete anything. Checked for every operation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { type Account, type Answer, makeDatabase, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, setStanding } from '../support/guarantees.ts';
import { enter, type SignedIn } from '../support/people.ts';

/** What a closed account may send beside GET: it records nothing, or its verdict is made on the standing. */
const recordNothing = [
  ...['taxQuote', 'findSubject', 'findRecords', 'searchAll', 'createReport', 'rerunReport'],
  ...['previewStanding', 'getPlayer', 'playerBalance', 'searchLists'],
];
const decide = ['verifyTransaction', 'deposit', 'withdrawal', 'cryptoDeposit', 'cryptoWithdrawal'];
/** What lets others act, or cannot be taken back. */
const forActive = [
  ...['registerClient', 'issueOwnKey', 'createSftpCredentials', 'addSftpKey', 'eraseSubject'],
  ...['createUser', 'enableUser', 'setUserRole', 'resetPassword'],
];
const keyed = operations.filter((o) => o.access === undefined);
const filled = (o: Operation) => o.path.replace(/:\w+/g, 'x_01h455vb4pex5vsknk084sn02q');
const codeOf = (r: Answer) => r.headers.get('x-error-code');

let database: Awaited<ReturnType<typeof makeDatabase>>;
let t: TestApp;
let other: TestApp;
beforeAll(async () => {
  database = await makeDatabase();
  const env = { ASSAY_MASTER_KEY: '5a'.repeat(32) };
  t = await makeTestApp({ database, env });
  other = await makeTestApp({ database, env });
});
afterAll(async () => {
  await other?.stop();
  await t?.stop();
});

const testKey = async (account: Account): Promise<string> => {
  const staff = await t.makeOperator();
  const made = await t.post(`/v1/admin/account/${account.id}/key`, { name: 'integration', mode: 'test' }, staff.apiKey);
  return contentOf(made).apiKey;
};

interface Caller {
  readonly kind: 'psp' | 'client';
  readonly test: boolean;
  call(o: Operation): Promise<Answer>;
}
const byKey = (kind: Caller['kind'], key: string, test = false): Caller => ({
  kind,
  test,
  call: (o) => (o.method === 'GET' ? t.get(filled(o), key) : t.post(filled(o), {}, key)),
});
const byPerson = (who: SignedIn): Caller => ({
  kind: 'psp',
  test: false,
  call: (o) => (o.method === 'GET' ? who.get(filled(o)) : who.post(filled(o), {})),
});

const sale = (ref: string) => ({
  ref,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 0,
});

/** Operations of the table that do not answer as expected to the caller. */
async function strayed(caller: Caller, expected: (o: Operation) => string | undefined, never: RegExp) {
  const of = keyed.filter((o) => o.audience.includes(caller.kind));
  expect(of.length).toBeGreaterThan(50);
  const out: string[] = [];
  for (const o of of) {
    const code = codeOf(await caller.call(o));
    const wanted = expected(o);
    if (wanted === undefined ? never.test(code ?? '') : code !== wanted) out.push(`${o.id}: ${code}, not ${wanted}`);
  }
  return out;
}

describe('an account that is closed', () => {
  const callers: [string, () => Promise<Caller>][] = [
    [
      'the key of a closed PSP',
      async () => {
        const psp = await t.makePsp();
        contentOf(await t.get('/v1/client/verifyClientStatus', psp.apiKey));
        await setStanding(t, psp, { operationalStanding: 'CLOSED' });
        return byKey('psp', psp.apiKey);
      },
    ],
    [
      'the key of a client whose PSP is closed',
      async () => {
        const psp = await t.makePsp();
        const client = await t.makeClient(psp);
        contentOf(await t.get('/v1/client/verifyClientStatus', client.apiKey));
        await setStanding(t, psp, { operationalStanding: 'CLOSED' });
        return byKey('client', client.apiKey);
      },
    ],
    [
      'the key of a closed client',
      async () => {
        const client = await t.makeClient(await t.makePsp());
        await setStanding(t, client, { operationalStanding: 'CLOSED' });
        return byKey('client', client.apiKey);
      },
    ],
    [
      'an administrator of a closed PSP',
      async () => {
        const psp = await t.makePsp();
        const ada = await enter(t, psp, 'administrator');
        await setStanding(t, psp, { operationalStanding: 'CLOSED' });
        return byPerson(ada);
      },
    ],
    [
      'the test key of a closed PSP',
      async () => {
        const psp = await t.makePsp();
        const key = await testKey(psp);
        contentOf(await t.get('/v1/client/verifyClientStatus', key));
        await setStanding(t, psp, { operationalStanding: 'CLOSED' });
        return byKey('psp', key, true);
      },
    ],
    [
      'the test key of a client whose PSP is closed',
      async () => {
        const psp = await t.makePsp();
        const key = await testKey(await t.makeClient(psp));
        await setStanding(t, psp, { operationalStanding: 'CLOSED' });
        return byKey('client', key, true);
      },
    ],
  ];

  it.each(callers)('reads and changes nothing by any operation of the table: %s', async (_who, made) => {
    const caller = await made();
    const may = caller.test ? recordNothing : [...recordNothing, ...decide];
    const wanted = (o: Operation) => (o.method === 'GET' || may.includes(o.id) ? undefined : 'ACCOUNT_CLOSED');
    expect(await strayed(caller, wanted, /^ACCOUNT_|^KEY_|^SESSION_/)).toEqual([]);
  });

  it('has nothing approved, and the verdict says why', async () => {
    const psp = await t.makePsp();
    const client = await t.makeClient(psp);
    await setStanding(t, psp, { operationalStanding: 'CLOSED' });
    for (const { apiKey } of [psp, client]) {
      const answer = await t.post('/v1/transaction/verifyTransaction', sale('after-the-end'), apiKey);
      expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/"DECLINED"/)]);
      expect(answer.text).toMatch(/PSP is closed/);
      expect(answer.text).not.toContain('APPROVED');
    }
  });

  it('is refused at once by the process that closed it, and within a second by every other', async () => {
    const psp = await t.makePsp();
    const client = await t.makeClient(psp);
    const write = (app: TestApp) => app.post('/v1/client/rotateSecret', {}, client.apiKey);
    for (const app of [t, other]) contentOf(await write(app));
    await setStanding(t, psp, { operationalStanding: 'CLOSED' });
    expectRefusal(await write(t), 403, 'ACCOUNT_CLOSED', /closed: it may read, and change nothing/);
    other.advance(1000);
    expectRefusal(await write(other), 403, 'ACCOUNT_CLOSED');
  });

  it('lets its people sign in, look, change their password and leave', async () => {
    const psp = await t.makePsp();
    await setStanding(t, psp, { operationalStanding: 'CLOSED' });
    const ada = await enter(t, psp, 'administrator');
    contentOf(await ada.get('/v1/overview'));
    contentOf(await ada.get('/v1/transaction'));
    expect((await ada.leave()).status).toBe(200);
  });

  it('is looked after by staff, who act by their own standing', async () => {
    const psp = await t.makePsp();
    const staff = await t.makeOperator();
    const login = contentOf(await t.post('/v1/telecom/sftpCredentials', { name: 'drop' }, psp.apiKey));
    await setStanding(t, psp, { operationalStanding: 'CLOSED' });
    const path = `/v1/telecom/sftpCredentials/${login.loginId}/revoke`;
    const body = { reason: 'the PSP was closed' };
    expectRefusal(await t.post(path, body, psp.apiKey), 403, 'ACCOUNT_CLOSED');
    contentOf(await t.post(path, body, staff.apiKey, { 'x-psp-id': psp.id }));
  });
});

describe('an account that is suspended', () => {
  it('gives out no keys and logins, changes no people and erases nobody; the rest it may, by the table', async () => {
    const psp = await t.makePsp();
    const ada = await enter(t, psp, 'administrator');
    const client = await t.makeClient(psp);
    await setStanding(t, psp, { operationalStanding: 'SUSPENDED' });
    const wanted = (o: Operation) => (forActive.includes(o.id) ? 'ACCOUNT_SUSPENDED' : undefined);
    for (const caller of [byKey('psp', psp.apiKey), byPerson(ada), byKey('client', client.apiKey)])
      expect(await strayed(caller, wanted, /^ACCOUNT_|^KEY_|^SESSION_/)).toEqual([]);
    await setStanding(t, psp, { operationalStanding: 'ACTIVE' });
    await t.makeClient(psp);
  });
});
