// Rules for the sources: allowed imports, names of files and their heads, and where time, randomness and other outside
// effects may be used.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bare, type Import, importsOf, readSources, type Source, serviceRoot } from './sources.ts';

const { sources, tests } = readSources();
const byPath = new Map(sources.map((s) => [s.path, s]));

interface Room {
  /** As ARCHITECTURE.md calls it. */
  readonly name: string;
  readonly holds: RegExp;
  /** Its cell in the table of ARCHITECTURE.md. */
  readonly mayImport: string;
  /** Files under src. */
  allows(target: string, from: string, typeOnly: boolean): boolean;
  /** Packages and node's own modules. */
  readonly packages: 'any' | 'types only';
}

const inCore = (t: string) => t.startsWith('core/');
const inRecords = (t: string) => t.startsWith('records/');
const inEntries = (t: string) => t.startsWith('entries/');
const inPlatform = (t: string) => t.startsWith('platform/');
const inKernel = (t: string) => t.startsWith('modules/kernel/');
const isIndex = (t: string) => /^modules\/[^/]+\/index\.ts$/.test(t);
const moduleOf = (path: string) => path.split('/')[1];
const settingsTypes = (t: string, typeOnly: boolean) => t === 'settings.ts' && typeOnly;

const rooms: readonly Room[] = [
  { name: 'service/src/core', holds: /^core\//, mayImport: 'core', allows: inCore, packages: 'types only' },
  {
    name: 'service/src/records',
    holds: /^records\//,
    mayImport: 'core, records',
    allows: (t) => inCore(t) || inRecords(t),
    packages: 'types only',
  },
  {
    name: 'service/src/entries',
    holds: /^entries\//,
    mayImport: 'core, records, entries',
    allows: (t) => inCore(t) || inRecords(t) || inEntries(t),
    packages: 'any',
  },
  {
    name: 'service/src/platform',
    holds: /^platform\//,
    mayImport: 'core, records, platform',
    allows: (t) => inCore(t) || inRecords(t) || inPlatform(t),
    packages: 'any',
  },
  {
    name: 'service/src/modules/kernel',
    holds: /^modules\/kernel\//,
    mayImport: 'core, records, entries, platform, kernel',
    allows: (t, _, typeOnly) =>
      inCore(t) || inRecords(t) || inEntries(t) || inPlatform(t) || inKernel(t) || settingsTypes(t, typeOnly),
    packages: 'any',
  },
  {
    name: 'service/src/modules/<noun>',
    holds: /^modules\/(?!kernel\/)/,
    mayImport: "core, records, entries, platform, kernel, itself, other modules' `index.ts`",
    allows: (t, from, typeOnly) =>
      inCore(t) ||
      inRecords(t) ||
      inEntries(t) ||
      inPlatform(t) ||
      inKernel(t) ||
      (t.startsWith('modules/') && moduleOf(t) === moduleOf(from)) ||
      isIndex(t) ||
      settingsTypes(t, typeOnly),
    packages: 'any',
  },
  {
    name: 'service/src/adapters',
    holds: /^adapters\//,
    mayImport: "core, entries, platform, kernel, modules' operations and `index.ts`, settings, adapters",
    allows: (t, from) =>
      inCore(t) ||
      inEntries(t) ||
      inPlatform(t) ||
      inKernel(t) ||
      isIndex(t) ||
      /^modules\/[^/]+\/operations\//.test(t) ||
      t === 'settings.ts' ||
      t.startsWith('adapters/') ||
      // The command line runs the service's own parts; it composes them as main.ts does.
      (t === 'app.ts' && from.startsWith('adapters/cli/')) ||
      (t === '../demo/demo.ts' && from === 'adapters/cli/assay.ts'),
    packages: 'any',
  },
  {
    name: 'service/demo',
    holds: /^\.\.\/demo\//,
    mayImport: "core, platform, modules' `index.ts`, the command line, `app.ts`, demo",
    allows: (t) =>
      inCore(t) ||
      inPlatform(t) ||
      isIndex(t) ||
      t.startsWith('adapters/cli/') ||
      t === 'app.ts' ||
      t.startsWith('../demo/'),
    packages: 'any',
  },
  { name: 'service/tools', holds: /^\.\.\/tools\//, mayImport: 'everything', allows: () => true, packages: 'any' },
];

const told = (list: Iterable<string>) => [...list].sort().join('\n');

describe('rooms', () => {
  it.each(rooms.map((r) => [r.name, r] as const))('%s imports only what it may', (_, room) => {
    const wrong: string[] = [];
    for (const s of sources.filter((f) => room.holds.test(f.path)))
      for (const i of s.imports) {
        const own = byPath.has(i.target) || i.target.endsWith('.ts') || i.target.startsWith('..');
        const allowed = own ? room.allows(i.target, s.path, i.typeOnly) : room.packages === 'any' || i.typeOnly;
        if (!allowed) wrong.push(`${s.path} imports ${i.target}`);
      }
    expect(told(wrong)).toBe('');
  });

  it('are one to the command line: it asks the API, but for what is about this machine', () => {
    // What works on the database and the files of this machine.
    const here = [
      ...['local', 'backup', 'master-key', 'migrate', 'audit', 'archive', 'totals', 'cdr-local', 'tax-live', 'log'],
      // Files that ship or lie here, and receipts: neither service nor database is asked.
      ...['tax', 'tax-changes', 'tax-check', 'tax-explain', 'verify-receipt', 'large-list'],
    ].map((name) => `adapters/cli/${name}.ts`);
    /** A clock, the version's number and the fetching of other people's files are no part of the service. */
    const plain = ['platform/clock.ts', 'platform/version.ts', 'platform/published-file.ts'];
    const service = /^(app\.ts$|modules\/|platform\/|adapters\/http\/(?!door-place\.ts$))/;
    const wrong = sources
      .filter((s) => s.path.startsWith('adapters/cli/') && !here.includes(s.path))
      .flatMap((s) =>
        s.imports
          .filter((i) => service.test(i.target) && !plain.includes(i.target))
          .map((i) => `${s.path} imports ${i.target}`),
      );
    expect(told(wrong)).toBe('');
    expect(here.filter((path) => !byPath.has(path))).toEqual([]);
  });

  it('hold every file but the root ones', () => {
    const homeless = sources.filter((s) => !rooms.some((r) => r.holds.test(s.path))).map((s) => s.path);
    expect(homeless.sort()).toEqual([
      ...['app.ts', 'following.ts', 'ground.ts', 'main.ts', 'serving.ts'],
      ...['setting-rows.ts', 'settings.ts', 'supervisor.ts'],
    ]);
  });

  it('are left by app.ts alone: only main.ts, the command line and its demo come to it', () => {
    const users = sources.filter((s) => s.imports.some((i) => i.target === 'app.ts')).map((s) => s.path);
    expect(users.filter((u) => u !== 'main.ts' && !/^(adapters\/cli|\.\.\/demo)\//.test(u))).toEqual([]);
  });

  it('of the demo and the tools are no part of the service but where the demo is asked for', () => {
    const users = sources
      .filter((s) => !s.path.startsWith('..'))
      .flatMap((s) =>
        s.imports.filter((i) => /^\.\.\/(demo|tools)\//.test(i.target)).map((i) => `${s.path} imports ${i.target}`),
      );
    expect(users).toEqual(['adapters/cli/assay.ts imports ../demo/demo.ts']);
  });

  it('have the table that ARCHITECTURE.md shows', () => {
    const page = readFileSync(join(serviceRoot, '../ARCHITECTURE.md'), 'utf8');
    const rows = new Map(
      [...page.matchAll(/^\| `([^`]+)` \|[^|]*\| ([^|]+) \|$/gm)].map((m) => [m[1] as string, m[2]?.trim()]),
    );
    for (const room of rooms) expect(rows.get(room.name), room.name).toBe(room.mayImport);
  });
});

describe('imports', () => {
  it('end in .ts and name a file that is there', () => {
    const wrong = [...sources, ...tests].flatMap((s) =>
      s.imports
        .filter((i) => i.target.endsWith('.ts') && !i.target.startsWith('..'))
        .filter((i) => ![...sources, ...tests].some((f) => f.path === i.target))
        .map((i) => `${s.path} imports ${i.target}`),
    );
    const bareNames = sources.flatMap((s) =>
      [...s.text.matchAll(/from '(\.[^']*)'/g)].filter((m) => !m[1]?.endsWith('.ts')).map((m) => `${s.path} ${m[1]}`),
    );
    expect(told([...wrong, ...bareNames])).toBe('');
  });

  it('make no circle when the files are evaluated', () => {
    const circles: string[] = [];
    const done = new Set<string>();
    const walk = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        circles.push([...trail.slice(trail.indexOf(path)), path].join(' > '));
        return;
      }
      if (done.has(path)) return;
      for (const i of byPath.get(path)?.imports ?? [])
        if (!i.typeOnly && byPath.has(i.target)) walk(i.target, [...trail, path]);
      done.add(path);
    };
    for (const s of sources) walk(s.path, []);
    expect(told(circles)).toBe('');
  });

  it('of packages are declared in package.json', () => {
    const { dependencies } = JSON.parse(readFileSync(join(serviceRoot, 'package.json'), 'utf8'));
    const used = new Set(
      sources
        .flatMap((s) => s.imports.map((i) => i.target))
        .filter((t) => !t.endsWith('.ts') && !t.startsWith('node:')),
    );
    const packageOf = (name: string) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/');
    expect([...used].map(packageOf).filter((p) => !Object.hasOwn(dependencies, p))).toEqual([]);
  });

  it('are understood by this test in every form there is', () => {
    const text = [
      "import type { A } from './a.ts';",
      "import { type B, b } from './b.ts';",
      "import {\n  c,\n  type D,\n} from '../c.ts';",
      "import E, { f } from 'node:fs';",
      "import * as g from 'pkg/sub';",
      "import './side.ts';",
      "export * from './all.ts';",
      "export type { H } from './h.ts';",
      "export { i } from './i.ts';",
      "const j = await import('./j.ts');",
      "function k(x: import('node:net').Socket) {}",
    ].join('\n');
    const seen: Import[] = importsOf(text, 'modules/x/y.ts');
    expect(seen.map((i) => `${i.target}${i.typeOnly ? ' (type)' : ''}`)).toEqual([
      'modules/x/a.ts (type)',
      'modules/x/b.ts',
      'modules/c.ts',
      'node:fs',
      'pkg/sub',
      'modules/x/side.ts',
      'modules/x/all.ts',
      'modules/x/h.ts (type)',
      'modules/x/i.ts',
      'modules/x/j.ts',
      'node:net (type)',
    ]);
  });
});

describe('files', () => {
  it('have names in kebab-case that say what they own', () => {
    const vague = /(^|-)(utils?|helpers?|common|shared|managers?|base|misc|stuff)(-|$)/;
    const wrong = [...sources, ...tests].flatMap((s) =>
      s.path
        .replace(/(\.test)?\.ts$/, '')
        .split('/')
        .filter((part) => part !== '..')
        .filter((part) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part) || vague.test(part))
        .map((part) => `${s.path}: ${part}`),
    );
    expect(told(wrong)).toBe('');
  });

  it('begin with a comment that says what they are for, or declare an operation, whose summary says it', () => {
    const wrong = sources
      .filter((s) => !/^\/\/ \S+ \S/.test(s.text) && !/^ {2}summary:/m.test(s.text))
      .map((s) => s.path);
    expect(told(wrong)).toBe('');
  });
});

describe('the world', () => {
  const users = (pattern: RegExp, allowed: readonly string[]): string =>
    told(sources.filter((s: Source) => !allowed.includes(s.path) && pattern.test(bare(s.text))).map((s) => s.path));

  it('has its environment read by the settings alone', () => {
    // The two entry points hand it to readSettings; the embedded server's programs are given PATH.
    const allowed = ['settings.ts', 'main.ts', 'adapters/cli/main.ts', 'platform/embedded-postgres.ts'];
    expect(users(/process\.env/, allowed)).toBe('');
  });

  it('has its time told by the clock alone', () => {
    expect(users(/\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/, ['platform/clock.ts', 'ground.ts'])).toBe('');
  });

  it('is waited for at intervals in one way, which never runs twice at once', () => {
    expect(users(/\bsetInterval\b/, ['platform/every.ts'])).toBe('');
  });

  it('has its randomness come from one place', () => {
    expect(
      users(/\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\brandomInt\b|\brandomFill/, ['platform/random.ts']),
    ).toBe('');
  });

  it('is not printed to but by the entry point and the command line', () => {
    expect(users(/\bconsole\.\w/, [])).toBe('');
  });

  it('is left by the entry points alone, which hand streams, arguments and folder to what needs them', () => {
    expect(users(/process\.exit\(/, ['main.ts', 'adapters/cli/main.ts'])).toBe('');
    const entries = ['main.ts', 'adapters/cli/main.ts', '../tools/reference/generate.ts'];
    // What makes one service of several processes is about processes.
    const several = ['supervisor.ts', 'platform/worker.ts'];
    const own = /\bprocess\.(stdin|stdout|stderr|argv|cwd|on|once|exitCode)\b/;
    expect(users(own, [...entries, ...several])).toBe('');
  });
});

describe('memory', () => {
  // V8 takes such a function for a method and puts it into the old heap, with all that it refers to (0068).
  const assigned = /[\w\])](\.#?\w+|\[[^\]]*\]) (\?\?)?= (async )?(function\b|(\([^()]*\)|\w+)(: [^=]+)? =>)/;

  it('is not held by functions assigned to a property where they are written', () => {
    expect(told(sources.filter((s) => assigned.test(bare(s.text))).map((s) => s.path))).toBe('');
  });

  it.each([
    'query.callback = (err, res) => {',
    'this.#done = async () => undefined;',
    'a[key] ??= x => x;',
    'b().c = function () {}',
  ])('would be held by %s', (text) => expect(text).toMatch(assigned));

  it.each(['const done = () => {', 'this.#done = done;', '({ a: () => 1 })', 'a.b = c.map((d) => d)', 'a.b >= c'])(
    'is not by %s',
    (text) => expect(text).not.toMatch(assigned),
  );
});

describe('a call', () => {
  // The bundler takes these for functions without effect, and leaves out a call whose result nobody reads.
  const unread =
    /^\s*(?:void )?(?:(?:de|en)codeURI(?:Component)?|String|Number|Boolean|Symbol|parseInt|parseFloat)\(.*\);/m;

  it('of a function of the language is not made for what it throws alone', () => {
    expect(told(sources.filter((s) => unread.test(bare(s.text))).map((s) => s.path))).toBe('');
  });

  it.each(['  decodeURIComponent(text);', 'String(a);'])('would be: %s', (text) => expect(text).toMatch(unread));

  it.each(['const a = String(b);', '  return decodeURI(a);'])('is not: %s', (text) => expect(text).not.toMatch(unread));
});

describe('what is left for later', () => {
  const marks = /\b(TODO|FIXME|HACK)\b/;

  it('is not in the sources', () => {
    expect(told([...sources, ...tests].filter((s) => marks.test(s.text)).map((s) => s.path))).toBe('');
  });

  it('is no test that is skipped, focused or retried', () => {
    const marked = /\b(it|test|describe)\.(skip|only|todo|fails|skipIf|runIf)\b|\bretry:/;
    const files = ['src', 'test'].flatMap((dir) =>
      readdirSync(join(serviceRoot, dir), { recursive: true, encoding: 'utf8' })
        .filter((f) => f.endsWith('.test.ts'))
        .map((f) => join(dir, f)),
    );
    const wrong = files.filter((f) => marked.test(bare(readFileSync(join(serviceRoot, f), 'utf8'))));
    expect(told(wrong)).toBe('');
    expect(files.length).toBeGreaterThan(20);
  });
});
