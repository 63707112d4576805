// One successful call of each operation: the caller and the input. A new operation needs one line here; without it the
// types and the contract test fail.
import type { Assay, CallOptions, Input, OperationId } from '@assay/client';
import { totalled } from '../totals/life.ts';
import { countryFile } from './country-file.ts';
import { clientOf, next, type World } from './world.ts';

/** A call that is made once something is there. */
const after = async <T>(done: Promise<unknown>, call: T): Promise<T> => {
  await done;
  return call;
};

type Call<O extends OperationId> = readonly [by: Assay, input?: Input<O>, options?: CallOptions];

export type Calls = { readonly [O in OperationId]: (w: World) => Call<O> | Promise<Call<O>> };

const hold = async (w: World, accountId: string) => {
  const { flags } = await w.operator.placeHold({ accountId, code: `REVIEW_${next()}`, reason: 'under review' });
  return flags.at(-1)?.id as string;
};
const key = async (w: World) =>
  (await w.operator.issueKey({ accountId: w.clientAccount.id, name: `k${next()}` })).keyId;
/** A key of the PSP that made another one. */
const busyKey = async (w: World) => {
  const busy = await w.psp.issueOwnKey({ name: `k${next()}` });
  await clientOf(w.t, busy).issueOwnKey({ name: 'made by this key' });
  return busy.keyId;
};
const login = async (w: World) => (await w.client.createSftpCredentials({ name: `login ${next()}` })).loginId;
const hook = async (w: World) => {
  const webhookUrl = `https://hooks.example.com/${next()}`;
  await w.psp.subscribeToClient({ webhookUrl });
  for await (const h of w.psp.pages('listWebhooks')) if (h.url === webhookUrl) return h.webhookId;
  throw new Error('the address is not listed');
};
/** A fee for a PSP that has none of its own. */
const newFee = async (w: World) => {
  const { pspId } = await w.operator.createPsp({ name: `PSP ${next()}`, countryCode: 'NG' });
  return { ...w.example('setFee'), feeId: `FEE-${next()}`, pspId };
};
const fee = async (w: World) => {
  const input = await newFee(w);
  await w.operator.setFee(input);
  return input.feeId;
};
const ecb = (w: World) => w.operator.loadExchangeRates(w.example('loadExchangeRates'));
const review = async (w: World) =>
  (await w.psp.openReview({ transactionId: (await w.sale()).transactionId, reason: 'looked odd' })).reviewId;
const user = async (w: World) =>
  (await w.operator.createUser({ ...w.example('createUser'), email: `u${next()}@example.com` })).user.userId;
const chargeback = async (w: World) => (await w.psp.chargeBack({ ref: (await w.sale()).ref })).chargebackId;

const dispute = async (w: World) => {
  const chargebackId = await chargeback(w);
  return (await w.psp.openDispute({ ...w.example('openDispute'), chargebackId })).disputeId;
};

const days = { dayFrom: '2026-11-01', dayTo: '2026-11-30' };
const openedLines = async (w: World) =>
  (await w.client.listCdrFileErrors({ fileId: w.fileId })).items.map((e) => e.line).slice(0, 1);
const proposal = async (w: World) => {
  const { reason, ...row } = await newFee(w);
  return (await w.operator.openProposal({ reason, fee: row })).proposalId;
};

let filed = 0;
/** A return of a month of its own. */
const unfiled = async (w: World) => {
  await totalled(w.t);
  const period = new Date(Date.UTC(2026, 9 - filed++, 1)).toISOString().slice(0, 7);
  const reportId = await w.made({ kind: 'filing', form: 'NG-VAT', period });
  return { reportId, reference: `NRS-${period}`, filedOn: '2026-11-20' };
};

