// The four-eyes rule for rates, if REQUIRE_TWO_PERSONS is set.
import { refuse } from '../../core/refusal.ts';
import type { Needs } from '../kernel/needs.ts';

/** Whether changes of rates, and correcting entries, need a second person. */
export const needTwoForRates = (s: Needs<'settings'>): boolean => s.settings.requireTwoPersons.includes('rates');

/** For anything that puts rates in force, or makes correcting entries, without a second person. @throws TWO_PERSONS */
export function oneMayChangeRates(s: Needs<'settings'>): void {
  if (needTwoForRates(s))
    throw refuse(
      'TWO_PERSONS',
      'rates are changed by a proposal that another person approves (POST /v1/admin/proposal); REQUIRE_TWO_PERSONS asks for it',
    );
}
