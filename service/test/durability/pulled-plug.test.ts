// A power failure between any two statements that change rates, logins, corrections and approvals: rows and journal
// agree afterwards, and nothing applies that the journal does not contain.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { updateClient } from '../../src/modules/accounts/update-client.ts';
import { correctPortion } from '../../src/modules/corrections/correct.ts';
import { rangeOf } from '../../src/modules/corrections/range.ts';
import type { Principal } from '../../src/modules/kernel/principal.ts';
import { approve } from '../../src/modules/proposals/decide.ts';
import { propose } from '../../src/modules/proposals/propose.ts';
import { countryFile, RateKeeper, shippedCountries } from '../../src/modules/rates/index.ts';
import { createSftpLogin, revokeSftpLogin } from '../../src/modules/telecom/sftp-credentials.ts';
import { taxFolder } from '../../src/platform/data-files.ts';
import type { Account, TestApp } from '../support/app.ts';
import { verified } from '../support/audit.ts';
import { PulledWorld } from './support/pulled.ts';

let w: PulledWorld;
let t: TestApp;
let app: App;
let psp: Account;
let client: Account;
let staff: Principal;

beforeAll(async () => {
  w = await PulledWorld.start();
  ({ t, app, psp, client } = w);
  const operator = await t.makeOperator();
  staff = { kind: 'operator', psp: operator.uuid, account: operator.uuid, actor: 'first' };
  for (const ref of ['one', 'two', 'three']) await verified(t, client, { ref });
});
afterAll(() => w?.stop());

let made = 0;
const now = () => t.now();

/** Nigeria as it ships, with another standard rate each time. */
function nigeria(): string {
  const country = JSON.parse(readFileSync(join(taxFolder, 'NG.json'), 'utf8'));
  for (const r of country.rules)
    if (r.category === 'standard' && r.base === 'GROSS_INCLUSIVE' && r.validTo === null) r.rate = `10.${++made}`;
  return JSON.stringify(country);
}
const fee = () => ({
  feeId: `PLUG-${++made}`,
  operations: ['deposit' as const],
  classifications: [],
  countries: ['NG'],
  percent: '1',
  psp: psp.uuid,
  // Rows of one breadth must not overlap in time.
  validFrom: new Date(Date.UTC(2030, 0, made)).toISOString().slice(0, 10),
  validTo: new Date(Date.UTC(2030, 0, made + 1)).toISOString().slice(0, 10),
});
const loadTax = () =>
  app.services.rateKeeper.loadTax(app.services, staff, [{ name: 'NG', text: nigeria() }], 'a law', now());
async function addFee(): Promise<string> {
  const row = fee();
  await app.services.rateKeeper.addFee(app.services, staff, row, 'a contract', now());
  return row.feeId;
}
const login = () =>
  createSftpLogin(app.services, staff, { psp: psp.uuid, account: psp.uuid }, { name: `${++made}` }, now());
const revoke = (id: string) => revokeSftpLogin(app.services, staff, { psp: psp.uuid }, id, 'left', now());