export const calls: Calls = {
  verifyTransaction: (w) => [w.client, w.example('verifyTransaction')],
  verifyTransactionStatus: (w) => [w.client, { transactionId: w.transactionId }],
  declineTransaction: async (w) => [w.client, { ref: (await w.sale()).ref }],
  chargeBack: async (w) => [w.psp, { ref: (await w.sale()).ref }],
  registerClient: (w) => [w.psp, { ...w.example('registerClient'), registrationNumber: `RC-W${next()}` }],
  verifyClientStatus: (w) => [w.client],
  addPSPSecret: (w) => [w.psp, w.example('addPSPSecret'), { clientId: w.clientAccount.id }],
  cryptoDeposit: (w) => [w.client, w.example('cryptoDeposit')],
  cryptoWithdrawal: (w) => [w.client, w.example('cryptoWithdrawal')],
  deposit: (w) => [w.client, w.example('deposit')],
  withdrawal: (w) => [w.client, w.example('withdrawal')],
  captureWager: (w) => [w.client, w.example('captureWager')],
  capturePayout: (w) => [w.client, w.example('capturePayout')],
  recordCDR: (w) => [w.client, w.example('recordCDR')],
  submitBasket: (w) => [w.client, w.example('submitBasket')],
  subscribeToClient: (w) => [w.client, { webhookUrl: `https://hooks.example.com/${next()}` }],
  listTransactions: (w) => [w.psp, { limit: 5 }],
  getTransaction: (w) => [w.psp, { transactionId: w.transactionId }],
  getTransactionHistory: (w) => [w.psp, { transactionId: w.transactionId }],
  listClients: (w) => [w.psp],
  getClient: (w) => [w.psp, { clientId: w.clientAccount.id }],
  updateClient: (w) => [w.psp, { clientId: w.clientAccount.id, registeredName: `Lagos Books ${next()}` }],
  setTaxProfile: (w) => [w.psp, { ...w.example('setTaxProfile'), clientId: w.clientAccount.id }],
  listBaskets: (w) => [w.psp],
  getBasket: (w) => [w.psp, { basketId: w.basketId }],
  listWagers: (w) => [w.psp],
  getWager: (w) => [w.psp, { wagerId: w.wagerId }],
  listPayouts: (w) => [w.psp],
  getPayout: (w) => [w.psp, { payoutId: w.payoutId }],
  listCdrs: (w) => [w.psp],
  getCdr: (w) => [w.psp, { cdrId: w.cdrId }],
  listCdrTotals: (w) => [w.client],
  listCdrAnalyses: (w) => [w.client, { period: '2026-11' }],
  listCdrPeriods: (w) => [w.client],
  closeCdrPeriod: (w) => [w.client, w.example('closeCdrPeriod')],
  listCdrFiles: (w) => [w.client],
  getCdrFile: (w) => [w.client, { fileId: w.fileId }],
  listCdrFileErrors: (w) => [w.client, { fileId: w.fileId }],
  getRejectedCsv: (w) => [w.client, { fileId: w.fileId }],
  pickUpCdrFiles: (w) => [w.client],
  writeOffCdrLines: async (w) => [w.client, { fileId: w.fileId, reason: 'test calls', lines: await openedLines(w) }],
  declareCdr: (w) => [w.client, w.example('declareCdr')],
  listCdrDeclarations: (w) => [w.client],
  getCdrDeclaration: (w) => [w.client, { declarationId: w.declarationId }],
  getOverview: (w) => [w.psp],
  listTotals: (w) => [w.psp, days],
  listTaxTotals: (w) => [w.psp, days],
  listAccrualTotals: (w) => [w.psp, days],
  listOutstandingChargebacks: (w) => after(chargeback(w), [w.psp]),
  netChargeback: async (w) => {
    const [chargebackId, { transactionId }] = [await chargeback(w), await w.sale()];
    return [w.psp, { ref: `net-${next()}`, chargebackId, transactionId, vatAmount: '1.00' }];
  },
  listDisputes: (w) => after(dispute(w), [w.psp]),
  getDispute: async (w) => [w.psp, { disputeId: await dispute(w) }],
  openDispute: async (w) => [w.psp, { ...w.example('openDispute'), chargebackId: await chargeback(w) }],
  sendDisputeEvidence: async (w) => [w.psp, { ...w.example('sendDisputeEvidence'), disputeId: await dispute(w) }],
  resolveDispute: async (w) => [w.psp, { ...w.example('resolveDispute'), disputeId: await dispute(w) }],
  getStatement: (w) => [w.psp, days],
  createSftpCredentials: (w) => [w.client, { name: `login ${next()}` }],
  listSftpCredentials: (w) => after(login(w), [w.client]),
  addSftpKey: async (w) => [w.client, { ...w.example('addSftpKey'), loginId: await login(w) }],
  revokeSftpCredentials: async (w) => [w.client, { loginId: await login(w), reason: 'replaced' }],
  listWebhooks: (w) => [w.client],
  getWebhook: (w) => [w.client, { webhookId: w.webhookId }],
  pauseWebhook: async (w) => [w.psp, { webhookId: await hook(w), reason: 'maintenance' }],
  resumeWebhook: async (w) => {
    const webhookId = await hook(w);
    await w.psp.pauseWebhook({ webhookId });
    return [w.psp, { webhookId }];
  },
  deleteWebhook: async (w) => [w.psp, { webhookId: await hook(w) }],
  setEventTypes: async (w) => [w.psp, { webhookId: await hook(w), eventTypes: ['transaction.created'] }],
  testWebhook: (w) => [w.client, { webhookId: w.webhookId }],
  replayWebhook: (w) => [w.client, { webhookId: w.webhookId, since: '2026-11-20T00:00:00Z' }],
  listDeliveries: (w) => [w.client, { webhookId: w.webhookId }],
  getDelivery: (w) => [w.client, { webhookId: w.webhookId, deliveryId: w.delivery.deliveryId }],
  retryDelivery: (w) => [w.client, { webhookId: w.webhookId, deliveryId: w.delivery.deliveryId }],
  listEvents: (w) => [w.client],
  getEvent: (w) => [w.client, { eventId: w.delivery.eventId }],
  rotateSecret: (w) => [w.client, { graceHours: 1 }],
  listReportKinds: (w) => [w.psp],
  createReport: (w) => [w.psp, { kind: 'vatReturn', period: '2026-11', countryCode: 'NG' }],
  listReports: (w) => [w.psp],
  getReport: (w) => [w.psp, { reportId: w.reportId }],
  getReportJson: (w) => [w.psp, { reportId: w.reportId }],
  getReportCsv: (w) => [w.psp, { reportId: w.reportId, section: 'chargebacks' }],
  getReportPage: (w) => [w.psp, { reportId: w.reportId }],
  getReportXml: async (w) => [
    w.psp,
    { reportId: await w.made({ kind: 'cesop', quarter: '2026-Q4', memberState: 'DE', bic: 'DEUTDEFF500' }) },
  ],
  getReportXlsx: (w) => [w.psp, { reportId: w.reportId }],
  rerunReport: (w) => [w.psp, { reportId: w.reportId }],
  listFilingForms: (w) => [w.psp, { countryCode: 'NG' }],
  listFilingPeriods: (w) => [w.psp, { countryCode: 'NG' }],
  fileReturn: async (w) => [w.psp, await unfiled(w)],
  listFilings: async (w) => {
    await w.psp.fileReturn(await unfiled(w));
    return [w.psp];
  },
  listReviews: (w) => after(review(w), [w.psp]),
  openReview: async (w) => [w.psp, { transactionId: (await w.sale()).transactionId, reason: 'looked odd' }],
  getReview: async (w) => [w.psp, { reviewId: await review(w) }],
  noteReview: async (w) => [w.psp, { reviewId: await review(w), note: 'asked' }],
  assignReview: async (w) => [w.psp, { reviewId: await review(w) }],
  resolveReview: async (w) => [w.psp, { reviewId: await review(w), outcome: 'CLEARED', note: 'known' }],
  listJournal: (w) => [w.psp],
  getReceipt: (w) => [w.client, { recordId: w.transactionId }],
  getCheckpoint: (w) => [w.client],
  getConsistency: (w) => [w.client, { from: 1, to: 2 }],
  getAuditKey: (w) => [w.client],
  findSubject: (w) => [w.psp, w.example('findSubject')],
  eraseSubject: (w) => [w.psp, { subjects: ['email:nobody@example.com'], reason: 'request of today' }],
  findRecords: (w) => [w.client, w.example('findRecords')],
  taxRates: (w) => [w.client, { country: 'NG' }],
  taxQuote: (w) => [w.client, w.example('taxQuote')],
  listTaxChanges: (w) => [w.client, { since: '2025-07-01', until: '2025-07-31', country: 'EE' }],
  listExchangeRates: (w) => after(ecb(w), [w.client, { publisher: 'ECB', limit: 2 }]),
  listExchangePublishers: (w) => after(ecb(w), [w.client]),
  getTaxChangesFeed: (w) => [w.client, { since: '2025-07-01', country: 'EE' }],
  signIn: async (w) => {
    const { session, email, password } = await w.person();
    return [session, { email, password }];
  },
  getSession: async (w) => [(await w.person()).session],
  signOut: async (w) => [(await w.person()).session],
  changePassword: async (w) => {
    const { session, password } = await w.person();
    return [session, { currentPassword: password, newPassword: 'another horse and battery' }];
  },
  listUsers: (w) => after(user(w), [w.operator]),
  createUser: (w) => [w.operator, { ...w.example('createUser'), email: `u${next()}@example.com` }],
  disableUser: async (w) => [w.operator, { userId: await user(w), reason: 'left' }],
  enableUser: async (w) => {
    const userId = await user(w);
    await w.operator.disableUser({ userId, reason: 'on leave' });
    return [w.operator, { userId, reason: 'back' }];
  },
  setUserRole: async (w) => [w.operator, { userId: await user(w), role: 'reviewer', reason: 'joined' }],
  resetPassword: async (w) => [w.operator, { userId: await user(w), reason: 'forgotten' }],
  createPsp: (w) => [w.operator, { name: `PSP ${next()}`, countryCode: 'NG' }],
  createOperator: (w) => [w.operator, { name: `Shift ${next()}` }],
  listAccounts: (w) => [w.operator],
  getOwner: (w) => [w.operator, { id: w.clientAccount.id }],
  setStanding: (w) => [
    w.operator,
    { accountId: w.clientAccount.id, verificationLevel: 'ENHANCED', reason: 'papers came' },
  ],
  placeHold: (w) => [w.operator, { accountId: w.pspAccount.id, code: `REVIEW_${next()}`, reason: 'looked odd' }],
  releaseHold: async (w) => {
    const accountId = w.pspAccount.id;
    return [w.operator, { accountId, holdId: await hold(w, accountId), reason: 'cleared' }];
  },
  listOwnKeys: (w) => [w.client],
  issueOwnKey: (w) => [w.client, { name: 'checkout', scopes: ['payments'] }],
  rotateOwnKey: async (w) => [w.psp, { keyId: await key(w), graceHours: 1 }],
  revokeOwnKey: async (w) => [
    w.psp,
    { keyId: await busyKey(w), reason: 'leaked', endMadeSince: '2026-11-01T00:00:00Z' },
  ],
  listKeyMade: async (w) => [w.psp, { keyId: await busyKey(w) }],
  issueKey: (w) => [w.operator, { accountId: w.clientAccount.id, name: 'another' }],
  listKeys: (w) => [w.operator, { accountId: w.clientAccount.id }],
  revokeKey: async (w) => [w.operator, { keyId: await key(w), reason: 'leaked' }],
  loadTax: (w) => [w.operator, { reason: 'a new law', country: countryFile() }],
  loadExchangeRates: (w) => [
    w.operator,
    { name: 'eurofxref-daily.csv', text: 'Date, USD, \n05 January 2024, 1.0921, \n' },
  ],
  getTaxFile: (w) => [w.operator, { countryCode: 'LI' }],
  setFee: async (w) => [w.operator, await newFee(w)],
  listFees: (w) => after(fee(w), [w.operator]),
  endFee: async (w) => [w.operator, { feeId: await fee(w), reason: 'ended' }],
  openProposal: (w) => [w.operator, { reason: 'a new law', country: countryFile() }],
  listProposals: (w) => after(proposal(w), [w.operator]),
  getProposal: async (w) => [w.operator, { proposalId: await proposal(w) }],
  // Replays the proposal of openProposal above, if it was made.
  proposalEffect: async (w) => {
    const { proposalId } = await w.operator.openProposal({ reason: 'a new law', country: countryFile() });
    return [w.operator, { proposalId }];
  },
  approveProposal: async (w) => [w.other, { proposalId: await proposal(w), reason: 'compared' }],
  rejectProposal: async (w) => [w.other, { proposalId: await proposal(w), reason: 'of another year' }],
  correctRates: (w) => [w.operator, { ...w.example('correctRates'), clientId: w.clientAccount.id }],
};
