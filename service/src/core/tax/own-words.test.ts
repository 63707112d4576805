// A row is held against its own words: the numbers in what its source says, its name, its category and its reason. None of them
// follows from the others, so that a mistyped rate, year or category contradicts one of them.
import { describe, expect, it } from 'vitest';
import { readTaxFiles } from '../../platform/data-files.ts';
import type { CountryTax, TaxRule } from './rule.ts';

const countries = readTaxFiles().map((f) => f.country as CountryTax);
const rows = countries.flatMap((country) => country.rules.map((rule) => ({ country, rule })));

const numeral = (text: string): string => String(Number(text));
/** Rates and amounts per unit, those of 0 apart. */
const ratesOf = (r: TaxRule): string[] =>
  [r.rate, r.unitAmount, ...(r.brackets ?? []).map((b) => b.rate), ...(r.slabs ?? []).map((b) => b.rate ?? b.amount)]
    .filter((rate) => rate !== undefined)
    .map(numeral)
    .filter((rate) => rate !== '0');

const spelled = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

function numbersIn(text: string): Set<string> {
  const written = [...text.matchAll(/\d+(?:[.,]\d+)*/g)].flatMap(([n]) => [
    n.replace(/,(?=\d{3}\b)/g, ''),
    n.replace(',', '.'),
  ]);
  const words = text.toLowerCase().split(/[^a-z]+/);
  return new Set([
    ...written.map(numeral),
    ...words.flatMap((w) => (spelled.includes(w) ? [String(spelled.indexOf(w))] : [])),
  ]);
}

const namesPercentage = (text: string): boolean =>
  /\d\s*(%|per cent)/.test(text) || new RegExp(`\\b(${spelled.join('|')}) per cent`, 'i').test(text);

/** All that a row says of itself. */
const wordsOf = ({ country, rule: r }: (typeof rows)[number]): string =>
  [r.says, r.note, r.legalRef, country.sources[r.source]?.title].filter(Boolean).join(' ');

/** Rows whose words name other percentages than theirs, with how theirs follows from them. */
const workedOut: Readonly<Record<string, string>> = {
  'BO-VAT-STANDARD-2024': '13 / 87',
  'BO-VAT-TELECOM-2024': '13 / 87',
  'BR-ISS-SERVICES-2024': '5 / 95',
  'DZ-VAT-GROCERIES-2024': 'the standard rate',
  'EE-GGR-REMOTE-2027': '6 less two times half a point',
  'EE-GGR-REMOTE-2028': '6 less three times half a point',
  'GA-VAT-LODGING-RESTAURANTS-2024': 'the standard rate',
  'HR-WHT-LOTTERY-2015': 'then as those of betting',
  'LT-VAT-RESTAURANTS-2024': 'the standard rate',
  'MA-VAT-GROCERIES-2024': 'the standard rate',
  'NG-VAT-NEWSPAPERS-2026': 'the rate of all that is neither exempt nor zero-rated',
  'TD-VAT-GROCERIES-2024': 'the standard rate',
  'TD-VAT-GROCERIES-2026': 'the standard rate',
  'US-SALES-DC-LODGING-2027': '15.95 less the additional 1',
  'US-LODGING-MT-2024': '4 and 4',
};

const bearsGeneralRate = /(standard|general|normal) (vat |gst )?(rate|rule)|as the gst on such fees/i;
/** Rows that speak of a general rate and bear another one, with why. */
const ofAnotherRate: Readonly<Record<string, string>> = {
  'AR-STAKE-ONLINE-BETTING-2022': 'the general rate of this tax, of which there is one row',
  'AR-VAT-TRANSPORT-2024': 'half of the general rate',
  'IE-VAT-EGAMING-2024': '23/123 of the takings, which contain it',
  'VN-VAT-FEE-PAY-2024': '10, the rate of the law: the cut to 8 is not for financial services',
  'VN-VAT-FEE-CRYPTO-2024': '10, the rate of the law: the cut to 8 is not for financial services',
};

const firstDay = '2024-01-01';

/** Rates of the same tax on sales of which nothing is known, when the row begins. */
function generalRates({ country, rule: r }: (typeof rows)[number]): (string | undefined)[] {
  const day = r.validFrom > firstDay ? r.validFrom : firstDay;
  return country.rules
    .filter(
      (o) =>
        o.taxCode === r.taxCode &&
        o.base === 'GROSS_INCLUSIVE' &&
        o.operations.includes('verifyTransaction') &&
        o.mccRanges.length === 0 &&
        [o.supplies, o.customer, o.client].every((limit) => limit === undefined) &&
        o.subdivision === r.subdivision &&
        !['reduced', 'super_reduced'].includes(o.category) &&
        o.validFrom <= day &&
        (o.validTo === null || day < o.validTo),
    )
    .map((o) => o.rate && numeral(o.rate));
}

