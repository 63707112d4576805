// Telephone numbers of calls: none is in clear text in the database, the journal, reports, the archive or the log;
// those who may see them do; and after a person's erasure the number cannot be recovered.
import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerifiedReceipt } from '../../src/core/audit/receipt.ts';
import { maskNumber } from '../../src/core/cdr/masks.ts';
import { readValues, writeValues } from '../../src/core/cdr/record.ts';
import { audit } from '../../src/modules/audit/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { allSealed, check, keyOf, receiptOf } from '../support/audit.ts';
import { aCall } from '../support/calls.ts';
import { analysed } from '../support/cdr-analysis.ts';
import { cdrRow, cdrText, dataDirOf, drop, wideHeader, wideLine } from '../support/cdr-files.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { rowCount, told, uuidOf } from '../support/journal.ts';
import { made } from '../support/reports.ts';
import { traces } from '../support/traces.ts';

let t: TestApp;
let psp: Account;
let operator: Account;
let n = 0;
const cdrId = () => `N-${++n}`;
/** All that came in. */
const numbers = new Set<string>();
const number = (): string => {
  const made = `+23480${[3, 5, 9][n % 3]}${String(7_310_000 + ++n * 137)}`;
  numbers.add(made);
  return made;
};
const call = (caller_number: string, receiver_number: string, over: object = {}) => ({
  ...aCall,
  cdr_id: cdrId(),
  caller_number,
  receiver_number,
  ...over,
});
const record = (body: unknown, key = operator.apiKey) => t.post('/v1/telecom/recordCDR', body, key);
const recorded = async (body: unknown): Promise<string> => contentOf(await record(body)).cdrId;
const shown = async (id: string) => contentOf(await t.get(`/v1/telecom/cdr/${id}`, operator.apiKey)).record;
const listed = async (query: string) =>
  contentOf(await t.get(`/v1/telecom/cdr?limit=100&${query}`, psp.apiKey)).items.map(
    (i: { record: Record<string, string> }) => [i.record.cdr_id, i.record.caller_number, i.record.receiver_number],
  );
const found = async (value: string): Promise<string[]> =>
  contentOf(await t.post('/v1/record/find', { by: 'msisdn', value }, psp.apiKey)).items.map(
    (i: { id: string }) => i.id,
  );
const erase = async (value: string) =>
  contentOf(await t.post('/v1/subject/erase', { subjects: [`phone:${value}`], reason: 'asked for it' }, psp.apiKey));
const takenIn = async (name: string, text: string) => {
  // Ids of one moment have no order among threads, and the one that reads files may be a new one: then the newest of a list are others.
  t.advance(1_000);
  drop(dataDirOf(t), operator, name, text);
  await t.app.services.cdrIntake.pickUp();
};
const report = async () => {
  const { reportId } = await made(t, { kind: 'cdrFindings', period: '2026-11' }, psp.apiKey);
  return (await t.get(`/v1/report/${reportId}/json`, psp.apiKey)).text;
};

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  operator = await t.makeClient(psp, { registeredName: 'MTN Nigeria' });
});
afterAll(() => t?.stop());

