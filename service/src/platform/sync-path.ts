// What is written is on the disk: names of a folder are brought there separately from the files they stand for.
import { open } from 'node:fs/promises';

/** Brings a file, or the names in a folder, to the disk. Windows does so itself. */
export async function syncPath(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
