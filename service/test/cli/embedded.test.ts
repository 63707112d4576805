// The command line with the embedded database: alone, and beside a service that uses it.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { usersIn } from '../../src/platform/embedded-postgres.ts';
import { until } from '../durability/support/conditions.ts';
import { assayProcessWith, assayWith, type RunningService, startService } from './run.ts';

let dir: string;
let service: RunningService | undefined;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-embedded-'));
});
afterAll(async () => {
  await service?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const serverRuns = () => existsSync(join(dir, 'postgres', 'postmaster.pid'));
const folder = () => join(dir, 'secrets', 'processes');
const users = () => usersIn(folder());

describe('assay on the embedded database', () => {
  it('works without the service, joins it while it runs, and leaves the server to the last one out', async () => {
    const assay = assayProcessWith({ DATA_DIR: dir });
    const here = assayWith({ DATA_DIR: dir });
    const migrated = await here('migrate', '--json');
    expect([migrated.exitCode, migrated.stderr]).toEqual([0, '']);
    expect(migrated.json().applied).toEqual(migrated.json().schema);
    expect(migrated.json().applied.length).toBeGreaterThan(0);
    expect(serverRuns()).toBe(false);

    const made = await assay('psp', 'create', '--name', 'First Pay', '--country', 'NG', '--json');
    expect([made.exitCode, serverRuns()]).toEqual([0, false]);

    service = await startService({ DATA_DIR: dir });
    const answers = async (key: string) =>
      (await fetch(`${service?.address}/v1/client/verifyClientStatus`, { headers: { 'x-api-key': key } })).status;
    expect(await answers(made.json().apiKey)).toBe(200);
    const beside = await Promise.all([
      assay('psp', 'create', '--name', 'Second Pay', '--country', 'GH', '--json'),
      assay('migrate', '--json'),
    ]);
    expect(beside.map((r) => r.exitCode)).toEqual([0, 0]);
    expect(beside[1].json().applied).toEqual([]);
    // The service has one process or two; the commands have ended, and have left nothing behind.
    await until('all that are named there run', () => users().length === readdirSync(folder()).length);
    expect([serverRuns(), users().length > 0]).toEqual([true, true]);
    expect(await answers(beside[0].json().apiKey)).toBe(200);

    expect(await service.stop()).toBe(0);
    service = undefined;
    expect([serverRuns(), users().length]).toEqual([false, 0]);
    const list = await here('psp', 'list', '--json');
    const names = list.json().items.map((p: { registeredName: string }) => p.registeredName);
    expect(names).toEqual(['Second Pay', 'First Pay']);
    expect(serverRuns()).toBe(false);
  });
});
