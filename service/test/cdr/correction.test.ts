// Rejected lines of a call detail file: shown, corrected, written off; and what the API shows of files.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { cdrHeader, cdrLine, cdrRow, cdrText, dataDirOf, drop, status } from '../support/cdr-files.ts';

let t: TestApp;
let psp: Account;
let client: Account;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
afterAll(() => t.stop());

async function takeIn(name: string, content: string | Buffer, of?: Account) {
  client = of ?? (await t.makeClient(psp));
  drop(dataDirOf(t), client, name, content);
  await t.app.services.cdrIntake.pickUp();
  return status(dataDirOf(t), client, name);
}
const file = async (fileId: string, path = '', key = client.apiKey) => t.get(`/v1/telecom/file/${fileId}${path}`, key);

const oneBad = cdrText(cdrRow(1), cdrRow(2, { caller_number: '12345678901234567' }), cdrRow(3));

describe('a rejected line', () => {
  it('comes back as CSV that is accepted once it is corrected, and is then CORRECTED', async () => {
    const { fileId } = await takeIn('bad.csv', oneBad);
    const csv = await file(fileId, '/rejected.csv');
    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(csv.text).toBe(`${cdrHeader}\r\n${cdrLine(cdrRow(2, { caller_number: '12345678901234567' }))}\r\n`);
    const told = await takeIn('good.csv', csv.text.replace('12345678901234567', '+2348030000009'), client);
    expect([told.state, told.counts.accepted]).toEqual(['ACCEPTED', 1]);
    expect((await file(fileId)).body.content.suspense).toMatchObject({ open: 0, corrected: 1, writtenOff: 0 });
    expect((await file(fileId, '/rejected.csv')).text).toBe(`${cdrHeader}\r\n`);
  });

  it('is shown with all its letters if it was no UTF-8, and sent back as it is, is corrected', async () => {
    const latin = (row: string) => Buffer.from(cdrText(row).slice(cdrHeader.length + 1), 'latin1');
    const line = cdrLine(cdrRow(2, { network_provider: 'Réseau Orange' }));
    const { fileId, errors } = await takeIn('latin.csv', Buffer.concat([Buffer.from(cdrText(cdrRow(1))), latin(line)]));
    expect(errors).toMatchObject([{ line: 3, cdr_id: 'CDR-2', code: 'NOT_UTF8' }]);
    const csv = (await file(fileId, '/rejected.csv')).text;
    expect(csv).toBe(`${cdrHeader}\r\n${line}\r\n`);
    expect((await takeIn('utf8.csv', csv, client)).state).toBe('ACCEPTED');
    expect((await file(fileId)).body.content.suspense).toMatchObject({ open: 0, corrected: 1 });
  });

  it.each([
    ['has a decimal comma', cdrLine(cdrRow(2)).replace('24.50', '24,50'), 1],
    ['has a quote inside', cdrLine(cdrRow(2, { network_provider: 'MTN "Nigeria' })).replaceAll('""', '"'), 1],
    ['has fields missing, so that the first may be another one', cdrLine(cdrRow(2)).replace('COMPLETED,', ''), 0],
    ['is two lines with CR between', `${cdrLine(cdrRow(2))}\r${cdrLine(cdrRow(3))}`, 0],
  ])('whose fields are not those of the header: one that %s', async (_, line, corrected) => {
    const { fileId } = await takeIn('bad.csv', cdrText(cdrRow(1), line));
    expect((await takeIn('good.csv', cdrText(cdrRow(2)), client)).state).toBe('ACCEPTED');
    expect((await file(fileId)).body.content.suspense).toMatchObject({ open: 1 - corrected, corrected });
  });

  it('is corrected by a later line of the same file, never by an earlier one', async () => {
    const { fileId } = await takeIn(
      'both.csv',
      cdrText(cdrRow(1, { caller_number: '' }), cdrRow(1), cdrRow(1, { caller_number: '' })),
    );
    expect((await file(fileId)).body.content.suspense).toMatchObject({ open: 1, corrected: 1, writtenOff: 0 });
  });

  it('is corrected by a record with its id that comes by REST, also when that is repeated', async () => {
    const { fileId } = await takeIn('bad.csv', oneBad);
    const record = (n: number) => {
      const { billing_information_call_cost: cost, billing_information_currency: currency, ...row } = cdrRow(n);
      const billing_information = { call_cost: Number(cost), currency };
      const body = { ...row, call_duration_seconds: 120, billing_information };
      return t.post('/v1/telecom/recordCDR', body, client.apiKey);
    };
    expect((await record(2)).body.content.status).toBe('RECORDED');
    expect((await file(fileId)).body.content.suspense).toMatchObject({ open: 0, corrected: 1 });
    // What was kept out before its record was known: a process may have ended between the record and this line.
    await t.database.admin.query("UPDATE cdr_suspense SET state = 'OPEN' WHERE account_id = $1", [client.uuid]);
    expect((await record(2)).body.content.status).toBe('DUPLICATE');
    expect((await file(fileId)).body.content.suspense).toMatchObject({ open: 0, corrected: 1 });
    const conflict = await takeIn('conflict.csv', cdrText(cdrRow(2, { network_provider: 'Glo' })), client);
    expect((await record(2)).body.content.status).toBe('DUPLICATE');
    expect((await file(conflict.fileId)).body.content.suspense).toMatchObject({ open: 1, corrected: 0 });
  });

  it('of another account with the same id stays open', async () => {
    const { fileId } = await takeIn('bad.csv', oneBad);
    const mine = client;
    await takeIn('other.csv', cdrText(cdrRow(2)));
    expect((await file(fileId, '', mine.apiKey)).body.content.suspense.open).toBe(1);
  });

  it('is given up with a reason, journalled with who did it, and only once', async () => {
    const { fileId } = await takeIn('bad.csv', oneBad);
    const give = (body: object) => t.post(`/v1/telecom/file/${fileId}/writeOff`, body, client.apiKey);
    expect((await give({})).text).toContain("the field 'reason' is required");
    expect((await give({ reason: 'test calls', lines: [2] })).headers.get('x-error-code')).toBe('STATE_CONFLICT');
    expect((await give({ reason: 'test calls' })).body.content).toEqual({ writtenOff: 1 });
    expect((await give({ reason: 'test calls' })).headers.get('x-error-code')).toBe('STATE_CONFLICT');
    expect((await file(fileId)).body.content.suspense).toMatchObject({ open: 0, corrected: 0, writtenOff: 1 });
    const [entry] = await t.database.admin.query(
      "SELECT body FROM journal WHERE kind = 'cdr.lines_written_off' AND account_id = $1",
      [client.uuid],
    );
    expect(JSON.parse(entry?.body as string).data).toEqual({ fileId, reason: 'test calls', count: 1, lines: [3] });
  });

  it('is kept sealed while it waits and not at all afterwards', async () => {
    const { fileId } = await takeIn('bad.csv', oneBad);
    const raw = async () =>
      (await t.database.admin.query('SELECT raw_sealed FROM cdr_suspense WHERE account_id = $1', [client.uuid]))[0]
        ?.raw_sealed as string | null;
    expect(await raw()).toMatch(/^v1:/);
    await t.post(`/v1/telecom/file/${fileId}/writeOff`, { reason: 'x' }, client.apiKey);
    expect(await raw()).toBeNull();
  });
});

