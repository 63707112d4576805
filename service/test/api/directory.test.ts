// What an id is and the search over everything: every kind of id leads to its page, everything is found that people look
// for, and nobody finds what they may not see.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { type IdKind, idPrefixes, toWire } from '../../src/core/ids.ts';
import { only } from '../../src/platform/database.ts';
import { calls } from '../client/calls.ts';
import { makeWorld, type World } from '../client/world.ts';
import type { Account, TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { uuidOf } from '../support/journal.ts';
import { enter } from '../support/people.ts';

let w: World;
let t: TestApp;
let staff: Account;
let stranger: Account;

/** Where a kind is stored if it is not in a table of its name, told apart from what the service reads. */
const stored: Readonly<Partial<Record<IdKind, string>>> = {
  client: "SELECT id, psp_id AS psp FROM accounts WHERE kind = 'client'",
  psp: "SELECT id, psp_id AS psp FROM accounts WHERE kind = 'psp'",
  key: 'SELECT id, psp_id AS psp FROM api_keys WHERE account_id = psp_id',
  transaction: 'SELECT id, psp_id AS psp FROM transactions',
  basket: 'SELECT id, psp_id AS psp FROM baskets',
  wager: 'SELECT id, psp_id AS psp FROM wagers',
  payout: 'SELECT id, psp_id AS psp FROM payouts',
  chargeback: 'SELECT id, psp_id AS psp FROM chargebacks',
  netting: 'SELECT id, psp_id AS psp FROM nettings',
  dispute: 'SELECT id, psp_id AS psp FROM disputes',
  cdr: 'SELECT id, psp_id AS psp FROM cdrs',
  cdrFile: 'SELECT id, psp_id AS psp FROM cdr_files',
  declaration: 'SELECT id, psp_id AS psp FROM cdr_declarations',
  webhook: "SELECT id, psp_id AS psp FROM webhooks WHERE state <> 'DELETED'",
  delivery: 'SELECT id, psp_id AS psp FROM webhook_deliveries',
  event: 'SELECT id, psp_id AS psp FROM webhook_events',
  hold: "SELECT (holds::jsonb->0->>'id')::uuid AS id, psp_id AS psp FROM accounts WHERE holds <> '[]'",
  sftpLogin: 'SELECT id, psp_id AS psp FROM sftp_logins',
  report: 'SELECT id, psp_id AS psp FROM reports',
  reportSchedule: 'SELECT id, psp_id AS psp FROM report_schedules',
  erasure: "SELECT resource_id AS id, psp_id AS psp FROM journal WHERE kind = 'subject.erased'",
  adjustment: "SELECT resource_id AS id, psp_id AS psp FROM journal WHERE kind = 'tax.adjusted'",
  filing: 'SELECT id, psp_id AS psp FROM filings',
  review: 'SELECT id, psp_id AS psp FROM reviews',
  walletHold: 'SELECT id, psp_id AS psp FROM wallet_holds',
  restriction: 'SELECT id, psp_id AS psp FROM player_restrictions',
  case: 'SELECT id, psp_id AS psp FROM cases',
  caseItem: 'SELECT id, psp_id AS psp FROM case_items',
  proposal: 'SELECT id, NULL::uuid AS psp FROM proposals',
  document: 'SELECT id, psp_id AS psp FROM client_documents',
  licence:
    "SELECT (licences::jsonb->0->>'id')::uuid AS id, psp_id AS psp FROM client_verifications WHERE licences <> '[]'",
  exchangeLoad: 'SELECT load_id AS id, NULL::uuid AS psp FROM exchange_rates',
  listLoad: "SELECT id, owner_id AS psp FROM list_loads WHERE owner_id <> '00000000-0000-0000-0000-000000000000'",
  match: 'SELECT id, psp_id AS psp FROM list_matches',
  user: "SELECT u.id, u.psp_id AS psp FROM users u JOIN accounts a ON a.id = u.psp_id WHERE a.kind = 'psp'",
  session: 'SELECT s.id, s.psp_id AS psp FROM sessions s',
  passkey: "SELECT (passkeys::jsonb->0->>'id')::uuid AS id, psp_id AS psp FROM users WHERE passkeys IS NOT NULL",
};

/** Operations that leave one of each kind that a new world lacks. */
const makers = [
  ...[
    'openDispute',
    'netChargeback',
    'placeHold',
    'holdWallet',
    'excludePlayer',
    'addClientDocument',
    'setClientLicence',
  ],
  ...['loadExchangeRates', 'openProposal', 'noteCase', 'createSftpCredentials', 'fileReturn'],
  ...['listMatches', 'putOwnListEntry', 'makeMatchException', 'getSession'],
  ...['createReportSchedule', 'signInWithPasskey'],
] as const;

beforeAll(async () => {
  w = await makeWorld();
  t = w.t;
  staff = await t.makeOperator();
  stranger = await t.makePsp('Elsewhere');
  await makePeople();
  const all = calls as unknown as Readonly<Record<(typeof makers)[number], (w: World) => unknown>>;
  for (const name of makers) {
    const [by, input, options] = (await all[name](w)) as [
      Record<string, (...a: unknown[]) => unknown>,
      unknown,
      unknown,
    ];
    await by[name]?.(input, options);
  }
});
afterAll(() => t?.stop());

/** An erasure needs somebody to erase, and a PSP's person is made for the PSP. */
async function makePeople(): Promise<void> {
  const email = 'gone@example.com';
  const paid = {
    ref: 'gone',
    totalAmount: 10,
    currency: 'NGN',
    countryCode: 'NG',
    transactionFee: 1,
    customer: { email },
  };
  contentOf(await t.post('/v1/payment/deposit', paid, w.clientAccount.apiKey));
  contentOf(await t.post('/v1/subject/erase', { subjects: [`email:${email}`], reason: 'asked' }, w.pspAccount.apiKey));
  const person = { email: 'staff@example.com', name: 'Bola', role: 'auditor', accountId: w.pspAccount.id };
  contentOf(await t.post('/v1/admin/user', person, staff.apiKey));
}

const someOf = async (kind: IdKind) => {
  const [row] = await t.database.admin.query<{ id: string; psp: string | null }>(
    `SELECT * FROM (${stored[kind]}) s ORDER BY psp = $1 DESC NULLS LAST LIMIT 1`,
    [w.pspAccount.uuid],
  );
  return row;
};
const resolved = async (id: string, key: string) => t.get(`/v1/id/${id}`, key);
/** Made by what this world does not do; none of them has a page of its own. */
const lacking: readonly IdKind[] = ['adjustment'];

describe('resolveId', () => {
  it.each((Object.keys(idPrefixes) as IdKind[]).filter((k) => !lacking.includes(k)))(
    'tells staff what a %s is and whose, without the PSP being named',
    async (kind) => {
      const made = await someOf(kind);
      expect(made, `the world has no ${kind}`).toBeDefined();
      if (!made) return;
      const id = toWire(kind, made.id);
      const found = contentOf(await resolved(id, staff.apiKey));
      expect(found).toMatchObject({ id, kind });
      const isOfPsp = made.psp !== null && kind !== 'session';
      if (isOfPsp) expect(found.pspId).toBe(toWire('psp', made.psp as string));
    },
  );

  it('names the record that a part of it is shown with', async () => {
    const shown = async (kind: IdKind, sql: string, as: IdKind) => {
      const row = only(await t.database.admin.query<{ id: string; of: string }>(`${sql} LIMIT 1`));
      const { shownWith } = contentOf(await resolved(toWire(kind, row.id), staff.apiKey));
      expect([kind, shownWith]).toEqual([kind, toWire(as, row.of)]);
    };
    await shown('chargeback', 'SELECT id, transaction_id AS of FROM chargebacks', 'transaction');
    await shown('dispute', 'SELECT id, transaction_id AS of FROM disputes', 'transaction');
    await shown(
      'netting',
      'SELECT n.id, c.transaction_id AS of FROM nettings n JOIN chargebacks c USING (psp_id) WHERE c.id = n.chargeback_id',
      'transaction',
    );
    await shown('delivery', 'SELECT id, webhook_id AS of FROM webhook_deliveries', 'webhook');
    await shown('caseItem', 'SELECT id, case_id AS of FROM case_items', 'case');
    await shown('document', 'SELECT id, account_id AS of FROM client_documents', 'client');
    await shown('filing', 'SELECT id, report_id AS of FROM filings', 'report');
  });

  it('answers about what is hidden, foreign, mistyped or absent alike', async () => {
    const answers = new Set<string>();
    const kept = (text: string) => text.replaceAll(/[a-z]{3}_[0-9a-z]{26}/g, 'id');
    const ask = async (id: string, key: string) => {
      const r = await resolved(id, key);
      answers.add(`${r.status} ${kept(r.text)}`);
    };
    const hidden = async (kind: IdKind) => toWire(kind, (await someOf(kind))?.id as string);
    // Nobody learns of suspicion by guessing.
    for (const kind of ['case', 'caseItem', 'review', 'match', 'erasure', 'listLoad', 'user', 'proposal'] as const)
      await ask(await hidden(kind), w.clientAccount.apiKey);
    for (const kind of ['proposal', 'session'] as const) await ask(await hidden(kind), w.pspAccount.apiKey);
    for (const kind of ['transaction', 'client', 'webhook', 'event', 'case', 'key', 'hold'] as const)
      await ask(await hidden(kind), stranger.apiKey);
    const ofStaff = { email: 'operator@example.com', name: 'Chika', role: 'auditor' };
    const { user } = contentOf(await t.post('/v1/admin/user', ofStaff, staff.apiKey));
    expect(contentOf(await resolved(user.userId, staff.apiKey)).kind).toBe('user');
    await ask(user.userId, w.pspAccount.apiKey);
    await ask(toWire('transaction', t.app.services.ids.next()), w.pspAccount.apiKey);
    await ask('txn_mistyped', w.pspAccount.apiKey);
    await ask('rubbish', w.pspAccount.apiKey);
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toMatch(/^404 .*not found/);
  });

  it('shows a hold to staff, and to the client only what it is shown of', async () => {
    const client = await t.makeClient(w.pspAccount);
    const place = async (body: object) =>
      contentOf(await t.post(`/v1/admin/account/${client.id}/hold`, body, staff.apiKey)).flags.at(-1).id as string;
    const secret = await place({ code: 'STR_FILED', reason: 'a report', blocking: false });
    const open = await place({ code: 'REVIEW', reason: 'documents' });
    for (const id of [secret, open]) {
      const found = contentOf(await resolved(id, staff.apiKey));
      expect(found).toMatchObject({ kind: 'hold', clientId: client.id, shownWith: client.id });
    }
    expect(contentOf(await resolved(open, client.apiKey)).shownWith).toBe(client.id);
    expectRefusal(await resolved(secret, client.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await resolved(secret, w.pspAccount.apiKey), 404, 'NOT_FOUND');
  });

  it('shows a key only what its scopes open', async () => {
    const made = contentOf(await t.post('/v1/key', { name: 'books', scopes: ['records'] }, w.pspAccount.apiKey));
    const books = made.apiKey as string;
    const of = async (kind: IdKind) => resolved(toWire(kind, (await someOf(kind))?.id as string), books);
    expect(contentOf(await of('case')).kind).toBe('case');
    expectRefusal(await of('webhook'), 404, 'NOT_FOUND');
    expectRefusal(await of('transaction'), 404, 'NOT_FOUND');
  });
});

interface Hit {
  readonly kind: string;
  readonly id: string;
  readonly pspId: string | null;
  readonly title: string | null;
  readonly status: string | null;
  readonly currency: string | null;
}
const search = async (q: string, key: string): Promise<Hit[]> =>
  contentOf(await t.post('/v1/search', { q }, key)).items;
const kinds = (hits: readonly Hit[]) => [...new Set(hits.map((h) => h.kind))].sort();

describe('searchAll', () => {
  let client: Account;
  let sale: string;
  let deposit: string;
  const common = { totalAmount: 1715.23, currency: 'KES', countryCode: 'KE', transactionFee: 1 };
  const customer = { email: 'Wanjiku@example.com', phoneNumber: '+254712345678' };
  beforeAll(async () => {
    client = await t.makeClient(w.pspAccount, {
      registeredName: 'Mzizi-Duka Traders (Nairobi)',
      registrationNumber: 'CPR/2019-7731',
    });
    const sold = { ...common, ref: 'duka-77', paymentMethods: { card: 1715.23 } };
    sale = contentOf(await t.post('/v1/transaction/verifyTransaction', sold, client.apiKey)).transactionId;
    const paid = { ...common, totalAmount: 900, ref: 'duka-78', customer };
    deposit = contentOf(await t.post('/v1/payment/deposit', paid, client.apiKey)).transactionId;
  });

  it('finds a transaction by its id, its ref, the beginning of its ref, and its amount as people write it', async () => {
    for (const q of [sale, ` ${sale} `, 'duka-77', '1,715.23 KES', 'kes 1 715,23', '1715.23'])
      expect(await search(q, w.pspAccount.apiKey), q).toContainEqual(
        expect.objectContaining({ kind: 'transaction', id: sale, title: 'duka-77', currency: 'KES', amount: 1715.23 }),
      );
    const begun = await search('duka-', client.apiKey);
    expect(begun.map((h) => h.id)).toEqual([sale, deposit]);
    expect(await search('1,715.23 NGN', w.pspAccount.apiKey)).toEqual([]);
    expect(await search('1,715.24 KES', w.pspAccount.apiKey)).toEqual([]);
  });

  it.each(['mzizi', 'Mzizi Duka', 'duka nairo', 'TRADERS mzizi', 'CPR/2019-7731', '7731'])(
    'finds a client by the words %j',
    async (q) => {
      const hits = await search(q, staff.apiKey);
      expect(hits).toContainEqual(expect.objectContaining({ kind: 'client', id: client.id, pspId: w.pspAccount.id }));
    },
  );

  it.each(["o'; DROP TABLE x", 'qa & qb | !qc', ':*', "'", '\\', '%', '(', '"', '<->', '\u0000'])(
    'takes %j as text',
    async (q) => {
      const r = await t.post('/v1/search', { q }, staff.apiKey);
      expect([200, 400]).toContain(r.status);
      if (r.status === 200) expect(r.body.content.items).toEqual([]);
    },
  );

  it('finds a person by e-mail and number, and names nobody in what it answers', async () => {
    for (const [q, by] of [
      ['wanjiku@EXAMPLE.com', 'customer'],
      ['+254 712 345 678', 'msisdn'],
    ] as const) {
      const r = await t.post('/v1/search', { q }, staff.apiKey);
      const [person] = contentOf(r).items.filter((h: Hit) => h.kind === 'person');
      expect(person).toMatchObject({ title: by, pspId: w.pspAccount.id });
      expect(r.text).not.toMatch(/wanjiku|712345678/i);
      const shown = await t.get(`/v1/person/${person.id}`, w.pspAccount.apiKey);
      expect(contentOf(shown)).toMatchObject({ records: 1, namedBy: [by], erased: false });
    }
    expect(await search('nobody@example.com', staff.apiKey)).toEqual([]);
  });

  it('never shows an account as active whose transactions are declined', async () => {
    const held = await t.makeClient(await t.makePsp('Held Pay'), { registeredName: 'Zuberi Held Ltd' });
    const status = async () => (await search('zuberi', staff.apiKey)).map((h) => h.status);
    expect(await status()).toEqual(['ACTIVE']);
    contentOf(await t.post(`/v1/admin/account/${held.id}/hold`, { code: 'HELD', reason: 'x' }, staff.apiKey));
    expect(await status()).toEqual(['NOT_ACCEPTED']);
  });

  it('finds a case by its number, a rule by its id or words, and a tax rule', async () => {
    const row = only(
      await t.database.admin.query<{ id: string; number: number }>(
        'SELECT id, number FROM cases WHERE psp_id = $1 LIMIT 1',
        [w.pspAccount.uuid],
      ),
    );
    expect(await search(`case ${row.number}`, w.pspAccount.apiKey)).toContainEqual(
      expect.objectContaining({ kind: 'case', id: toWire('case', row.id) }),
    );
    expect(kinds(await search('dormant_client', w.pspAccount.apiKey))).toEqual(['riskRule']);
    expect(kinds(await search('KE-VAT', w.pspAccount.apiKey))).toContain('taxRule');
  });

  it('shows nobody what they may not see', async () => {
    const number = only(await t.database.admin.query<{ n: number }>('SELECT min(number) AS n FROM cases')).n;
    for (const q of [sale, 'duka-77', '1,715.23 KES', 'mzizi', customer.email, `case ${number}`])
      expect(await search(q, stranger.apiKey), q).toEqual([]);
    for (const q of [sale, 'duka-77', '1,715.23 KES', 'mzizi', customer.email, `case ${number}`, 'dormant_client'])
      expect(await search(q, w.clientAccount.apiKey), q).toEqual([]);
    const made = contentOf(
      await t.post('/v1/key', { name: 'till', scopes: ['payments', 'records'] }, w.pspAccount.apiKey),
    );
    expect(kinds(await search('mzizi', made.apiKey))).toEqual([]);
    expect(kinds(await search('duka-77', made.apiKey))).toEqual(['transaction']);
  });

  it('finds everything by index among thirty thousand', async () => {
    const { admin } = t.database;
    const copies = (table: string, of: string, count: number, change: string, values: string[]) =>
      admin.query(
        `INSERT INTO ${table} SELECT c.* FROM ${table} t, generate_series(1, ${count}) i,
           LATERAL jsonb_populate_record(t, jsonb_build_object(${change})) c WHERE ${of} = $1`,
        values,
      );
    const near = `'id', left(t.id::text, 24) || lpad(to_hex(i), 12, '0')`;
    await copies('transactions', 't.id', 30_000, `${near}, 'amount', i, 'ref', 'many-' || i`, [uuidOf(sale)]);
    await copies('accounts', 't.id', 20_000, `'id', gen_random_uuid(), 'name', 'Shop ' || i`, [client.uuid]);
    await copies('refs', 't.target_id', 20_000, `'ref', 'many-' || i`, [uuidOf(sale)]);
    const [many] = await admin.query<{ n: number }>('SELECT count(*)::int AS n FROM transactions');
    expect(many?.n).toBeGreaterThan(30_000);
    await admin.query('ANALYZE transactions; ANALYZE accounts; ANALYZE refs');
    const plan = async (sql: string) =>
      (await admin.query(`EXPLAIN ${sql}`)).map((r) => Object.values(r)[0]).join('\n');
    const psp = w.pspAccount.uuid;
    expect(
      await plan(
        `SELECT id FROM transactions WHERE psp_id = '${psp}' AND amount = 1715.23 AND id >= uuid_floor(now() - interval '31 days') ORDER BY id DESC LIMIT 6`,
      ),
    ).toMatch(/Index (Only )?Scan (Backward )?using \S*amount/);
    expect(
      await plan(
        `SELECT id FROM accounts WHERE to_tsvector('simple', translate(name || ' ' || coalesce(registration_number, ''), '-_./,:;&@#()', '            ')) @@ to_tsquery('simple', 'mzizi:*')`,
      ),
    ).toContain('accounts_by_words');
    expect(
      await plan(
        `SELECT id FROM refs WHERE psp_id = '${psp}' AND space = 'transaction' AND ref >= 'duka' AND ref < 'duka~'`.replace(
          'SELECT id',
          'SELECT target_id',
        ),
      ),
    ).toContain('refs_pkey');
    expect((await search('1,715.23 KES', staff.apiKey)).map((h) => h.id)).toEqual([sale]);
    expect((await search('mzizi', staff.apiKey)).map((h) => h.id)).toEqual([client.id]);
  });
});

describe('a person', () => {
  const customer = { email: 'kamau@example.com', phoneNumber: '+254733333333' };
  const common = { currency: 'KES', countryCode: 'KE', transactionFee: 1, customer };
  let person: string;
  let other: Account;
  const made: string[] = [];
  beforeAll(async () => {
    other = await t.makeClient(w.pspAccount, { classification: 'IGAMING_LOCAL' });
    for (const [i, by] of [w.clientAccount, w.clientAccount, other].entries()) {
      const paid = { ...common, totalAmount: [100.1, 200.25, 300.3][i], ref: `kamau-${i}` };
      made.push(contentOf(await t.post('/v1/payment/deposit', paid, by.apiKey)).transactionId);
    }
    const bet = { amount: 50, ref: 'kamau-bet', customer, ip: '102.0.2.9', type: 'sports' };
    made.push(contentOf(await t.post('/captureWager', bet, other.apiKey)).wagerId);
    const { items } = contentOf(await t.get(`/v1/record/${made[0]}/person`, w.pspAccount.apiKey));
    expect(items.map((i: { namedBy: string }) => i.namedBy)).toEqual(['customer', 'msisdn']);
    person = items[0].personId;
  });

  it('that is a transfer on a chain is named once, and found by its hash with and without 0x', async () => {
    const exchange = await t.makeClient(w.pspAccount, { classification: 'CRYPTO_GLOBAL' });
    const [hash, payer] = [
      '9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b',
      { email: 'payer@example.com' },
    ];
    const pay = async (ref: string, blochainHash: string) => {
      const sent = {
        totalAmount: 100,
        currency: 'USDT',
        countryCode: 'NG',
        transactionFee: 1,
        ref,
        blochainHash,
        customer: payer,
      };
      const { transactionId } = contentOf(await t.post('/v1/payment/cryptoDeposit', sent, exchange.apiKey));
      const { items } = contentOf(await t.get(`/v1/record/${transactionId}/person`, exchange.apiKey));
      return items.filter((i: { namedBy: string }) => i.namedBy === 'chainHash');
    };
    const [named, again] = [await pay('chain-1', `0x${hash}`), await pay('chain-2', hash)];
    expect([named.length, again]).toEqual([1, named]);
    const found = contentOf(await t.get(`/v1/person/${named[0].personId}/record`, exchange.apiKey)).items;
    expect(found.length).toBe(2);
  });

  it('is shown with all that is theirs, added up by currency as the records say', async () => {
    const p = contentOf(await t.get(`/v1/person/${person}`, w.pspAccount.apiKey));
    expect(p).toMatchObject({ records: 4, more: false, erased: false, namedBy: ['customer'] });
    expect([...p.clientIds].sort()).toEqual([w.clientAccount.id, other.id].sort());
    const { items } = contentOf(await t.get(`/v1/person/${person}/record`, w.pspAccount.apiKey));
    expect(items.map((i: { id: string }) => i.id)).toEqual([...made].reverse());
    const deposits = p.sums.filter((s: { type: string }) => s.type === 'deposit');
    expect(deposits.reduce((n: number, s: { count: number }) => n + s.count, 0)).toBe(3);
    const own = only(
      await t.database.admin.query<{ sum: string }>(
        "SELECT trim_scale(sum(amount))::text AS sum FROM transactions WHERE ref LIKE 'kamau-%'",
      ),
    );
    expect(String(deposits.reduce((n: number, s: { amount: number }) => n + Math.round(s.amount * 100), 0) / 100)).toBe(
      own.sum,
    );
  });

  it('is read page by page', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const r = await t.get(`/v1/person/${person}/record?limit=2${cursor && `&cursor=${cursor}`}`, w.pspAccount.apiKey);
      seen.push(...contentOf(r).items.map((i: { id: string }) => i.id));
      cursor = contentOf(r).nextCursor ?? '';
    } while (cursor);
    expect(seen).toEqual([...made].reverse());
  });

  it('is shown to a client with its own records alone, and to strangers not at all', async () => {
    const { items } = contentOf(await t.get(`/v1/person/${person}/record`, other.apiKey));
    expect(items.map((i: { id: string }) => i.id)).toEqual([made[3], made[2]]);
    expect(contentOf(await t.get(`/v1/person/${person}`, other.apiKey))).toMatchObject({ records: 2, cases: [] });
    for (const path of [`/v1/person/${person}`, `/v1/person/${person}/record`, `/v1/record/${made[0]}/person`])
      expectRefusal(await t.get(path, stranger.apiKey), 404, 'NOT_FOUND');
    expectRefusal(await t.get(`/v1/record/${made[0]}/person`, other.apiKey), 404, 'NOT_FOUND');
  });

  it('is shown with the calls of the number, found by the number alone', async () => {
    const number = '+2348037654321';
    const call = { ...(operations.find((o) => o.id === 'recordCDR')?.example as object), cdr_id: 'persons-call' };
    const recorded = { ...call, caller_number: number, receiver_number: '+2348030000009' };
    const { cdrId } = contentOf(await t.post('/v1/telecom/recordCDR', recorded, w.clientAccount.apiKey));
    const [hit] = (await search(number, staff.apiKey)).filter((h) => h.kind === 'person');
    expect(hit).toMatchObject({ title: 'msisdn', pspId: w.pspAccount.id });
    const path = `/v1/person/${hit?.id}`;
    expect(contentOf(await t.get(path, w.pspAccount.apiKey))).toMatchObject({
      namedBy: ['msisdn'],
      calls: 1,
      records: 0,
    });
    const { items } = contentOf(await t.get(`${path}/record`, w.pspAccount.apiKey));
    expect(items).toMatchObject([{ id: cdrId, kind: 'cdr', amount: null }]);
    for (const key of [stranger.apiKey, other.apiKey]) expectRefusal(await t.get(path, key), 404, 'NOT_FOUND');
    expect(await search(number, other.apiKey)).toEqual([]);
  });

  it('stays found after an erasure, as erased', async () => {
    const asked = { subjects: [`email:${customer.email}`], reason: 'asked' };
    contentOf(await t.post('/v1/subject/erase', asked, w.pspAccount.apiKey));
    expect(contentOf(await t.get(`/v1/person/${person}`, w.pspAccount.apiKey))).toMatchObject({
      records: 4,
      erased: true,
    });
  });
});

