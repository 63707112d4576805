// Builds what is published into dist: plain JavaScript as ES modules and as CommonJS, each with its declarations.
// With --tarball it also packs that, with the published package.json in the place of the one that leads to the sources;
// what follows is for `npm pack`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const here = import.meta.dirname;
const dist = join(here, 'dist');
const manifest = join(here, 'package.json');
const kept = join(here, 'package.json.source');
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

function build() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  rmSync(dist, { recursive: true, force: true });
  const compile = (form, ...options) =>
    execFileSync(
      process.execPath,
      [tsc, '-p', join(here, 'tsconfig.build.json'), '--outDir', join(dist, form), ...options],
      { stdio: ['ignore', 2, 2] },
    );
  compile('esm');
  // The same sources, whose types were checked above.
  const commonjs = ['--module', 'commonjs', '--moduleResolution', 'node10', '--verbatimModuleSyntax', 'false'];
  compile('cjs', ...commonjs, '--noCheck');
  // Node and TypeScript go by the nearest package.json.
  writeFileSync(join(dist, 'cjs', 'package.json'), json({ type: 'commonjs' }));
}

function published() {
  const { name, version, description, license, type, sideEffects } = JSON.parse(readFileSync(manifest, 'utf8'));
  const form = (folder) => ({ types: `./dist/${folder}/index.d.ts`, default: `./dist/${folder}/index.js` });
  return {
    ...{ name, version, description, license, type, sideEffects },
    main: './dist/cjs/index.js',
    types: './dist/cjs/index.d.ts',
    exports: { '.': { import: form('esm'), require: form('cjs') }, './package.json': './package.json' },
    files: ['dist'],
    engines: { node: '>=20.3' },
  };
}

function restore() {
  if (existsSync(kept)) renameSync(kept, manifest);
}

// One that was cut off has left the published package.json behind.
restore();
build();
if (process.argv[2] === '--tarball') {
  const text = json(published());
  renameSync(manifest, kept);
  try {
    writeFileSync(manifest, text);
    // No script of npm's: they do not run where `ignore-scripts` is set, as in this repository.
    execFileSync('npm', ['pack', '--ignore-scripts', ...process.argv.slice(3)], {
      cwd: here,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
  } finally {
    restore();
  }
}
