// A database that fails under the service: during the failure nothing is approved or recorded, no error reveals
// internals, and the same requests succeed once it works again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { type Account, type Answer, type KeyKind, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, rowCount } from '../support/journal.ts';

let t: TestApp;
let keys: Record<KeyKind, Account>;

beforeAll(async () => {
  t = await makeTestApp();
  const psp = await t.makePsp();
  keys = { psp, client: await t.makeClient(psp), operator: await t.makeOperator() };
  for (const a of [keys.psp, keys.client]) contentOf(await t.get('/v1/client/verifyClientStatus', a.apiKey));
  contentOf(await t.get('/v1/admin/account', keys.operator.apiKey));
});
afterAll(() => t.stop());

const sql = (text: string) => t.database.admin.query(text);

const send = (o: Operation): Promise<Answer> => {
  const { apiKey } = keys[o.audience.includes('client') ? 'client' : (o.audience[0] as KeyKind)];
  const path = o.path.replace(/:\w+/g, keys.client.id);
  return o.method === 'GET' ? t.get(path, apiKey) : t.post(path, o.example ?? {}, apiKey);
};

/** What an error may never hold: parts of a stack, of a statement, of a path or of the driver's own words. */
const inner =
  /\bat \w|\.[jt]s\b|node_modules|\/src\/|\b(SELECT|INSERT|UPDATE|relation|column|schema|postgres|permission|sqlstate)\b|42P01|42501|3F000/;

const keyed = operations.filter((o) => o.access === undefined);
const sale = (ref: string) => ({
  ref,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 0,
});
const verify = (ref: string) => t.post('/v1/transaction/verifyTransaction', sale(ref), keys.client.apiKey);

describe('with every table gone', () => {
  it('every operation fails in the usual form, tells nothing of it and records nothing', async () => {
    const before = await entryCount(t);
    await sql('ALTER SCHEMA public RENAME TO gone');
    const answers = [];
    try {
      for (const o of keyed) answers.push([o, await send(o)] as const);
    } finally {
      await sql('ALTER SCHEMA gone RENAME TO public');
    }
    const failed = answers.filter(([, r]) => r.status !== 200);
    for (const [o, r] of failed) {
      expect(Object.keys(r.body), o.id).toEqual(['success', 'message']);
      expect(r.body.success, o.id).toBe(false);
      expect(r.body.message.replace(/'[^']*'/g, ''), o.id).not.toMatch(inner);
    }
    expect(failed.filter(([, r]) => r.status >= 500).length).toBeGreaterThan(50);
    // What is answered from memory alone reads, or found no file that waits.
    const fine = answers.filter(([, r]) => r.status === 200).map(([o]) => o);
    expect(fine.filter((o) => o.method !== 'GET').map((o) => o.id)).toEqual(['pickUpCdrFiles', 'checkRiskRule']);
    expect(await entryCount(t)).toBe(before);
  });
});

describe('a verification', () => {
  const broken: readonly (readonly [what: string, breaks: string, mends: string])[] = [
    [
      'the journal may not be written',
      'REVOKE INSERT ON journal FROM assay_app',
      'GRANT INSERT ON journal TO assay_app',
    ],
    ['the refs may not be read', 'REVOKE SELECT ON refs FROM assay_app', 'GRANT SELECT ON refs TO assay_app'],
    [
      'the table of transactions is gone',
      'ALTER TABLE transactions RENAME TO x',
      'ALTER TABLE x RENAME TO transactions',
    ],
    [
      'its PSP has no number in the journal',
      'ALTER TABLE journal_heads RENAME TO x',
      'ALTER TABLE x RENAME TO journal_heads',
    ],
    [
      'the commit ends in a fault after everything was written',
      `CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$;
       CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON journal DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION fails()`,
      'DROP TRIGGER fails ON journal; DROP FUNCTION fails',
    ],
  ];
  it.each(broken)('is never approved where %s, and is once that is mended', async (what, breaks, mends) => {
    const before = [await entryCount(t), await rowCount(t, 'transactions')];
    for (const s of breaks.split(/;\s+(?=CREATE CONSTRAINT)/)) await sql(s);
    let r: Answer;
    try {
      r = await verify(what);
    } finally {
      for (const s of mends.split('; ')) await sql(s);
    }
    expect(r.status, r.text).toBeGreaterThanOrEqual(500);
    expect(Object.keys(r.body)).toEqual(['success', 'message']);
    expect(r.body.message).not.toMatch(inner);
    expect([await entryCount(t), await rowCount(t, 'transactions')]).toEqual(before);
    expect(contentOf(await verify(what)).status).toBe('APPROVED');
    await expectJournalComplete(t);
  });
});
