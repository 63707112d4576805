// Transactions that end with one call of the commit function, besides the committer's own calls.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../../../test/support/app.ts';
import { verified } from '../../../test/support/audit.ts';
import { toWire } from '../../core/ids.ts';
import type { Wake } from '../../platform/worker.ts';
import { openAlerts } from '../reviews/index.ts';
import { journalRow, row } from './journal.ts';
import { system } from './principal.ts';
import { recordIn } from './record-in.ts';

let t: TestApp;
let psp: Account;
beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
afterAll(() => t.stop());

/** A login and its entry. */
function login(id = t.app.services.ids.next()) {
  const at = new Date(t.now()).toISOString();
  const data = {
    loginId: toWire('sftpLogin', id),
    clientId: toWire('psp', psp.uuid),
    username: `cdr-${id}`,
    name: 'billing',
    password: false,
    publicKeys: [],
    state: 'ACTIVE' as const,
    createdAt: at,
    revokedAt: null,
  };
  const entry = { psp: psp.uuid, account: psp.uuid, resourceId: id, version: 1 };
  return {
    id,
    rows: [
      row('sftp_logins', {
        psp_id: psp.uuid,
        id,
        account_id: psp.uuid,
        username: `cdr-${id}`,
        name: 'billing',
        public_keys: '[]',
        state: 'ACTIVE',
        created_at: at,
      }),
      journalRow(t.app.services, system, at, { ...entry, kind: 'sftp_login.issued', data }),
    ],
  };
}
const ref = (id: string) => ({ psp: psp.uuid, space: 'sftp_login', ref: id, account: psp.uuid });

const alertOf = (a: Account) => ({
  ...{ psp: a.uuid, account: a.uuid, rule: 'NAME_LISTED', about: 'list:1', reason: 'a match' },
});

/** The stored rows and entries of a resource. */
async function stored(id: string): Promise<unknown> {
  const [r] = await t.database.admin.query(
    `SELECT (SELECT count(*) FROM sftp_logins WHERE id = $1) AS rows,
       (SELECT count(*) FROM journal WHERE resource_id = $1) AS entries`,
    [id],
  );
  return r;
}

describe('a transaction that records', () => {
  it('makes rows and entries true together', async () => {
    const { id, rows } = login();
    await t.app.services.db.transaction((tx) => recordIn(tx, t.app.services, { rows }));
    expect(await stored(id)).toEqual({ rows: 1, entries: 1 });
  });

  it('leaves neither where it is given up after it recorded', async () => {
    const { id, rows } = login();
    const givenUp = t.app.services.db.transaction(async (tx) => {
      await recordIn(tx, t.app.services, { rows });
      throw new Error('given up');
    });
    await expect(givenUp).rejects.toThrow('given up');
    expect(await stored(id)).toEqual({ rows: 0, entries: 0 });
  });

  it.each(['absent', 'at another revision'])('writes nothing where a ref that it rests on is %s', async (how) => {
    const { services } = t.app;
    const { id, rows } = login();
    const gate = t.app.services.ids.next();
    if (how !== 'absent')
      await services.db.transaction((tx) =>
        recordIn(tx, services, { rows: [], refsNew: [{ ...ref(gate), target: gate, revision: 2 }] }),
      );
    const stale = services.db.transaction((tx) =>
      recordIn(tx, services, { rows, refsHeld: [{ ...ref(gate), revision: 1 }] }),
    );
    await expect(stale).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(await stored(id)).toEqual({ rows: 0, entries: 0 });
  });

  it('writes nothing where a row it puts in is there already', async () => {
    const { services } = t.app;
    const { id, rows } = login();
    const [, entry] = rows;
    const at = new Date(t.now()).toISOString();
    // Not in force: it sets no price.
    const twice = [row('fee_rules', { fee_id: id, rule: '{}', recorded_at: at, superseded_at: at })];
    const put = () => services.db.transaction((tx) => recordIn(tx, services, { rows: [...twice, entry as never] }));
    await put();
    await expect(put()).rejects.toMatchObject({ code: '23505' });
    expect(await stored(id)).toEqual({ rows: 0, entries: 1 });
  });

  it('numbers its entries without gaps among those of commands', async () => {
    const logins = Array.from({ length: 20 }, () => login());
    await Promise.all(
      logins.flatMap(({ rows }) => [
        t.app.services.db.transaction((tx) => recordIn(tx, t.app.services, { rows })),
        verified(t, psp),
      ]),
    );
    const entries = await t.database.admin.query('SELECT seq FROM journal WHERE psp_id = $1 ORDER BY seq', [psp.uuid]);
    expect(entries.length).toBeGreaterThanOrEqual(40);
    expect(entries.map((e) => e.seq)).toEqual(entries.map((_, i) => i + 1));
  });

  it('wakes the readers of its journal, readers that write included, and no look at all journals is needed', async () => {
    const u = await makeTestApp({ lookEveryMs: 3_600_000 });
    try {
      const of = await u.makePsp();
      const wakes: (readonly string[])[] = [];
      const wake = u.app.following?.wake;
      Object.assign(u.app.following ?? {}, {
        wake(w: Wake) {
          if ('psps' in w) wakes.push([...w.psps]);
          wake?.(w);
        },
      });
      const sale = { ref: 'large', totalAmount: 15_000_000, paymentMethods: { card: 15_000_000 }, transactionFee: 0 };
      await u.post('/v1/transaction/verifyTransaction', { ...sale, currency: 'NGN', countryCode: 'NG' }, of.apiKey);
      // The reader of risk opens an alert; that of cases reads this entry, which no command has written.
      await expect
        .poll(async () => (await u.get('/v1/case', of.apiKey)).body.content.items.length, { timeout: 120_000 })
        .toBe(1);
      expect(wakes.flat().every((id) => id === of.uuid)).toBe(true);

      wakes.length = 0;
      const givenUp = u.app.services.db.transaction(async (tx) => {
        await openAlerts(tx, u.app.services, [alertOf(of)], new Date(u.now()).toISOString());
        throw new Error('given up');
      });
      await expect(givenUp).rejects.toThrow('given up');
      expect(wakes).toEqual([]);
    } finally {
      await u.stop();
    }
  });
});
