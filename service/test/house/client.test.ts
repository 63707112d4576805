// Rules for the sources of the client library: no dependencies, and names, heads and sizes of files as in the service.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bare, importsOf, readSources, serviceRoot } from './sources.ts';

const root = join(serviceRoot, '../client');
const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((f) => f.endsWith('.ts'))
    .map((f) => `${folder}/${f.replaceAll('\\', '/')}`)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const sources = filesIn('src');
const written = [...sources, ...filesIn('generate'), ...filesIn('test')].filter((f) => !f.path.includes('/generated/'));

/** Names of the imports of a file, those of files from the client's root. */
const imported = ({ path, text }: (typeof sources)[number]): string[] =>
  [...text.matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm)]
    .map((m) => (m[1] ?? m[2] ?? m[3]) as string)
    .map((name) => (name.startsWith('.') ? relative(root, join(root, dirname(path), name)) : name));

describe('the client library', () => {
  it('imports nothing but itself', () => {
    const outside = sources.flatMap((f) =>
      imported(f)
        .filter((t) => !/^src\/.+\.ts$/.test(t))
        .map((t) => `${f.path}: ${t}`),
    );
    expect(outside).toEqual([]);
    expect(sources.flatMap(imported).length).toBeGreaterThan(20);
  });

  it('touches nothing that only one runtime has', () => {
    const node = /\b(process|Buffer|require|__dirname|window|document|localStorage)\b[.([]/;
    expect(sources.filter((f) => node.test(bare(f.text))).map((f) => f.path)).toEqual([]);
  });

  it('has files that begin with what they own, but those that are generated', () => {
    expect(written.filter((f) => !/^\/\/ \S+ \S/.test(f.text)).map((f) => f.path)).toEqual([]);
  });

  it('is called by the command line alone, in the service', () => {
    const users = readSources().sources.filter((s) =>
      importsOf(s.text, s.path).some((i) => i.target.startsWith('@assay/client')),
    );
    expect(users.map((s) => s.path).filter((path) => !/^(adapters\/cli|\.\.\/demo|\.\.\/tools)\//.test(path))).toEqual(
      [],
    );
  });
});
