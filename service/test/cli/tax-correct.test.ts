// assay tax correct: adjusting entries are made once, beside the running service.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, me, order, type World } from './world.ts';

let w: World;
let psp: Awaited<ReturnType<World['makePsp']>>;
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  w = await makeWorld();
  psp = await w.makePsp('Corrected PSP');
  for (const ref of ['a', 'b', 'c']) await w.call('/v1/transaction/verifyTransaction', psp.apiKey, order(ref));
  const country = JSON.parse(readFileSync(new URL('../../data/tax/NG.json', import.meta.url), 'utf8'));
  for (const r of country.rules)
    if (r.ruleId === 'NG-STAMPDUTY-PAYMENT-2026') r.atLeast = '100';
    else if (r.category === 'standard' && r.base === 'GROSS_INCLUSIVE' && r.validTo === null) r.rate = '10';
  const file = join(w.env.DATA_DIR as string, 'NG.json');
  writeFileSync(file, JSON.stringify(country));
  expect((await w.json('tax', 'load', file, '--reason', 'overlooked')).exitCode).toBe(0);
});
afterAll(() => w?.stop());

const correct = (...more: string[]) =>
  w.json(
    ...['tax', 'correct', '--client', psp.pspId, '--country', 'NG', '--from', day(-1), '--to', day(1)],
    ...['--reason', 'overlooked', ...more],
  );

describe('assay tax correct', () => {
  it('adjusts what differs, says how many, and leaves nothing for the next time', async () => {
    const remarks = async () => (await w.json('audit', 'verify', '--psp', psp.pspId)).json().psps[0].remarks.join();
    const remark = await remarks();
    expect(remark).toMatch(/3 approved payments in NG lack the duty NG-STAMPDUTY-PAYMENT-2026 /);
    // Both commands work as they are printed.
    const [list = [], record = []] = [...remark.matchAll(/'assay ([^']+)'/g)].map(
      ([, words]) => words.match(/"[^"]*"|\S+/g) ?? [],
    );
    expect((await w.json(...list)).exitCode).toBe(0);
    const first = await w.json(...record.map((word: string) => word.replaceAll('"', '')));
    expect([first.exitCode, first.json()]).toMatchObject([0, { looked: 3, adjusted: 3, left: 0 }]);
    const [entry] = await w.journal('tax.adjusted');
    expect([entry.actor.by, entry.data.adjustments.length]).toEqual([me, 3]);
    const again = await correct();
    expect(again.json()).toMatchObject({ looked: 3, adjusted: 0 });
    expect(await w.journal('tax.adjusted')).toHaveLength(1);
    expect(await remarks()).not.toMatch('lack the duty');
  });

  it('refuses a country it does not know by the name of its option', async () => {
    const r = await w.json(
      ...['tax', 'correct', '--client', psp.pspId, '--country', 'ZZ', '--from', day(-1), '--to', day(1)],
      ...['--reason', 'x'],
    );
    expect(r.exitCode).not.toBe(0);
    expect(r.stderr + r.stdout).toContain('--country');
  });
});
