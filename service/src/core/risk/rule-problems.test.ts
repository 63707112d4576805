// What is wrong with a rule is said with its place, and a sound rule has no problems.
import { describe, expect, it } from 'vitest';
import { inForceOn, isAbout, limitFor, type RiskRule } from './rule.ts';
import { ruleProblems } from './rule-problems.ts';

const sound: RiskRule = {
  id: 'LARGE_DEPOSIT',
  version: 1,
  from: '2026-01-01',
  until: null,
  scope: { operations: ['deposit'] },
  limits: { USD: '10000', 'KE USD': '15000' },
  counters: { lastDay: { of: 'customer', measure: 'count', window: '24h', kinds: ['deposit'] } },
  condition: 'limit.known && record.amount >= limit.amount',
  severity: 'HIGH',
  code: 'RISK_POLICY',
  reason: 'A large deposit of one customer within a day.',
  action: 'review',
  source: { title: 'Our own practice', date: '2026-01-01' },
};
const problemsOf = (over: object) => ruleProblems({ ...sound, ...over }).map(String);

describe('a rule', () => {
  it('that is sound has no problems', () => expect(ruleProblems(sound)).toEqual([]));

  it.each<[string, object, RegExp]>([
    ['another field', { extra: 1 }, /^extra: a rule has no such field$/],
    ['no id', { id: 'large' }, /^id: /],
    ['version 0', { version: 0 }, /^version: /],
    ['a day that is none', { from: '2026-02-30' }, /^from: /],
    ['an end before its beginning', { until: '2025-12-31' }, /^until: /],
    ['no condition', { condition: '' }, /^condition: /],
    ['a long condition', { condition: 'x'.repeat(1001) }, /^condition: .*1000/],
    ['another severity', { severity: 'URGENT' }, /^severity: one of LOW, MEDIUM, HIGH$/],
    ['another action', { action: 'block' }, /^action: /],
    ['a reason that turns its direction', { reason: 'A large deposit of one \u202ecustomer.' }, /^reason: /],
    ['a short reason', { reason: 'odd' }, /^reason: /],
    ['no operations', { scope: {} }, /^scope\.operations: /],
    ['an operation that makes no record', { scope: { operations: ['submitBasket'] } }, /^scope\.operations: /],
    ['a PSP by name', { scope: { operations: ['deposit'], psps: ['acme'] } }, /^scope\.psps: /],
    ['another status', { statuses: ['GONE'] }, /^statuses: /],
    ['a limit that is a number', { limits: { USD: 10000 } }, /^limits\.USD: /],
    ['a limit of no currency', { limits: { dollars: '1' } }, /^limits\.dollars: /],
    [
      'a window that is not kept',
      { counters: { n: { of: 'client', measure: 'count', window: '2h' } } },
      /^counters\.n: window: /,
    ],
    [
      'kinds of a distinct',
      {
        counters: { n: { of: 'client', measure: 'distinct', window: '1h', kinds: ['deposit'], distinct: 'customer' } },
      },
      /^counters\.n: kinds: /,
    ],
    [
      'distinct of itself',
      { counters: { n: { of: 'client', measure: 'distinct', window: '1h', distinct: 'client' } } },
      /^counters\.n: distinct: /,
    ],
    ['another dimension', { counters: { n: { of: 'card', measure: 'count', window: '1h' } } }, /^counters\.n: of: /],
    [
      'a counter by what no record of the scope names',
      {
        scope: { operations: ['verifyTransaction'] },
        counters: { n: { of: 'customer', measure: 'count', window: '24h', kinds: ['deposit'] } },
      },
      /^counters\.n: of: no record of the scope names a customer/,
    ],
    [
      'a counter by what no counted record names',
      { counters: { n: { of: 'customer', measure: 'sum', window: '24h', kinds: ['verifyTransaction'] } } },
      /^counters\.n: kinds: no record of these names a customer/,
    ],
    ['no source', { source: undefined }, /^source: /],
    ['a source without a day', { source: { title: 'Some law' } }, /^source\.date: /],
    ['a source surer than it can be', { source: { ...sound.source, confidence: 'certain' } }, /^source\.confidence: /],
    ['a source that says nothing of what was read', { source: { ...sound.source, read: '' } }, /^source\.read: /],
  ])('with %s is refused, with the place', (_, over, problem) => {
    const problems = problemsOf(over);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  it.each([null, 1, 'x', [[]]])('is not %j', (value) =>
    expect(ruleProblems(value).map(String)).toEqual(['a rule is a JSON object']),
  );

  it('applies from its first day until the day of its end', () => {
    const r = { ...sound, until: '2026-03-01' };
    expect(['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01'].map((d) => inForceOn(r, d))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('takes the limit of the country before that of the currency', () => {
    expect([limitFor(sound, 'KE', 'USD'), limitFor(sound, 'NG', 'USD'), limitFor(sound, 'KE', 'constructor')]).toEqual([
      '15000',
      '10000',
      undefined,
    ]);
  });

  it('is about the records of its scope, approved ones unless it says otherwise', () => {
    const record = { operation: 'deposit', status: 'APPROVED', observations: [] } as const;
    expect(isAbout(sound, record, 'psp_1', 'X')).toBe(true);
    expect(isAbout(sound, { ...record, status: 'DECLINED' }, 'psp_1', 'X')).toBe(false);
    expect(isAbout({ ...sound, statuses: ['DECLINED'] }, { ...record, status: 'DECLINED' }, 'psp_1', 'X')).toBe(true);
    expect(isAbout(sound, { ...record, operation: 'withdrawal' }, 'psp_1', 'X')).toBe(false);
    const narrow = {
      ...sound,
      scope: { operations: ['deposit'], psps: ['psp_2'], classifications: ['Y'] },
    } as RiskRule;
    expect(isAbout(narrow, record, 'psp_1', 'Y')).toBe(false);
    expect(isAbout(narrow, record, 'psp_2', 'X')).toBe(false);
    expect(isAbout(narrow, record, 'psp_2', 'Y')).toBe(true);
    expect(isAbout({ ...sound, observations: ['ODD'] }, record, 'psp_1', 'X')).toBe(false);
  });
});
