// The write path's guarantees: which commands share a batch, in which order, and what happens to a command for each
// answer of the database. The pool is simulated, so that each answer can be chosen; all other tests use a real one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bind, commitForm } from './batch-parameters.ts';
import { type Command, Committer, type CommitterOptions, type FactLoader, need, type Writes } from './committer.ts';
import type { Database } from './database.ts';
import { makeLog } from './log.ts';

interface Call {
  /** Names of the commands in the batch, in order. */
  readonly commands: string[];
  /** Returns the numbers of the commands whose expectations failed. */
  commit(failed?: number[]): void;
  fail(error: unknown): void;
}

/** The part of the pool that the committer uses. A command is identified by the account it expects. */
class PlayedPool implements Pick<CommitterOptions['pool'], 'query' | 'committing'> {
  readonly calls: Call[] = [];
  readonly loads: string[][] = [];
  answer: ((call: Call) => void) | undefined;
  #arrived: (() => void)[] = [];

  query(): Promise<never[]> {
    throw new Error('loaders of these tests do not use SQL');
  }

  transaction(): Promise<never> {
    throw new Error('this database is not distributed');
  }

  committing<R>(_name: string, _text: string, values: readonly unknown[]): Promise<R[]> {
    // The first value is the batch's PSP.
    const accounts = JSON.parse(values[1] as string) as { id: string; cs: number[] }[];
    const commands: string[] = [];
    for (const a of accounts) for (const c of a.cs) commands[c] = a.id;
    return new Promise<R[]>((resolve, reject) => {
      const call: Call = {
        commands,
        commit: (failed = []) => resolve([{ failed } as R]),
        fail: reject,
      };
      this.calls.push(call);
      this.answer?.(call);
      for (const tell of this.#arrived.splice(0)) tell();
    });
  }

  /** Resolves to the nth call, once it is made. */
  async call(n: number): Promise<Call> {
    while (this.calls.length < n) await new Promise<void>((resolve) => this.#arrived.push(resolve));
    return this.calls[n - 1] as Call;
  }
}

const overloaded = new Error('overloaded');
const unknownOutcome = new Error('unknown outcome');
const sqlError = (code: string) => Object.assign(new Error(`SQLSTATE ${code}`), { code });

function make(over: Partial<CommitterOptions> = {}) {
  const pool = new PlayedPool();
  let now = 0;
  const committer = new Committer({
    pool,
    form: bind(commitForm, new Map([['refs', 1]])),
    log: makeLog('silent'),
    maxBatch: 64,
    maxQueue: 1000,
    maxQueueAgeMs: 250,
    monotonic: () => now,
    overloaded: () => overloaded,
    unknownOutcome: () => unknownOutcome,
    ...over,
  });
  return { pool, committer, advance: (ms: number) => (now += ms) };
}

/** Some stored row; its content does not matter. */
const stored = (name: string) => [
  { psp: 'p', subject: name, keySealed: 'sealed', generation: 0, createdAt: '2026-01-01T00:00:00Z' },
];

const writes = (name: string, over: Partial<Writes> = {}): Writes => ({
  accounts: [{ psp: 'p', id: name, version: 1 }],
  subjects: stored(name),
  rows: [],
  ...over,
});

const command = (name: string, over: Partial<Command<string>> = {}): Command<string> => ({
  account: 'a',
  keys: [],
  needs: [],
  decide: () => ({ reply: name, writes: writes(name) }),
  ...over,
});

/** Lets everything happen that does not wait for the outside. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise<void>(setImmediate);
}

/** A loader over a map, which records the keys it was asked for and told to forget. */
function loaderOf(stored: Map<string, string>, name = 'fact') {
  const asked: string[][] = [];
  const forgotten: string[] = [];
  const memory = new Map<string, string>();
  const loader: FactLoader<string, string> = {
    name,
    text: (k) => k,
    peek: (k) => memory.get(k),
    load: async (_db: Database, keys) => {
      asked.push([...keys]);
      const found = new Map([...stored].filter(([k]) => keys.includes(k)));
      for (const [k, v] of found) memory.set(k, v);
      return found;
    },
    forget: (k) => {
      forgotten.push(k);
      memory.delete(k);
    },
  };
  return { loader, asked, forgotten, memory };
}

const names = (n: number, prefix = 'c') => Array.from({ length: n }, (_, i) => `${prefix}${i + 1}`);

describe('a batch', () => {
  it('takes together what is submitted in one turn', async () => {
    const { pool, committer } = make();
    const replies = names(5).map((n) => committer.submit(command(n)));
    (await pool.call(1)).commit();
    expect(await Promise.all(replies)).toEqual(names(5));
    expect(pool.calls.map((c) => c.commands)).toEqual([names(5)]);
  });

  it('is alone in flight; what comes meanwhile makes up the next one', async () => {
    const { pool, committer } = make();
    const first = committer.submit(command('first'));
    const call = await pool.call(1);
    const later = names(3).map((n) => committer.submit(command(n)));
    await settle();
    expect(pool.calls).toHaveLength(1);
    expect(committer.depth).toBe(3);
    call.commit();
    (await pool.call(2)).commit();
    await Promise.all([first, ...later]);
    expect(pool.calls.map((c) => c.commands)).toEqual([['first'], names(3)]);
    expect(committer.depth).toBe(0);
  });

  it('has at most the set number of commands', async () => {
    const { pool, committer } = make({ maxBatch: 4 });
    pool.answer = (c) => c.commit();
    await Promise.all(names(10).map((n) => committer.submit(command(n))));
    expect(pool.calls.map((c) => c.commands.length)).toEqual([4, 4, 2]);
  });

  it('answers nobody before it is committed', async () => {
    const { pool, committer } = make();
    let answered = false;
    const reply = committer.submit(command('c')).then(() => (answered = true));
    const call = await pool.call(1);
    await settle();
    expect(answered).toBe(false);
    call.commit();
    await reply;
  });

  it('sends nothing for commands that write nothing, and answers them', async () => {
    const { pool, committer } = make();
    const repeat = committer.submit(command('repeat', { decide: () => ({ reply: 'as before' }) }));
    expect(await repeat).toBe('as before');
    expect(pool.calls).toHaveLength(0);
  });

  it('tells each kept command, once, after the commit', async () => {
    const { pool, committer } = make();
    const told: string[] = [];
    const c = (n: string) => command(n, { committed: () => told.push(n) });
    const replies = [committer.submit(c('x')), committer.submit(c('y'))];
    const call = await pool.call(1);
    expect(told).toEqual([]);
    call.commit([1]);
    (await pool.call(2)).commit();
    await Promise.all(replies);
    expect(told).toEqual(['x', 'y']);
  });

  it('reports its size and wakes the readers of the journal', async () => {
    const sizes: number[] = [];
    let woken = 0;
    const { pool, committer } = make({ observe: (b) => sizes.push(b.size), journalled: () => woken++ });
    pool.answer = (c) => c.commit();
    await Promise.all(names(3).map((n) => committer.submit(command(n))));
    expect(sizes).toEqual([3]);
    expect(woken).toBe(1);
  });
});

describe('keys', () => {
  it('in common let one command write in a batch, in the order they came', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    await Promise.all(names(3).map((n) => committer.submit(command(n, { keys: ['ref'] }))));
    expect(pool.calls.map((c) => c.commands)).toEqual([['c1'], ['c2'], ['c3']]);
  });

  it('do not hold up other commands of the same account', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    await Promise.all([
      committer.submit(command('one', { keys: ['r1'] })),
      committer.submit(command('one again', { keys: ['r1'] })),
      committer.submit(command('two', { keys: ['r2'] })),
    ]);
    expect(pool.calls.map((c) => c.commands)).toEqual([['one', 'two'], ['one again']]);
  });

  it('are not overtaken: a command that shares one with a waiting command waits behind it', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    await Promise.all([
      committer.submit(command('one', { keys: ['r1'] })),
      committer.submit(command('both', { keys: ['r1', 'r2'] })),
      committer.submit(command('two', { keys: ['r2'] })),
    ]);
    expect(pool.calls.map((c) => c.commands)).toEqual([['one'], ['both'], ['two']]);
  });

