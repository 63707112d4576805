// Shows that the checks can fail: services with a built-in fault are caught under the same kills, and every check finds
// its kind of damage in a manipulated history or database.
import { afterAll, describe, expect, it } from 'vitest';
import { makeDatabase } from '../support/app.ts';
import { deep } from '../support/depth.ts';
import { mutants } from './support/controls.ts';
import { Stage } from './support/service-process.ts';
import {
  allChecks,
  forgedCheckpoint,
  forgeries,
  historyChecks,
  type Told,
  tampered,
  tamperings,
  tell,
} from './support/tampering.ts';

const stage = new Stage();
afterAll(() => stage.end());

// Each of them is killed until it is caught: `npm run check:deep` shows that the killings find what they should.
if (deep)
  describe('a service with a fault built in', () => {
    it.each(mutants.map((m) => [m.what, m] as const))('is caught when it %s', async (_, m) => {
      const said = (...what: unknown[]) => stage.report(`mutant ${m.name}`, ...what);
      const wanted = { rounds: 6, seed: 300, form: 'short', database: makeDatabase, said } as const;
      expect(await m.run(stage, wanted), `never caught by ${m.by}`).toBeDefined();
    });
  });

describe('a tampered history or database', () => {
  const whole: Promise<Told> = makeDatabase().then((database) => tell(stage, database));
  // A failure shows in the tests that wait for it.
  whole.catch(() => undefined);

  const sound = whole.then(allChecks);
  sound.catch(() => undefined);

  it('is found sound while nobody has tampered with it', async () => {
    expect((await sound).violations).toEqual([]);
  });

  it.each(forgeries.map((f) => [f.by, f.what, f] as const))('fails %s for %s', async (by, _, f) => {
    const t = await whole;
    const found = await historyChecks(t, f.history(t));
    expect([...new Set(found.map((v) => v.check))]).toEqual([by]);
  });

  it.each(tamperings.map((x) => [x.by, x.what, x] as const))('fails %s for %s', async (by, _, x) => {
    expect(await tampered(await whole, x, await sound)).toContain(by);
  });

  it('fails C6 for a checkpoint outside the database that was written over', async () => {
    expect(await forgedCheckpoint(await whole)).toContain('C6');
  });
});
