// Call detail files made to do harm, or many at once: their valid lines are recorded and nothing else.
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHeader, readRow } from '../../src/core/cdr/csv.ts';
import { columns } from '../../src/core/cdr/record.ts';
import { fromWire } from '../../src/core/ids.ts';
import { type CdrFile, CdrIntake, findAnyFile } from '../../src/modules/telecom/index.ts';
import { Pool } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { cdrHeader, cdrLine, cdrRow, cdrText, dataDirOf, drop, status, tree } from '../support/cdr-files.ts';
import { connectMs } from '../support/database.ts';
import { upTo } from '../support/depth.ts';

let t: TestApp;
let psp: Account;
let client: Account;

beforeAll(async () => {
  t = await makeTestApp({ env: { CDR_FILE_LIMIT: String(2 ** 25) } });
  psp = await t.makePsp();
});
afterAll(() => t.stop());

const intake = () => t.app.services.cdrIntake;

describe('a file', () => {
  it('of more than the limit is refused by its size, unread', async () => {
    client = await t.makeClient(psp);
    const folder = join(dataDirOf(t), 'cdr', 'incoming', client.uuid);
    mkdirSync(folder, { recursive: true });
    const handle = openSync(join(folder, 'huge.part'), 'w');
    ftruncateSync(handle, 2 ** 25 + 1);
    closeSync(handle);
    renameSync(join(folder, 'huge.part'), join(folder, 'huge.csv'));
    await intake().pickUp();
    const told = status(dataDirOf(t), client, 'huge.csv');
    expect([told.state, told.sha256, told.errors[0].code]).toEqual(['REJECTED', null, 'FILE_TOO_LARGE']);
  });

  it('of nothing but short bad lines has each of them accounted for', async () => {
    client = await t.makeClient(psp);
    drop(dataDirOf(t), client, 'short.csv', `${cdrHeader}\n${'x\n'.repeat(12_000)}`);
    await intake().pickUp();
    const told = status(dataDirOf(t), client, 'short.csv');
    expect([told.state, told.counts.rejected, told.errors.length, told.errorsTruncated]).toEqual([
      'REJECTED',
      12_000,
      10_000,
      true,
    ]);
  });

  it('with NUL and other control characters in its fields harms only the lines that have them', async () => {
    client = await t.makeClient(psp);
    drop(
      dataDirOf(t),
      client,
      'control.csv',
      cdrText(cdrRow('a\0b'), cdrRow(2, { network_provider: 'M\u0001TN' }), cdrRow(3)).replace('timestamp', 'time\0'),
    );
    await intake().pickUp();
    const told = status(dataDirOf(t), client, 'control.csv');
    expect([told.state, told.counts.accepted, told.counts.rejected]).toEqual(['PARTIALLY_ACCEPTED', 1, 2]);
    const csv = await t.get(`/v1/telecom/file/${told.fileId}/rejected.csv`, client.apiKey);
    expect(csv.text).toContain('CDR-a\0b');
  });

  it('that is still being written, is no .csv, a link, or of nobody, is left where it is', async () => {
    client = await t.makeClient(psp);
    const stranger = { ...client, uuid: '018f0000-0000-7000-8000-000000000000' };
    drop(dataDirOf(t), stranger, 'whose.csv', cdrText(cdrRow(1)));
    drop(dataDirOf(t), client, 'calls.txt', cdrText(cdrRow(1)));
    const folder = join(dataDirOf(t), 'cdr', 'incoming', client.uuid);
    writeFileSync(join(folder, 'calls.csv.part'), cdrText(cdrRow(1)));
    symlinkSync('/etc/hostname', join(folder, 'link.csv'));
    expect(await intake().take({ account: client.uuid })).toBe(0);
    expect(await intake().take({})).toBe(0);
    expect(tree(dataDirOf(t), `incoming/${stranger.uuid}`)).toHaveLength(1);
  });
});

describe('a file with more rejected lines than may wait', () => {
  it('has each of them counted by code, the first ones in suspense, and the rest in the archived file', async () => {
    client = await t.makeClient(psp);
    drop(dataDirOf(t), client, 'many.csv', `${cdrHeader}\n${'x\n'.repeat(2_700)}${cdrLine(cdrRow(1))}\n`);
    const pool = new Pool(t.database.url, { max: 2, log: makeLog('silent'), role: 'assay_app', connectMs });
    const few = new CdrIntake({ services: t.app.services, pool, dataDir: dataDirOf(t), suspenseLines: 1_200 });
    await few.pickUp();
    await pool.end();
    const told = status(dataDirOf(t), client, 'many.csv');
    expect(told.counts).toEqual({ total: 2_701, accepted: 1, rejected: 2_700, duplicate: 0, warned: 0 });
    expect(told.errorSummary).toEqual([{ code: 'FIELD_COUNT', count: 2_700 }]);
    const { suspense } = (await t.get(`/v1/telecom/file/${told.fileId}`, client.apiKey)).body.content;
    expect(suspense).toEqual({ open: 1_200, corrected: 0, writtenOff: 0, notKept: 1_500 });
    const [r] = await t.database.admin.query(
      'SELECT min(line) AS first, max(line) AS last FROM cdr_suspense WHERE account_id = $1',
      [client.uuid],
    );
    expect(r).toEqual({ first: 2, last: 1_201 });
    const journalled = await t.database.admin.query(
      `SELECT sum((body::json->'data'->>'rejected')::integer) AS n FROM journal
       WHERE account_id = $1 AND kind = 'cdr.file_portion'`,
      [client.uuid],
    );
    expect(journalled[0]?.n).toBe(2_700);
  });
});

