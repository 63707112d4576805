// assay fx: loads a file and a folder of files, and lists what is stored.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decoded } from '../../src/adapters/cli/source-files.ts';
import { makeWorld, type World } from './world.ts';

let w: World;
let folder: string;
beforeAll(async () => {
  w = await makeWorld();
  folder = mkdtempSync(join(tmpdir(), 'assay-fx-'));
});
afterAll(async () => {
  await w.stop();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, text: string | Uint8Array) => {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const table = (day: string, rate: string) => `Publisher,Day,Currency,Units,Rate\nBOZ,${day},USD,1,${rate}\n`;

describe('assay fx load', () => {
  it('loads a file as the service would take it, and says what was new', async () => {
    const path = file('hist.csv', 'Date,USD,\n2024-01-03,1.0919,\n2024-01-02,1.0956,\n');
    const r = await w.json('fx', 'load', path);
    expect([r.exitCode, r.stderr]).toEqual([0, '']);
    expect(r.json().files).toMatchObject([{ name: 'hist.csv', publisher: 'ECB', added: 2, corrected: 0 }]);
    expect((await w.json('fx', 'load', path)).json().files).toMatchObject([{ loadIds: [], added: 0, unchanged: 2 }]);
    const corrected = file('corrected.csv', 'Date,USD,\n2024-01-03,1.0920,\n');
    expect((await w.json('fx', 'load', corrected)).json().files).toMatchObject([{ added: 0, corrected: 1 }]);
    const why = await w.plain('fx', 'load', path);
    expect(why.stdout).toMatch(/In force already +Corrected since\n[- ]+\nhist\.csv .* 1 +0 +0 +1 +1\n/);
    expect((await w.json('fx', 'load', file('back.csv', 'Date,USD,\n2024-01-03,1.0919,\n'))).exitCode).toBe(0);
    const plain = await w.plain('fx', 'list', '--publisher', 'ECB', '--from', '2024-01-03');
    expect(plain.stdout).toMatch(/ECB +2024-01-03 +1 EUR = 1\.0919 USD +3 +fxl_/);
  });

  it('loads each file of a folder by name, and says which one was refused', async () => {
    file('many/1.csv', table('2026-09-01', '23.5'));
    file('many/2.csv', table('2026-09-02', 'dear'));
    file('many/3.csv', table('2026-09-03', '23.7'));
    const r = await w.json('fx', 'load', join(folder, 'many'));
    expect(r.exitCode).toBe(1);
    expect(r.stderr).toContain('1 of 3 files were refused');
    expect(r.json().files).toMatchObject([
      { name: '1.csv', added: 1 },
      { name: '2.csv', refused: expect.stringMatching(/^the file 2\.csv was refused.*line 2: the rate 'dear' of USD/) },
      { name: '3.csv', added: 1 },
    ]);
    expect((await w.json('fx', 'list', '--publisher', 'BOZ')).json().items).toHaveLength(2);
  });

  it('refuses a single damaged file, an address that is not https, and one that is not public', async () => {
    const bad = await w.json('fx', 'load', file('bad.csv', table('2026-09-01', '0')));
    expect([bad.exitCode, bad.json().code]).toEqual([3, 'RATES_INVALID']);
    const of = async (source: string) => {
      const r = await w.plain('fx', 'load', source);
      return [r.exitCode, r.stderr];
    };
    expect(await of('http://www.ecb.europa.eu/a.xml')).toEqual([
      2,
      expect.stringContaining('must start with https://'),
    ]);
    expect(await of('https://169.254.169.254/latest')).toEqual([2, expect.stringContaining('is not public')]);
    expect(await of('https://localhost/a.xml')).toEqual([2, expect.stringContaining('is not public')]);
    expect(await of('nowhere.xml')).toEqual([2, expect.stringContaining('nowhere.xml cannot be read')]);
    expect(await of(file('hist.zip', 'PK\u0003\u0004'))).toEqual([2, expect.stringContaining('unpack it first')]);
  });

  it('lists the publishers with the addresses of their files', async () => {
    const r = await w.plain('fx', 'publishers');
    expect(r.stdout).toMatch(/ECB +European Central Bank +EUR +2024-01-03 +https:\/\/www\.ecb\.europa\.eu/);
  });
});

describe('the bytes of a file', () => {
  it('are read in the encoding that the XML declares', () => {
    const start = '<?xml version="1.0" encoding="ISO-8859-2"?><a>';
    const bytes = Buffer.concat([Buffer.from(start, 'latin1'), Buffer.from([0xea]), Buffer.from('</a>')]);
    expect(decoded('a.xml', bytes)).toBe(`${start}ę</a>`);
    expect(decoded('a.csv', Buffer.from('per £1', 'utf8'))).toBe('per £1');
    expect(decoded('a.csv', Buffer.from('per £1', 'latin1'))).toBe('per £1');
    const marked = Buffer.from('\uFEFFRef,Name\n1,José', 'utf16le');
    for (const bytes of [marked, Buffer.from(marked).swap16()])
      expect(decoded('a.csv', bytes)).toBe('\uFEFFRef,Name\n1,José');
    expect(Buffer.from(decoded('a.csv', Buffer.from('\uFEFFRef'))).toString('hex')).toBe('efbbbf526566');
  });
});
