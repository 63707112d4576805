// Monitoring sees by time, not by number, that a reader of the journal stands still: a small installation has few entries to be behind.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';

let t: TestApp;
beforeAll(async () => {
  t = await makeTestApp();
});
afterAll(() => t?.stop());

const behind = async (reader: string, metric = 'behind_seconds'): Promise<number> => {
  const { text } = await t.get('/metrics');
  const found = new RegExp(`^assay_journal_reader_${metric}\\{reader="${reader}"\\} (\\S+)$`, 'm').exec(text);
  return Number(found?.[1]);
};

it('a reader that stands still is behind by the age of the oldest entry that it has not read, and others are not', async () => {
  const psp = await t.makePsp();
  await readersAtEnd(t, ['webhooks', 'daily-totals']);
  expect(await behind('webhooks')).toBe(0);
  await t.database.admin.transaction(async (tx) => {
    // As a process that hangs while it reads.
    await tx.query("SELECT 1 FROM journal_cursors WHERE psp_id = $1 AND reader = 'webhooks' FOR UPDATE", [psp.uuid]);
    contentOf(await t.post('/v1/risk-policy', { declining: [], reason: 'the first of two' }, psp.apiKey));
    t.advance(600_000);
    contentOf(await t.post('/v1/player/policy', { limits: 'OBSERVE' }, psp.apiKey));
    t.advance(301_000);
    await readersAtEnd(t, ['daily-totals']);
    const seconds = await behind('webhooks');
    expect([seconds >= 901, seconds < 902, await behind('daily-totals')], String(seconds)).toEqual([true, true, 0]);
  });
  await until('it has read on', async () => (await behind('webhooks')) === 0);
});

it('all of them stand still, and of each is said by how much', async () => {
  const psp = await t.makePsp();
  const names = (
    await t.database.admin.query<{ name: string }>('SELECT DISTINCT reader AS name FROM journal_cursors ORDER BY 1')
  ).map((r) => r.name);
  expect(names.length).toBeGreaterThan(5);
  await readersAtEnd(t, names);
  await t.database.admin.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM journal_cursors WHERE psp_id = $1 FOR UPDATE', [psp.uuid]);
    contentOf(await t.post('/v1/risk-policy', { declining: [], reason: 'nobody reads it' }, psp.apiKey));
    t.advance(400_000);
    for (const name of names) {
      expect([name, await behind(name, 'lag')]).toEqual([name, expect.toSatisfy((n: number) => n >= 1)]);
      expect([name, await behind(name)]).toEqual([name, expect.toSatisfy((s: number) => s >= 400 && s < 402)]);
    }
  });
  for (const name of names) await until(`${name} has read on`, async () => (await behind(name)) === 0);
});
