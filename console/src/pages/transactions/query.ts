// The filters of the list as they stand in the address, and as the service is asked.
import type { Input } from '@assay/client';
import { wholeDays } from '../../data/moments.ts';
import type { Filters } from '../../data/path.ts';

/** Names as the operation has them. */
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
  'dayFrom',
  'dayTo',
] as const;

/** Filters without a field of their own, shown as marks that can be taken off. */
export const marks = {
  ref: 'Ref',
  rule: 'Tax rule',
  fee: 'Fee row',
  chargedBack: 'Charged back',
  dayFrom: 'Local day from',
  dayTo: 'Local day to',
  countryCode: 'Country',
} as const;

/** Days of the address are whole days in UTC: the last one is counted too. */
export function listQuery(f: Filters): Input<'listTransactions'> {
  const asked = Object.fromEntries(plain.map((name) => [name, f[name]]));
  return { ...asked, ...wholeDays(f) } as Input<'listTransactions'>;
}

export const isFiltered = (f: Filters): boolean => [...plain, 'from', 'to'].some((name) => f[name]);
export const without = Object.fromEntries([...plain, 'from', 'to'].map((name) => [name, undefined]));