describe('the numbers of calls', () => {
  it('stand in clear nowhere, whichever way they came and whatever was made of them', async () => {
    const busy = number();
    const one = call(number(), number());
    await recorded(one);
    expectRefusal(await record({ ...one, receiver_number: number() }), 409, 'REF_CONFLICT');
    expectRefusal(await record(call(number(), `${number()}123`, { call_duration_seconds: -1 })), 400, 'RECORD_INVALID');
    const device = {
      imei_caller: '490154203237518',
      caller_location_latitude: '6.5',
      caller_location_longitude: '3.4',
    };
    const lines = [
      // National and with 00, a short code, a name, and lines that are refused.
      cdrRow(cdrId(), { caller_number: number().replace('+234', '0'), receiver_number: number().replace('+', '00') }),
      cdrRow(cdrId(), { caller_number: number(), receiver_number: '112' }),
      cdrRow(cdrId(), { caller_number: 'My Bank', receiver_number: number(), call_type: 'SMS' }),
      cdrRow(cdrId(), { caller_number: number(), receiver_number: `${number()}12`, call_duration_seconds: 'two' }),
      cdrRow('', { cdr_id: one.cdr_id, caller_number: number() }),
      // One that stands out in reports, among six that share its device.
      ...Array.from({ length: 110 }, (_, i) =>
        cdrRow(cdrId(), { caller_number: busy, receiver_number: number(), ...device, ...atMinute(i * 5) }),
      ),
      ...Array.from({ length: 6 }, () => cdrRow(cdrId(), { caller_number: number(), ...device, ...atMinute(700) })),
    ];
    await takenIn('calls.csv', `${wideHeader}\n${lines.map(wideLine).join('\n')}\n`);
    await analysed(t, psp);
    const document = await report();
    for (const section of ['standoutCallers', 'sharedDevices', 'nearDuplicates']) expect(document).toContain(section);
    expect(document).toContain(maskNumber(busy));
    const { found: inClear, places } = await traces(t, [...numbers]);
    for (const looked of ['cdr_suspense', 'cdr_analyses', 'journal', 'cdrs', 'report_files', 'subject_keys', 'the log'])
      expect(places.some((p) => p.startsWith(looked))).toBe(true);
    expect(places.some((p) => p.endsWith('.csv.sealed')) && places.some((p) => p.endsWith('calls.csv.json'))).toBe(
      true,
    );
    expect(inClear).toEqual([]);
  });

  it('would be found if they stood there', async () => {
    const hidden = number();
    await t.database.admin.query("UPDATE cdr_file_warnings SET findings = findings || ' ' || $1", [hidden]);
    await t.database.admin.query("UPDATE cdr_suspense SET findings = findings || ' ' || $1", [hidden]);
    expect((await traces(t, [hidden])).found.join()).toContain(hidden.slice(-10));
    await t.database.admin.query("UPDATE cdr_file_warnings SET findings = replace(findings, ' ' || $1, '')", [hidden]);
    await t.database.admin.query("UPDATE cdr_suspense SET findings = replace(findings, ' ' || $1, '')", [hidden]);
  });

  it('are shown in lists and details, and find their calls on either side, by number, hash and filter', async () => {
    const [a, b] = [number(), number()];
    const there = call(a, b);
    const back = call(b, a);
    const ids = [await recorded(there), await recorded(back)];
    expect(await shown(ids[0] as string)).toMatchObject({ caller_number: a, receiver_number: b });
    expect((await found(a)).sort()).toEqual(ids.toSorted());
    expect(await listed(`caller=${encodeURIComponent(a)}`)).toEqual([[there.cdr_id, a, b]]);
    const [entry = expect.fail()] = await told(t, ids[1] as string);
    expect(entry.body.schema).toBe('cdr.recorded/2');
    const { callerHash, record: masked } = entry.body.data as { callerHash: string; record: object };
    expect(masked).toMatchObject({ caller_number: maskNumber(b), receiver_number: maskNumber(a) });
    expect(await listed(`caller=${callerHash}`)).toEqual([[back.cdr_id, b, a]]);
  });

  it('are shown of every record of a page, also of persons who share a call, and codes as they came', async () => {
    const [a, b] = [number(), number()];
    await takenIn(
      'page.csv',
      cdrText(
        cdrRow('P-1', { caller_number: a, receiver_number: b }),
        cdrRow('P-2', { caller_number: b, receiver_number: a }),
        cdrRow('P-3', { caller_number: a, receiver_number: '112' }),
        cdrRow('P-4', { caller_number: 'My Bank', receiver_number: a, call_type: 'SMS' }),
        cdrRow('P-5', { caller_number: a, receiver_number: a }),
      ),
    );
    expect((await listed('')).filter(([id]: string[]) => id?.startsWith('CDR-P-')).sort()).toEqual([
      ['CDR-P-1', a, b],
      ['CDR-P-2', b, a],
      ['CDR-P-3', a, '112'],
      ['CDR-P-4', 'My Bank', a],
      ['CDR-P-5', a, a],
    ]);
  });

  it('are kept once a person, however many calls there are', async () => {
    const [a, b] = [number(), number()];
    await Promise.all(Array.from({ length: 20 }, () => recorded(call(a, b))));
    await takenIn('again.csv', cdrText(cdrRow(cdrId(), { caller_number: a, receiver_number: b })));
    const persons = [a, b].map((value) => t.app.services.subjects.identify(psp.uuid, value).subject);
    expect(await rowCount(t, 'subject_keys', 'subject = ANY ($1) AND number_sealed IS NOT NULL', [persons])).toBe(2);
  });

  it('are added to the key that a person has from a version before', async () => {
    const [a, b, c] = [number(), number(), number()];
    const device = { imei_caller: '490154203237518' };
    const before = [await recorded(call(a, b, device)), await recorded(call(c, b, device))];
    await t.database.admin.query('UPDATE subject_keys SET number_sealed = NULL');
    for (const value of [a, b, c]) t.app.services.subjects.forget(t.app.services.subjects.identify(psp.uuid, value));
    const after = await recorded(call(a, b));
    await takenIn('keys.csv', cdrText(cdrRow(cdrId(), { caller_number: c, receiver_number: b })));
    expect(await shown(after)).toMatchObject({ caller_number: a, receiver_number: b });
    for (const [id, caller] of [[before[0], a] as const, [before[1], c] as const]) {
      const of = `caller=${encodeURIComponent(caller)}`;
      const { items } = contentOf(await t.get(`/v1/telecom/cdr?limit=100&${of}`, operator.apiKey));
      expect(items.find((i: { cdrId: string }) => i.cdrId === id).record.caller_number).toBe(caller);
      const one = await t.get(`/v1/telecom/cdr/${id}?expand=personal`, operator.apiKey);
      expect(contentOf(one).record).toMatchObject({ caller_number: caller, ...device });
    }
  });
});

