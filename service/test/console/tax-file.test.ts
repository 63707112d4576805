// The country file that the form of a changed rate proposes: the service takes it, and taxes each day as was asked.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  addRow,
  changeRate,
  endRow,
  type Identity,
  kindsFor,
  nextRuleId,
  type Row,
  rowChanges,
  type TaxFile,
  type Terms,
} from '../../../console/src/pages/rates/tax-file.ts';
import { RuleBook } from '../../src/core/tax/book.ts';
import { countryProblems } from '../../src/core/tax/problems.ts';
import type { ClientKind, CountryTax } from '../../src/core/tax/rule.ts';

const shipped = (code: string): TaxFile =>
  JSON.parse(readFileSync(new URL(`../../data/tax/${code}.json`, import.meta.url), 'utf8'));
const rowOf = (file: TaxFile, id: string) => file.rules.find((r) => r.ruleId === id) as Row;
const today = '2026-11-21';
const terms = (over: Partial<Terms> = {}): Terms => ({
  ...{ kind: 'rate', rate: '10', unitAmount: '', steps: [], reason: 'EXEMPT', validFrom: '2027-01-01' },
  ...{ law: 'Finance Act 2026, s. 12', title: 'Finance Act 2026', publisher: 'The Republic', confidence: 'official' },
  ...{ url: 'https://law.example/2026', says: 'VAT is charged at 10 %.', exampleAmount: '110', exampleTax: '10' },
  ...over,
});
const problems = (file: TaxFile) => countryProblems(file as unknown as CountryTax).map(String);
const rates = (file: TaxFile, date: string, mcc?: string) =>
  new RuleBook('v', [file as unknown as CountryTax])
    .plan({ jurisdiction: file.jurisdiction, operation: 'verifyTransaction', classification: '', mcc, date })
    ?.inclusive.map((c) => c.rule.rate);

describe('another rate of a row', () => {
  const before = shipped('NG');
  const old = rowOf(before, 'NG-VAT-STANDARD-2026');
  const file = changeRate(before, old, terms(), today);

  it('ends the row where the new one begins, and a sale of each day bears its own', () => {
    expect(problems(file)).toEqual([]);
    expect([rates(file, '2026-12-31'), rates(file, '2027-01-01')]).toEqual([['7.5'], ['10']]);
    expect(rowOf(file, 'NG-VAT-STANDARD-2026').validTo).toBe('2027-01-01');
  });

  it('names its own law, source, example and words, and none of the row before', () => {
    const next = rowOf(file, 'NG-VAT-STANDARD-2027');
    expect(next).toMatchObject({
      ...{ taxCode: 'VAT', base: 'GROSS_INCLUSIVE', rate: '10', legalRef: 'Finance Act 2026, s. 12' },
      ...{ confidence: 'official', says: 'VAT is charged at 10 %.', example: { amount: '110', tax: '10' } },
    });
    expect(file.sources[next.source]).toEqual({
      ...{ title: 'Finance Act 2026', publisher: 'The Republic', url: 'https://law.example/2026', retrievedOn: today },
    });
    expect(next.note).toBeUndefined();
  });

  it('changes these two rows and no other', () => {
    const changed = rowChanges(before, file).map(({ ruleId, was, is }) => [ruleId, !!was, !!is]);
    expect(changed).toEqual([
      ['NG-VAT-STANDARD-2026', true, true],
      ['NG-VAT-STANDARD-2027', false, true],
    ]);
  });

  it('is 0 with its reason, and no longer when it rises again', () => {
    const free = changeRate(before, old, terms({ rate: '0', reason: 'ZERO_RATED' }), today);
    const zero = rowOf(free, 'NG-VAT-STANDARD-2027');
    expect([problems(free), zero.reason]).toEqual([[], 'ZERO_RATED']);
    const again = changeRate(free, zero, terms({ validFrom: '2028-01-01' }), today);
    expect([problems(again), rowOf(again, 'NG-VAT-STANDARD-2028').reason]).toEqual([[], undefined]);
  });

  it('ends when the row before would have', () => {
    const once = changeRate(
      file,
      rowOf(file, 'NG-VAT-STANDARD-2026'),
      terms({ validFrom: '2026-12-01', rate: '8' }),
      today,
    );
    expect(problems(once)).toEqual([]);
    expect(['2026-11-30', '2026-12-31', '2027-01-01'].flatMap((d) => rates(once, d))).toEqual(['7.5', '8', '10']);
  });

  it('uses the source that stands there already', () => {
    const row = rowOf(file, 'NG-VAT-STANDARD-2027');
    const again = changeRate(file, row, terms({ validFrom: '2028-01-01', rate: '11' }), today);
    expect(Object.keys(again.sources)).toEqual(Object.keys(file.sources));
  });
});

describe('other terms', () => {
  it('are brackets of a row that does not contain its tax, in the order of the form', () => {
    const before = shipped('KE');
    const row = rowOf(before, 'KE-WHT-WINNINGS-2025');
    const steps = [
      { upTo: '10000', value: '5', fixed: false },
      { upTo: '', value: '20', fixed: false },
    ];
    const file = changeRate(before, row, terms({ kind: 'brackets', steps, exampleAmount: '' }), today);
    expect(problems(file)).toEqual([]);
    expect(rowOf(file, 'KE-WHT-WINNINGS-2027').brackets).toEqual([{ upTo: '10000', rate: '5' }, { rate: '20' }]);
  });

  it('are those the base allows', () => {
    expect([kindsFor('GROSS_INCLUSIVE'), kindsFor('MINUTES'), kindsFor('WINNINGS')]).toEqual([
      ['rate'],
      ['unitAmount'],
      ['rate', 'brackets', 'slabs'],
    ]);
  });
});

