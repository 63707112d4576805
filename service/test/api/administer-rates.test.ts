// Rates changed by staff while the service runs: tax rules of a country superseded, fee rows added and ended. A load
// with an error is refused as a whole, and transactions that were priced before keep their rates.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toWire } from '../../src/core/ids.ts';
import type { CountryTax, TaxRule } from '../../src/core/tax/rule.ts';
import { RateKeeper, shippedCountries } from '../../src/modules/rates/index.ts';
import { rulesOf } from '../../src/modules/rates/rates-store.ts';
import { loadFeeRules, taxFolder } from '../../src/platform/data-files.ts';
import type { Database } from '../../src/platform/database.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import {
  contentOf,
  expectRefusal,
  limitsText,
  refusesWrongTypes,
  requiresFields,
  type Wire,
} from '../support/guarantees.ts';
import { entryCount, rowCount } from '../support/journal.ts';

let t: TestApp;
/** Another process on the same database. */
let two: TestApp;
let operator: Account;
let psp: Account;
let client: Account;
let n = 0;
const post = (path: string, body: unknown, key = operator.apiKey) => t.post(`/v1/admin/${path}`, body, key);

/** Liechtenstein as it ships, with its standard rate and whatever else changed. */
function country(rate: string, change: (c: CountryTax & { rules: TaxRule[] }) => void = () => undefined): CountryTax {
  const file = JSON.parse(readFileSync(join(taxFolder, 'LI.json'), 'utf8')) as CountryTax & { rules: TaxRule[] };
  (standard(file) as { rate: string }).rate = rate;
  change(file);
  return file;
}
const standard = (c: CountryTax) => c.rules.find((r) => r.ruleId === 'LI-VAT-STANDARD-2024') as TaxRule;
const load = (c: unknown, reason = 'a new law') => post('tax', { reason, country: c });
const inForce = async (a = t) => {
  const c = contentOf(await a.get('/v1/tax/rates?country=LI&date=2026-11-21', psp.apiKey));
  return c.rates.find((r: { ruleId: string }) => r.ruleId === 'LI-VAT-STANDARD-2024').rate;
};
const changes = () => rowCount(t, 'journal', "kind = 'rates.changed'");
const lastChange = async () => {
  const [r] = await t.database.admin.query(
    "SELECT body FROM journal WHERE kind = 'rates.changed' ORDER BY id DESC LIMIT 1",
  );
  return JSON.parse(r?.body as string);
};

const sale = (over: Record<string, unknown> = {}) => ({
  ref: `order-${++n}`,
  totalAmount: 1000,
  currency: 'CHF',
  countryCode: 'LI',
  paymentMethods: { card: 1000 },
  transactionFee: 0,
  ...over,
});
const verify = async (key = client.apiKey, over: Record<string, unknown> = {}) =>
  contentOf(await t.post('/v1/transaction/verifyTransaction', sale(over), key));
const shown = async (transactionId: string, expand: string) =>
  contentOf(await t.get(`/v1/transaction/${transactionId}?expand=${expand}`, psp.apiKey));

/** Only an operator's key gets in. */
function forOperatorsOnly(wire: Wire, operationId: string): void {
  it('refuses the keys of PSPs and clients', async () => {
    const body = await wire.body?.();
    const before = await entryCount(t);
    for (const { apiKey } of [psp, client]) {
      const r = wire.method === 'GET' ? await t.get(wire.path, apiKey) : await t.post(wire.path, body, apiKey);
      expectRefusal(r, 403, 'AUDIENCE', `${operationId} is for an operator's key`);
    }
    expect(await entryCount(t)).toBe(before);
  });
}

