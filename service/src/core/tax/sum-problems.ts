// The checks of rows whose law counts a day, a month or a year, each problem a sentence. Pure.
import { type Said, said } from '../said.ts';
import { summedOf, summedPeriods, type TaxRule } from './rule.ts';

/** Bases of which a report counts what a person won. */
const reported = new Set<unknown>(['WINNINGS', 'PAYOUT']);
/** Bases of which the decision counts what came before. */
const decided = new Set<unknown>(['NET_ADD_ON', 'REMITTANCE', 'DEPOSIT_VALUE', 'WITHDRAWAL_VALUE']);
/** Operations that name the customer. */
const named = new Set<unknown>(['deposit', 'withdrawal', 'cryptoDeposit', 'cryptoWithdrawal']);

/** Problems of `summedOver`; empty if it is absent or valid. */
export function sumProblems(r: TaxRule): Said[] {
  const out: Said[] = [];
  const need = (ok: boolean, what: Said) => {
    if (!ok) out.push(what);
  };
  const over: unknown = r.summedOver;
  if (over === undefined) return out;
  if (typeof over !== 'object' || over === null || Array.isArray(over)) return [said`summedOver must be an object`];
  const { per, firstMonth, of, from, minRecords, onwards, ...rest } = over as Record<string, unknown>;
  const isMonth = Number.isInteger(firstMonth) && Number(firstMonth) >= 1 && Number(firstMonth) <= 12;
  need(
    (summedPeriods as readonly unknown[]).includes(per),
    said`summedOver.per must be one of ${summedPeriods.join(', ')}`,
  );
  need(firstMonth === undefined || (per === 'YEAR' && isMonth), said`summedOver.firstMonth is of a year, 1 to 12`);
  need(Object.keys(rest).length === 0, said`summedOver does not know ${Object.keys(rest).join(', ')}`);
  need(r.inTransaction, said`summedOver is of a tax in records: inTransaction must be true`);
  if (of === undefined) {
    need(reported.has(r.base), said`summedOver without of is of a tax on WINNINGS or PAYOUT, which a report counts`);
    need(
      from === undefined && minRecords === undefined && onwards === undefined,
      said`summedOver.from, minRecords and onwards need of`,
    );
    return out;
  }
  need((summedOf as readonly unknown[]).includes(of), said`summedOver.of must be one of ${summedOf.join(', ')}`);
  need(decided.has(r.base), said`summedOver.of is not for the base ${r.base}`);
  need(
    of !== 'CUSTOMER' || r.operations.every((o) => named.has(o)),
    said`summedOver.of CUSTOMER needs operations that name one`,
  );
  need(from === undefined || from === 'REACHED', said`summedOver.from can only be REACHED`);
  if (from === 'REACHED') {
    need(r.rate !== undefined, said`summedOver.from REACHED needs a rate`);
    need(
      [r.allowance, r.brackets, r.slabs, r.maxTax, r.minTax].every((v) => v === undefined),
      said`summedOver.from REACHED goes with threshold or atLeast only`,
    );
    need(
      r.threshold !== undefined || r.atLeast !== undefined,
      said`summedOver.from REACHED needs threshold or atLeast`,
    );
    need(
      minRecords === undefined || (Number.isInteger(minRecords) && Number(minRecords) > 1),
      said`summedOver.minRecords must be a whole number above 1`,
    );
    need(onwards === undefined || typeof onwards === 'boolean', said`summedOver.onwards must be true or false`);
    return out;
  }
  need(minRecords === undefined && onwards === undefined, said`summedOver.minRecords and onwards go with from REACHED`);
  // A step would tax what came before in one amount, and might take more than there is.
  need(
    [r.threshold, r.atLeast, r.slabs, r.minTax].every((v) => v === undefined),
    said`a sum goes with rate or brackets, allowance and maxTax; a limit that is to be reached is from REACHED`,
  );
  need(
    r.allowance !== undefined || r.brackets !== undefined || r.maxTax !== undefined,
    said`summedOver needs allowance, brackets or maxTax: otherwise there is nothing to count`,
  );
  return out;
}