describe('the rate of a row', () => {
  const rated = rows.filter(({ rule }) => ratesOf(rule).length > 0);
  const isSaid = (row: (typeof rows)[number]) => {
    const numbers = numbersIn(wordsOf(row));
    return ratesOf(row.rule).every((rate) => numbers.has(rate));
  };
  const isGeneral = (row: (typeof rows)[number]) =>
    row.rule.rate !== undefined &&
    bearsGeneralRate.test(`${row.rule.says ?? ''} ${row.rule.note ?? ''}`) &&
    generalRates(row).includes(numeral(row.rule.rate));

  it('is among the numbers of what its source says, where that names a percentage', () => {
    const telling = rated.filter(({ rule }) => namesPercentage(rule.says ?? ''));
    expect(telling.length).toBeGreaterThan(1_200);
    const otherwise = telling.filter((row) => !isSaid(row)).map(({ rule }) => rule.ruleId);
    expect(otherwise.filter((id) => workedOut[id] === undefined)).toEqual([]);
  });

  it('is the general one of its country, where its words say that it bears that one', () => {
    const general = rated.filter(
      ({ rule }) =>
        rule.rate !== undefined &&
        bearsGeneralRate.test(`${rule.says ?? ''} ${rule.note ?? ''}`) &&
        !numbersIn(`${rule.says ?? ''} ${rule.note ?? ''}`).has(numeral(rule.rate)),
    );
    expect(general.length).toBeGreaterThan(300);
    const otherwise = general.filter((row) => !isGeneral(row)).map(({ rule }) => rule.ruleId);
    expect(otherwise.filter((id) => ofAnotherRate[id] === undefined)).toEqual([]);
  });

  it('is worked out otherwise by rows that are there', () => {
    const ids = new Set(rated.map(({ rule }) => rule.ruleId));
    expect(Object.keys({ ...workedOut, ...ofAnotherRate }).filter((id) => !ids.has(id))).toEqual([]);
  });

  it('rests on words, on the general rate or on an example worked out by hand in four of five rows', () => {
    const backed = rated.filter((row) => isSaid(row) || isGeneral(row) || row.rule.example !== undefined);
    expect(backed.length / rated.length).toBeGreaterThan(0.8);
  });
});

describe('the name of a row', () => {
  /** Words of names, and the categories of rows that have them. */
  const named: Readonly<Record<string, readonly string[]>> = {
    VOICE: ['telecom_voice'],
    SMS: ['telecom_sms'],
    DATA: ['telecom_data'],
    INBOUND: ['telecom_incoming'],
    STANDARD: ['standard'],
    EXEMPT: ['exempt'],
    ZERO: ['zero'],
    REDUCED: ['reduced', 'super_reduced'],
    FEE: ['payment_service', 'crypto_exchange'],
    CRYPTO: ['crypto_exchange'],
    GGR: ['gambling'],
    STAKE: ['gambling'],
    PAYOUT: ['gambling'],
  };

  it('has the year in which it begins', () => {
    const otherwise = rows.flatMap(({ rule: { ruleId, validFrom } }) => {
      const year = /-(\d{4})[A-Z]?(?:-\d{2,4})?$/.exec(ruleId)?.[1];
      return year === validFrom.slice(0, 4) ? [] : [ruleId];
    });
    // Their first days were found after they were named; a name is never changed.
    expect(otherwise.sort()).toEqual([
      ...['BF-WHT-WINNINGS-2024', 'BR-ICMS-TO-STANDARD-2023', 'NA-GGR-LEVY-2024'],
      ...['NP-TSC-CDR-DATA-2024', 'NP-TSC-CDR-SMS-2024', 'NP-TSC-CDR-VOICE-2024'],
    ]);
  });

  it.each(Object.entries(named))('with %s in it is of the category that this says', (word, categories) => {
    const having = rows.filter(({ rule }) => rule.ruleId.split('-').includes(word));
    expect(having.length).toBeGreaterThan(4);
    for (const { rule } of having) expect(categories, rule.ruleId).toContain(rule.category);
  });
});

describe('the category of a row', () => {
  const reasons: Readonly<Record<string, readonly string[]>> = {
    exempt: ['EXEMPT', 'OUT_OF_SCOPE'],
    zero: ['ZERO_RATED'],
    none: ['NO_VAT', 'OUT_OF_SCOPE', 'REVERSE_CHARGE'],
    standard: ['UNKNOWN'],
    reduced: [],
    super_reduced: [],
  };

  it.each(Object.entries(reasons))('%s goes with the reason why no tax is due', (category, allowed) => {
    const having = rows.filter(({ rule }) => rule.category === category);
    expect(having.length).toBeGreaterThan(30);
    for (const { rule } of having) {
      const isFree = ratesOf(rule).length === 0;
      if (['exempt', 'zero', 'none'].includes(category)) expect(isFree, rule.ruleId).toBe(true);
      // A flat rate may leave out a tax that others charge.
      const also = rule.client === undefined ? [] : ['OUT_OF_SCOPE'];
      if (isFree) expect([...allowed, ...also], rule.ruleId).toContain(rule.reason);
    }
  });
});
