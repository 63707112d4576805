// assay tax load, assay tax check --live and assay fee, beside two running services: both use the new rates within a
// second, and a refused change has no effect.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkInForce } from '../../src/adapters/cli/tax-check.ts';
import { type App, makeApp } from '../../src/app.ts';
import type { CountryTax, TaxRule } from '../../src/core/tax/rule.ts';
import { taxFolder } from '../../src/platform/data-files.ts';
import { makeLog } from '../../src/platform/log.ts';
import { readSettings } from '../../src/settings.ts';
import { until } from '../durability/support/conditions.ts';
import { taxCountry, taxRow } from '../support/tax-rows.ts';
import { makeWorld, me, type World } from './world.ts';

let w: World;
/** Another process on the same database. */
let second: App;
let folder: string;
let psp: { pspId: string; apiKey: string };

beforeAll(async () => {
  w = await makeWorld();
  second = await makeApp({
    settings: readSettings({ ...w.env, PORT: '0', DATABASE_POOL: '2' }),
    log: makeLog('silent'),
  });
  folder = mkdtempSync(join(tmpdir(), 'assay-rates-'));
  psp = await w.makePsp('Rate Pay');
});
afterAll(async () => {
  await second.stop();
  await w.stop();
  rmSync(folder, { recursive: true, force: true });
});

const shipped = (code: string) =>
  JSON.parse(readFileSync(join(taxFolder, `${code}.json`), 'utf8')) as CountryTax & { rules: TaxRule[] };
const standard = (c: { rules: readonly TaxRule[] }) => c.rules.find((r) => r.ruleId.includes('-STANDARD-')) as TaxRule;

/** A country's file as it ships, with another standard rate. */
function file(code: string, rate: string, name = `${code}.json`): string {
  const c = shipped(code);
  Object.assign(standard(c), { rate });
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(c));
  return path;
}

const rateIn = async (code: string) => {
  const { rates } = (await w.call(`/v1/tax/rates?country=${code}&date=2026-11-21`, psp.apiKey)).body.content;
  return standard({ rules: rates }).rate;
};
const versions = () => [w.app, second].map((a) => a.services.rates.book.version);
const reasonsOf = async () => (await w.journal('rates.changed')).map((e) => [e.actor.by, e.evidence.reason]);

describe('assay tax load', () => {
  it('supersedes countries while services run, which take them over by themselves', async () => {
    const r = await w.json('tax', 'load', file('LI', '9.5'), file('AD', '6.5'), '--reason', 'two new laws');
    expect([r.exitCode, r.stderr]).toEqual([0, '']);
    expect(r.json()).toEqual({ dataset: expect.stringMatching(/^[0-9a-f]{16}$/), files: ['LI.json', 'AD.json'] });
    const { dataset } = r.json();
    await until('both services have taken it over', () => versions().every((v) => v === dataset));
    expect([await rateIn('LI'), await rateIn('AD')]).toEqual(['9.5', '6.5']);
    const entries = (await w.journal('rates.changed')).filter((e) => e.evidence.reason === 'two new laws');
    expect(entries.map((e) => [e.actor.by, e.data.countries.map((c: CountryTax) => c.jurisdiction)])).toEqual([
      [me, ['LI', 'AD']],
    ]);
    const person = await w.plain('tax', 'load', file('LI', '9.6'), '--reason', 'corrected');
    expect(person.stdout).toMatch(/^LI\.json in force; the dataset is now [0-9a-f]{16}\n$/);
    await until('the service has taken it over', async () => (await rateIn('LI')) === '9.6');
  });

  it('refuses all files for one faulty row, names file, row and reason, and leaves the rules in force', async () => {
    const good = file('AT', '19');
    for (const a of [w.app, second]) await a.services.rateKeeper.refresh();
    const before = [await rateIn('AT'), versions(), await reasonsOf()];
    const bad = file('BE', 'much', 'belgium.json');
    const r = await w.json('tax', 'load', good, bad, '--reason', 'a slip');
    expect(r.exitCode).toBe(3);
    expect(r.json()).toEqual({ success: false, code: 'RATES_INVALID', message: expect.any(String) });
    const row = `row ${shipped('BE').rules.findIndex((x) => x.ruleId === standard(shipped('BE')).ruleId) + 1}`;
    expect(r.json().message).toContain('those in force stay: ');
    expect(r.json().message).toContain(`belgium.json: ${row} (${standard(shipped('BE')).ruleId}): rate 'much' must be`);
    expect(r.stderr).toContain('belgium.json');
    for (const a of [w.app, second]) expect(await a.services.rateKeeper.refresh()).toBe(false);
    expect([await rateIn('AT'), versions(), await reasonsOf()]).toEqual(before);
  });

  it('refuses a file that is no JSON', async () => {
    const before = await reasonsOf();
    const path = join(folder, 'half.json');
    writeFileSync(path, '{ "jurisdiction"');
    const r = await w.plain('tax', 'load', path, '--reason', 'x');
    expect([r.exitCode, r.stdout]).toEqual([3, '']);
    expect(r.stderr).toContain('half.json: is not a country file');
    expect(await reasonsOf()).toEqual(before);
  });
});

