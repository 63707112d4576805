// The rule of two people for rates, where REQUIRE_TWO_PERSONS asks for it.
import { refuse } from '../../core/refusal.ts';
import type { Needs } from '../kernel/needs.ts';

/** Whether rates, and entries by them, need a second person. */
export const needTwoForRates = (s: Needs<'settings'>): boolean => s.settings.requireTwoPersons.includes('rates');

/** For whatever puts rates in force, or makes entries by them, without a second person. @throws TWO_PERSONS */
export function oneMayChangeRates(s: Needs<'settings'>): void {
  if (needTwoForRates(s))
    throw refuse(
      'TWO_PERSONS',
      'rates are changed by a proposal that another person approves (POST /v1/admin/proposal); REQUIRE_TWO_PERSONS asks for it',
    );
}