  it('hold across accounts', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    await Promise.all([
      committer.submit(command('x', { account: 'a', keys: ['basket'] })),
      committer.submit(command('y', { account: 'b', keys: ['basket'] })),
    ]);
    expect(pool.calls.map((c) => c.commands)).toEqual([['x'], ['y']]);
  });
});

/** The refs of a database, and commands that take one or answer that it is taken. */
function makeRefs(over: Partial<CommitterOptions> = {}) {
  const made = make(over);
  const taken = new Map<string, string>();
  const { loader, asked } = loaderOf(taken, 'ref');
  const refOf = new Map<string, string>();
  // A missing fact is never cached, nor is a ref's record.
  loader.peek = () => undefined;
  made.pool.answer = (c) => {
    const failed = c.commands.flatMap((name, i) => (taken.has(refOf.get(name) as string) ? [i] : []));
    for (const [i, name] of c.commands.entries()) if (!failed.includes(i)) taken.set(refOf.get(name) as string, name);
    c.commit(failed);
  };
  const record = (name: string, ref: string, how: Partial<Command<string>> = {}) => {
    refOf.set(name, ref);
    const n = need(loader, ref, true);
    return command(name, {
      keys: [ref],
      needs: [n],
      decide(facts) {
        const before = facts(n);
        return before === undefined ? { reply: name, writes: writes(name) } : { reply: before };
      },
      ...how,
    });
  };
  return { ...made, taken, asked, refOf, loader, record };
}

