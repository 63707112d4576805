// The taxes of one call, message or data session, for an explanation.
import { readCallType } from '../../core/cdr/call-types.ts';
import { decimal, formatUnits, parseDecimal } from '../../core/money.ts';
import type { Asset, Reference } from '../../core/reference.ts';
import { Refusal } from '../../core/refusal.ts';
import type { TaxPlan } from '../../core/tax/book.ts';
import { kindOf, telecomTaxes } from '../../core/tax/telecom.ts';
import { named, UsageError } from './exit-codes.ts';

export interface CallOptions {
  readonly callType?: string;
  readonly duration?: number;
  readonly dataKb?: string;
  readonly origin?: string;
}

/** @param asset the currency of the cost, with the decimals to calculate with */
export function callLines(o: CallOptions, plan: TaxPlan, asset: Asset, cost: bigint, reference: Reference) {
  const dataKb = o.dataKb === undefined ? undefined : parseDecimal(o.dataKb);
  if (o.dataKb !== undefined && (!dataKb || dataKb.units < 0n))
    throw new UsageError('--data-kb must be a number of kilobytes, 0 or more');
  const { lines } = telecomTaxes(
    plan,
    {
      kind: kindOf(readCallType(o.callType ?? 'VOICE')),
      currency: asset.code,
      cost,
      durationS: o.duration ?? 0,
      dataKb,
      incoming: o.origin === undefined ? undefined : { origin: originOf(o.origin, reference) },
    },
    () => asset.decimals,
  );
  return lines.map((l) => ({
    rule: l.ruleId,
    currency: l.currency,
    taxable: l.taxable === null ? null : formatUnits(l.taxable, asset.decimals),
    quantity: l.quantity && String(Number(l.quantity.n) / Number(l.quantity.d)),
    tax: formatUnits(l.tax, asset.decimals),
    zeroBecause: l.reason,
  }));
}

function originOf(text: string, reference: Reference): string | null {
  if (text === 'unknown') return null;
  const country = reference.country(text, 'origin');
  if (country instanceof Refusal) throw named(country, { origin: '--origin' });
  return country.alpha2;
}

/** Removes trailing zeros. */
export const shortened = (text: string): string => {
  const d = decimal(text);
  return formatUnits(d.units, d.scale);
};