describe('assay tax check --live', () => {
  it('tells of the rules in force which staff loaded and which shipped', async () => {
    const { dataset } = (await w.json('tax', 'load', file('LU', '16'), '--reason', 'lowered')).json();
    const r = await w.json('tax', 'check', '--live', '--date', '2026-11-21');
    expect([r.exitCode, r.stderr]).toEqual([0, '']);
    const found = r.json();
    expect(found).toMatchObject({ date: '2026-11-21', dataset, problems: [] });
    const of = (code: string) => found.countries.find((c: { jurisdiction: string }) => c.jurisdiction === code);
    expect(of('LU')).toMatchObject({ origin: 'operator', actor: me, recordedAt: expect.any(String), problems: 0 });
    expect(of('NG')).toMatchObject({ origin: 'shipped', actor: 'system' });
    expect(found.totals.countries).toBe(found.countries.length);
    const { official, secondary, assumed, unverified, rules } = found.totals;
    expect(official + secondary + assumed + unverified).toBe(rules);
    const person = await w.plain('tax', 'check', '--live', '--date', '2099-01-01');
    expect(person.stdout).toMatch(new RegExp(`^Dataset +${dataset}$`, 'm'));
    expect(person.stdout).toMatch(new RegExp(`^LU .* operator +${me} `, 'm'));
    expect(person.stdout).toContain('Rules whose source is due to be read again');
  });

  it('takes no folder: it is either the files or what is in force', async () => {
    const r = await w.plain('tax', 'check', '--live', '--folder', folder);
    expect([r.exitCode, r.stdout]).toEqual([2, '']);
    expect(r.stderr).toContain("option '--live' cannot be used with option '--folder <folder>'");
  });

  const live = (rules: readonly TaxRule[], over: Partial<CountryTax> = {}) => ({
    origin: 'operator' as const,
    actor: 'cli:ada',
    recordedAt: '2026-11-01T00:00:00.000Z',
    country: taxCountry(rules, over),
  });
  const sourceRead = (retrievedOn: string) => ({
    sources: { act: { title: 'VAT Act', publisher: 'The state', url: 'https://law.example/vat', retrievedOn } },
  });
  const check = (c: ReturnType<typeof live>) => checkInForce('2026-11-21', 'd', [c]);

  it('tells the sunsets of the next 90 days and no later ones', () => {
    const ending = (ruleId: string, sunsetOn: string) => taxRow({ ruleId, sunsetOn });
    const found = check(
      live([
        ending('AA-PAST', '2026-11-20'),
        ending('AA-TODAY', '2026-11-21'),
        ending('AA-LAST', '2027-02-19'),
        ending('AA-LATER', '2027-02-20'),
        taxRow({ ruleId: 'AA-OVER', sunsetOn: '2026-12-01', validTo: '2026-11-21' }),
      ]),
    );
    expect(found.sunsets).toEqual([
      { jurisdiction: 'AA', ruleId: 'AA-TODAY', on: '2026-11-21' },
      { jurisdiction: 'AA', ruleId: 'AA-LAST', on: '2027-02-19' },
    ]);
  });

  it('tells the rows whose source nobody has read for 180 days', () => {
    expect(check(live([taxRow()], sourceRead('2026-05-25'))).stale).toEqual([]);
    expect(check(live([taxRow()], sourceRead('2026-05-24'))).stale).toEqual([
      { jurisdiction: 'AA', ruleId: 'AA-VAT-STANDARD-2020', on: '2026-05-24' },
    ]);
  });

  it('checks them by the rules of this version, which may be stricter than when they were loaded', () => {
    const found = check(live([taxRow({ rate: 'much' })]));
    expect(found.problems).toEqual([{ file: 'AA', problem: expect.stringContaining("rate 'much' must be") }]);
  });
});