describe('equal commands', () => {
  it('at once are one commit and one look at what it wrote, however many', async () => {
    const { pool, committer, asked, record } = makeRefs();
    const replies = names(300).map((n) => committer.submit(record(n, 'r')));
    expect(new Set(await Promise.all(replies))).toEqual(new Set(['c1']));
    expect(pool.calls.map((c) => c.commands)).toEqual([['c1']]);
    // 64 per batch, and as many joining ones.
    expect(asked.length).toBeLessThanOrEqual(Math.ceil(300 / 64));
  });

  it('that come while the first is committed, and after it, are not sent to be told that the ref is taken', async () => {
    const { pool, committer, record } = makeRefs();
    const all: Promise<string>[] = [];
    for (const [i, n] of names(60).entries()) {
      all.push(committer.submit(record(n, 'r')));
      if (i > 0 && i % 10 === 0) await settle();
    }
    expect(new Set(await Promise.all(all))).toEqual(new Set(['c1']));
    expect(pool.calls.map((c) => c.commands)).toEqual([['c1']]);
  });

  it('leave room in the batch for others', async () => {
    const { pool, committer, record } = makeRefs({ maxBatch: 4 });
    const replies = [...names(40).map((n) => committer.submit(record(n, 'r')))];
    replies.push(committer.submit(command('other')));
    await Promise.all(replies);
    expect(pool.calls.findIndex((c) => c.commands.includes('other'))).toBeLessThanOrEqual(1);
  });

  it('of which the first is refused are each answered', async () => {
    const { committer, record } = makeRefs();
    const no = new Error('no');
    const refused = committer.submit(record('bad', 'r', { decide: () => no }));
    const replies = names(5).map((n) => committer.submit(record(n, 'r')));
    await expect(refused).rejects.toBe(no);
    expect(await Promise.all(replies)).toEqual(names(5).map(() => 'c1'));
  });

  it('that each write take turns, a commit each, and none is given up for it', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    const replies = names(100).map((n) => committer.submit(command(n, { keys: ['r'] })));
    expect(await Promise.all(replies)).toEqual(names(100));
    expect(pool.calls.map((c) => c.commands)).toEqual(names(100).map((n) => [n]));
  });

  it('that only ask whether something is still so share one call', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    const ask = (n: string) =>
      command(n, { keys: ['r'], decide: () => ({ reply: n, writes: writes(n, { subjects: [] }) }) });
    await Promise.all(names(50).map((n) => committer.submit(ask(n))));
    expect(pool.calls.map((c) => c.commands)).toEqual([names(50)]);
  });

  it('have one effect and one answer each, whatever comes between and whatever the database says', async () => {
    const outcome = fc.constantFrom('commit', 'commit', 'stale', 'repeat', 'unknown');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.record({ ref: fc.constantFrom('r', 's', 't'), account: fc.constantFrom('a', 'b') }))),
        fc.array(outcome, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 6 }),
        async (turns, outcomes, maxBatch) => {
          const { pool, committer, taken, refOf, record } = makeRefs({ maxBatch });
          const told = pool.answer as (call: Call) => void;
          const writesOf: string[] = [];
          let n = 0;
          pool.answer = (c) => {
            const refs = c.commands.map((name) => refOf.get(name));
            expect(new Set(refs).size).toBe(refs.length);
            const what = outcomes[n++ % outcomes.length];
            if (what === 'repeat') return c.fail(sqlError('40001'));
            if (what === 'unknown') return c.fail(new Error('reset'));
            // Each ref fails because it is taken, and the first of a stale batch for another reason.
            if (what === 'stale') return c.commit(c.commands.map((_, i) => i));
            writesOf.push(...c.commands.filter((name) => !taken.has(refOf.get(name) as string)));
            return told(c);
          };
          const replies: Promise<string>[] = [];
          for (const turn of turns) {
            for (const { ref, account } of turn) {
              const reply = committer.submit(record(`n${replies.length}`, ref, { account }));
              reply.catch(() => undefined);
              replies.push(reply);
            }
            await new Promise<void>(setImmediate);
          }
          const settled = await Promise.allSettled(replies);
          const bound = turns.flat();
          for (const [i, r] of settled.entries())
            if (r.status === 'fulfilled') expect(r.value).toBe(taken.get(bound[i]?.ref as string));
          expect(new Set(writesOf.map((name) => refOf.get(name))).size).toBe(writesOf.length);
          expect(committer.depth).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('refs', () => {
  const ref = { psp: 'p', space: 'transaction', ref: 'r', account: 'a' };

  it('held by two decisions never stand in one call, though their commands have no key in common', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    const hold = (name: string, keys: string[]) =>
      command(name, {
        keys,
        decide: () => ({ reply: name, writes: writes(name, { refsHeld: [{ ...ref, revision: 1 }] }) }),
      });
    const replies = [committer.submit(hold('x', ['k1'])), committer.submit(hold('y', ['k2']))];
    expect(await Promise.all(replies)).toEqual(['x', 'y']);
    expect(pool.calls.map((c) => c.commands)).toEqual([['x'], ['y']]);
  });
});

