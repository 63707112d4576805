// Devices and locations of a call record are stored sealed, can still be told apart, and are unreadable once their key
// is deleted (Spec 2.8, decision 27).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SubjectKey, sealPersonal } from '../../src/modules/kernel/subjects.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { cdrRow, dataDirOf, drop, wideHeader, wideLine } from '../support/cdr-files.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { rowCount, told, uuidOf } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
const call = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  cdr_id: `CDR-${++n}`,
  caller_number: `+234803100${String(n).padStart(4, '0')}`,
  receiver_number: '+2348059876543',
  call_start_time: '2026-11-21T09:30:00Z',
  call_end_time: '2026-11-21T09:32:00Z',
  call_duration_seconds: 120,
  call_type: 'VOICE',
  caller_location: { latitude: 6.524379, longitude: 3.379206 },
  receiver_location: { latitude: 9.076479, longitude: 7.398574 },
  network_provider: 'MTN Nigeria',
  imei_caller: '490154203237518',
  imei_receiver: '356938035643809',
  billing_information: { call_cost: 24.5, currency: 'NGN' },
  ...over,
});
const ofSide = { caller: ['caller_location', 'imei_caller'], receiver: ['receiver_location', 'imei_receiver'] };
const personal = Object.values(ofSide).flat();
const allOf = (side: 'caller' | 'receiver') => [`${side}_number`, ...ofSide[side]];
const everything = [...allOf('caller'), ...allOf('receiver')];
const clear = ['6.524379', '3.379206', '9.076479', '7.398574', '49015420323751', '35693803564380'];
const record = (body: unknown, key = client.apiKey) => t.post('/v1/telecom/recordCDR', body, key);
const shown = async (cdrId: string, expand = '') =>
  contentOf(await t.get(`/v1/telecom/cdr/${cdrId}${expand && `?expand=${expand}`}`, client.apiKey));
const withoutPersonal = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([k]) => !personal.includes(k)));
/** Erases who is on a side of a record. */
const erase = async (body: Record<string, unknown>, side: 'caller' | 'receiver' = 'caller') =>
  contentOf(
    await t.post(
      '/v1/subject/erase',
      { subjects: [`phone:${body[`${side}_number`]}`], reason: 'asked for it' },
      psp.apiKey,
    ),
  );
