// Changes of the tax rules: known changes of known laws, rules that are no change, and nothing that is missing.
import { describe, expect, it } from 'vitest';
import { feeRows, taxCountry, taxRow } from '../../../test/support/tax-rows.ts';
import { loadRuleBook } from '../../platform/data-files.ts';
import { RuleBook, type TaxQuestion } from './book.ts';
import { taxChangeResources } from './change-resource.ts';
import { HISTORY_FROM } from './problems.ts';
import { type CountryTax, isChoosable, type TaxRule, taxedOperations } from './rule.ts';
import { supplies } from './supplies.ts';

const shipped = loadRuleBook();
const all = taxChangeResources(shipped, { since: '2000-01-01' });

describe('the shipped rules', () => {
  it.each([
    ['FI', '2024-09-01', 'VAT', '24 %', '25.5 %'],
    ['SK', '2025-01-01', 'VAT', '20 %', '23 %'],
    ['EE', '2025-07-01', 'VAT', '22 %', '24 %'],
    ['RO', '2025-08-01', 'VAT', '19 %', '21 %'],
    ['FJ', '2025-08-01', 'VAT', '15 %', '12.5 %'],
    ['KZ', '2026-01-01', 'VAT', '12 %', '16 %'],
    ['RU', '2026-01-01', 'VAT', '20 %', '22 %'],
  ])('name the standard rate of %s that changed on %s', (country, day, taxCode, before, after) => {
    const found = taxChangeResources(shipped, { since: day, until: day, country }).filter(
      (c) => c.kind === 'CHANGES' && c.taxCode === taxCode && c.category === 'standard' && c.supplies.length === 0,
    );
    const sale = found.find((c) => c.operations.includes('verifyTransaction') && c.base === 'GROSS_INCLUSIVE');
    expect(sale).toMatchObject({ before: [{ rate: before }], after: [{ rate: after }], applied: true });
    expect(sale?.source).toMatchObject({ title: expect.any(String), url: expect.stringMatching(/^https?:/) });
  });

  it('name restaurants in Germany, 19 % until the end of 2025, with the law', () => {
    const found = taxChangeResources(shipped, { since: '2025-12-31', until: '2026-01-01', country: 'DE' });
    expect(found.find((c) => c.supplies.includes('restaurants'))).toMatchObject({
      kind: 'CHANGES',
      day: '2026-01-01',
      title: 'Germany, VAT on sales (restaurants): 7 % in place of 19 %',
      before: [{ rate: '19 %' }],
      after: [{ rate: '7 %' }],
      legalRef: expect.stringMatching(/UStG/),
    });
  });

  it('name a tax that starts, one that is abolished, and a decree that runs out', () => {
    const on = (day: string, country: string) => taxChangeResources(shipped, { since: day, until: day, country });
    expect(on('2025-07-01', 'KE').find((c) => c.ruleId === 'KE-EXCISE-GAMING-DEPOSIT-2025')).toMatchObject({
      kind: 'STARTS',
      before: [],
      after: [{ rate: '5 %' }],
    });
    expect(on('2026-01-01', 'GH').find((c) => c.ruleId === 'GH-COVID-STANDARD-2021')).toMatchObject({
      kind: 'ENDS',
      taxName: 'COVID-19 levy',
      before: [{ rate: '1 %' }],
      after: [],
    });
    expect(on('2027-09-30', 'TH').find((c) => c.ruleId === 'TH-VAT-SALE-2026')).toMatchObject({
      kind: 'EXPIRES',
      title: 'Thailand, VAT on sales: 7 % ends after 2027-09-30 unless renewed',
      before: [{ rate: '7 %' }],
      after: [],
    });
  });

  it('name what is enacted for the years to come', () => {
    const future = taxChangeResources(shipped, { since: '2026-11-26' });
    expect(future.find((c) => c.ruleId === 'VN-VAT-SALE-2027')).toMatchObject({
      day: '2027-01-01',
      before: [{ rate: '8 %' }],
      after: [{ rate: '10 %' }],
    });
    expect(future.every((c) => c.day >= '2026-11-26')).toBe(true);
  });

  it('say where a reduced rate ends what applies then', () => {
    expect(all.find((c) => c.changeId === 'SK-VAT-SWEETS-2025.end')).toMatchObject({
      kind: 'ENDS',
      before: [{ rate: '19 %' }],
      after: [{ ruleId: 'SK-VAT-STANDARD-2025', rate: '23 %' }],
    });
  });

  it('come by day, each once, and say which day nobody looked up', () => {
    expect(all.map((c) => c.day)).toEqual(all.map((c) => c.day).sort());
    expect(new Set(all.map((c) => c.changeId)).size).toBe(all.length);
    const rows = new Map([...shipped.countries()].flatMap((c) => c.rules.map((r) => [r.ruleId, r] as const)));
    for (const c of all) {
      expect(c.day >= HISTORY_FROM, c.changeId).toBe(true);
      const row = rows.get(c.ruleId) as TaxRule;
      if (!c.changeId.endsWith('.start')) continue;
      expect(c.title.endsWith('; nobody looked up the day'), c.changeId).toBe(row.validFromKnown === false);
      if (c.day === HISTORY_FROM) expect(c.before, c.changeId).not.toEqual([]);
    }
  });

  it('leave out nothing that is answered otherwise than the day before', () => {
    const named = new Set(
      all.flatMap((c) => [...c.before, ...c.after].map((t) => `${c.country} ${c.day} ${t.ruleId}`)),
    );
    const missing: string[] = [];
    let compared = 0;
    for (const country of shipped.countries()) {
      const days = new Set(country.rules.flatMap((r) => [r.validFrom, ...(r.validTo === null ? [] : [r.validTo])]));
      for (const day of days) {
        if (day <= HISTORY_FROM) continue;
        for (const ask of questions) {
          const before = answer(country, ask, dayBefore(day));
          const after = answer(country, ask, day);
          compared++;
          const starts = [...after].filter((r) => !before.has(r));
          const ends = [...before].filter((r) => !after.has(r));
          for (const r of [...starts, ...ends])
            if (!named.has(`${country.jurisdiction} ${day} ${r.ruleId}`)) missing.push(`${day} ${r.ruleId}`);
        }
      }
    }
    expect(compared).toBeGreaterThan(1000);
    expect([...new Set(missing)]).toEqual([]);
  });
});

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
const questions: readonly Pick<TaxQuestion, 'operation' | 'supply'>[] = [
  ...taxedOperations.map((operation) => ({ operation })),
  ...supplies.map((supply) => ({ operation: 'verifyTransaction' as const, supply })),
];
function answer(country: CountryTax, ask: Pick<TaxQuestion, 'operation' | 'supply'>, date: string): Set<TaxRule> {
  const plan = shipped.plan({ ...ask, jurisdiction: country.jurisdiction, classification: '', date });
  if (!plan) return new Set();
  const chosen = [...plan.inclusive, ...plan.added, ...plan.fees, ...plan.others].map((c) => c.rule);
  return new Set([...chosen, ...plan.accruals]);
}

