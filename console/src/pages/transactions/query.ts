// The filters of the list as they stand in the address, and as the service is asked.
import type { Input } from '@assay/client';
import type { Filters } from '../../data/path.ts';

const dayMs = 86_400_000;
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** The beginning of a day in UTC, `later` days on; what is no day is passed on for the service to judge. */
const moment = (text: string | undefined, later = 0) =>
  text !== undefined && isDay(text) ? new Date(Date.parse(text) + later * dayMs).toISOString() : text;

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
  return { ...asked, from: moment(f.from), to: moment(f.to, 1) } as Input<'listTransactions'>;
}

export const isFiltered = (f: Filters): boolean => [...plain, 'from', 'to'].some((name) => f[name]);
export const without = Object.fromEntries([...plain, 'from', 'to'].map((name) => [name, undefined]));
