// The shipped data files: complete, valid and consistent with each other. Also: no code names a country.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  loadFeeRules,
  loadReference,
  loadRuleBook,
  readTaxFiles,
  shippedTax,
  taxFolder,
  uncheckedTax,
} from '../../platform/data-files.ts';
import { FeeSchedule } from '../fee.ts';
import { parseDecimal } from '../money.ts';
import type { CryptoAsset, Currency } from '../reference.ts';
import { Refusal } from '../refusal.ts';
import { classifications } from '../standing.ts';
import { countryProblems } from './problems.ts';
import { type CountryTax, taxedOperations } from './rule.ts';

const data = join(taxFolder, '..');
const read = (name: string) => JSON.parse(readFileSync(join(data, name), 'utf8'));
const today = '2026-11-21';
const currencies: Currency[] = read('currencies.json').currencies;
const assets: CryptoAsset[] = read('assets.json');
const { countries, aliases } = read('countries.json');
const files = readTaxFiles();
const shipped = files.map((f) => f.country as CountryTax);
const reference = loadReference();
const book = loadRuleBook();

/** Countries without a file: every amount is refused there. docs/reference/tax-coverage.md lists them too. */
const missing = ['EH', 'KP', 'SY'];

const isZone = (zone: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
};

describe('tax files', () => {
  it.each(files.map((f) => [f.file, f] as const))('%s has no problem', (_, f) => {
    expect(f.problems).toEqual([]);
    expect(countryProblems(f.country as CountryTax)).toEqual([]);
  });

  it('stand for every country of ISO 3166-1, except those listed as missing', () => {
    const codes: string[] = countries.map((c: { alpha2: string }) => c.alpha2);
    const have = shipped.map((c) => c.jurisdiction);
    expect(codes.filter((c) => !have.includes(c))).toEqual(missing);
    expect(have.filter((c) => !codes.includes(c))).toEqual([]);
    const coverage = readFileSync(join(data, '../../docs/reference/tax-coverage.md'), 'utf8');
    for (const code of missing) expect(coverage).toContain(`(${code})`);
  });

  it('name a currency in use today and a time zone that exists', () => {
    for (const c of shipped) {
      expect(reference.asset(c.currency, today, false), c.jurisdiction).not.toBeInstanceOf(Refusal);
      expect(isZone(c.timeZone), c.jurisdiction).toBe(true);
    }
  });

  it('keep to the calendar the reference data give their country', () => {
    for (const c of shipped) {
      const known = countries.find((k: { alpha2: string }) => k.alpha2 === c.jurisdiction);
      if (known.timeZone !== null) expect(c.timeZone, c.jurisdiction).toBe(known.timeZone);
    }
  });

  it('name every rule after its country, once in the whole dataset', () => {
    const seen = new Set<string>();
    for (const c of shipped)
      for (const r of c.rules) {
        expect(r.ruleId.startsWith(`${c.jurisdiction}-`), r.ruleId).toBe(true);
        expect(seen.has(r.ruleId), r.ruleId).toBe(false);
        seen.add(r.ruleId);
      }
  });

  it('name only classifications, currencies, countries and merchant codes that exist', () => {
    for (const r of shipped.flatMap((c) => c.rules)) {
      for (const c of r.classifications) expect(classifications, r.ruleId).toContain(c);
      for (const c of r.exemptOrigins ?? []) expect(reference.country(c), r.ruleId).not.toBeInstanceOf(Refusal);
      if (r.currency !== undefined)
        expect(reference.asset(r.currency, today, false), r.ruleId).not.toBeInstanceOf(Refusal);
      for (const range of r.mccRanges.filter((m) => !m.includes('-')))
        expect(reference.mcc(range), `${r.ruleId} ${range}`).toBe(range);
    }
  });

  it('say what the source says, or name the law, wherever they call a rule official or professional', () => {
    const backed = shipped.flatMap((c) =>
      c.rules.filter((r) => ['official', 'secondary'].includes(r.confidence)).map((rule) => ({ rule, country: c })),
    );
    expect(backed.length).toBeGreaterThanOrEqual(1200);
    for (const { rule, country } of backed) {
      expect(rule.legalRef ?? rule.says ?? '', `${rule.ruleId} has neither a law nor the words of its source`).not.toBe(
        '',
      );
      expect(country.sources[rule.source]?.url ?? '', `${rule.ruleId} has no address`).toMatch(/^https?:\/\/\S+$/);
    }
  });

  it('were read on a day that has been, and after they were published', () => {
    const day = (d: string) => new Date(`${d} UTC`).toISOString().slice(0, 10);
    for (const c of shipped)
      for (const [key, { title, publishedOn, retrievedOn }] of Object.entries(c.sources)) {
        expect(day(retrievedOn), `${c.jurisdiction} ${key}`).toBe(retrievedOn);
        // The day in brackets in a title is the day of the page.
        const named = /\((?:last reviewed |updated )?(\d{1,2} [A-Z][a-z]+ \d{4})\)/.exec(title)?.[1];
        if (named !== undefined) expect(publishedOn, `${c.jurisdiction} ${key}`).toBe(day(named));
        if (publishedOn == null) continue;
        expect(day(publishedOn).slice(0, publishedOn.length), `${c.jurisdiction} ${key}`).toBe(publishedOn);
        expect(publishedOn <= retrievedOn, `${c.jurisdiction} ${key}: read before it was published`).toBe(true);
      }
  });

  it('use every source they list', () => {
    for (const c of shipped) {
      const used = new Set(
        [...c.rules, ...(c.registration ?? []), ...(c.discounts ?? []), ...(c.gaming ?? [])].map((r) => r.source),
      );
      expect(
        Object.keys(c.sources).filter((k) => !used.has(k)),
        c.jurisdiction,
      ).toEqual([]);
    }
  });

  it('take VAT out of gross gaming revenue, which contains it', () => {
    // What players lose is all that the operator receives: rate / (100 + rate) of it is tax, to ten decimals.
    const within = { IE: 23, MT: 18, ZA: 15 };
    for (const [country, standard] of Object.entries(within)) {
      const rows = shipped.find((c) => c.jurisdiction === country)?.rules.filter((r) => r.base === 'GGR_PERIOD');
      const rates = rows?.filter((r) => r.taxCode === 'VAT').map((r) => r.rate);
      expect([country, rates]).toEqual([country, [((100 * standard) / (100 + standard)).toFixed(10)]]);
    }
  });

  it('write a rate that is a fraction to ten decimals, so that it is right to the cent of a large amount', () => {
    const quarters = Array.from({ length: 200 }, (_, i) => (i + 1) / 4);
    const fractions = new Set(
      quarters.flatMap((x) => [(100 * x) / (100 - x), (100 * x) / (100 + x)].map((f) => String(Number(f.toFixed(10))))),
    );
    const written = shipped.flatMap((c) => c.rules).filter((r) => (r.rate ?? '').replace(/^\d+\.?/, '').length > 4);
    expect(written.filter((r) => !fractions.has(r.rate ?? '')).map((r) => [r.ruleId, r.rate])).toEqual([]);
  });

  it('answer every sale, deposit and withdrawal on every day a rule begins or ends, since 2024', () => {
    for (const c of shipped) {
      const days = new Set(['2024-01-01', today, '2035-12-31']);
      for (const r of c.rules)
        for (const d of [r.validFrom, r.validTo]) if (d !== null && d >= '2024-01-01') days.add(d);
      for (const date of days)
        for (const operation of taxedOperations)
          for (const classification of [...classifications, ''])
            for (const mcc of [undefined, '5411', '7995']) {
              const plan = book.plan({ jurisdiction: c.jurisdiction, operation, classification, mcc, date });
              if (!plan) expect.fail(`${c.jurisdiction}: no plan for ${operation} ${classification} ${mcc} on ${date}`);
            }
    }
  });

  it('give a dataset version that changes with any character of any file', () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-tax-'));
    try {
      const text = readFileSync(join(taxFolder, files[0]?.file as string), 'utf8');
      const file = join(dir, files[0]?.file as string);
      writeFileSync(file, text);
      const before = loadRuleBook(dir).version;
      writeFileSync(file, `${text} `);
      expect(loadRuleBook(dir).version).not.toBe(before);
      writeFileSync(file, text);
      expect(loadRuleBook(dir).version).toBe(before);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

describe('a tax folder with a fault', () => {
  const folderOf = (made: Record<string, string>) => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-tax-'));
    for (const [name, text] of Object.entries(made)) writeFileSync(join(dir, name), text);
    return dir;
  };
  const sound = readFileSync(join(taxFolder, 'DE.json'), 'utf8');
  const refusedWith = (made: Record<string, string>, why: string) => {
    const dir = folderOf(made);
    try {
      expect(() => shippedTax(dir)).toThrow(why);
      expect(() => loadRuleBook(dir)).toThrow('tax rules refused');
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  };

  it('is refused whole, with file and row named', () => {
    const broken = JSON.parse(sound);
    broken.rules[2].rate = '7 %';
    refusedWith(
      { 'DE.json': JSON.stringify(broken), 'FR.json': readFileSync(join(taxFolder, 'FR.json'), 'utf8') },
      `DE.json: row 3 (${broken.rules[2].ruleId}): rate '7 %' must be a percentage as text, not negative`,
    );
  });

  it('is refused for text that is not JSON, a file under another name, and a rule that stands in two files', () => {
    refusedWith({ 'DE.json': '{' }, 'DE.json: is not JSON');
    refusedWith({ 'AT.json': sound }, 'AT.json: is for jurisdiction DE');
    refusedWith({ 'AT.json': sound, 'DE.json': sound }, 'stands in AT.json too');
    refusedWith({ 'DE.json': 'null' }, 'DE.json: ');
    refusedWith({ 'DE.json': '[]' }, 'DE.json: ');
  });

  it.each([
    [{ 'DE.json': '{' }, 'tax rules refused:\nDE.json: is not JSON'],
    [{ 'AT.json': sound }, 'tax rules refused:\nAT.json: is for jurisdiction DE'],
    [{ 'DE.json': 'null' }, 'tax rules refused:\nDE.json: is for jurisdiction undefined'],
  ])('is refused by each start for text that is no country under its name', (made, why) => {
    const dir = folderOf(made as Record<string, string>);
    try {
      expect(() => uncheckedTax(dir)).toThrow(why);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

describe('currencies', () => {
  it('have three capitals, whole decimals and their dates in order, each once', () => {
    expect(new Set(currencies.map((c) => c.code)).size).toBe(currencies.length);
    for (const c of currencies) {
      expect(c.code).toMatch(/^[A-Z]{3}$/);
      expect([0, 2, 3, 4], c.code).toContain(c.decimals);
      for (const d of [c.validFrom, c.validTo]) if (d !== null) expect(new Date(d).toISOString().slice(0, 10)).toBe(d);
      if (c.validFrom && c.validTo) expect(c.validFrom < c.validTo).toBe(true);
    }
  });

  it.each([
    ['NGN', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['UGX', 0],
    ['ISK', 0],
    ['CLF', 4],
    ['EUR', 2],
    ['KES', 2],
  ])('%s has %s decimals', (code, decimals) => {
    expect(reference.asset(code, today, false)).toMatchObject({ decimals });
  });

  it.each([
    ['ANG', '2025-06-30', '2025-07-01'],
    ['HRK', '2023-01-14', '2023-01-15'],
    ['BGN', '2026-01-31', '2026-02-01'],
  ])('%s is known on %s and withdrawn on %s', (code, last, gone) => {
    expect(reference.asset(code, last, false)).toMatchObject({ code });
    expect(reference.asset(code, gone, false)).toBeInstanceOf(Refusal);
  });

  it('XCG is in use since 2025-03-31', () => {
    expect(reference.asset('XCG', '2025-03-30', false)).toBeInstanceOf(Refusal);
    expect(reference.asset('XCG', '2025-03-31', false)).toMatchObject({ code: 'XCG' });
  });
});

describe('crypto assets', () => {
  it.each([
    ['BTC', 8],
    ['LTC', 8],
    ['DOGE', 8],
    ['BCH', 8],
    ['ETH', 18],
    ['BNB', 18],
    ['POL', 18],
    ['SOL', 9],
    ['TON', 9],
    ['XRP', 6],
    ['TRX', 6],
    ['ADA', 6],
    ['USDT', 18],
    ['USDC', 18],
    ['DAI', 18],
    ['DOT', 10],
    ['XLM', 7],
    ['XMR', 12],
  ])('%s takes up to %s decimals', (symbol, decimals) => {
    expect(reference.asset(symbol, today, true)).toMatchObject({ code: symbol, decimals });
  });

  it('have one default network each, one row per network, and no symbol that is a currency', () => {
    const symbols = new Set(assets.map((a) => a.symbol));
    for (const symbol of symbols) {
      const rows = assets.filter((a) => a.symbol === symbol);
      expect(
        rows.filter((a) => a.default),
        symbol,
      ).toHaveLength(1);
      expect(new Set(rows.map((a) => a.network)).size, symbol).toBe(rows.length);
      expect(
        currencies.some((c) => c.code === symbol),
        symbol,
      ).toBe(false);
      for (const a of rows)
        expect(Number.isInteger(a.decimals) && a.decimals >= 0 && a.decimals <= 24, symbol).toBe(true);
    }
  });
});

describe('countries', () => {
  it('are the 249 of ISO 3166-1 with XI and XK, their codes once each', () => {
    expect(countries).toHaveLength(251);
    for (const field of ['alpha2', 'alpha3'] as const) {
      const codes = countries
        .map((c: Record<string, string | null>) => c[field])
        .filter((c: string | null) => c !== null);
      expect(new Set(codes).size).toBe(codes.length);
    }
  });

  it('have a currency in use and a time zone that exists, where they have any', () => {
    for (const c of countries) {
      if (c.currency !== null) expect(reference.asset(c.currency, today, false), c.alpha2).not.toBeInstanceOf(Refusal);
      if (c.timeZone !== null) expect(isZone(c.timeZone), c.alpha2).toBe(true);
    }
  });

  it('have aliases that name a country and are none themselves', () => {
    for (const [alias, code] of Object.entries(aliases)) {
      expect(reference.country(alias)).toMatchObject({ alpha2: code });
      expect(countries.some((c: { alpha2: string }) => c.alpha2 === alias)).toBe(false);
    }
  });
});

describe('fees', () => {
  const rules = loadFeeRules();
  const schedule = new FeeSchedule(rules);

  it.each([
    ['verifyTransaction', '1.00'],
    ['cryptoDeposit', '0.50'],
    ['cryptoWithdrawal', '0.50'],
    ['deposit', '0.75'],
    ['withdrawal', '0.75'],
  ])('of %s are %s % by default, for every country, since 2024', (operation, percent) => {
    for (const date of ['2024-01-01', today])
      for (const country of countries) {
        const q = {
          psp: 'p',
          operation,
          classification: 'ECOMM_LOCAL',
          country: country.alpha2,
          currency: 'EUR',
          date,
        };
        expect(schedule.choose(q)?.percent).toBe(percent);
      }
  });

  it('have ids of their own and percentages as text', () => {
    expect(new Set(rules.map((r) => r.feeId)).size).toBe(rules.length);
    for (const r of rules) expect(parseDecimal(r.percent)?.units ?? -1n).toBeGreaterThanOrEqual(0n);
  });
});

describe('code', () => {
  const source = join(import.meta.dirname, '../..');
  const codes = new Set<string>([...countries.map((c: { alpha2: string }) => c.alpha2), ...Object.keys(aliases)]);

  /** Text without comments and without the examples in an operation's description, which may name places. */
  function logic(text: string): string {
    let out = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
    for (;;) {
      const at = /\bexamples?: ?[[{]/.exec(out);
      if (!at) return out;
      let depth = 0;
      let end = at.index + at[0].length - 1;
      do {
        const c = out[end++] as string;
        if ('[{'.includes(c)) depth++;
        else if (']}'.includes(c)) depth--;
      } while (depth > 0 && end < out.length);
      out = out.slice(0, at.index) + out.slice(end);
    }
  }

  it('names no country: what differs between countries stands in the data', () => {
    // The first start creates a demonstration PSP, which needs a country. EU reporting is one rule for a list of
    // states, kept in one place; so are the publishers of exchange rates, each with its country, and how publishers of
    // lists write the names of countries.
    const allowed = [
      join('modules', 'accounts', 'first-start.ts'),
      join('core', 'cesop', 'member-states.ts'),
      join('core', 'exchange', 'publishers.ts'),
      join('core', 'screening', 'countries.ts'),
      // The form of a list that the United Kingdom publishes.
      ...['tables.ts', 'uk.ts'].map((file) => join('core', 'screening', file)),
    ];
    const found: string[] = [];
    for (const room of ['core', 'modules'])
      for (const file of readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.ts') || file.endsWith('.test.ts') || allowed.includes(join(room, file))) continue;
        const text = logic(readFileSync(join(source, room, file), 'utf8'));
        for (const [quoted, code] of text.matchAll(/['"`]([A-Z]{2})['"`]/g))
          if (codes.has(code as string)) found.push(`${room}/${file}: ${quoted}`);
      }
    expect(found).toEqual([]);
  });
});
