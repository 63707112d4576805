// Scopes of keys: what each permits, that nobody gets more than they have, and that a key made before there were scopes may do everything.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { type Scope, scopes } from '../../src/core/scopes.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { told, uuidOf } from '../support/journal.ts';
import { enter } from '../support/people.ts';

let t: TestApp;
let staff: Account;
let psp: Account;
beforeAll(async () => {
  t = await makeTestApp();
  staff = await t.makeOperator();
  psp = await t.makePsp();
});
afterAll(() => t?.stop());

const issue = (of: Account, over: Record<string, unknown> = {}, by = staff.apiKey) =>
  t.post(`/v1/admin/account/${of.id}/key`, { name: 'narrow', ...over }, by);
const keyWith = async (of: Account, ...held: Scope[]): Promise<string> =>
  contentOf(await issue(of, { scopes: held })).apiKey;
const exampleOf = (id: string) => operations.find((o) => o.id === id)?.example as Record<string, unknown>;
const sale = (ref: string) => ({ ...exampleOf('verifyTransaction'), ref });
const verify = (ref: string, key: string) => t.post('/v1/transaction/verifyTransaction', sale(ref), key);
const scopesOf = async (of: Account, key: string): Promise<Scope[]> => {
  const { items } = contentOf(await t.get(`/v1/admin/account/${of.id}/key`, staff.apiKey));
  return items.find((k: { keyId: string }) => k.keyId === `key_${key.split('_')[1]}`).scopes;
};

/** What people expect of a key for their checkout, their bookkeeping, their dashboards and their administration. */
const telling: Readonly<Record<string, readonly Scope[]>> = {
  verifyTransaction: ['payments'],
  verifyTransactionStatus: ['payments', 'read'],
  verifyClientStatus: ['payments', 'read'],
  declineTransaction: ['payments'],
  chargeBack: ['payments'],
  deposit: ['payments'],
  captureWager: ['payments'],
  submitBasket: ['payments'],
  taxQuote: ['payments'],
  taxRates: ['payments', 'read'],
  listTaxChanges: ['payments', 'read'],
  listExchangeRates: ['payments', 'read'],
  recordCDR: ['records'],
  listCdrs: ['records', 'read'],
  closeCdrPeriod: ['records'],
  createReport: ['records'],
  getStatement: ['records', 'read'],
  excludePlayer: ['records'],
  playerBalance: ['records'],
  setPlayerPolicy: ['administration'],
  netChargeback: ['records'],
  resolveReview: ['records'],
  findSubject: ['records'],
  eraseSubject: ['administration'],
  registerClient: ['administration'],
  addPSPSecret: ['administration'],
  subscribeToClient: ['administration'],
  rotateSecret: ['administration'],
  listWebhooks: ['administration', 'read'],
  createSftpCredentials: ['administration'],
  createUser: ['administration'],
  listUsers: ['administration', 'read'],
  issueKey: ['administration'],
  revokeKey: ['administration'],
  setStanding: ['administration'],
  setFee: ['administration'],
  loadTax: ['administration'],
  loadExchangeRates: ['administration'],
  loadList: ['administration'],
  listLists: ['records', 'read'],
};

const keyed = operations.filter((o) => o.access === undefined);

describe.each(scopes)('a key with the scope %s', (scope) => {
  let keys: Record<'psp' | 'operator', string>;
  beforeAll(async () => {
    keys = { psp: await keyWith(psp, scope), operator: await keyWith(staff, scope) };
  });
  const isRefused = async (o: Operation): Promise<boolean> => {
    const key = keys[o.audience.includes('psp') ? 'psp' : 'operator'];
    const path = o.path.replace(/:\w+/g, 'none');
    const r = o.method === 'GET' ? await t.get(path, key) : await t.post(path, {}, key);
    if (r.headers.get('x-error-code') !== 'SCOPE') return false;
    expectRefusal(
      r,
      403,
      'SCOPE',
      new RegExp(`^${o.id} needs a key with the scope \\w+( or read)?; this key has ${scope}$`),
    );
    return true;
  };

  it('is refused exactly what people expect of the telling operations', async () => {
    const differ: string[] = [];
    for (const [id, permitting] of Object.entries(telling)) {
      const o = keyed.find((x) => x.id === id) as Operation;
      if ((await isRefused(o)) === permitting.includes(scope)) differ.push(id);
    }
    expect(differ).toEqual([]);
  });
});

