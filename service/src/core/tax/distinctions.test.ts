// Questions share an answer only if no rule tells them apart: a book that has answered thousands of others, of all days,
// answers like one that was asked nothing yet.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { upTo } from '../../../test/support/depth.ts';
import { loadRuleBook } from '../../platform/data-files.ts';
import { classifications } from '../standing.ts';
import { RuleBook, type TaxPlan, type TaxQuestion } from './book.ts';
import { clientKinds, customers, taxedOperations } from './rule.ts';
import { supplies } from './supplies.ts';

const shared = loadRuleBook();
const countries = [...shared.countries()];

/** Questions with what the country's rules name, and what they do not; half of the days are those of a change. */
const questions = fc.constantFrom(...countries).chain((c): fc.Arbitrary<TaxQuestion> => {
  const rules = c.rules;
  const maybe = (texts: readonly (string | undefined)[]) =>
    fc.option(fc.constantFrom(...new Set([...texts, 'XX-X'])), { nil: undefined });
  const code = fc.integer({ min: 0, max: 9999 }).map((n) => String(n).padStart(4, '0'));
  const named = rules.flatMap((r) => r.mccRanges.flatMap((range) => range.split('-')));
  const day = fc
    .integer({ min: 0, max: 1400 })
    .map((n) => new Date(Date.UTC(2023, 11, 1 + n)).toISOString().slice(0, 10));
  const changes = rules.flatMap((r) => [r.validFrom, r.validTo ?? r.validFrom]);
  return fc.record({
    jurisdiction: fc.constant(c.jurisdiction),
    operation: fc.constantFrom(...taxedOperations),
    classification: fc.constantFrom(...classifications, ''),
    mcc: fc.option(named.length === 0 ? code : fc.oneof(code, fc.constantFrom(...named)), { nil: undefined }),
    supply: fc.option(fc.constantFrom(...supplies), { nil: undefined, freq: 1 }),
    customer: fc.option(fc.constantFrom(...customers), { nil: undefined }),
    client: fc.option(fc.constantFrom(...clientKinds), { nil: undefined }),
    subdivision: maybe(rules.map((r) => r.subdivision)),
    productLine: maybe(rules.flatMap((r) => r.productLines ?? [])),
    date: fc.oneof(day, fc.constantFrom(...changes)),
  });
});

const shown = (plan: TaxPlan | undefined) =>
  plan && {
    ...plan,
    inclusive: plan.inclusive.map((c) => c.rule.ruleId),
    added: plan.added.map((c) => c.rule.ruleId),
    withheld: plan.withheld.map((c) => c.rule.ruleId),
    fees: plan.fees.map((c) => c.rule.ruleId),
    others: plan.others.map((c) => c.rule.ruleId),
    accruals: plan.accruals.map((r) => r.ruleId),
  };

describe('a shared answer', () => {
  it('is the one that the question would get alone', () => {
    fc.assert(
      fc.property(questions, (q) => {
        const file = shared.country(q.jurisdiction);
        const alone = new RuleBook('v', file ? [file] : []);
        expect(shown(shared.plan(q))).toEqual(shown(alone.plan(q)));
      }),
      { numRuns: upTo(5_000, 100_000) },
    );
  });

  it('is the same object for the days between two changes, and another one after a change', () => {
    const on = (date: string) =>
      shared.plan({ jurisdiction: 'FI', operation: 'verifyTransaction', classification: '', mcc: '5411', date });
    // Finland's standard rate rose on 1 September 2024, its 14 % fell to 13.5 % on 1 January 2026.
    expect(on('2024-09-01')).toBe(on('2024-11-30'));
    expect(on('2024-08-31')).not.toBe(on('2024-09-01'));
    expect(on('2025-12-31')?.inclusiveRate).not.toEqual(on('2026-01-01')?.inclusiveRate);
  });
});
