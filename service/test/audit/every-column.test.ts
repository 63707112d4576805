// Someone with access to the database changes a value of a recorded row without the journal, or deletes or adds a row:
// the audit finds it in every table and column. Tables and columns are read from the catalogue.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { toWire } from '../../src/core/ids.ts';
import type { Database } from '../../src/platform/database.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp } from '../support/app.ts';
import { allSealed, verified } from '../support/audit.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import { citus } from '../support/citus.ts';
import { contentOf, placeHold, setStanding } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';
import { audited, type Copy, freshCopy } from './support/copies.ts';

/** The id of nothing. A cluster takes no function that makes one anew for each row that a statement changes. */
const none = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

/** Tables whose rows the journal vouches for with all of their columns. */
const recorded = [
  'accounts',
  'api_keys',
  'baskets',
  'case_items',
  'cases',
  'cdr_declarations',
  'cdr_withdrawals',
  'cdrs',
  'chargebacks',
  'client_documents',
  'client_verifications',
  'disputes',
  'filings',
  'list_matches',
  'nettings',
  'payouts',
  'player_policies',
  'player_restrictions',
  'report_schedules',
  'reviews',
  'sftp_logins',
  'transaction_revisions',
  'transactions',
  'users',
  'wagers',
  'wallet_holds',
  'webhooks',
];
/**
 * When the next report of a schedule is due follows from it, and is noted without an entry.
 * How often an account's keys changed tells nothing. When a key was last used, and from where, is noted without an
 * entry. Its scopes are covered by the hash of its secret: a key whose scopes were changed is not valid
 * (scopes.test.ts).
 */
const free = [
  'accounts.access',
  'api_keys.last_used_at',
  'api_keys.last_used_network',
  'api_keys.scopes',
  'report_schedules.next_at',
  'report_schedules.problem',
];

let c: Copy;
let psp: Account;

