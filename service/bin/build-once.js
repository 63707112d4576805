// Plain JavaScript that any Node understands: builds the console, and bundles the service, for who starts from a fresh
// clone, since nothing is run at the installation of packages.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFolder, root } from './bundled.js';

const room = join(root, 'console');
const has = (/** @type {string} */ tool) => existsSync(join(root, 'node_modules', tool));

/**
 * Does nothing where all is built, or the tools for it were left out. The service runs without, too.
 * @param {string} script of package.json; who runs the file without npm has built or does without
 */
export function buildFor(script) {
  if (process.env.npm_lifecycle_event !== script) return;
  if (has('vite') && !existsSync(join(room, 'dist', 'index.html'))) buildConsole();
  if (has('rolldown') && !existsSync(bundleFolder))
    spawnSync(process.execPath, [join(root, 'service', 'bin', 'bundle.js')], { stdio: ['ignore', 2, 2] });
}

function buildConsole() {
  console.error('The console is built, this once; it takes some seconds.');
  // Beside its place and then put there, so that of two that start at once each finds a whole one.
  const next = join(room, `dist-${process.pid}`);
  // A shell, since npm is a script of its own on Windows.
  const done = spawnSync(`npm run --silent build -w console -- --outDir "${next}" --logLevel warn`, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: true,
  });
  try {
    if (done.status === 0) renameSync(next, join(room, 'dist'));
    else console.error("The console could not be built; 'npm run build' says why. The service starts without it.");
  } catch {
    // Somebody else was faster.
  }
  rmSync(next, { recursive: true, force: true });
}