describe('files of other kinds at once', () => {
  it('are each told of, and leave the service at work', async () => {
    client = await t.makeClient(psp);
    const bytes = Buffer.alloc(300_000, 0x81);
    const files: Record<string, [content: string | Buffer, state: string, code: string]> = {
      'binary.csv': [bytes, 'REJECTED', 'LINE_TOO_LONG'],
      'binary-lines.csv': [Buffer.from(bytes.map((b, i) => (i % 100 === 0 ? 10 : b))), 'REJECTED', 'HEADER_MISSING'],
      'zip.csv': [Buffer.from('504b0304140000000800ffd8fe00c3280a41', 'hex'), 'REJECTED', 'NOT_UTF8'],
      'one-line.csv': ['x'.repeat(10_000_000), 'REJECTED', 'LINE_TOO_LONG'],
      'long-line.csv': [cdrText(cdrRow(1), 'y'.repeat(10_000_000)), 'PARTIALLY_ACCEPTED', 'LINE_TOO_LONG'],
      'wide.csv': [`${Array(50_000).fill('cdr_id').join()}\n`, 'REJECTED', 'LINE_TOO_LONG'],
      'wide-row.csv': [cdrText(cdrRow(2), `x${','.repeat(50_000)}`), 'PARTIALLY_ACCEPTED', 'FIELD_COUNT'],
    };
    for (const [name, [content]] of Object.entries(files)) drop(dataDirOf(t), client, name, content);
    await intake().pickUp();
    for (const [name, [, state, code]] of Object.entries(files)) {
      const told = status(dataDirOf(t), client, name);
      expect([name, told.state, told.errors[0].code]).toEqual([name, state, code]);
    }
    drop(dataDirOf(t), client, 'sound.csv', cdrText(cdrRow(3)));
    await intake().pickUp();
    expect(status(dataDirOf(t), client, 'sound.csv').state).toBe('ACCEPTED');
  });
});

describe('archived files', () => {
  it('are removed when their days are over, and what is known of them stays', async () => {
    client = await t.makeClient(psp);
    drop(dataDirOf(t), client, 'old.csv', cdrText(cdrRow(1)));
    await intake().pickUp();
    const { fileId } = status(dataDirOf(t), client, 'old.csv');
    const id = fromWire('cdrFile', fileId) as string;
    const kept = () => tree(dataDirOf(t), 'archive').filter((p) => p.includes(id)).length;
    t.advance(400 * 86_400_000);
    await intake().clearArchive();
    expect(kept()).toBe(1);
    t.advance(86_400_000);
    await intake().clearArchive();
    expect(kept()).toBe(0);
    const found = await t.get(`/v1/telecom/file/${fileId}`, client.apiKey);
    expect(found.body.content).toMatchObject({ state: 'ACCEPTED', counts: { accepted: 1 } });
  });
});

describe('files that a version before archived in clear', () => {
  it('are sealed by the daily job, and read as they came', async () => {
    client = await t.makeClient(psp);
    const text = cdrText(cdrRow(1, { imei_caller: '490154203237518' }));
    drop(dataDirOf(t), client, 'before.csv', text);
    await intake().pickUp();
    const { fileId } = status(dataDirOf(t), client, 'before.csv');
    const id = fromWire('cdrFile', fileId) as string;
    const archived = () => tree(dataDirOf(t), 'archive').filter((p) => p.includes(id));
    const [sealed] = archived() as [string];
    rmSync(sealed);
    writeFileSync(join(dirname(sealed), 'before.csv'), text);
    await intake().clearArchive();
    expect(archived()).toEqual([sealed]);
    expect(readFileSync(sealed).includes('2348031234567')).toBe(false);
    const file = (await findAnyFile(t.app.services.db, id)) as CdrFile;
    const bytes = await intake().readArchived(file);
    expect(bytes && Buffer.concat(await Array.fromAsync(bytes)).toString()).toBe(text);
  });
});

const many = upTo(150, 1000);

describe('many files at once', () => {
  it('are all taken, each told of', async () => {
    client = await t.makeClient(psp);
    for (let i = 0; i < many; i++) drop(dataDirOf(t), client, `f-${i}.csv`, cdrText(cdrRow(i)));
    await intake().pickUp();
    expect(tree(dataDirOf(t), `status/${client.uuid}`)).toHaveLength(many);
    const [r] = await t.database.admin.query('SELECT count(*) AS n FROM cdrs WHERE account_id = $1', [client.uuid]);
    expect(r?.n).toBe(many);
  });
});

describe('the reader of lines', () => {
  const field = fc.string({ unit: fc.constantFrom(...'aZ09,"; \'é€😀'), maxLength: 12 });
  const written = (text: string, quoted: boolean) =>
    quoted || /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

  it('agrees with csv-parse on every well-formed file', () => {
    const row = fc.array(fc.tuple(field, fc.boolean()), { minLength: columns.length, maxLength: columns.length });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const lines = [columns.join(), ...rows.map((r) => r.map(([text, quoted]) => written(text, quoted)).join())];
        const header = readHeader(lines[0] as string);
        if (!('columns' in header)) throw new Error('the header must be read');
        const theirs: string[][] = parse(lines.join('\n'), { relax_column_count: false });
        const mine = lines.slice(1).map((l) => readRow(header, l));
        expect(mine).toEqual(
          theirs.slice(1).map((r) => Object.fromEntries(r.map((v, i) => [columns[i], v]).filter(([, v]) => v !== ''))),
        );
      }),
    );
  });
});
