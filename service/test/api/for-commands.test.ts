// Operations for the command line: operators, owners of ids, keys that replace others, several countries in one request
// (decision 0118).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { taxFolder } from '../../src/platform/data-files.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { entryCount, expectJournalComplete } from '../support/journal.ts';

let t: TestApp;
let operator: Account;
let psp: Account;
let client: Account;
const post = (path: string, body: unknown, key = operator.apiKey) => t.post(path, body, key);
const status = async (key: string) => (await t.get('/v1/client/verifyClientStatus', key)).status;

beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(async () => {
  await expectJournalComplete(t);
  await t.stop();
});

describe('createOperator', () => {
  it('makes an operator whose key opens the operations of staff, and no others', async () => {
    const made = contentOf(await post('/v1/admin/operator', { name: ' Night shift ' }));
    expect(made).toEqual({
      operatorId: expect.stringMatching(/^psp_/),
      name: 'Night shift',
      apiKey: expect.stringMatching(/^asy_/),
    });
    expect((await t.get('/v1/admin/account', made.apiKey)).status).toBe(200);
    expectRefusal(await t.get('/v1/transaction', made.apiKey), 403, 'AUDIENCE');
  });

  it.each([
    ['a PSP', () => psp],
    ['a client', () => client],
  ])('is refused to %s', async (_who, account) => {
    const before = await entryCount(t);
    const r = await post('/v1/admin/operator', { name: 'x' }, account().apiKey);
    expectRefusal(r, 403, 'AUDIENCE', "createOperator is for an operator's key");
    expect(await entryCount(t)).toBe(before);
  });
});

describe('issueKey with graceHours', () => {
  const issue = (body: Record<string, unknown>) => post(`/v1/admin/account/${client.id}/key`, { name: 'new', ...body });

  it.each([
    ['an end of its own', { graceHours: 1, expiresAt: '2027-01-01T00:00:00Z' }],
    ['the mode test', { graceHours: 1, mode: 'test' }],
    ['more than a year', { graceHours: 8785 }],
  ])('is refused with %s, and all keys go on', async (_what, body) => {
    const before = await entryCount(t);
    expectRefusal(await issue(body), 400, 'FIELD_INVALID');
    expect([await entryCount(t), await status(client.apiKey)]).toEqual([before, 200]);
  });

  it('ends all other keys after the grace, and the new one not', async () => {
    const made = contentOf(await issue({ graceHours: 2 }));
    expect(made).toMatchObject({ name: 'new', expiresAt: null, mode: 'live', clientId: client.id });
    expect(made.replaced).toMatchObject([
      { name: 'first key', expiresAt: new Date(t.now() + 7_200_000).toISOString() },
    ]);
    expect([await status(made.apiKey), await status(client.apiKey)]).toEqual([200, 200]);
    t.advance(7_200_001);
    expect([await status(made.apiKey), await status(client.apiKey)]).toEqual([200, 401]);
  });
});

describe('loadTax with further countries', () => {
  const shipped = (code: string) => JSON.parse(readFileSync(join(taxFolder, `${code}.json`), 'utf8'));
  const loaded = async () => {
    const rows = await t.database.admin.query(
      "SELECT body FROM journal WHERE kind = 'rates.changed' AND body::json #>> '{actor,by}' <> 'system'",
    );
    return rows.map((r) =>
      JSON.parse(r.body as string).data.countries.map((c: { jurisdiction: string }) => c.jurisdiction),
    );
  };

  it('puts all of them in force in one change, or none', async () => {
    const half = { ...shipped('AD'), rules: 'none' };
    const refused = await post('/v1/admin/tax', { reason: 'r', country: shipped('LI'), further: [half] });
    expectRefusal(refused, 400, 'RATES_INVALID');
    expect(refused.body.message).toContain('further[0]: ');
    expect(await loaded()).toEqual([]);
    const r = await post('/v1/admin/tax', { reason: 'r', country: shipped('LI'), further: [shipped('AD')] });
    expect(contentOf(r)).toMatchObject({ jurisdiction: 'LI' });
    expect(await loaded()).toEqual([['LI', 'AD']]);
  });

  it('takes every country file that ships at once', async () => {
    const files = readdirSync(taxFolder).filter((f) => f.endsWith('.json'));
    const [first, ...further] = files.map((f) => shipped(f.slice(0, -'.json'.length)));
    contentOf(await post('/v1/admin/tax', { reason: 'all', country: first, further }));
    expect((await loaded()).at(-1)).toHaveLength(files.length);
  });
});

describe('call detail files of everybody', () => {
  it('are picked up and listed for an operator, and for nobody else', async () => {
    const other = await t.makeClient(await t.makePsp('Other PSP'));
    for (const [i, account] of [client, other].entries())
      drop(dataDirOf(t), account, `${i}.csv`, cdrText(cdrRow(i + 1)));
    expect(
      contentOf(await t.raw('/v1/telecom/pickUp', { method: 'POST', headers: { 'x-api-key': operator.apiKey } })),
    ).toEqual({
      taken: 2,
    });
    const files = async (key: string) =>
      contentOf(await t.get('/v1/telecom/file', key)).items.map((f: { clientId: string }) => f.clientId);
    expect((await files(operator.apiKey)).sort()).toEqual([client.id, other.id].sort());
    expect(await files(psp.apiKey)).toEqual([client.id]);
    await t.app.services.cdrIntake.work();
  });
});
