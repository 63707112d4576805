// Secrets in files: written completely or not at all, readable only by the service's own user.
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { randomSecret } from './random.ts';

/**
 * Writes a secret unless the file exists; if several processes start at once, the first one's is kept.
 * @returns the content of the file
 */
export function keepFirst(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const half = `${file}.${randomSecret(6).toString('hex')}`;
  writeFileSync(half, text, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(half, file);
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code !== 'EEXIST') throw e;
  } finally {
    rmSync(half, { force: true });
  }
  return readSecret(file) as string;
}

/** The content of a file, which is made unreadable to others; undefined if it does not exist. */
export function readSecret(file: string): string | undefined {
  try {
    chmodSync(file, 0o600);
    return readFileSync(file, 'utf8');
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw e;
  }
}
