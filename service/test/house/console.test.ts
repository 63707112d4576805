// Rules for the sources of the console and the client library: allowed imports, names of files and their heads.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bare, importsOf } from './sources.ts';

const root = join(import.meta.dirname, '../../..');

const read = (room: string) =>
  readdirSync(join(root, room, 'src'), { recursive: true, encoding: 'utf8' })
    .map((f) => f.replaceAll('\\', '/'))
    .filter((f) => /\.(tsx?|css)$/.test(f))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, room, 'src', path), 'utf8') }));

const told = (list: readonly string[]) => [...list].sort().join('\n');
const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

const files = read('console');
const code = files.filter((f) => /\.tsx?$/.test(f.path));

describe('the console', () => {
  it('imports its own files and the packages it declares, and of this repository the client alone', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'console/package.json'), 'utf8'));
    const wrong = code.flatMap((f) =>
      importsOf(f.text, f.path)
        .filter(({ target }) => {
          // Words of the service, which the console shows too.
          if (/^(?:(?:words|\.\.\/data\/words)\/fr[a-z-]*|generated\/(?:tax-names|may))\.json$/.test(target))
            return false;
          if (files.some((other) => other.path === target)) return false;
          return target.startsWith('..') || !Object.hasOwn(dependencies, packageOf(target));
        })
        .map(({ target }) => `${f.path} imports ${target}`),
    );
    expect(told(wrong)).toBe('');
    expect(code.length).toBeGreaterThan(30);
  });

  it('has every page in the table of pages, and every entry of the navigation leads to one', () => {
    const table = readFileSync(join(root, 'console/src/routes.tsx'), 'utf8');
    const paths = [...table.matchAll(/path: '([^']+)'/g)].map((m) => m[1] as string);
    const navigation = readFileSync(join(root, 'console/src/layout/navigation.ts'), 'utf8');
    const entries = [...navigation.matchAll(/to: '([^']+)'/g)].map((m) => m[1] as string);
    expect(entries.filter((e) => !paths.includes(e))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('has files in kebab-case that begin with what they are for', () => {
    const vague = /(^|-)(utils?|helpers?|common|shared|managers?|base|misc|stuff)(-|$)/;
    const wrong = files.flatMap((f) => {
      const parts = f.path.replace(/(\.module)?\.(tsx?|css)$/, '').split('/');
      return [
        ...parts.filter((p) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(p) || vague.test(p)).map((p) => `${f.path}: ${p}`),
        ...(/^\/[/*] \S+ \S/.test(f.text) ? [] : [`${f.path} does not say what it is for`]),
      ];
    });
    expect(told(wrong)).toBe('');
  });

  it('asks for the time in one place, and touches neither the environment nor the log', () => {
    const clock = code.filter((f) => f.path !== 'data/now.ts' && /\bDate\.now\b|\bnew Date\(\s*\)/.test(bare(f.text)));
    const world = code.filter((f) =>
      /\bconsole\.\w|process\.env|Math\.random|dangerouslySetInnerHTML/.test(bare(f.text)),
    );
    expect(told([...clock, ...world].map((f) => f.path))).toBe('');
  });

  it('leaves nothing for later', () => {
    expect(told(files.filter((f) => /\b(TODO|FIXME|HACK|XXX)\b/.test(f.text)).map((f) => f.path))).toBe('');
  });
});
