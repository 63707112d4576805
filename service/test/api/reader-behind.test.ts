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

const behind = async (reader: string): Promise<number> => {
  const { text } = await t.get('/metrics');
  const found = new RegExp(`^assay_journal_reader_behind_seconds\\{reader="${reader}"\\} (\\S+)$`, 'm').exec(text);
  return Number(found?.[1]);
};

it('a reader that stands still is behind by the age of the oldest entry that it has not read, and others are not', async () => {
  const psp = await t.makePsp();
  await readersAtEnd(t, ['webhooks', 'daily-totals']);
  expect(await behind('webhooks')).toBe(0);
  await t.database.admin.transaction(async (tx) => {
    // As a process that hangs while it reads.
    await tx.query("SELECT 1 FROM journal_cursors WHERE reader = 'webhooks' FOR UPDATE");
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
