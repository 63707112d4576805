// Folders for what tests leave to a disk: in memory where the machine has room there, since no test cuts its power.
import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const needed = 6 * 2 ** 30;

/** A memory file system is used when it is large: each of the hundreds of databases is some 1,100 files. */
function room(): string {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize > needed) return memory;
  } catch {
    // There is none: macOS, or a small container.
  }
  return tmpdir();
}

/** Makes a folder of its own; who asks for it removes it. */
export const makeFolder = (prefix: string): string => mkdtempSync(join(room(), prefix));
