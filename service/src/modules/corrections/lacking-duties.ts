// Counts the payments that lack a duty by return which the rules in force have for them, as those recorded before duties were
// do. Changes nothing: the report rateCorrection lists them, and a correction records them.
import { setImmediate as pause } from 'node:timers/promises';
import type { PspId } from '../../core/ids.ts';
import { isDutyOnPayments } from '../../core/tax/duty.ts';
import type { Database } from '../../platform/database.ts';
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
      const days: string[] = [];
      for (let after: string | null = null; ; ) {
        const rows = await readWithoutDuty(db, psp, country, rule, after, page);
        for (const r of rows)
          if (assess(s, r).changes.some((c) => c.rule === rule.ruleId)) days.push(r.transaction.evidence.date);
        if (rows.length < page) break;
        after = rows.at(-1)?.transaction.id ?? null;
        await pause();
      }
      const [from, to] = [days.reduce(earlier, days[0] ?? ''), days.reduce(later, '')];
      if (days.length > 0)
        out.push({ country: country.jurisdiction, rule: rule.ruleId, transactions: days.length, from, to });
    }
  }
  return out;
}

const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);
