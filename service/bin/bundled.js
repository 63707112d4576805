// Plain JavaScript that any Node understands: finds the bundle of a source, if it is of the sources as they are now.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const bundleFolder = join(root, 'service', 'dist');

/** Sources that are started, by processes and by threads of theirs, and the names of their bundles. */
export const entries = /** @type {const} */ ({
  'main.ts': 'service',
  'adapters/cli/main.ts': 'assay',
  'modules/telecom/files/validation-thread.ts': 'validation-thread',
  'modules/cesop/xsd-thread.ts': 'xsd-thread',
});

/** What the bundle was made of: its sources and the descriptions of its packages. */
export const listFile = 'made-of.json';

/** @param {readonly string[]} files from the root */
export function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

/** Tells the processes that this one starts that it has found the sources unchanged: they do not read them all again. */
const handedOn = 'ASSAY_BUNDLE';

/**
 * The bundle that may run in place of a source: none where none was built, or where a source or package has changed.
 * @param {string} file from service/src
 * @param {string} [folder] of the bundles
 * @param {Record<string, string | undefined>} [environment] says what the process that started this one has found, and is
 * told what this one has
 * @returns {string | undefined} its path
 */
export function bundleOf(file, folder = bundleFolder, environment = {}) {
  const name = entries[/** @type {keyof typeof entries} */ (file)];
  if (name === undefined) return undefined;
  try {
    const { digest, files } = JSON.parse(readFileSync(join(folder, listFile), 'utf8'));
    if (environment[handedOn] !== `${process.ppid} ${digest}` && digestOf(files) !== digest) return undefined;
    environment[handedOn] = `${process.pid} ${digest}`;
    return join(folder, `${name}.js`);
  } catch {
    // There is no bundle, or a source of it is gone.
    return undefined;
  }
}