beforeAll(async () => {
  const env = { ASSAY_MASTER_KEY: 'cd'.repeat(32) };
  t = await makeTestApp({ env });
  two = await makeTestApp({ env, database: t.database });
  operator = await t.makeOperator();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(async () => {
  await two?.stop();
  await t?.stop();
});

describe('loadTax', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    path: '/v1/admin/tax',
    caller: () => operator,
    body: () => ({ reason: 'a new law', country: country('8.1') }),
  };

  describe('accepts', () => {
    it('puts rules in force for the very next decision, and leaves the ground of earlier ones', async () => {
      contentOf(await load(country('8.1')));
      const before = await verify();
      const c = contentOf(await load(country('10')));
      expect(c).toEqual({
        jurisdiction: 'LI',
        dataset: expect.stringMatching(/^[0-9a-f]{16}$/),
        rules: country('10').rules.length,
      });
      expect(await inForce()).toBe('10');
      const after = await verify();
      expect([before.vatAmount, after.vatAmount]).toEqual([74.93, 90.91]);
      const ground = async (id: string) => (await shown(id, 'tax')).tax[0];
      expect(await ground(after.transactionId)).toMatchObject({ rate: '10', dataset: c.dataset });
      const first = await ground(before.transactionId);
      expect(first.rate).toBe('8.1');
      expect(first.dataset).not.toBe(c.dataset);
    });

    it('is taken over whole, or not yet, by a process that reads while it is committed', async () => {
      contentOf(await load(country('17')));
      let during: (() => Promise<unknown>) | undefined;
      // Commits a change right after each statement that reads which version is in force.
      const between = (db: Database): Database => ({
        async query<R extends object>(text: string, values?: readonly unknown[]) {
          const rows = await db.query<R>(text, values);
          const change = during;
          if (!text.includes('tax_datasets') || !change) return rows;
          during = undefined;
          await change();
          return rows;
        },
      });
      const reads = t.app.services.db;
      const keeper = await RateKeeper.start(
        { query: between(reads).query, transaction: (work) => reads.transaction((tx) => work(between(tx))) },
        t.app.services,
        shippedCountries(),
        loadFeeRules(),
      );
      const standing = () => keeper.rates.book.rule('LI-VAT-STANDARD-2024')?.rule;
      const rateOf = (rule: TaxRule | undefined) => (rule && 'rate' in rule ? rule.rate : undefined);
      for (const [first, second] of [
        ['19', '20'],
        ['21', '22'],
      ] as const) {
        contentOf(await load(country(first)));
        // The first statement only asks whether there is anything new; the second begins the reading itself.
        const commit = async () => contentOf(await load(country(second)));
        during = async () => {
          during = commit;
        };
        await keeper.refresh();
        const version = keeper.rates.book.version;
        // What the keeper has under a version's name is what the database has under it.
        const stored = (await rulesOf(reads, version, ['LI-VAT-STANDARD-2024']))[0]?.rule;
        expect(rateOf(standing())).toBe(rateOf(stored));
        expect(rateOf(standing())).toBe(first);
        await keeper.refresh();
        expect(rateOf(standing())).toBe(second);
      }
    });

    it('is taken over by another process on the same database within a second', async () => {
      contentOf(await load(country('18')));
      expect(await inForce()).toBe('18');
      await until('the other process has them', async () => (await inForce(two)) === '18');
      expect(two.app.services.rates.book.version).toBe(t.app.services.rates.book.version);
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['reason', 'country']);
    refusesWrongTypes(wire, { text: ['reason'], object: ['country'] });
    limitsText(wire, { reason: 500 });

    it.each<[string, (c: CountryTax & { rules: TaxRule[] }) => void, string]>([
      [
        'a malformed rate',
        (c) => Object.assign(standard(c), { rate: 'much' }),
        "row 1 (LI-VAT-STANDARD-2024): rate 'much'",
      ],
      [
        'a row without a source',
        (c) => Object.assign(standard(c), { source: 'hearsay' }),
        "source 'hearsay' is not among",
      ],
      ['two rows for one question', (c) => c.rules.push({ ...standard(c), ruleId: 'LI-VAT-TWICE' }), 'overlaps row 1'],
      [
        'a gap',
        (c) => Object.assign(standard(c), { validTo: '2027-01-01' }),
        'no sale rule for verifyTransaction on 2027-01-01',
      ],
      ['no country', (c) => Object.assign(c, { jurisdiction: 'ZZ' }), "jurisdiction 'ZZ' is not a country code"],
      ["another country's ruleId", (c) => Object.assign(standard(c), { ruleId: 'NG-VAT-FEE-2020' }), 'belongs to NG'],
      ['no rules', (c) => Object.assign(c, { rules: 'none' }), 'rules must be an array of rows'],
    ])('refuses a file with %s whole, and says where', async (_what, change, says) => {
      const rate = await inForce();
      const version = t.app.services.rates.book.version;
      const entries = await changes();
      const r = await load(country('9', change));
      expectRefusal(r, 400, 'RATES_INVALID', /^the tax rules were refused, those in force stay: country: /);
      expect(r.body.message).toContain(says);
      expect([await inForce(), t.app.services.rates.book.version, await changes()]).toEqual([rate, version, entries]);
      expect(await t.app.services.rateKeeper.refresh()).toBe(false);
    });

    it('names all faults at once, twenty of them', async () => {
      const r = await load(
        country('9', (c) => {
          for (const rule of c.rules.slice(0, 20)) Object.assign(rule, { bearer: 'NOBODY' });
        }),
      );
      for (const rule of country('9').rules.slice(0, 20)) expect(r.body.message).toContain(rule.ruleId);
    });

    it('refuses what is no country file', async () => {
      for (const c of [{}, { jurisdiction: 'LI' }, { bank: 'Equity', rules: [1] }])
        expectRefusal(await load(c), 400, 'RATES_INVALID');
    });
  });

  describe('authorises', () => forOperatorsOnly(wire, 'loadTax'));

  describe('repeats', () => {
    it('comes to the same dataset when the same rules are loaded again', async () => {
      const first = contentOf(await load(country('11')));
      contentOf(await load(country('12')));
      expect(contentOf(await load(country('11'))).dataset).toBe(first.dataset);
      expect(await inForce()).toBe('11');
    });

    it('leaves one set of rules in force after loads at the same time', async () => {
      const all = await Promise.all(['13', '14', '15', '16'].map((rate) => load(country(rate))));
      for (const r of all) contentOf(r);
      await t.app.services.rateKeeper.refresh();
      expect(['13', '14', '15', '16']).toContain(await inForce());
      expect(await rowCount(t, 'tax_countries', "jurisdiction = 'LI' AND superseded_at IS NULL")).toBe(1);
      const live = "jurisdiction = 'LI' AND upper_inf(recorded)";
      expect(await rowCount(t, 'tax_rules', live)).toBe(country('9').rules.length);
    });
  });

  describe('tells', () => {
    it('writes one entry with actor, reason, the dataset and what was loaded', async () => {
      const before = await changes();
      const { dataset } = contentOf(await load(country('17'), 'Law 2026/17'));
      expect(await changes()).toBe(before + 1);
      const entry = await lastChange();
      expect(entry).toMatchObject({
        type: 'rates.changed',
        evidence: { reason: 'Law 2026/17' },
        data: { dataset, countries: [{ jurisdiction: 'LI', hash: expect.stringMatching(/^[0-9a-f]{64}$/) }] },
      });
      expect(entry.actor.by).toBe(`key_${operator.apiKey.split('_')[1]}`);
    });
  });
});

const feeBody = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  feeId: `TEST-${++n}`,
  pspId: psp.id,
  operations: ['verifyTransaction'],
  percent: '0.5',
  validFrom: '2026-01-01',
  reason: 'contract of 2026',
  ...over,
});
const end = (feeId: string, key?: string) => post(`fee/${feeId}/end`, { reason: 'contract ended' }, key);
const fee = async (a: Account, over: Record<string, unknown> = {}) => (await verify(a.apiKey, over)).processingFee;

