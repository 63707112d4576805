// The commit function has forms for a batch of one PSP, for a batch of several, and for one place of a cluster. Each case is
// committed with all of them on real tables: rejected expectations, written rows and journal numbers are the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountId, PspId } from '../../src/core/ids.ts';
import { type Account, accountChange, findAccount } from '../../src/modules/accounts/index.ts';
import { bind, commitForm } from '../../src/platform/batch-parameters.ts';
import { readRowTypes } from '../../src/platform/catalogue.ts';
import type { Writes } from '../../src/platform/command.ts';
import { storeSubjectsAt } from '../../src/platform/commit-statements.ts';
import type { Database } from '../../src/platform/database.ts';
import { IdMaker, randomSecret } from '../../src/platform/random.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { citus, placesOf } from '../support/citus.ts';

let t: TestApp;
/** The place that has the PSPs of these tests, the server that has it, and a place that this server has not. */
let at: { readonly place: string; readonly server: Database; readonly elsewhere: string };
/** Ends what `at` took. */
let leave = async (): Promise<void> => undefined;
beforeAll(async () => {
  t = await makeTestApp();
  if (citus !== undefined) {
    const places = await placesOf(t.database.url);
    at = places;
    leave = places.end;
    return;
  }
  // A place that has all PSPs: its tables are those of the database.
  at = { place: '1', server: t.database.admin, elsewhere: '2' };
  // On a cluster Citus answers this, for a place that has a number there.
  await t.database.admin.query(
    `CREATE OR REPLACE FUNCTION hold_place(p_place bigint) RETURNS boolean LANGUAGE sql AS 'SELECT p_place = ${at.place}'`,
  );
  const [store] = await t.database.admin.query<{ text: string }>(
    "SELECT pg_get_functiondef('store_subjects'::regproc) AS text",
  );
  await t.database.admin.query(store?.text.replace('store_subjects', storeSubjectsAt(at.place)) ?? '');
  for (const place of [at.place, at.elsewhere])
    await t.database.admin.query(commitForm.function.sqlAt(place, (table) => table));
});
afterAll(async () => {
  await leave();
  await t.stop();
});

interface Place {
  readonly psp: PspId;
  readonly account: AccountId;
}

const ids = new IdMaker(Date.now);
const newId = () => ids.next();
const text = () => randomSecret(8).toString('hex');

async function newPlace(): Promise<Place> {
  const { uuid } = await t.makePsp();
  if (citus !== undefined) {
    const [lies] = await t.database.admin.query<{ place: string }>(
      "SELECT get_shard_id_for_distribution_column('journal_heads', $1::text)::text AS place",
      [uuid],
    );
    if (lies?.place !== at.place) return newPlace();
  }
  const [row] = await t.database.admin.query<{ psp: PspId; account: AccountId }>(
    'SELECT psp_id AS psp, id AS account FROM accounts WHERE id = $1',
    [uuid],
  );
  if (!row) throw new Error('no such account');
  return row;
}

/** A command that expects the account at this version and writes one entry. */
const entry = ({ psp, account }: Place, over: Partial<Writes> = {}, version = 1): Writes => ({
  accounts: [{ psp, id: account, version }],
  rows: [
    [
      'journal',
      { psp_id: psp, seq: 0, id: newId(), kind: 'test', account_id: account, resource_id: newId(), body: '{}' },
    ],
  ],
  ...over,
});
const ref = ({ psp, account }: Place, name: string, revision = 1) => ({
  psp,
  account,
  space: 'transaction',
  ref: name,
  target: newId(),
  revision,
});
const key = ({ psp }: Place, subject: string, keySealed = 'sealed') => ({
  psp,
  subject,
  keySealed,
  generation: 0,
  createdAt: '2026-11-01T00:00:00Z',
});