beforeAll(async () => {
  c = await freshCopy();
  const t = await makeTestApp({ database: c, env: { DATA_DIR: c.dir } });
  psp = await t.makePsp();
  const client = await t.makeClient(psp);
  const example = (id: string) => operations.find((o) => o.id === id)?.example as object;
  const call = async (id: string, over: Record<string, unknown> = {}) => {
    const op = operations.find((o) => o.id === id) as (typeof operations)[number];
    const of = op.ofPsp ? {} : { 'x-client-id': client.id };
    return contentOf(await t.post(op.path, { ...(op.example as object), ...over }, psp.apiKey, of));
  };
  await setStanding(t, client, { verificationLevel: 'ENHANCED' });
  const renamed = { registeredName: 'Lagos Books and Music Ltd' };
  contentOf(await t.post(`/v1/client/${client.id}/update`, renamed, psp.apiKey));
  await placeHold(t, client, { blocking: false });
  for (const id of ['deposit', 'withdrawal', 'cryptoDeposit', 'cryptoWithdrawal', 'captureWager', 'capturePayout'])
    await call(id);
  const basket = await call('submitBasket');
  const { transactionId } = await call('submitBasket', { ref: 'paid' });
  const paid = { ref: 'paid', transactionID: transactionId, totalAmount: 215, paymentMethods: { card: 215 } };
  expect((await call('verifyTransaction', paid)).status).toBe('APPROVED');
  const { cdrId } = await call('recordCDR');
  const corrected = { reason: 'another network', record: { ...example('recordCDR'), network_provider: 'Glo' } };
  contentOf(await t.post(`/v1/telecom/cdr/${cdrId}/correct`, corrected, psp.apiKey));
  await verified(t, psp, { ref: 'changed' });
  await verified(t, psp, { ref: 'changed', totalAmount: 215, paymentMethods: { card: 215 } });
  const sold = await verified(t, psp, { ref: 'sold', totalAmount: 10_000, paymentMethods: { card: 10_000 } });
  await verified(t, psp, { ref: 'returned' });
  contentOf(await t.post('/v1/transaction/declineTransaction', { ref: 'changed' }, psp.apiKey));
  const back = contentOf(await t.post('/v1/transaction/chargeBack', { ref: 'returned' }, psp.apiKey));
  const netted = {
    ref: 'net-1',
    chargebackId: back.chargebackId,
    transactionId: sold,
    vatAmount: 7.5,
    merchantAmount: 90,
  };
  contentOf(await t.post('/v1/settlement/net', netted, psp.apiKey));
  const dispute = {
    chargebackId: back.chargebackId,
    reason: 'it was delivered',
    evidenceDueAt: '2030-01-01T00:00:00Z',
  };
  const { disputeId } = contentOf(await t.post('/v1/dispute', dispute, psp.apiKey));
  contentOf(await t.post(`/v1/dispute/${disputeId}/evidence`, { text: 'signed for' }, psp.apiKey));
  // What it gives back of the netting is a row that is told of in the entry about the dispute.
  const won = { outcome: 'WON', reason: 'the scheme decided so' };
  contentOf(await t.post(`/v1/dispute/${disputeId}/resolve`, won, psp.apiKey));
  const shown = operations.filter((o) => /^(addClientDocument|setClientOwners|setClientLicence)$/.test(o.id));
  for (const o of shown) contentOf(await t.post(o.path.replace(':clientId', client.id), o.example, psp.apiKey));
  contentOf(await t.post('/v1/review', { transactionId: sold, reason: 'asked' }, psp.apiKey));
  for (const id of ['excludePlayer', 'setPlayerLimits', 'setPlayerPolicy', 'holdWallet']) await call(id);
  contentOf(await t.post('/v1/lists/OWN/entries', { ref: 'A', names: ['Lagos Books and Music Ltd'] }, psp.apiKey));
  const match = await until('the client matches', async () => {
    const { items } = contentOf(await t.get('/v1/list-matches', psp.apiKey));
    return items[0]?.matchId as string | undefined;
  });
  contentOf(await t.post(`/v1/list-matches/${match}/exception`, { reason: 'another one' }, psp.apiKey));
  await readersAtEnd(t, ['reviews', 'cases']);
  const [{ caseId }] = contentOf(await t.get('/v1/case', psp.apiKey)).items;
  contentOf(await t.post(`/v1/case/${caseId}/note`, { note: 'seen' }, psp.apiKey));
  const file = { name: 'a.txt', type: 'text/plain', content: 'YQ==' };
  contentOf(await t.post(`/v1/case/${caseId}/file`, file, psp.apiKey));
  await call('subscribeToClient');
  const [{ webhookId }] = contentOf(await t.get('/v1/webhook', psp.apiKey)).items;
  // A row that is told of in entries about its client, changed twice.
  for (const act of ['pause', 'resume']) contentOf(await t.post(`/v1/webhook/${webhookId}/${act}`, {}, psp.apiKey));
  const operator = await t.makeOperator();
  const email = 'ada@example.com';
  const person = { email, name: 'Ada Okafor', role: 'auditor', accountId: psp.id };
  const { password } = contentOf(await t.post('/v1/admin/user', person, operator.apiKey));
  contentOf(await t.post('/v1/session', { email, password }));
  await t.post('/v1/session', { email, password: 'not it' });
  await call('declareCdr');
  await totalled(t);
  const { reportId } = await made(t, { kind: 'filing', form: 'NG-VAT', period: '2026-10' }, psp.apiKey);
  const filed = { reference: 'NRS-1', filedOn: '2026-11-20' };
  contentOf(await t.post(`/v1/report/${reportId}/filed`, filed, psp.apiKey));
  contentOf(
    await t.post(
      '/v1/report-schedule',
      { kind: 'feeStatement', every: 'MONTH', onDay: 2, hour: 6, timeZone: 'Africa/Lagos' },
      psp.apiKey,
    ),
  );
  await call('createSftpCredentials');
  drop(dataDirOf(t), client, 'calls.csv', cdrText(...Array.from({ length: 30 }, (_, i) => cdrRow(i))));
  await t.app.services.cdrIntake.pickUp();
  expect(basket.basketId).toMatch(/^bsk_/);
  await allSealed(t);
  await t.stop();
  for (const table of recorded) await dropChecks(c.admin, table);
  // A row that is put in is a copy.
  await c.admin.query('DROP INDEX cases_by_number');
});
afterAll(() => c?.drop());