describe('the number of an erased person', () => {
  it('is opened by nothing: lists, details, reports, receipts; all of these hold as before', async () => {
    const [gone, other] = [number(), number()];
    const one = call(gone, other);
    const id = await recorded(one);
    await takenIn('gone.csv', cdrText(cdrRow('G-1', { caller_number: other, receiver_number: gone })));
    await allSealed(t);
    const [receipt, key] = [await receiptOf(t, operator, id), await keyOf(t, operator)];
    expect((await erase(gone)).keys).toBe(1);
    expect(await shown(id)).toMatchObject({ caller_number: 'erased', receiver_number: other });
    expect((await listed('')).filter(([c]: string[]) => c === 'CDR-G-1')).toEqual([['CDR-G-1', other, 'erased']]);
    expect(await found(gone)).toHaveLength(2);
    await allSealed(t);
    const [then, now] = [receipt, await receiptOf(t, operator, id)].map((r) => check(r, key) as VerifiedReceipt);
    expect(then?.entries).toHaveLength(1);
    expect(now?.entries).toEqual(then?.entries);
    expect((await traces(t, [gone])).found).toEqual([]);
    for await (const p of audit({ db: t.database.admin, folders: [] })) expect(p.findings).toEqual([]);
    // A repetition is told from a change all the same.
    expect(contentOf(await record(one))).toMatchObject({ cdrId: id, status: 'DUPLICATE' });
    expectRefusal(
      await record({ ...one, caller_number: number() }),
      409,
      'REF_CONFLICT',
      `the cdr_id '${one.cdr_id}' was used before with another 'caller_number'`,
    );
  });

  it('comes again with later calls alone: those of before stay erased', async () => {
    const [again, other] = [number(), number()];
    const before = await recorded(call(again, other));
    await erase(again);
    const after = await recorded(call(again, other));
    await takenIn('later.csv', cdrText(cdrRow('L-1', { caller_number: other, receiver_number: again })));
    expect((await shown(before)).caller_number).toBe('erased');
    expect((await shown(after)).caller_number).toBe(again);
    expect((await listed('')).filter(([c]: string[]) => c === 'CDR-L-1')).toEqual([['CDR-L-1', other, again]]);
    const counted = contentOf(await t.post('/v1/subject/find', { subjects: [`phone:${again}`] }, psp.apiKey)).items;
    expect(counted).toContainEqual({ kind: 'callRecords', readable: 2, erased: 1 });
    await erase(again);
    for (const id of [before, after]) expect((await shown(id)).caller_number).toBe('erased');
    expect((await traces(t, [again])).found).toEqual([]);
  });
});

