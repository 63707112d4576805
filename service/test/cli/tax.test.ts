// assay tax: answers from the rules that ship, without a database.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTaxFiles } from '../../src/adapters/cli/tax-check.ts';
import { explain } from '../../src/adapters/cli/tax-explain.ts';
import { type ExplainOptions, explained } from '../../src/adapters/cli/tax-explain-options.ts';
import { taxChangeResources } from '../../src/core/tax/change-resource.ts';
import { loadRuleBook, taxFolder } from '../../src/platform/data-files.ts';
import { assayWith } from './run.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-tax-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** No database answers there, and no data folder may come to be. */
const nowhere = () => ({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: join(folder, 'data') });
const asked: ExplainOptions = {
  country: 'NG',
  operation: 'verifyTransaction',
  amount: '107.50',
  fee: '1.50',
  date: '2026-11-21',
};
const now = Date.parse('2026-11-21T10:00:00Z');

describe('assay tax explain', () => {
  it('answers with the split and the ground of every tax, without a database', async () => {
    const assay = assayWith(nowhere());
    const args = ['tax', 'explain', '--country', 'nga', '--operation', 'verifyTransaction', '--amount', '107.50'];
    const [document, text] = await Promise.all([
      assay(...args, '--fee', '1.50', '--date', '2026-11-21', '--json'),
      assay(...args, '--fee', '1.50', '--date', '2026-11-21'),
    ]);
    expect([document.exitCode, document.stderr, text.exitCode, text.stderr]).toEqual([0, '', 0, '']);
    expect(document.json().split).toEqual({
      vatAmount: 7.5,
      processingFee: 1.08,
      transactionFee: 1.5,
      transactionVAT: 0.19,
      merchantAmount: 97.23,
    });
    expect(document.json()).toEqual(JSON.parse(JSON.stringify(explain(asked, now))));
    for (const r of document.json().rules) {
      expect(r).toMatchObject({ taxCode: 'VAT', rate: '7.5 %', confidence: expect.any(String) });
      expect(r.source).toMatchObject({ title: expect.any(String), retrievedOn: expect.any(String) });
      expect(text.stdout).toContain(r.ruleId);
      expect(text.stdout).toContain(r.source.title);
    }
    expect(text.stdout).toMatch(/^merchantAmount +97\.23$/m);
    expect(existsSync(nowhere().DATA_DIR)).toBe(false);
  });

  it('says why a client that is not registered owes none', async () => {
    const args = ['tax', 'explain', '--country', 'NG', '--operation', 'verifyTransaction', '--amount', '107.50'];
    const r = await assayWith(nowhere())(...args, '--date', '2026-11-21', '--not-registered');
    expect([r.exitCode, r.stdout]).toEqual([0, expect.stringMatching(/^ {2}reason: NOT_REGISTERED$/m)]);
    const { rules } = explain({ ...asked, notRegistered: true }, now);
    expect(rules.map((l) => [l.base, l.reason])).toEqual([
      ['GROSS_INCLUSIVE', 'NOT_REGISTERED'],
      ['FEE', null],
    ]);
    expect(explain(asked, now).rules.map((l) => l.reason)).toEqual([null, null]);
  });

  it('gives the rate in effect of a tax that is withheld of what is left', () => {
    const { rules } = explain({ ...asked, country: 'PH', amount: '1000000', date: '2026-11-21' }, now);
    expect(rules.find((r) => r.base === 'REMITTANCE')).toMatchObject({
      rate: expect.any(String),
      effectiveRate: '0.5',
    });
  });

  it.each(explained)('explains %s, and what it takes apart sums to the amount', (operation) => {
    const e = explain({ ...asked, operation, amount: '250000', classification: 'IGAMING_LOCAL' }, now);
    expect(e.operation).toBe(operation);
    if (operation === 'captureWager' || operation === 'capturePayout' || operation === 'recordCDR') {
      expect(e.split).toBeNull();
      return;
    }
    const parts = Object.values(e.split as Record<string, number>);
    expect(parts.reduce((a, b) => a + Math.round(b * 100), 0)).toBe(25_000_000);
    const taxes = e.rules.reduce((a, r) => a + Math.round(r.tax * 100), 0);
    const split = e.split as { vatAmount: number; transactionVAT?: number };
    expect(taxes).toBe(Math.round((split.vatAmount + (split.transactionVAT ?? 0)) * 100));
  });

  it('says what is due by return on a call of its kind, to whom, and in which currency', () => {
    const of = (country: string, more: object) =>
      explain({ ...asked, country, operation: 'recordCDR', date: '2026-11-20', amount: '730', ...more }, now);
    const senegal = of('SN', { callType: 'VOICE' });
    // RUTEL 5 %, VAT 18 % of both; the contribution of 5 % beside them.
    expect(senegal.rules.map((r) => [r.taxCode, r.tax])).toEqual([
      ['RUTEL', 36.5],
      ['VAT', 137.97],
    ]);
    expect(senegal.accruals.map((a) => [a.ruleId, a.tax, a.owedBy, a.authority])).toEqual([
      ['SN-CST-CDR-VOICE-2018', 36.5, 'CLIENT', 'Direction générale des Impôts et des Domaines'],
    ]);
    // Two and a half minutes at 0.0075 dollars.
    expect(of('CD', { duration: 150 }).accruals).toMatchObject([
      { taxCode: 'TELECOM_LEVY', tax: 0.01875, taxable: null, quantity: '2.5', currency: 'USD' },
    ]);
    expect(of('TN', {}).accruals).toEqual([]);
  });

  it('taxes the winnings of a payout, which are what its stake leaves', () => {
    const won = explain({ ...asked, operation: 'capturePayout', amount: '1000', stake: '400' }, now);
    const lost = explain({ ...asked, operation: 'capturePayout', amount: '1000', stake: '2000' }, now);
    expect(won.rules.find((r) => r.base === 'WINNINGS')).toMatchObject({ taxable: 600 });
    expect(lost.rules.find((r) => r.base === 'WINNINGS')).toMatchObject({ taxable: 0, tax: 0 });
  });

  // Tanzania: VAT of 18 % is due on the fee with its excise of 10 %, 19.8 % of the fee. Senegal's TTA rests on nothing else.
  it('says of a rate that it is charged on other taxes only where it is, and names no limit of 0', async () => {
    const said = async (country: string) => {
      const args = ['--country', country, '--operation', 'verifyTransaction', '--amount', '118000'];
      return (await assayWith(nowhere())('tax', 'explain', ...args)).stdout;
    };
    expect(await said('SN')).toContain('TTA 0.5 %, at most 2000 XOF');
    expect(await said('SN')).not.toContain('in effect');
    expect(await said('TZ')).toContain('in effect 19.8 %: it is charged on other taxes too');
    expect(await said('ZW')).toContain('IMTT 1.5 %, in ZWG only');
  });

  it('takes the rules of the day it is asked for', () => {
    const ids = (date: string) => explain({ ...asked, date }, now).rules.map((r) => r.ruleId);
    expect(ids('2025-12-31')).not.toEqual(ids('2026-01-01'));
  });

  it.each<[string, Partial<ExplainOptions>, string]>([
    ['a currency it does not know', { currency: 'XXZ' }, '--currency is not'],
    ['a code it does not know', { mcc: '0000' }, '--mcc is not'],
    ['taxes above the amount', { amount: '1', fee: '5' }, '--amount is less than'],
    ['too many decimals', { amount: '1.005' }, 'at most 2 decimals'],
    ['no number', { fee: 'ten' }, '--fee must be an amount'],
    ['nothing to take apart', { amount: '0' }, '--amount must be more than 0'],
  ])('refuses %s and names the option', (_what, over, says) => {
    expect(() => explain({ ...asked, ...over }, now)).toThrow(says);
  });

  it.each([
    [3, ['--country', 'ZZ', '--amount', '1'], '--country is not'],
    [2, ['--country', 'NG', '--amount', '1.005'], 'at most 2 decimals'],
  ])('ends with %i for %j', async (exitCode, args, says) => {
    const r = await assayWith(nowhere())('tax', 'explain', '--operation', 'verifyTransaction', ...args);
    expect([r.exitCode, r.stdout]).toEqual([exitCode, '']);
    expect(r.stderr).toContain(says);
  });
});

