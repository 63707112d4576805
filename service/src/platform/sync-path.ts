// Flushes written files to disk: names in a folder are flushed separately from the files.
import { open } from 'node:fs/promises';

/** Flushes a file, or the names in a folder, to disk. Windows does this itself. */
export async function syncPath(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
