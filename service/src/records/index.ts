// All kinds of records, in the order in which a commit writes them: the journal last, so that its entries can contain
// digests of the rows before.
import { accounts } from './accounts.ts';
import { adjustments } from './adjustments.ts';
import { apiKeys } from './api-keys.ts';
import { authorities } from './authorities.ts';
import { baskets } from './baskets.ts';
import { caseItems, cases } from './cases.ts';
import { cdrAnalyses } from './cdr-analyses.ts';
import { cdrDeclarations } from './cdr-declarations.ts';
import { cdrFiles } from './cdr-files.ts';
import { cdrTotals } from './cdr-totals.ts';
import { cdrWithdrawals } from './cdr-withdrawals.ts';
import { cdrs } from './cdrs.ts';
import { chargebacks } from './chargebacks.ts';
import { clientDocuments } from './client-documents.ts';
import { clientVerifications } from './client-verifications.ts';
import { cryptoAssets } from './crypto-assets.ts';
import type { NewRow, RecordDefinition, RowOf } from './define.ts';
import { disputes } from './disputes.ts';
import { exchangeRates } from './exchange-rates.ts';
import { feeRules } from './fee-rules.ts';
import { filings } from './filings.ts';
import { journal } from './journal.ts';
import { listMatches } from './list-matches.ts';
import { listEntries, listLoads } from './lists.ts';
import { lookups } from './lookups.ts';
import { nettings } from './nettings.ts';
import { payouts } from './payouts.ts';
import { playerKeys, playerPolicies, playerRestrictions } from './player-restrictions.ts';
import { proposals } from './proposals.ts';
import { providerSecrets } from './provider-secrets.ts';
import { reportSchedules } from './report-schedules.ts';
import { reports } from './reports.ts';
import { reviews } from './reviews.ts';
import { riskMatches, riskPolicies, riskRules } from './risk-rules.ts';
import { sessions } from './sessions.ts';
import { sftpLogins } from './sftp-logins.ts';
import { subjectEpochs, subjectKeys } from './subjects.ts';
import { taxSums } from './tax-sums.ts';
import { transactions } from './transactions.ts';
import { users } from './users.ts';
import { wagers } from './wagers.ts';
import { walletHolds } from './wallet-holds.ts';
import { webhooks } from './webhooks.ts';

export const records = [
  accounts,
  apiKeys,
  transactions,
  baskets,
  wagers,
  payouts,
  cdrs,
  cdrWithdrawals,
  chargebacks,
  webhooks,
  providerSecrets,
  cdrDeclarations,
  taxSums,
  nettings,
  disputes,
  users,
  sessions,
  authorities,
  sftpLogins,
  reviews,
  cases,
  caseItems,
  proposals,
  feeRules,
  cryptoAssets,
  riskRules,
  riskPolicies,
  riskMatches,
  exchangeRates,
  listLoads,
  listEntries,
  listMatches,
  adjustments,
  cdrFiles,
  reports,
  reportSchedules,
  filings,
  playerRestrictions,
  playerKeys,
  playerPolicies,
  walletHolds,
  subjectKeys,
  subjectEpochs,
  lookups,
  clientVerifications,
  clientDocuments,
  // Written by the analysis; a commit only creates their row types.
  cdrAnalyses,
  cdrTotals,
  journal,
] as const satisfies readonly RecordDefinition[];

type Definition = (typeof records)[number];

/** The names under which decisions write rows. */
export type WriteName = {
  [K in Definition['table']]: Extract<keyof DefinitionOf<K>['writes'], string>;
}[Definition['table']];

type DefinitionOf<T extends string> = Extract<Definition, { readonly table: T }>;

type Written<N extends WriteName> = Definition extends infer D
  ? D extends RecordDefinition
    ? N extends keyof D['writes']
      ? D
      : never
    : never
  : never;

type WriteOf<N extends WriteName> = Written<N>['writes'][N & keyof Written<N>['writes']];

/** The columns of a row under this name: all of them, or the changed ones and the row's key. */
export type ColumnsToWrite<N extends WriteName> =
  WriteOf<N> extends { readonly how: 'change'; readonly set: readonly (infer K)[] }
    ? Pick<RowOf<Written<N>>, (K | Written<N>['key'][number]) & keyof RowOf<Written<N>>>
    : NewRow<Written<N>>;

export type WrittenRow = { readonly [N in WriteName]: readonly [N, ColumnsToWrite<N>] }[WriteName];
