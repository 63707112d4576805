// The operation recordCDR (Spec 4.14).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maskNumber } from '../../src/core/cdr/masks.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  limitsText,
  namesIgnoredFields,
  put,
  refusesOperators,
  refusesWrongTypes,
  requiresFields,
  setStanding,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, rowCount, told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let n = 0;
const path = '/v1/telecom/recordCDR';
const imei = '490154203237518';
const record = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  cdr_id: `CDR-${++n}`,
  timestamp: '2026-11-21T09:52:05Z',
  caller_number: '+2348031234567',
  receiver_number: '+2348059876543',
  call_start_time: '2026-11-21T09:50:00Z',
  call_end_time: '2026-11-21T09:52:00Z',
  call_duration_seconds: 120,
  call_type: 'VOICE',
  call_status: 'COMPLETED',
  caller_location: { latitude: 6.5244, longitude: 3.3792 },
  receiver_location: { latitude: 9.0765, longitude: 7.3986 },
  network_provider: 'MTN Nigeria',
  imei_caller: imei,
  imei_receiver: '356938035643809',
  billing_information: { call_cost: 24.5, currency: 'NGN', billing_plan: 'PREPAID', data_used_kb: 0 },
  voip_details: { codec: 'AMR-WB', packet_loss_percentage: 0.2, jitter_ms: 3, latency_ms: 41.5 },
  recording_available: false,
  ...over,
});
const least = (over: Record<string, unknown> = {}) => ({
  cdr_id: `CDR-${++n}`,
  caller_number: '+2348031234567',
  receiver_number: '+2348059876543',
  call_start_time: '2026-11-21T09:50:00Z',
  call_end_time: '2026-11-21T09:52:00Z',
  call_duration_seconds: 120,
  call_type: 'VOICE',
  network_provider: 'MTN Nigeria',
  billing_information: { call_cost: 24.5, currency: 'NGN' },
  ...over,
});
const send = (body: unknown = record(), key = client.apiKey, headers: Record<string, string> = {}) =>
  t.post(path, body, key, headers);
const shown = async (id: string, expand = '') =>
  contentOf(await t.get(`/v1/telecom/cdr/${id}${expand && '?expand=personal'}`, psp.apiKey));
const warned = (r: Parameters<typeof contentOf>[0]) =>
  contentOf(r).warnings.map((w: { column: string; code: string }) => [w.column, w.code]);
