// Asks the service what a row's question asks: its choice of rules and its split, as records are decided.

import { FeeSchedule } from '../../src/core/fee.ts';
import type { PspId } from '../../src/core/ids.ts';
import { decimal, formatUnits, unitsAt } from '../../src/core/money.ts';
import type { Asset, Country } from '../../src/core/reference.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { accrualsOf } from '../../src/core/tax/accruals.ts';
import type { RuleBook } from '../../src/core/tax/book.ts';
import { dutyOn } from '../../src/core/tax/duty.ts';
import type { Customer, TaxedOperation } from '../../src/core/tax/rule.ts';
import { gamingTaxes } from '../../src/core/tax/split.ts';
import type { TaxProfile, TaxScheme } from '../../src/core/tax/supplier.ts';
import type { Supply } from '../../src/core/tax/supplies.ts';
import { type TelecomKind, telecomTaxes } from '../../src/core/tax/telecom.ts';
import { price, type TransactionKind } from '../../src/core/transaction.ts';
import type { Answer, RowQuestion } from './second-reading.ts';

const psp = '00000000-0000-7000-8000-000000000000' as PspId;
/** Without a fee of the service's own, fees are what the question says. */
const noFees = new FeeSchedule([
  {
    feeId: 'NONE',
    operations: [],
    classifications: [],
    countries: [],
    percent: '0',
    validFrom: '1900-01-01',
    validTo: null,
  },
]);

const plain = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

const profileOf = (country: string, scheme: string | undefined): TaxProfile | undefined =>
  scheme === undefined
    ? undefined
    : {
        country,
        validFrom: '1900-01-01',
        registered: scheme !== 'NOT_REGISTERED' && scheme !== 'SMALL_BUSINESS',
        scheme: (scheme === 'NOT_REGISTERED' ? 'STANDARD' : scheme) as TaxScheme,
        taxNumber: null,
        taxNumberValid: null,
        subdivision: null,
        supply: null,
      };

/** What is due, by rule id; undefined if the book has no rules for it. */
export function serviceAnswer(
  book: RuleBook,
  jurisdiction: string,
  q: RowQuestion,
  decimalsOf: (currency: string) => number,
): readonly Answer[] | undefined {
  const decimals = decimalsOf(q.currency);
  const asset: Asset = { code: q.currency, decimals };
  const units = (text: string): bigint => unitsAt(decimal(text), decimals) as bigint;
  const text = (u: bigint, scale = decimals): string => plain(formatUnits(u, scale));
  const operation = q.operation as TaxedOperation;
  const ask = {
    operation,
    jurisdiction,
    classification: q.classification,
    mcc: q.mcc,
    supply: q.supply as Supply | undefined,
    customer: q.customer as Customer | undefined,
    subdivision: q.subdivision,
    productLine: q.productLine,
    date: q.date,
  };

  if (operation === 'captureWager' || operation === 'capturePayout' || operation === 'recordCDR') {
    const plan = book.plan(ask);
    if (plan === undefined) return undefined;
    if (operation === 'recordCDR') {
      const use = {
        kind: (q.kind ?? 'voice') as TelecomKind,
        currency: q.currency,
        cost: units(q.amount),
        durationS: q.seconds ?? 60,
        dataKb: q.dataKb === undefined ? undefined : decimal(q.dataKb),
        incoming: q.origin === undefined ? undefined : { origin: q.origin },
        isOutgoing: q.isOutgoing,
        received: q.received,
        isMissed: q.isMissed,
      };
      return inOrder([
        ...telecomTaxes(plan, use, decimalsOf).lines.map(
          ({ ruleId, tax, currency, owedBy }): Answer => ({
            ruleId,
            tax: text(tax, decimalsOf(currency)),
            as: owedBy === undefined ? 'charged' : 'owed',
            ...(owedBy === undefined ? {} : { owedBy }),
          }),
        ),
      ]);
    }
    const [amount, stake, paidBefore] = [units(q.amount), units(q.stake ?? '0'), units(q.paidBefore ?? '0')];
    const wonOf = (all: bigint) => (all > stake ? all - stake : 0n);
    const wonBefore = wonOf(paidBefore);
    const winnings = wonOf(paidBefore + amount) - wonBefore;
    const amounts =
      operation === 'captureWager' ? { stake: amount } : { payout: amount, winnings, paidBefore, wonBefore };
    const asText = operation === 'captureWager' ? { stake: q.amount } : { payout: q.amount, winnings: text(winnings) };
    return inOrder([
      ...gamingTaxes(plan, amounts, asset).map((l): Answer => ({ ruleId: l.ruleId, tax: text(l.tax), as: 'charged' })),
      ...accrualsOf(plan, q.productLine ?? '', asText).map((a): Answer => {
        const rule = book.rule(a.rule)?.rule;
        if (rule === undefined) throw new Error(`${a.rule} is in no book`);
        return { ruleId: a.rule, tax: plain(dutyOn(rule, a.contribution, decimals) ?? '0'), as: 'accrued' };
      }),
    ]);
  }

  const counted = { base: units(q.before?.base ?? '0'), records: q.before?.records ?? 0, reached: false };
  const sums = new Map(
    (book.country(jurisdiction)?.rules ?? [])
      .filter((r) => q.before !== undefined && r.summedOver?.of !== undefined)
      .map((r) => [r.ruleId, counted]),
  );
  const priced = price(
    {
      ...ask,
      psp,
      kind: operation as TransactionKind,
      country: { alpha2: jurisdiction } as Country,
      asset,
      amount: units(q.amount),
      transactionFee: units(q.fee),
      profile: profileOf(jurisdiction, q.scheme),
      sums,
    },
    book,
    noFees,
  );
  if (priced instanceof Refusal) {
    if (priced.code === 'NO_TAX_RULE') return undefined;
    throw new Error(`${q.operation} of ${q.amount} ${q.currency} on ${q.date}: ${priced.message}`);
  }
  return inOrder(
    priced.evidence.tax.map(
      ({ rule, tax, owedBy }): Answer => ({
        ruleId: rule,
        tax: plain(tax),
        as: owedBy === undefined ? 'charged' : 'owed',
        ...(owedBy === undefined ? {} : { owedBy }),
      }),
    ),
  );
}

const inOrder = (answers: readonly Answer[]): readonly Answer[] =>
  [...answers].sort((a, b) => (a.ruleId < b.ruleId ? -1 : 1));
