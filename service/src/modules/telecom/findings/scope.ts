// The accounts that the findings of a report cover: one account, or all accounts of a PSP that have records or files.
import type { NamedAccount } from '../../../core/cdr/networks.ts';
import type { PspId } from '../../../core/ids.ts';
import { loadNumberRanges } from '../../../platform/data-files.ts';
import type { Database } from '../../../platform/database.ts';
import { findAccount } from '../../accounts/index.ts';
import type { FindingsPeriod, FindingsScope } from './slice.ts';

/** SQL: steps from one account to the next by the index, so the cost does not depend on the number of records. */
const accountsOf = (table: 'cdrs' | 'cdr_files') => `(WITH RECURSIVE a AS (
    (SELECT account_id FROM ${table} WHERE psp_id = $1 ORDER BY account_id LIMIT 1)
    UNION ALL
    SELECT (SELECT t.account_id FROM ${table} t WHERE t.psp_id = $1 AND t.account_id > a.account_id
      ORDER BY t.account_id LIMIT 1)
    FROM a WHERE a.account_id IS NOT NULL
  ) SELECT account_id FROM a WHERE account_id IS NOT NULL)`;

/** @param only the account (uuid); undefined for all accounts of the PSP */
export async function findingsScope(
  db: Database,
  psp: PspId,
  only: string | undefined,
  period: FindingsPeriod,
): Promise<FindingsScope> {
  const accounts =
    only === undefined
      ? (
          await db.query<{ account_id: string }>(
            `${accountsOf('cdrs')} UNION ${accountsOf('cdr_files')} ORDER BY account_id`,
            [psp],
          )
        ).map((r) => r.account_id)
      : [only];
  const registered = new Map<string, NamedAccount>();
  for (const id of accounts) {
    const account = await findAccount(db, psp, id);
    if (account) registered.set(id, { name: account.name, country: account.country ?? undefined });
  }
  return { db, psp, accounts, registered, networks: loadNumberRanges(), period };
}