const wire: Wire = { app: () => t, method: 'POST', path, caller: () => client, body: record };

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('recordCDR', () => {
  describe('accepts', () => {
    it('answers with its id for the record, RECORDED and no warnings', async () => {
      const r = await send();
      expect(contentOf(r)).toEqual({
        cdrId: expect.stringMatching(/^cdr_[0-9a-z]{26}$/),
        status: 'RECORDED',
        warnings: [],
      });
    });

    it('keeps every field of the specification, devices and places sealed and shown on request', async () => {
      const body = record();
      const { cdrId } = contentOf(await send(body));
      const plain = await shown(cdrId);
      expect(plain).toMatchObject({ cdrId, clientId: client.id, recordedBy: client.id, callType: 'VOICE' });
      const { caller_location, receiver_location, imei_caller, imei_receiver, ...open } = body;
      expect(plain.record).toEqual(open);
      expect((await shown(cdrId, 'personal')).record).toEqual({
        ...open,
        caller_location,
        receiver_location,
        imei_caller,
        imei_receiver,
      });
    });

    it('takes a record with only what it requires', async () => {
      const body = least();
      const { cdrId, warnings } = contentOf(await send(body));
      expect(warnings).toEqual([]);
      expect((await shown(cdrId)).record).toEqual(body);
    });

    it('warns of another network than the one the account is registered as', async () => {
      const mtn = await t.makeClient(psp, { registeredName: 'MTN Nigeria', registrationNumber: 'RC-MTN' });
      expect(warned(await send(record(), mtn.apiKey))).toEqual([]);
      const r = await send(record({ network_provider: 'Vodafone UK' }), mtn.apiKey);
      expect(warned(r)).toEqual([['network_provider', 'FOREIGN_NETWORK']]);
    });

    it('keeps costs exact in any number of decimals', async () => {
      const text = JSON.stringify(least({ billing_information: { call_cost: '@', currency: 'NGN' } })).replace(
        '"@"',
        '0.123456789012345678901',
      );
      const { cdrId } = contentOf(await send(text));
      const r = await t.get(`/v1/telecom/cdr/${cdrId}`, client.apiKey);
      expect(r.text).toContain('"call_cost":0.123456789012345678901');
    });

    it.each([
      ['an unknown call type', { call_type: 'CARRIER_PIGEON' }, 'call_type', 'CALL_TYPE_UNKNOWN'],
      ['an unknown call status', { call_status: 'PERHAPS' }, 'call_status', 'CALL_STATUS_UNKNOWN'],
      ['a short code', { receiver_number: '112' }, 'receiver_number', 'SHORT_CODE'],
      ['the sender name of an SMS', { call_type: 'SMS', caller_number: 'MyBank' }, 'caller_number', 'SENDER_NAME'],
      [
        'an IMEI whose check digit does not hold',
        { imei_caller: '490154203237510' },
        'imei_caller',
        'IMEI_CHECK_DIGIT',
      ],
      [
        'a location of zero and zero',
        { caller_location: { latitude: 0, longitude: 0 } },
        'caller_location_latitude',
        'LOCATION_ZERO',
      ],
      [
        'a late record',
        {
          call_start_time: '2026-11-01T09:50:00Z',
          call_end_time: '2026-11-01T09:52:00Z',
          timestamp: '2026-11-01T09:52:05Z',
        },
        'call_end_time',
        'LATE',
      ],
      [
        'a call of over a day',
        {
          call_start_time: '2026-11-20T09:00:00Z',
          call_end_time: '2026-11-21T09:50:01Z',
          call_duration_seconds: 89401,
        },
        'call_duration_seconds',
        'DURATION_LONG',
      ],
    ])('records %s with a warning', async (_what, over, column, code) => {
      // Warnings look at the age of a record: an application of its own has the clock where they expect it.
      const own = await appAtTen();
      const r = await own.post(path, record(over), own.key);
      expect(contentOf(r).status).toBe('RECORDED');
      expect(warned(r)).toEqual([[column, code]]);
    });

    it('records an unknown call type as UNCLASSIFIED, the word kept', async () => {
      const { cdrId } = contentOf(await send(record({ call_type: 'Smoke Signal' })));
      const c = await shown(cdrId);
      expect([c.callType, c.record.call_type]).toEqual(['UNCLASSIFIED', 'Smoke Signal']);
    });

    it('takes 00 for + and a duration within a second of end minus start', async () => {
      const { cdrId } = contentOf(await send(record({ caller_number: '002348031234567', call_duration_seconds: 121 })));
      expect((await shown(cdrId)).record.caller_number).toBe('+2348031234567');
    });

    it('takes numbers as switches write them and keeps them in E.164, a national one with what was sent', async () => {
      const body = record({ caller_number: '2348031234567', receiver_number: '08059876543' });
      const r = await send(body);
      const { cdrId, warnings } = contentOf(r);
      expect(warnings).toEqual([
        {
          column: 'receiver_number',
          code: 'NATIONAL_NUMBER',
          message: "the field 'receiver_number' was sent as 080598***** and is read as +23480598*****",
        },
      ]);
      expect(await shown(cdrId)).toMatchObject({
        record: { caller_number: '+2348031234567', receiver_number: '+2348059876543' },
        warnings,
      });
      // The same record with its numbers written out is no other one.
      const again = await send({ ...body, caller_number: '+2348031234567', receiver_number: '+2348059876543' });
      expect(contentOf(again)).toEqual({ cdrId, status: 'DUPLICATE', warnings });
    });

    it("reads a national number by the country of the account, not of the caller's key", async () => {
      const kenyan = await t.makeClient(psp, { countryCode: 'KE', registrationNumber: 'KE-1' });
      const body = record({ receiver_number: '0711123456' });
      const { cdrId } = contentOf(await send(body, psp.apiKey, { 'x-client-id': kenyan.id }));
      expect((await shown(cdrId)).record.receiver_number).toBe('+254711123456');
      expect((await send(record({ receiver_number: '0711123456' }), psp.apiKey)).status).toBe(400);
    });

    it('takes null and empty text in optional fields for their absence', async () => {
      const empty = { timestamp: null, call_status: '', imei_caller: null, imei_receiver: '', caller_location: null };
      const voip_details = { codec: '', packet_loss_percentage: null };
      const { cdrId } = contentOf(await send({ ...record(empty), voip_details, recording_available: null }));
      const { timestamp, call_status, voip_details: voip } = (await shown(cdrId)).record;
      expect([timestamp, call_status, voip]).toEqual([undefined, undefined, undefined]);
    });

    it("concerns the PSP's own account without x-client-id, and the named client with it", async () => {
      const own = contentOf(await send(record(), psp.apiKey));
      expect(await shown(own.cdrId)).toMatchObject({ clientId: psp.id, recordedBy: psp.id });
      const named = contentOf(await send(record(), psp.apiKey, { 'x-client-id': client.id }));
      expect(await shown(named.cdrId)).toMatchObject({ clientId: client.id, recordedBy: psp.id });
    });

    it('records what a suspended operator reports: it decides nothing', async () => {
      const someone = await t.makeClient(psp);
      await setStanding(t, someone, { operationalStanding: 'SUSPENDED' });
      expect(contentOf(await send(record(), someone.apiKey)).status).toBe('RECORDED');
    });
  });

  describe('validates', () => {
    requiresFields({ ...wire, body: least }, [
      'cdr_id',
      'caller_number',
      'receiver_number',
      'call_start_time',
      'call_end_time',
      'call_duration_seconds',
      'call_type',
      'network_provider',
      'billing_information',
      'billing_information.call_cost',
      'billing_information.currency',
    ]);
    refusesWrongTypes(wire, {
      text: [
        'cdr_id',
        'timestamp',
        'caller_number',
        'receiver_number',
        'call_start_time',
        'call_end_time',
        'call_type',
        'call_status',
        'network_provider',
        'imei_caller',
        'imei_receiver',
        'billing_information.currency',
        'billing_information.billing_plan',
        'voip_details.codec',
      ],
      number: [
        'call_duration_seconds',
        'caller_location.latitude',
        'receiver_location.longitude',
        'billing_information.call_cost',
        'billing_information.data_used_kb',
        'voip_details.packet_loss_percentage',
        'voip_details.jitter_ms',
        'voip_details.latency_ms',
      ],
      object: ['caller_location', 'receiver_location', 'billing_information', 'voip_details'],
      boolean: ['recording_available'],
    });
    limitsText(wire, { cdr_id: 200, network_provider: 200 });
    namesIgnoredFields(wire);

    it.each([
      ['call_start_time', '2026-11-21 09:50:00', /^the field 'call_start_time' is not an ISO 8601 UTC date-time/],
      ['call_start_time', '2026-02-30T09:50:00Z', /^the field 'call_start_time' is not an ISO 8601 UTC date-time/],
      ['call_end_time', '2026-11-21T10:52:00+01:00', /^the field 'call_end_time' is not an ISO 8601 UTC date-time/],
      ['timestamp', 'yesterday', /^the field 'timestamp' is not an ISO 8601 UTC date-time/],
      ['call_end_time', '2026-11-21T09:49:59Z', /^the field 'call_end_time' is before 'call_start_time'/],
      ['call_duration_seconds', 180, /^the field 'call_duration_seconds' is longer by a minute or more/],
      ['call_duration_seconds', -1, /^the field 'call_duration_seconds' must not be negative/],
      ['call_duration_seconds', 1.5, /^the field 'call_duration_seconds' must be a whole number/],
      ['caller_number', '0803123', /^the field 'caller_number' is no telephone number/],
      ['caller_number', '+0348031234567', /^the field 'caller_number' is no telephone number/],
      ['receiver_number', '+2348059876543210', /^the field 'receiver_number' is no telephone number/],
      ['caller_location.latitude', 90.1, /^the field 'caller_location.latitude' must lie between -90 and 90/],
      ['receiver_location.longitude', -180.1, /^the field 'receiver_location.longitude' must lie between -180 and 180/],
      ['caller_location.longitude', undefined, "the field 'caller_location.longitude' is required"],
      ['imei_caller', '4901542032375', /^the field 'imei_caller' must have 14 to 16 digits/],
      ['billing_information.currency', 'ZZZ', /^the field 'billing_information.currency' is not an ISO 4217/],
      ['billing_information.call_cost', -0.01, /^the field 'billing_information.call_cost' must not be negative/],
      [
        'voip_details.packet_loss_percentage',
        100.1,
        /^the field 'voip_details.packet_loss_percentage' must lie between 0 and 100/,
      ],
      ['voip_details.jitter_ms', -1, /^the field 'voip_details.jitter_ms' must not be negative/],
    ])('refuses %s of %s', async (field, value, message) => {
      const r = await send(put(record(), field, value));
      expect(r.status).toBe(400);
      expect(r.body.message).toMatch(message);
    });

    it('refuses a start over five minutes ahead', async () => {
      const own = await appAtTen();
      const at = (s: number) => new Date(Date.parse('2026-11-21T10:00:00Z') + s * 1000).toISOString();
      const body = (s: number) =>
        least({ call_start_time: at(s), call_end_time: at(s + 10), call_duration_seconds: 10 });
      contentOf(await own.post(path, body(300), own.key));
      expectRefusal(
        await own.post(path, body(301), own.key),
        400,
        'RECORD_INVALID',
        /^the field 'call_start_time' is more than 5 minutes in the future/,
      );
    });

    it('lists the errors of a record in the order of its fields', async () => {
      expectRefusal(
        await send(record({ caller_number: 'x', imei_caller: '1', call_duration_seconds: 700 })),
        400,
        'RECORD_INVALID',
        /^the field 'caller_number' .*; the field 'call_duration_seconds' .*; the field 'imei_caller' .* \(3 errors\)$/,
      );
    });

    it('quotes no device and no place in its messages, and records nothing of what it refuses', async () => {
      const before = [await entryCount(t), await rowCount(t, 'cdrs'), await rowCount(t, 'refs')];
      const r = await send(record({ imei_caller: '99887766', caller_location: { latitude: 91.2345, longitude: 3 } }));
      expect(r.status).toBe(400);
      for (const hidden of ['99887766', '91.2345']) expect(r.text).not.toContain(hidden);
      expect([await entryCount(t), await rowCount(t, 'cdrs'), await rowCount(t, 'refs')]).toEqual(before);
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'recordCDR');
    guardsClientHeader(wire);
  });

  describe('repeats', () => {
    it('answers the same record with DUPLICATE and the first id, and records nothing new', async () => {
      const body = record({ call_type: 'Fax' });
      const first = contentOf(await send(body));
      const before = await entryCount(t);
      const r = await send(Object.fromEntries(Object.entries(body).reverse()));
      expect(contentOf(r)).toEqual({ ...first, status: 'DUPLICATE' });
      expect(r.headers.get('idempotency-replayed')).toBe('true');
      expect(await entryCount(t)).toBe(before);
    });

    it('takes records as equal that differ only in how they are written', async () => {
      const body = least();
      const { cdrId } = contentOf(await send(body));
      const text = JSON.stringify({
        ...body,
        caller_number: '002348031234567',
        call_start_time: '2026-11-21T09:50:00.000+00:00',
      })
        .replace('24.5', '2.450e1')
        .replace('"NGN"', '"ngn"');
      expect(contentOf(await send(text))).toMatchObject({ cdrId, status: 'DUPLICATE' });
    });

    it.each([
      ['caller_number', '+2348031234568'],
      ['call_type', 'SMS'],
      ['billing_information.call_cost', 24.51],
      ['imei_caller', '356938035643809'],
      ['caller_location.latitude', 6.5245],
      ['recording_available', true],
    ])("refuses the same cdr_id with another '%s', naming it", async (field, value) => {
      const body = record();
      contentOf(await send(body));
      expectRefusal(
        await send(put(body, field, value)),
        409,
        'REF_CONFLICT',
        `the cdr_id '${body.cdr_id}' was used before with another '${field}'`,
      );
    });

    it('keeps ids of different accounts apart', async () => {
      const other = await t.makeClient(psp);
      const body = record();
      const one = contentOf(await send(body));
      const two = contentOf(await send({ ...body, call_status: 'BUSY' }, other.apiKey));
      expect(two.status).toBe('RECORDED');
      expect(one.cdrId).not.toBe(two.cdrId);
    });

    it('records many concurrent equal requests once', async () => {
      const body = record();
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(body)));
      expect(new Set(answers.map((r) => contentOf(r).cdrId)).size).toBe(1);
      expect(answers.filter((r) => contentOf(r).status === 'RECORDED')).toHaveLength(1);
      expect(await rowCount(t, 'cdrs', 'cdr_id = $1', [body.cdr_id])).toBe(1);
    });
  });

  describe('tells', () => {
    it('writes one entry with the exact resource, numbers masked, devices and places sealed', async () => {
      const { cdrId } = contentOf(await send(record(), psp.apiKey, { 'x-client-id': client.id }));
      const [entry, ...more] = await told(t, cdrId);
      expect(more).toEqual([]);
      expect(entry?.body).toMatchObject({
        type: 'cdr.recorded',
        clientId: client.id,
        version: 1,
        actor: { account: psp.id, by: expect.stringMatching(/^key_/) },
        sealed: expect.any(String),
        subject: expect.any(String),
      });
      const hash = expect.stringMatching(/^[\w-]{27}$/);
      const content = await shown(cdrId);
      const { caller_number, receiver_number } = content.record;
      expect(entry?.body.data).toEqual({
        ...content,
        record: {
          ...content.record,
          caller_number: maskNumber(caller_number),
          receiver_number: maskNumber(receiver_number),
        },
        callerHash: hash,
        receiverHash: hash,
      });
      for (const hidden of [caller_number, receiver_number, imei, '356938035643809', '6.5244', '3.3792', '9.0765'])
        expect(entry?.text).not.toContain(hidden);
    });

    it('keeps records and journal one to one, numbered without gaps', async () => {
      await Promise.all(Array.from({ length: 10 }, () => send()));
      await expectJournalComplete(t);
    });
  });
});

let tenApp: Promise<TestApp & { key: string }> | undefined;
afterAll(async () => (await tenApp)?.stop());

/** An application whose clock stands at 10:00 on 2026-11-21, for what depends on the age of a record. */
function appAtTen() {
  tenApp ??= makeTestApp().then(async (app) => ({ ...app, key: (await app.makePsp()).apiKey }));
  return tenApp;
}