describe('accounts', () => {
  it('take turns: a noisy one cannot keep a quiet one out of the batch', async () => {
    const { pool, committer } = make({ maxBatch: 4 });
    pool.answer = (c) => c.commit();
    const noisy = names(40).map((n) => committer.submit(command(n, { account: 'noisy' })));
    const quiet = committer.submit(command('quiet', { account: 'quiet' }));
    await Promise.all([...noisy, quiet]);
    expect(pool.calls[0]?.commands).toContain('quiet');
    expect(pool.calls[0]?.commands).toHaveLength(4);
  });

  it('that found no room in a batch come first in the next, however many always have more', async () => {
    const { pool, committer } = make({ maxBatch: 2 });
    pool.answer = (c) => c.commit();
    const all = ['a', 'b', 'c', 'd'].flatMap((account) =>
      names(3, account).map((n) => committer.submit(command(n, { account }))),
    );
    await Promise.all(all);
    expect(pool.calls.map((c) => c.commands)).toEqual([
      ['a1', 'b1'],
      ['c1', 'd1'],
      ['a2', 'b2'],
      ['c2', 'd2'],
      ['a3', 'b3'],
      ['c3', 'd3'],
    ]);
  });

  it('each keep the order of their own commands', async () => {
    const { pool, committer } = make({ maxBatch: 3 });
    pool.answer = (c) => c.commit();
    await Promise.all(
      ['a', 'b'].flatMap((account) => names(7, account).map((n) => committer.submit(command(n, { account })))),
    );
    const order = pool.calls.flatMap((c) => c.commands);
    for (const account of ['a', 'b']) expect(order.filter((n) => n.startsWith(account))).toEqual(names(7, account));
  });
});

describe('an exclusive command', () => {
  it('is a barrier for its account: what came before goes before or with it, what came after goes after', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    await Promise.all([
      committer.submit(command('before')),
      committer.submit(command('suspend', { exclusive: true })),
      committer.submit(command('after')),
      committer.submit(command('elsewhere', { account: 'b' })),
    ]);
    expect(pool.calls).toHaveLength(2);
    expect(pool.calls[0]?.commands.toSorted()).toEqual(['before', 'elsewhere', 'suspend']);
    expect(pool.calls[1]?.commands).toEqual(['after']);
  });

  it('is a barrier also while it waits for a key', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    await Promise.all([
      committer.submit(command('holder', { keys: ['k'] })),
      committer.submit(command('suspend', { keys: ['k'], exclusive: true })),
      committer.submit(command('after')),
    ]);
    expect(pool.calls.map((c) => c.commands)).toEqual([['holder'], ['suspend'], ['after']]);
  });
});

describe('overload', () => {
  it('refuses what finds the queue full, at once, and records nothing of it', async () => {
    const { pool, committer } = make({ maxQueue: 3 });
    const taken = names(3).map((n) => committer.submit(command(n)));
    expect(committer.depth).toBe(3);
    await expect(committer.submit(command('too many'))).rejects.toBe(overloaded);
    (await pool.call(1)).commit();
    expect(await Promise.all(taken)).toEqual(names(3));
    const next = committer.submit(command('room again'));
    (await pool.call(2)).commit();
    expect(await next).toBe('room again');
  });

  it('refuses what waited far too long however batches go on, and never sends it', async () => {
    const { pool, committer, advance } = make({ maxBatch: 1 });
    const replies = names(6).map((n) => committer.submit(command(n)));
    replies[5]?.catch(() => undefined);
    for (let i = 1; i <= 5; i++) {
      const call = await pool.call(i);
      advance(i === 5 ? 255 : 250);
      call.commit();
      await settle();
    }
    await expect(replies[5]).rejects.toBe(overloaded);
    expect(await Promise.all(replies.slice(0, 5))).toEqual(names(5));
    expect(pool.calls).toHaveLength(5);
    expect(committer.depth).toBe(0);
  });

  it('refuses nobody who waits behind batches that end, one after another', async () => {
    const { pool, committer, advance } = make({ maxBatch: 1 });
    const replies = names(5).map((n) => committer.submit(command(n)));
    for (let i = 1; i <= 5; i++) {
      const call = await pool.call(i);
      advance(200);
      call.commit();
    }
    expect(await Promise.all(replies)).toEqual(names(5));
  });

  it('refuses what waited longer than it may while the batch before it hangs, and says how long that has been', async () => {
    const { pool, committer, advance } = make();
    expect(committer.busyMs).toBe(0);
    const first = committer.submit(command('a'));
    const call = await pool.call(1);
    const behind = committer.submit(command('b'));
    const late = committer.submit(command('c'));
    advance(251);
    await expect(behind).rejects.toBe(overloaded);
    await expect(late).rejects.toBe(overloaded);
    expect([committer.depth, committer.busyMs]).toEqual([0, 251]);
    call.commit();
    await first;
    await committer.close();
    expect([pool.calls.length, committer.busyMs]).toEqual([1, 0]);
  });

  it('takes what waited exactly as long as it may', async () => {
    const { pool, committer, advance } = make();
    const first = committer.submit(command('first'));
    const call = await pool.call(1);
    const second = committer.submit(command('second'));
    advance(250);
    call.commit();
    (await pool.call(2)).commit();
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  });

  it('does not shed a command for the time its own batches took', async () => {
    const { pool, committer, advance } = make();
    const reply = committer.submit(command('again'));
    const call = await pool.call(1);
    advance(10_000);
    call.commit([0]);
    (await pool.call(2)).commit();
    expect(await reply).toBe('again');
  });
});

