// Counts the calls that were analysed without what is due by return on them by the rules in force, as those analysed before such
// taxes were worked out. Changes nothing: a rebuild of the analysis works it out.
import { analyse } from '../../../core/cdr/analyse.ts';
import type { PspId } from '../../../core/ids.ts';
import { isDutyOnCalls } from '../../../core/tax/duty.ts';
import { loadNumberRanges } from '../../../platform/data-files.ts';
import type { Database } from '../../../platform/database.ts';
import { countryOfNumber } from '../../../platform/number-countries.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { allPages } from '../../kernel/all-pages.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operatorsOf } from './analyse-entries.ts';
import { recordsWithoutDuty } from './analysis-store.ts';
import { countriesOfCalls } from './totals-store.ts';

export interface CallsLackingDuties {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly calls: number;
}

const page = 1000;

/** By country, those with any. */
export async function callsLackingDuties(
  db: Database,
  s: Needs<'reference' | 'rates'> & HasAccounts,
  psp: PspId,
): Promise<readonly CallsLackingDuties[]> {
  const out: CallsLackingDuties[] = [];
  const rules = { book: s.rates.book, numbering: { countryOf: countryOfNumber, ranges: loadNumberRanges() } };
  const operatorOf = operatorsOf(s, db, psp);
  for (const country of await countriesOfCalls(db, psp)) {
    if (!rules.book.country(country)?.rules.some(isDutyOnCalls)) continue;
    let calls = 0;
    const read = (after: string | null, most: number) => recordsWithoutDuty(db, psp, country, { after, most });
    for await (const rows of allPages(page, (r) => r.id, read))
      for (const r of rows)
        if (analyse(r, await operatorOf(r.account), rules).taxes.some((t) => t.owedBy !== null)) calls++;
    if (calls > 0) out.push({ country, calls });
  }
  return out;
}