describe.each(['of one PSP', 'of several PSPs', 'of a place'] as const)('a batch %s', (kind) => {
  let place: Place;
  let bystander: Place;
  beforeAll(async () => {
    place = await newPlace();
    bystander = await newPlace();
  });

  /** @returns numbers of those left out, in order */
  async function commit(...writes: Writes[]): Promise<number[]> {
    const all = kind === 'of one PSP' ? writes : [...writes, entry(bystander)];
    const apart = kind === 'of a place' && writes.every(commitForm.lieWithPsp);
    const server = apart ? at.server : t.database.admin;
    const form = bind(commitForm, await readRowTypes(server));
    const { text, values } = apart ? form.callAt(at.place, all) : form.call(all);
    expect(text.includes(commitForm.function.nameOfOne)).toBe(kind === 'of one PSP');
    expect(text.includes(commitForm.function.nameAt(at.place))).toBe(apart);
    const [r] = await server.query<{ failed: number[] }>(text, values);
    return [...new Set(r?.failed)].sort();
  }
  const numbers = async ({ psp }: Place) => {
    const rows = await t.database.admin.query<{ seq: string }>(
      'SELECT seq::text FROM journal WHERE psp_id = $1 ORDER BY seq',
      [psp],
    );
    return rows.map((r) => Number(r.seq));
  };
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

  it('numbers its entries without a gap, in the order of its commands', async () => {
    const before = (await numbers(place)).length;
    const batch = [entry(place), entry(place), entry(place)];
    expect(await commit(...batch)).toEqual([]);
    const rows = await t.database.admin.query<{ id: string }>(
      'SELECT id FROM journal WHERE psp_id = $1 AND seq > $2 ORDER BY seq',
      [place.psp, before],
    );
    expect(rows.map((r) => r.id)).toEqual(batch.flatMap((w) => w.rows.map(([, row]) => (row as { id: string }).id)));
    expect(await numbers(place)).toEqual(upTo(before + 3));
  });

  it('leaves out what expects another version of the account, and numbers the others without it', async () => {
    const before = (await numbers(place)).length;
    expect(await commit(entry(place), entry(place, {}, 7), entry(place))).toEqual([1]);
    expect(await numbers(place)).toEqual(upTo(before + 2));
  });

  it('leaves out what a key decided before a key of its account was changed, and nothing else', async () => {
    const { psp, account } = await newPlace();
    const by = (access: number) => entry({ psp, account }, { accounts: [{ psp, id: account, version: 1, access }] });
    expect(await commit(by(0), by(1), entry({ psp, account }))).toEqual([1]);
    await t.database.admin.query('UPDATE accounts SET access = access + 1 WHERE id = $1', [account]);
    expect(await commit(by(0), by(1), entry({ psp, account }))).toEqual([0]);
  });

  it('changes no account by a command that fails for another reason', async () => {
    const here = await newPlace();
    const before = (await findAccount(t.app.services.db, here.psp, here.account)) as Account;
    const change = entry(here, { accounts: [] });
    const rows = [accountChange({ ...before, name: 'Renamed', version: before.version + 1 }), ...change.rows];
    const numbered = await numbers(here);
    expect(await commit({ ...change, rows, refsHeld: [ref(here, text())] })).toEqual([0]);
    expect(await findAccount(t.app.services.db, here.psp, here.account)).toEqual(before);
    expect(await numbers(here)).toEqual(numbered);
    expect(await commit({ ...change, rows })).toEqual([]);
    expect(await findAccount(t.app.services.db, here.psp, here.account)).toMatchObject({ name: 'Renamed', version: 2 });
  });

  it('leaves out a second holder of a ref', async () => {
    const name = text();
    expect(await commit(entry(place, { refsNew: [ref(place, name)] }))).toEqual([]);
    expect(await commit(entry(place, { refsNew: [ref(place, name)] }), entry(place))).toEqual([0]);
  });

  it('leaves no ref behind of a command of which another ref is taken', async () => {
    const [taken, free] = [text(), text()];
    await commit(entry(place, { refsNew: [ref(place, taken)] }));
    const both = entry(place, { refsNew: [ref(place, free), ref(place, taken)] });
    await expect(commit(both)).rejects.toMatchObject({ code: '40001' });
    expect(await commit(entry(place, { refsNew: [ref(place, free)] }))).toEqual([]);
  });

  it('leaves out a change of a ref that is at another revision', async () => {
    const name = text();
    await commit(entry(place, { refsNew: [ref(place, name)] }));
    expect(await commit(entry(place, { refsHeld: [ref(place, name, 1)] }))).toEqual([]);
    expect(await commit(entry(place, { refsHeld: [ref(place, name, 1)] }))).toEqual([0]);
    expect(await commit(entry(place, { refsHeld: [ref(place, name, 2)] }))).toEqual([]);
  });

  it('stores a key for a person once, and leaves out another key for the same person', async () => {
    const person = text();
    expect(await commit(entry(place, { subjects: [key(place, person)] }))).toEqual([]);
    expect(await commit(entry(place, { subjects: [key(place, person)] }))).toEqual([]);
    expect(await commit(entry(place, { subjects: [key(place, person, 'another')] }), entry(place))).toEqual([0]);
  });

  it('leaves out what was sealed before somebody was erased', async () => {
    const erasures = (epoch: number) => ({ erasures: [{ psp: place.psp, epoch }] });
    expect(await commit(entry(place, erasures(0)))).toEqual([]);
    await t.database.admin.query('INSERT INTO subject_epochs (psp_id, epoch) VALUES ($1, 1)', [place.psp]);
    expect(await commit(entry(place, erasures(0)), entry(place, erasures(1)), entry(place))).toEqual([0]);
  });

  it('touches no row of another PSP', async () => {
    const name = text();
    const stranger = await newPlace();
    await commit(entry(stranger, { refsNew: [ref(stranger, name)] }));
    expect(await commit(entry(place, { refsNew: [ref(place, name)] }))).toEqual([]);
    expect(await commit(entry(place, { refsHeld: [ref(place, name, 1)] }))).toEqual([]);
    expect(
      await t.database.admin.query('SELECT revision FROM refs WHERE psp_id = $1 AND ref = $2', [stranger.psp, name]),
    ).toEqual([{ revision: 1 }]);
  });
});

describe('a place', () => {
  const call = async (number: string, ...writes: Writes[]) => {
    const form = bind(commitForm, await readRowTypes(at.server));
    const { text, values } = form.callAt(number, writes);
    return at.server.query(text, values);
  };

  it('that was moved to another server writes nothing there, and the batch is decided again', async () => {
    const here = await newPlace();
    const before = await t.database.admin.query('SELECT * FROM journal WHERE psp_id = $1', [here.psp]);
    await expect(call(at.elsewhere, entry(here))).rejects.toMatchObject({ code: '40001' });
    expect(await t.database.admin.query('SELECT * FROM journal WHERE psp_id = $1', [here.psp])).toEqual(before);
  });

  it('writes no row of which other servers have copies', async () => {
    const here = await newPlace();
    const before = (await findAccount(t.app.services.db, here.psp, here.account)) as Account;
    const rows = [accountChange({ ...before, name: 'Renamed', version: before.version + 1 })];
    await expect(call(at.place, { accounts: [], rows })).rejects.toThrow('only the rows that lie with their PSP');
    expect(await findAccount(t.app.services.db, here.psp, here.account)).toEqual(before);
  });
});
