// Measures how long the disk alone takes to make a commit durable. No decision is answered before its log is on the
// disk, so latencies are compared with this time.
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quantile } from './quantile.ts';

/** Milliseconds to write one block after another, each synced before the next is written. */
export interface DiskSync {
  readonly p50: number;
  readonly p99: number;
}

/** @param dir a folder on the disk to measure */
export async function diskSync(dir: string, seconds: number): Promise<DiskSync> {
  const path = join(dir, 'disk-sync');
  const block = Buffer.alloc(8192, 1);
  const file = await open(path, 'w');
  try {
    // The file has its full size first, like segments of PostgreSQL's log: only its content changes.
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
