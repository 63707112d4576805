// The list's filters as written in the URL, and the query they make.

import type { Input } from '@assay/client';
import { wholeDays } from '../../data/days.ts';
import { among, type Filters } from '../../data/path.ts';
import { say } from '../../words/words.ts';

/** Filters named as in the operation. */
const plain = [
  'q',
  'ref',
  'status',
  'type',
  'clientId',
  'amountFrom',
  'amountTo',
  'currency',
  'countryCode',
  'rule',
  'fee',
  'chargedBack',
  'declinedFor',
  'sort',
  'dayFrom',
  'dayTo',
] as const;

/** Filters without a field; moments, which links of reports name, are none of whole days. */
export const marks = {
  ref: say('Ref'),
  rule: say('Tax rule'),
  fee: say('Fee row'),
  dayFrom: say('Local day from'),
  dayTo: say('Local day to'),
  from: say('Recorded from'),
  to: say('Recorded before'),
} as const;

/** The order in the URL, if the list has it: amounts of several currencies have none. */
export const orderOf = (f: Filters): string | undefined =>
  among(f.currency ? ['time', 'amount', '-amount'] : ['time'], f.sort);

/** Days in the URL are whole days in UTC, the last day included. */
export function listQuery(f: Filters): Input<'listTransactions'> {
  const asked = Object.fromEntries(plain.map((name) => [name, f[name]]));
  return { ...asked, sort: orderOf(f), ...wholeDays(f) } as Input<'listTransactions'>;
}

/** Whether a country has to be chosen first: the days of chargebacks are those of one country's calendar. */
export const needsCountry = (f: Filters): boolean =>
  f.chargedBack === 'true' && !f.countryCode && Boolean(f.dayFrom || f.dayTo);

export const isFiltered = (f: Filters): boolean => [...plain, 'from', 'to'].some((name) => name !== 'sort' && f[name]);
export const without = Object.fromEntries([...plain, 'from', 'to'].map((name) => [name, undefined]));
