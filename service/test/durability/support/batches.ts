// Forms batches by locking the journal's head, which every commit needs; and builds commands whose rows a test can make
// invalid.
import type { Content } from '../../../src/entries/index.ts';
import { journalRow, row } from '../../../src/modules/kernel/journal.ts';
import { system } from '../../../src/modules/kernel/principal.ts';
import type { Command, Row, Writes } from '../../../src/platform/committer.ts';
import { type Account, makeTestApp, type TestApp, type TestDatabase } from '../../support/app.ts';
import { until } from './conditions.ts';
import { Client, History, type Party, type Sent } from './history.ts';
import type { Stage } from './service-process.ts';
import { newRef, sale } from './storm.ts';

export interface BatchPlace {
  readonly t: TestApp;
  readonly psp: Account;
  readonly account: Account;
  readonly party: Party;
  readonly history: History;
  readonly client: Client;
}

/** A service in this process. */
export async function batchPlace(
  stage: Stage,
  env: Record<string, string> = {},
  database?: TestDatabase,
): Promise<BatchPlace> {
  const t = await makeTestApp({ env: { LOG_LEVEL: 'error', ...env }, ...(database ? { database } : {}) });
  const client = new Client();
  stage.defer(async () => {
    client.close();
    await t.stop();
  });
  const psp = await t.makePsp();
  const account = await t.makeClient(psp);
  const party = { name: 'client', apiKey: account.apiKey, psp: psp.uuid, account: account.uuid };
  return { t, psp, account, party, history: new History(), client };
}

/** Blocks every commit of the PSP while `within` runs; a first commit waits meanwhile. */
export async function whileHeld<T>(p: BatchPlace, within: () => Promise<T>): Promise<{ first: Sent; result: T }> {
  let first: Promise<Sent> | undefined;
  const result = await p.t.database.admin.withClient(async (c) => {
    await c.query('BEGIN');
    await c.query('SELECT 1 FROM journal_heads WHERE psp_id = $1 FOR UPDATE', [p.psp.uuid]);
    try {
      first = p.history.send(p.client, p.t.address, p.party, 'verifyTransaction', sale(newRef('first'), 10));
      await waits(p);
      return await within();
    } finally {
      await c.query('COMMIT');
    }
  });
  return { first: await (first as Promise<Sent>), result };
}

export const waits = (p: BatchPlace) =>
  until('a commit waits', async () => {
    const [w] = await p.t.database.admin.query(
      `SELECT count(*) AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_batch%' AND state = 'active'`,
    );
    return (w?.n as number) > 0;
  });

export const queued = (p: BatchPlace, n: number) =>
  until(`${n} commands wait`, () => p.t.app.services.committer.depth === n);

/** Valid writes as a module would build them: a ref, a record and its entry. */
function goodWrites(p: BatchPlace, ref: string): Writes {
  const s = p.t.app.services;
  const id = s.ids.next();
  const at = new Date(p.t.now()).toISOString();
  return {
    accounts: [],
    refsNew: [{ psp: p.psp.uuid, space: 'basket', ref, account: p.account.uuid, target: id, revision: 1 }],
    rows: [
      row('baskets', {
        psp_id: p.psp.uuid,
        id,
        account_id: p.account.uuid,
        recorded_by: p.account.uuid,
        ref,
        transaction_id: id,
        status: 'PENDING',
        revision: 1,
        amount: '10.00',
        currency: 'NGN',
        country: 'NG',
        vat_amount: '0.70',
        taxable_amount: '10.00',
        line_vat: '[]',
        original: '{}',
        request: '{}',
        observations: '[]',
        created_at: at,
        updated_at: at,
      }),
      journalRow(s, system, at, {
        kind: 'basket.created',
        psp: p.psp.uuid,
        account: p.account.uuid,
        resourceId: id,
        version: 1,
        data: { ref } as Content<'basket.created/1'>['data'],
        evidence: { dataset: 'none', date: '2026-11-21', tax: [], fee: null },
      }),
    ],
  };
}

/** A command built by the test, which may replace columns of its basket by invalid values. */
export function handMade(p: BatchPlace, ref: string, spoil: Record<string, unknown> = {}): Command<string> {
  const good = goodWrites(p, ref);
  const [[, basket], entry] = good.rows as [Row, Row];
  return {
    account: p.account.uuid,
    keys: [`b|${ref}`],
    needs: [],
    decide: () => ({ reply: ref, writes: { ...good, rows: [['baskets', { ...basket, ...spoil }] as Row, entry] } }),
  };
}
