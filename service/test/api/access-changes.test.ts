// What lets a process keep keys and accounts: every change is read by every process, exactly once, whenever its
// transaction ends; and where that cannot be known, nothing is kept.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AccessChanges } from '../../src/modules/accounts/access-changes.ts';
import type { Database } from '../../src/platform/database.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { issueKey, placeHold, revokeKey, setStanding } from '../support/guarantees.ts';

let t: TestApp;
beforeAll(async () => {
  t = await makeTestApp();
});
afterAll(() => t.stop());

let at = 0;
let changes: AccessChanges;
let dropped: (string[] | 'all')[];
/** Replaces what the database answers. */
let answered: (row: Record<string, unknown>) => Record<string, unknown>;
const db: Database = {
  query: async <R extends object>(text: string, values?: readonly unknown[]) =>
    (await t.app.services.db.query<Record<string, unknown>>(text, values)).map((r) => answered(r)) as R[],
};
beforeEach(async () => {
  answered = (row) => row;
  changes = new AccessChanges(db, () => at);
  dropped = [];
  changes.follow((c) => dropped.push(c === 'all' ? c : c.map((x) => x.id).sort()));
  await changes.read();
  expect(dropped.splice(0)).toEqual(['all']);
});
const read = async () => {
  await changes.read();
  return dropped.splice(0);
};
const note = (psp: string) => `INSERT INTO access_changes (psp_id, account_id) VALUES ('${psp}', '${psp}')`;

describe('what changed', () => {
  it('is read once: a standing, a hold, a key that ended; not what is new', async () => {
    const psp = await t.makePsp();
    const client = await t.makeClient(psp);
    const spare = await issueKey(t, client);
    expect(await read()).toEqual([]);
    await revokeKey(t, spare.keyId);
    expect(await read()).toEqual([[client.uuid]]);
    await setStanding(t, psp, { operationalStanding: 'SUSPENDED' });
    await placeHold(t, client, { blocking: true });
    expect(await read()).toEqual([[client.uuid, psp.uuid].sort()]);
    expect(await read()).toEqual([]);
  });

  it('is read when its transaction ends, however many have begun and ended since, and read once', async () => {
    const [slow, quick, late] = [await t.makePsp(), await t.makePsp(), await t.makePsp()];
    await t.app.services.db.transaction(async (one) => {
      await one.query(note(slow.uuid));
      await t.app.services.db.transaction((two) => two.query(note(quick.uuid)));
      expect(await read()).toEqual([[quick.uuid]]);
      expect(await read()).toEqual([]);
      await t.app.services.db.transaction((two) => two.query(note(late.uuid)));
      expect(await read()).toEqual([[late.uuid]]);
    });
    expect(await read()).toEqual([[slow.uuid]]);
    expect(await read()).toEqual([]);
  });

  it('is everything where the database is another one, was set back, or nobody has asked it for long', async () => {
    answered = (row) => ({ ...row, place: 'elsewhere' });
    expect(await read()).toEqual(['all']);
    expect(await read()).toEqual([]);
    answered = (row) => ({ ...row, place: 'elsewhere', at: (row.at as number) + 3601 });
    expect(await read()).toEqual(['all']);
  });

  it('is everything where too much has changed', async () => {
    await t.app.services.db.query(
      `INSERT INTO access_changes (psp_id, account_id) SELECT uuidv7(), uuidv7() FROM generate_series(1, 10001)`,
    );
    expect(await read()).toEqual(['all']);
    expect(await read()).toEqual([]);
  });

  it('is read all the same where rows of another server are there, whose numbers are ahead', async () => {
    const psp = await t.makePsp();
    await t.database.admin.query(
      `INSERT INTO access_changes (psp_id, account_id, xid) VALUES ('${psp.uuid}', '${psp.uuid}', '9000000000')`,
    );
    expect(await read()).toEqual([]);
    await setStanding(t, psp, { operationalStanding: 'SUSPENDED' });
    expect(await read()).toEqual([[psp.uuid]]);
  });
});

describe('what is kept', () => {
  it('is trusted for less than a second after the question, and not at all while there is no answer', async () => {
    expect(changes.isFresh()).toBe(true);
    answered = () => {
      at += 600;
      throw new Error('away');
    };
    at += 499;
    expect(changes.isFresh()).toBe(true);
    at += 501;
    expect(changes.isFresh()).toBe(false);
    await expect(changes.read()).rejects.toThrow('away');
    expect(changes.isFresh()).toBe(false);
    answered = (row) => {
      at += 600;
      return row;
    };
    await changes.read();
    expect(changes.isFresh()).toBe(true);
    at += 400;
    expect(changes.isFresh()).toBe(false);
  });
});
