// kill -9 of the database server under a running service: all processes, its main process alone, and one backend.
import { afterAll, expect, inject, it } from 'vitest';
import { scenario } from './scenarios/kill-postgres.ts';
import { until } from './support/conditions.ts';
import type { Party } from './support/history.ts';
import { backendsOf, kill, postmaster, runs } from './support/postgres-process.ts';
import { onOwnServer } from './support/scenes.ts';
import { Stage } from './support/service-process.ts';
import { holds } from './support/short-form.ts';
import { newRef, sale } from './support/storm.ts';

it('comes back by itself when its database server is killed under load, and loses nothing it acknowledged', async () => {
  // Each of the three ways it may die.
  await holds(scenario, 3);
});

const stage = new Stage(inject('madeFolder'));
afterAll(() => stage.end());

it('comes back though one backend of the killed server hangs for ever, and says which one it ended', async () => {
  const { service, client, history, parties, dataDir } = await onOwnServer(stage, 1);
  const party = parties[0] as Party;
  const send = () => history.send(client, service.address, party, 'verifyTransaction', sale(newRef(), 30));
  const main = postmaster(dataDir) as number;
  await send();
  const [hanging] = await until('it has backends', () => {
    const all = backendsOf(main);
    return all.length > 0 && all;
  });
  kill([hanging as number], 'SIGSTOP');
  stage.defer(async () => kill([hanging as number]));
  kill([main]);
  await until(
    'it acknowledges again',
    async () => {
      const before = history.count('ok');
      await send();
      // A backend may still commit for a moment after its server was killed.
      return history.count('ok') > before && ![undefined, main].includes(postmaster(dataDir));
    },
    120_000,
  );
  expect(postmaster(dataDir)).not.toBe(main);
  expect(runs(hanging as number)).toBe(false);
  // On a busy machine others may be slow to leave, and be named beside it.
  expect(service.output()).toMatch(new RegExp(`"pids":\\[[\\d,]*\\b${hanging}\\b[\\d,]*\\].*left behind`));
});