describe('assay tax changes', () => {
  const assay = (...args: string[]) => assayWith(nowhere())('tax', 'changes', ...args);

  it('lists what changes with rules, law, source and confidence, without a database', async () => {
    const days = ['--since', '2025-01-01', '--until', '2025-01-01', '--country', 'svk'];
    const [document, text] = await Promise.all([assay(...days, '--json'), assay(...days)]);
    expect([document.exitCode, document.stderr, text.exitCode, text.stderr]).toEqual([0, '', 0, '']);
    const { since, until, country, items } = document.json();
    expect([since, until, country]).toEqual(['2025-01-01', '2025-01-01', 'SK']);
    expect(items).toEqual(JSON.parse(JSON.stringify(taxChangeResources(loadRuleBook(), { since, until, country }))));
    expect(text.stdout).toContain('2025-01-01 Slovakia, VAT on sales: 23 % in place of 20 %\n');
    expect(text.stdout).toContain('SK-VAT-STANDARD-2011 → SK-VAT-STANDARD-2025');
    for (const i of items) {
      expect(text.stdout).toContain(i.title);
      expect(text.stdout).toContain(`${i.confidence}: ${i.source.title}`);
    }
    expect(existsSync(nowhere().DATA_DIR)).toBe(false);
  });

  it('includes what is enacted for the future unless an end is given', async () => {
    const open = await assay('--since', '2026-11-26', '--country', 'VN', '--json');
    const closed = await assay('--since', '2026-11-26', '--until', '2026-12-31', '--country', 'VN');
    expect(open.json().items.map((i: { day: string }) => i.day)).toContain('2027-01-01');
    expect([closed.exitCode, closed.stdout]).toEqual([0, 'Nothing changes in these days.\n']);
  });

  it.each([
    [['--until', '2026-01-01'], 2, '--since'],
    [['--since', 'yesterday'], 2, 'A date such as'],
    [['--since', '2026-01-02', '--until', '2026-01-01'], 2, '--until must not be before --since'],
    [['--since', '2026-01-01', '--country', 'ZZ'], 3, '--country is not'],
    [['--since', '2026-01-01', '--country', 'KP'], 2, 'no tax rules for KP'],
  ])('refuses %j', async (args, exitCode, message) => {
    const r = await assay(...args);
    expect([r.exitCode, r.stdout]).toEqual([exitCode, '']);
    expect(r.stderr).toContain(message);
  });
});

