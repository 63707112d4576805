// All operations served over HTTP. A new operation is a file of its own and one row here, in its section; the OpenAPI
// description, the reference and the clause table follow.
import { addPSPSecret } from '../../modules/accounts/operations/add-psp-secret.ts';
import { createOperator } from '../../modules/accounts/operations/create-operator.ts';
import { createPsp } from '../../modules/accounts/operations/create-psp.ts';
import { getClient } from '../../modules/accounts/operations/get-client.ts';
import { issueKey } from '../../modules/accounts/operations/issue-key.ts';
import { listAccounts } from '../../modules/accounts/operations/list-accounts.ts';
import { listClients } from '../../modules/accounts/operations/list-clients.ts';
import { listKeys } from '../../modules/accounts/operations/list-keys.ts';
import { placeHold } from '../../modules/accounts/operations/place-hold.ts';
import { registerClient } from '../../modules/accounts/operations/register-client.ts';
import { releaseHold } from '../../modules/accounts/operations/release-hold.ts';
import { setStanding } from '../../modules/accounts/operations/set-standing.ts';
import { setTaxProfile } from '../../modules/accounts/operations/set-tax-profile.ts';
import { updateClient } from '../../modules/accounts/operations/update-client.ts';
import { verifyClientStatus } from '../../modules/accounts/operations/verify-client-status.ts';
import { getAuditKey } from '../../modules/audit/operations/get-audit-key.ts';
import { getCheckpoint } from '../../modules/audit/operations/get-checkpoint.ts';
import { getConsistency } from '../../modules/audit/operations/get-consistency.ts';
import { getReceipt } from '../../modules/audit/operations/get-receipt.ts';
import { rotateAuditKey } from '../../modules/audit/operations/rotate-audit-key.ts';
import { changeAuthority } from '../../modules/authorities/operations/change-authority.ts';
import { createAuthority } from '../../modules/authorities/operations/create-authority.ts';
import { getAuthority } from '../../modules/authorities/operations/get-authority.ts';
import { getAuthorityBasket } from '../../modules/authorities/operations/get-authority-basket.ts';
import { getAuthorityCall } from '../../modules/authorities/operations/get-authority-call.ts';
import { getAuthorityReceipt } from '../../modules/authorities/operations/get-authority-receipt.ts';
import { getAuthorityRecord } from '../../modules/authorities/operations/get-authority-record.ts';
import { listAuthorities } from '../../modules/authorities/operations/list-authorities.ts';
import { listAuthorityCallTotals } from '../../modules/authorities/operations/list-authority-call-totals.ts';
import { listAuthorityCalls } from '../../modules/authorities/operations/list-authority-calls.ts';
import { listAuthorityPsps } from '../../modules/authorities/operations/list-authority-psps.ts';
import { listAuthorityRecords } from '../../modules/authorities/operations/list-authority-records.ts';
import { listAuthoritySample } from '../../modules/authorities/operations/list-authority-sample.ts';
import { listAuthorityTotals } from '../../modules/authorities/operations/list-authority-totals.ts';
import { getBasket } from '../../modules/baskets/operations/get-basket.ts';
import { listBaskets } from '../../modules/baskets/operations/list-baskets.ts';
import { submitBasket } from '../../modules/baskets/operations/submit-basket.ts';
import { addCaseFile } from '../../modules/cases/operations/add-case-file.ts';
import { approveCase } from '../../modules/cases/operations/approve-case.ts';
import { assignCase } from '../../modules/cases/operations/assign-case.ts';
import { caseAction } from '../../modules/cases/operations/case-action.ts';
import { closeCase } from '../../modules/cases/operations/close-case.ts';
import { escalateCase } from '../../modules/cases/operations/escalate-case.ts';
import { exportStr } from '../../modules/cases/operations/export-str.ts';
import { getCase } from '../../modules/cases/operations/get-case.ts';
import { getCaseFile } from '../../modules/cases/operations/get-case-file.ts';
import { linkCase } from '../../modules/cases/operations/link-case.ts';
import { listCases } from '../../modules/cases/operations/list-cases.ts';
import { markStrSent } from '../../modules/cases/operations/mark-str-sent.ts';
import { noteCase } from '../../modules/cases/operations/note-case.ts';
import { rejectCase } from '../../modules/cases/operations/reject-case.ts';
import { reopenCase } from '../../modules/cases/operations/reopen-case.ts';
import { correctRates } from '../../modules/corrections/operations/correct-rates.ts';
import { getPerson } from '../../modules/directory/operations/get-person.ts';
import { listPersonRecords } from '../../modules/directory/operations/list-person-records.ts';
import { listRecordPersons } from '../../modules/directory/operations/list-record-persons.ts';
import { resolveId } from '../../modules/directory/operations/resolve-id.ts';
import { searchAll } from '../../modules/directory/operations/search-all.ts';
import { getDispute } from '../../modules/disputes/operations/get-dispute.ts';
import { listDisputes } from '../../modules/disputes/operations/list-disputes.ts';
import { openDispute } from '../../modules/disputes/operations/open-dispute.ts';
import { resolveDispute } from '../../modules/disputes/operations/resolve-dispute.ts';
import { sendDisputeEvidence } from '../../modules/disputes/operations/send-dispute-evidence.ts';
import { listExchangePublishers } from '../../modules/exchange-rates/operations/list-exchange-publishers.ts';
import { listExchangeRates } from '../../modules/exchange-rates/operations/list-exchange-rates.ts';
import { loadExchangeRates } from '../../modules/exchange-rates/operations/load-exchange-rates.ts';
import { listFilingForms } from '../../modules/filing/operations/list-filing-forms.ts';
import { listFilings } from '../../modules/filing/operations/list-filings.ts';
import { getTransactionHistory } from '../../modules/journal/operations/get-transaction-history.ts';
import { listJournal } from '../../modules/journal/operations/list-journal.ts';
import type { NeedsOf, Operation } from '../../modules/kernel/operation.ts';
import { issueOwnKey } from '../../modules/keys/operations/issue-own-key.ts';
import { listAllKeys } from '../../modules/keys/operations/list-all-keys.ts';
import { listKeyMade } from '../../modules/keys/operations/list-key-made.ts';
import { listOwnKeys } from '../../modules/keys/operations/list-own-keys.ts';
import { revokeKey } from '../../modules/keys/operations/revoke-key.ts';
import { revokeOwnKey } from '../../modules/keys/operations/revoke-own-key.ts';
import { rotateOwnKey } from '../../modules/keys/operations/rotate-own-key.ts';
import { getOverview } from '../../modules/overview/operations/get-overview.ts';
import { listWaitingPsps } from '../../modules/overview/operations/list-waiting-psps.ts';
import { getOwner } from '../../modules/owners/operations/get-owner.ts';
import { endExclusion } from '../../modules/players/operations/end-exclusion.ts';
import { excludePlayer } from '../../modules/players/operations/exclude-player.ts';
import { getPlayer } from '../../modules/players/operations/get-player.ts';
import { getPlayerPolicy } from '../../modules/players/operations/get-player-policy.ts';
import { importExclusions } from '../../modules/players/operations/import-exclusions.ts';
import { listPlayerRestrictions } from '../../modules/players/operations/list-player-restrictions.ts';
import { playerBalance } from '../../modules/players/operations/player-balance.ts';
import { setPlayerLimits } from '../../modules/players/operations/set-player-limits.ts';
import { setPlayerPolicy } from '../../modules/players/operations/set-player-policy.ts';
import { approveProposal } from '../../modules/proposals/operations/approve-proposal.ts';
import { getProposal } from '../../modules/proposals/operations/get-proposal.ts';
import { listProposals } from '../../modules/proposals/operations/list-proposals.ts';
import { openProposal } from '../../modules/proposals/operations/open-proposal.ts';
import { proposalEffect } from '../../modules/proposals/operations/proposal-effect.ts';
import { rejectProposal } from '../../modules/proposals/operations/reject-proposal.ts';
import { addAsset } from '../../modules/rates/operations/add-asset.ts';
import { endFee } from '../../modules/rates/operations/end-fee.ts';
import { getTaxChangesFeed } from '../../modules/rates/operations/get-tax-changes-feed.ts';
import { getTaxFile } from '../../modules/rates/operations/get-tax-file.ts';
import { listAssets } from '../../modules/rates/operations/list-assets.ts';
import { listFees } from '../../modules/rates/operations/list-fees.ts';
import { listTaxChanges } from '../../modules/rates/operations/list-tax-changes.ts';
import { loadTax } from '../../modules/rates/operations/load-tax.ts';
import { setFee } from '../../modules/rates/operations/set-fee.ts';
import { taxQuote } from '../../modules/rates/operations/tax-quote.ts';
import { taxRates } from '../../modules/rates/operations/tax-rates.ts';
import { changeReportSchedule } from '../../modules/reports/operations/change-report-schedule.ts';
import { createReport } from '../../modules/reports/operations/create-report.ts';
import { createReportSchedule } from '../../modules/reports/operations/create-report-schedule.ts';
import { endReportSchedule } from '../../modules/reports/operations/end-report-schedule.ts';
import { fileReturn } from '../../modules/reports/operations/file-return.ts';
import { getReport } from '../../modules/reports/operations/get-report.ts';
import { getReportCsv } from '../../modules/reports/operations/get-report-csv.ts';
import { getReportJson } from '../../modules/reports/operations/get-report-json.ts';
import { getReportPage } from '../../modules/reports/operations/get-report-page.ts';
import { getReportSchedule } from '../../modules/reports/operations/get-report-schedule.ts';
import { getReportXlsx } from '../../modules/reports/operations/get-report-xlsx.ts';
import { getReportXml } from '../../modules/reports/operations/get-report-xml.ts';
import { listFilingPeriods } from '../../modules/reports/operations/list-filing-periods.ts';
import { listReportKinds } from '../../modules/reports/operations/list-report-kinds.ts';
import { listReportSchedules } from '../../modules/reports/operations/list-report-schedules.ts';
import { listReports } from '../../modules/reports/operations/list-reports.ts';
import { rerunReport } from '../../modules/reports/operations/rerun-report.ts';
import { listRequests } from '../../modules/requests/operations/list-requests.ts';
import { assignReview } from '../../modules/reviews/operations/assign-review.ts';
import { getReview } from '../../modules/reviews/operations/get-review.ts';
import { listReviews } from '../../modules/reviews/operations/list-reviews.ts';
import { noteReview } from '../../modules/reviews/operations/note-review.ts';
import { openReview } from '../../modules/reviews/operations/open-review.ts';
import { resolveReview } from '../../modules/reviews/operations/resolve-review.ts';
import { checkRiskRule } from '../../modules/risk/operations/check-risk-rule.ts';
import { getRiskPolicy } from '../../modules/risk/operations/get-risk-policy.ts';
import { listRiskRules } from '../../modules/risk/operations/list-risk-rules.ts';
import { riskReplay } from '../../modules/risk/operations/risk-replay.ts';
import { setRiskPolicy } from '../../modules/risk/operations/set-risk-policy.ts';
import { endMatchException } from '../../modules/screening/operations/end-match-exception.ts';
import { getListEntry } from '../../modules/screening/operations/get-list-entry.ts';
import { getMatch } from '../../modules/screening/operations/get-match.ts';
import { listListEntries } from '../../modules/screening/operations/list-list-entries.ts';
import { listLists } from '../../modules/screening/operations/list-lists.ts';
import { listMatches } from '../../modules/screening/operations/list-matches.ts';
import { loadList } from '../../modules/screening/operations/load-list.ts';
import { makeMatchException } from '../../modules/screening/operations/make-match-exception.ts';
import { putOwnListEntry } from '../../modules/screening/operations/put-own-list-entry.ts';
import { removeOwnListEntry } from '../../modules/screening/operations/remove-own-list-entry.ts';
import { searchLists } from '../../modules/screening/operations/search-lists.ts';
import { findRecords } from '../../modules/search/operations/find-records.ts';
import { getStatement } from '../../modules/settlement/operations/get-statement.ts';
import { listOutstandingChargebacks } from '../../modules/settlement/operations/list-outstanding-chargebacks.ts';
import { netChargeback } from '../../modules/settlement/operations/net-chargeback.ts';
import { getStandinSnapshot } from '../../modules/standin/operations/get-standin-snapshot.ts';
import { getServiceStatus } from '../../modules/status/operations/get-service-status.ts';
import { eraseSubject } from '../../modules/subjects/operations/erase-subject.ts';
import { findSubject } from '../../modules/subjects/operations/find-subject.ts';
import { addSftpKey } from '../../modules/telecom/operations/add-sftp-key.ts';
import { closeCdrPeriod } from '../../modules/telecom/operations/close-cdr-period.ts';
import { correctCdr } from '../../modules/telecom/operations/correct-cdr.ts';
import { createSftpCredentials } from '../../modules/telecom/operations/create-sftp-credentials.ts';
import { declareCdr } from '../../modules/telecom/operations/declare-cdr.ts';
import { getCdr } from '../../modules/telecom/operations/get-cdr.ts';
import { getCdrDeclaration } from '../../modules/telecom/operations/get-cdr-declaration.ts';
import { getCdrFile } from '../../modules/telecom/operations/get-cdr-file.ts';
import { getRejectedCsv } from '../../modules/telecom/operations/get-rejected-csv.ts';
import { listCdrAnalyses } from '../../modules/telecom/operations/list-cdr-analyses.ts';
import { listCdrDeclarations } from '../../modules/telecom/operations/list-cdr-declarations.ts';
import { listCdrFileErrors } from '../../modules/telecom/operations/list-cdr-file-errors.ts';
import { listCdrFiles } from '../../modules/telecom/operations/list-cdr-files.ts';
import { listCdrPeriods } from '../../modules/telecom/operations/list-cdr-periods.ts';
import { listCdrTotals } from '../../modules/telecom/operations/list-cdr-totals.ts';
import { listCdrs } from '../../modules/telecom/operations/list-cdrs.ts';
import { listSftpCredentials } from '../../modules/telecom/operations/list-sftp-credentials.ts';
import { pickUpCdrFiles } from '../../modules/telecom/operations/pick-up-cdr-files.ts';
import { recordCDR } from '../../modules/telecom/operations/record-cdr.ts';
import { revokeSftpCredentials } from '../../modules/telecom/operations/revoke-sftp-credentials.ts';
import { withdrawCdr } from '../../modules/telecom/operations/withdraw-cdr.ts';
import { withdrawCdrFile } from '../../modules/telecom/operations/withdraw-cdr-file.ts';
import { writeOffCdrLines } from '../../modules/telecom/operations/write-off-cdr-lines.ts';
import { listAccrualTotals } from '../../modules/totals/operations/list-accrual-totals.ts';
import { listTaxTotals } from '../../modules/totals/operations/list-tax-totals.ts';
import { listTotals } from '../../modules/totals/operations/list-totals.ts';
import { chargeBack } from '../../modules/transactions/operations/charge-back.ts';
import { cryptoDeposit } from '../../modules/transactions/operations/crypto-deposit.ts';
import { cryptoWithdrawal } from '../../modules/transactions/operations/crypto-withdrawal.ts';
import { declineTransaction } from '../../modules/transactions/operations/decline-transaction.ts';
import { deposit } from '../../modules/transactions/operations/deposit.ts';
import { getTransaction } from '../../modules/transactions/operations/get-transaction.ts';
import { listTransactions } from '../../modules/transactions/operations/list-transactions.ts';
import { previewStanding } from '../../modules/transactions/operations/preview-standing.ts';
import { verifyTransaction } from '../../modules/transactions/operations/verify-transaction.ts';
import { verifyTransactionStatus } from '../../modules/transactions/operations/verify-transaction-status.ts';
import { withdrawal } from '../../modules/transactions/operations/withdrawal.ts';
import { addPasskey } from '../../modules/users/operations/add-passkey.ts';
import { changePassword } from '../../modules/users/operations/change-password.ts';
import { completeSignIn } from '../../modules/users/operations/complete-sign-in.ts';
import { confirmCodes } from '../../modules/users/operations/confirm-codes.ts';
import { createUser } from '../../modules/users/operations/create-user.ts';
import { disableUser } from '../../modules/users/operations/disable-user.ts';
import { enableUser } from '../../modules/users/operations/enable-user.ts';
import { endOtherSessions } from '../../modules/users/operations/end-other-sessions.ts';
import { endOwnSession } from '../../modules/users/operations/end-own-session.ts';
import { endUserSessions } from '../../modules/users/operations/end-user-sessions.ts';
import { finishProviderSignIn } from '../../modules/users/operations/finish-provider-sign-in.ts';
import { getSecondFactors } from '../../modules/users/operations/get-second-factors.ts';
import { getSession } from '../../modules/users/operations/get-session.ts';
import { listOwnSessions } from '../../modules/users/operations/list-own-sessions.ts';
import { listSignInProviders } from '../../modules/users/operations/list-sign-in-providers.ts';
import { listUserSessions } from '../../modules/users/operations/list-user-sessions.ts';
import { listUsers } from '../../modules/users/operations/list-users.ts';
import { removeCodes } from '../../modules/users/operations/remove-codes.ts';
import { removePasskey } from '../../modules/users/operations/remove-passkey.ts';
import { renamePasskey } from '../../modules/users/operations/rename-passkey.ts';
import { renewRecoveryCodes } from '../../modules/users/operations/renew-recovery-codes.ts';
import { resetPassword } from '../../modules/users/operations/reset-password.ts';
import { resetSecondFactor } from '../../modules/users/operations/reset-second-factor.ts';
import { setUserRole } from '../../modules/users/operations/set-user-role.ts';
import { signIn } from '../../modules/users/operations/sign-in.ts';
import { signInWithPasskey } from '../../modules/users/operations/sign-in-with-passkey.ts';
import { signOut } from '../../modules/users/operations/sign-out.ts';
import { startCodes } from '../../modules/users/operations/start-codes.ts';
import { startPasskey } from '../../modules/users/operations/start-passkey.ts';
import { startPasskeySignIn } from '../../modules/users/operations/start-passkey-sign-in.ts';
import { startProviderSignIn } from '../../modules/users/operations/start-provider-sign-in.ts';
import { acceptClientDocument } from '../../modules/verification/operations/accept-client-document.ts';
import { acceptClientLicence } from '../../modules/verification/operations/accept-client-licence.ts';
import { addClientDocument } from '../../modules/verification/operations/add-client-document.ts';
import { getClientDocument } from '../../modules/verification/operations/get-client-document.ts';
import { getClientOwners } from '../../modules/verification/operations/get-client-owners.ts';
import { listClientDocuments } from '../../modules/verification/operations/list-client-documents.ts';
import { listClientLicences } from '../../modules/verification/operations/list-client-licences.ts';
import { refuseClientDocument } from '../../modules/verification/operations/refuse-client-document.ts';
import { refuseClientLicence } from '../../modules/verification/operations/refuse-client-licence.ts';
import { setClientLicence } from '../../modules/verification/operations/set-client-licence.ts';
import { setClientOwners } from '../../modules/verification/operations/set-client-owners.ts';
import { capturePayout } from '../../modules/wagers/operations/capture-payout.ts';
import { captureWager } from '../../modules/wagers/operations/capture-wager.ts';
import { getPayout } from '../../modules/wagers/operations/get-payout.ts';
import { getWager } from '../../modules/wagers/operations/get-wager.ts';
import { listPayouts } from '../../modules/wagers/operations/list-payouts.ts';
import { listWagers } from '../../modules/wagers/operations/list-wagers.ts';
import { holdWallet } from '../../modules/wallets/operations/hold-wallet.ts';
import { listWalletHolds } from '../../modules/wallets/operations/list-wallet-holds.ts';
import { releaseWalletHold } from '../../modules/wallets/operations/release-wallet-hold.ts';
import { deleteWebhook } from '../../modules/webhooks/operations/delete-webhook.ts';
import { getDelivery } from '../../modules/webhooks/operations/get-delivery.ts';
import { getEvent } from '../../modules/webhooks/operations/get-event.ts';
import { getWebhook } from '../../modules/webhooks/operations/get-webhook.ts';
import { listDeliveries } from '../../modules/webhooks/operations/list-deliveries.ts';
import { listEvents } from '../../modules/webhooks/operations/list-events.ts';
import { listWebhooks } from '../../modules/webhooks/operations/list-webhooks.ts';
import { pauseWebhook } from '../../modules/webhooks/operations/pause-webhook.ts';
import { replayWebhook } from '../../modules/webhooks/operations/replay-webhook.ts';
import { resumeWebhook } from '../../modules/webhooks/operations/resume-webhook.ts';
import { retryDelivery } from '../../modules/webhooks/operations/retry-delivery.ts';
import { rotateSecret } from '../../modules/webhooks/operations/rotate-secret.ts';
import { setEventTypes } from '../../modules/webhooks/operations/set-event-types.ts';
import { subscribeToClient } from '../../modules/webhooks/operations/subscribe-to-client.ts';
import { testWebhook } from '../../modules/webhooks/operations/test-webhook.ts';

