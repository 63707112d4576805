// All records of a customer, number, wallet, transfer or IP address are found, by those who may see them, quickly in a
// large database: payments, wagers, payouts, and the calls of a number.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordLookups } from '../../src/modules/wagers/index.ts';
import { Backfills } from '../../src/platform/backfills.ts';
import { transactions } from '../../src/records/transactions.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { aCall } from '../support/calls.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import {
  contentOf,
  expectRefusal,
  limitsText,
  namesIgnoredFields,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';
import { uuidOf } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let gamer: Account;
let stranger: Account;
/** What each call made. */
const made: Record<string, string> = {};

const wallet = '0x52908400098527886E0F7030069857D2E4169EE7';
const hash = `0x${'ab12'.repeat(16)}`;
const customer = { email: 'Found.Person@example.com', name: 'Found', phoneNumber: '08031234567' };
const number = '+2348031234567';
/** Between two others. */
const otherCall = { ...aCall, caller_number: '+2348030000001', receiver_number: '+2348030000002' };
const common = { totalAmount: 1000, currency: 'NGN', countryCode: 'NG', transactionFee: 1 };

const wire: Wire = {
  app: () => t,
  method: 'POST',
  path: '/v1/record/find',
  caller: () => psp,
  body: async () => ({ by: 'customer', value: customer.email }),
};

async function record(by: Account, tag: string): Promise<void> {
  const post = async (name: string, path: string, body: object) => {
    const c = contentOf(await t.post(path, { ref: `${tag}-${name}`, ...body }, by.apiKey)) as Record<string, string>;
    made[`${tag}-${name}`] = (c.payoutId ?? c.wagerId ?? c.cdrId ?? c.transactionId) as string;
  };
  await post('deposit', '/v1/payment/deposit', { ...common, customer });
  const crypto = { ...common, currency: 'USDT', customer, blochainHash: hash };
  await post('cryptoIn', '/v1/payment/cryptoDeposit', crypto);
  await post('cryptoOut', '/v1/payment/cryptoWithdrawal', { ...crypto, toAddress: wallet });
  await post('bet', '/captureWager', { amount: 5, customer, ip: '2c0f:fe38:2000:0:0:0:0:1', type: 'sports' });
  await post('win', '/capturePayout', { amount: 9, customer, wagerReference: `${tag}-bet` });
  const call = { ...otherCall, cdr_id: `${tag}-call` };
  await post('made', '/v1/telecom/recordCDR', { ...call, caller_number: number });
  await post('heard', '/v1/telecom/recordCDR', { ...call, cdr_id: `${tag}-heard`, receiver_number: '002348031234567' });
  await post('others', '/v1/telecom/recordCDR', { ...call, cdr_id: `${tag}-others` });
}

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
  gamer = await t.makeClient(psp, { classification: 'IGAMING_LOCAL' });
  stranger = await t.makeClient(await t.makePsp('Elsewhere'));
  await record(client, 'a');
  await record(gamer, 'b');
  await record(stranger, 'c');
});
afterAll(() => t?.stop());

interface Item {
  readonly id: string;
  readonly type: string;
  readonly clientId: string;
}
const found = async (by: string, value: string, key = psp.apiKey, over: object = {}): Promise<Item[]> =>
  contentOf(await t.post('/v1/record/find', { by, value, ...over }, key)).items;
const names = (items: readonly Item[]) =>
  items.map((i) => Object.keys(made).find((n) => made[n] === i.id) ?? i.id).sort();
const ofBoth = (...kinds: string[]) => ['a', 'b'].flatMap((tag) => kinds.map((k) => `${tag}-${k}`)).sort();