const withErased = (body: Record<string, unknown>, names: readonly string[]) => ({
  ...body,
  ...Object.fromEntries(names.map((name) => [name, 'erased'])),
});

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe("a call record's devices and places", () => {
  it('stand in clear neither in the journal, nor in the table, nor in a list, a refusal or the log', async () => {
    const body = call();
    const { cdrId } = contentOf(await record(body));
    const refused = await record({ ...body, imei_caller: '356938035643809' });
    const invalid = await record(call({ imei_caller: '49015420323751X', call_duration_seconds: 9 }));
    expect([refused.status, invalid.status]).toEqual([409, 400]);
    const [row] = await t.database.admin.query('SELECT row_to_json(c)::text AS text FROM cdrs c WHERE id = $1', [
      uuidOf(cdrId),
    ]);
    const list = (await t.get('/v1/telecom/cdr', client.apiKey)).text;
    expect(list).toContain(cdrId);
    const [entry] = await told(t, cdrId);
    for (const text of [entry?.text, row?.text as string, list, refused.text, invalid.text, t.logged.join()])
      for (const secret of clear) expect(text).not.toContain(secret);
  });

  it('are shown to the account on request, exactly as they were sent', async () => {
    const body = call();
    const { cdrId } = contentOf(await record(body));
    expect((await shown(cdrId)).record).toEqual(withoutPersonal(body));
    expect((await shown(cdrId, 'personal')).record).toEqual(body);
  });

  it.each(['caller', 'receiver'] as const)(
    'are gone once their own person, the %s, is erased; the record and its journal entry stay as they were',
    async (side) => {
      const body = call({ receiver_number: `+234805100${String(n).padStart(4, '0')}` });
      const { cdrId } = contentOf(await record(body));
      const kept = async () =>
        contentOf(
          await t.post('/v1/subject/find', { subjects: [`phone:${body[`${side}_number`]}`] }, psp.apiKey),
        ).items.find((f: { kind: string }) => f.kind === 'callRecords');
      expect(await kept()).toMatchObject({ readable: 1, erased: 0 });
      const before = await told(t, cdrId);
      expect((await erase(body, side)).keys).toBe(1);
      expect((await shown(cdrId, 'personal')).record).toEqual(withErased(body, allOf(side)));
      expect((await shown(cdrId)).record).toEqual(withErased(withoutPersonal(body), [`${side}_number`]));
      expect(await kept()).toMatchObject({ readable: 0, erased: 1 });
      expect(await told(t, cdrId)).toEqual(before);
      await erase(body, side === 'caller' ? 'receiver' : 'caller');
      expect((await shown(cdrId, 'personal')).record).toEqual(withErased(body, everything));
    },
  );

  it('are gone by side also where they came in a file, and at once in a call to oneself', async () => {
    const operator = await t.makeClient(psp);
    const [one, two] = ['+2348037771111', '+2348037772222'];
    const devices = { imei_caller: '490154203237518', imei_receiver: '356938035643809' };
    drop(
      dataDirOf(t),
      operator,
      'sides.csv',
      `${wideHeader}\n${[
        cdrRow(1, { caller_number: one, receiver_number: two, ...devices }),
        cdrRow(2, { caller_number: two, receiver_number: one, imei_receiver: devices.imei_receiver }),
        cdrRow(3, { caller_number: one, receiver_number: one, ...devices }),
      ]
        .map(wideLine)
        .join('\n')}\n`,
    );
    await t.app.services.cdrIntake.pickUp();
    const opened = async () => {
      const { items } = contentOf(await t.get('/v1/telecom/cdr', operator.apiKey));
      const records = await Promise.all(items.map((i: { cdrId: string }) => shownTo(operator, i.cdrId)));
      return records.map((r) => [r.cdr_id, r.imei_caller, r.imei_receiver]).sort();
    };
    const shownTo = async (account: Account, cdrId: string) =>
      contentOf(await t.get(`/v1/telecom/cdr/${cdrId}?expand=personal`, account.apiKey)).record;
    const [a, b] = Object.values(devices);
    expect(await opened()).toEqual([
      ['CDR-1', a, b],
      ['CDR-2', undefined, b],
      ['CDR-3', a, b],
    ]);
    await erase({ caller_number: one });
    expect(await opened()).toEqual([
      ['CDR-1', 'erased', b],
      ['CDR-2', undefined, 'erased'],
      ['CDR-3', 'erased', 'erased'],
    ]);
    await erase({ caller_number: two });
    expect(await opened()).toEqual([
      ['CDR-1', 'erased', 'erased'],
      ['CDR-2', undefined, 'erased'],
      ['CDR-3', 'erased', 'erased'],
    ]);
  });

  it("of a record of before, which the caller's key sealed for both sides, are shown and are gone with the caller", async () => {
    const body = call();
    const { cdrId } = contentOf(await record(body));
    const { subjects, db } = t.app.services;
    const id = { psp: psp.uuid, subject: subjects.identify(psp.uuid, String(body.caller_number)).subject };
    const key = (await subjects.load(db, [id])).get(subjects.text(id)) as SubjectKey;
    const both = Object.fromEntries(personal.map((name) => [name, body[name]]));
    await t.database.admin.query(
      'UPDATE cdrs SET sealed = $2, receiver_sealed = NULL, receiver_subject = NULL WHERE id = $1',
      [uuidOf(cdrId), sealPersonal(key, both, `cdrs/${uuidOf(cdrId)}`)],
    );
    expect((await shown(cdrId, 'personal')).record).toEqual(body);
    await erase(body);
    expect((await shown(cdrId, 'personal')).record).toEqual(withErased(body, ['caller_number', ...personal]));
  });

  it('tell a repetition from a change even then', async () => {
    const body = call();
    const { cdrId } = contentOf(await record(body));
    await erase(body);
    expect(contentOf(await record(body))).toMatchObject({ cdrId, status: 'DUPLICATE' });
    expectRefusal(
      await record({ ...body, imei_caller: '356938035643809' }),
      409,
      'REF_CONFLICT',
      `the cdr_id '${body.cdr_id}' was used before with another 'imei_caller'`,
    );
  });

  it('are sealed per caller: the same number is the same person however it is written, another is another', async () => {
    const subjectOf = async (caller_number: string) =>
      (await told(t, contentOf(await record(call({ caller_number }))).cdrId))[0]?.body.subject;
    const one = await subjectOf('+2348037777771');
    expect(one).toEqual(expect.any(String));
    expect(await subjectOf('002348037777771')).toBe(one);
    expect(await subjectOf('+2348037777772')).not.toBe(one);
  });

  it('leave no trace where there are none', async () => {
    const { cdrId } = contentOf(await record(withoutPersonal(call())));
    const [entry] = await told(t, cdrId);
    expect(entry?.body).not.toHaveProperty('sealed');
    expect(entry?.body).not.toHaveProperty('subject');
    expect(entry?.body).not.toHaveProperty('alsoSealed');
  });

  it('are recorded once by thirty concurrent equal requests, under one key', async () => {
    const body = call();
    const answers = await Promise.all(Array.from({ length: 30 }, () => record(body)));
    const contents = answers.map(contentOf);
    expect(new Set(contents.map((c) => c.cdrId)).size).toBe(1);
    expect(contents.filter((c) => c.status === 'RECORDED')).toHaveLength(1);
    const [entry, ...more] = await told(t, contents[0].cdrId);
    expect(more).toEqual([]);
    expect(await rowCount(t, 'subject_keys', 'subject = $1', [entry?.body.subject])).toBe(1);
  });

  it('let one of two concurrent records that differ in them have the id', async () => {
    const body = call();
    const answers = await Promise.all([record(body), record({ ...body, imei_caller: '356938035643809' })]);
    expect(answers.map((r) => r.status).sort()).toEqual([200, 409]);
    expect(await rowCount(t, 'cdrs', 'cdr_id = $1', [body.cdr_id])).toBe(1);
  });

  it('are told apart by account: the same id under another account is another record', async () => {
    const body = call();
    const other = await t.makeClient(psp);
    contentOf(await record(body));
    const two = contentOf(await record({ ...body, imei_caller: '356938035643809' }, other.apiKey));
    expect(two.status).toBe('RECORDED');
  });
});

describe('a repeated call record', () => {
  it('is answered with the warnings of the first time, however late it comes', async () => {
    const late = await makeTestApp();
    try {
      const operator = await late.makePsp();
      const body = call({ receiver_number: '112' });
      const send = async () => contentOf(await late.post('/v1/telecom/recordCDR', body, operator.apiKey));
      const first = await send();
      late.advance(30 * 86_400_000);
      expect(await send()).toEqual({ ...first, status: 'DUPLICATE' });
      expect(first.warnings.map((w: { code: string }) => w.code)).toEqual(['SHORT_CODE']);
    } finally {
      await late.stop();
    }
  });

  it('may name a currency that was in use on the day of its call', async () => {
    const day = (d: string) =>
      call({
        call_start_time: `${d}T09:30:00Z`,
        call_end_time: `${d}T09:32:00Z`,
        billing_information: { call_cost: 1, currency: 'BGN' },
      });
    expect(contentOf(await record(day('2026-01-31'))).status).toBe('RECORDED');
    expectRefusal(await record(day('2026-02-01')), 400, 'RECORD_INVALID', /currency code in use on 2026-02-01/);
  });
});
