// The refusal of records with a tax whose rate nobody found, if UNKNOWN_TAX asks for it.
import { type Refusal, refuse, said } from '../../core/refusal.ts';
import type { Observation } from '../../core/transaction.ts';
import type { Needs } from './needs.ts';

/** @param observations those about the rules of the record */
export function refuseUnknownTax(s: Needs<'settings'>, observations: readonly Observation[]): Refusal | undefined {
  if (s.settings.unknownTax !== 'refuse') return undefined;
  const unknown = observations.find((o) => o.code === 'TAX_RATE_UNKNOWN');
  return unknown && refuse('TAX_RATE_UNKNOWN', said`${unknown.message}; nothing was recorded`);
}
