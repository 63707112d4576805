// What the disk takes to make a commit durable, with nothing above it: no decision is answered sooner than its log is
// on the disk, so that latencies are held against this.
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quantile } from './quantile.ts';

/** Of one block after another, each on the disk before the next is written; milliseconds. */
export interface DiskSync {
  readonly p50: number;
  readonly p99: number;
}

/** @param dir on the disk in question */
export async function diskSync(dir: string, seconds: number): Promise<DiskSync> {
  const path = join(dir, 'disk-sync');
  const block = Buffer.alloc(8192, 1);
  const file = await open(path, 'w');
  try {
    // Laid out before, as the segments of PostgreSQL's log are: only content changes.
    await file.write(Buffer.alloc(16 << 20, 1));
    await file.sync();
    const all: number[] = [];
    for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
      const since = performance.now();
      await file.write(block, 0, block.length, (all.length % 2048) * block.length);
      await file.datasync();
      all.push(performance.now() - since);
    }
    return { p50: quantile(all, 0.5), p99: quantile(all, 0.99) };
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
