// What several processes count, as one: it never falls, whichever of them ends or does not answer.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { FiguresOfAll } from './figures.ts';

class Process {
  readonly registry = new Registry();
  readonly #of = { registers: [this.registry], help: 'x' };
  readonly sold = new Counter({ ...this.#of, name: 'sold_total', labelNames: ['what'] });
  readonly took = new Histogram({ ...this.#of, name: 'took_seconds', buckets: [1] });
  readonly open = new Gauge({ ...this.#of, name: 'open' });
  answers = true;

  count(n: number): void {
    this.sold.inc({ what: 'tea' }, n);
    this.took.observe(0.5);
    this.open.set(n);
  }
}

const figuresOf = () => {
  const all: FiguresOfAll<Process> = new FiguresOfAll((p, id) => {
    if (p.answers) void p.registry.getMetricsAsJSON().then((figures) => all.answered(p, id, structuredClone(figures)));
  }, 50);
  return all;
};
const told = (text: string) =>
  ['sold_total{what="tea"}', 'took_seconds_count', 'took_seconds_bucket{le="1"}', 'open'].map((series) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length + 1),
    ),
  );

it('is the sum of all that answer', async () => {
  const all = figuresOf();
  const [a, b] = [new Process(), new Process()];
  a.count(3);
  b.count(4);
  expect(told(await all.text([a, b, a]))).toEqual([7, 2, 2, 7]);
});

it('keeps what was counted by one that does not answer, and says nothing of what it is doing', async () => {
  const all = figuresOf();
  const [a, b, silent] = [new Process(), new Process(), new Process()];
  silent.answers = false;
  a.count(3);
  b.count(4);
  await all.text([a, b, silent]);
  b.answers = false;
  b.count(100);
  a.count(1);
  expect(told(await all.text([a, b, silent]))).toEqual([8, 3, 3, 1]);
  b.answers = true;
  expect(told(await all.text([a, b, silent]))).toEqual([108, 4, 4, 101]);
});

it('keeps what was counted by those that ended, each once', async () => {
  const all = figuresOf();
  const a = new Process();
  a.count(1);
  for (const n of [10, 20, 30]) {
    const next = new Process();
    next.count(n);
    await all.text([a, next]);
    all.ended(next);
    all.ended(next);
  }
  all.ended(new Process());
  expect(told(await all.text([a]))).toEqual([61, 4, 4, 1]);
});
