// Admission: limits follow what is finished, shares hold against a flood, and nothing is refused without need.
import { describe, expect, it } from 'vitest';
import { Admission } from './admission.ts';
import { TokenBuckets } from './limits.ts';

const tickMs = 100;

/** An admission with a clock of its own and work that ends when it is told to. */
function make(over: { targetMs?: number; atFirst?: number; most?: number } = {}) {
  let now = 0;
  const limits = new TokenBuckets(10, 1000);
  const admission = new Admission({
    targetMs: 50,
    atFirst: 200,
    most: 1000,
    limits,
    clock: () => now,
    monotonic: () => now,
    ...over,
  });
  const working: (() => void)[] = [];
  return {
    admission,
    limits,
    /** @returns whether it was let in; its work goes on */
    ask(actor: string): boolean {
      if (admission.decide(actor) !== 'in') return false;
      void admission.during(actor, () => new Promise<void>((done) => void working.push(done)));
      return true;
    },
    async finish(count: number) {
      for (const done of working.splice(0, count)) done();
      await new Promise(setImmediate);
    },
    tick() {
      now += tickMs;
      admission.tick(tickMs);
    },
  };
}

describe('admission', () => {
  it('lets a burst in at twice the limit, and once it stands at the limit', () => {
    const a = make();
    const burst = Array.from({ length: 500 }, () => a.ask('flood'));
    // Twice the limit of 200, and of the room kept for shares what is below the only key's share.
    expect(burst.filter(Boolean)).toHaveLength(400);
    expect(a.ask('flood')).toBe(false);
  });

  it('keeps a share for a key that does not flood', () => {
    const a = make();
    a.ask('modest');
    for (let i = 0; i < 1000; i++) a.ask('flood');
    const let_in = Array.from({ length: 150 }, () => a.ask('modest'));
    expect(let_in).not.toContain(false);
    expect(a.ask('flood')).toBe(false);
  });

  it('bounds what is in hand, however many keys ask', () => {
    const a = make();
    for (let i = 0; i < 5000; i++) a.ask(`key ${i % 700}`);
    expect(a.admission.inHand).toBeLessThanOrEqual(3 * 200);
  });

  it('follows what is finished while there is more than can be done', async () => {
    const a = make();
    for (let n = 0; n < 60; n++) {
      while (a.ask('flood'));
      await a.finish(400);
      a.tick();
    }
    // 4,000 a second and 50 ms.
    expect(a.admission.limit).toBeGreaterThan(180);
    expect(a.admission.limit).toBeLessThan(220);
    for (let n = 0; n < 60; n++) {
      while (a.ask('flood'));
      await a.finish(20);
      a.tick();
    }
    // Slower than that it never gets, so that there is something to be finished.
    expect(a.admission.limit).toBe(128);
  });

  it('allows for commits that are slow in themselves', () => {
    const a = make();
    for (let n = 0; n < 100; n++) a.admission.committed(80);
    // 4,000 a second and two and a half commits of 80 ms.
    expect(a.admission.limit).toBeGreaterThan(700);
    expect(a.admission.limit).toBeLessThanOrEqual(800);
  });

  it('keeps what it knows of the machine while there is little to do', async () => {
    const a = make();
    for (let n = 0; n < 200; n++) {
      a.ask('one');
      await a.finish(1);
      a.tick();
    }
    expect(a.admission.limit).toBe(200);
  });

  it('lets everybody in again after the rush', async () => {
    const a = make();
    for (let i = 0; i < 1000; i++) a.ask('flood');
    await a.finish(1000);
    expect(a.admission.inHand).toBe(0);
    for (let n = 0; n < 20; n++) a.tick();
    expect(Array.from({ length: 250 }, () => a.ask('flood'))).not.toContain(false);
  });

  it('refuses a key past its rate at the door, and takes no token for that', () => {
    const a = make();
    for (let i = 0; i < 1000; i++) a.limits.take('fast', 0);
    expect(a.admission.decide('fast')).toEqual({ limitedMs: 100 });
    expect(a.admission.decide('fast')).toEqual({ limitedMs: 100 });
    expect(a.admission.decide('slow')).toBe('in');
  });

  it('lets a bounded number in that show no known key, fewer in a rush, and others beside them', () => {
    const a = make();
    const strangers = () => Array.from({ length: 1000 }, () => a.admission.decide(undefined)).filter((s) => s === 'in');
    // What may be finished in a tick.
    expect(strangers()).toHaveLength(400);
    expect(a.ask('known')).toBe(true);
    a.tick();
    expect(a.admission.decide(undefined)).toBe('in');
    a.tick();
    while (a.ask('flood'));
    expect(strangers()).toHaveLength(128);
    expect(a.ask('known')).toBe(true);
  });
});
