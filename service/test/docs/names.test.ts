// Names in the hand-written pages exist: files and folders by path, functions, types and settings by name.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages } from './pages.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** Where a path on a page may begin, so that `modules/totals` need not be written out. */
const bases = [
  '',
  'service/',
  'service/src/',
  'service/src/modules/',
  'service/test/',
  'console/',
  'console/src/',
  'client/',
  'docs/',
];

/** `<name>`, `NN` and `*` stand for any text of a path's part, `{a,b}` for either. */
function pattern(path: string): RegExp {
  const parts = path
    .replace(/\/$/, '')
    .split(/(<[^>]+>|\{[^}]+\}|\*|NNNN)/)
    .map((part) => {
      if (/^(<|\*|NNNN)/.test(part)) return '[^/]+';
      if (part.startsWith('{')) return `(?:${part.slice(1, -1).split(',').join('|')})`;
      return part.replaceAll(/[.+?^$()|[\]\\]/g, '\\$&');
    });
  // A bare file name may be in any folder.
  const begin = path.includes('/') ? `(?:${bases.join('|')})` : '(?:.*/)?';
  return new RegExp(`^${begin}${parts.join('')}(?:/|$)`);
}

const codeOf = (page: string) =>
  [...page.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map((m) => m[1] as string);

/** Paths into the repository: a file with an ending that is used here, or a folder of a room. */
const isPath = (code: string) =>
  /^[\w.<>{},*-]+(\/[\w.<>{},*-]+)*\/?$/.test(code) &&
  (/\.(ts|tsx|sql|mjs|yaml)$/.test(code) ||
    /^(service|console|client|docs|bench|deploy|examples|core|platform|modules|adapters|records|entries)\//.test(code));

/** Names of the code: functions in camel case. */
const isName = (code: string) => /^[a-z]+[A-Z]\w+$/.test(code);

const words = new Set(
  tracked
    .filter((f) => /\.(ts|tsx|json|sql|js)$/.test(f) && existsSync(join(root, f)) && !f.includes('package-lock'))
    .flatMap((f) => read(f).match(/\w+/g) ?? []),
);
const isThere = (name: string) => words.has(name);

describe('what a page names', () => {
  it.each(['ARCHITECTURE.md', ...pages])('is there: %s', (page) => {
    const code = codeOf(read(page));
    const paths = code.filter(isPath).filter((path) => !tracked.some((file) => pattern(path).test(file)));
    const names = code.filter(isName).filter((name) => !isThere(name));
    expect(
      [...new Set([...paths, ...names])],
      'the page names what is not in the repository; a new file counts once git knows it (git add)',
    ).toEqual([]);
  });

  it('is missed when it is not', () => {
    expect(
      ['modules/gone.ts', 'core/totals/'].filter(isPath).map((p) => tracked.some((f) => pattern(p).test(f))),
    ).toEqual([false, true]);
    expect(isThere(['no', 'SuchName'].join(''))).toBe(false);
  });
});

describe('the list of decisions', () => {
  it('has each record once, in order, with a link to it', () => {
    const records = tracked.flatMap((path) => /^docs\/decisions\/(\d{4}-.+\.md)$/.exec(path)?.[1] ?? []).sort();
    const rows = [...read('docs/decisions/README.md').matchAll(/^\| (\d{4}) \| \[[^\]]+\]\(([^)]+)\)/gm)];
    expect(rows.map(([, , file]) => file)).toEqual(records);
    expect(rows.filter(([, number, file]) => file?.slice(0, 4) !== number)).toEqual([]);
  });
});
