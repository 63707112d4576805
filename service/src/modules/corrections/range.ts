// The range of a correction request: country, local days, and optionally the wrong rule.
import { Type } from 'typebox';
import { localDate } from '../../core/calendar.ts';
import { accountFromWire, type PspId } from '../../core/ids.ts';
import { noTaxRule, notFound, Refusal, refuse, said } from '../../core/refusal.ts';
import { trades } from '../../core/standing.ts';
import { isDutyOnPayments } from '../../core/tax/duty.ts';
import { findAnyAccount } from '../accounts/index.ts';
import { isDay, readDayRange } from '../kernel/day-filter.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Range } from './adjustment-store.ts';

export interface RangeAsked {
  readonly countryCode: string;
  readonly from: string;
  readonly to: string;
  readonly rule?: string;
}

/** @param now milliseconds since the epoch */
export function readRange(
  s: Needs<'reference' | 'rates'>,
  of: { readonly psp: PspId; readonly only: string | undefined },
  asked: RangeAsked,
  now: number,
): (Range & { readonly open: boolean; readonly timeZone: string }) | Refusal {
  const country = s.reference.country(asked.countryCode);
  if (country instanceof Refusal) return country;
  const file = s.rates.book.country(country.alpha2);
  if (!file) return noTaxRule(country.alpha2);
  for (const name of ['from', 'to'] as const)
    if (!isDay(asked[name]))
      return refuse('FIELD_INVALID', said`the field '${name}' must be a date from 2000 on: 2026-11-21`);
  if (asked.to < asked.from) return refuse('FIELD_INVALID', "the field 'to' is before 'from'");
  const days = readDayRange(s, { dayFrom: asked.from, dayTo: asked.to, countryCode: country.alpha2 });
  if (!days) return refuse('FIELD_INVALID', "the fields 'from' and 'to' are required");
  const today = localDate(file.timeZone, now);
  if (days.from > today)
    return refuse('FIELD_INVALID', said`the field 'from' is a day that has not started; it is ${today} there`);
  const { rule } = asked;
  const duty = file.rules.some((r) => r.ruleId === rule && isDutyOnPayments(r));
  return { ...of, country: country.alpha2, days, rule, duty, open: days.to >= today, timeZone: file.timeZone };
}

/** What a rule narrows a correction to. */
export const ruleMeaning = 'Only transactions taxed by this rule; of a duty by return also those that lack it.';

/** Fields that define the range. */
export const correctionFields = {
  clientId: Type.String({ description: 'The client concerned, or a PSP: then with all its clients.', maxLength: 64 }),
  countryCode: Type.String({ description: 'ISO 3166-1 code of the country taxed in.', minLength: 2, maxLength: 3 }),
  from: Type.String({ description: 'First local day.', minLength: 10, maxLength: 10 }),
  to: Type.String({ description: 'Last day, in the same calendar.', minLength: 10, maxLength: 10 }),
  rule: Type.Optional(Type.String({ description: ruleMeaning, maxLength: 80 })),
};

/** The range for an account named by wire id. @throws NOT_FOUND */
export async function rangeOf(
  s: Needs<'db' | 'reference' | 'rates'>,
  asked: RangeAsked & { readonly clientId: string },
  now: number,
) {
  const id = accountFromWire(asked.clientId);
  const account = id && (await findAnyAccount(s.db, id));
  if (!account || !trades(account)) throw notFound();
  const { psp } = account;
  return readRange(s, { psp, only: account.id === psp ? undefined : account.id }, asked, now);
}
