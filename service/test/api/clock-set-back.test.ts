// The machine's clock is set back, by a correction or an empty battery: revoked access stays revoked, and valid access
// stays valid.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { enter, invite, trySignIn } from '../support/people.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const steps = [
  ['ten minutes', 10 * minute],
  ['a day', day],
] as const;

const env = { ASSAY_MASTER_KEY: '7e'.repeat(32), RATE_PER_SECOND: '2', RATE_BURST: '20' };
let one: TestApp;
let two: TestApp;
let operator: Account;
beforeAll(async () => {
  one = await makeTestApp({ env });
  two = await makeTestApp({ env, database: one.database });
  operator = await one.makeOperator();
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const status = '/v1/client/verifyClientStatus';
const accounts = '/v1/admin/account';
/** Time passes in both processes. */
const pass = (ms: number) => {
  for (const t of [one, two]) t.advance(ms);
};

describe.each(steps)('a clock that is set back by %s', (_, back) => {
  it('does not keep a key alive that another process revoked', async () => {
    const psp = await one.makePsp();
    contentOf(await two.get(status, psp.apiKey));
    const [key] = contentOf(await one.get('/v1/key', psp.apiKey)).items;
    two.setClock(-back);
    try {
      contentOf(await one.post(`/v1/admin/key/${key.keyId}/revoke`, { reason: 'lost' }, operator.apiKey));
      pass(1000);
      expectRefusal(await two.get(status, psp.apiKey), 401, 'KEY_INVALID');
    } finally {
      two.setClock(back);
    }
  });

  it('does not keep a person signed in whom another process disabled', async () => {
    const person = await enter(one, operator, 'auditor');
    const asTwo = () => two.get(accounts, undefined, { cookie: person.cookie });
    contentOf(await asTwo());
    two.setClock(-back);
    try {
      await one.database.admin.query("UPDATE users SET state = 'DISABLED' WHERE email = $1", [person.email]);
      pass(1000);
      expectRefusal(await asTwo(), 401, 'SESSION_INVALID');
    } finally {
      two.setClock(back);
    }
  });

  it('keeps no good key out: its bucket goes on being refilled', async () => {
    const psp = await one.makePsp();
    for (let i = 0; i < 20; i++) contentOf(await one.get(status, psp.apiKey));
    expectRefusal(await one.get(status, psp.apiKey), 429, 'RATE_LIMITED');
    one.setClock(-back);
    try {
      for (let s = 0; s < 10; s++) {
        one.advance(1000);
        for (let i = 0; i < 2; i++) contentOf(await one.get(status, psp.apiKey));
      }
      expectRefusal(await one.get(status, psp.apiKey), 429, 'RATE_LIMITED');
    } finally {
      one.setClock(back);
    }
  });

  it('gives nobody a full bucket for nothing', async () => {
    const psp = await one.makePsp();
    for (let i = 0; i < 20; i++) contentOf(await one.get(status, psp.apiKey));
    for (const step of [-back, back]) {
      one.setClock(step);
      expectRefusal(await one.get(status, psp.apiKey), 429, 'RATE_LIMITED');
    }
  });

  it('locks nobody out for longer than twice what a sign-in is locked for', async () => {
    const person = await invite(one, operator, 'auditor');
    one.setClock(back);
    for (let i = 0; i < 5; i++)
      expectRefusal(await trySignIn(one, { ...person, password: 'not the one' }), 401, 'SIGN_IN_FAILED');
    expectRefusal(await trySignIn(one, person), 401, 'SIGN_IN_FAILED');
    one.setClock(-back);
    one.advance(30 * minute);
    expect((await trySignIn(one, person)).status).toBe(200);
  });
});

describe('a clock that was weeks ahead', () => {
  it('leaves no session behind that lasts for weeks', async () => {
    one.setClock(40 * day);
    const person = await enter(one, operator, 'auditor');
    contentOf(await person.get(accounts));
    one.setClock(-40 * day);
    expectRefusal(await person.get(accounts), 401, 'SESSION_INVALID');
  });
});
