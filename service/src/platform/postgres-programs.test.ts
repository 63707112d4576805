// The links that npm cannot pack and no install script creates.
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { binaries, makeLinks } from './postgres-programs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-links-'));
  mkdirSync(join(folder, 'native', 'lib', 'deep'), { recursive: true });
  writeFileSync(join(folder, 'native', 'lib', 'a.so.1.2'), 'library');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const list = (links: object) => writeFileSync(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));

describe('the links of the database server', () => {
  it('are made where the package lists them, by relative paths, and again without harm', () => {
    const source = 'native/lib/a.so.1.2';
    list([
      { source, target: 'native/lib/a.so' },
      { source, target: 'native/lib/deep/a.so' },
    ]);
    for (const _ of [1, 2]) makeLinks(folder);
    expect(readlinkSync(join(folder, 'native', 'lib', 'a.so'))).toBe('a.so.1.2');
    expect(readFileSync(join(folder, 'native', 'lib', 'deep', 'a.so'), 'utf8')).toBe('library');
  });

  it('lead nowhere outside the package', () => {
    for (const link of [
      { source: '../../etc/passwd', target: 'native/lib/a.so' },
      { source: 'native/lib/a.so.1.2', target: '../a.so' },
    ]) {
      list([link]);
      expect(() => makeLinks(folder)).toThrow('names a place outside its package');
    }
  });

  it('are all there for the programs that this machine runs', async () => {
    const native = join((await binaries()).postgres, '..', '..');
    const links: { target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
    expect(links.length).toBeGreaterThan(0);
    for (const { target } of links) expect(lstatSync(join(native, '..', target)).isSymbolicLink(), target).toBe(true);
  });
});
