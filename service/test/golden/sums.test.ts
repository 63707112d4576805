// Taxes on what a person won in a day or a year, worked out by hand from the law, asked again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lastDayOf } from '../../src/core/calendar.ts';
import { plain, sumOf } from '../../src/core/sums.ts';
import { type PersonRecord, personSums, type SummedRule, taxOfSum } from '../../src/core/tax/person-sums.ts';
import { loadRuleBook } from '../../src/platform/data-files.ts';

interface Golden {
  readonly rule: string;
  /** Of one person. */
  readonly payouts: readonly { readonly day: string; readonly base: string }[];
  /** The tax that the sums take in each month. */
  readonly months: Readonly<Record<string, string>>;
  /** How it follows from the law. */
  readonly working: string;
}

const folder = join(import.meta.dirname, 'sums');
const book = loadRuleBook();

for (const file of readdirSync(folder))
  describe(file, () => {
    const questions: readonly Golden[] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    it.each(questions.map((q, i) => [`${q.rule} (${i + 1})`, q] as const))('%s', (_, q) => {
      const found = book.rule(q.rule);
      if (!found) throw new Error(`no rule ${q.rule}`);
      const rule: SummedRule = { rule: found.rule, currency: found.country.currency, decimals: 2 };
      const records = q.payouts.map(({ day, base }, i): PersonRecord => {
        const tax = taxOfSum(rule, base, rule.currency) ?? '0';
        return { rule: q.rule, account: 'a', person: 'p', id: String(i), currency: rule.currency, day, base, tax };
      });
      for (const [month, tax] of Object.entries(q.months)) {
        const sums = personSums(records, { first: `${month}-01`, last: lastDayOf(month) }, () => rule);
        expect([month, sumOf(sums.map((s) => s.due))], q.working).toEqual([month, plain(tax)]);
      }
    });
  });
