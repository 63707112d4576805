// docs/reference/dependencies.md is written by hand; this says which direct dependency has no line in it, and
// which line has no dependency.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly name?: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export const dependenciesFile = 'docs/reference/dependencies.md';

/** Names of all direct dependencies, of the root and of every workspace but the workspaces themselves. */
export function directDependencies(root: string): string[] {
  const names = new Set<string>();
  const manifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  const workspaces = manifest('.').workspaces ?? [];
  for (const m of ['.', ...workspaces].map(manifest)) {
    for (const part of [m.dependencies, m.devDependencies, m.optionalDependencies])
      for (const name of Object.keys(part ?? {})) names.add(name);
  }
  for (const w of workspaces) names.delete(manifest(w).name ?? '');
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
