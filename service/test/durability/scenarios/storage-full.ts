// A full disk: data and log of PostgreSQL are on a small file system that is filled under load and emptied again. Needs
// the right to mount one; otherwise the result says that the scenario was not run.
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/conditions.ts';
import { records, underLoad } from '../support/faults.ts';
import { endServer } from '../support/postgres-process.ts';
import { holdRounds } from '../support/rounds.ts';
import { onOwnServer } from '../support/scenes.ts';
import type { Stage } from '../support/service-process.ts';
import { emptyTally, type Scenario } from './scenario.ts';

export const scenario: Scenario = {
  name: 'storage-full',
  fault: 'the disk is full',
  done: 'Data and log of PostgreSQL on a file system of 400 MB that is filled under load; 10 s later the space comes back. Nothing is restarted by hand.',
  async run(stage, wanted) {
    const disk = mountDisk(stage);
    if (typeof disk !== 'string') return { ...emptyTally(), notRun: disk.why };
    const place = { ...(await onOwnServer(stage, 3, { DATA_DIR: join(disk, 'data') })), most: 100_000 };
    const answers = new Map<string, number>();
    const tally = await holdRounds(place, wanted, async (seed) => {
      const start = place.history.now();
      const round = await underLoad(place, seed, 150, async () => {
        const ballast = join(disk, 'ballast');
        const since = performance.now();
        try {
          const count = () => place.history.all.filter((s) => s.sentAt > start && s.status === 503).length;
          // What the server frees and takes again is filled up as well.
          await until('requests are turned away', async () => {
            fill(ballast);
            // The log has room left in files that stand already; this uses it up.
            await place.db
              .query("SELECT pg_logical_emit_message(false, 'filler', repeat('x', 8000000))")
              .catch(() => undefined);
            return count() >= 20;
          });
          await until('it says that it is not ready, and why', async () => {
            fill(ballast);
            const answer = await ready(place.service);
            return answer.status === 503 && /the disk of the database is full/.test(await answer.text());
          });
          await until('10 s have passed', () => {
            fill(ballast);
            return performance.now() - since > 10_000;
          });
        } finally {
          rmSync(ballast, { force: true });
        }
        const recovered = await records(place, performance.now());
        await until('it is ready again', async () => (await ready(place.service)).status === 200);
        return recovered;
      });
      for (const s of place.history.all)
        if (s.sentAt > start && s.outcome !== 'ok' && s.outcome !== undefined)
          answers.set(`${s.status} ${s.code}`, (answers.get(`${s.status} ${s.code}`) ?? 0) + 1);
      return round;
    });
    tally.notes.push(`answers meanwhile: ${[...answers].map(([what, n]) => `${n} × ${what}`).join(', ')}`);
    return tally;
  },
};

const ready = (service: { readonly address: string }) => fetch(`${service.address}/health/ready`);

function mountDisk(stage: Stage): string | { why: string } {
  const folder = stage.folder();
  // As root the server runs as another user and keeps its files elsewhere where it cannot come to these.
  chmodSync(folder, 0o755);
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=0755', 'tmpfs', disk], { stdio: 'pipe' });
  } catch (e) {
    return { why: `a file system cannot be mounted here: ${String((e as { stderr?: Buffer }).stderr ?? e).trim()}` };
  }
  stage.defer(async () => {
    await endServer(join(disk, 'data'));
    execFileSync('umount', ['-l', disk]);
  });
  return disk;
}

/** Writes until nothing more fits. */
function fill(file: string): void {
  const f = openSync(file, 'a');
  try {
    for (let piece = Buffer.alloc(1 << 20); piece.length > 0; )
      try {
        writeSync(f, piece);
      } catch (e) {
        if ((e as NodeJS.ErrnoException).code !== 'ENOSPC') throw e;
        piece = piece.subarray(0, piece.length >> 1);
      }
  } finally {
    closeSync(f);
  }
}
