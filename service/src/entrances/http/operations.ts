// All operations served over HTTP. A new operation is a file of its own and one row here; the OpenAPI description, the
// reference and the clause table follow.

import { addPSPSecret } from '../../modules/accounts/operations/add-psp-secret.ts';
import {
  createPsp,
  issueAccountKey,
  listAccountKeys,
  placeHold,
  releaseHold,
  revokeAccountKey,
  setStanding,
} from '../../modules/accounts/operations/administration.ts';
import { createOperator } from '../../modules/accounts/operations/create-operator.ts';
import { listAllAccounts } from '../../modules/accounts/operations/list-accounts.ts';
import { getClient, listClients } from '../../modules/accounts/operations/list-clients.ts';
import { registerClient } from '../../modules/accounts/operations/register-client.ts';
import { updateClient } from '../../modules/accounts/operations/update-client.ts';
import { verifyClientStatus } from '../../modules/accounts/operations/verify-client-status.ts';
import { getAuditKey, getCheckpoint, getConsistency } from '../../modules/audit/operations/checkpoints.ts';
import { getReceipt } from '../../modules/audit/operations/get-receipt.ts';
import { getBasket, listBaskets } from '../../modules/baskets/operations/list-baskets.ts';
import { submitBasket } from '../../modules/baskets/operations/submit-basket.ts';
import { correctRates } from '../../modules/corrections/operations/correct-rates.ts';
import { getDispute, listDisputes } from '../../modules/disputes/operations/list-disputes.ts';
import { openDispute, resolveDispute, sendEvidence } from '../../modules/disputes/operations/work-on-dispute.ts';
import { getTransactionHistory } from '../../modules/journal/operations/get-transaction-history.ts';
import { listJournal } from '../../modules/journal/operations/list-journal.ts';
import type { NeedsOf, Operation } from '../../modules/kernel/operation.ts';
import { getOverview } from '../../modules/overview/operations/get-overview.ts';
import { getOwner } from '../../modules/owners/operations/get-owner.ts';
import {
  approveProposal,
  getProposal,
  listProposals,
  openProposal,
  rejectProposal,
} from '../../modules/proposals/operations/proposals.ts';
import { endFee, listFees, loadTax, setFee } from '../../modules/rates/operations/administer-rates.ts';
import { taxQuote } from '../../modules/rates/operations/tax-quote.ts';
import { taxRates } from '../../modules/rates/operations/tax-rates.ts';
import { createReport, listReportKinds, rerunReportById } from '../../modules/reports/operations/create-report.ts';
import {
  getReportCsv,
  getReportJson,
  getReportPage,
  getReportXml,
} from '../../modules/reports/operations/download-report.ts';
import { getReport, listReports } from '../../modules/reports/operations/list-reports.ts';
import { getReview, listReviews } from '../../modules/reviews/operations/list-reviews.ts';
import {
  assignReview,
  noteReview,
  openReview,
  resolveReview,
} from '../../modules/reviews/operations/work-on-review.ts';
import { findRecords } from '../../modules/search/operations/find-records.ts';
import { netChargeback } from '../../modules/settlement/operations/net-chargeback.ts';
import { getStatement, listOutstandingChargebacks } from '../../modules/settlement/operations/read-settlement.ts';
import { eraseSubject, findSubject } from '../../modules/subjects/operations/erase-subject.ts';
import { listCdrAnalyses, listCdrTotals } from '../../modules/telecom/operations/analysis.ts';
import {
  getCdrFile,
  getRejectedCsv,
  listCdrFileErrors,
  listCdrFiles,
} from '../../modules/telecom/operations/cdr-files.ts';
import { pickUpCdrFiles, writeOffCdrLines } from '../../modules/telecom/operations/cdr-intake.ts';
import { closeCdrPeriod, listCdrPeriods } from '../../modules/telecom/operations/cdr-periods.ts';
import { declareCdr, getCdrDeclaration, listCdrDeclarations } from '../../modules/telecom/operations/declarations.ts';
import { getCdr } from '../../modules/telecom/operations/get-cdr.ts';
import { listCdrs } from '../../modules/telecom/operations/list-cdrs.ts';
import { recordCdr } from '../../modules/telecom/operations/record-cdr.ts';
import {
  addSftpKey,
  createSftpCredentials,
  listSftpCredentials,
  revokeSftpCredentials,
} from '../../modules/telecom/operations/sftp-credentials.ts';
import { listAccrualTotals, listTaxTotals, listTotals } from '../../modules/totals/operations/list-totals.ts';
import { chargeBack } from '../../modules/transactions/operations/charge-back.ts';
import { cryptoDeposit } from '../../modules/transactions/operations/crypto-deposit.ts';
import { cryptoWithdrawal } from '../../modules/transactions/operations/crypto-withdrawal.ts';
import { declineTransaction } from '../../modules/transactions/operations/decline-transaction.ts';
import { deposit } from '../../modules/transactions/operations/deposit.ts';
import { listTransactions } from '../../modules/transactions/operations/list-transactions.ts';
import { verifyTransaction } from '../../modules/transactions/operations/verify-transaction.ts';
import {
  getTransaction,
  verifyTransactionStatus,
} from '../../modules/transactions/operations/verify-transaction-status.ts';
import { withdrawal } from '../../modules/transactions/operations/withdrawal.ts';
import {
  addUser,
  disableUserById,
  enableUserById,
  listAllUsers,
  resetPasswordById,
  setUserRole,
} from '../../modules/users/operations/administer-users.ts';
import { endSession, getSession, setOwnPassword, startSession } from '../../modules/users/operations/session.ts';
import { capturePayout } from '../../modules/wagers/operations/capture-payout.ts';
import { captureWager } from '../../modules/wagers/operations/capture-wager.ts';
import { getPayout, getWager, listPayouts, listWagers } from '../../modules/wagers/operations/list-gaming.ts';
import {
  deleteWebhookById,
  pauseWebhookById,
  resumeWebhookById,
  setWebhookEventTypes,
} from '../../modules/webhooks/operations/administer-webhook.ts';
import { getDeliveryById, listDeliveries } from '../../modules/webhooks/operations/list-deliveries.ts';
import { getEvent, listEvents } from '../../modules/webhooks/operations/list-events.ts';
import { getWebhookById, listWebhooks } from '../../modules/webhooks/operations/list-webhooks.ts';
import { replayWebhook, retryDeliveryById, testWebhook } from '../../modules/webhooks/operations/redeliver.ts';
import { rotateWebhookSecret } from '../../modules/webhooks/operations/rotate-secret.ts';
import { subscribeToClient } from '../../modules/webhooks/operations/subscribe-to-client.ts';

