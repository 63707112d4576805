// A call detail file with every kind of invalid line: each line is accounted for exactly once.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/core/cdr/findings.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { dataDirOf, drop, status } from '../support/cdr-files.ts';
import { disagreements, kinds, plantedFile } from '../support/planted-lines.ts';

const rows = 12_000;
const badLines = rows / 50;
let t: TestApp;
let client: Account;

beforeAll(async () => {
  t = await makeTestApp();
  client = await t.makeClient(await t.makePsp());
});
afterAll(() => t.stop());

describe('a file with two bad lines in a hundred', () => {
  it('has bad lines of every kind there is', () => {
    const planted = kinds.map((k) => k.code);
    expect(Object.keys(errorCodes).filter((code) => !planted.includes(code))).toEqual([]);
  });

  it('has each line recorded or told of once, with its place, column, code and a message', async () => {
    const bytes = Buffer.concat([...plantedFile({ rows, now: t.now(), bad: true, personal: true })]);
    drop(dataDirOf(t), client, 'planted.csv', bytes);
    await t.app.services.cdrIntake.pickUp();
    const told = status(dataDirOf(t), client, 'planted.csv');
    expect(told).toMatchObject({
      state: 'PARTIALLY_ACCEPTED',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      counts: { total: rows, accepted: rows - badLines, rejected: badLines, duplicate: 0 },
    });
    const rejected = await t.database.admin.query(
      'SELECT line, byte_offset, findings FROM cdr_suspense WHERE account_id = $1 ORDER BY line',
      [client.uuid],
    );
    const shown = rejected.map((r) => ({
      line: r.line as number,
      byteOffset: r.byte_offset as number,
      findings: JSON.parse(r.findings as string),
    }));
    expect(disagreements(rows, shown)).toEqual([]);
    for (const { line, byteOffset } of shown.slice(0, kinds.length))
      expect(bytes.subarray(0, byteOffset).filter((b) => b === 10).length, `place of line ${line}`).toBe(line - 1);
    const [recorded] = await t.database.admin.query(
      'SELECT count(*) AS n, count(DISTINCT cdr_id) AS ids FROM cdrs WHERE account_id = $1',
      [client.uuid],
    );
    expect(recorded).toEqual({ n: rows - badLines, ids: rows - badLines });
  });
});