describe('files by the API', () => {
  it('are picked up on demand, and listed newest first with counts and progress', async () => {
    client = await t.makeClient(psp);
    drop(dataDirOf(t), client, 'a.csv', cdrText(cdrRow(1)));
    drop(dataDirOf(t), client, 'b.csv', cdrText(cdrRow(2)));
    const r = await t.post('/v1/telecom/pickUp', {}, client.apiKey);
    expect(r.body.content).toEqual({ taken: 2 });
    const items = await until('both files are done', async () => {
      const list = (await t.get('/v1/telecom/file', client.apiKey)).body.content.items;
      return list.length === 2 && list.every((f: { completedAt: string | null }) => f.completedAt !== null) && list;
    });
    expect(items.map((f: { fileName: string }) => f.fileName)).toEqual(['b.csv', 'a.csv']);
    expect(items[0]).toMatchObject({
      clientId: client.id,
      state: 'ACCEPTED',
      counts: { total: 1, accepted: 1 },
      progress: { lines: 1, done: 1, percent: 100, etaSeconds: null },
    });
    expect((await t.get('/v1/telecom/file?state=REJECTED', client.apiKey)).body.content.items).toEqual([]);
  });

  it('give all errors in pages', async () => {
    const rows = Array.from({ length: 5 }, (_, i) => cdrRow(i, { caller_number: '' }));
    const { fileId } = await takeIn('five.csv', cdrText(...rows));
    const first = (await file(fileId, '/errors?limit=3')).body.content;
    expect(first.items.map((e: { line: number }) => e.line)).toEqual([2, 3, 4]);
    const second = (await file(fileId, `/errors?limit=3&after=${first.nextAfter}`)).body.content;
    expect([second.items.map((e: { line: number }) => e.line), second.nextAfter]).toEqual([[5, 6], null]);
  });

  it('are not there for another client, and are for the PSP', async () => {
    const { fileId } = await takeIn('mine.csv', oneBad);
    const other = await t.makeClient(psp);
    const stranger = await t.makePsp('Stranger');
    for (const path of ['', '/errors', '/rejected.csv']) {
      expect((await file(fileId, path, other.apiKey)).status, path).toBe(404);
      expect((await file(fileId, path, stranger.apiKey)).status, path).toBe(404);
      expect((await file(fileId, path, psp.apiKey)).status, path).toBe(200);
    }
    const give = await t.post(`/v1/telecom/file/${fileId}/writeOff`, { reason: 'x' }, other.apiKey);
    expect(give.status).toBe(404);
  });

  it('are taken for the key’s own accounts only', async () => {
    const waiting = await t.makeClient(psp);
    drop(dataDirOf(t), waiting, 'waits.csv', cdrText(cdrRow(1)));
    const stranger = await t.makePsp('Stranger');
    expect((await t.post('/v1/telecom/pickUp', {}, stranger.apiKey)).body.content).toEqual({ taken: 0 });
    expect((await t.post('/v1/telecom/pickUp', {}, psp.apiKey)).body.content).toEqual({ taken: 1 });
  });

  it('are not there under an id nobody gave', async () => {
    expect((await file(toWire('cdrFile', psp.uuid), '', psp.apiKey)).status).toBe(404);
    expect((await file('cdf_nothing', '', psp.apiKey)).status).toBe(404);
  });
});

describe('the journal', () => {
  it('has one entry for each portion and one for the end, which hold the records to their hash', async () => {
    await takeIn('journalled.csv', oneBad);
    const rows = await t.database.admin.query(
      'SELECT kind, body FROM journal WHERE account_id = $1 AND kind LIKE $2 ORDER BY seq',
      [client.uuid, 'cdr.file%'],
    );
    expect(rows.map((r) => r.kind)).toEqual(['cdr.file_portion', 'cdr.file_completed']);
    const portion = JSON.parse(rows[0]?.body as string);
    expect(portion.data).toMatchObject({ fromLine: 1, accepted: 2, rejected: 1, duplicate: 0 });
    const [{ digest }] = (await t.database.admin.query(
      `SELECT encode(sha256(string_agg(id || ' ' || cdr_id || ' ' || content || E'\\n', '' ORDER BY id)::bytea), 'hex')
         AS digest FROM cdrs WHERE account_id = $1`,
      [client.uuid],
    )) as [{ digest: string }];
    expect(portion.data.recordsSha256).toBe(digest);
  });
});