const undo = new Error('rolled back');

/** What the audit finds after a change, which is rolled back. */
async function foundAfter(change: (tx: Database) => Promise<unknown>): Promise<string[]> {
  let messages: string[] = [];
  // Prepared: the same audit is planned once, not hundreds of times.
  await c.admin.prepared
    .transaction(async (tx) => {
      await change(tx);
      const { findings } = await audited(c, { db: tx, psp: psp.uuid });
      messages = findings.map((f) => `${f.code} ${f.message}`);
      throw undo;
    })
    .catch((e) => {
      if (e !== undo) throw e;
    });
  return messages;
}

/** Who owns the tables is held by none of their checks. */
async function dropChecks(db: Database, table: string): Promise<void> {
  const checks = await db.query<{ name: string }>(
    "SELECT conname AS name FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'",
    [table],
  );
  for (const { name } of checks) await db.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
}

/** Whether a finding names the row; the kind stands before the id. */
const names = (finding: string, id: string) => finding.includes(toWire('transaction', id).replace(/^\w+_/, ''));

const columnsOf = (table: string) =>
  c.admin.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );

/** Another value of the column's type. */
const other: Readonly<Record<string, (column: string) => string>> = {
  uuid: (column) => `md5(coalesce(${column}::text, ''))::uuid`,
  text: (column) => `coalesce(${column}, '') || ' '`,
  numeric: (column) => `coalesce(${column}, 0) + 0.01`,
  boolean: (column) => `NOT coalesce(${column}, false)`,
  integer: (column) => `coalesce(${column}, 0) + 1000`,
  bigint: (column) => `coalesce(${column}, 0) + 1000`,
  date: (column) => `coalesce(${column}, DATE '2000-01-01') + 1`,
  'timestamp with time zone': (column) =>
    `(coalesce(${column}, '2000-01-01Z') AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC'`,
};

interface Column {
  readonly name: string;
  /** Another value, in SQL. */
  readonly value: string;
}
interface Rows {
  readonly table: string;
  /** The first and the last row: of call detail records one came by itself and one in a file. */
  readonly ids: readonly string[];
}

async function rowsOf(table: string): Promise<Rows & { readonly columns: readonly Column[] }> {
  const found = `SELECT id FROM ${table} WHERE psp_id = $1 ORDER BY id`;
  const ids = (await c.admin.query<{ id: string }>(found, [psp.uuid])).map((r) => r.id);
  const columns = (await columnsOf(table)).flatMap(({ name, type }) => {
    // By it rows are found on a cluster, which lets nobody change it.
    if (name === 'psp_id' && citus !== undefined) return [];
    const value = other[type];
    if (!value) throw new Error(`the test knows no other value of the type ${type}`);
    return [{ name, value: value(name) }];
  });
  return { table, ids: [...new Set([ids[0] as string, ids.at(-1) as string])], columns };
}

/** Findings on records, with columns of several tables changed at once. */
async function changed(changes: readonly (Rows & Column)[]): Promise<string[]> {
  const found = await foundAfter(async (tx) => {
    for (const { table, ids, name, value } of changes)
      await tx.query(`UPDATE ${table} SET ${name} = ${value} WHERE psp_id = $1 AND id = ANY ($2)`, [psp.uuid, ids]);
  });
  return found.filter((f) => f.startsWith('RECORD_CHANGED'));
}

/**
 * Tables whose rows are changed together: no two rows have one id, by which findings name them, and no more rows than an
 * audit lists. An account is also what others are held against: its columns are changed by themselves.
 */