describe('getClient', () => {
  it('shows the contact to whom it is for, and never to an auditor', async () => {
    const email = 'contact@example.com';
    // A name that no list of the world's has: nobody is erased while an alert is open.
    const registeredName = 'Quillfeather Umbrellas';
    const made = await t.makeClient(w.pspAccount, { email, phoneNumber: '+254711111111', registeredName });
    const path = `/v1/client/${made.id}?expand=contact`;
    for (const key of [w.pspAccount.apiKey, made.apiKey])
      expect(contentOf(await t.get(path, key)).contact).toEqual({ email, phoneNumber: '+254711111111' });
    expect(contentOf(await t.get(`/v1/client/${made.id}`, made.apiKey))).not.toHaveProperty('contact');
    const { cookie } = await enter(t, w.pspAccount, 'auditor');
    expectRefusal(await t.get(path, undefined, { cookie }), 403, 'ROLE');
    expectRefusal(await t.get(path, stranger.apiKey), 404, 'NOT_FOUND');
    const asked = { subjects: [`client:${made.id}`], reason: 'asked' };
    contentOf(await t.post('/v1/subject/erase', asked, w.pspAccount.apiKey));
    expect(contentOf(await t.get(path, w.pspAccount.apiKey)).contact).toBeNull();
  });
});