describe('a record of a version before, with its numbers in clear', () => {
  /** Puts a record back into the form it had. */
  const asBefore = async (id: string, body: { caller_number: string; receiver_number: string }) => {
    const [row] = await t.database.admin.query('SELECT record FROM cdrs WHERE id = $1', [uuidOf(id)]);
    const { caller_number, receiver_number } = body;
    const record = writeValues({ ...readValues(row?.record as string), caller_number, receiver_number });
    await t.database.admin.query(
      `UPDATE cdrs SET record = $2, content = $3, caller_number = $4, receiver_number = $5, caller_mask = NULL,
         receiver_mask = NULL, caller_generation = NULL, receiver_generation = NULL WHERE id = $1`,
      [uuidOf(id), record, hash('sha256', record, 'hex'), caller_number, receiver_number],
    );
  };

  it('is shown, found, listed by its caller, and told from a change, by both ways of intake', async () => {
    const body = call(number(), number());
    const id = await recorded(body);
    await asBefore(id, body);
    expect(await shown(id)).toMatchObject({ caller_number: body.caller_number, receiver_number: body.receiver_number });
    expect([await found(body.caller_number), await found(body.receiver_number)]).toEqual([[id], [id]]);
    expect(await listed(`caller=${encodeURIComponent(body.caller_number)}`)).toHaveLength(1);
    expect(contentOf(await record(body))).toMatchObject({ cdrId: id, status: 'DUPLICATE' });
    for (const [change, field] of [
      [{ receiver_number: number() }, 'receiver_number'],
      [{ network_provider: 'Airtel Nigeria' }, 'network_provider'],
    ] as const)
      expectRefusal(
        await record({ ...body, ...change }),
        409,
        'REF_CONFLICT',
        `the cdr_id '${body.cdr_id}' was used before with another '${field}'`,
      );
    const inFile = cdrRow('', {
      cdr_id: 'B-1',
      caller_number: body.caller_number,
      receiver_number: body.receiver_number,
    });
    await takenIn('before.csv', cdrText(inFile));
    const [{ id: uuid } = {}] = await t.database.admin.query("SELECT id FROM cdrs WHERE cdr_id = 'B-1'");
    await asBefore(await wireOf(uuid as string), body);
    await takenIn('repeated.csv', cdrText(inFile, cdrRow('', { ...inFile, call_status: 'DROPPED' })));
    const status = contentOf(await t.get('/v1/telecom/file', operator.apiKey)).items[0];
    expect(status).toMatchObject({ counts: { accepted: 0, duplicate: 1, rejected: 1 } });
  });
});

const atMinute = (minute: number) => {
  const at = (s: number) =>
    `${new Date(Date.parse('2026-11-20T08:00:00Z') + minute * 60_000 + s * 1000).toISOString().slice(0, 19)}Z`;
  return { call_start_time: at(0), call_end_time: at(120) };
};
const wireOf = async (uuid: string): Promise<string> => {
  const { items } = contentOf(await t.get('/v1/telecom/cdr?limit=100', operator.apiKey));
  return items.map((i: { cdrId: string }) => i.cdrId).find((id: string) => uuidOf(id) === uuid) ?? expect.fail();
};
