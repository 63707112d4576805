// kill -9 of the database server under a running service: whole, its main process alone, and one backend.
import { afterAll, expect, it, vi } from 'vitest';
import { Checks } from './support/checks.ts';
import { killPostgres, type Scene, type Victim } from './support/faults.ts';
import { settle } from './support/foundation.ts';
import { Client, History } from './support/history.ts';
import { ownerPool } from './support/postgres-process.ts';
import { Stage } from './support/service-process.ts';
import { askAgain } from './support/storm.ts';

// Only ends a hang: other work may hold the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const stage = new Stage();
afterAll(() => stage.end());

it('comes back by itself when its database server is killed under load, and loses nothing it acknowledged', async () => {
  const dataDir = stage.folder();
  const client = new Client();
  const service = await stage.service({ DATA_DIR: dataDir });
  const db = ownerPool(dataDir);
  stage.defer(() => db.end());
  const history = new History();
  const scene: Scene = {
    stage,
    client,
    history,
    checks: new Checks(db),
    parties: await settle(client, service.address, await service.demoKey(), db, 3),
    service,
    restart: () => Promise.reject(new Error('the service is not to be restarted')),
  };
  const report: unknown[] = [];
  const victims: Victim[] = ['all', 'backend', 'postmaster', 'all'];
  for (let round = 0, tries = 0; round < victims.length; tries++) {
    expect(tries, 'rounds in which the kill hit no request').toBeLessThan(16);
    const victim = victims[round] as Victim;
    const { verdict, ...r } = await killPostgres(scene, dataDir, victim, 200 + tries, 200 + 30 * tries);
    expect(verdict.violations).toEqual([]);
    const asked = await askAgain(history, client, service.address);
    const after = await scene.checks.look(history, 'after asking again');
    expect(after.violations).toEqual([]);
    if (!r.void) round++;
    report.push({ victim, ...r, ...asked, ...after.figures });
  }
  stage.report('kill -9 of PostgreSQL', report, history.summary());
  // It is still the process that was started, and it ends in order.
  service.signal('SIGTERM');
  expect(await service.exited).toEqual({ code: 0, signal: null });
  client.close();
});
