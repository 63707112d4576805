// What a thread loads costs its process memory and a second of processor time each time it is started: the thread that
// validates call detail files must load what lines need alone, and neither the database nor the journal.
import { describe, expect, it } from 'vitest';
import { readSources } from './sources.ts';

const sources = new Map(readSources().sources.map((s) => [s.path, s]));

/** All that is loaded with a file: paths under src, and packages. */
function loadedWith(path: string): Set<string> {
  const loaded = new Set<string>();
  const load = (target: string) => {
    if (loaded.has(target)) return;
    loaded.add(target);
    for (const i of sources.get(target)?.imports ?? []) if (!i.typeOnly) load(i.target);
  };
  load(path);
  return loaded;
}

const rootsOf = (loaded: ReadonlySet<string>) => new Set([...loaded].map((l) => l.split('/').slice(0, 2).join('/')));

describe('the thread that validates call detail files', () => {
  const loaded = loadedWith('modules/telecom/files/validation-thread.ts');

  it('loads its own module and the keys of persons, and of packages the telephone numbers alone', () => {
    const modules = [...rootsOf(loaded)].filter((r) => r.startsWith('modules/'));
    expect(modules.sort()).toEqual(['modules/kernel', 'modules/telecom']);
    expect([...loaded].filter((l) => l.startsWith('modules/kernel/'))).toEqual(['modules/kernel/subjects.ts']);
    const packages = [...loaded].filter((l) => !sources.has(l) && !l.startsWith('node:'));
    expect(packages).toEqual(['libphonenumber-js/max']);
  });

  it('knows no database: the same walk from the intake finds it', () => {
    expect(loaded).not.toContain('platform/database.ts');
    expect(loadedWith('modules/telecom/files/intake.ts')).toContain('platform/database.ts');
  });
});
