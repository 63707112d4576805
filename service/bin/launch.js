// Plain JavaScript that any Node understands: finds a Node that can run the service, then runs it there.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { enableCompileCache } from './compile-cache.js';

const here = dirname(fileURLToPath(import.meta.url));

/** @param {string} file module under service/src */
export async function launch(file) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) {
    // Half the time of a start is reading the sources; compiled code is kept for the next one.
    enableCompileCache();
    await import(pathToFileURL(join(here, '..', 'src', file)).href);
    return;
  }
  const own = join(here, '..', '..', 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (!existsSync(own) || process.env.ASSAY_RELAUNCHED) {
    console.error(
      `Assay needs Node.js 22.18 or later; this is ${process.versions.node}, and 'npm ci' found no newer one for ${process.platform}-${process.arch}. Install Node.js 24.`,
    );
    process.exit(1);
  }
  const done = spawnSync(own, [process.argv[1], ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, ASSAY_RELAUNCHED: '1' },
  });
  process.exit(done.status ?? 1);
}
