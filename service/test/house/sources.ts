// The source files of the service, its demo and its tools, with text and imports, for the tests of the sources' rules.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const serviceRoot = join(import.meta.dirname, '../..');
const sourceRoot = join(serviceRoot, 'src');

export interface Import {
  /** Path under src, or the package's name. */
  readonly target: string;
  /** Gone at run time: `import type`. A mere `{ type A }` still loads the file. */
  readonly typeOnly: boolean;
}

export interface Source {
  /** Path from src, with forward slashes; of the demo and the tools it begins with `../`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const statements = /^(?:import|export)\s+(type\s)?(?:[\w*{}\s,$]+?\sfrom\s+)?'([^']+)'/gm;
const dynamic = /(await\s+)?import\('([^']+)'\)/g;

/** Everything a text imports; `path` is where it stands. */
export function importsOf(text: string, path: string): Import[] {
  const resolved = (name: string) =>
    name.startsWith('.') ? relative(sourceRoot, join(sourceRoot, dirname(path), name)).replaceAll('\\', '/') : name;
  return [
    ...[...text.matchAll(statements)].map((m) => ({ target: resolved(m[2] as string), typeOnly: m[1] !== undefined })),
    ...[...text.matchAll(dynamic)].map((m) => ({ target: resolved(m[2] as string), typeOnly: m[1] === undefined })),
  ];
}

/** All TypeScript files under src, demo and tools, tests apart. */
export function readSources(): { sources: Source[]; tests: Source[] } {
  const all = ['', '../demo/', '../tools/']
    .flatMap((folder) =>
      readdirSync(join(sourceRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((f) => f.endsWith('.ts') && !f.endsWith('.d.ts'))
        .map((f) => folder + f.replaceAll('\\', '/')),
    )
    .sort()
    .map((path) => {
      const text = readFileSync(join(sourceRoot, path), 'utf8');
      return { path, text, imports: importsOf(text, path) };
    });
  const isTest = (s: Source) => s.path.endsWith('.test.ts') || /(^|\/)sample-/.test(s.path);
  return { sources: all.filter((s) => !isTest(s)), tests: all.filter(isTest) };
}

/** Text without comments and without what stands in quotes. */
export function bare(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'"`])\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
}
