// assay list: loads files and folders of lists, shows what is in force, and searches.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, type World } from './world.ts';

let w: World;
let folder: string;
beforeAll(async () => {
  w = await makeWorld();
  folder = mkdtempSync(join(tmpdir(), 'assay-lists-'));
});
afterAll(async () => {
  await w.stop();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, text: string) => {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const eu = (name: string) =>
  `<export generationDate="2026-11-21T17:00:34+01:00"><sanctionEntity euReferenceNumber="EU.1.1"><subjectType code="person"/><nameAlias wholeName="${name}"/></sanctionEntity></export>`;

describe('assay list', () => {
  it('loads each file of a folder, says which one was refused, and shows what is in force', async () => {
    file('many/1.xml', eu('Ferdinand Imaginary'));
    file('many/2.csv', 'Ref,Type,Name\nA,ROBOT,Adam\n');
    const r = await w.json('list', 'load', join(folder, 'many'));
    expect(r.exitCode).toBe(1);
    expect(r.json().files).toMatchObject([
      { name: '1.xml', list: 'EU', published: '2026-11-21', added: 1 },
      { name: '2.csv', refused: expect.stringMatching(/^the file 2\.csv was refused.*line 2: the type 'ROBOT'/) },
    ]);
    expect((await w.plain('list', 'show')).stdout).toMatch(/EU +SANCTIONS +all PSPs +2026-11-21 +1 +85/);
    expect((await w.plain('list', 'entries', 'EU')).stdout).toMatch(/EU\.1\.1 +PERSON +Ferdinand Imaginary/);
  });

  it('names the list of a table, and searches in any script', async () => {
    const path = file('pep.csv', 'Ref,Type,Name,Born,Countries\nP-1,PERSON,Вячеслав Выдуманный,1970,RU\n');
    const r = await w.json('list', 'load', path, '--list', 'PEP_RU', '--threshold', '80');
    expect(r.json().files).toMatchObject([{ list: 'PEP_RU', purpose: 'PEP', threshold: 80, added: 1 }]);
    const found = await w.plain('list', 'search', 'Vyacheslav Vydumanny', '--born', '1970-05', '--country', 'RU');
    expect(found.stdout).toMatch(/PEP_RU +P-1 +Вячеслав Выдуманный +1970 +RU +name \d+, born 5, country 2/);
    expect((await w.plain('list', 'search', 'Nobody Known')).stderr).toContain('no entry matches');
  });

  it('refuses a single damaged file, and an address that is not https', async () => {
    const bad = await w.json('list', 'load', file('bad.xml', '<export><sanctionEntity>'));
    expect([bad.exitCode, bad.json().code]).toEqual([3, 'LIST_INVALID']);
    expect((await w.plain('list', 'load', 'http://example.com/sdn.xml')).exitCode).toBe(2);
  });
});
