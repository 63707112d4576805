// Prints an explanation for a person: what is taken from the amount, by which rule and source.
import { decimal, formatUnits, unitsAt } from '../../core/money.ts';
import { sourceText } from '../../core/tax/change-feed.ts';
import { debtorWords } from '../../core/tax/duty.ts';
import type { Output } from './output.ts';
import type { Explanation } from './tax-explain.ts';
import { shortened } from './tax-explain-call.ts';

export function showExplained(out: Output, e: Explanation): void {
  const amount = e.operation === 'recordCDR' ? plainAmount : amountsOf(e.decimals);
  out.facts([
    ['Operation', e.operation],
    ['Country', `${e.countryName} (${e.country})`],
    ['Local date', e.date],
    ['Classification', e.classification],
    ['MCC', e.mcc],
    ['Amount', `${amount(e.amount)} ${e.currency}`],
  ]);
  if (e.split) {
    out.line();
    out.table(Object.entries(e.split), [
      { title: 'Part', value: ([name]: [string, unknown]) => name },
      { title: e.currency, value: ([, units]: [string, unknown]) => amount(units), right: true },
    ]);
    if (e.fee) out.line(`\nprocessingFee by ${e.fee.feeId}: ${e.fee.percent} %`);
  }
  out.line();
  if (e.rules.length === 0) out.line('No tax rule applies within the transaction.');
  for (const r of e.rules) {
    const on = r.taxable === null ? r.quantity : amount(r.taxable);
    out.line(`${r.ruleId}: ${r.taxCode} ${r.rate} on ${on} (${r.base}) = ${amount(r.tax)} ${r.currency ?? e.currency}`);
    if (r.effectiveRate !== null && !r.rate.startsWith(`${r.effectiveRate} %`))
      out.line(`  in effect ${r.effectiveRate} %: it is charged on other taxes too`);
    grounds(out, r);
  }
  for (const r of e.accruals) {
    const on = r.taxable === null ? r.quantity : amount(r.taxable);
    const sum = r.tax === null ? '' : ` on ${on} = ${amount(r.tax)} ${r.currency ?? e.currency}`;
    const adds = r.contribution === undefined ? '' : `, adds ${amount(r.contribution)} ${e.currency} to its base`;
    const to = r.authority === null ? '' : ` to ${r.authority}`;
    const owed = r.owedBy === null ? '' : `, owed by ${debtorWords[r.owedBy]}${to}`;
    out.line(
      `${r.ruleId}: ${r.taxCode} ${r.rate} (${r.base})${sum}, by periodic return${owed}${adds}, not part of the transaction`,
    );
    grounds(out, r);
  }
  for (const o of e.observations) out.line(`${o.code}: ${o.message}`);
}

function grounds(out: Output, r: Explanation['rules'][number] | Explanation['accruals'][number]): void {
  const from = r.validFrom === null ? 'in force, since a day nobody looked up' : `in force from ${r.validFrom}`;
  const end =
    r.sunsetOn === null ? (r.validTo === null ? '' : `, until ${r.validTo}`) : `, until ${r.sunsetOn} unless renewed`;
  out.line(`  ${from}${end}, borne by the ${r.bearer}`);
  if (r.reason !== null) out.line(`  reason: ${r.reason}`);
  if (r.legalRef !== null) out.line(`  law: ${r.legalRef}`);
  if (r.source) out.line(`  ${r.confidence}: ${sourceText(r.source)}`);
  if (r.source?.url) out.line(`  ${r.source.url}`);
  if (r.says !== null) out.line(`  says: ${r.says}`);
  if (r.note !== null) out.line(`  note: ${r.note}`);
}

/** Amounts of calls without trailing zeros: they are calculated with many decimals. */
const plainAmount = (n: unknown): string => shortened(JSON.stringify(n));

/** Amounts with all decimals of their asset, even if they have more digits than a double. */
const amountsOf =
  (decimals: number) =>
  (n: unknown): string =>
    formatUnits(unitsAt(decimal(JSON.stringify(n)), decimals) as bigint, decimals);
