// kill -9 of the service, again and again, in the middle of what it is doing.
import { afterAll, expect, it, vi } from 'vitest';
import { Checks } from './support/checks.ts';
import { killService, type Scene } from './support/faults.ts';
import { settle } from './support/foundation.ts';
import { Client, History } from './support/history.ts';
import { ownerPool } from './support/postgres-process.ts';
import { Stage } from './support/service-process.ts';
import { askAgain } from './support/storm.ts';

// Only ends a hang: other work may hold the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const stage = new Stage();
afterAll(() => stage.end());

it('loses nothing it acknowledged when it is killed under load, and settles every unknown outcome', async () => {
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
    restart: () => stage.service({ DATA_DIR: dataDir }),
  };
  const report: unknown[] = [];
  for (let round = 0, tries = 0; round < 4; tries++) {
    // A round in which the kill hit nothing proves nothing and is held again.
    expect(tries, 'rounds in which the kill hit no request').toBeLessThan(16);
    const { verdict, ...r } = await killService(scene, 100 + tries, 150 + 40 * tries);
    expect(verdict.violations).toEqual([]);
    const asked = await askAgain(history, client, scene.service.address);
    const after = await scene.checks.look(history, 'after asking again');
    expect(after.violations).toEqual([]);
    if (!r.void) round++;
    report.push({ ...r, ...asked, ...after.figures });
  }
  stage.report('kill -9 of the service', report, history.summary());
  client.close();
});
