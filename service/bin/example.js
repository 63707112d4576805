#!/usr/bin/env node
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './launch.js';

const names = readdirSync(join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'examples'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3));
const name = process.argv[2] ?? '';
if (!names.includes(name)) {
  console.error(`Say which example to run, as in: npm run example -- ${names[0]}\nThere are: ${names.join(', ')}`);
  process.exit(2);
}
// The example finds its own arguments where it would find them if it were run by itself.
await launch(`../../examples/${name}.ts`, () => process.argv.splice(2, 1));