const row = (over: Partial<TaxRule>): TaxRule => taxRow({ ruleId: 'AA-VAT', validFrom: '2024-01-01', ...over });

function changesOf(rules: readonly TaxRule[], asked: { since?: string; until?: string } = {}) {
  const { sources } = taxCountry([]);
  const later = { title: 'Amendment', publisher: 'The state', url: null, retrievedOn: '2026-12-01' };
  const country = taxCountry([...rules, ...feeRows], { sources: { ...sources, later } });
  return taxChangeResources(new RuleBook('v', [country]), { since: '2000-01-01', ...asked });
}
const brief = (list: ReturnType<typeof changesOf>) => list.map((c) => `${c.day} ${c.kind} ${c.title}`);

const general = row({ ruleId: 'AA-OLD', validFrom: '2010-01-01', validTo: '2025-01-01' });
const raised = row({ ruleId: 'AA-NEW', rate: '21', validFrom: '2025-01-01', source: 'later' });

describe('a change', () => {
  it('has both ends of its days included', () => {
    const rules = [general, raised];
    const on = (since: string, until: string) => changesOf(rules, { since, until }).length;
    expect([on('2025-01-01', '2025-01-01'), on('2025-01-02', '2030-01-01'), on('2024-06-01', '2024-12-31')]).toEqual([
      1, 0, 0,
    ]);
  });

  it('carries the latest reading of a source of what applies from then on', () => {
    expect(changesOf([general, raised])[0]?.readOn).toBe('2026-12-01');
  });

  it('carries the reading of what applies once a rule has ended', () => {
    const books = row({ ruleId: 'AA-BOOKS', rate: '5', supplies: ['books'], validTo: '2026-01-01' });
    const [, ended] = changesOf([general, raised, books]);
    expect([ended?.kind, ended?.readOn]).toEqual(['ENDS', '2026-12-01']);
  });

  it('is named where the rate stays, and says that it does', () => {
    expect(brief(changesOf([general, { ...raised, rate: '20' }]))).toEqual([
      '2025-01-01 CONTINUES Aland, VAT on sales: 20 % as before, by another rule',
    ]);
  });

  it('tells an exemption from a rate of zero', () => {
    const zero = { rate: '0', category: 'zero' } as const;
    expect(
      brief(
        changesOf([
          { ...general, ...zero, reason: 'EXEMPT' },
          { ...raised, ...zero, reason: 'ZERO_RATED' },
        ]),
      ),
    ).toEqual(['2025-01-01 CHANGES Aland, VAT on sales: 0 % (zero-rated) in place of 0 % (exempt)']);
  });

  it('of a rate that was not found is no zero', () => {
    const unknown = { ...raised, rate: '0', reason: 'UNKNOWN', confidence: 'unverified' } as const;
    expect(brief(changesOf([general, unknown]))).toEqual([
      '2025-01-01 CHANGES Aland, VAT on sales: an unknown rate in place of 20 %',
    ]);
  });

  it('of a narrower rule is compared with what applied to the same sale before', () => {
    const books = row({ ruleId: 'AA-BOOKS', rate: '5', supplies: ['books'], validFrom: '2025-03-01' });
    expect(brief(changesOf([row({}), books]))).toEqual([
      '2025-03-01 CHANGES Aland, VAT on sales (books): 5 % in place of 20 %',
    ]);
  });

  it.each<[string, Partial<TaxRule>, string]>([
    ['a part of the country', { subdivision: 'AA-1' }, 'books, AA-1'],
    ['businesses abroad', { customer: 'BUSINESS_ABROAD' }, 'books, businesses abroad'],
  ])('of a rule for %s is compared with what applied there', (_, only, limits) => {
    const there = row({ ruleId: 'AA-THERE', rate: '8', ...only });
    const books = row({ ruleId: 'AA-BOOKS', rate: '5', supplies: ['books'], validFrom: '2025-03-01', ...only });
    expect(brief(changesOf([row({}), there, books]))).toEqual([
      `2025-03-01 CHANGES Aland, VAT on sales (${limits}): 5 % in place of 8 %`,
    ]);
  });

  it('of codes is one rule in place of another, though one of the codes has a rule of its own', () => {
    const food = { category: 'reduced', mccRanges: ['5400-5499'] } as const;
    const rules = [
      row({}),
      row({ ruleId: 'AA-BREAD', rate: '0', reason: 'ZERO_RATED', mccRanges: ['5400'] }),
      row({ ruleId: 'AA-FOOD', rate: '5', ...food, validTo: '2025-01-01' }),
      row({ ruleId: 'AA-FOOD-2', rate: '6', ...food, validFrom: '2025-01-01' }),
    ];
    expect(brief(changesOf(rules))).toEqual([
      '2025-01-01 CHANGES Aland, VAT on sales (MCC 5400-5499): 6 % in place of 5 %',
    ]);
  });

  it('of a rule made of two names both', () => {
    const food = (over: Partial<TaxRule>) => row({ category: 'reduced', ...over });
    const rules = [
      row({}),
      food({ ruleId: 'AA-BOOKS', rate: '5', supplies: ['books'], validTo: '2025-01-01' }),
      food({ ruleId: 'AA-FOOD', rate: '8', supplies: ['groceries'], validTo: '2025-01-01' }),
      food({ ruleId: 'AA-BOTH', rate: '9', supplies: ['books', 'groceries'], validFrom: '2025-01-01' }),
    ];
    expect(brief(changesOf(rules))).toEqual([
      '2025-01-01 CHANGES Aland, VAT on sales (books, groceries): 9 % in place of 5 % and 8 %',
    ]);
  });

  it('of a narrower rule that ends is not hidden by the general one changing that day', () => {
    const books = row({ ruleId: 'AA-BOOKS', rate: '5', supplies: ['books'], validTo: '2025-01-01' });
    expect(brief(changesOf([general, raised, books]))).toEqual([
      '2025-01-01 ENDS Aland, VAT on sales (books): 5 % ends, then 21 %',
      '2025-01-01 CHANGES Aland, VAT on sales: 21 % in place of 20 %',
    ]);
  });

  it('of a narrower rule that ends says so where the general one has the same rate', () => {
    const books = row({ ruleId: 'AA-BOOKS', supplies: ['books'], validTo: '2026-01-01' });
    expect(brief(changesOf([row({}), books]))).toEqual([
      '2026-01-01 CONTINUES Aland, VAT on sales (books): 20 % as before, by another rule',
    ]);
  });

  // Austria's 45 per cent on gross gaming revenue in place of 40, whose day no source that was read names.
  it('to another rate is said though nobody looked up its day, since the answers change', () => {
    expect(brief(changesOf([general, { ...raised, validFromKnown: false }]))).toEqual([
      `${raised.validFrom} CHANGES Aland, VAT on sales: 21 % in place of 20 %; nobody looked up the day`,
    ]);
  });

  it('of what is withheld of the rest names what was withheld before, and what is from then on', () => {
    const withheld = (over: Partial<TaxRule>) =>
      row({ taxCode: 'WHT', base: 'REMITTANCE', rate: '2', bearer: 'MERCHANT', ...over });
    const all = withheld({ ruleId: 'AA-WHT' });
    const shops = { ruleId: 'AA-WHT-SHOPS', classifications: ['ECOMM_LOCAL'], rate: '1' };
    const found = changesOf([row({}), all, withheld({ ...shops, validFrom: '2025-01-01', validTo: '2026-01-01' })]);
    expect(found.map((c) => [c.day, c.kind, c.before.map((b) => b.rate), c.after.map((a) => a.rate)])).toEqual([
      ['2025-01-01', 'CHANGES', ['2 %'], ['1 %']],
      ['2026-01-01', 'ENDS', ['1 %'], ['2 %']],
    ]);
  });

  it('of a published rate that is never applied does not claim all sales', () => {
    const published = row({ ruleId: 'AA-RED', category: 'reduced', rate: '7', validFrom: '2025-03-01' });
    expect(isChoosable(published)).toBe(false);
    const found = changesOf([row({}), published]);
    expect(brief(found)).toEqual(['2025-03-01 STARTS Aland, VAT on some sales: 7 % starts']);
    expect(found[0]?.applied).toBe(false);
  });
});