describe('setFee', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    path: '/v1/admin/fee',
    caller: () => operator,
    // Each row is for a PSP of its own, so that none overlaps another.
    body: async () => feeBody({ pspId: (await t.makePsp()).id }),
  };

  describe('accepts', () => {
    it("prices a PSP's next call, and its clients', by its own row, and nobody else's", async () => {
      const house = await t.makePsp();
      const shop = await t.makeClient(house);
      expect(await fee(house)).toBe(10);
      const c = contentOf(await post('fee', feeBody({ pspId: house.id, percent: '0.25' })));
      expect([await fee(house), await fee(shop), await fee(psp)]).toEqual([2.5, 2.5, 10]);
      const { transactionId } = await verify(house.apiKey);
      const seen = contentOf(await t.get(`/v1/transaction/${transactionId}?expand=fees`, house.apiKey));
      expect(seen.fees).toMatchObject({
        feeId: c.feeId,
        percent: '0.25',
        ofThisPsp: true,
        processingFee: 2.5,
      });
    });

    it('adds a fixed part and keeps to least and most, in their currency only', async () => {
      const house = await t.makePsp();
      const money = { currency: 'CHF', percent: '1', fixed: '0.30', min: '2', max: '50' };
      contentOf(await post('fee', feeBody({ pspId: house.id, ...money })));
      const of = (totalAmount: number) => fee(house, { totalAmount, paymentMethods: { card: totalAmount } });
      expect([await of(1000), await of(100), await of(100_000)]).toEqual([10.3, 2, 50]);
      expect(await fee(house, { currency: 'EUR' })).toBe(10);
    });

    it('takes the row that fits most narrowly: country, classification, operation', async () => {
      const house = await t.makePsp();
      const shop = await t.makeClient(house, { classification: 'ECOMM_GLOBAL' });
      contentOf(await post('fee', feeBody({ pspId: house.id, operations: undefined, percent: '3' })));
      expect(await fee(shop)).toBe(30);
      contentOf(await post('fee', feeBody({ pspId: house.id, classifications: ['ECOMM_GLOBAL'], percent: '2' })));
      expect([await fee(shop), await fee(house)]).toEqual([20, 30]);
      contentOf(await post('fee', feeBody({ pspId: house.id, countries: ['LIE'], percent: '4' })));
      expect([await fee(shop), await fee(shop, { countryCode: 'DE' })]).toEqual([40, 20]);
    });

    it('takes a row for the days it is valid, the last one excluded', async () => {
      const house = await t.makePsp();
      contentOf(await post('fee', feeBody({ pspId: house.id, validFrom: '2026-11-22', percent: '5' })));
      contentOf(
        await post('fee', feeBody({ pspId: house.id, validFrom: '2026-11-01', validTo: '2026-11-21', percent: '6' })),
      );
      expect(await fee(house)).toBe(10);
      const quoted = async (date: string) => {
        const body = { operation: 'verifyTransaction', totalAmount: 1000, currency: 'CHF', countryCode: 'LI', date };
        return contentOf(await t.post('/v1/tax/quote', body, house.apiKey)).processingFee;
      };
      expect([await quoted('2026-11-20'), await quoted('2026-11-21'), await quoted('2026-11-22')]).toEqual([
        60, 10, 50,
      ]);
    });

    it('is taken over by another process on the same database within a second', async () => {
      const has = async (a: TestApp, feeId: string) =>
        contentOf(await a.get('/v1/admin/fee', operator.apiKey)).items.some(
          (r: { feeId: string }) => r.feeId === feeId,
        );
      const { feeId } = contentOf(await post('fee', feeBody({ pspId: (await t.makePsp()).id })));
      await until('the other process has it', () => has(two, feeId));
      contentOf(await two.post(`/v1/admin/fee/${feeId}/end`, { reason: 'over' }, operator.apiKey));
      await until('the first one has dropped it', async () => !(await has(t, feeId)));
    });
  });

  describe('validates', () => {
    requiresFields(wire, ['feeId', 'percent', 'validFrom', 'reason']);
    refusesWrongTypes(wire, {
      text: ['feeId', 'pspId', 'currency', 'percent', 'fixed', 'min', 'max', 'validFrom', 'validTo', 'reason'],
      array: ['operations', 'classifications', 'countries'],
    });
    limitsText(wire, { reason: 500 });

    it.each([
      [{ feeId: 'lower' }, 'FIELD_INVALID', /^the field 'feeId' must be 3 to 80 capital letters/],
      [{ percent: '1%' }, 'FIELD_INVALID', /^the field 'percent' must be a percentage/],
      [{ percent: '-1' }, 'FIELD_INVALID', /^the field 'percent' must be a percentage/],
      [{ percent: '100.01' }, 'RATES_INVALID', /percent must be from 0 to 100/],
      [{ fixed: '1' }, 'RATES_INVALID', /fixed needs the currency it is in/],
      [{ min: '5', max: '4', currency: 'CHF' }, 'RATES_INVALID', /min is above max/],
      [{ validTo: '2026-01-01' }, 'RATES_INVALID', /validTo must be null or later than validFrom/],
      [{ countries: ['ZZ'] }, 'UNKNOWN_COUNTRY', /^the field 'countries' is not/],
      [{ feeId: 'DEFAULT-ECOMM-2024' }, 'RATES_INVALID', /was used before/],
    ])('refuses %j with %s and adds nothing', async (over, code, message) => {
      const before = [await changes(), await rowCount(t, 'fee_rules')];
      expectRefusal(await post('fee', feeBody(over)), 400, code, message);
      expect([await changes(), await rowCount(t, 'fee_rules')]).toEqual(before);
    });

    it('refuses an id that is of no PSP, and adds nothing', async () => {
      const before = [await changes(), await rowCount(t, 'fee_rules')];
      const absent = toWire('psp', t.app.services.ids.next());
      for (const pspId of ['nobody', client.id, operator.id, absent])
        expectRefusal(
          await post('fee', feeBody({ pspId })),
          404,
          'NOT_FOUND',
          `the field 'pspId' names no PSP: '${pspId}'`,
        );
      expect([await changes(), await rowCount(t, 'fee_rules')]).toEqual(before);
    });

    it.each([
      [{ validFrom: '2026-02-30' }, "validFrom '2026-02-30' is no day of the calendar"],
      [{ validFrom: '2026-13-01' }, "validFrom '2026-13-01' is no day of the calendar"],
      [{ validFrom: '0000-00-00' }, "validFrom '0000-00-00' is no day of the calendar"],
      [{ validFrom: '0001-01-01' }, "validFrom '0001-01-01' is no day of the calendar from 1970-01-01 on"],
      [{ validTo: '2027-02-29' }, "validTo '2027-02-29' is no day of the calendar"],
      [{ validTo: '2026-06-31' }, "validTo '2026-06-31' is no day of the calendar"],
    ])('refuses %j, which no calendar has', async (over, message) => {
      const r = await post('fee', feeBody({ pspId: psp.id, ...over }));
      expectRefusal(r, 400, 'RATES_INVALID');
      expect(r.body.message).toContain(message);
    });

    it('refuses a row for the same calls on the same days as another, and names that one', async () => {
      const house = await t.makePsp();
      const { feeId } = contentOf(await post('fee', feeBody({ pspId: house.id, countries: ['LI', 'DE'] })));
      const same = { pspId: house.id, countries: ['DE', 'LI'], validFrom: '2027-01-01' };
      expectRefusal(await post('fee', feeBody(same)), 400, 'RATES_INVALID', new RegExp(`it overlaps ${feeId}`));
      contentOf(await end(feeId));
      contentOf(await post('fee', feeBody(same)));
    });
  });

  describe('authorises', () => forOperatorsOnly(wire, 'setFee'));

  describe('repeats', () => {
    it('takes a feeId once, also after the row was ended', async () => {
      const house = await t.makePsp();
      const body = feeBody({ pspId: house.id });
      contentOf(await post('fee', body));
      expectRefusal(await post('fee', body), 400, 'RATES_INVALID');
      contentOf(await end(body.feeId as string));
      expectRefusal(await post('fee', body), 400, 'RATES_INVALID', /was used before; choose another/);
    });
  });

  describe('tells', () => {
    it('writes one entry with the row and the reason', async () => {
      const house = await t.makePsp();
      const { feeId } = contentOf(await post('fee', feeBody({ pspId: house.id, reason: 'contract 7' })));
      expect(await lastChange()).toMatchObject({
        evidence: { reason: 'contract 7' },
        data: { fee: { feeId, psp: house.id, percent: '0.5', validTo: null } },
      });
    });
  });
});