describe('listEvents', () => {
  it('says of one record which events were sent where, and what became of them', async () => {
    const sold = await w.sale();
    const find = async () =>
      contentOf(await t.get(`/v1/event?resourceId=${sold.transactionId}&expand=deliveries`, w.pspAccount.apiKey)).items;
    await expect.poll(async () => (await find()).length, { timeout: 120_000 }).toBe(1);
    const [event] = await find();
    expect(event).toMatchObject({ type: 'transaction.created' });
    expect(event.deliveries.map((d: { webhookId: string }) => d.webhookId)).toEqual([w.webhookId]);
    const none = await t.get(`/v1/event?resourceId=${sold.transactionId}`, stranger.apiKey);
    expect(contentOf(none).items).toEqual([]);
    const bad = await t.get('/v1/event?resourceId=rubbish', w.pspAccount.apiKey);
    expectRefusal(bad, 400, 'QUERY_INVALID');
  });
});

describe('searchAll, after a month', () => {
  it('finds an amount of the last 31 days, and older ones where it is asked to, and says which it covered', async () => {
    const common = { currency: 'KES', countryCode: 'KE', transactionFee: 1 };
    const old = { ...common, totalAmount: 4444.44, ref: 'old-one', paymentMethods: { card: 4444.44 } };
    const { transactionId } = contentOf(await t.post('/v1/transaction/verifyTransaction', old, w.clientAccount.apiKey));
    expect((await search('4,444.44', w.clientAccount.apiKey)).map((h) => h.id)).toEqual([transactionId]);
    t.advance(32 * 86_400_000);
    expect(await search('4,444.44', w.clientAccount.apiKey)).toEqual([]);
    const day = 86_400_000;
    const moment = (daysAgo: number) => new Date(t.now() - daysAgo * day).toISOString();
    const within = (asked: { from?: string; to?: string }) =>
      t.post('/v1/search', { q: '4,444.44 KES', ...asked }, w.clientAccount.apiKey);
    for (const [asked, found] of [
      [{ from: moment(390) }, [transactionId]],
      [{ from: moment(32), to: moment(31) }, [transactionId]],
      [{ from: moment(390), to: moment(33) }, []],
      [{ from: moment(31), to: moment(0) }, []],
    ] as const) {
      const { items, amounts } = contentOf(await within(asked));
      expect(items.map((h: Hit) => h.id)).toEqual(found);
      expect(amounts).toMatchObject(asked);
    }
    expect(contentOf(await t.post('/v1/search', { q: 'old-one' }, w.clientAccount.apiKey)).amounts).toBeNull();
    expectRefusal(await within({ from: moment(1), to: moment(2) }), 400, 'FIELD_INVALID');
    expectRefusal(await within({ from: moment(398) }), 400, 'FIELD_INVALID');
    expect((await search('old-one', w.clientAccount.apiKey)).map((h) => h.id)).toEqual([transactionId]);
  });
});