describe('assay fee', () => {
  const set = (feeId: string, ...more: string[]) =>
    w.json(
      'fee',
      'set',
      '--fee-id',
      feeId,
      '--percent',
      '0.25',
      '--from',
      '2026-01-01',
      '--reason',
      'contract',
      ...more,
    );
  const quoted = async () => {
    const question = {
      operation: 'verifyTransaction',
      totalAmount: 1000,
      currency: 'NGN',
      countryCode: 'NG',
      date: '2026-11-21',
    };
    return (await w.call('/v1/tax/quote', psp.apiKey, question)).body.content.fees;
  };

  it('sets a row that running services price by, lists it, and ends it', async () => {
    expect((await quoted()).feeId).toBe('DEFAULT-ECOMM-2024');
    const options = ['--psp', psp.pspId, '--operations', 'verifyTransaction, deposit', '--countries', 'nga'];
    const money = ['--currency', 'NGN', '--fixed', '1.50', '--min', '2', '--max', '100', '--to', '2027-01-01'];
    const r = await set('RATE-PAY-2026', ...options, ...money);
    expect([r.exitCode, r.stderr, r.json()]).toEqual([0, '', { feeId: 'RATE-PAY-2026' }]);
    await until('the service prices by it', async () => (await quoted()).feeId === 'RATE-PAY-2026');
    expect(await quoted()).toMatchObject({ percent: '0.25', fixed: '1.50', ofThisPsp: true, processingFee: 4 });
    await until('so does the other', () => second.services.rates.fees.rule('RATE-PAY-2026') !== undefined);

    const [list, table] = await Promise.all([w.json('fee', 'list'), w.plain('fee', 'list')]);
    expect(list.json().items.find((f: { feeId: string }) => f.feeId === 'RATE-PAY-2026')).toMatchObject({
      pspId: psp.pspId,
      operations: ['verifyTransaction', 'deposit'],
      countries: ['NG'],
      currency: 'NGN',
      min: '2',
      max: '100',
      validTo: '2027-01-01',
    });
    expect(table.stdout).toMatch(/^RATE-PAY-2026 +psp_\w+ +verifyTransaction deposit +NG +0\.25 +1\.50 NGN/m);
    expect(table.stdout).toMatch(/^DEFAULT-ECOMM-2024 +every /m);

    const ended = await w.json('fee', 'end', 'RATE-PAY-2026', '--reason', 'contract ended');
    expect([ended.exitCode, ended.json()]).toEqual([0, { feeId: 'RATE-PAY-2026' }]);
    await until('the service is back at the general row', async () => (await quoted()).feeId === 'DEFAULT-ECOMM-2024');
    const told = (await reasonsOf()).filter(([, reason]) => /^contract/.test(reason));
    expect(told).toEqual([
      [me, 'contract'],
      [me, 'contract ended'],
    ]);
    const again = await w.json('fee', 'end', 'RATE-PAY-2026', '--reason', 'once more');
    expect([again.exitCode, again.json().code]).toEqual([3, 'NOT_FOUND']);
  });

  it.each([
    ['a name of the wrong form', ['lower'], '--fee-id must be 3 to 80 capital letters'],
    ['a country that does not exist', ['NO-COUNTRY', '--countries', 'ZZ'], '--countries is not an ISO 3166-1'],
  ])('refuses %s, names the option and adds nothing', async (_what, [feeId, ...more], says) => {
    const before = await reasonsOf();
    const r = await set(feeId as string, ...more);
    expect(r.exitCode).toBe(3);
    expect(r.json().message).toContain(says);
    expect(await reasonsOf()).toEqual(before);
  });
});

describe('assay asset', () => {
  it('adds an asset that both processes of the service know, and lists it beside those that are shipped', async () => {
    const words = ['asset', 'add', 'PYTH', '--network', 'SOLANA', '--decimals', '6', '--name', 'Pyth Network'];
    const r = await w.json(...words, '--reason', 'listed');
    expect([r.exitCode, r.stderr]).toEqual([0, '']);
    expect(r.json()).toMatchObject({ symbol: 'PYTH', decimals: 6, origin: 'operator', checked: true });
    await until('so does the other', () => second.services.reference.networks('PYTH').length === 1);
    const table = await w.plain('asset', 'list');
    expect(table.stdout).toMatch(/^PYTH +SOLANA +6 +Pyth Network +operator +yes$/m);
    expect(table.stdout).toMatch(/^BTC +BITCOIN +8 +Bitcoin +shipped +yes$/m);
    expect((await w.json('asset', 'list', 'PYTH')).json().items).toHaveLength(1);
  });
});
