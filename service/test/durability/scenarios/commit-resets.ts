// The connection to PostgreSQL breaks around a commit, so the service cannot know whether it was recorded.
import { workersBehind } from '../../support/citus.ts';
import { type CommitFate, CommitProxy } from '../support/commit-proxy.ts';
import { until } from '../support/conditions.ts';
import { records, underLoad } from '../support/faults.ts';
import { holdRounds } from '../support/rounds.ts';
import { onSharedServer } from '../support/scenes.ts';
import { dice } from '../support/storm.ts';
import type { Scenario } from './scenario.ts';

const cuts: readonly CommitFate[] = ['before', 'within', 'after'];

export const scenario: Scenario = {
  name: 'commit-resets',
  fault: 'the connection to PostgreSQL reset around a commit',
  done: 'A proxy before the database cuts every fourth commit: before its bytes are passed on, in the middle of them, or right after the last of them.',
  async run(stage, wanted) {
    const database = await wanted.database();
    const proxy = await CommitProxy.start(database.url);
    // On a cluster most commits go to its workers.
    const workers = await workersBehind(database, (url, commits) => CommitProxy.start(url, ...commits));
    const proxies = [proxy, ...workers.proxies];
    // What is deferred last is done first: the database is dropped after it.
    const leave = async () => {
      await workers.leave();
      await Promise.all(proxies.map((p) => p.stop()));
    };
    const place = await onSharedServer(stage, { ...wanted, database: async () => database }, 3, {
      DATABASE_URL: proxy.url,
    });
    stage.defer(leave);
    const random = dice(wanted.seed);
    const countOf = (fate: CommitFate) => proxies.reduce((n, p) => n + (p.counts[fate] ?? 0), 0);
    const decide = (fate: () => CommitFate) => proxies.forEach((p) => void p.decide(fate));
    const cut = () => cuts.reduce((n, c) => n + countOf(c), 0);
    const most = wanted.form === 'short' ? 12 : 30;
    const tally = await holdRounds(place, wanted, (seed) =>
      underLoad(place, seed, 50, async () => {
        const before = cut();
        decide(() => (random() < 0.25 ? (cuts[Math.floor(random() * cuts.length)] as CommitFate) : 'pass'));
        await until('enough commits were cut', () => cut() >= before + most, 180_000);
        decide(() => 'pass');
        return records(place, performance.now());
      }),
    );
    tally.notes.push(`commits cut: ${cuts.map((c) => `${c} ${countOf(c)}`).join(', ')}`);
    return tally;
  },
};
