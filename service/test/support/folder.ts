// Temporary folders for tests: on a memory file system if it is large enough, since no test needs durable storage.
import { mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const needed = 6 * 2 ** 30;

/** Returns the memory file system if it is large enough for hundreds of databases of some 1,100 files each. */
function room(): string {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize > needed) return memory;
  } catch {
    // There is no memory file system, as on macOS or in a small container.
  }
  return tmpdir();
}

/** Makes a new folder, which the caller removes. */
export const makeFolder = (prefix: string): string => mkdtempSync(join(room(), prefix));
