// The cost of a rejected line, if its cost and currency can be read.
import { formatDecimal, parseDecimal } from '../money.ts';
import type { Reference } from '../reference.ts';
import { Refusal } from '../refusal.ts';
import type { RawRecord } from './record.ts';

export interface LineValue {
  /** Plain decimal text. */
  readonly cost: string;
  /** ISO 4217, upper case. */
  readonly currency: string;
}

/** @param date ISO date by which the currency must be in use */
export function valueOfLine(raw: RawRecord, reference: Pick<Reference, 'asset'>, date: string): LineValue | undefined {
  const cost = parseDecimal(raw.billing_information_call_cost ?? '');
  const asset = reference.asset(raw.billing_information_currency ?? '', date, false);
  if (!cost || cost.units < 0n || asset instanceof Refusal) return undefined;
  return { cost: formatDecimal(cost), currency: asset.code };
}
