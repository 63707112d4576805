// Declarations of call detail records: the same content is recorded once; other content supersedes it, and none is
// changed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  guardsClientHeader,
  put,
  refusesOperators,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, rowCount, told } from '../support/journal.ts';

let t: TestApp;
let psp: Account;
let client: Account;
let tax = 100;
const path = '/v1/telecom/declaration';
const line = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  class: 'ONNET',
  taxCode: 'VAT',
  records: 12,
  minutes: 30.5,
  dataMb: 0,
  gross: 457.5,
  taxable: 457.5,
  tax: 34.31,
  currency: 'NGN',
  ...over,
});
/** With a tax of its own, so that it is never the declaration that is in force. */
const body = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  period: '2026-10',
  lines: [line({ tax: ++tax })],
  ...over,
});
const send = (b: unknown = body(), key = client.apiKey, headers: Record<string, string> = {}) =>
  t.post(path, b, key, headers);
const shown = async (id: string, key = client.apiKey) => contentOf(await t.get(`${path}/${id}`, key));
const wire: Wire = { app: () => t, method: 'POST', path, caller: () => client, body };

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe('declareCdr', () => {
  describe('accepts', () => {
    it('keeps every figure exactly, shows them with their period, and says that they are in force', async () => {
      const own = await t.makeClient(psp);
      const text = JSON.stringify(body({ lines: [line({ tax: '@' }), { class: 'SMS', records: 3, currency: 'ngn' }] }));
      const made = contentOf(await send(text.replace('"@"', '12345678901234567890.123456'), own.apiKey));
      expect(made).toEqual({
        declarationId: expect.stringMatching(/^dcl_[0-9a-z]{26}$/),
        period: '2026-10',
        revision: 1,
        status: 'DECLARED',
      });
      const detail = await t.get(`${path}/${made.declarationId}`, own.apiKey);
      expect(detail.text).toContain('"tax":12345678901234567890.123456');
      expect(contentOf(detail)).toMatchObject({
        clientId: own.id,
        recordedBy: own.id,
        current: true,
        lineCount: 2,
        createdAt: '2026-11-21T10:00:00.000Z',
        lines: [
          { class: 'ONNET', taxCode: 'VAT', currency: 'NGN', records: 12, minutes: 30.5, dataMb: 0, gross: 457.5 },
          { class: 'SMS', taxCode: null, currency: 'NGN', records: 3, minutes: null, tax: null },
        ],
      });
    });

    it('takes lines of all classes or all taxes together beside single ones', async () => {
      const r = await send(
        body({ lines: [line(), { tax: 7, currency: 'NGN' }, { class: 'ONNET', records: 12, currency: 'NGN' }] }),
      );
      expect((await shown(contentOf(r).declarationId)).lines.map((l: { class: string }) => l.class)).toEqual([
        null,
        'ONNET',
        'ONNET',
      ]);
    });

    it("concerns the PSP's own account without x-client-id, and the named client with it", async () => {
      const own = contentOf(await send(body(), psp.apiKey));
      expect(await shown(own.declarationId, psp.apiKey)).toMatchObject({ clientId: psp.id, recordedBy: psp.id });
      const named = contentOf(await send(body(), psp.apiKey, { 'x-client-id': client.id }));
      expect(await shown(named.declarationId)).toMatchObject({ clientId: client.id, recordedBy: psp.id });
    });

    it('takes the month that still runs in the country, from its own midnight on', async () => {
      const late = await makeTestApp({ startAt: '2026-11-30T22:59:59Z' });
      try {
        const own = await late.makeClient(await late.makePsp());
        const december = () => late.post(path, body({ period: '2026-12' }), own.apiKey);
        expectRefusal(
          await december(),
          400,
          'FIELD_INVALID',
          "the field 'period' names a month that has not started: 2026-12; it is 2026-11-30 there",
        );
        late.advance(1000);
        expect(contentOf(await december()).revision).toBe(1);
      } finally {
        await late.stop();
      }
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['period', 'lines', 'lines[0].currency']);
    refusesWrongTypes(wire, {
      text: ['period', 'lines[0].currency', 'lines[0].taxCode'],
      number: ['lines[0].minutes', 'lines[0].dataMb', 'lines[0].gross', 'lines[0].taxable', 'lines[0].tax'],
      array: ['lines'],
    });

    it.each(['2026-13', '2026-00', '1999-12', '0000-10', '2027-01', '2026-1', 'October'])(
      'refuses the period %s',
      async (period) => {
        expectRefusal(await send(body({ period })), 400, 'FIELD_INVALID', /^the field 'period' /);
      },
    );

    it.each([
      ['lines[0].class', 'ON_NET', 'must be one of ONNET, OFFNET, '],
      ['lines[0].taxCode', 'VATT', 'must be a tax on call records of NG in 2026-10: EXCISE, VAT'],
      ['lines[0].tax', -0.01, 'must be zero or more'],
      ['lines[0].gross', -1, 'must be zero or more'],
      ['lines[0].records', -1, 'must be a whole number of at least 0'],
      ['lines[0].records', 1.5, 'must be a whole number'],
      ['lines', [], 'must have at least 1 entry'],
    ])('refuses %s as %j and says why', async (field, value, message) => {
      const r = await send(put(body(), field, value));
      expectRefusal(r, 400, 'FIELD_INVALID', new RegExp(`^the field '${field.replace(/[[\]]/g, '\\$&')}' `));
      expect(r.body.message).toContain(message);
    });

    it('refuses a currency that is none, or was none in the period', async () => {
      for (const currency of ['NGX', 'SLL', 'BTC'])
        expectRefusal(
          await send(put(body(), 'lines[0].currency', currency)),
          400,
          'UNKNOWN_CURRENCY',
          /^the field 'lines\[0\]\.currency' /,
        );
    });

    it('refuses a tax per minute in a currency it is not charged in', async () => {
      const ghana = await t.makeClient(psp, { countryCode: 'GH' });
      const surtax = (currency: string) => body({ lines: [{ class: 'INTL_IN', taxCode: 'SURTAX', tax: 6, currency }] });
      expectRefusal(
        await send(surtax('GHS'), ghana.apiKey),
        400,
        'FIELD_INVALID',
        "the field 'lines[0].currency' must be USD: SURTAX is charged in it",
      );
      expect(contentOf(await send(surtax('usd'), ghana.apiKey)).status).toBe('DECLARED');
    });

    it('knows the taxes of the period, not of today', async () => {
      const ghana = await t.makeClient(psp, { countryCode: 'GH' });
      const covid = (period: string) =>
        send(body({ period, lines: [{ taxCode: 'COVID', tax: 1, currency: 'GHS' }] }), ghana.apiKey);
      expect(contentOf(await covid('2025-12')).status).toBe('DECLARED');
      expectRefusal(await covid('2026-01'), 400, 'FIELD_INVALID', /must be a tax on call records of GH in 2026-01: /);
    });

    it('refuses a line that occurs twice, in whatever case its currency is, and one that declares nothing', async () => {
      expectRefusal(
        await send(body({ lines: [line(), line({ currency: 'ngn', tax: 1 })] })),
        400,
        'FIELD_INVALID',
        "the field 'lines[1].class' doubles a line: lines[0] has the same class, taxCode and currency",
      );
      expectRefusal(
        await send(body({ lines: [{ class: 'SMS', currency: 'NGN' }] })),
        400,
        'FIELD_INVALID',
        "the field 'lines[0].currency' stands alone: the line declares no figure",
      );
    });

    it('takes the figures of a class on each line of its taxes, but never two of them', async () => {
      const both = (records: number) => body({ lines: [line({ tax: ++tax }), line({ taxCode: 'EXCISE', records })] });
      expect(contentOf(await send(both(12))).status).toBe('SUPERSEDED');
      expectRefusal(
        await send(both(13)),
        400,
        'FIELD_INVALID',
        "the field 'lines[1].records' is 13, and lines[0] says 12 for the same class and currency",
      );
    });

    it('takes a base only beside the tax it is the base of', async () => {
      expectRefusal(
        await send(body({ lines: [{ class: 'SMS', taxable: 5, tax: 1, currency: 'NGN' }] })),
        400,
        'FIELD_INVALID',
        "the field 'lines[0].taxable' needs the tax it is the base of: give taxCode as well",
      );
    });

    it('records nothing of what it refuses', async () => {
      const before = [await entryCount(t), await rowCount(t, 'cdr_declarations')];
      await send(body({ lines: [line(), line()] }));
      await send(put(body(), 'lines[0].taxCode', 'VATT'));
      expect([await entryCount(t), await rowCount(t, 'cdr_declarations')]).toEqual(before);
    });
  });

  describe('authorises', () => {
    refusesOperators(wire, 'declareCdr');
    guardsClientHeader(wire);

    it("shows a client its own declarations, a PSP those of all its clients, nobody another's", async () => {
      const [a, b, stranger] = [await t.makeClient(psp), await t.makeClient(psp), await t.makePsp()];
      const mine = contentOf(await send(body(), a.apiKey)).declarationId;
      const list = async (key: string, headers = {}) =>
        contentOf(await t.get(`${path}?period=2026-10`, key, headers)).items.map(
          (d: { declarationId: string }) => d.declarationId,
        );
      expect(await list(a.apiKey)).toEqual([mine]);
      expect(await list(b.apiKey)).toEqual([]);
      expect(await list(psp.apiKey, { 'x-client-id': a.id })).toEqual([mine]);
      expect(await list(psp.apiKey)).toContain(mine);
      expect(await list(stranger.apiKey)).toEqual([]);
      for (const key of [b.apiKey, stranger.apiKey])
        expectRefusal(await t.get(`${path}/${mine}`, key), 404, 'NOT_FOUND');
      expect((await shown(mine, psp.apiKey)).clientId).toBe(a.id);
    });
  });

  describe('repeats', () => {
    it('answers the same figures again with the first id, in whatever order the lines stand', async () => {
      const own = await t.makeClient(psp);
      const [one, two] = [line(), line({ class: 'SMS' })];
      const first = contentOf(await send(body({ lines: [one, two] }), own.apiKey));
      const entries = await entryCount(t);
      const again = contentOf(await send(body({ lines: [two, put(one, 'currency', 'ngn')] }), own.apiKey));
      expect(again).toEqual({ ...first, status: 'UNCHANGED' });
      expect(await entryCount(t)).toBe(entries);
    });

    it('supersedes the declaration before, keeps it as it was, and may return to it as a new one', async () => {
      const own = await t.makeClient(psp);
      const [a, b] = [body(), body()];
      const made = [];
      for (const x of [a, b, a]) made.push(contentOf(await send(x, own.apiKey)));
      expect(made.map((m) => [m.revision, m.status])).toEqual([
        [1, 'DECLARED'],
        [2, 'SUPERSEDED'],
        [3, 'SUPERSEDED'],
      ]);
      const details = [];
      for (const m of made) details.push(await shown(m.declarationId, own.apiKey));
      expect(details.map((d) => d.current)).toEqual([false, false, true]);
      expect(details[0].lines).toEqual(details[2].lines);
      const other = contentOf(await send({ ...a, period: '2026-09' }, own.apiKey));
      expect(other).toMatchObject({ revision: 1, status: 'DECLARED' });
      const list = contentOf(await t.get(`${path}?limit=3`, own.apiKey));
      expect(list.items.map((d: { period: string; revision: number }) => [d.period, d.revision])).toEqual([
        ['2026-09', 1],
        ['2026-10', 3],
        ['2026-10', 2],
      ]);
      expect(list.nextCursor).not.toBeNull();
    });

    it('counts declarations that come at once one after the other, each recorded once', async () => {
      const own = await t.makeClient(psp);
      const bodies = Array.from({ length: 8 }, () => body());
      const answers = await Promise.all([...bodies, ...bodies].map((b) => send(b, own.apiKey)));
      expect(answers.map((r) => r.status)).toEqual(answers.map(() => 200));
      const rows = await t.database.admin.query(
        'SELECT revision FROM cdr_declarations WHERE account_id = $1 ORDER BY revision',
        [own.uuid],
      );
      expect(rows.map((r) => r.revision)).toEqual(rows.map((_, i) => i + 1));
      expect(rows.length).toBeGreaterThanOrEqual(8);
      const [ref] = await t.database.admin.query(
        "SELECT revision FROM refs WHERE space = 'cdr_declaration' AND account_id = $1",
        [own.uuid],
      );
      expect(ref?.revision).toBe(rows.length);
    });
  });

  describe('tells', () => {
    it('who declared what and when, and what it supersedes; no other role can change it', async () => {
      const own = await t.makeClient(psp);
      const first = contentOf(await send(body(), own.apiKey)).declarationId;
      const second = contentOf(await send(body(), psp.apiKey, { 'x-client-id': own.id })).declarationId;
      const [entry] = await told(t, second);
      expect(entry).toMatchObject({
        kind: 'cdr.declared',
        body: {
          timestamp: new Date(t.now()).toISOString(),
          actor: { account: psp.id },
          clientId: own.id,
          data: { period: '2026-10', revision: 2, lines: [{ class: 'ONNET', tax }] },
          evidence: { supersedes: first },
        },
      });
      await expect(
        t.app.services.db.query("UPDATE cdr_declarations SET lines = '[]' WHERE account_id = $1", [own.uuid]),
      ).rejects.toThrow('permission denied');
      await expectJournalComplete(t);
    });
  });
});
