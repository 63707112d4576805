// Installed packages are those that were reviewed: exact versions from the registry, and no package runs a script when
// it is installed.
import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

  it('that have a script for their installation are known by name', () => {
    const scripted = [...new Set(locked.filter(([, p]) => p.hasInstallScript).map(([path]) => nameOf(path)))].sort();
    const said = read('package.json').allowScripts as Record<string, boolean>;
    const unsaid = scripted.filter((name) => !(name in said));
    expect(unsaid).toEqual([]);
    // A second lock, for an npm that reads it: what the first forbids to all, it allows to none.
    expect(Object.keys(said).filter((name) => said[name])).toEqual([]);
  });

  it('run no script at their installation, listed or not', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-scripts-'));
    const write = (path: string, content: object) => writeFileSync(join(dir, path), JSON.stringify(content));
    mkdirSync(join(dir, 'unlisted'));
    write('unlisted/package.json', {
      name: 'unlisted',
      version: '1.0.0',
      scripts: Object.fromEntries(
        ['preinstall', 'install', 'postinstall', 'prepare'].map((s) => [s, `touch "$PROOF/${s}"`]),
      ),
    });
    write('package.json', { name: 'world', private: true, dependencies: { unlisted: 'file:unlisted' } });
    const proofs = async (how: string): Promise<string[]> => {
      const proof = join(dir, how);
      mkdirSync(proof);
      rmSync(join(dir, 'node_modules'), { recursive: true, force: true });
      await promisify(execFile)('npm', ['install', '--offline', '--no-audit', '--no-fund', '--install-links'], {
        cwd: dir,
        shell: process.platform === 'win32',
        env: { PATH: process.env.PATH, HOME: dir, PROOF: proof, npm_config_cache: join(dir, 'cache') },
      });
      return readdirSync(proof);
    };
    // Without our file they run: what is tried is real.
    expect(await proofs('bare')).toContain('postinstall');
    copyFileSync(join(root, '.npmrc'), join(dir, '.npmrc'));
    expect(await proofs('ours')).toEqual([]);
    expect(existsSync(join(dir, 'node_modules', 'unlisted', 'package.json'))).toBe(true);
    rmSync(dir, { recursive: true });
  });
});
