// No commit that begins after a key was revoked, or its account closed, succeeds with it, in whichever process: two
// processes share a database, and the second trusts for ever what it knows, because its clock stands still.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal, issueKey, revokeKey, setStanding } from '../support/guarantees.ts';
import { expectJournalComplete, rowCount } from '../support/journal.ts';

const env = { ASSAY_MASTER_KEY: 'ef'.repeat(32) };
let one: TestApp;
let two: TestApp;
beforeAll(async () => {
  one = await makeTestApp({ env });
  two = await makeTestApp({ env, database: one.database });
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});
beforeEach(() => two.advance(60_000));

let refs = 0;
const sale = () => ({
  ref: `sale-${++refs}`,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 1.5,
  mcc: '5732',
});
const verify = (key: string) => two.post('/v1/transaction/verifyTransaction', sale(), key);
const read = (key: string) => two.get('/v1/client/verifyClientStatus', key);
/** What happened to an account, in the order of the commits. */
const journal = (a: Account) =>
  one.database.admin.query('SELECT kind FROM journal WHERE account_id = $1 ORDER BY seq', [a.uuid]);

describe('a key revoked in another process', () => {
  it('commits nothing from then on, while it is still trusted for reading', async () => {
    const client = await one.makeClient(await one.makePsp());
    const spare = await issueKey(one, client);
    contentOf(await verify(spare.apiKey));
    await revokeKey(one, spare.keyId);
    contentOf(await read(spare.apiKey));
    const before = await rowCount(one, 'transactions');
    expectRefusal(await verify(spare.apiKey), 401, 'KEY_INVALID');
    expect(await rowCount(one, 'transactions')).toBe(before);
    // The commit has told this process.
    expectRefusal(await read(spare.apiKey), 401, 'KEY_INVALID');
    contentOf(await verify(client.apiKey));
  });

  it('has no entry after its revocation, however its commits and the revocation meet', async () => {
    const psp = await one.makePsp();
    let answered = 0;
    for (let round = 0; round < 12; round++) {
      // Failed sign-ins are limited.
      two.advance(60_000);
      const client = await one.makeClient(psp);
      const spare = await issueKey(one, client);
      let sent = 0;
      const sending = Array.from({ length: 8 }, async () => {
        while (sent < 40) {
          const mine = sent++;
          const r = await verify(spare.apiKey);
          if (r.status === 200) answered++;
          else expectRefusal(r, 401, 'KEY_INVALID');
          if (mine === 2 * round) await revokeKey(one, spare.keyId);
        }
      });
      await Promise.all(sending);
      const entries = await journal(client);
      const revoked = entries.findIndex((e) => e.kind === 'key.revoked');
      expect(revoked).toBeGreaterThan(0);
      expect(entries.slice(revoked + 1)).toEqual([]);
    }
    // Each answer of 200 is a record, and nothing else is.
    expect(await rowCount(one, 'transactions', 'psp_id = $1', [psp.uuid])).toBe(answered);
    expect(answered).toBeGreaterThan(0);
    await expectJournalComplete(one);
  });

  it('commits nothing by an operation that asks nothing of accounts, or writes in a transaction of its own', async () => {
    const psp = await one.makePsp();
    for (const [path, body] of [
      ['/v1/client/subscribeToClient', { webhookUrl: 'https://hooks.example.com/a' }],
      ['/v1/report', { kind: 'vatReturn', period: '2026-11', countryCode: 'NG' }],
    ] as const) {
      const spare = await issueKey(one, psp);
      contentOf(await read(spare.apiKey));
      await revokeKey(one, spare.keyId);
      expectRefusal(await two.post(path, body, spare.apiKey), 401, 'KEY_INVALID');
    }
  });
});

describe('an account that changes while a key of it writes', () => {
  const report = { kind: 'vatReturn', period: '2026-11', countryCode: 'NG' };
  /** Requests a report with the PSP's key, whose commit waits until the PSP's row is changed so. */
  async function requestDuring(psp: Account, change: string, key: string) {
    const { admin } = one.database;
    let asked: ReturnType<typeof two.post> | undefined;
    await admin.transaction(async (tx) => {
      await tx.query(`UPDATE accounts SET ${change} WHERE id = $1`, [psp.uuid]);
      if (change.includes('access'))
        await tx.query(`UPDATE api_keys SET revoked_at = now() WHERE account_id = $1`, [psp.uuid]);
      asked = two.post('/v1/report', report, key);
      await until('its commit waits for the row', async () => {
        const waiting = await admin.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_batch%'`,
        );
        return waiting.length > 0;
      });
    });
    return asked as NonNullable<typeof asked>;
  }

  it('is no reason to send the call again where the service changed something of its own', async () => {
    const psp = await one.makePsp();
    contentOf(await requestDuring(psp, 'version = version + 1', psp.apiKey));
    expect(await rowCount(one, 'reports', 'psp_id = $1', [psp.uuid])).toBe(1);
  });

  it('refuses what the key may no longer do', async () => {
    const psp = await one.makePsp();
    const spare = await issueKey(one, psp);
    expectRefusal(await requestDuring(psp, 'access = access + 1', spare.apiKey), 401, 'KEY_INVALID');
    expect(await rowCount(one, 'reports', 'psp_id = $1', [psp.uuid])).toBe(0);
  });
});

describe('an account closed in another process', () => {
  it.each(['client', 'psp'])('commits nothing that a closed account may not do: its %s', async (whose) => {
    const psp = await one.makePsp();
    const client = await one.makeClient(psp);
    contentOf(await read(client.apiKey));
    contentOf(await verify(client.apiKey));
    await setStanding(one, whose === 'psp' ? psp : client, { operationalStanding: 'CLOSED' });
    expect(contentOf(await verify(client.apiKey)).status).toBe('DECLINED');
    expectRefusal(
      await two.post('/v1/client/subscribeToClient', { webhookUrl: 'https://hooks.example.com/b' }, client.apiKey),
      403,
      'ACCOUNT_CLOSED',
    );
  });
});
