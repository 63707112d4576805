// Each row that carries an example answers it: the question it is for is answered by it, with the tax worked out by
// hand. And the countries with reduced rates say of each kind of supply what it bears.
import { describe, expect, it } from 'vitest';
import { exampleTax } from '../../../test/support/tax-examples.ts';
import { loadRuleBook } from '../../platform/data-files.ts';
import { ratio } from '../money.ts';
import { firstGap, HISTORY_FROM } from './problems.ts';
import { mccRangesOf, type Supply, supplies, supplyOf } from './supplies.ts';

const book = loadRuleBook();

describe('the example of a row', () => {
  const rows = [...book.countries()].flatMap((c) =>
    c.rules.flatMap((rule) => (rule.example ? [{ country: c.jurisdiction, rule, example: rule.example }] : [])),
  );

  it('is answered by the row itself, with its tax', () => {
    const wrong = rows.flatMap(({ country, rule, example }) => {
      const tax = exampleTax(book, country, rule, example);
      const rounded = /^\d/.test(tax) ? ratio(tax) : undefined;
      const own = ratio(example.tax);
      const places = 10n ** BigInt(example.tax.split('.')[1]?.length ?? 0);
      // The example is rounded to as many decimals as it is written with.
      const same =
        rounded !== undefined && (2n * rounded.n * places + rounded.d) / (2n * rounded.d) === (own.n * places) / own.d;
      return same ? [] : [`${rule.ruleId}: ${tax}, not ${example.tax}`];
    });
    expect(wrong).toEqual([]);
  });
});

/** Countries that tax some supplies at other rates than the standard one. */
const countries =
  `AO AT BE BF BG BI BJ BW CA CD CG CH CI CM CV CY CZ DE DK DZ EE EG ES ET FI FR GA GB GH GN GR HR HU IE IT
KE LT LU LV MA MG ML MT MU MW MY MZ NE NG NL NO PL PT RO RS RW SE SI SK SN TD TG TN TR TZ UG ZA ZM ZW`.split(/\s+/);

/** Air travel is mostly to other countries, of which few laws say one rate. */
const told = supplies.filter((s): s is Exclude<Supply, 'air_travel'> => s !== 'air_travel');

describe('what is sold', () => {
  it.each(countries)('is told apart in %s, without a gap', (country) => {
    const rules = book.country(country)?.rules ?? [];
    const missing = told.flatMap((supply) => {
      const own = rules.filter((r) => r.operations.includes('verifyTransaction') && r.supplies?.includes(supply));
      return firstGap(own) === undefined ? [] : [supply];
    });
    expect(missing).toEqual([]);
  });

  it('bears the standard rate of its days where a row says it is standard', () => {
    const wrong = [...book.countries()].flatMap((c) =>
      c.rules
        .filter((r) => r.category === 'standard' && r.supplies !== undefined && r.reason !== 'UNKNOWN')
        .filter((r) => {
          const general = c.rules.filter(
            (g) => g.taxCode === r.taxCode && g.category === 'standard' && g.base === r.base && !g.supplies,
          );
          const of = general.filter((g) => g.rate === r.rate && g.mccRanges.length === 0);
          const from = r.validFrom > HISTORY_FROM ? r.validFrom : HISTORY_FROM;
          return !of.some(
            (g) => g.validFrom <= from && (g.validTo === null || (r.validTo !== null && r.validTo <= g.validTo)),
          );
        })
        .map((r) => r.ruleId),
    );
    expect(wrong).toEqual([]);
  });

  it('has no merchant code in two kinds', () => {
    for (const supply of supplies)
      for (const range of mccRangesOf(supply))
        for (let code = Number(range.slice(0, 4)); code <= Number(range.slice(-4)); code++)
          expect(supplyOf(String(code).padStart(4, '0'), '2026-01-01')).toBe(supply);
  });
});
