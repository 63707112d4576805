// What the page of a country's taxes says a rule is limited to, and which rules it shows as following each other.
import { expect, it } from 'vitest';
import { limitOf, type Rule, strandsOf } from '../../../console/src/pages/rates/rule.ts';

const rule = (over: Partial<Rule>): Rule => ({
  ...{ ruleId: 'AA-VAT-2024', taxCode: 'VAT', category: 'standard', operations: ['verifyTransaction'] },
  ...{ base: 'GROSS_INCLUSIVE', rate: '20', validFrom: '2024-01-01', validTo: null, confidence: 'official' },
  ...over,
});

it('names the kind of client of a rule that is not for all', () => {
  expect(limitOf(rule({}))).toBeUndefined();
  expect(limitOf(rule({ client: 'NOT_REGISTERED' }))).toBe('clients that are not registered for the tax');
  expect(limitOf(rule({ client: 'FLAT_RATE', subdivision: 'AA-B' }))).toBe('AA-B, clients of a flat rate');
});

it('shows a rule of some clients apart from that of all', () => {
  const rules = [rule({}), rule({ ruleId: 'AA-VAT-FLAT-2024', client: 'FLAT_RATE', rate: '3' })];
  expect(strandsOf(rules).map((s) => s.rules.map((r) => r.ruleId))).toEqual([['AA-VAT-2024'], ['AA-VAT-FLAT-2024']]);
});
