// Imports between modules have no cycles, types included.
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { type Import, importsOf, readSources } from './sources.ts';

const moduleOf = (path: string): string | undefined => /^modules\/([^/]+)\//.exec(path)?.[1];

/** Which modules each module imports, by its name. */
function graphOf(sources: readonly { readonly path: string; readonly imports: readonly Import[] }[]) {
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const from = moduleOf(path);
    if (from === undefined) continue;
    const known = graph.get(from) ?? new Set();
    for (const { target } of imports) {
      const to = moduleOf(target);
      if (to !== undefined && to !== from) known.add(to);
    }
    graph.set(from, known);
  }
  return graph;
}

/** The modules that can be come back to from themselves, with those on the way. */
function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reached = (from: string): Set<string> => {
    const seen = new Set<string>();
    const walk = (m: string) => {
      for (const next of graph.get(m) ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          walk(next);
        }
    };
    walk(from);
    return seen;
  };
  const reach = new Map([...graph.keys()].map((m) => [m, reached(m)]));
  const together = (m: string) => [...(reach.get(m) ?? [])].filter((n) => reach.get(n)?.has(m)).sort();
  return [...new Set([...graph.keys()].map((m) => together(m).join(' > ')).filter((c) => c !== ''))];
}

describe('modules', () => {
  const graph = graphOf(readSources().sources);

  it('make no circle, not by types either', () => {
    expect(graph.size).toBeGreaterThan(15);
    expect(circlesIn(graph)).toEqual([]);
  });

  it('all stand on the kernel, which knows none of them', () => {
    expect([...(graph.get('kernel') ?? [])]).toEqual([]);
  });

  it('that made a circle by types alone would be found', () => {
    const file = (path: string, text: string) => ({ path, imports: importsOf(text, path) });
    const sources = [
      file('modules/a/one.ts', "import type { B } from '../b/index.ts';"),
      file('modules/b/deep/two.ts', "import { type C } from '../../c/index.ts';"),
      file('modules/c/index.ts', "export type { A } from '../a/index.ts';"),
      file('modules/d/index.ts', "import { a } from '../a/index.ts';"),
    ];
    expect(circlesIn(graphOf(sources))).toEqual(['a > b > c']);
  });
});

describe('an operation', () => {
  const kebab = (id: string) =>
    id
      .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .toLowerCase();
  const files = readSources().sources.filter((s) => /^modules\/[^/]+\/operations\//.test(s.path));

  it('is a file of its name on the wire, which exports that name', () => {
    const exported = new Map(
      files.map((f) => [f.path.split('/').at(-1), [...f.text.matchAll(/^export const (\w+) = /gm)].map((m) => m[1])]),
    );
    const astray = operations
      .filter((o) => !exported.get(`${kebab(o.id)}.ts`)?.includes(o.id))
      .map((o) => `${o.id} belongs into ${kebab(o.id)}.ts`);
    expect(astray).toEqual([]);
    expect(kebab('addPSPSecret')).toBe('add-psp-secret');
  });

  it('has its file for itself: what several share stands beside the folder', () => {
    const known = new Set(operations.map((o) => `${kebab(o.id)}.ts`));
    expect(files.map((f) => f.path).filter((path) => !known.has(path.split('/').at(-1) as string))).toEqual([]);
  });
});