const served = [
  // Spec 4.1 to 4.17, in its order
  verifyTransaction,
  verifyTransactionStatus,
  declineTransaction,
  getStandinSnapshot,
  chargeBack,
  registerClient,
  verifyClientStatus,
  addPSPSecret,
  cryptoDeposit,
  cryptoWithdrawal,
  deposit,
  withdrawal,
  captureWager,
  capturePayout,
  recordCDR,
  correctCdr,
  withdrawCdr,
  withdrawCdrFile,
  submitBasket,
  subscribeToClient,
  // Lists and details
  listTransactions,
  getTransaction,
  getTransactionHistory,
  listClients,
  getClient,
  updateClient,
  setTaxProfile,
  addClientDocument,
  listClientDocuments,
  getClientDocument,
  acceptClientDocument,
  refuseClientDocument,
  setClientOwners,
  getClientOwners,
  setClientLicence,
  listClientLicences,
  acceptClientLicence,
  refuseClientLicence,
  previewStanding,
  listBaskets,
  getBasket,
  listWagers,
  getWager,
  listPayouts,
  getPayout,
  listCdrs,
  getCdr,
  listCdrTotals,
  listCdrAnalyses,
  listCdrPeriods,
  closeCdrPeriod,
  listCdrFiles,
  getCdrFile,
  listCdrFileErrors,
  getRejectedCsv,
  pickUpCdrFiles,
  writeOffCdrLines,
  declareCdr,
  listCdrDeclarations,
  getCdrDeclaration,
  // Overview
  getOverview,
  listWaitingPsps,
  // Totals
  listTotals,
  listTaxTotals,
  listAccrualTotals,
  // Settlement
  listOutstandingChargebacks,
  netChargeback,
  getStatement,
  // File drop
  createSftpCredentials,
  listSftpCredentials,
  addSftpKey,
  revokeSftpCredentials,
  // Webhooks
  listWebhooks,
  getWebhook,
  pauseWebhook,
  resumeWebhook,
  deleteWebhook,
  setEventTypes,
  testWebhook,
  replayWebhook,
  listDeliveries,
  getDelivery,
  retryDelivery,
  listEvents,
  getEvent,
  rotateSecret,
  // Reports
  listReportKinds,
  createReport,
  listReports,
  getReport,
  getReportJson,
  getReportCsv,
  getReportPage,
  getReportXml,
  getReportXlsx,
  rerunReport,
  createReportSchedule,
  listReportSchedules,
  getReportSchedule,
  changeReportSchedule,
  endReportSchedule,
  listFilingForms,
  listFilingPeriods,
  fileReturn,
  listFilings,
  // Disputes
  listDisputes,
  getDispute,
  openDispute,
  sendDisputeEvidence,
  resolveDispute,
  // Reviews
  listReviews,
  getReview,
  openReview,
  noteReview,
  assignReview,
  resolveReview,
  // Risk book, holds of wallets
  ...[listRiskRules, getRiskPolicy, setRiskPolicy, checkRiskRule, riskReplay],
  ...[listWalletHolds, holdWallet, releaseWalletHold],
  // Cases
  // Search
  resolveId,
  searchAll,
  getPerson,
  listPersonRecords,
  listRecordPersons,
  listCases,
  getCase,
  noteCase,
  assignCase,
  addCaseFile,
  getCaseFile,
  linkCase,
  caseAction,
  exportStr,
  markStrSent,
  escalateCase,
  closeCase,
  approveCase,
  rejectCase,
  reopenCase,
  // Audit
  listJournal,
  getReceipt,
  getCheckpoint,
  getConsistency,
  getAuditKey,
  rotateAuditKey,
  // Authorities
  listAuthorityRecords,
  getAuthorityRecord,
  getAuthorityReceipt,
  getAuthorityBasket,
  listAuthoritySample,
  listAuthorityTotals,
  listAuthorityPsps,
  listAuthorityCallTotals,
  listAuthorityCalls,
  getAuthorityCall,
  createAuthority,
  changeAuthority,
  listAuthorities,
  getAuthority,
  // Persons
  findSubject,
  eraseSubject,
  findRecords,
  // Players
  getPlayerPolicy,
  setPlayerPolicy,
  excludePlayer,
  endExclusion,
  setPlayerLimits,
  listPlayerRestrictions,
  getPlayer,
  playerBalance,
  importExclusions,
  // Lists
  listLists,
  loadList,
  searchLists,
  listListEntries,
  getListEntry,
  putOwnListEntry,
  removeOwnListEntry,
  listMatches,
  getMatch,
  makeMatchException,
  endMatchException,
  // Rates
  taxRates,
  taxQuote,
  listTaxChanges,
  getTaxChangesFeed,
  listExchangeRates,
  listExchangePublishers,
  loadExchangeRates,
  // Keys
  listOwnKeys,
  listAllKeys,
  issueOwnKey,
  rotateOwnKey,
  revokeOwnKey,
  listKeyMade,
  listRequests,
  // People
  signIn,
  completeSignIn,
  getSession,
  signOut,
  changePassword,
  getSecondFactors,
  startCodes,
  confirmCodes,
  removeCodes,
  renewRecoveryCodes,
  startPasskeySignIn,
  signInWithPasskey,
  startPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  listSignInProviders,
  startProviderSignIn,
  finishProviderSignIn,
  listOwnSessions,
  endOwnSession,
  endOtherSessions,
  listUsers,
  createUser,
  disableUser,
  enableUser,
  setUserRole,
  resetPassword,
  resetSecondFactor,
  listUserSessions,
  endUserSessions,
  // Staff
  createPsp,
  createOperator,
  listAccounts,
  getServiceStatus,
  getOwner,
  setStanding,
  placeHold,
  releaseHold,
  issueKey,
  listKeys,
  revokeKey,
  // Proposals
  loadTax,
  getTaxFile,
  setFee,
  endFee,
  correctRates,
  listFees,
  listAssets,
  addAsset,
  openProposal,
  listProposals,
  getProposal,
  proposalEffect,
  approveProposal,
  rejectProposal,
];

/** What all operations together require of the composition root. */
export type Served = NeedsOf<typeof served>;

export const operations: readonly Operation<Served>[] = served;
