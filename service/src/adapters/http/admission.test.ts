// Admission: limits follow throughput, shares hold against a flood, and nothing is refused needlessly.
import { describe, expect, it } from 'vitest';
import { Admission } from './admission.ts';
import { TokenBuckets } from './limits.ts';

const tickMs = 100;

/** An admission with its own clock, and work that ends on command. */
function make(over: { targetMs?: number; atFirst?: number; most?: number } = {}) {
  let now = 0;
  const limits = new TokenBuckets(10, 1000);
  const admission = new Admission({
    targetMs: 50,
    atFirst: 200,
    most: 1000,
    limits,
    clock: () => now,
    ...over,
  });
  const working: (() => void)[] = [];
  return {
    admission,
    limits,
    /** @returns whether it was admitted; its work continues */
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
  it('lets a burst in as it comes, as large as there is room for, again and again', async () => {
    const a = make();
    for (let n = 0; n < 10; n++) {
      const burst = Array.from({ length: 1000 }, () => a.ask('one'));
      expect(burst).not.toContain(false);
      // Finished in little more than half a second, and the next one comes at once.
      for (let ticks = 0; ticks < 6; ticks++) {
        await a.finish(180);
        a.tick();
      }
      expect(a.admission.inHand).toBe(0);
    }
  });

  it('lets a burst in after single requests that were quickly done', async () => {
    const a = make();
    for (let n = 0; n < 200; n++) {
      for (let i = 0; i < 60; i++) a.ask('one');
      await a.finish(60);
      a.tick();
    }
    expect(Array.from({ length: 1000 }, () => a.ask('one'))).not.toContain(false);
  });

  it('refuses where a queue stands, and nobody whose requests are done in time', async () => {
    const a = make();
    let sent = 0;
    for (let n = 0; n < 10; n++) {
      // Twice the throughput: the queue grows by 200 per tick.
      for (let i = 0; i < 400; i++) sent += Number(a.ask('flood'));
      await a.finish(200);
      a.tick();
    }
    expect(sent).toBeLessThan(10 * 400);
    const modest = make();
    for (let n = 0; n < 100; n++) {
      for (let i = 0; i < 190; i++) expect(modest.ask('steady')).toBe(true);
      await modest.finish(200);
      modest.tick();
    }
  });

  it('takes for a queue what never falls below what is done in time, after as many as the largest burst', async () => {
    const a = make();
    for (let i = 0; i < 500; i++) a.ask('loop');
    // Each that is finished is followed by the next, as in a closed loop: 500 are always in flight.
    let sent = 500;
    while (a.ask('loop')) {
      sent++;
      await a.finish(1);
    }
    expect(sent).toBeGreaterThan(1000);
    expect(sent).toBeLessThan(1000 + 500);
    expect(a.admission.limit).toBe(200);
  });

  it('takes a standstill of the database for no lack of strength', async () => {
    const a = make();
    for (let n = 0; n < 10; n++) {
      for (let tick = 0; tick < 5; tick++) {
        for (let i = 0; i < 10; i++) expect(a.ask('one')).toBe(true);
        a.tick();
      }
      await a.finish(1000);
    }
  });

  it('keeps a share for a key that does not flood, beside whatever a burst has left in hand', () => {
    const a = make();
    a.ask('modest');
    for (let i = 0; i < 1000; i++) a.ask('flood');
    const let_in = Array.from({ length: 150 }, () => a.ask('modest'));
    expect(let_in).not.toContain(false);
    expect(a.ask('flood')).toBe(false);
    for (let n = 0; n < 5; n++) a.tick();
    expect(a.ask('flood')).toBe(false);
    expect(a.ask('modest')).toBe(true);
  });

  it('bounds what is in hand, however many keys ask', () => {
    const a = make();
    for (let i = 0; i < 5000; i++) a.ask(`key ${i % 700}`);
    expect(a.admission.inHand).toBeLessThanOrEqual(1000 + 3 * 200);
    expect(a.ask('key 1')).toBe(false);
  });

  it('follows what is finished while there is more than can be done', async () => {
    const a = make();
    for (let n = 0; n < 60; n++) {
      while (a.ask('flood'));
      await a.finish(300);
      a.tick();
      while (a.ask('flood'));
      await a.finish(100);
    }
    // 4,000 per second and 50 ms.
    expect(a.admission.limit).toBeGreaterThan(180);
    expect(a.admission.limit).toBeLessThan(220);
    for (let n = 0; n < 60; n++) {
      while (a.ask('flood'));
      await a.finish(20);
      a.tick();
    }
    // The limit never falls below this, so that there is always work to finish.
    expect(a.admission.limit).toBe(128);
  });

  it('allows for commits that are slow in themselves', () => {
    const a = make();
    for (let n = 0; n < 100; n++) a.admission.committed(80);
    while (a.ask('flood'));
    // 4,000 per second and two and a half commits of 80 ms.
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
    while (a.ask('flood'));
    expect(a.admission.limit).toBe(200);
  });

  it('lets everybody in again after the rush', async () => {
    const a = make();
    for (let i = 0; i < 1000; i++) a.ask('flood');
    await a.finish(1000);
    expect(a.admission.inHand).toBe(0);
    for (let n = 0; n < 20; n++) a.tick();
    expect(Array.from({ length: 1000 }, () => a.ask('flood'))).not.toContain(false);
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
    // A burst of them, and then what may be finished in one tick.
    expect(strangers()).toHaveLength(1000);
    expect(a.admission.decide(undefined)).toBe('busy');
    expect(a.ask('known')).toBe(true);
    a.tick();
    expect(strangers()).toHaveLength(400);
    while (a.ask('flood'));
    a.tick();
    expect(strangers()).toHaveLength(128);
    expect(a.ask('known')).toBe(true);
  });
});
