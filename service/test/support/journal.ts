// Reads the journal as an auditor would: through the database owner's connection, without the service.
import { expect } from 'vitest';
import { fromWire, type IdKind, idPrefixes, nobody, toWire } from '../../src/core/ids.ts';
import type { Database } from '../../src/platform/database.ts';
import { until } from '../durability/support/conditions.ts';
import type { TestApp } from './app.ts';

export interface Told {
  readonly seq: number;
  readonly kind: string;
  /** The entry as stored. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever stands there
  readonly body: any;
  readonly text: string;
}

/** UUID behind any wire id. */
export function uuidOf(wire: string): string {
  const kind = Object.entries(idPrefixes).find(([, prefix]) => wire.startsWith(`${prefix}_`))?.[0] as IdKind;
  const uuid = fromWire(kind, wire);
  if (!uuid) throw new Error(`not an id: ${wire}`);
  return uuid;
}

/** Entries about one resource, in order. */
export async function told(t: TestApp, wireId: string): Promise<Told[]> {
  const rows = await t.database.admin.query(
    'SELECT seq, kind, body FROM journal WHERE resource_id = $1 ORDER BY psp_id, seq',
    [uuidOf(wireId)],
  );
  return rows.map((r) => ({
    seq: r.seq as number,
    kind: r.kind as string,
    text: r.body as string,
    body: JSON.parse(r.body as string),
  }));
}

/** Number of entries in the whole journal, without reviews, cases and matches that open in the background. */
export async function entryCount(t: TestApp): Promise<number> {
  const [r] = await t.database.admin.query(
    `SELECT count(*) AS n FROM journal WHERE NOT (kind = 'review.opened' AND body LIKE '%"openedBy":"rule"%')
       AND NOT (kind IN ('case.opened', 'case.updated', 'match.opened', 'match.updated') AND body LIKE '%"by":"rule"%')`,
  );
  return r?.n as number;
}

/** Number of rows in a table, to check that nothing was recorded. */
export async function rowCount(t: TestApp, table: string, where = 'true', values: unknown[] = []): Promise<number> {
  // Reviews and cases open in the background, and have refs of their own.
  const own = table === 'refs' ? " AND space NOT IN ('review', 'case', 'match')" : '';
  const [r] = await t.database.admin.query(`SELECT count(*) AS n FROM ${table} WHERE (${where})${own}`, values);
  return r?.n as number;
}

/**
 * Expects that records and journal of the whole database agree: every PSP's entries are numbered 1, 2, 3 …, every
 * record has exactly the entries of its revisions, and every entry has its record.
 */
export const expectJournalComplete = (t: TestApp): Promise<void> =>
  t.database.admin.transaction(async (db) => {
    // Readers open reviews and cases at any time: all is read as of one moment.
    await db.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await expectComplete(db);
  });

async function expectComplete(db: Database): Promise<void> {
  const entries = await db.query(
    'SELECT psp_id, seq, id, kind, account_id, resource_id, body FROM journal ORDER BY psp_id, seq',
  );
  // Thousands of entries, hundreds of times: they are compared by themselves, and only what differs is expected of none.
  const wrong: unknown[] = [];
  const lengths = new Map<string, number>();
  const byResource = new Map<string, { kind: string; version: number }[]>();
  for (const e of entries) {
    const body = JSON.parse(e.body as string);
    const psp = e.psp_id as string;
    const seq = (lengths.get(psp) ?? 0) + 1;
    lengths.set(psp, seq);
    const { id, type, clientId } = body;
    const clientOf = toWire(e.account_id === psp ? 'psp' : 'client', e.account_id as string);
    const said = [e.seq, id, type, clientId];
    const due = [seq, toWire('event', e.id as string), e.kind, clientOf];
    if (said.some((value, i) => value !== due[i])) wrong.push({ said, due });
    const key = `${psp}|${e.resource_id}`;
    const told = { kind: e.kind as string, version: body.version as number };
    const others = byResource.get(key);
    if (others) others.push(told);
    else byResource.set(key, [told]);
  }
  expect(wrong).toEqual([]);
  const heads = await db.query('SELECT psp_id, seq FROM journal_heads');
  expect(new Map(heads.map((h) => [h.psp_id, h.seq]))).toEqual(lengths);

  const expected = new Map<string, { kind: string; version: number }[]>();
  const revised = async (table: string, noun: string) => {
    for (const r of await db.query(`SELECT psp_id, id, revision FROM ${table}`))
      expected.set(
        `${r.psp_id}|${r.id}`,
        Array.from({ length: r.revision as number }, (_, i) => ({
          kind: `${noun}.${i === 0 ? 'created' : 'updated'}`,
          version: i + 1,
        })),
      );
  };
  const once = async (table: string, kind: string) => {
    for (const r of await db.query(`SELECT psp_id, id FROM ${table}`))
      expected.set(`${r.psp_id}|${r.id}`, [{ kind, version: 1 }]);
  };
  await revised('transactions', 'transaction');
  await revised('baskets', 'basket');
  await once('wagers', 'wager.created');
  await once('payouts', 'payout.created');
  await once('chargebacks', 'chargeback.created');
  await once('cdr_declarations', 'cdr.declared');
  await once('filings', 'return.filed');
  // Rates of exchange belong to no PSP; the entry of each portion of a file is in the journal of who loaded it.
  const loads = new Set((await db.query('SELECT DISTINCT load_id FROM exchange_rates')).map((r) => r.load_id));
  for (const e of entries.filter((e) => loads.has(e.resource_id)))
    expected.set(`${e.psp_id}|${e.resource_id}`, [{ kind: 'exchange_rates.loaded', version: 1 }]);
  // Rules of the risk book belong to no PSP either; the entry of those that two people put in force is in the journal of
  // who approved it, beside other entries about the same account.
  const named = entries.flatMap((e) =>
    e.kind === 'risk_rules.changed' ? JSON.parse(e.body as string).data.rules : [],
  );
  const rules = await db.query('SELECT id, version, origin FROM risk_rules ORDER BY id, version');
  expect(named.map((r) => `${r.id} ${r.version} ${r.origin}`).sort()).toEqual(
    rules.map((r) => `${r.id} ${r.version} ${r.origin}`).sort(),
  );
  // Lists belong to no PSP where staff load them; each part of a file is an entry in the journal of who loaded it.
  const listLoads = new Set((await db.query('SELECT id FROM list_loads')).map((r) => r.id));
  for (const e of entries.filter((e) => listLoads.has(e.resource_id)))
    expected.set(`${e.psp_id}|${e.resource_id}`, [{ kind: 'list.loaded', version: 1 }]);
  for (const m of await db.query('SELECT psp_id, id, version FROM list_matches'))
    expected.set(`${m.psp_id}|${m.id}`, [
      { kind: 'match.opened', version: 1 },
      ...Array.from({ length: (m.version as number) - 1 }, (_, i) => ({ kind: 'match.updated', version: i + 2 })),
    ]);
  // Records of a file have no entries of their own: the entries of its portions count them.
  let filed = 0;
  for (const r of await db.query('SELECT psp_id, id FROM cdrs')) {
    const key = `${r.psp_id}|${r.id}`;
    const own = byResource.get(key) ?? [];
    const isFiled = !own.some((e) => e.kind === 'cdr.recorded');
    if (isFiled) filed++;
    // A file's portion tells of what its lines correct, and a file's withdrawal of all its records.
    const isWithdrawn = own.some((e) => e.kind === 'cdr.withdrawn');
    const kinds = [...(isFiled ? [] : ['cdr.recorded']), ...(isWithdrawn ? ['cdr.withdrawn'] : [])];
    if (kinds.length > 0)
      expected.set(
        key,
        kinds.map((kind, i) => ({ kind, version: i + 1 })),
      );
  }
  for (const e of entries)
    if (e.kind === 'cdr.file_portion') filed -= JSON.parse(e.body as string).data.accepted as number;
  expect(filed).toBe(0);
  // A release is a row of the netting's ref, journalled as the netting's second version.
  for (const r of await db.query(
    'SELECT psp_id, min(id::text) AS id, count(*) AS rows FROM nettings GROUP BY psp_id, account_id, ref',
  ))
    expected.set(
      `${r.psp_id}|${r.id}`,
      [
        { kind: 'chargeback.netted', version: 1 },
        { kind: 'chargeback.netting_released', version: 2 },
      ].slice(0, r.rows as number),
    );
  for (const r of await db.query('SELECT DISTINCT psp_id, entry_id FROM adjustments'))
    expected.set(`${r.psp_id}|${r.entry_id}`, [{ kind: 'tax.adjusted', version: 1 }]);
  for (const r of await db.query("SELECT psp_id, target_id FROM refs WHERE space = 'cdr_period'"))
    expected.set(`${r.psp_id}|${r.target_id}`, [{ kind: 'cdr.period_closed', version: 1 }]);
  // One that a rule opened after the entries were read is not among them.
  for (const r of await db.query('SELECT psp_id, id, opened_by, version FROM reviews'))
    if (r.opened_by !== 'rule' || byResource.has(`${r.psp_id}|${r.id}`))
      expected.set(
        `${r.psp_id}|${r.id}`,
        Array.from({ length: r.version as number }, (_, i) => ({
          kind: i === 0 ? 'review.opened' : 'review.updated',
          version: i + 1,
        })),
      );
  for (const r of await db.query('SELECT psp_id, id, version FROM cases'))
    if (byResource.has(`${r.psp_id}|${r.id}`))
      expected.set(
        `${r.psp_id}|${r.id}`,
        Array.from({ length: r.version as number }, (_, i) => ({
          kind: i === 0 ? 'case.opened' : 'case.updated',
          version: i + 1,
        })),
      );
  for (const r of await db.query('SELECT psp_id, id, version, state FROM disputes'))
    expected.set(
      `${r.psp_id}|${r.id}`,
      Array.from({ length: r.version as number }, (_, i) => ({
        kind:
          i === 0
            ? 'dispute.opened'
            : i + 1 === r.version && ['WON', 'LOST'].includes(r.state as string)
              ? 'dispute.resolved'
              : 'dispute.updated',
        version: i + 1,
      })),
    );
  for (const r of await db.query('SELECT psp_id, id, version FROM client_documents'))
    expected.set(
      `${r.psp_id}|${r.id}`,
      Array.from({ length: r.version as number }, (_, i) => ({
        kind: i === 0 ? 'document.added' : 'document.decided',
        version: i + 1,
      })),
    );
  for (const r of await db.query('SELECT psp_id, id, version FROM player_restrictions'))
    expected.set(
      `${r.psp_id}|${r.id}`,
      Array.from({ length: r.version as number }, (_, i) => ({
        kind: i === 0 ? 'restriction.placed' : 'restriction.changed',
        version: i + 1,
      })),
    );
  for (const r of await db.query('SELECT psp_id, id, version FROM wallet_holds'))
    expected.set(
      `${r.psp_id}|${r.id}`,
      Array.from({ length: r.version as number }, (_, i) => ({
        kind: i === 0 ? 'wallet_hold.placed' : 'wallet_hold.ended',
        version: i + 1,
      })),
    );
  for (const r of await db.query('SELECT psp_id, id, version, state FROM report_schedules'))
    expected.set(
      `${r.psp_id}|${r.id}`,
      Array.from({ length: r.version as number }, (_, i) => ({
        kind: `report_schedule.${i === 0 ? 'created' : i + 1 === r.version && r.state === 'ENDED' ? 'ended' : 'changed'}`,
        version: i + 1,
      })),
    );
  for (const r of await db.query('SELECT psp_id, id, version FROM proposals'))
    expected.set(
      `${r.psp_id}|${r.id}`,
      // Decided once, and, where it is done once, done.
      ['proposal.opened', 'proposal.decided', 'proposal.decided']
        .slice(0, r.version as number)
        .map((kind, i) => ({ kind, version: i + 1 })),
    );
  // An erasure has no row of its own, only its entry; neither has what an authority reads.
  for (const e of entries)
    if (e.kind === 'subject.erased' || e.kind === 'authority.read')
      expected.set(`${e.psp_id}|${e.resource_id}`, [{ kind: e.kind as string, version: 1 }]);
  for (const r of await db.query('SELECT psp_id, id, version FROM cdr_files')) {
    const told = byResource.get(`${r.psp_id}|${r.id}`) ?? [];
    expect(told.map((e) => e.version)).toEqual(Array.from({ length: r.version as number }, (_, i) => i + 1));
    // A file that was only picked up has no entry yet.
    if (told.length > 0) expected.set(`${r.psp_id}|${r.id}`, told);
  }
  for (const r of await db.query('SELECT psp_id, id, state FROM reports')) {
    const ended = { DONE: 'report.completed', FAILED: 'report.failed' }[r.state as string];
    expected.set(
      `${r.psp_id}|${r.id}`,
      // A report that ended after the entries were read has a second entry that is not among them.
      ['report.requested', ...(ended ? [ended] : [])]
        .map((kind, i) => ({ kind, version: i + 1 }))
        .slice(0, byResource.get(`${r.psp_id}|${r.id}`)?.length ?? 1),
    );
  }
  for (const r of await db.query('SELECT psp_id, id, state FROM sftp_logins')) {
    const told = byResource.get(`${r.psp_id}|${r.id}`) ?? [];
    expect(told.map((e) => [e.kind, e.version])).toEqual(
      told.map((_, i) => [
        i === 0
          ? 'sftp_login.issued'
          : r.state === 'REVOKED' && i === told.length - 1
            ? 'sftp_login.revoked'
            : 'sftp_login.updated',
        i + 1,
      ]),
    );
    expect(told.length).toBeGreaterThan(0);
    expected.set(`${r.psp_id}|${r.id}`, told);
  }
  // Each change of a person's sign-in has one entry.
  for (const r of await db.query('SELECT psp_id, id, version FROM users')) {
    const told = byResource.get(`${r.psp_id}|${r.id}`) ?? [];
    expect(told.map((e) => [e.kind.startsWith('user.'), e.version])).toEqual(
      Array.from({ length: r.version as number }, (_, i) => [true, i + 1]),
    );
    expected.set(`${r.psp_id}|${r.id}`, told);
  }
  // A key's ref counts its changes: between issue and revocation only updates.
  for (const r of await db.query(
    `SELECT k.psp_id, k.id, k.revoked_at, f.revision FROM api_keys k
     JOIN refs f ON f.psp_id = k.psp_id AND f.space = 'key' AND f.ref = k.id::text AND f.account_id = k.account_id`,
  ))
    expected.set(
      `${r.psp_id}|${r.id}`,
      Array.from({ length: r.revision as number }, (_, i) => ({
        kind: i === 0 ? 'key.issued' : r.revoked_at !== null && i + 1 === r.revision ? 'key.revoked' : 'key.updated',
        version: i + 1,
      })),
    );
  const accounts = new Map(
    (await db.query('SELECT psp_id, id, version FROM accounts')).map((r) => [
      `${r.psp_id}|${r.id}`,
      r.version as number,
    ]),
  );
  for (const [key, version] of accounts)
    expect({
      key,
      list: byResource
        .get(key)
        ?.filter((e) => /^client\.(created|updated|changed_privately|licence_expiring)$/.test(e.kind)),
    }).toEqual({
      key,
      list: Array.from({ length: version }, (_, i) => ({
        kind:
          i === 0 ? 'client.created' : expect.stringMatching(/^client\.(updated|changed_privately|licence_expiring)$/),
        version: i + 1,
      })),
    });
  for (const [key, list] of expected)
    if (!alike(byResource.get(key), list)) expect({ key, list: byResource.get(key) }).toEqual({ key, list });
  // Entries of the service itself: the shipped rates and risk rules.
  const own = `${nobody}|${nobody}`;
  expect(byResource.get(own)?.filter((e) => !['rates.changed', 'risk_rules.changed'].includes(e.kind)) ?? []).toEqual(
    [],
  );
  byResource.delete(own);
  expect([...byResource].filter(([key]) => !expected.has(key) && !accounts.has(key))).toEqual([]);

  const kept = await db.query(
    `SELECT t.id, t.revision, (SELECT count(*) FROM transaction_revisions r WHERE r.psp_id = t.psp_id AND r.id = t.id) AS kept
     FROM transactions t`,
  );
  expect(kept.filter((r) => r.kept !== (r.revision as number) - 1)).toEqual([]);
}

type Kinds = readonly { readonly kind: string; readonly version: number }[];
const alike = (a: Kinds | undefined, b: Kinds): boolean =>
  a?.length === b.length && a.every((e, i) => e.kind === b[i]?.kind && e.version === b[i]?.version);

export const metricsOf = async (t: TestApp): Promise<string> => (await fetch(`${t.address}/metrics`)).text();

/**
 * Waits until these readers have read the journal to its end, including entries that they set aside. Each is asked
 * itself, since `/metrics` counts much besides.
 */
export async function readersAtEnd(t: TestApp, names: readonly string[]): Promise<void> {
  const readers = (t.app.following?.readers ?? []).filter((r) => names.includes(r.name));
  expect(readers.map((r) => r.name).sort()).toEqual([...names].sort());
  await until(
    'every reader has come to the end',
    async () => {
      // One after the other: what an earlier one writes, a later one reads.
      for (const r of readers)
        if ((await r.lag()) > 0) {
          // What one reader writes wakes no other: on a busy machine the next look comes after five seconds.
          r.wake();
          return false;
        }
      return true;
    },
    300_000,
  );
}
