// The taxes of one call, message or data session: a percentage of its cost, taxes charged on taxes, and amounts per
// minute, message or megabyte. Amounts stay in the rule's currency; nothing is converted here.
import type { CallType } from '../cdr/call-types.ts';
import { type Decimal, divideRounded, pow10, type Ratio, ratio } from '../money.ts';
import type { ChosenRule, TaxPlan } from './book.ts';
import { debtorOf } from './duty.ts';
import type { TaxDebtor, TaxRule } from './rule.ts';

export type TelecomKind = 'voice' | 'sms' | 'data';

const kinds: Readonly<Record<CallType, TelecomKind>> = {
  VOICE: 'voice',
  VIDEO: 'voice',
  VOIP: 'voice',
  SMS: 'sms',
  MMS: 'sms',
  USSD: 'sms',
  DATA: 'data',
  // In most countries the rules for voice are the general ones.
  UNCLASSIFIED: 'voice',
};

/** The kind of telecom service as which a call type is taxed. */
export const kindOf = (type: CallType): TelecomKind => kinds[type];

export interface TelecomUse {
  readonly kind: TelecomKind;
  readonly currency: string;
  /** The cost before tax, never negative, in units of the decimals that the caller uses for that currency. */
  readonly cost: bigint;
  /** Whole seconds. */
  readonly durationS: number;
  /** Kilobytes of a data session. */
  readonly dataKb?: Decimal | undefined;
  /** For incoming international traffic: the country of origin, ISO 3166-1 alpha-2; null if unknown. */
  readonly incoming?: { readonly origin: string | null } | undefined;
  /** Whether it goes to a number abroad. */
  readonly isOutgoing?: boolean | undefined;
  /** Whether the subscriber was called or was sent the message: amounts per unit are on who calls or sends. */
  readonly received?: boolean | undefined;
  /** Whether nobody answered, or the message was not delivered: no amount per record is due then. */
  readonly isMissed?: boolean | undefined;
}

/** One tax with its base. */
interface TelecomTaxLine {
  readonly ruleId: string;
  /** Currency of the tax and the taxable amount. */
  readonly currency: string;
  /** Cost plus the taxes charged before; null if a quantity is taxed. */
  readonly taxable: bigint | null;
  /** Minutes, records or megabytes; null if money is taxed. */
  readonly quantity: Ratio | null;
  readonly tax: bigint;
  /** Why it is zero, if the rule or the origin says so. */
  readonly reason: string | null;
  /** Of a tax by periodic return: who owes it. */
  readonly owedBy?: TaxDebtor;
}

export interface TelecomTaxes {
  /** In the order of charging: a tax follows those it is charged on; those due by periodic return come last. */
  readonly lines: readonly TelecomTaxLine[];
  /** Sum of the lines by currency, without those due by periodic return. */
  readonly totals: ReadonlyMap<string, bigint>;
  /** The cost plus the taxes in its currency that the operator neither bears itself nor returns for a period. */
  readonly charged: bigint;
}

/**
 * Computes the taxes of a record. Each tax is rounded separately by its rule, since a tax on another tax is charged on
 * the invoiced amount.
 * @param decimals returns the decimals to calculate with in a currency: more than it has if many records are added up
 */
