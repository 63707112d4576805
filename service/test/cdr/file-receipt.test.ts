// Receipts of records from a file: the journal entry of their portion is sealed, and the record is proved to be in it
// without the service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Flaw } from '../../src/core/audit/flaw.ts';
import type { Receipt, VerifiedReceipt } from '../../src/core/audit/receipt.ts';
import { toWire } from '../../src/core/ids.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed, check, keyOf, receiptOf } from '../support/audit.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';

let t: TestApp;
let psp: Account;
let operator: Account;
let other: Account;
let key: string;
/** Ids of the records of the file, in the order of its lines. */
let ids: string[];

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  operator = await t.makeClient(psp);
  other = await t.makeClient(psp);
  key = await keyOf(t, operator);
  // Beside them a record of its own, made in the same millisecond: the test's clock stands still.
  await record('CDR-single-before');
  const rows = Array.from({ length: 2500 }, (_, i) => cdrRow(i));
  drop(dataDirOf(t), operator, 'calls.csv', cdrText(...rows, cdrRow('bad', { receiver_number: 'x' })));
  await t.app.services.cdrIntake.pickUp();
  await record('CDR-single-after');
  const found = await t.database.admin.query(
    `SELECT id FROM cdrs WHERE account_id = $1 AND cdr_id NOT LIKE 'CDR-single-%' ORDER BY split_part(cdr_id, '-', 2)::integer`,
    [operator.uuid],
  );
  ids = found.map((r) => toWire('cdr', r.id as string));
  await allSealed(t);
});
afterAll(() => t?.stop());

async function record(cdrId: string): Promise<string> {
  const r = await t.post(
    '/v1/telecom/recordCDR',
    {
      cdr_id: cdrId,
      caller_number: '+2348031234567',
      receiver_number: '+2348059876543',
      call_start_time: '2026-11-21T09:00:00Z',
      call_end_time: '2026-11-21T09:02:00Z',
      call_duration_seconds: 120,
      call_type: 'VOICE',
      network_provider: 'MTN Nigeria',
      billing_information: { call_cost: 24.5, currency: 'NGN' },
    },
    operator.apiKey,
  );
  return contentOf(r).cdrId;
}

const get = (id: string | undefined, as: Account) => t.get(`/v1/audit/receipt/${id}`, as.apiKey);
const changed = (r: Receipt, portion: object): Receipt => ({ ...r, portion: { ...r.portion, ...portion } as never });

describe('the receipt of a record that came in a file', () => {
  it('has the entry of its portion and leads to the text that was recorded, for the first and the last of portions', async () => {
    expect(ids).toHaveLength(2500);
    const seqs = new Set<number>();
    for (const n of [0, 1, 1999, 2000, 2499]) {
      const sealed = check(await receiptOf(t, operator, ids[n] as string), key) as VerifiedReceipt;
      expect(sealed.entries.map((e) => e.kind)).toEqual(['cdr.file_portion']);
      seqs.add(sealed.entries[0]?.seq as number);
      expect(toWire('cdr', sealed.portion?.record as string)).toBe(ids[n]);
      expect(JSON.parse(sealed.portion?.text as string)).toMatchObject({ cdr_id: `CDR-${n}` });
      const { data } = JSON.parse(sealed.entries[0]?.body as string);
      expect(data.fileName).toBe('calls.csv');
      expect(sealed.portion?.records).toHaveLength(data.accepted);
    }
    expect(seqs.size).toBe(2);
  });

  it.each<[string, (r: Receipt) => Receipt, string]>([
    ['another text', (r) => changed(r, { text: r.portion?.text.replace('120', '121') }), 'PROOF'],
    ['another id', (r) => changed(r, { record: '01900000-0000-7000-8000-000000000001' }), 'PROOF'],
    ['a record fewer', (r) => changed(r, { records: r.portion?.records.slice(1) }), 'PROOF'],
    [
      'two lines in one',
      (r) =>
        changed(r, { records: [r.portion?.records.slice(0, 2).join('\n'), ...(r.portion?.records.slice(2) ?? [])] }),
      'FORM',
    ],
    ['no text', (r) => changed(r, { text: undefined }), 'FORM'],
    ['no list', (r) => changed(r, { records: 'all' }), 'FORM'],
  ])('does not hold with %s', async (_, change, code) => {
    const receipt = await receiptOf(t, operator, ids[7] as string);
    expect(check(receipt, key)).toHaveProperty('portion');
    expect((check(change(receipt), key) as Flaw).code).toBe(code);
  });

  it('does not hold under the entry of another record', async () => {
    const single = await receiptOf(t, operator, await record('CDR-single-other'));
    const { portion } = await receiptOf(t, operator, ids[7] as string);
    expect(check(single, key)).toHaveProperty('entries');
    expect((check({ ...single, portion }, key) as Flaw).code).toBe('ENTRY');
  });

  it('is given to its operator and the PSP, to nobody else', async () => {
    expect(await receiptOf(t, psp, ids[0] as string)).toEqual(await receiptOf(t, operator, ids[0] as string));
    expectRefusal(await get(ids[0], other), 404, 'NOT_FOUND');
    expectRefusal(await get(ids[0], await t.makePsp('Stranger')), 404, 'NOT_FOUND');
  });

  it('is refused where a record of the portion was changed since, which the hash shows', async () => {
    const [uuid] = await t.database.admin.query(
      "UPDATE cdrs SET content = repeat('0', 64) WHERE account_id = $1 AND cdr_id = 'CDR-2400' RETURNING id",
      [operator.uuid],
    );
    expect(uuid).toBeDefined();
    expect((await get(ids[2450], operator)).status).toBe(500);
    expect((await get(ids[0], operator)).status).toBe(200);
  });
});
