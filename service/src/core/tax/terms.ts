// How a rule works its tax out, in words: its rate, brackets, slabs or fixed amount, and its limits; and whether it ends
// soon. Pure.
import { addDays } from '../calendar.ts';
import { isOfWager } from './charge.ts';
import { isUnknown, type SummedOver, type TaxRule } from './rule.ts';

export function rateText(r: TaxRule, currency: string): string {
  if (isUnknown(r)) return 'of unknown rate';
  const money = r.currency ?? currency;
  const to = (upTo: string | undefined) => (upTo === undefined ? 'above' : `up to ${upTo}`);
  const main =
    r.brackets !== undefined
      ? r.brackets.map((b) => `${b.rate} % ${to(b.upTo)}`).join(', ')
      : r.slabs !== undefined
        ? `of all: ${r.slabs.map((b) => `${b.amount ?? `${b.rate} %`} ${to(b.upTo)}`).join(', ')}`
        : r.unitAmount !== undefined
          ? `${r.unitAmount} ${money} ${r.base === 'TRANSACTION' ? 'a transaction' : 'a unit'}`
          : `${r.rate} %`;
  const limits = [
    ...(r.atLeast === undefined ? [] : [r.atLeast === '0' ? `in ${money} only` : `from ${r.atLeast} ${money} on`]),
    ...(r.threshold === undefined ? [] : [`above ${r.threshold} ${money}`]),
    ...(r.allowance === undefined ? [] : [`less ${r.allowance} ${money}`]),
    ...(r.minTax === undefined ? [] : [`at least ${r.minTax} ${money}`]),
    ...(r.maxTax === undefined ? [] : [`at most ${r.maxTax} ${money}`]),
    ...(r.ceiling === undefined ? [] : [`at most ${r.ceiling.amount} ${r.ceiling.currency}`]),
  ];
  const text = limits.length === 0 ? main : `${main}, ${limits.join(', ')}`;
  if (isOfWager(r)) return `${text}, of all payouts of a wager`;
  return r.summedOver === undefined ? text : `${text}, ${sumText(r.summedOver)}`;
}

function sumText({ per, of, from, minRecords, onwards }: SummedOver): string {
  const period = per.toLowerCase();
  if (of === undefined) return `of what a person wins in a ${period}`;
  const whose = of === 'CLIENT' ? 'the client is paid' : 'the customer pays';
  if (from !== 'REACHED') return `of what ${whose} in a ${period}`;
  const least = minRecords === undefined ? '' : ` and ${minRecords} payments are made`;
  return `once ${whose} that in a ${period}${least}${onwards ? ', and from then on' : ''}`;
}

const soonDays = 90;

/** The last day of a rule, or of the decree it rests on, if it is at most 90 days after a day. */
export function endsSoon(r: Pick<TaxRule, 'sunsetOn' | 'validTo'>, date: string): string | undefined {
  const ends = [r.sunsetOn, r.validTo === null ? undefined : addDays(r.validTo, -1)].filter((d) => d !== undefined);
  return ends.filter((d) => d >= date && d <= addDays(date, soonDays)).sort()[0];
}