describe('facts', () => {
  it('of one kind are loaded with one query for the whole batch, each once', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    const { loader, asked } = loaderOf(
      new Map([
        ['k1', 'v1'],
        ['k2', 'v2'],
      ]),
    );
    const read = (name: string, key: string) => {
      const n = need(loader, key);
      return command(name, { needs: [n], decide: (facts) => ({ reply: String(facts(n)), writes: writes(name) }) });
    };
    const replies = [read('a', 'k1'), read('b', 'k2'), read('c', 'k1'), read('d', 'none')].map((c) =>
      committer.submit(c),
    );
    expect(await Promise.all(replies)).toEqual(['v1', 'v2', 'v1', 'undefined']);
    expect(asked).toEqual([['k1', 'k2', 'none']]);
  });

  it('that memory knows are not asked of the database', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    const { loader, asked, memory } = loaderOf(new Map());
    memory.set('k', 'remembered');
    const n = need(loader, 'k');
    const c = command('c', { needs: [n], decide: (facts) => ({ reply: facts(n) as string, writes: writes('c') }) });
    expect(await committer.submit(c)).toBe('remembered');
    expect(asked).toEqual([]);
  });

  it('presumed absent are not asked at the first attempt, but at the second', async () => {
    const { pool, committer } = make();
    const { loader, asked } = loaderOf(new Map([['ref', 'taken']]));
    const n = need(loader, 'ref', true);
    const c = command('c', { needs: [n], decide: (facts) => ({ reply: String(facts(n)), writes: writes('c') }) });
    const reply = committer.submit(c);
    const call = await pool.call(1);
    expect(asked).toEqual([]);
    call.commit([0]);
    (await pool.call(2)).commit();
    expect(await reply).toBe('taken');
    expect(asked).toEqual([['ref']]);
  });

  it('presumed absent by one command are still asked for another that does not presume', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    const { loader } = loaderOf(new Map([['wager', 'exists']]));
    const read = (name: string, presume: boolean) => {
      const n = need(loader, 'wager', presume);
      return command(name, { needs: [n], decide: (facts) => ({ reply: String(facts(n)), writes: writes(name) }) });
    };
    const replies = [committer.submit(read('capture', true)), committer.submit(read('payout', false))];
    expect((await Promise.all(replies))[1]).toBe('exists');
    const later = (name: string) => {
      const first = need(loader, 'other', true);
      const n = need(loader, 'wager');
      return command(name, {
        needs: [first],
        furtherNeeds: () => [n],
        decide: (facts) => ({ reply: String(facts(n)), writes: writes(name) }),
      });
    };
    const more = [committer.submit(read('capture again', true)), committer.submit(later('late'))];
    expect((await Promise.all(more))[1]).toBe('exists');
  });

  it('that only other facts name are loaded too, as deep as it goes', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    const { loader } = loaderOf(
      new Map([
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'end'],
      ]),
    );
    const start = need(loader, 'a');
    const chain = command('c', {
      needs: [start],
      furtherNeeds(facts) {
        const b = facts(start);
        if (!b) return [];
        const c = facts(need(loader, b));
        return c ? [need(loader, b), need(loader, c)] : [need(loader, b)];
      },
      decide: (facts) => ({ reply: String(facts(need(loader, 'c'))), writes: writes('c') }),
    });
    expect(await committer.submit(chain)).toBe('end');
  });

  it('that cannot be loaded leave the outcome unknown, with nothing sent, and the next batch unharmed', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    const broken: FactLoader<string, string> = {
      name: 'broken',
      text: (k) => k,
      load: () => Promise.reject(new Error('connection lost')),
    };
    const failing = committer.submit(command('c', { needs: [need(broken, 'k')] }));
    await expect(failing).rejects.toBe(unknownOutcome);
    expect(pool.calls).toHaveLength(0);
    expect(await committer.submit(command('next'))).toBe('next');
  });
});

