// Steps in a transaction's history, and what each changed.
import { describe, expect, it } from 'vitest';
import { changesBetween, type Shown, transactionStep } from './history.ts';

const at = (over: Shown = {}): Shown => ({
  status: 'APPROVED',
  reason: null,
  totalAmount: 100,
  chargeback: null,
  revision: 1,
  updatedAt: 'a',
  ...over,
});

describe('a step', () => {
  it.each([
    ['RECORDED', undefined, at(), true],
    ['VERIFIED', at({ status: 'PENDING' }), at(), true],
    ['DECIDED_ANEW', at({ status: 'DECLINED' }), at(), true],
    ['DECIDED_ANEW', at(), at({ status: 'DECLINED' }), true],
    ['DECLINED', at(), at({ status: 'DECLINED' }), false],
    ['DECLINED', at({ status: 'PENDING' }), at({ status: 'DECLINED' }), false],
    ['CHARGED_BACK', at(), at({ chargeback: { id: 'c' } }), false],
    ['DECIDED_ANEW', at({ chargeback: { id: 'c' } }), at({ chargeback: { id: 'c' } }), true],
  ] as const)('is %s', (step, before, after, decided) => {
    expect(transactionStep(before, after, decided)).toBe(step);
  });
});

describe('changes', () => {
  it('name what differs, with both values, and not what differs every time', () => {
    const after = at({ status: 'DECLINED', reason: 'no', revision: 2, updatedAt: 'b', chargeback: {} });
    expect(changesBetween(at(), after)).toEqual([
      { field: 'status', before: 'APPROVED', after: 'DECLINED' },
      { field: 'reason', before: null, after: 'no' },
    ]);
  });

  it('tell lists and numbers by what they say', () => {
    const raw = (text: string) => JSON.rawJSON(text);
    expect(changesBetween({ n: raw('1.10'), l: [1] }, { n: raw('1.10'), l: [1] })).toEqual([]);
    expect(changesBetween({ l: [1] }, { l: [1, 2], more: 'x' })).toEqual([
      { field: 'l', before: [1], after: [1, 2] },
      { field: 'more', before: null, after: 'x' },
    ]);
  });
});
