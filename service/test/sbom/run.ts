// `npm run sbom`: writes the CycloneDX bill of materials as an artefact of a release. It has a serial number and a
// time, so it is not committed. Exits with 1 if an entry is missing or not allowed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bom, sbomProblems, shippedOnly } from './bill.ts';

const root = join(import.meta.dirname, '../../..');
const args = ['sbom', '--sbom-format', 'cyclonedx', '--offline'];
const npm = process.env.npm_execpath;
const done = spawnSync(npm ? process.execPath : 'npm', npm ? [npm, ...args] : args, {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (done.status !== 0) throw new Error(`npm sbom failed: ${done.stderr}`);

const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const direct = ['service', 'client', 'console'].flatMap((folder) =>
  Object.keys(read(`${folder}/package.json`).dependencies ?? {}),
);
const bom = shippedOnly(JSON.parse(done.stdout) as Bom, read('package-lock.json').packages);
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`);
const problems = sbomProblems(bom, direct);
for (const p of problems) console.error(`sbom: ${p}`);
console.log(`dist/sbom.cdx.json: ${bom.components.length} packages, ${direct.length} of them direct dependencies`);
if (problems.length > 0) process.exitCode = 1;
