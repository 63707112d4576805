// The customer in what is sealed with a transaction, wager or payout.
import { personalRow } from '../transactions/index.ts';
import { payoutPersonalRow, wagerPersonalRow } from '../wagers/index.ts';

/** Where the personal data of a record is sealed, by its kind. */
export const personalPlaces = {
  transaction: personalRow,
  wager: wagerPersonalRow,
  payout: payoutPersonalRow,
} as const;

interface Personal {
  readonly customer?: { readonly name?: unknown };
  readonly toAddress?: unknown;
  readonly fromAddress?: unknown;
}

export const isPersonal = (value: unknown): value is Personal => typeof value === 'object' && value !== null;

/** @returns undefined if there is no name, which is optional */
export function nameIn(data: unknown): string | undefined {
  const name = isPersonal(data) ? data.customer?.name : undefined;
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}
