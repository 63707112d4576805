// Plain JavaScript that any Node understands: finds a Node that can run the service, then runs it there. Signals reach
// the service however it was started.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleFolder, bundleOf } from './bundled.js';
import { enableCompileCache } from './compile-cache.js';

const here = dirname(fileURLToPath(import.meta.url));

/** The Node that `npm ci` brought along: by its package where there is no link to it, as npm 10 leaves it. */
function ownNode() {
  const packages = join(here, '..', '..', 'node_modules');
  const name = process.platform === 'win32' ? 'node.cmd' : 'node';
  const kind = `${process.platform}-${process.arch}`;
  const places = [['.bin', name], ...[`node-${kind}`, `node-bin-${kind}`].map((p) => [p, 'bin', 'node'])];
  return places.map((place) => join(packages, ...place)).find((path) => existsSync(path));
}

/**
 * @param {string} file module, from service/src
 * @param {() => void} [before] runs in the process that runs the module, before it
 */
export async function launch(file, before) {
  stopWithParent();
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) {
    // Half the time of a start is reading the sources; compiled code is kept for the next one.
    enableCompileCache();
    before?.();
    const bundle = bundleOf(file, bundleFolder, process.env);
    await import(pathToFileURL(bundle ?? join(here, '..', 'src', file)).href);
    return;
  }
  const own = ownNode();
  if (!own || process.env.ASSAY_RELAUNCHED) {
    console.error(
      `Assay needs Node.js 22.18 or later; this is ${process.versions.node}, and 'npm ci' found no newer one for ${process.platform}-${process.arch}. Install Node.js 24.`,
    );
    process.exit(1);
  }
  const child = spawn(own, [process.argv[1], ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, ASSAY_RELAUNCHED: '1' },
  });
  // A terminal's signals reach both processes; those of `kill`, systemd and npm reach this one alone.
  const signals = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']);
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once('error', (e) => {
    console.error(`Assay could not start ${own}: ${e.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    for (const s of signals) process.removeAllListeners(s);
    process.kill(process.pid, signal);
  });
}

/**
 * Ends this process by SIGTERM when the one that started it is gone. npm passes a signal to its shell, which dies of it
 * and tells nobody; a launcher that was killed could not pass one on.
 */
function stopWithParent() {
  const running = ['start', 'demo', 'example'].includes(process.env.npm_lifecycle_event ?? '');
  if (!running && !process.env.ASSAY_RELAUNCHED) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 250);
  timer.unref();
}
