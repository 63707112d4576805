// Builds what is published: plain JavaScript and declarations in dist, with a package.json that leads to them.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const here = import.meta.dirname;
const out = process.argv[2] ?? join(here, 'dist');
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(out, { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.build.json'), '--outDir', out], { stdio: 'inherit' });

const { name, version, description, license, type } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const published = {
  ...{ name, version, description, license, type },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  sideEffects: false,
  engines: { node: '>=20.3' },
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
copyFileSync(join(here, 'README.md'), join(out, 'README.md'));
