// docs/reference/dependencies.md is written by hand; this says which direct dependency has no line in it, and
// which line has no dependency.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export const dependenciesFile = 'docs/reference/dependencies.md';
const manifests = ['package.json', 'service/package.json'];

/** Names of all direct dependencies. */
export function directDependencies(root: string): string[] {
  const names = new Set<string>();
  for (const file of manifests) {
    const m = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
    for (const part of [m.dependencies, m.devDependencies, m.optionalDependencies])
      for (const name of Object.keys(part ?? {})) names.add(name);
  }
  return [...names].sort();
}

/** What is wrong with the page, each a sentence. */
export function dependencyProblems(names: readonly string[], text: string): string[] {
  const lines = [...text.matchAll(/^\| `([^`]+)` \|([^|]*)\|([^|]*)\|/gm)];
  const problems: string[] = [];
  for (const name of names) {
    const line = lines.find((l) => l[1] === name);
    if (!line) problems.push(`${dependenciesFile}: no line for ${name}`);
    else if (!line[2]?.trim() || !line[3]?.trim())
      problems.push(`${dependenciesFile}: ${name} needs its reason and licence`);
  }
  for (const l of lines)
    if (!names.includes(l[1] as string)) problems.push(`${dependenciesFile}: ${l[1]} is no longer a dependency`);
  return problems;
}
