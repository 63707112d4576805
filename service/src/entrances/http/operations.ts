// All operations served over HTTP. A new operation is a file of its own and one row here, or in the table of its
// section beside this file (such as rate-operations.ts); the OpenAPI description, the reference and
// the clause table follow.
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
import { getBasket } from '../../modules/baskets/operations/get-basket.ts';
import { listBaskets } from '../../modules/baskets/operations/list-baskets.ts';
import { submitBasket } from '../../modules/baskets/operations/submit-basket.ts';
import { getDispute } from '../../modules/disputes/operations/get-dispute.ts';
import { listDisputes } from '../../modules/disputes/operations/list-disputes.ts';
import { openDispute } from '../../modules/disputes/operations/open-dispute.ts';
import { resolveDispute } from '../../modules/disputes/operations/resolve-dispute.ts';
import { sendDisputeEvidence } from '../../modules/disputes/operations/send-dispute-evidence.ts';
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
import { getOwner } from '../../modules/owners/operations/get-owner.ts';
import { listRequests } from '../../modules/requests/operations/list-requests.ts';
import { assignReview } from '../../modules/reviews/operations/assign-review.ts';
import { getReview } from '../../modules/reviews/operations/get-review.ts';
import { listReviews } from '../../modules/reviews/operations/list-reviews.ts';
import { noteReview } from '../../modules/reviews/operations/note-review.ts';
import { openReview } from '../../modules/reviews/operations/open-review.ts';
import { resolveReview } from '../../modules/reviews/operations/resolve-review.ts';
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
import { verifyTransaction } from '../../modules/transactions/operations/verify-transaction.ts';
import { verifyTransactionStatus } from '../../modules/transactions/operations/verify-transaction-status.ts';
import { withdrawal } from '../../modules/transactions/operations/withdrawal.ts';
import { capturePayout } from '../../modules/wagers/operations/capture-payout.ts';
import { captureWager } from '../../modules/wagers/operations/capture-wager.ts';
import { getPayout } from '../../modules/wagers/operations/get-payout.ts';
import { getWager } from '../../modules/wagers/operations/get-wager.ts';
import { listPayouts } from '../../modules/wagers/operations/list-payouts.ts';
import { listWagers } from '../../modules/wagers/operations/list-wagers.ts';
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
import { authorityOperations } from './authority-operations.ts';
import { caseOperations } from './case-operations.ts';
import { directoryOperations } from './directory-operations.ts';
import { listOperations } from './list-operations.ts';
import { peopleOperations } from './people-operations.ts';
import { playerOperations } from './player-operations.ts';
import { rateChangeOperations } from './rate-change-operations.ts';
import { rateOperations } from './rate-operations.ts';
import { reportOperations } from './report-operations.ts';
import { riskOperations } from './risk-operations.ts';
import { verificationOperations } from './verification-operations.ts';

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
  ...verificationOperations,
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
  ...reportOperations,
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
  ...riskOperations,
  // Cases
  ...directoryOperations,
  ...caseOperations,
  // Audit
  listJournal,
  getReceipt,
  getCheckpoint,
  getConsistency,
  getAuditKey,
  // Authorities
  ...authorityOperations,
  // Persons
  findSubject,
  eraseSubject,
  findRecords,
  // Players
  ...playerOperations,
  // Lists
  ...listOperations,
  // Rates
  ...rateOperations,
  // Keys
  listOwnKeys,
  listAllKeys,
  issueOwnKey,
  rotateOwnKey,
  revokeOwnKey,
  listKeyMade,
  listRequests,
  // People
  ...peopleOperations,
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
  ...rateChangeOperations,
];

/** What all operations together require of the composition root. */
export type Served = NeedsOf<typeof served>;

export const operations: readonly Operation<Served>[] = served;