describe('endFee', () => {
  const wire: Wire = {
    app: () => t,
    method: 'POST',
    get path() {
      return `/v1/admin/fee/${made}/end`;
    },
    caller: () => operator,
    async body() {
      made = contentOf(await post('fee', feeBody({ pspId: (await t.makePsp()).id }))).feeId;
      return { reason: 'contract ended' };
    },
  };
  let made = 'NONE-YET';

  describe('accepts', () => {
    it('falls back to the general row, and leaves the ground of what was priced before', async () => {
      const house = await t.makePsp();
      const { feeId } = contentOf(await post('fee', feeBody({ pspId: house.id, percent: '0.25' })));
      const before = await verify(house.apiKey);
      expect(contentOf(await end(feeId))).toEqual({ feeId });
      expect(await fee(house)).toBe(10);
      const seen = contentOf(await t.get(`/v1/transaction/${before.transactionId}?expand=fees`, house.apiKey));
      expect(seen.fees).toMatchObject({ feeId, percent: '0.25', processingFee: 2.5 });
    });
  });

  describe('validates', () => {
    it("requires the field 'reason'", async () => {
      const { feeId } = contentOf(await post('fee', feeBody({ pspId: (await t.makePsp()).id })));
      expectRefusal(await post(`fee/${feeId}/end`, {}), 400, 'FIELD_REQUIRED', "the field 'reason' is required");
    });
    it.each(['NOBODY', 'DEFAULT-ECOMM-2024'])('answers not found for %s: no row that staff set', async (feeId) => {
      expectRefusal(await end(feeId), 404, 'NOT_FOUND', new RegExp(`^no live fee row '${feeId}' that was set here`));
    });
  });

  describe('authenticates', () => {
    it('refuses a call without a key', async () => {
      expectRefusal(await t.post('/v1/admin/fee/X/end', { reason: 'r' }), 401, 'KEY_MISSING');
    });
  });
  describe('authorises', () => forOperatorsOnly(wire, 'endFee'));

  describe('repeats', () => {
    it('ends a row once', async () => {
      const { feeId } = contentOf(await post('fee', feeBody({ pspId: (await t.makePsp()).id })));
      const entries = await changes();
      const all = await Promise.all(Array.from({ length: 5 }, () => end(feeId)));
      expect(all.map((r) => r.status).sort()).toEqual([200, 404, 404, 404, 404]);
      expect(await changes()).toBe(entries + 1);
    });
  });

  describe('tells', () => {
    it('writes one entry with the row and the reason', async () => {
      const { feeId } = contentOf(await post('fee', feeBody({ pspId: (await t.makePsp()).id })));
      contentOf(await end(feeId));
      expect(await lastChange()).toMatchObject({ data: { feeEnded: feeId }, evidence: { reason: 'contract ended' } });
    });
  });
});

