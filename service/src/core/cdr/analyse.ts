// The analysis of one call detail record: its class, its month, and its taxes by the rules of its day. Pure: the same
// record, rules and ranges give the same analysis.
import { localDate } from '../calendar.ts';
import { type Decimal, decimal, pow10 } from '../money.ts';
import { plainOf, sumOf } from '../sums.ts';
import type { RuleBook } from '../tax/book.ts';
import type { TaxBase, TaxDebtor, TaxRule } from '../tax/rule.ts';
import { kindOf, type TelecomKind, telecomTaxes } from '../tax/telecom.ts';
import { hasFailed, isAnswered, readCallType } from './call-types.ts';
import { type CallFacts, type CdrClass, type Classified, classify, type Numbering } from './classify.ts';

export interface AnalysedCall extends CallFacts {
  /** Milliseconds since the epoch. */
  readonly startMs: number;
  readonly durationS: number;
  /** `call_status` as sent; null if it was not. */
  readonly status: string | null;
  /** Plain decimal text, before tax. */
  readonly cost: string;
  readonly currency: string;
  readonly dataKb: string | null;
}

/** The operator that reported the record. */
export interface CdrOperator {
  /** ISO 3166-1 alpha-2; undefined if the account has none. */
  readonly country: string | undefined;
  /** IANA name of the time zone. */
  readonly timeZone: string;
  readonly classification: string;
}

/** One tax on a record. Amounts are plain decimal text with all calculated decimals. */
export interface RecordTax {
  readonly ruleId: string;
  readonly taxCode: string;
  readonly base: TaxBase;
  readonly currency: string;
  readonly tax: string;
  /** The amount that a percentage was charged on; null for an amount per unit. */
  readonly taxable: string | null;
  /** Seconds, records or kilobytes for an amount per minute, record or megabyte; null for a percentage. */
  readonly quantity: string | null;
  readonly reason: string | null;
  /** Who owes a tax that is due by a return of the period, beside the record; null for one that the record bears. */
  readonly owedBy: TaxDebtor | null;
}

export const analysisFindings = {
  NO_RULE: 'No tax rule of the country is for such a record on that date.',
  NO_COUNTRY: "The operator's account names no country, so no rules apply.",
} as const;
export type AnalysisFinding = keyof typeof analysisFindings;

export interface CallAnalysis {
  readonly class: CdrClass;
  readonly otherCountry: string | null;
  /** Month (YYYY-MM) of the start in the country's time zone. */
  readonly callPeriod: string;
  /** Of a message or session: whether it did not fail. */
  readonly answered: boolean;
  readonly taxes: readonly RecordTax[];
  /** Sum of the taxes in the currency of the cost, without those due by return. */
  readonly tax: string;
  readonly finding: AnalysisFinding | null;
}

/** Stands for the country of an account without one; ISO 3166 reserves this code for users. */
export const noCountry = 'ZZ';

/**
 * Decimals to calculate with. Many records are added up before anything is rounded to money: with twelve decimals, the
 * error of a billion records stays below a thousandth.
 */
export const reckonedDecimals = 12;

export function analyse(
  stored: AnalysedCall,
  operator: CdrOperator,
  rules: { readonly book: RuleBook; readonly numbering: Numbering },
): CallAnalysis {
  // A word may have become known since the record was stored.
  const call = stored.type === 'UNCLASSIFIED' ? { ...stored, type: readCallType(stored.typeWord) } : stored;
  const kind = kindOf(call.type);
  const cameAbout = kind === 'voice' ? isAnswered(call.status, call.durationS) : !hasFailed(call.status);
  const classified = classify(call, operator.country, rules.numbering);
  const date = localDate(operator.timeZone, call.startMs);
  const charged =
    operator.country === undefined
      ? []
      : charge({ ...call, kind, cameAbout }, operator.country, operator, date, classified, rules);
  return {
    class: classified.class,
    otherCountry: classified.otherCountry,
    callPeriod: date.slice(0, 7),
    answered: cameAbout,
    taxes: charged,
    tax: sumOf(charged.filter((t) => t.owedBy === null && t.currency === call.currency).map((t) => t.tax)),
    finding: operator.country === undefined ? 'NO_COUNTRY' : charged.length === 0 ? 'NO_RULE' : null,
  };
}

function charge(
  call: AnalysedCall & { readonly kind: TelecomKind; readonly cameAbout: boolean },
  country: string,
  { classification }: CdrOperator,
  date: string,
  { incoming, isOutgoing, received }: Classified,
  { book }: { readonly book: RuleBook },
): RecordTax[] {
  const plan = book.plan({ jurisdiction: country, operation: 'recordCDR', classification, date });
  if (!plan) return [];
  const cost = decimal(call.cost);
  const scale = Math.max(reckonedDecimals, cost.scale);
  const dataKb = call.dataKb === null ? undefined : decimal(call.dataKb);
  const { lines } = telecomTaxes(
    plan,
    {
      kind: call.kind,
      currency: call.currency,
      cost: cost.units * pow10(scale - cost.scale),
      durationS: call.durationS,
      dataKb,
      incoming,
      isOutgoing,
      received,
      isMissed: !call.cameAbout,
    },
    () => scale,
  );
  return lines.map((l) => {
    const { taxCode, base } = (book.rule(l.ruleId) as { rule: TaxRule }).rule;
    return {
      ruleId: l.ruleId,
      taxCode,
      base,
      currency: l.currency,
      tax: plainOf({ units: l.tax, scale }),
      taxable: l.taxable === null ? null : plainOf({ units: l.taxable, scale }),
      quantity: l.quantity === null ? null : quantityText(base, call, dataKb),
      reason: l.reason,
      owedBy: l.owedBy ?? null,
    };
  });
}

function quantityText(base: TaxBase, call: AnalysedCall, dataKb: Decimal | undefined): string {
  if (base === 'MINUTES') return String(call.durationS);
  return base === 'DATA_MB' && dataKb ? plainOf(dataKb) : '1';
}