const identity: Identity = {
  ...{ taxCode: 'VAT', category: 'reduced', operations: ['verifyTransaction'], base: 'GROSS_INCLUSIVE' },
  ...{ bearer: 'CUSTOMER', inTransaction: true, supplies: [], mccRanges: ['7832'], classifications: [] },
  ...{ productLines: [], subdivision: '', customer: '', client: '', owedBy: 'PSP', authority: '' },
};

describe('a new row', () => {
  it('is narrower than the standard rate from its day on', () => {
    const file = addRow(shipped('NG'), identity, terms({ rate: '5' }), today);
    expect(problems(file)).toEqual([]);
    expect([rates(file, '2026-12-31', '7832'), rates(file, '2027-01-01', '7832'), rates(file, '2027-01-01')]).toEqual([
      ['7.5'],
      ['5'],
      ['7.5'],
    ]);
  });
});

describe('a new row for some clients', () => {
  it('is of them alone', () => {
    const file = addRow(
      shipped('NG'),
      { ...identity, mccRanges: [], client: 'FLAT_RATE' },
      terms({ rate: '5' }),
      today,
    );
    expect(problems(file)).toEqual([]);
    const book = new RuleBook('v', [file as unknown as CountryTax]);
    const of = (client?: ClientKind) =>
      book
        .plan({ jurisdiction: 'NG', operation: 'verifyTransaction', classification: '', date: '2027-01-01', client })
        ?.inclusive.map((c) => c.rule.rate);
    expect([of(), of('FLAT_RATE'), of('NOT_REGISTERED')]).toEqual([['7.5'], ['5'], ['7.5']]);
  });
});

describe('a new duty by return', () => {
  const levy: Identity = {
    ...{ taxCode: 'LEVY', category: 'payment_service', operations: ['verifyTransaction'], base: 'NET_ADD_ON' },
    ...{ bearer: 'CUSTOMER', inTransaction: false, supplies: [], mccRanges: [], classifications: [] },
    ...{ productLines: [], subdivision: '', customer: '', client: '', owedBy: 'PAYER_PROVIDER' },
    authority: ' The Revenue Service ',
  };
  const file = addRow(shipped('NG'), levy, terms({ rate: '0.5', exampleTax: '0.55' }), today);

  it('says who owes it, and is no part of a payment', () => {
    expect(problems(file)).toEqual([]);
    const plan = new RuleBook('v', [file as unknown as CountryTax]).plan({
      ...{ jurisdiction: 'NG', operation: 'verifyTransaction', classification: '', date: '2027-01-01' },
    });
    const levy = plan?.due.find((c) => c.rule.taxCode === 'LEVY');
    expect([levy?.rule.owedBy, plan?.inclusive.map((c) => c.rule.rate)]).toEqual(['PAYER_PROVIDER', ['7.5']]);
    expect(levy?.rule.authority).toBe('The Revenue Service');
  });

  it('keeps who owes it at another rate; of a tax in the split nobody is named', () => {
    const row = file.rules.at(-1) as Row;
    const next = changeRate(file, row, terms({ rate: '1', validFrom: '2028-01-01', exampleAmount: '' }), today);
    const last = next.rules.at(-1);
    expect([problems(next), last?.owedBy, last?.authority]).toEqual([[], 'PAYER_PROVIDER', 'The Revenue Service']);
    const within = addRow(shipped('NG'), { ...levy, inTransaction: true }, terms({ exampleAmount: '' }), today);
    expect([problems(within), within.rules.at(-1)?.owedBy]).toEqual([[], undefined]);
  });
});

describe('a new levy on calls by return', () => {
  it('says to whom it is paid; who owes it is known', () => {
    const levy: Identity = {
      ...identity,
      ...{ taxCode: 'LEVY', category: 'telecom_voice', operations: ['recordCDR'], base: 'CALL_COST', mccRanges: [] },
      ...{ bearer: 'OPERATOR', inTransaction: false, authority: 'The regulator' },
    };
    const file = addRow(shipped('NG'), levy, terms({ rate: '1', exampleAmount: '' }), today);
    const row = file.rules.at(-1);
    expect([problems(file), row?.owedBy, row?.authority]).toEqual([[], undefined, 'The regulator']);
  });
});

describe('a row that ends', () => {
  it('answers until the day before, and the wider one from then on', () => {
    const before = shipped('NG');
    const narrow = before.rules.find((r) => r.supplies?.includes('books') && r.validTo === null) as Row;
    const file = endRow(before, narrow.ruleId, '2027-01-01');
    expect(problems(file)).toEqual([]);
    expect([rates(file, '2026-12-31', '5942'), rates(file, '2027-01-01', '5942')]).toEqual([[narrow.rate], ['7.5']]);
  });
});

describe('the id of the row that follows', () => {
  it('has the year in which it starts, and a number where that is taken', () => {
    const file = shipped('NG');
    expect(nextRuleId(file, 'NG-VAT-STANDARD-2026', '2027-01-01')).toBe('NG-VAT-STANDARD-2027');
    expect(nextRuleId(file, 'NG-VAT-STANDARD-2026', '2026-12-01')).toBe('NG-VAT-STANDARD-2026-2');
    expect(nextRuleId(file, 'NG-LEVY', '2027-01-01')).toBe('NG-LEVY-2027');
  });
});
