// A country's tax rules as a file: what is in force, which may be loaded again.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';

let t: TestApp;
let staff: Account;
beforeAll(async () => {
  t = await makeTestApp();
  staff = await t.makeOperator();
});
afterAll(() => t?.stop());

const shipped = (code: string) =>
  JSON.parse(readFileSync(new URL(`../../data/tax/${code}.json`, import.meta.url), 'utf8'));
const file = (code: string, key?: string) => t.get(`/v1/admin/tax/${code}`, key);

describe('getTaxFile', () => {
  it('is the file in force: the shipped one, then the one that was loaded', async () => {
    expect(contentOf(await file('li', staff.apiKey))).toEqual({ countryCode: 'LI', file: shipped('LI') });
    const changed = { ...shipped('LI'), name: 'Principality' };
    contentOf(await t.post('/v1/admin/tax', { reason: 'its name', country: changed }, staff.apiKey));
    expect(contentOf(await file('LIE', staff.apiKey)).file).toEqual(changed);
  });

  it('refuses a country that is none', async () => {
    expectRefusal(await file('ZZ', staff.apiKey), 400, 'UNKNOWN_COUNTRY');
  });

  it('is for operators alone', async () => {
    const psp = await t.makePsp();
    expectRefusal(await file('LI'), 401, 'KEY_MISSING');
    for (const { apiKey } of [psp, await t.makeClient(psp)]) expectRefusal(await file('LI', apiKey), 403, 'AUDIENCE');
  });
});
