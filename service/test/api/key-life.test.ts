// The life of an API key: each change is made and counted once, in whichever process it is requested, and an operator
// that is not active has no working key.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/core/refusal.ts';
import { AccessChanges } from '../../src/modules/accounts/access-changes.ts';
import { KeyRing } from '../../src/modules/accounts/keys.ts';
import { rotateKey } from '../../src/modules/accounts/rotate-key.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import type { Database } from '../../src/platform/database.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, setStanding } from '../support/guarantees.ts';
import { expectJournalComplete, told, uuidOf } from '../support/journal.ts';
import { enter } from '../support/people.ts';

/** Both processes open the same secrets. */
const env = { ASSAY_MASTER_KEY: 'cd'.repeat(32) };

let one: TestApp;
let two: TestApp;
let psp: Account;
let chief: Account;
beforeAll(async () => {
  one = await makeTestApp({ env });
  two = await makeTestApp({ env, database: one.database });
  psp = await one.makePsp();
  chief = await one.makeOperator();
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const issue = async (a: Account, t = one): Promise<{ keyId: string; apiKey: string }> =>
  contentOf(await t.post(`/v1/admin/account/${a.id}/key`, { name: 'spare' }, chief.apiKey));
const revoke = (keyId: string, t = one) => t.post(`/v1/admin/key/${keyId}/revoke`, { reason: 'leaked' }, chief.apiKey);
const rotate = (a: Account, graceMs: number, t = one) =>
  rotateKey(t.app.services, system, uuidOf(a.id), { name: 'rotation' }, graceMs, t.now());
const entries = async (keyId: string) => (await told(one, keyId)).map((e) => [e.kind, e.body.version]);

describe('a key in memory', () => {
  it('is recalled after a call that was decided again, such as one that is repeated', async () => {
    const { keys } = one.app.services;
    const sale = {
      ref: 'again',
      totalAmount: 20,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: { card: 20 },
      transactionFee: 1,
    };
    for (let i = 0; i < 3; i++) {
      contentOf(await one.post('/v1/transaction/verifyTransaction', sale, psp.apiKey));
      expect(keys.recall(psp.apiKey)?.account).toBe(psp.uuid);
    }
  });

  it('is read again after five minutes: one that was ended by hand opens nothing from then on', async () => {
    const { keyId, apiKey } = await issue(psp);
    const status = () => one.get('/v1/client/verifyClientStatus', apiKey);
    contentOf(await status());
    await one.database.admin.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [uuidOf(keyId)]);
    one.advance(5 * 60_000);
    expectRefusal(await status(), 401, 'KEY_INVALID');
  });
});

describe("a key's journal entries", () => {
  it('count its changes, from its issue to its end', async () => {
    const house = await one.makePsp();
    const { keyId } = await issue(house);
    await rotate(house, 7_200_000);
    await rotate(house, 3_600_000);
    contentOf(await revoke(keyId));
    expect(await entries(keyId)).toEqual([
      ['key.issued', 1],
      ['key.updated', 2],
      ['key.updated', 3],
      ['key.revoked', 4],
    ]);
  });

  it('count on where a key was issued without a ref of its own', async () => {
    const house = await one.makePsp();
    const { keyId } = await issue(house);
    await one.database.admin.query("DELETE FROM refs WHERE space = 'key' AND ref = $1", [uuidOf(keyId)]);
    await rotate(house, 3_600_000);
    contentOf(await revoke(keyId));
    expect(await entries(keyId)).toEqual([
      ['key.issued', 1],
      ['key.updated', 2],
      ['key.revoked', 3],
    ]);
  });
});

describe('two processes', () => {
  it('revoke a key once, whoever is asked, and answer alike', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => issue(psp)));
    const answers = await Promise.all(keys.flatMap(({ keyId }) => [one, two, one, two].map((t) => revoke(keyId, t))));
    for (const [i, { keyId }] of keys.entries()) {
      const own = answers.slice(4 * i, 4 * i + 4);
      expect(own.map((r) => r.status)).toEqual([200, 200, 200, 200]);
      expect(new Set(own.map((r) => r.text)).size).toBe(1);
      expect(await entries(keyId)).toEqual([
        ['key.issued', 1],
        ['key.revoked', 2],
      ]);
    }
  });

  it('rotate and revoke the same keys at once without losing or doubling a step', async () => {
    const house = await one.makePsp();
    for (let round = 1; round <= 5; round++) {
      const { keyId } = await issue(house);
      await Promise.all([rotate(house, 3_600_000 / round, one), rotate(house, 1_800_000 / round, two), revoke(keyId)]);
    }
    await expectJournalComplete(one);
  });
});