it('every operation is permitted by one scope, and every GET by read too', async () => {
  const keys = await Promise.all(
    scopes.map(async (s) => ({ psp: await keyWith(psp, s), operator: await keyWith(staff, s) })),
  );
  const wrong: string[] = [];
  for (const o of keyed) {
    const path = o.path.replace(/:\w+/g, 'none');
    const kind = o.audience.includes('psp') ? 'psp' : 'operator';
    let permitting = 0;
    for (const k of keys) {
      const r = o.method === 'GET' ? await t.get(path, k[kind]) : await t.post(path, {}, k[kind]);
      if (r.headers.get('x-error-code') !== 'SCOPE') permitting++;
    }
    if (permitting !== (o.method === 'GET' ? 2 : 1)) wrong.push(`${o.id}: ${permitting}`);
  }
  expect(wrong).toEqual([]);
});

describe('a narrow key', () => {
  it('is listed, journalled and returned with its scopes; of one without, they are all', async () => {
    const made = contentOf(await issue(psp, { scopes: ['read', 'payments'] }));
    expect(made.scopes).toEqual(['payments', 'read']);
    expect(await scopesOf(psp, made.apiKey)).toEqual(['payments', 'read']);
    const [entry] = await told(t, made.keyId);
    expect(entry?.body.data.key.scopes).toEqual(['payments', 'read']);
    expect(await scopesOf(psp, psp.apiKey)).toEqual([...scopes]);
    expect(contentOf(await issue(psp)).scopes).toEqual([...scopes]);
  });

  it('works within its scopes, as a live key and as a test key', async () => {
    const live = await keyWith(psp, 'payments');
    const { apiKey: test } = contentOf(await issue(psp, { scopes: ['payments'], mode: 'test' }));
    for (const key of [live, test]) {
      contentOf(await verify(`narrow-${key.slice(-8)}`, key));
      contentOf(await t.get('/v1/transaction', key));
      expectRefusal(await t.get('/v1/totals', key), 403, 'SCOPE');
      expectRefusal(await t.post('/v1/client/registerClient', exampleOf('registerClient'), key), 403, 'SCOPE');
    }
  });

  it('is refused a scope that there is not, and none', async () => {
    expectRefusal(await issue(psp, { scopes: ['all'] }), 400, 'FIELD_INVALID');
    expectRefusal(await issue(psp, { scopes: [] }), 400, 'FIELD_INVALID');
  });

  it('is not valid after its scopes were changed in the database', async () => {
    for (const [held, changed] of [
      [['payments'], null],
      [['payments'], 'payments administration'],
      [[...scopes], 'read'],
    ] as [Scope[], string | null][]) {
      const { keyId, apiKey } = contentOf(await issue(psp, { scopes: held }));
      await t.database.admin.query('UPDATE api_keys SET scopes = $2 WHERE id = $1', [uuidOf(keyId), changed]);
      expectRefusal(await t.get('/v1/transaction', apiKey), 401, 'KEY_INVALID');
    }
  });

  it('cannot give what it does not have, in any way that there is', async () => {
    const own = await keyWith(staff, 'administration');
    const ofPsp = await keyWith(psp, 'administration');
    // Keys: for others and for itself, by name, by rotation, and of new accounts.
    for (const account of [staff, psp]) {
      expectRefusal(
        await issue(account, { scopes: ['payments'] }, own),
        403,
        'SCOPE',
        /than your key, which has administration/,
      );
      expectRefusal(await issue(account, { scopes: [...scopes], graceHours: 1 }, own), 403, 'SCOPE');
      expect(contentOf(await issue(account, {}, own)).scopes).toEqual(['administration']);
    }
    const madeKeys = [
      contentOf(await t.post('/v1/admin/psp', exampleOf('createPsp'), own)).apiKey,
      contentOf(await t.post('/v1/client/registerClient', exampleOf('registerClient'), ofPsp)).apiKey,
    ];
    for (const key of madeKeys) expectRefusal(await verify('made', key), 403, 'SCOPE', /this key has administration$/);
    const { apiKey: night } = contentOf(await t.post('/v1/admin/operator', { name: 'Night shift' }, own));
    expectRefusal(await t.get('/v1/journal', night), 403, 'SCOPE', /this key has administration$/);
    // People, who are limited by roles only.
    const ada = await enter(t, psp, 'administrator');
    const eve = await enter(t, psp, 'auditor');
    const person = (role: string) => ({ email: `${role}@example.com`, name: 'Made', role });
    for (const [path, body] of [
      ['', person('administrator')],
      ['', person('auditor')],
      [`/${eve.userId}/role`, { role: 'administrator', reason: 'x' }],
      [`/${ada.userId}/password`, { reason: 'x' }],
      [`/${ada.userId}/enable`, { reason: 'x' }],
      [`/${eve.userId}/password`, { reason: 'x' }],
    ] as const)
      expectRefusal(await t.post(`/v1/admin/user${path}`, body, ofPsp), 403, 'SCOPE', /^a person with the role/);
    contentOf(await t.post(`/v1/admin/user/${eve.userId}/disable`, { reason: 'x' }, ofPsp));
    // A login of the file drop, which hands in records.
    const login = contentOf(await t.post('/v1/telecom/sftpCredentials', { name: 'drop' }, psp.apiKey));
    const key = exampleOf('addSftpKey');
    expectRefusal(await t.post('/v1/telecom/sftpCredentials', { name: 'x' }, ofPsp), 403, 'SCOPE');
    expectRefusal(await t.post(`/v1/telecom/sftpCredentials/${login.loginId}/key`, key, ofPsp), 403, 'SCOPE');

    const wider = await keyWith(psp, 'administration', 'records', 'read');
    contentOf(await t.post('/v1/admin/user', person('auditor'), wider));
    contentOf(await t.post('/v1/telecom/sftpCredentials', { name: 'x' }, wider));
    expectRefusal(await t.post('/v1/admin/user', person('administrator'), wider), 403, 'SCOPE');
    const demotion = { role: 'auditor', reason: 'x' };
    expectRefusal(await t.post(`/v1/admin/user/${ada.userId}/role`, demotion, wider), 403, 'SCOPE', /administrator/);
    contentOf(await t.post(`/v1/admin/user/${eve.userId}/role`, { ...demotion, role: 'reviewer' }, wider));
  });

  it('that repeats a registration does not get the key that a wider one got', async () => {
    const body = { ...exampleOf('registerClient'), registrationNumber: 'RC-REPEATED' };
    const narrow = await keyWith(psp, 'administration');
    const first = await t.post('/v1/client/registerClient', body, psp.apiKey);
    expectRefusal(await t.post('/v1/client/registerClient', body, narrow), 409, 'ALREADY_REGISTERED');
    const again = await t.post('/v1/client/registerClient', body, psp.apiKey);
    expect(contentOf(again).apiKey).toBe(contentOf(first).apiKey);
  });
});

describe('a key without scopes of its own', () => {
  it('of a client that its PSP registered does everything that the specification names for clients', async () => {
    const client = await t.makeClient(psp);
    const forClients = operations.filter((o) => o.spec && o.audience.includes('client'));
    expect(forClients.length).toBeGreaterThan(12);
    for (const o of forClients) {
      const r =
        o.method === 'GET' ? await t.get(o.path, client.apiKey) : await t.post(o.path, o.example, client.apiKey);
      expect([o.id, r.headers.get('x-error-code')]).not.toEqual([o.id, 'SCOPE']);
    }
  });

  it('leaves people to their roles', async () => {
    const ada = await enter(t, psp, 'administrator');
    contentOf(await ada.post('/v1/transaction/verifyTransaction', sale('by-ada')));
    contentOf(await ada.get('/v1/webhook'));
  });
});
