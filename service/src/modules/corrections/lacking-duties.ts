// Counts the payments that lack a duty by return which the rules in force have for them, as those recorded before duties were
// do. Changes nothing: the report rateCorrection lists them, and a correction records them.
import type { PspId } from '../../core/ids.ts';
import { isDutyOnPayments } from '../../core/tax/duty.ts';
import type { Database } from '../../platform/database.ts';
import { allPages } from '../kernel/all-pages.ts';
import type { Needs } from '../kernel/needs.ts';
import { countriesOf, readWithoutDuty } from './adjustment-store.ts';
import { assess } from './affected.ts';

export interface LackingDuties {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly rule: string;
  readonly transactions: number;
  /** The first and the last local day of them. */
  readonly from: string;
  readonly to: string;
}

const page = 1000;

/** By country and duty, those with any. */
export async function lackingDuties(
  db: Database,
  s: Needs<'reference' | 'rates'>,
  psp: PspId,
): Promise<readonly LackingDuties[]> {
  const out: LackingDuties[] = [];
  for (const code of await countriesOf(db, psp)) {
    const country = s.rates.book.country(code);
    if (!country) continue;
    for (const rule of country.rules.filter(isDutyOnPayments)) {
      let [transactions, from, to] = [0, '', ''];
      const read = (after: string | null, limit: number) => readWithoutDuty(db, psp, country, rule, after, limit);
      for await (const rows of allPages(page, (r) => r.transaction.id, read))
        for (const r of rows) {
          if (!assess(s, r).changes.some((c) => c.rule === rule.ruleId)) continue;
          const { date } = r.transaction.evidence;
          if (transactions++ === 0 || date < from) from = date;
          if (date > to) to = date;
        }
      if (transactions > 0) out.push({ country: country.jurisdiction, rule: rule.ruleId, transactions, from, to });
    }
  }
  return out;
}
