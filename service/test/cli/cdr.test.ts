// assay cdr, beside a running service: files picked up, shown, written off, and their status written again.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromWire } from '../../src/core/ids.ts';
import { cdrRow, cdrText, drop, status, tree } from '../support/cdr-files.ts';
import { makeWorld, me, type World } from './world.ts';

let w: World;
let client: { id: string; uuid: string; apiKey: string; secret: string };
const dir = () => w.env.DATA_DIR as string;

beforeAll(async () => {
  w = await makeWorld({ CDR_PICKUP_CRON: 'off' });
  const psp = await w.makePsp('Telecom Pay');
  const { clientId, apiKey } = await w.makeClient(psp.apiKey);
  client = { id: clientId, uuid: fromWire('client', clientId) as string, apiKey, secret: '' };
});
afterAll(() => w.stop());

describe('assay cdr', () => {
  it('picks up, lists, shows, writes off and tells again', async () => {
    drop(dir(), client, 'calls.csv', cdrText(cdrRow(1, { call_type: 'FAX' }), cdrRow(2, { caller_number: '' })));
    expect((await w.json('cdr', 'pick-up')).json()).toEqual({ taken: 1 });
    const { items } = (await w.json('cdr', 'files', '--client', client.id)).json();
    expect(items).toMatchObject([{ clientId: client.id, fileName: 'calls.csv', state: expect.any(String) }]);
    const [{ fileId }] = items;
    const shown = await w.plain('cdr', 'show', fileId);
    expect(shown.stdout).toMatch(/^Rejected +[12]$/m);
    expect(shown.stdout).toContain('REQUIRED');
    expect((await w.plain('cdr', 'files')).stdout).toContain(fileId);

    const as = join(dir(), 'as-it-came.csv');
    expect((await w.json('cdr', 'archived', fileId, '--to', as)).json()).toMatchObject({ fileName: 'calls.csv' });
    expect(readFileSync(as, 'utf8')).toBe(cdrText(cdrRow(1, { call_type: 'FAX' }), cdrRow(2, { caller_number: '' })));

    const told = status(dir(), client, 'calls.csv');
    rmSync(join(dir(), 'cdr', 'status'), { recursive: true });
    expect((await w.json('cdr', 'rebuild-status', fileId)).exitCode).toBe(0);
    expect(status(dir(), client, 'calls.csv')).toEqual(told);
    expect(tree(dir(), 'status')).toHaveLength(1);

    const given = (await w.json('cdr', 'write-off', fileId, '--reason', 'test calls')).json();
    expect(given.writtenOff).toBe(told.counts.rejected);
    const [entry] = await w.journal('cdr.lines_written_off');
    expect([entry.actor.by, entry.data.reason]).toEqual([me, 'test calls']);
  });

  it('withdraws what a file recorded, and a single record, once, in the name of who is at the keyboard', async () => {
    drop(dir(), client, 'wrong.csv', cdrText(...Array.from({ length: 5 }, (_, i) => cdrRow(100 + i))));
    await w.json('cdr', 'pick-up');
    const { items } = (await w.json('cdr', 'files', '--client', client.id)).json();
    const { fileId } = items.find((f: { fileName: string }) => f.fileName === 'wrong.csv');
    const { body } = await w.call('/v1/telecom/cdr', client.apiKey);
    const [{ cdrId }] = body.content.items;
    const one = await w.json('cdr', 'withdraw', cdrId, '--reason', 'a test call');
    expect([one.exitCode, one.json()]).toMatchObject([0, { cdrId, status: 'WITHDRAWN' }]);
    const rest = await w.json('cdr', 'withdraw', fileId, '--reason', 'the tariff of another month');
    expect([rest.exitCode, rest.json()]).toEqual([0, { withdrawn: 4 }]);
    expect((await w.json('cdr', 'withdraw', fileId, '--reason', 'again')).json()).toEqual({ withdrawn: 0 });
    for (const kind of ['cdr.withdrawn', 'cdr.lines_withdrawn']) {
      const entries = await w.journal(kind);
      expect(entries.map((e) => e.actor.by)).toEqual([me]);
    }
    const unknown = await w.json('cdr', 'withdraw', 'cdr_01h455vb4pex5vsknk084sn02q', '--reason', 'none');
    expect([unknown.exitCode === 0, unknown.json().code]).toEqual([false, 'NOT_FOUND']);
  });

  it('knows no file under another id, and no reason that is empty', async () => {
    const unknown = await w.json('cdr', 'show', 'cdf_01h455vb4pex5vsknk084sn02q');
    expect([unknown.exitCode === 0, unknown.json().code]).toEqual([false, 'NOT_FOUND']);
    const empty = await w.json('cdr', 'write-off', 'cdf_01h455vb4pex5vsknk084sn02q', '--reason', ' ');
    expect(empty.stderr).toContain('--reason must have 1 to 500 characters');
  });

  it('records a declaration from a CSV file, once, in the name of who is at the keyboard', async () => {
    const file = join(dir(), 'declared.csv');
    const run = async (...lines: string[]) => {
      writeFileSync(file, `\ufeff${lines.join('\r\n')}\r\n`);
      return w.json('cdr', 'declare', file, '--client', client.id, '--period', '2026-10');
    };
    const header = 'Class,tax_code,records,DATA_MB,tax,currency';
    const sound = [header, 'onnet,VAT,12,,0.123456789012345678901,NGN', '', '"SMS",,3,,,ngn'];
    const made = (await run(...sound)).json();
    expect(made).toMatchObject({ period: '2026-10', revision: 1, status: 'DECLARED' });
    expect((await run(...sound)).json()).toEqual({ ...made, status: 'UNCHANGED' });
    const [entry] = await w.journal('cdr.declared');
    expect([entry.actor.by, entry.data.recordedBy, entry.clientId]).toEqual([me, null, client.id]);
    const { body } = await w.call(`/v1/telecom/declaration/${made.declarationId}`, client.apiKey);
    expect(body.content.lines).toMatchObject([
      { class: 'ONNET', taxCode: 'VAT', records: 12, dataMb: null },
      { class: 'SMS', taxCode: null, records: 3 },
    ]);
    const list = await w.plain('cdr', 'declarations', '--client', client.id);
    expect(list.stdout).toMatch(new RegExp(`^${made.declarationId} +2026-10 +1 +yes +2 `, 'm'));

    const refused = await run(header, '', 'ONNET,VAT,1,,1,NGN', 'ONNET,EXCISE,2,,1,NGN');
    expect([refused.exitCode, refused.json().message]).toEqual([
      3,
      "line 4, 'records' is 2, and line 3 says 1 for the same class and currency",
    ]);
    expect(await w.journal('cdr.declared')).toHaveLength(1);
  });
});