describe('listFees', () => {
  const wire: Wire = { app: () => t, method: 'GET', path: '/v1/admin/fee', caller: () => operator };

  describe('accepts', () => {
    it('lists the shipped rows and those that staff set, with their PSP as its id', async () => {
      const house = await t.makePsp();
      const { feeId } = contentOf(await post('fee', feeBody({ pspId: house.id })));
      const { items } = contentOf(await t.get('/v1/admin/fee', operator.apiKey));
      const row = (id: string) => items.find((f: { feeId: string }) => f.feeId === id);
      expect(row('DEFAULT-ECOMM-2024')).toMatchObject({ pspId: null, percent: '1.00', validTo: null });
      expect(row(feeId)).toMatchObject({ pspId: house.id, percent: '0.5', validFrom: '2026-01-01' });
      expect(JSON.stringify(items)).not.toContain(house.uuid);
      contentOf(await end(feeId));
      const left = contentOf(await t.get('/v1/admin/fee', operator.apiKey)).items;
      expect(left.some((f: { feeId: string }) => f.feeId === feeId)).toBe(false);
    });
  });
  describe('authorises', () => forOperatorsOnly(wire, 'listFees'));
});

describe('a change whose journal entry cannot be written', () => {
  it('is not made: no rate, fee or end is in force that the journal does not tell of', async () => {
    const ofPsp = async () => feeBody({ pspId: (await t.makePsp()).id });
    const [kept, other] = [await ofPsp(), await ofPsp()];
    contentOf(await post('fee', kept));
    const fees = async () =>
      (await t.database.admin.query('SELECT 1 FROM fee_rules WHERE superseded_at IS NULL')).length;
    const before = [await inForce(), await fees(), await changes()];
    await t.database.admin.query('REVOKE INSERT ON journal FROM assay_app');
    try {
      for (const r of [await load(country('12.75')), await post('fee', other), await end(kept.feeId as string)])
        expect(r.status).toBeGreaterThanOrEqual(500);
    } finally {
      await t.database.admin.query('GRANT INSERT ON journal TO assay_app');
    }
    expect([await inForce(), await fees(), await changes()]).toEqual(before);
    contentOf(await end(kept.feeId as string));
  });
});
