// What happens to results that the database rejects. Its answers are chosen here; all other tests use a real one.
import { describe, expect, it } from 'vitest';
import { makeLog } from '../../platform/log.ts';
import type { AddressHealth, Result } from './attempt-store.ts';
import { Results } from './results.ts';

const result = (id: string): Result => ({
  psp: 'p',
  id,
  state: 'delivered',
  nextAt: null,
  finishedAt: null,
  startedAt: '2026-11-21T10:00:00.000Z',
  endedAt: '2026-11-21T10:00:00.000Z',
  durationMs: 1,
  status: 200,
  stage: 'answer',
  reason: 'OK',
  response: '',
  ok: true,
});

/** Answers each call in turn, and accepts all further ones. */
function make(...answers: ((ids: string[]) => void)[]) {
  const calls: string[][] = [];
  const looked: (readonly AddressHealth[])[] = [];
  const results = new Results(
    {
      async committing<R>(_: string, __: string, values: readonly unknown[]): Promise<R[]> {
        const ids = (JSON.parse(values[1] as string) as Result[]).map((r) => r.id);
        calls.push(ids);
        answers.shift()?.(ids);
        return [{ psp: 'p', webhook: ids[0], failures: 0, warnedHours: 0 } as R];
      },
    },
    'worker',
    makeLog('silent'),
    (healths) => void looked.push(healths),
  );
  const add = (id: string) => new Promise<void>((done) => results.add({ result: result(id), done }));
  return { results, calls, looked, add };
}
const fails = (code: string) => () => {
  throw Object.assign(new Error(`SQLSTATE ${code}`), { code });
};

describe('results', () => {
  it('that come together are written together, and each is told once it is written', async () => {
    const { calls, looked, add } = make();
    await Promise.all(['a', 'b', 'c'].map(add));
    expect(calls).toEqual([['a', 'b', 'c']]);
    expect(looked).toHaveLength(1);
  });

  it('are kept and written again when the database cannot be reached', async () => {
    const { calls, add } = make(fails('57P01'), fails('08006'));
    await Promise.all(['a', 'b'].map(add));
    expect(calls).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('that the database refuses do not take the others with them', async () => {
    const refusesB = (ids: string[]) => {
      if (ids.includes('b')) fails('22P05')();
    };
    const { calls, looked, add } = make(refusesB, refusesB, refusesB, refusesB);
    await Promise.all(['a', 'b', 'c'].map(add));
    expect(calls).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    expect(looked.flat().map((h) => h.webhook)).toEqual(['a', 'c']);
  });

  it('are not waited for without end when it is closed while the database is gone', async () => {
    const { results, calls, add } = make(...Array.from({ length: 100 }, () => fails('57P01')));
    void add('a');
    await results.close();
    expect(calls.length).toBeLessThan(3);
  });
});