describe('findRecords', () => {
  describe('accepts', () => {
    it.each([
      ['customer', 'found.person@EXAMPLE.com', ofBoth('deposit', 'cryptoIn', 'cryptoOut', 'bet', 'win')],
      ['msisdn', '+234 803 123 4567', ofBoth('deposit', 'cryptoIn', 'cryptoOut', 'bet', 'win', 'made', 'heard')],
      ['wallet', wallet.toLowerCase(), ofBoth('cryptoOut')],
      ['chainHash', hash.toUpperCase().replace('0X', '0x'), ofBoth('cryptoIn', 'cryptoOut')],
      ['ip', '2c0f:fe38:2000::1', ofBoth('bet')],
    ])('finds all records by %s, however it is written, and none of another PSP', async (by, value, expected) => {
      expect(names(await found(by, value))).toEqual(expected);
    });

    it('says of each what it is, whose, and when it was recorded, newest first', async () => {
      const items = await found('customer', customer.email);
      expect(items[0]).toEqual({
        id: made['b-win'],
        type: 'payout',
        clientId: gamer.id,
        createdAt: new Date(t.now()).toISOString(),
      });
      const types = ['payout', 'wager', 'transaction', 'transaction', 'transaction'];
      expect(items.map((i) => i.type)).toEqual([...types, ...types]);
    });

    it('is read page by page to its end', async () => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: { items: Item[]; nextCursor: string | null } = contentOf(
          await t.post(
            '/v1/record/find',
            { by: 'msisdn', value: number, limit: 3, ...(cursor ? { cursor } : {}) },
            psp.apiKey,
          ),
        );
        seen.push(...page.items.map((i) => i.id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toHaveLength(14);
      expect(new Set(seen).size).toBe(14);
    });

    it('finds the calls of a number that came in a file, a call to oneself once', async () => {
      const [one, two] = ['+2348037777771', '+2348037777772'];
      drop(
        dataDirOf(t),
        client,
        'calls.csv',
        cdrText(
          cdrRow(1, { caller_number: one }),
          cdrRow(2, { receiver_number: '08037777771' }),
          cdrRow(3, { caller_number: one, receiver_number: one }),
          cdrRow(4, { caller_number: two, receiver_number: '112' }),
        ),
      );
      await t.app.services.cdrIntake.pickUp();
      const items = await found('msisdn', one, client.apiKey);
      expect(items.map((i) => i.type)).toEqual(['cdr', 'cdr', 'cdr']);
      const calls = await Promise.all(items.map((i) => t.get(`/v1/telecom/cdr/${i.id}`, client.apiKey)));
      expect(calls.map((c) => contentOf(c).record.cdr_id)).toEqual(['CDR-3', 'CDR-2', 'CDR-1']);
      expect(await found('msisdn', two, psp.apiKey)).toHaveLength(1);
      expect(await found('msisdn', one, gamer.apiKey)).toEqual([]);
    });

    it('finds a person who was erased, without what was personal', async () => {
      const email = 'gone@example.com';
      const { transactionId } = contentOf(
        await t.post('/v1/payment/deposit', { ref: 'gone', ...common, customer: { email } }, client.apiKey),
      );
      await t.post('/v1/subject/erase', { subjects: [`email:${email}`], reason: 'asked' }, psp.apiKey);
      expect((await found('customer', email)).map((i) => i.id)).toEqual([transactionId]);
    });

    it('finds them by index among a hundred thousand others', async () => {
      const { admin } = t.database;
      await admin.query(
        `INSERT INTO lookups SELECT $1, 'customer', md5(i::text), gen_random_uuid(), 'transaction', $1
         FROM generate_series(1, 100000) i`,
        [psp.uuid],
      );
      const plan = await admin.query(
        `EXPLAIN SELECT record_id FROM lookups WHERE psp_id = $1 AND kind = 'customer' AND hash = 'x' ORDER BY record_id DESC`,
        [psp.uuid],
      );
      expect(plan.map((r) => Object.values(r)[0]).join('\n')).toContain('lookups_pkey');
      expect(names(await found('customer', customer.email))).toHaveLength(10);
    });

    it('finds calls by index on either side', async () => {
      const { admin } = t.database;
      await admin.transaction(async (tx) => {
        // However few there are.
        await tx.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
        for (const side of ['caller', 'receiver']) {
          const plan = await tx.query(
            `EXPLAIN SELECT id FROM cdrs WHERE psp_id = '${psp.uuid}' AND ${side}_number = 'x' ORDER BY id DESC LIMIT 51`,
          );
          const text = plan.map((r) => Object.values(r)[0]).join('\n');
          expect(text).toMatch(new RegExp(`Index Cond: .*psp_id = .*${side}_number = 'x'`));
          expect(text).not.toMatch(/->\s+Sort/);
        }
      });
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['by', 'value']);
    limitsText(wire, { value: 400 });
    refusesWrongTypes(wire, { text: ['value'] });
    namesIgnoredFields(wire);

    it.each([
      ['msisdn', 'ada@example.com'],
      ['ip', '300.1.1.1'],
    ])('refuses a %s that is none', async (by, value) => {
      expectRefusal(
        await t.post('/v1/record/find', { by, value }, psp.apiKey),
        400,
        'FIELD_INVALID',
        /^the field 'value' is not /,
      );
    });
  });

  describe('authorises', () => {
    it('shows a client what is its own, whatever it asks', async () => {
      const items = await found('customer', customer.email, client.apiKey);
      expect(names(items)).toEqual(['a-cryptoIn', 'a-cryptoOut', 'a-deposit', 'a-bet', 'a-win'].sort());
      const other = await t.post(
        '/v1/record/find',
        { by: 'customer', value: customer.email, clientId: gamer.id },
        client.apiKey,
      );
      expect(other.status).toBe(404);
      expect(names(await found('customer', customer.email, psp.apiKey, { clientId: gamer.id }))).toHaveLength(5);
      expect(names(await found('customer', customer.email, stranger.apiKey))).toHaveLength(5);
    });
  });

  it('finds what was recorded without lookups, as version 0.1 did, once the backfills have ended', async () => {
    const { admin } = t.database;
    const all = () =>
      admin.query(
        `SELECT psp_id, kind, hash, record_id, record_kind, account_id FROM lookups WHERE kind <> 'customer'
         ORDER BY psp_id, record_id, kind, hash`,
      );
    const before = await all();
    expect(new Set(before.map((r) => r.kind))).toEqual(new Set(['msisdn', 'wallet', 'chainHash', 'ip']));
    await admin.query("DELETE FROM lookups WHERE kind <> 'customer'");
    await admin.query('DELETE FROM backfills');
    const columns = Object.keys(transactions.columns).filter((c) => c !== 'id' && c !== 'sealed');
    // More than one step does, of a person whose texts cannot be read: what stands in clear is still found.
    const copied = await admin.query<{ id: string }>(
      `INSERT INTO transactions (${columns}, id, sealed)
       SELECT ${columns.map((c) => `o.${c}`)}, gen_random_uuid(), CASE WHEN i = 1 THEN o.sealed END
       FROM transactions o, generate_series(1, 1100) i WHERE o.id = $1 RETURNING id`,
      [uuidOf(made['a-cryptoOut'] as string)],
    );
    const { services } = t.app;
    const backfills = new Backfills({
      pool: services.db,
      log: services.log,
      backgroundPauses: services.backgroundPauses,
      backfills: recordLookups(services),
    });
    backfills.start();
    try {
      await until('the backfills have ended', async () => {
        const rows = await admin.query<{ ended: boolean }>('SELECT ended FROM backfills');
        return rows.length === 3 && rows.every((r) => r.ended);
      });
    } finally {
      await backfills.stop();
    }
    const copies = new Set(copied.map((r) => r.id));
    const after = await all();
    expect(after.filter((r) => !copies.has(r.record_id as string))).toEqual(before);
    expect(after.filter((r) => copies.has(r.record_id as string)).map((r) => r.kind)).toEqual(
      // A hash in hexadecimal is found with 0x and without.
      copied.flatMap(() => ['chainHash', 'chainHash']),
    );
    expect(t.logged.filter((line) => line.includes('what is sealed of a record cannot be opened'))).toHaveLength(1);
  });

  it('leaves nothing in clear where it looks', async () => {
    const rows = await t.database.admin.query('SELECT hash FROM lookups WHERE psp_id = $1 AND length(hash) <> 32', [
      psp.uuid,
    ]);
    expect(rows.length).toBeGreaterThan(20);
    for (const { hash: h } of rows) expect(h).toMatch(/^[\w-]{27}$/);
  });
});