export function telecomTaxes(plan: TaxPlan, use: TelecomUse, decimals: (currency: string) => number): TelecomTaxes {
  const [within, due] = [rulesFor(plan.others, use), rulesFor(plan.due, use)];
  const isWithin = new Set(within.map((c) => c.rule));
  const lines = new Map<TaxRule, TelecomTaxLine>();
  const charge = (c: ChosenRule): TelecomTaxLine | undefined => {
    const r = c.rule;
    const known = lines.get(r);
    if (known) return known;
    const line = r.base === 'CALL_COST' ? onCost(c) : onQuantity(r, use, decimals);
    if (line) lines.set(r, line);
    return line;
  };
  const onCost = ({ rule: r, ownRate }: ChosenRule): TelecomTaxLine => {
    let taxable = use.cost;
    if (r.compoundsOn.length > 0)
      // What each call bears never rests on a tax of the period; such a tax may rest on both.
      for (const other of isWithin.has(r) ? within : [...within, ...due])
        if (other.rule !== r && other.rule.base === 'CALL_COST' && r.compoundsOn.includes(other.rule.taxCode))
          taxable += charge(other)?.tax ?? 0n;
    const exempt = exemptOrigin(r, use);
    return {
      ruleId: r.ruleId,
      currency: use.currency,
      taxable,
      quantity: null,
      tax: exempt ? 0n : divideRounded(taxable * ownRate.n, ownRate.d, r.rounding),
      reason: exempt ?? r.reason ?? null,
    };
  };
  for (const c of [...within, ...due]) charge(c);

  const totals = new Map<string, bigint>();
  let charged = use.cost;
  for (const [r, line] of lines) {
    if (!isWithin.has(r)) continue;
    totals.set(line.currency, (totals.get(line.currency) ?? 0n) + line.tax);
    if (line.currency === use.currency && r.bearer !== 'OPERATOR') charged += line.tax;
  }
  return {
    lines: [...lines].map(([r, line]) => {
      const owedBy = debtorOf(r);
      return owedBy === undefined ? line : { ...line, owedBy };
    }),
    totals,
    charged,
  };
}

function onQuantity(r: TaxRule, use: TelecomUse, decimals: (currency: string) => number): TelecomTaxLine | undefined {
  const quantity = quantityOf(r, use);
  if (!quantity || r.unitAmount === undefined || r.currency === undefined) return undefined;
  const exempt = exemptOrigin(r, use) ?? notTheirs(r, use);
  const unit = ratio(exempt ? '0' : r.unitAmount);
  return {
    ruleId: r.ruleId,
    currency: r.currency,
    taxable: null,
    quantity,
    tax: divideRounded(unit.n * quantity.n * pow10(decimals(r.currency)), unit.d * quantity.d, r.rounding),
    reason: exempt ?? r.reason ?? null,
  };
}

/** Seconds count as fractions of a minute, kilobytes as 1/1024 of a megabyte; undefined if none is used. */
function quantityOf(r: TaxRule, use: TelecomUse): Ratio | undefined {
  switch (r.base) {
    case 'MINUTES':
      return use.kind === 'voice' ? { n: BigInt(use.durationS), d: 60n } : undefined;
    case 'DATA_MB':
      return use.dataKb && { n: use.dataKb.units, d: pow10(use.dataKb.scale) * 1024n };
    case 'COUNT':
      return { n: 1n, d: 1n };
    default:
      return undefined;
  }
}

/**
 * The rules for the record's kind, or for what goes abroad if the country has such. If it has none for messages or data,
 * its rules for voice apply.
 */
function rulesFor(chosen: readonly ChosenRule[], use: TelecomUse): ChosenRule[] {
  const own = [...(use.isOutgoing ? ['telecom_outgoing'] : []), `telecom_${use.kind}`];
  const category = own.find((name) => chosen.some(({ rule: r }) => r.category === name)) ?? 'telecom_voice';
  return chosen.filter(({ rule: r }) => {
    if (r.category === 'telecom_incoming') return use.incoming !== undefined;
    return !r.category.startsWith('telecom_') || r.category === category;
  });
}

function exemptOrigin(r: TaxRule, use: TelecomUse): 'EXEMPT_ORIGIN' | undefined {
  const origin = use.incoming?.origin;
  return origin && r.exemptOrigins?.includes(origin) ? 'EXEMPT_ORIGIN' : undefined;
}

/** Why an amount per unit is not due on a record: such taxes are on outgoing traffic that came about. */
function notTheirs(r: TaxRule, use: TelecomUse): 'RECEIVED' | 'NOT_ANSWERED' | undefined {
  if (r.category === 'telecom_incoming' || r.base === 'DATA_MB') return undefined;
  if (use.received) return 'RECEIVED';
  return r.base === 'COUNT' && use.isMissed ? 'NOT_ANSWERED' : undefined;
}
