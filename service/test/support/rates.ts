// What is charged and taxed by, as it stands in the database, and the operations that may change it.
import type { OperationId } from '@assay/client';
import type { TestApp } from './app.ts';

/** Operations that change rates, or what was taxed by them; two people can be required for them. */
export const changesRates: readonly string[] = [
  'loadTax',
  'setFee',
  'endFee',
  'correctRates',
  'openProposal',
  'approveProposal',
] satisfies OperationId[];

/** The versions of all rows of tax rules, fees and adjustments: the same text as long as none of them was written. */
export async function ratesOf(t: Pick<TestApp, 'database'>): Promise<string> {
  const versions = ['tax_countries', 'tax_rules', 'fee_rules', 'adjustments'].map(
    (table) => `SELECT md5(string_agg(ctid::text || ' ' || xmin::text, ',' ORDER BY ctid)) FROM ${table}`,
  );
  const [row] = await t.database.admin.query<{ rates: string }>(
    `SELECT concat_ws(' ', (${versions.join('), (')})) AS rates`,
  );
  return (row as { rates: string }).rates;
}