interface Change {
  readonly name: string;
  /** What it takes, with the plug in; and the change. */
  prepared(): Promise<() => Promise<unknown>>;
}
const changes: readonly Change[] = [
  { name: "a country's rules", prepared: async () => loadTax },
  {
    name: 'the rates of a newer version',
    async prepared() {
      const blanks = ' '.repeat(++made);
      const later = shippedCountries().map((f) => (f.jurisdiction === 'LI' ? countryFile(f.text + blanks) : f));
      return () => RateKeeper.start(app.services.db, app.services, later, []);
    },
  },
  { name: 'a fee row', prepared: async () => addFee },
  {
    name: "a fee row's end",
    async prepared() {
      const feeId = await addFee();
      return () => app.services.rateKeeper.endFee(app.services, staff, feeId, 'ended', now());
    },
  },
  {
    name: 'the approval of a fee row',
    async prepared() {
      const row = fee();
      const subject = { kind: 'FEE', subject: row.feeId } as const;
      await propose(app.services, staff, subject, JSON.stringify(row), 'a contract', now());
      const [p] = await t.database.admin.query<{ id: string }>('SELECT id FROM proposals WHERE subject = $1', [
        row.feeId,
      ]);
      return () => approve(app.services, { ...staff, actor: 'second' }, p?.id as string, null, now());
    },
  },
  {
    name: 'a login of the file drop',
    async prepared() {
      const before = await t.database.admin.query<{ id: string }>("SELECT id FROM sftp_logins WHERE state = 'ACTIVE'");
      for (const { id } of before) await revoke(id);
      return login;
    },
  },
  {
    name: 'the revocation of a login',
    async prepared() {
      const { login: made } = await login();
      return () => revoke(made.id);
    },
  },
  {
    name: 'a registration',
    prepared: async () => () =>
      updateClient(
        app.services,
        staff,
        { psp: psp.uuid, id: client.uuid },
        { registeredName: `Lagos Books ${++made}`, email: `books${made}@example.com`, phoneNumber: '+2348030000002' },
        now(),
      ),
  },
  {
    name: 'a correction',
    async prepared() {
      await loadTax();
      const asked = { clientId: psp.id, countryCode: 'NG', from: '2026-11-20', to: '2026-11-22' };
      const range = await rangeOf(app.services, asked, now());
      if (range instanceof Error) throw range;
      return () => correctPortion(app.services, staff, range, { reason: 'overlooked' }, undefined);
    },
  },
];

/** What is in force and what the journal tells of it. */
async function expectSame(): Promise<void> {
  const db = t.database.admin;
  const told = (
    await db.query<{ body: string }>("SELECT body FROM journal WHERE kind = 'rates.changed' ORDER BY psp_id, seq")
  ).map((r) => JSON.parse(r.body).data as { dataset?: string; fee?: { feeId: string }; feeEnded?: string });
  const fees = await db.query<{ fee_id: string; ended: boolean }>(
    'SELECT fee_id, superseded_at IS NOT NULL AS ended FROM fee_rules ORDER BY fee_id',
  );
  expect(fees.map((f) => f.fee_id)).toEqual(told.flatMap((e) => e.fee?.feeId ?? []).sort());
  expect(fees.filter((f) => f.ended).map((f) => f.fee_id)).toEqual(told.flatMap((e) => e.feeEnded ?? []).sort());
  const loaded = await db.query<{ version: string }>('SELECT version FROM tax_datasets');
  expect(loaded.map((d) => d.version).sort()).toEqual(told.flatMap((e) => e.dataset ?? []).sort());
  const logins = await db.query<{ id: string; state: string }>('SELECT id, state FROM sftp_logins');
  for (const l of logins) {
    const [last] = await db.query<{ body: string }>(
      'SELECT body FROM journal WHERE resource_id = $1 ORDER BY seq DESC LIMIT 1',
      [l.id],
    );
    expect(JSON.parse(last?.body as string).data.state).toBe(l.state);
  }
  const adjusted = await db.query<{ entry_id: string; rows: number }>(
    'SELECT entry_id, count(*) AS rows FROM adjustments GROUP BY entry_id',
  );
  for (const a of adjusted) {
    const [entry] = await db.query<{ body: string }>('SELECT body FROM journal WHERE resource_id = $1', [a.entry_id]);
    expect(JSON.parse(entry?.body as string).data.adjustments).toHaveLength(a.rows);
  }
}

describe('the plug pulled at any writing statement', () => {
  it.each(changes)('of $name leaves rows and journal the same', async ({ prepared }) => {
    const brokenOff = await w.pullEverywhere(async () => ({ run: await prepared() }), expectSame);
    // At its one call of the commit function at the least, before and after.
    expect(brokenOff).toBeGreaterThanOrEqual(2);
  });

  it('leaves nothing that an audit finds', () => w.expectAudited());
});
