// Plain JavaScript that any Node understands: keeps compiled code for the next start, in a folder nobody else can write.
import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Beside the packages: who may write there can change what is run without a cache, too. */
export const compileCacheFolder = join(
  dirname(fileURLToPath(import.meta.url)),
  ...['..', '..', 'node_modules', '.assay-compile-cache'],
);

/**
 * Node takes what it finds in the folder as code, whoever put it there. Its default is a folder of a known name among
 * everybody's temporary files, so that any user of the machine could have the service run code of theirs.
 * @param {string} folder is used where it is ours alone; else nothing is kept and a start takes longer
 */
export function enableCompileCache(folder = compileCacheFolder) {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It is there, or may not be made: what it is like decides.
  }
  if (isOurs(folder)) module.enableCompileCache?.(folder);
}

/** @param {string} folder */
function isOurs(folder) {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  // Windows has neither; a folder below the packages has their rights there.
  if (process.getuid === undefined) return true;
  return found.uid === process.getuid() && (found.mode & 0o022) === 0;
}