describe('a batch of unknown outcome', () => {
  it('is logged with its cause once a second, and the next line says how many were not', async () => {
    const lines: { error: string; batchesUnsaid?: number }[] = [];
    const log = makeLog('error', { write: (line) => void lines.push(JSON.parse(line)) });
    const { pool, committer, advance } = make({ log });
    let cause = 'no room';
    pool.answer = (c) => c.fail(new Error(cause));
    const fails = () => expect(committer.submit(command('c'))).rejects.toBe(unknownOutcome);
    for (let i = 0; i < 5; i++) await fails();
    cause = 'no connection';
    await fails();
    advance(1000);
    for (let i = 0; i < 3; i++) await fails();
    advance(1000);
    await fails();
    expect(lines.map((l) => [l.error, l.batchesUnsaid])).toEqual([
      ['Error: no room', undefined],
      ['Error: no connection', 4],
      ['Error: no connection', undefined],
      ['Error: no connection', 2],
    ]);
  });
});

describe('a decision', () => {
  it('that refuses is answered with its refusal and not sent; the others of its batch go on', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit();
    const no = new Error('no');
    const refused = committer.submit(command('refused', { decide: () => no }));
    const thrown = committer.submit(
      command('thrown', {
        decide: () => {
          throw new Error('a bug');
        },
      }),
    );
    const good = committer.submit(command('good'));
    await expect(refused).rejects.toBe(no);
    await expect(thrown).rejects.toThrow('a bug');
    expect(await good).toBe('good');
    expect(pool.calls.map((c) => c.commands)).toEqual([['good']]);
  });

  it('whose expectation failed is made again over fresh facts; the others stand', async () => {
    const { pool, committer } = make();
    const stored = new Map([['account', 'ACTIVE']]);
    const { loader, forgotten } = loaderOf(stored);
    const n = need(loader, 'account');
    const c = (name: string) =>
      command(name, { needs: [n], decide: (facts) => ({ reply: `${name} ${facts(n)}`, writes: writes(name) }) });
    const replies = names(3).map((x) => committer.submit(c(x)));
    const call = await pool.call(1);
    stored.set('account', 'SUSPENDED');
    call.commit([1]);
    (await pool.call(2)).commit();
    expect(await Promise.all(replies)).toEqual(['c1 ACTIVE', 'c2 SUSPENDED', 'c3 ACTIVE']);
    expect(forgotten).toEqual(['account']);
    expect(pool.calls.map((x) => x.commands)).toEqual([names(3), ['c2']]);
  });

  it('is made on what the database says the second time, whatever memory was told meanwhile', async () => {
    const { pool, committer } = make();
    const stored = new Map([['account', 'SUSPENDED']]);
    const { loader, memory } = loaderOf(stored);
    memory.set('account', 'ACTIVE');
    const n = need(loader, 'account');
    const decided: unknown[] = [];
    const c = command('c', {
      needs: [n],
      decide(facts) {
        decided.push(facts(n));
        return { reply: String(facts(n)), writes: writes('c') };
      },
    });
    const reply = committer.submit(c);
    const call = await pool.call(1);
    call.commit([0]);
    // A slow read from before the change stores its old value.
    memory.set('account', 'ACTIVE');
    (await pool.call(2)).commit();
    expect(await reply).toBe('SUSPENDED');
    expect(decided).toEqual(['ACTIVE', 'SUSPENDED']);
  });

  it('forgets also the facts that only furtherNeeds named', async () => {
    const { pool, committer } = make();
    const stored = new Map([['client', 'ACTIVE']]);
    const { loader } = loaderOf(stored);
    const n = need(loader, 'client');
    const c = command('c', {
      furtherNeeds: () => [n],
      decide: (facts) => ({ reply: String(facts(n)), writes: writes('c') }),
    });
    const reply = committer.submit(c);
    const call = await pool.call(1);
    stored.set('client', 'SUSPENDED');
    call.commit([0]);
    (await pool.call(2)).commit();
    expect(await reply).toBe('SUSPENDED');
  });

  it('made again goes before what came later', async () => {
    const { pool, committer } = make();
    const replies = names(3).map((x) => committer.submit(command(x)));
    const call = await pool.call(1);
    replies.push(committer.submit(command('later')));
    call.commit([0, 2]);
    (await pool.call(2)).commit();
    await Promise.all(replies);
    expect(pool.calls.map((c) => c.commands)).toEqual([names(3), ['c1', 'c3', 'later']]);
  });

  it('that never holds is given up as overloaded, with nothing recorded', async () => {
    const { pool, committer } = make();
    pool.answer = (c) => c.commit(c.commands.flatMap((n, i) => (n === 'unlucky' ? [i] : [])));
    const unlucky = committer.submit(command('unlucky'));
    await expect(unlucky).rejects.toBe(overloaded);
    expect(pool.calls.length).toBeGreaterThan(2);
    expect(pool.calls.length).toBeLessThan(100);
    expect(await committer.submit(command('next'))).toBe('next');
  });
});

