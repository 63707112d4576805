// Someone with access to the database changes fees, country files, rules, adjustments, the risk book or the taxes of calls
// without the journal: the audit finds each change. Columns are read from the catalogue.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nobody } from '../../src/core/ids.ts';
import type { Database } from '../../src/platform/database.ts';
import { type Account, makeTestApp } from '../support/app.ts';
import { allSealed, verified } from '../support/audit.ts';
import { analysed } from '../support/cdr-analysis.ts';
import { citus } from '../support/citus.ts';
import { contentOf, issueKey } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';
import { audited, type Copy, freshCopy } from './support/copies.ts';

let c: Copy;
let psp: Account;
let operator: Account;

beforeAll(async () => {
  c = await freshCopy();
  const t = await makeTestApp({ database: c, env: { DATA_DIR: c.dir } });
  psp = await t.makePsp();
  operator = await t.makeOperator();
  const client = await t.makeClient(psp);
  // What is announced from here on, and a test of the address.
  contentOf(
    await t.post('/v1/client/subscribeToClient', { webhookUrl: 'https://hooks.example.com/assay' }, psp.apiKey),
  );
  const [{ webhookId }] = contentOf(await t.get('/v1/webhook', psp.apiKey)).items;
  contentOf(await t.post(`/v1/webhook/${webhookId}/test`, {}, psp.apiKey));
  const staff = async (path: string, body: object) => contentOf(await t.post(path, body, operator.apiKey));
  const fee = { percent: '2', validFrom: '2030-01-01', validTo: '2031-01-01', reason: 'contract' };
  await staff('/v1/admin/fee', { ...fee, feeId: 'LIVE', pspId: psp.id });
  await staff('/v1/admin/fee', { ...fee, feeId: 'OVER', pspId: (await t.makePsp()).id });
  await staff('/v1/admin/fee/OVER/end', { reason: 'contract' });
  const asset = { symbol: 'MOON', network: 'ETHEREUM', decimals: 18, name: 'Moon', reason: 'listed' };
  await staff('/v1/admin/asset', asset);
  for (const ref of ['one', 'two']) await verified(t, client, { ref });
  // Nigeria's rate was 10 % from the first of November on, as one sees on the 21st; then it was 11 %.
  const file = readFileSync(new URL('../../data/tax/NG.json', import.meta.url), 'utf8');
  for (const rate of ['0.10', '0.11']) {
    const country = JSON.parse(file);
    const old = country.rules.find((r: { ruleId: string }) => r.ruleId === 'NG-VAT-STANDARD-2026');
    country.rules.push({ ...old, ruleId: 'NG-VAT-STANDARD-2026-11', rate, validFrom: '2026-11-01' });
    old.validTo = '2026-11-01';
    await staff('/v1/admin/tax', { reason: 'overlooked', country });
  }
  // As the command line does it, in nobody's name.
  const onTheMachine = { kind: 'operator', psp: nobody, account: nobody, actor: 'cli:ada' } as const;
  const text = readFileSync(new URL('../../data/tax/LI.json', import.meta.url), 'utf8');
  const { services } = t.app;
  await services.rateKeeper.loadTax(services, onTheMachine, [{ name: 'LI.json', text }], 'checked', t.now());
  const ecb = { name: 'ecb.csv', text: 'Date,USD,GBP,\n2024-01-03,1.0919,0.8637,\n2024-01-02,1.0956,0.8665,\n' };
  await staff('/v1/exchange-rates', ecb);
  await staff('/v1/exchange-rates', { ...ecb, text: ecb.text.replace('1.0919', '1.0920') });
  const listed = (ref: string) =>
    `<sanctionEntity euReferenceNumber="${ref}"><nameAlias wholeName="Adam ${ref}"/></sanctionEntity>`;
  const list = `<export generationDate="2026-11-21">${listed('A')}${listed('B')}</export>`;
  await staff('/v1/lists', { name: 'eu.xml', threshold: 80, text: list });
  const range = { countryCode: 'NG', from: '2026-11-01', to: '2026-11-30' };
  const done = await staff('/v1/correction', { clientId: psp.id, ...range, reason: 'overlooked' });
  expect(done.adjusted).toBe(2);
  // Of the risk book: a rule of staff with two versions, and a policy that was changed.
  const second = (await issueKey(t, operator)).apiKey;
  for (const version of [1, 2]) {
    const condition = `record.currency == "NGN" && ${version} == 2`;
    const risk = {
      ...{ id: 'MINE', version, from: '2020-01-01', until: null, scope: { operations: ['verifyTransaction'] } },
      ...{
        condition,
        severity: 'HIGH',
        code: 'RISK_POLICY',
        reason: 'A sentence that a reviewer reads.',
        action: 'decline',
      },
      source: { title: 'A test of the audit', date: '2026-11-26' },
    };
    const { proposalId } = await staff('/v1/admin/proposal', { reason: 'seen lately', risk });
    contentOf(await t.post(`/v1/admin/proposal/${proposalId}/approve`, { reason: 'checked' }, second));
  }
  for (const declining of [['MINE'], ['CHAIN_HASH_TWICE', 'MINE']])
    contentOf(await t.post('/v1/risk-policy', { declining, reason: 'seen' }, psp.apiKey));
  // Of calls: two of October with one more that came late and a withdrawn one, and one of November.
  const telecom = await t.makeClient(psp, { countryCode: 'UG', registrationNumber: 'UG-1' });
  const call = async (cdr_id: string, start: string, end: string) => {
    const record = {
      ...{ cdr_id, caller_number: '+256771000001', receiver_number: '+256701000002', call_start_time: start },
      ...{ call_end_time: end, call_duration_seconds: 90, call_type: 'VOICE', network_provider: 'MTN Uganda' },
      billing_information: { call_cost: 100, currency: 'UGX' },
    };
    return contentOf(await t.post('/v1/telecom/recordCDR', record, telecom.apiKey)).cdrId as string;
  };
  const october = ['2026-10-20T10:00:00Z', '2026-10-20T10:01:30Z'] as const;
  const first = await call('A', ...october);
  await call('B', ...october);
  await call('C', '2026-11-20T10:00:00Z', '2026-11-20T10:01:30Z');
  contentOf(await t.post('/v1/telecom/period/close', { period: '2026-10' }, telecom.apiKey));
  await call('D', ...october);
  contentOf(await t.post(`/v1/telecom/cdr/${first}/withdraw`, { reason: 'never made' }, telecom.apiKey));
  await analysed(t, psp);
  await readersAtEnd(t, ['webhooks']);
  await allSealed(t);
  await t.stop();
  // Whoever may change the tables is held by none of their checks.
  for (const table of new Set(tables.map(([name]) => name))) {
    const checks = await c.admin.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('c', 'x', 'f')`,
      [table],
    );
    for (const check of checks) await c.admin.query(`ALTER TABLE ${table} DROP CONSTRAINT ${check.name}`);
  }
  await c.admin.query('DROP INDEX tax_countries_live, risk_rules_live');
});
afterAll(() => c?.drop());

const undo = new Error('rolled back');

/** What the audit of one log finds after a change, which is rolled back. */
async function foundAfter(of: Account, change: (tx: Database) => Promise<unknown>): Promise<string[]> {
  let messages: string[] = [];
  // Prepared: the same audit is planned once, not hundreds of times.
  await c.admin.prepared
    .transaction(async (tx) => {
      await change(tx);
      messages = (await audited(c, { db: tx, psp: of.uuid })).findings.map((f) => `${f.code} ${f.message}`);
      throw undo;
    })
    .catch((e) => {
      if (e !== undo) throw e;
    });
  return messages;
}

/** Another value of a column, by its type. */
const other: Readonly<Record<string, (column: string) => string>> = {
  uuid: (column) => `md5(${column}::text)::uuid`,
  text: (column) => `${column} || ' '`,
  boolean: (column) => `NOT ${column}`,
  numeric: (column) => `${column} + 0.01`,
  integer: (column) => `${column} + 1000`,
  bigint: (column) => `${column} + 1000`,
  date: (column) => `${column} + 1`,
  daterange: () => "daterange('1999-01-01', '1999-02-01')",
  tstzrange: (column) => `tstzrange(lower(${column}) - interval '1 second', upper(${column}))`,
  'timestamp with time zone': (column) =>
    column === 'superseded_at'
      ? `CASE WHEN ${column} IS NULL THEN now() END`
      : `(${column} AT TIME ZONE 'UTC' + interval '1 second') AT TIME ZONE 'UTC'`,
};
/** Blanks are no change to what is JSON, and none to what is null. */
const otherJson: Readonly<Record<string, (column: string) => string>> = {
  rule: (column) => `(${column}::jsonb || '{"percent":"77","rate":"0.77"}')::text`,
  declining: () => `'["OTHER"]'`,
  holding: () => `'["OTHER"]'`,
  finding: () => `'NO_RULE'`,
  withdrawn_in: (column) => `coalesce(${column}, '') || ' '`,
  taxes: (column) => `replace(${column}, '"', '"1')`,
};
/**
 * Moments that the database notes by its own clock, what rules compete for, which is read at no place, and by which
 * versions a call was analysed, and with which country, which its class and taxes follow from.
 */
const free = [
  ...['fee_rules.recorded_at', 'tax_rules.slot'],
  ...['cdr_analyses.other_country', 'cdr_analyses.dataset', 'cdr_analyses.ranges'],
  // Of the PSP that it was moved to it is one that no entry tells of; of its own it may have been removed after its time.
  'webhook_events.psp_id',
];
/** Rows that staff set or a version shipped, and the log with which they are checked. */
const tables: readonly (readonly [table: string, which: string, of: () => Account])[] = [
  ['fee_rules', "fee_id = 'LIVE'", () => operator],
  ['fee_rules', "fee_id = 'OVER'", () => operator],
  ['crypto_assets', 'true', () => operator],
  ['tax_countries', "origin = 'operator' AND superseded_at IS NULL AND jurisdiction = 'NG'", () => operator],
  ['tax_countries', "origin = 'operator' AND superseded_at IS NOT NULL", () => operator],
  ['tax_countries', "origin = 'shipped' AND superseded_at IS NULL AND jurisdiction = 'DE'", () => operator],
  ['tax_countries', "origin = 'shipped' AND superseded_at IS NOT NULL AND jurisdiction = 'NG'", () => operator],
  ['tax_rules', "rule_id = 'NG-VAT-STANDARD-2026-11' AND upper_inf(recorded)", () => operator],
  ['adjustments', 'true', () => psp],
  ['exchange_rates', "currency = 'GBP' AND day = '2024-01-03'", () => operator],
  ['exchange_rates', 'revision = 2', () => operator],
  ['list_loads', 'true', () => operator],
  ['list_entries', "ref = 'B'", () => operator],
  ['risk_rules', "id = 'MINE' AND superseded_at IS NULL", () => operator],
  ['risk_rules', "id = 'MINE' AND superseded_at IS NOT NULL", () => operator],
  ['risk_rules', "id = 'CHAIN_HASH_TWICE'", () => operator],
  ['risk_policies', 'version = 1', () => psp],
  ['risk_policies', 'version = 2', () => psp],
  ['cdr_totals', "rule_id = '' AND period = '2026-10'", () => psp],
  ['cdr_totals', "rule_id <> '' AND period = '2026-11'", () => psp],
  ['cdr_analyses', 'withdrawn_in IS NULL', () => psp],
  ['cdr_analyses', 'withdrawn_in IS NOT NULL', () => psp],
  ['cdr_periods', 'true', () => psp],
  ['webhook_events', "type = 'transaction.created'", () => psp],
];
const columnsOf = (table: string) =>
  c.admin.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
/** On a cluster, rows of several servers have the same place, and only a statement that names the PSP may go by it. */
function oneOf(table: string, which: string, of: Account): string {
  const own = of === psp ? `psp_id = '${psp.uuid}' AND ` : '';
  return `${own}ctid = (SELECT min(ctid) FROM ${table} WHERE ${own}${which})`;
}
const changed = (found: readonly string[]) => found.filter((f) => f.startsWith('RECORD_CHANGED'));

describe('an audit', () => {
  it('finds nothing where nothing was changed, and all of these tables have rows', async () => {
    for (const account of [psp, operator]) expect(await foundAfter(account, async () => undefined)).toEqual([]);
    for (const [table, which] of tables) {
      const [r] = await c.admin.query(`SELECT count(*) AS n FROM ${table} WHERE ${which}`);
      expect(r?.n).toBeGreaterThan(0);
    }
  });

  it.each(tables)('finds a change of any one column of %s where %s', async (table, which, of) => {
    const unnoticed: string[] = [];
    for (const { name, type } of await columnsOf(table)) {
      if (name === 'psp_id' && citus !== undefined) continue;
      const value = otherJson[name] ?? other[type];
      if (!value) throw new Error(`the test knows no other value of the type ${type}`);
      const found = await foundAfter(of(), (tx) =>
        tx.query(`UPDATE ${table} SET ${name} = ${value(name)} WHERE ${oneOf(table, which, of())}`),
      );
      if (changed(found).length === 0) unnoticed.push(`${table}.${name}`);
    }
    expect(unnoticed.filter((x) => !free.includes(x))).toEqual([]);
  });

  it('finds a test of an address that was made an event of a record, which its receiver would believe', async () => {
    const found = await foundAfter(psp, (tx) =>
      tx.query(
        `UPDATE webhook_events SET body = (SELECT body FROM webhook_events WHERE type = 'transaction.created' LIMIT 1)
         WHERE type = 'webhook.test'`,
      ),
    );
    expect(changed(found)).not.toEqual([]);
  });

  /** What was delivered is removed after its time. */
  const mayBeGone = ['webhook_events'];

  it.each(tables.filter(([table]) => !mayBeGone.includes(table)))(
    'finds that a row of %s where %s was deleted',
    async (table, which, of) => {
      const found = await foundAfter(of(), (tx) => tx.query(`DELETE FROM ${table} WHERE ${oneOf(table, which, of())}`));
      expect(changed(found)).not.toEqual([]);
    },
  );

  it.each([
    ['fee_rules', () => operator, "INSERT INTO fee_rules (fee_id, rule) SELECT 'MINE', rule FROM fee_rules LIMIT 1"],
    ['crypto_assets', () => operator, "INSERT INTO crypto_assets VALUES ('WIF', 'SOLANA', 6, 'dogwifhat', now())"],
    [
      'tax_countries',
      () => operator,
      `INSERT INTO tax_countries SELECT jurisdiction, recorded_at - interval '1 day', recorded_at, 'operator', 'cli:ada', reason, hash, document
       FROM tax_countries WHERE jurisdiction = 'DE'`,
    ],
    [
      'tax_rules',
      () => operator,
      `INSERT INTO tax_rules SELECT 'MINE', jurisdiction, 'mine', valid, recorded, rule FROM tax_rules WHERE jurisdiction = 'NG' LIMIT 1`,
    ],
    [
      'exchange_rates',
      () => operator,
      `INSERT INTO exchange_rates SELECT publisher, kind, currency, day, 9, base, per, units, rate, gen_random_uuid(),
         file_sha256, read_from, loaded_at FROM exchange_rates LIMIT 1`,
    ],
    [
      'adjustments',
      () => psp,
      `INSERT INTO adjustments SELECT psp_id, transaction_id, revision, number + 1, gen_random_uuid(), account_id, country,
         currency, day, dataset, vat_before, vat_after, transaction_vat_before, transaction_vat_after, remainder_before,
         remainder_after, tax_after, reason, actor, created_at FROM adjustments LIMIT 1`,
    ],
    [
      'tax_countries',
      () => operator,
      `WITH o AS (UPDATE tax_countries SET superseded_at = recorded_at + interval '1 day' WHERE jurisdiction = 'DE' RETURNING *)
       INSERT INTO tax_countries SELECT jurisdiction, superseded_at, NULL, origin, actor, reason,
         encode(sha256(convert_to(document || ' ', 'UTF8')), 'hex'), document || ' ' FROM o`,
    ],
    [
      'risk_rules',
      () => operator,
      "INSERT INTO risk_rules SELECT 'OTHER', 1, rule, origin, actor, now() FROM risk_rules LIMIT 1",
    ],
    [
      'risk_policies',
      () => psp,
      `INSERT INTO risk_policies SELECT psp_id, version + 1, account_id, '[]', reason, set_by, now() FROM risk_policies WHERE version = 2`,
    ],
    [
      'cdr_totals',
      () => psp,
      `INSERT INTO cdr_totals SELECT psp_id, account_id, '2026-09', call_period, class, currency, rule_id, tax_currency, reason, country,
         tax_code, base, records, answered, seconds, data_kb, cost, taxable, quantity, tax FROM cdr_totals LIMIT 1`,
    ],
    [
      'webhook_events',
      () => psp,
      `INSERT INTO webhook_events SELECT psp_id, gen_random_uuid(), account_id, type, seq, body, created_at FROM webhook_events
       WHERE type = 'transaction.created' LIMIT 1`,
    ],
    [
      'cdr_periods',
      () => psp,
      `INSERT INTO cdr_periods SELECT psp_id, account_id, '2026-11', country, entry_id, closed_at FROM cdr_periods LIMIT 1`,
    ],
  ] as const)('finds a row of %s that was put in', async (_, of, statement) => {
    const found = await foundAfter(of(), (tx) => tx.query(statement));
    expect(changed(found)).not.toEqual([]);
  });
});
