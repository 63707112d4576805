// The room on the disk of a folder.
import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Bytes that are free for the service, and all bytes of the disk. */
export async function diskOf(folder: string): Promise<{ readonly free: number; readonly total: number }> {
  const { bavail, blocks, bsize } = await statfs(resolve(folder));
  return { free: bavail * bsize, total: blocks * bsize };
}
