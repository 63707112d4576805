// The cache of compiled code is executed at the next start, so only the service's own user may write to it.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clean } from './run.ts';

const service = join(import.meta.dirname, '..', '..');
const bin = (file: string) => join(service, 'bin', file);
/** A source that every command reads. */
const victim = pathToFileURL(join(service, 'src', 'adapters', 'cli', 'output.ts')).href;
const run = promisify(execFile);

/** Puts `code` before the first line of a source that Node kept with its types taken out, and makes its sum right. */
function poison(file: string, code: string): boolean {
  const kept = readFileSync(file);
  const header = 5 * 4;
  const text = kept.subarray(header).toString('utf8');
  if (!text.includes('export function makeOutput')) return false;
  const cached = Buffer.from(`${code};${text}`);
  const head = Buffer.from(kept.subarray(0, header));
  head.writeUInt32LE(cached.length, 2 * 4);
  head.writeUInt32LE(crc32(cached), 4 * 4);
  writeFileSync(file, Buffer.concat([head, cached]));
  return true;
}

describe('compiled code that another user of the machine has placed', () => {
  let dir: string;
  let temporary: string;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'assay-cache-'));
    temporary = join(dir, 'tmp');
    mkdirSync(temporary);
    const placed = join(temporary, 'node-compile-cache');
    mkdirSync(placed);
    const warm = `require('node:module').enableCompileCache(); import(${JSON.stringify(victim)})`;
    await run(process.execPath, ['-e', warm], { env: { ...clean({}), TMPDIR: temporary } });
    const files = readdirSync(placed, { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
    const poisoned = files.filter((e) => poison(join(e.parentPath, e.name), "console.error('PLACED CODE RAN')"));
    expect(poisoned).toHaveLength(1);
    if (process.getuid?.() !== 0) return;
    for (const e of readdirSync(placed, { recursive: true, withFileTypes: true }))
      chownSync(join(e.parentPath, e.name), 65_534, 65_534);
    chownSync(placed, 65_534, 65_534);
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('would be run by Node itself: the attack is a real one', async () => {
    const bare = `require('node:module').enableCompileCache(); import(${JSON.stringify(victim)})`;
    const { stderr } = await run(process.execPath, ['-e', bare], { env: { ...clean({}), TMPDIR: temporary } });
    expect(stderr).toContain('PLACED CODE RAN');
  });

  it('is not run by the service and its command line', async () => {
    const { stdout, stderr } = await run(process.execPath, [bin('assay.js'), '--help'], {
      env: { ...clean({}), TMPDIR: temporary },
    });
    expect(stdout).toContain('Usage: assay');
    expect(stderr).not.toContain('PLACED CODE RAN');
  });

  it('is not run where the sources are read, since no bundle of them is there', async () => {
    const started = `import('${pathToFileURL(bin('compile-cache.js')).href}').then((m) => {
      m.enableCompileCache();
      return import('${pathToFileURL(join(service, 'src/adapters/cli/main.ts')).href}');
    })`;
    const { stdout, stderr } = await run(process.execPath, ['-e', started, 'assay', '--help'], {
      env: { ...clean({}), TMPDIR: temporary },
    });
    expect(stdout).toContain('Usage: assay');
    expect(stderr).not.toContain('PLACED CODE RAN');
  });
});

describe('the folder for compiled code', () => {
  const enabledIn = async (folder: string): Promise<string> => {
    const ask = `import('${pathToFileURL(bin('compile-cache.js')).href}').then((m) => {
      m.enableCompileCache(process.argv[1]);
      process.stdout.write(String(require('node:module').getCompileCacheDir()));
    })`;
    return (await run(process.execPath, ['-e', ask, folder], { env: clean({}) })).stdout;
  };

  it('is made for its owner alone, and used', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-cache-own-'));
    expect(await enabledIn(join(dir, 'kept'))).toContain(join(dir, 'kept'));
    rmSync(dir, { recursive: true });
  });

  const loose: readonly (readonly [string, (folder: string) => void])[] = [
    ['may be written by its group', (folder) => chmodSync(folder, 0o770)],
    ['may be written by everybody', (folder) => chmodSync(folder, 0o707)],
    ['belongs to another user', (folder) => chownSync(folder, 65_534, 65_534)],
  ];
  // Only root may give a folder away.
  it.each(process.getuid?.() === 0 ? loose : loose.slice(0, 2))('is not used where it %s', async (_how, change) => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-cache-loose-'));
    const folder = join(dir, 'kept');
    mkdirSync(folder, { mode: 0o700 });
    change(folder);
    expect(await enabledIn(folder)).toBe('undefined');
    rmSync(dir, { recursive: true });
  });
});