describe('no change', () => {
  it.each<[string, TaxRule[]]>([
    ['a rule that only says how far back it answers', [row({ validFrom: HISTORY_FROM, validFromKnown: false })]],
    [
      'a published rate that is never applied, from a day that nobody looked up',
      [
        row({ validFrom: '2012-01-01' }),
        row({ ruleId: 'AA-RED', category: 'reduced', rate: '7', validFrom: '2025-03-01', validFromKnown: false }),
      ],
    ],
    ['a rule from the beginning of the data', [row({})]],
    ['a narrower rule from the beginning of the data', [row({ ruleId: 'AA-B', supplies: ['books'] }), row({})]],
    ['a rule from before the data', [row({ validFrom: '2012-01-01' })]],
  ])('%s', (_, rules) => {
    expect(brief(changesOf(rules))).toEqual([]);
  });

  it('a sunset of a rule that has an end', () => {
    const [ended, alone] = ['2026-01-01', null].map((validTo) =>
      changesOf([row({ validTo, sunsetOn: '2025-12-31' })]).map((c) => `${c.day} ${c.kind}`),
    );
    expect([ended, alone]).toEqual([['2026-01-01 ENDS'], ['2025-12-31 EXPIRES']]);
  });

  it('but one on the first day of the data, where the data has the rule before', () => {
    const rules = [
      { ...general, validTo: HISTORY_FROM },
      { ...raised, validFrom: HISTORY_FROM },
    ];
    expect(brief(changesOf(rules))).toEqual(['2024-01-01 CHANGES Aland, VAT on sales: 21 % in place of 20 %']);
  });
});