describe('an operator whose account is not ACTIVE', () => {
  const ask = (t: TestApp, key: string) => t.get('/v1/admin/account', key);

  it.each([
    ['SUSPENDED', 'suspended'],
    ['CLOSED', 'closed'],
  ])('is refused while %s, here at once and in another process within a second', async (standing, says) => {
    const leaving = await one.makeOperator();
    for (const t of [one, two]) contentOf(await ask(t, leaving.apiKey));
    await setStanding(one, leaving, { operationalStanding: standing });
    const refused = [401, 'KEY_INVALID', `the operator's account is ${says}`] as const;
    expectRefusal(await ask(one, leaving.apiKey), ...refused);
    two.advance(1000);
    expectRefusal(await ask(two, leaving.apiKey), ...refused);
    expectRefusal(await ask(one, (await issue(leaving)).apiKey), ...refused);
    contentOf(await ask(two, chief.apiKey));
  });

  it('is let in again when the account is ACTIVE again', async () => {
    const away = await one.makeOperator();
    await setStanding(one, away, { operationalStanding: 'SUSPENDED' });
    expect((await ask(one, away.apiKey)).status).toBe(401);
    await setStanding(one, away, { operationalStanding: 'ACTIVE' });
    contentOf(await ask(one, away.apiKey));
  });

  it('differs from a suspended client, whose key goes on reading', async () => {
    const client = await one.makeClient(psp);
    await setStanding(one, client, { operationalStanding: 'SUSPENDED' });
    contentOf(await one.get('/v1/client/verifyClientStatus', client.apiKey));
  });
});

describe('the session of a person', () => {
  let invited = 0;

  it.each(['disabled', 'reset', 'signed out'])(
    'is refused once they are %s, here at once and in another process within a second',
    async (what) => {
      const house = await one.makeOperator();
      const person = await enter(one, house, 'auditor');
      const at = (t: TestApp) => t.get('/v1/admin/account', undefined, { cookie: person.cookie });
      for (const t of [one, two]) contentOf(await at(t));
      if (what === 'signed out') await person.leave();
      else {
        const path = `/v1/admin/user/${person.userId}/${what === 'reset' ? 'password' : 'disable'}`;
        contentOf(await one.post(path, { reason: 'left' }, house.apiKey));
      }
      expectRefusal(await at(one), 401, 'SESSION_INVALID');
      two.advance(1000);
      expectRefusal(await at(two), 401, 'SESSION_INVALID');
    },
  );

  it('has the role of this moment, here at once and in another process within a second', async () => {
    const house = await one.makeOperator();
    const person = await enter(one, house, 'administrator');
    const proof = { cookie: person.cookie, 'x-csrf-token': person.csrfToken };
    const invite = (t: TestApp) =>
      t.post(
        '/v1/admin/user',
        { email: `${++invited}@guests.example`, name: 'Guest', role: 'auditor' },
        undefined,
        proof,
      );
    for (const t of [one, two]) contentOf(await invite(t));
    const change = { role: 'auditor', reason: 'changed teams' };
    contentOf(await one.post(`/v1/admin/user/${person.userId}/role`, change, house.apiKey));
    expectRefusal(await invite(one), 403, 'ROLE');
    two.advance(1000);
    expectRefusal(await invite(two), 403, 'ROLE');
  });
});

describe('many keys', () => {
  it('asked for at once are read with one statement, and each revocation is seen within a second', async () => {
    const house = await one.makePsp();
    const keys: { keyId: string; apiKey: string }[] = [];
    for (let i = 0; i < 50; i++) keys.push(await issue(house));
    const { db } = one.app.services;
    let statements = 0;
    let at = 0;
    const counted: Database = {
      query(text, values) {
        // That they were used for the first time is stored beside.
        if (!text.startsWith('UPDATE')) statements++;
        return db.query(text, values);
      },
    };
    const ring = new KeyRing(counted, one.now, new AccessChanges(counted, () => at));
    const all = () => Promise.all(keys.map(async ({ apiKey }) => await ring.resolve(apiKey)));
    expect((await all()).filter((p) => p instanceof Refusal)).toEqual([]);
    // One for what changed, one for the keys.
    expect(statements).toBe(2);
    at += 300;
    await all();
    expect(statements).toBe(2);
    await revoke(keys[7]?.keyId as string, two);
    at += 1000;
    const after = await all();
    expect(after.flatMap((p, i) => (p instanceof Refusal ? [i] : []))).toEqual([7]);
    // What changed, and again the keys of that account.
    expect(statements).toBe(4);
  });

  it('are each answered where the same one is asked for again, forgotten meanwhile', async () => {
    const { apiKey, keyId } = await issue(await one.makePsp());
    const ring = new KeyRing(one.app.services.db, one.now, new AccessChanges(one.app.services.db, () => 0));
    const first = ring.resolve(apiKey);
    ring.forget(uuidOf(keyId));
    const [a, b] = await Promise.all([first, ring.resolve(apiKey)]);
    expect([a instanceof Refusal, b instanceof Refusal]).toEqual([false, false]);
  });
});
