// assay totals: totals rebuilt beside the running service, and compared with the journal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { makeWorld, order, type World } from './world.ts';

let w: World;
let psp: Awaited<ReturnType<World['makePsp']>>;

beforeAll(async () => {
  w = await makeWorld();
  psp = await w.makePsp('Totals PSP');
  for (const ref of ['a', 'b', 'c']) await w.call('/v1/transaction/verifyTransaction', psp.apiKey, order(ref));
  await w.call('/v1/transaction/declineTransaction', psp.apiKey, { ref: 'a' });
  await until(
    'they are counted',
    async () => (await w.json('totals', 'verify', '--psp', psp.pspId)).json().items[0].cells >= 4,
  );
});
afterAll(() => w.stop());

describe('assay totals', () => {
  it('says how many entries and cells it compared, and that none differs', async () => {
    const r = await w.json('totals', 'verify', '--psp', psp.pspId);
    expect(r.exitCode).toBe(0);
    expect(r.json().items).toEqual([
      { pspId: psp.pspId, entries: expect.any(Number), cells: 6, differing: 0, differences: [] },
    ]);
    const table = await w.plain('totals', 'verify');
    expect(table.stdout).toMatch(/PSP +Entries +Cells +Differing/);
  });

  it('names a cell that was tampered with and ends with 1; a rebuild mends it', async () => {
    await w.database.admin.query("UPDATE daily_cells SET vat = vat + 1 WHERE verdict = 'APPROVED'");
    const bad = await w.json('totals', 'verify', '--psp', psp.pspId);
    expect(bad.exitCode).toBe(1);
    expect(bad.json().items[0]).toMatchObject({
      differing: 1,
      differences: [{ cell: expect.stringContaining('APPROVED') }],
    });
    expect(bad.stderr).toContain("1 cells differ from the journal; 'assay totals rebuild' makes them anew");
    const rebuilt = await w.json('totals', 'rebuild', '--psp', psp.pspId);
    expect([rebuilt.exitCode, rebuilt.json().items[0].pspId]).toEqual([0, psp.pspId]);
    expect((await w.json('totals', 'verify')).exitCode).toBe(0);
  });

  it.each(['psp_x', 'psp_01h455vb4pex5vsknk084sn02q'])('refuses %s, which is no PSP', async (id) => {
    for (const command of ['verify', 'rebuild']) {
      const r = await w.json('totals', command, '--psp', id);
      expect([r.exitCode, r.json().code]).toEqual([3, 'NOT_FOUND']);
    }
  });
});
