// What the search reads as a list of transactions: a weekday that has passed is one day, the latest before today.
import { expect, it } from 'vitest';
import { listAsked } from '../../../console/src/layout/search-list.ts';

it('reads a weekday as the latest such day before today', () => {
  const daysOf = (typed: string, today: string) => {
    const asked = new URLSearchParams(listAsked(typed, 'UTC', today)?.to.split('?')[1]);
    return [asked.get('status'), asked.get('amountFrom'), asked.get('from'), asked.get('to')];
  };
  const typed = 'declined above 1,000 EUR last Tuesday';
  // 24 November 2026 is a Tuesday.
  expect(daysOf(typed, '2026-11-30')).toEqual(['DECLINED', '1000', '2026-11-24', '2026-11-24']);
  expect(daysOf(typed, '2026-11-24')).toEqual(['DECLINED', '1000', '2026-11-17', '2026-11-17']);
  expect(daysOf('declined last sunday', '2026-11-30')).toEqual(['DECLINED', null, '2026-11-29', '2026-11-29']);
  expect(daysOf('declined last monday', '2026-11-30')).toEqual(['DECLINED', null, '2026-11-23', '2026-11-23']);
});
