// Plain JavaScript that any Node understands: builds the console after `npm ci`, where its tools were installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
if (existsSync(join(root, 'node_modules', 'vite'))) {
  // A shell, since npm is a script of its own on Windows.
  const done = spawnSync('npm run build', { cwd: root, stdio: 'inherit', shell: true });
  process.exit(done.status ?? 1);
}
console.log("The console is not built: its tools were left out. 'npm ci' without --omit builds it.");