function apart<T extends Rows>(all: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (const t of all) {
    const has = (group: readonly T[]) => group.some((o) => o.ids.some((id) => t.ids.includes(id)));
    const group = groups.find((g) => g.length < 8 && g[0]?.table !== 'accounts' && !has(g));
    if (group && t.table !== 'accounts') group.push(t);
    else groups.push([t]);
  }
  return groups;
}

describe('an audit', () => {
  it('finds nothing where nothing was changed, and every recorded table has rows', async () => {
    expect(await foundAfter(async () => undefined)).toEqual([]);
    for (const table of recorded) {
      const [r] = await c.admin.query(`SELECT count(*) AS n FROM ${table} WHERE psp_id = $1`, [psp.uuid]);
      expect([table, r?.n]).toEqual([table, expect.not.stringMatching(/^0$/)]);
      expect(Number(r?.n)).toBeGreaterThan(0);
    }
  });

  it('finds a change of any one column of every one of them', async () => {
    const unnoticed: string[] = [];
    for (const together of apart(await Promise.all(recorded.map(rowsOf)))) {
      const most = Math.max(...together.map((t) => t.columns.length));
      for (let i = 0; i < most; i++) {
        const changes = together.flatMap(({ columns, ...t }) => {
          const column = columns[i];
          return column === undefined ? [] : [{ ...t, ...column }];
        });
        const all = await changed(changes);
        // A row that is not named when all are changed is changed once more by itself.
        for (const { ids, ...change } of changes)
          for (const id of ids.filter((i) => !all.some((f) => names(f, i))))
            if ((await changed([{ ...change, ids: [id] }])).length === 0)
              unnoticed.push(`${change.table}.${change.name}`);
      }
    }
    expect([...new Set(unnoticed)].filter((x) => !free.includes(x))).toEqual([]);
    // The test notices what goes unnoticed.
    expect(unnoticed).toEqual(expect.arrayContaining(free));
  });

  it.each(recorded)('finds that a row of %s was deleted', async (table) => {
    const found = await foundAfter((tx) =>
      tx.query(
        `DELETE FROM ${table} WHERE (psp_id, id) IN (SELECT psp_id, id FROM ${table} WHERE psp_id = $1 LIMIT 1)`,
        [psp.uuid],
      ),
    );
    expect(found.filter((f) => f.startsWith('RECORD_CHANGED'))).not.toEqual([]);
  });

  it.each(recorded.filter((t) => ![...['player_policies', 'reviews', 'transaction_revisions']].includes(t)))(
    'finds a row of %s that was put in',
    async (table) => {
      const names = (await columnsOf(table)).map((x) => x.name);
      const fresh: Record<string, string> = {
        id: 'gen_random_uuid()',
        revision: 'revision + 1000',
        // A chargeback has one dispute.
        chargeback_id: 'gen_random_uuid()',
        // A period is filed once.
        first_day: "first_day - interval '1 year'",
        email: "email || '.ng'",
        username: "username || 'x'",
        secret_hash: "secret_hash || 'x'",
      };
      const values = names.map((n) => fresh[n] ?? n);
      const found = await foundAfter((tx) =>
        tx.query(
          `INSERT INTO ${table} (${names.join()}) SELECT ${values.join()} FROM ${table} WHERE psp_id = $1 LIMIT 1`,
          [psp.uuid],
        ),
      );
      expect(found.filter((f) => f.startsWith('RECORD_CHANGED'))).not.toEqual([]);
    },
  );

  it.each([
    ['is for another account', `UPDATE reports SET account_id = '${none}' WHERE psp_id = $1 AND kind = 'filing'`],
    [
      'was made of another period',
      "UPDATE reports SET parameters = replace(parameters, '10', '09') WHERE psp_id = $1 AND kind = 'filing'",
    ],
    [
      'never was asked for',
      "INSERT INTO reports (psp_id, id, series_id, revision, account_id, kind, parameters, state, percent, begun, requested_by, created_at) SELECT psp_id, gen_random_uuid(), gen_random_uuid(), 1, account_id, kind, parameters, 'QUEUED', 0, 0, requested_by, created_at FROM reports WHERE psp_id = $1 LIMIT 1",
    ],
    ['is gone', "DELETE FROM reports WHERE psp_id = $1 AND kind = 'filing'"],
    [
      'has another hash in its manifest',
      `UPDATE reports SET manifest = regexp_replace(manifest, '"files":\\[.*?"sha256":"', '\\&00') WHERE psp_id = $1 AND kind = 'filing'`,
    ],
    [
      'has another figure in its JSON',
      "UPDATE report_files SET content = replace(content, '1', '2') WHERE psp_id = $1 AND name = 'json'",
    ],
    [
      'has another figure, with its hash',
      "UPDATE report_files SET content = content || ' ', bytes = bytes + 1, sha256 = encode(sha256((content || ' ')::bytea), 'hex') WHERE psp_id = $1 AND name = 'page'",
    ],
    [
      'has another workbook',
      "UPDATE report_files SET content = encode('other'::bytea, 'base64') WHERE psp_id = $1 AND name = 'xlsx'",
    ],
    ['lacks a document', "DELETE FROM report_files WHERE psp_id = $1 AND name LIKE 'csv:%'"],
    [
      'has a document more',
      "INSERT INTO report_files SELECT psp_id, report_id, 'xml', content_type, sha256, bytes, content FROM report_files WHERE psp_id = $1 AND name = 'json'",
    ],
  ])('finds a report that %s', async (_, change) => {
    const found = await foundAfter((tx) => tx.query(change, [psp.uuid]));
    expect(found).toContainEqual(expect.stringMatching(/^RECORD_CHANGED the report rpt_/));
  });

  it.each(['transaction', 'wager', 'payout', 'basket', 'cdr'])(
    'finds a ref of a %s that is gone, leads elsewhere or was put in',
    async (space) => {
      const noun = space === 'cdr' ? 'call detail record' : space;
      for (const [change, what] of [
        ['DELETE FROM refs WHERE psp_id = $1 AND space = $2', 'its ref does not lead to it'],
        [`UPDATE refs SET target_id = '${none}' WHERE psp_id = $1 AND space = $2`, 'its ref does not lead to it'],
        [
          "INSERT INTO refs SELECT psp_id, space, ref || ' of another', account_id, target_id, revision FROM refs WHERE psp_id = $1 AND space = $2 LIMIT 1",
          'a ref leads to it that it does not have',
        ],
      ] as const) {
        const found = await foundAfter((tx) => tx.query(change, [psp.uuid, space]));
        expect(found).toContainEqual(expect.stringMatching(`^RECORD_CHANGED the ${noun} .*: ${what}$`));
      }
    },
  );

  it.each([
    ['no longer found by a player', 'DELETE FROM player_keys WHERE psp_id = $1'],
    [
      'found by another player',
      "INSERT INTO player_keys SELECT psp_id, hash || 'x', restriction_id FROM player_keys WHERE psp_id = $1 LIMIT 1",
    ],
  ])('finds an exclusion that is %s', async (_, change) => {
    const found = await foundAfter((tx) => tx.query(change, [psp.uuid]));
    expect(found).toContainEqual(
      expect.stringMatching(/^RECORD_CHANGED the .*: it is not found by its players alone$/),
    );
  });

  it.each([
    ['client_document_parts', /^RECORD_CHANGED the document doc_.*: its content is not stored as a whole$/],
    ['case_files', /^RECORD_CHANGED the item of a case cit_.*: its file is missing$/],
  ])('finds that the content in %s is gone', async (table, message) => {
    const found = await foundAfter((tx) => tx.query(`DELETE FROM ${table} WHERE psp_id = $1`, [psp.uuid]));
    expect(found).toContainEqual(expect.stringMatching(message));
  });
});