describe('assay tax check', () => {
  it('finds the dataset that ships sound, and counts every row once', async () => {
    const r = await assayWith(nowhere())('tax', 'check', '--json');
    expect([r.exitCode, r.stderr]).toEqual([0, '']);
    const { totals, problems, countries } = r.json();
    expect(problems).toEqual([]);
    expect(totals.official + totals.secondary + totals.unverified + totals.assumed).toBe(totals.rules);
    expect(totals.countries).toBe(countries.length);
    expect(existsSync(nowhere().DATA_DIR)).toBe(false);
  });

  it('names every problem with its file, prints the whole document and ends with 1', async () => {
    const good = JSON.parse(readFileSync(join(taxFolder, 'NG.json'), 'utf8'));
    const text = (change: (c: typeof good) => void) => {
      const copy = structuredClone(good);
      change(copy);
      return JSON.stringify(copy);
    };
    writeFileSync(
      join(folder, 'NG.json'),
      text((c) => (c.rules[0].rate = 'much')),
    );
    writeFileSync(join(folder, 'GH.json'), '{ "jurisdiction"');
    writeFileSync(join(folder, 'KE.json'), JSON.stringify(good));
    const r = await assayWith(nowhere())('tax', 'check', '--folder', folder, '--json');
    expect(r.exitCode).toBe(1);
    expect(r.stderr).toMatch(/^assay: \d+ problems in the tax files\n$/);
    const problems = r.json().problems as { file: string; problem: string }[];
    const of = (file: string) =>
      problems
        .filter((p) => p.file === file)
        .map((p) => p.problem)
        .join('\n');
    expect(of('NG.json')).toContain("rate 'much' must be a percentage");
    expect(of('GH.json')).toContain('is not JSON');
    expect(of('KE.json')).toContain('is for jurisdiction NG');
    const person = await assayWith(nowhere())('tax', 'check', '--folder', folder);
    expect(person.exitCode).toBe(1);
    expect(person.stdout).toContain('GH.json: is not JSON');
  });

  it('tells sunsets ahead and sources that are due to be read again, by the day it is asked for', () => {
    const day = '2026-11-21';
    const fresh = checkTaxFiles(day);
    expect(fresh.stale).toEqual([]);
    for (const s of fresh.sunsets) expect(s.on >= day).toBe(true);
    expect(fresh.sunsets.length).toBeGreaterThan(0);
    const later = checkTaxFiles('2027-12-01');
    expect(later.stale.length).toBeGreaterThan(0);
    expect(later.sunsets.length).toBeLessThan(fresh.sunsets.length);
  });
});