const served = [
  // Spec 4.1 to 4.17, in its order
  verifyTransaction,
  verifyTransactionStatus,
  declineTransaction,
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
  recordCdr,
  submitBasket,
  subscribeToClient,
  // Lists and details
  listTransactions,
  getTransaction,
  getTransactionHistory,
  listClients,
  getClient,
  updateClient,
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
  getWebhookById,
  pauseWebhookById,
  resumeWebhookById,
  deleteWebhookById,
  setWebhookEventTypes,
  testWebhook,
  replayWebhook,
  listDeliveries,
  getDeliveryById,
  retryDeliveryById,
  listEvents,
  getEvent,
  rotateWebhookSecret,
  // Reports
  listReportKinds,
  createReport,
  listReports,
  getReport,
  getReportJson,
  getReportCsv,
  getReportPage,
  getReportXml,
  rerunReportById,
  // Disputes
  listDisputes,
  getDispute,
  openDispute,
  sendEvidence,
  resolveDispute,
  // Reviews
  listReviews,
  getReview,
  openReview,
  noteReview,
  assignReview,
  resolveReview,
  // Audit
  listJournal,
  getReceipt,
  getCheckpoint,
  getConsistency,
  getAuditKey,
  // Persons
  findSubject,
  eraseSubject,
  findRecords,
  // Rates
  taxRates,
  taxQuote,
  // People
  startSession,
  getSession,
  endSession,
  setOwnPassword,
  listAllUsers,
  addUser,
  disableUserById,
  enableUserById,
  setUserRole,
  resetPasswordById,
  // Staff
  createPsp,
  createOperator,
  listAllAccounts,
  getOwner,
  setStanding,
  placeHold,
  releaseHold,
  issueAccountKey,
  listAccountKeys,
  revokeAccountKey,
  loadTax,
  setFee,
  endFee,
  correctRates,
  listFees,
  openProposal,
  listProposals,
  getProposal,
  approveProposal,
  rejectProposal,
];

/** What all operations together require of the composition root. */
export type Served = NeedsOf<typeof served>;

export const operations: readonly Operation<Served>[] = served;
