// Plain JavaScript that any Node understands: builds the console for who starts from a fresh clone, since nothing is run
// at the installation of packages.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const room = join(root, 'console');

/**
 * Does nothing where the console is built, or its tools were left out. The service runs without it, too.
 * @param {string} script of package.json; who runs the file without npm has built the console or does without
 */
export function buildConsoleFor(script) {
  const dist = join(room, 'dist');
  if (process.env.npm_lifecycle_event !== script || existsSync(join(dist, 'index.html'))) return;
  if (!existsSync(join(root, 'node_modules', 'vite'))) return;
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
    if (done.status === 0) renameSync(next, dist);
    else console.error("The console could not be built; 'npm run build' says why. The service starts without it.");
  } catch {
    // Somebody else was faster.
  }
  rmSync(next, { recursive: true, force: true });
}