describe('a failed call', () => {
  it.each(['40001', '40P01', '25006'])('with %s is repeated whole, in the same order', async (code) => {
    const { pool, committer } = make();
    const replies = names(3).map((n) => committer.submit(command(n)));
    (await pool.call(1)).fail(sqlError(code));
    (await pool.call(2)).commit();
    expect(await Promise.all(replies)).toEqual(names(3));
    expect(pool.calls.map((c) => c.commands)).toEqual([names(3), names(3)]);
  });

  it.each(['22003', '22P02', '23514'])('with %s is halved until only the offender fails', async (code) => {
    const { pool, committer } = make();
    const committed: string[] = [];
    const error = sqlError(code);
    pool.answer = (c) => {
      if (c.commands.includes('c6')) c.fail(error);
      else {
        committed.push(...c.commands);
        c.commit();
      }
    };
    const replies = await Promise.allSettled(names(9).map((n) => committer.submit(command(n))));
    expect(replies.flatMap((r, i) => (r.status === 'rejected' ? [i + 1] : []))).toEqual([6]);
    expect(replies[5]).toMatchObject({ reason: error });
    // Every other one is committed once, in order.
    expect(committed).toEqual(names(9).filter((n) => n !== 'c6'));
  });

  it('with several offenders fails those and no other', async () => {
    const { pool, committer } = make();
    const bad = new Set(['c2', 'c3', 'c8']);
    const committed: string[] = [];
    pool.answer = (c) => {
      if (c.commands.some((n) => bad.has(n))) c.fail(sqlError('22021'));
      else {
        committed.push(...c.commands);
        c.commit();
      }
    };
    const replies = await Promise.allSettled(names(8).map((n) => committer.submit(command(n))));
    expect(replies.flatMap((r, i) => (r.status === 'rejected' ? [`c${i + 1}`] : []))).toEqual([...bad]);
    expect(committed).toEqual(names(8).filter((n) => !bad.has(n)));
  });

  it('still finds failed expectations in the halves', async () => {
    const { pool, committer } = make();
    const seen = new Map<string, number>();
    pool.answer = (c) => {
      if (c.commands.includes('bad')) return c.fail(sqlError('22003'));
      const failed = c.commands.flatMap((n, i) => {
        const times = (seen.get(n) ?? 0) + 1;
        seen.set(n, times);
        return n === 'stale' && times === 1 ? [i] : [];
      });
      c.commit(failed);
    };
    const replies = await Promise.allSettled(['x', 'stale', 'bad', 'y'].map((n) => committer.submit(command(n))));
    expect(replies.map((r) => r.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(Object.fromEntries(seen)).toEqual({ x: 1, stale: 2, y: 1 });
  });

  it.each([
    ['a lost connection', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    ['a server that stops', sqlError('57P01')],
    ['a commit that was not confirmed', new Error('the commit was not confirmed: standby')],
    ['a full disk', sqlError('53100')],
    ['no error object at all', 'gone'],
  ])('by %s leaves the outcome unknown for all, repeats nothing, and forgets what was known', async (_, error) => {
    const { pool, committer } = make();
    const { loader, forgotten } = loaderOf(new Map([['k', 'v']]));
    const replies = names(3).map((n) => committer.submit(command(n, { needs: [need(loader, 'k')] })));
    const settled = Promise.allSettled(replies);
    (await pool.call(1)).fail(error);
    expect((await settled).map((r) => r.status === 'rejected' && r.reason)).toEqual(Array(3).fill(unknownOutcome));
    expect(forgotten).toContain('k');
    expect(pool.calls).toHaveLength(1);
    const next = committer.submit(command('next'));
    (await pool.call(2)).commit();
    expect(await next).toBe('next');
    // A batch that found room is no proof: only who looked at the disk says that there is some.
    expect(committer.lacksRoom).toBe(error instanceof Error && 'code' in error && error.code === '53100');
    committer.hasRoom();
    expect(committer.lacksRoom).toBe(false);
  });
});

describe('what is observed of commits', () => {
  const observing = () => {
    const seen: { size: number; commitMs: number; waitedMs: number; failed: boolean }[] = [];
    return { ...make({ observe: (b) => seen.push(b) }), seen };
  };

  it('is also one that was given up, with the time until then', async () => {
    const { pool, committer, advance, seen } = observing();
    const settled = Promise.allSettled(names(3).map((n) => committer.submit(command(n))));
    const call = await pool.call(1);
    advance(10_000);
    call.fail(new Error('the database did not answer in time'));
    await settled;
    expect(seen).toEqual([{ size: 3, commitMs: 10_000, waitedMs: 0, failed: true }]);
  });

  it.each(['40001', '25006', '23514'])('is each command once, where %s has it sent again', async (code) => {
    const { pool, committer, seen } = observing();
    const replies = names(4).map((n) => committer.submit(command(n)));
    (await pool.call(1)).fail(sqlError(code));
    pool.answer = (c) => c.commit();
    await Promise.all(replies);
    expect(seen.map((b) => b.failed)).not.toContain(true);
    expect(seen.reduce((n, b) => n + b.size, 0)).toBe(4);
  });
});

describe('close', () => {
  it('finishes what was accepted, repetitions included, and takes nothing more', async () => {
    const { pool, committer } = make({ maxBatch: 2 });
    const replies = names(5).map((n) => committer.submit(command(n)));
    let closed = false;
    const closing = committer.close().then(() => (closed = true));
    await expect(committer.submit(command('late'))).rejects.toBe(overloaded);
    (await pool.call(1)).commit([0]);
    await settle();
    expect(closed).toBe(false);
    pool.answer = (c) => c.commit();
    (await pool.call(2)).commit();
    expect(await Promise.all(replies)).toEqual(names(5));
    await closing;
    expect(pool.calls.flatMap((c) => c.commands)).not.toContain('late');
  });

  it('is done at once when there is nothing to finish', async () => {
    const { committer } = make();
    await committer.close();
    await expect(committer.submit(command('late'))).rejects.toBe(overloaded);
  });
});

describe('whatever happens', () => {
  const outcome = fc.constantFrom('commit', 'commit', 'commit', 'stale', 'repeat', 'data', 'unknown');
  const submission = fc.record({
    account: fc.constantFrom('a', 'b', 'c'),
    keys: fc.uniqueArray(fc.constantFrom('k1', 'k2', 'k3', 'k4'), { maxLength: 2 }),
    exclusive: fc.boolean(),
  });

  it('each command is answered once, written at most once, and in order with those of its account it shares a key with', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(submission, { maxLength: 8 }), { minLength: 1, maxLength: 6 }),
        fc.array(outcome, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (turns, outcomes, maxBatch) => {
          const { pool, committer } = make({ maxBatch });
          const all = turns.flat().map((s, i) => ({ ...s, name: `n${i}` }));
          type Named = (typeof all)[number];
          const byName = new Map(all.map((s) => [s.name, s]));
          const written: string[] = [];
          let n = 0;
          pool.answer = (c) => {
            const batch = c.commands.map((name) => byName.get(name) as Named);
            const keys = batch.flatMap((s) => s.keys);
            expect(new Set(keys).size).toBe(keys.length);
            expect(batch.length).toBeLessThanOrEqual(maxBatch);
            const what = outcomes[n++ % outcomes.length];
            if (what === 'repeat') c.fail(sqlError('40001'));
            else if (what === 'data') c.fail(sqlError('22003'));
            else if (what === 'unknown') c.fail(new Error('reset'));
            else {
              const stale = what === 'stale' ? [0] : [];
              written.push(...c.commands.filter((_, i) => !stale.includes(i)));
              c.commit(stale);
            }
          };
          const replies: Promise<string>[] = [];
          let at = 0;
          for (const turn of turns) {
            for (const _ of turn) {
              const s = all[at++] as Named;
              const reply = committer.submit(command(s.name, s));
              // Its outcome is checked below; an earlier rejection must not count as unhandled.
              reply.catch(() => undefined);
              replies.push(reply);
            }
            await new Promise<void>(setImmediate);
          }
          const settled = await Promise.allSettled(replies);
          await committer.close();
          expect(committer.depth).toBe(0);
          const ok = settled.flatMap((r, i) => (r.status === 'fulfilled' ? [`n${i}`] : []));
          expect(written.toSorted()).toEqual(ok.toSorted());
          expect(new Set(written).size).toBe(written.length);
          for (const account of ['a', 'b', 'c'])
            for (const key of ['k1', 'k2', 'k3', 'k4'] as const) {
              const order = written.map((n) => byName.get(n) as Named).filter((s) => s.account === account);
              const numbers = order.filter((s) => s.keys.includes(key)).map((s) => Number(s.name.slice(1)));
              expect(numbers).toEqual(numbers.toSorted((x, y) => x - y));
            }
        },
      ),
      { numRuns: 300 },
    );
  });
});
