// One successful call of each operation: the caller and the input. A new operation needs one line here; without it the
// types and the contract test fail.
import type { Assay, CallOptions, Input, OperationId } from '@assay/client';
import { toWire } from '../../src/core/ids.ts';
import { stepOf } from '../../src/core/one-time-code.ts';
import { openAlerts } from '../../src/modules/reviews/index.ts';
import { codeOf } from '../../src/platform/one-time-codes.ts';
import { until } from '../durability/support/conditions.ts';
import { allSealed } from '../support/audit.ts';
import { Authenticator } from '../support/authenticator.ts';
import { analysed } from '../support/cdr-analysis.ts';
import { readersAtEnd } from '../support/journal.ts';
import { totalled } from '../totals/life.ts';
import { countryFile } from './country-file.ts';
import { clientOf, next, recovers, type World } from './world.ts';

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
/** A refused request, once it is in the log. */
const logged = async (w: World) => {
  const { apiKey } = await w.psp.issueOwnKey({ name: 'web shop' });
  await w.t.post(
    '/v1/transaction/verifyTransaction',
    { ...w.example('verifyTransaction'), totalAmount: '107.50' },
    apiKey,
  );
  return until('the request is logged', async () => (await w.psp.listRequests({ code: 'FIELD_INVALID' })).items[0]);
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
/** A match of a client with an entry of an own list. */
const match = async (w: World) => {
  const list = `MATCHED_${next()}`.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
  const { registeredName } = await w.psp.getClient({ clientId: w.clientAccount.id });
  await w.psp.putOwnListEntry({ list, ref: 'M', names: [registeredName] });
  return until('the client matches', async () => (await w.psp.listMatches({ list })).items[0]);
};
/** A person who signs in with codes. */
const coded = async (w: World) => {
  const person = await w.person();
  const { setUp, secret } = await person.session.startCodes({});
  const { recoveryCodes } = await person.session.confirmCodes({ setUp, code: codeOf(secret, stepOf(w.t.now())) });
  recovers(person.session, recoveryCodes[0]);
  return { ...person, secret };
};
/** A person who signs in with a passkey. */
const withPasskey = async (w: World) => {
  const { session } = await w.person();
  const device = new Authenticator();
  const { options } = await session.startPasskey({});
  const { recoveryCodes } = await session.addPasskey({ name: 'Laptop', passkey: device.make(options) });
  recovers(session, recoveryCodes[0]);
  const { passkeys } = await session.getSecondFactors();
  return { session, device, passkeyId: passkeys[0]?.passkeyId as string };
};
const review = async (w: World) =>
  (await w.psp.openReview({ transactionId: (await w.sale()).transactionId, reason: 'looked odd' })).reviewId;
/** An authority of Nigeria. */
const authority = async (w: World) =>
  (await w.operator.createAuthority({ ...w.example('createAuthority'), name: `Authority ${next()}` })).authorityId;
const asAuthority = async (w: World): Promise<[Assay, { authorityId: string }]> => [
  w.operator,
  { authorityId: await authority(w) },
];
/** A basket's transaction and a call, for an authority that sees baskets and calls. */
const shownMore = async (w: World) => {
  const { taxCodes: _, ...all } = w.example('createAuthority');
  const { authorityId } = await w.operator.createAuthority({
    ...all,
    ...{ name: `Authority ${next()}`, recordKinds: ['transaction', 'basket', 'cdr'] },
  });
  const { transactionId } = await w.psp.getBasket({ basketId: w.basketId });
  const { clientId } = await w.psp.getCdr({ cdrId: w.cdrId });
  await analysed(w.t, w.pspAccount);
  return { authorityId, transactionId, call: { authorityId, pspId: w.pspAccount.id, clientId, period: '2026-11' } };
};
/** A sale that an authority of Nigeria sees. */
const overseen = async (w: World) => {
  await allSealed(w.t);
  return { recordId: w.transactionId, authorityId: await authority(w) };
};
const schedule = async (w: World) =>
  (await w.psp.createReportSchedule({ ...w.example('createReportSchedule'), onDay: 1 + (next() % 28) })).scheduleId;
/** A case of a client of its own. */
const caseOfOwn = async (w: World) => {
  const reviewId = await review(w);
  await readersAtEnd(w.t, ['reviews', 'cases']);
  for await (const c of w.psp.pages('listCases', { state: 'ACTIVE', clientId: w.clientAccount.id }))
    if ((await w.psp.getCase({ caseId: c.caseId })).reviews.some((r) => r.reviewId === reviewId)) return c.caseId;
  throw new Error('the review is in no case');
};
/** A case of high severity whose closing is proposed. */
const proposedCase = async (w: World) => {
  const about = `list:${next()}`;
  const { uuid: psp } = w.pspAccount;
  const { uuid: account } = await w.t.makeClient(w.pspAccount);
  const alert = { psp, account, rule: 'NAME_LISTED', about, reason: 'a match', severity: 'HIGH' } as const;
  const at = new Date(w.t.now()).toISOString();
  await w.t.app.services.db.transaction((tx) => openAlerts(tx, w.t.app.services, [alert], at));
  await readersAtEnd(w.t, ['cases']);
  const [found] = (await w.psp.listCases({ clientId: toWire('client', account) })).items;
  const caseId = found?.caseId as string;
  await w.psp.closeCase({ caseId, outcome: 'CLEARED', note: 'a namesake' });
  return caseId;
};
const strOf = async (w: World) => {
  const caseId = await caseOfOwn(w);
  // Alerts about the client alone are in the case too.
  const alert = (await w.psp.getCase({ caseId })).reviews.find((r) => r.transactionId !== null);
  return { ...w.example('exportStr'), caseId, transactionIds: [alert?.transactionId as string] };
};
/** Whom the wager names. */
const personOf = async (w: World) =>
  (await w.psp.listRecordPersons({ recordId: w.wagerId })).items[0]?.personId as string;
const user = async (w: World) =>
  (await w.operator.createUser({ ...w.example('createUser'), email: `u${next()}@example.com` })).user.userId;
const chargeback = async (w: World) => (await w.psp.chargeBack({ ref: (await w.sale()).ref })).chargebackId;

const paper = async (w: World) => {
  const content = Buffer.from(`Certificate ${next()}`).toString('base64');
  const document = { ...w.example('addClientDocument'), content, clientId: w.clientAccount.id };
  return (await w.client.addClientDocument(document)).documentId;
};
const permit = async (w: World) => {
  const licence = { ...w.example('setClientLicence'), number: `MGA/${next()}`, clientId: w.clientAccount.id };
  return (await w.client.setClientLicence(licence)).licences.at(-1)?.licenceId as string;
};

const dispute = async (w: World) => {
  const chargebackId = await chargeback(w);
  return (await w.psp.openDispute({ ...w.example('openDispute'), chargebackId })).disputeId;
};

const exclusion = async (w: World) =>
  (await w.psp.excludePlayer({ subjects: [`email:p${next()}@example.com`], source: 'PLAYER' })).restrictionId;

const heldWallet = async (w: World) =>
  (await w.psp.holdWallet({ ...w.example('holdWallet'), reason: `stolen ${next()}` })).holdId;

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
  getStandinSnapshot: (w) => [w.client],
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
  addClientDocument: (w) => [w.client, { ...w.example('addClientDocument'), clientId: w.clientAccount.id }],
  listClientDocuments: (w) => after(paper(w), [w.psp, { clientId: w.clientAccount.id }]),
  getClientDocument: async (w) => [w.psp, { clientId: w.clientAccount.id, documentId: await paper(w) }],
  acceptClientDocument: async (w) => [
    w.operator,
    { clientId: w.clientAccount.id, documentId: await paper(w), reason: 'compared with the register' },
  ],
  refuseClientDocument: async (w) => [
    w.operator,
    { clientId: w.clientAccount.id, documentId: await paper(w), reason: 'not legible' },
  ],
  setClientOwners: (w) => [w.client, { ...w.example('setClientOwners'), clientId: w.clientAccount.id }],
  getClientOwners: (w) =>
    after(w.client.setClientOwners({ ...w.example('setClientOwners'), clientId: w.clientAccount.id }), [
      w.psp,
      { clientId: w.clientAccount.id },
    ]),
  setClientLicence: (w) => [w.client, { ...w.example('setClientLicence'), clientId: w.clientAccount.id }],
  listClientLicences: (w) => after(permit(w), [w.psp, { clientId: w.clientAccount.id }]),
  acceptClientLicence: async (w) => [w.operator, { clientId: w.clientAccount.id, licenceId: await permit(w) }],
  refuseClientLicence: async (w) => [
    w.operator,
    { clientId: w.clientAccount.id, licenceId: await permit(w), reason: 'not in the register' },
  ],
  previewStanding: async (w) => {
    await w.sale();
    return [w.psp, { accountId: w.clientAccount.id, operationalStanding: 'SUSPENDED' }];
  },
  listBaskets: (w) => [w.psp],
  getBasket: (w) => [w.psp, { basketId: w.basketId }],
  listWagers: (w) => [w.psp],
  getWager: (w) => [w.psp, { wagerId: w.wagerId }],
  listPayouts: (w) => [w.psp],
  getPayout: (w) => [w.psp, { payoutId: w.payoutId }],
  listCdrs: (w) => [w.psp],
  getCdr: (w) => [w.psp, { cdrId: w.cdrId }],
  correctCdr: async (w) => {
    const record = { ...w.example('recordCDR'), cdr_id: 'CDR-of-another-network' };
    const { cdrId } = await w.client.recordCDR(record);
    return [w.client, { cdrId, reason: 'the network was wrong', record: { ...record, network_provider: 'Glo' } }];
  },
  withdrawCdr: async (w) => {
    const { cdrId } = await w.client.recordCDR({ ...w.example('recordCDR'), cdr_id: 'CDR-of-a-test' });
    return [w.client, { cdrId, reason: 'a test call' }];
  },
  withdrawCdrFile: (w) => [w.client, { fileId: w.fileId, reason: 'rated by the tariff of another month' }],
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
  listWaitingPsps: (w) => [w.operator, { figure: 'exhaustedDeliveries' }],
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
  getPlayerPolicy: (w) => [w.psp],
  setPlayerPolicy: (w) => [w.psp, { limits: 'OBSERVE', exclusions: 'OBSERVE' }],
  excludePlayer: (w) => [w.psp, { ...w.example('excludePlayer'), subjects: [`email:p${next()}@example.com`] }],
  endExclusion: async (w) => [w.psp, { ...w.example('endExclusion'), restrictionId: await exclusion(w) }],
  setPlayerLimits: (w) => [w.psp, w.example('setPlayerLimits')],
  listPlayerRestrictions: (w) => after(exclusion(w), [w.psp]),
  getPlayer: async (w) => {
    const { subjects, limits } = { ...w.example('setPlayerLimits'), subjects: [`email:p${next()}@example.com`] };
    await w.psp.setPlayerLimits({ subjects, limits });
    return [w.psp, { subjects }];
  },
  playerBalance: async (w) => {
    const customer = { email: `p${next()}@example.com` };
    await w.client.deposit({ ...w.example('deposit'), ref: `player-${next()}`, customer });
    return [w.psp, { subjects: [`email:${customer.email}`] }];
  },
  importExclusions: (w) => [w.psp, { source: 'GAMSTOP', text: `email\np${next()}@example.com\n` }],
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
  createReportSchedule: (w) => [w.psp, { ...w.example('createReportSchedule'), hour: next() % 24 }],
  getReportSchedule: async (w) => [w.psp, { scheduleId: await schedule(w) }],
  listReportSchedules: (w) => after(schedule(w), [w.psp]),
  changeReportSchedule: async (w) => [w.psp, { scheduleId: await schedule(w), covers: 'RUNNING' }],
  endReportSchedule: async (w) => [w.psp, { scheduleId: await schedule(w) }],
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
  listCases: (w) => after(caseOfOwn(w), [w.psp]),
  getCase: async (w) => [w.psp, { caseId: await caseOfOwn(w) }],
  noteCase: async (w) => [w.psp, { caseId: await caseOfOwn(w), note: 'asked' }],
  assignCase: async (w) => [w.psp, { caseId: await caseOfOwn(w) }],
  addCaseFile: async (w) => [w.psp, { ...w.example('addCaseFile'), caseId: await caseOfOwn(w) }],
  getCaseFile: async (w) => {
    const caseId = await caseOfOwn(w);
    const content = Buffer.from(`file ${next()}`).toString('base64');
    await w.psp.addCaseFile({ ...w.example('addCaseFile'), content, caseId });
    const { items } = await w.psp.getCase({ caseId });
    return [w.psp, { caseId, fileId: items.at(-1)?.itemId as string }];
  },
  linkCase: async (w) => [w.psp, { caseId: await caseOfOwn(w), to: (await w.sale()).transactionId }],
  caseAction: async (w) => {
    const { transactionId } = await w.sale();
    return [w.psp, { caseId: await caseOfOwn(w), action: 'DECLINE', reason: 'stolen', transactionId }];
  },
  exportStr: async (w) => [w.psp, await strOf(w)],
  markStrSent: async (w) => {
    const asked = await strOf(w);
    await w.psp.exportStr(asked);
    const { items } = await w.psp.getCase({ caseId: asked.caseId });
    const sentOn = new Date(w.t.now()).toISOString().slice(0, 10);
    return [
      w.psp,
      { ...w.example('markStrSent'), sentOn, caseId: asked.caseId, fileId: items.at(-1)?.itemId as string },
    ];
  },
  escalateCase: async (w) => [w.psp, { caseId: await caseOfOwn(w), note: 'a hard one' }],
  closeCase: async (w) => [w.psp, { caseId: await caseOfOwn(w), outcome: 'CLEARED', note: 'known' }],
  approveCase: async (w) => {
    const caseId = await proposedCase(w);
    const issued = await w.operator.issueKey({ accountId: w.pspAccount.id, name: `second ${next()}` });
    return [clientOf(w.t, issued), { caseId }];
  },
  rejectCase: async (w) => [w.psp, { caseId: await proposedCase(w), note: 'not yet' }],
  reopenCase: async (w) => {
    const caseId = await caseOfOwn(w);
    await w.psp.closeCase({ caseId, outcome: 'CLEARED', note: 'known' });
    return [w.psp, { caseId, note: 'new evidence' }];
  },
  resolveReview: async (w) => [w.psp, { reviewId: await review(w), outcome: 'CLEARED', note: 'known' }],
  listRiskRules: (w) => [w.psp, { id: 'LARGE_AMOUNT' }],
  riskReplay: async (w) => {
    const risk = {
      ...(await w.psp.listRiskRules({ id: 'LARGE_AMOUNT' })).items[0]?.rule,
      version: 2,
      limits: { NGN: '1' },
    };
    const { proposalId } = await w.operator.openProposal({ reason: 'smaller amounts', risk });
    return [w.operator, { proposalId, from: '2026-11-01', to: '2026-11-30' }];
  },
  getRiskPolicy: (w) => [w.psp],
  setRiskPolicy: (w) => [w.psp, w.example('setRiskPolicy')],
  holdWallet: (w) => [w.psp, { ...w.example('holdWallet'), reason: `stolen ${next()}` }],
  listWalletHolds: (w) => after(heldWallet(w), [w.psp, { inForce: 'true' }]),
  releaseWalletHold: async (w) => [w.psp, { ...w.example('releaseWalletHold'), holdId: await heldWallet(w) }],
  checkRiskRule: (w) => [w.operator, w.example('checkRiskRule')],
  listJournal: (w) => [w.psp],
  getReceipt: (w) => [w.client, { recordId: w.transactionId }],
  getCheckpoint: (w) => [w.client],
  getConsistency: (w) => [w.client, { from: 1, to: 2 }],
  getAuditKey: (w) => [w.client],
  findSubject: (w) => [w.psp, w.example('findSubject')],
  eraseSubject: (w) => [w.psp, { subjects: ['email:nobody@example.com'], reason: 'request of today' }],
  resolveId: (w) => [w.client, { id: w.transactionId }],
  searchAll: (w) => [w.psp, { q: w.transactionId }],
  getPerson: async (w) => [w.psp, { personId: await personOf(w) }],
  listPersonRecords: async (w) => [w.psp, { personId: await personOf(w) }],
  listRecordPersons: (w) => [w.psp, { recordId: w.wagerId }],
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
  completeSignIn: async (w) => {
    const { session, email, password, secret } = await coded(w);
    const asked = await session.signIn({ email, password });
    if (!('challenge' in asked)) throw new Error('a password alone was enough');
    return [session, { challenge: asked.challenge, code: codeOf(secret, stepOf(w.t.now()) + 1) }];
  },
  getSecondFactors: async (w) => [(await coded(w)).session],
  startCodes: async (w) => [(await w.person()).session],
  confirmCodes: async (w) => {
    const { session } = await w.person();
    const { setUp, secret } = await session.startCodes({});
    return [session, { setUp, code: codeOf(secret, stepOf(w.t.now())) }];
  },
  removeCodes: async (w) => [(await coded(w)).session],
  renewRecoveryCodes: async (w) => [(await coded(w)).session],
  resetSecondFactor: async (w) => [w.operator, { userId: (await coded(w)).userId, reason: 'lost the telephone' }],
  startPasskeySignIn: async (w) => [(await w.person()).session, {}],
  signInWithPasskey: async (w) => {
    const { session, device } = await withPasskey(w);
    const { options } = await session.startPasskeySignIn({});
    return [session, { passkey: device.use(options) }];
  },
  startPasskey: async (w) => [(await w.person()).session, {}],
  addPasskey: async (w) => {
    const { session } = await w.person();
    const { options } = await session.startPasskey({});
    return [session, { name: 'Laptop', passkey: new Authenticator().make(options) }];
  },
  renamePasskey: async (w) => {
    const { session, passkeyId } = await withPasskey(w);
    return [session, { passkeyId, name: 'Telephone' }];
  },
  removePasskey: async (w) => {
    const { session, passkeyId } = await withPasskey(w);
    return [session, { passkeyId }];
  },
  listSignInProviders: async (w) => [(await w.person()).session],
  startProviderSignIn: async (w) => [(await w.person()).session, { provider: w.provider.name }],
  finishProviderSignIn: async (w) => {
    const { session, email, userId } = await w.person();
    w.provider.who = { sub: userId, email, email_verified: true };
    const { url, attempt } = await session.startProviderSignIn({ provider: w.provider.name });
    const query = (await w.provider.follow(url)).search.slice(1);
    return [session, { provider: w.provider.name, attempt, query }];
  },
  listOwnSessions: async (w) => [(await w.person()).session],
  endOwnSession: async (w) => {
    const { session } = await w.person();
    const { items } = await session.listOwnSessions();
    return [session, { sessionId: items[0]?.sessionId as string }];
  },
  endOtherSessions: async (w) => [(await w.person()).session],
  listUserSessions: async (w) => [w.operator, { userId: (await w.person()).userId }],
  endUserSessions: async (w) => [w.operator, { userId: (await w.person()).userId, reason: 'left it open' }],
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
  createAuthority: (w) => [w.operator, w.example('createAuthority')],
  changeAuthority: async (w) => [w.operator, { ...w.example('changeAuthority'), authorityId: await authority(w) }],
  getAuthority: async (w) => [w.operator, { authorityId: await authority(w) }],
  listAuthorities: (w) => after(authority(w), [w.operator]),
  listAuthorityRecords: asAuthority,
  getAuthorityRecord: async (w) => [w.operator, await overseen(w)],
  getAuthorityReceipt: async (w) => [w.operator, await overseen(w)],
  getAuthorityBasket: async (w) => {
    const { authorityId, transactionId } = await shownMore(w);
    return [w.operator, { authorityId, recordId: transactionId }];
  },
  listAuthorityCallTotals: async (w) => [w.operator, { authorityId: (await shownMore(w)).authorityId }],
  listAuthorityCalls: async (w) => [w.operator, (await shownMore(w)).call],
  getAuthorityCall: async (w) => [w.operator, { authorityId: (await shownMore(w)).authorityId, cdrId: w.cdrId }],
  listAuthoritySample: asAuthority,
  listAuthorityTotals: asAuthority,
  listAuthorityPsps: asAuthority,
  getServiceStatus: (w) => [w.operator],
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
  listAllKeys: (w) => [w.operator, { unusedDays: 90, state: 'WORKING', count: 'true' }],
  listRequests: (w) => after(logged(w), [w.psp, { code: 'FIELD_INVALID', count: 'true' }]),
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
  loadList: (w) => [w.psp, { ...w.example('loadList'), list: `BLOCK_${next()}`.toUpperCase() }],
  listLists: (w) => after(w.psp.loadList(w.example('loadList')), [w.psp]),
  searchLists: (w) => after(w.psp.loadList(w.example('loadList')), [w.psp, w.example('searchLists')]),
  listMatches: async (w) => [w.psp, { state: 'OPEN', list: (await match(w)).list }],
  getMatch: async (w) => [w.psp, { matchId: (await match(w)).matchId }],
  makeMatchException: async (w) => [w.psp, { ...w.example('makeMatchException'), matchId: (await match(w)).matchId }],
  endMatchException: async (w) => {
    const { matchId } = await match(w);
    await w.psp.makeMatchException({ ...w.example('makeMatchException'), matchId });
    return [w.psp, { ...w.example('endMatchException'), matchId }];
  },
  listListEntries: (w) => after(w.psp.loadList(w.example('loadList')), [w.psp, { list: 'OWN_BLOCK', limit: 2 }]),
  getListEntry: (w) =>
    after(w.psp.putOwnListEntry({ ...w.example('putOwnListEntry'), list: 'TO_READ', ref: 'B-3' }), [
      w.psp,
      { list: 'TO_READ', ref: 'B-3' },
    ]),
  putOwnListEntry: (w) => [w.psp, { ...w.example('putOwnListEntry'), list: `BLOCK_${next()}`.toUpperCase() }],
  removeOwnListEntry: (w) =>
    after(w.psp.putOwnListEntry({ ...w.example('putOwnListEntry'), list: 'TO_REMOVE', ref: 'B-2' }), [
      w.psp,
      { list: 'TO_REMOVE', ref: 'B-2' },
    ]),
  loadExchangeRates: (w) => [
    w.operator,
    { name: 'eurofxref-daily.csv', text: 'Date, USD, \n05 January 2024, 1.0921, \n' },
  ],
  getTaxFile: (w) => [w.operator, { countryCode: 'LI' }],
  setFee: async (w) => [w.operator, await newFee(w)],
  listAssets: (w) => [w.psp, { symbol: 'USDT' }],
  rotateAuditKey: (w) => [w.operator, { reason: 'once a year' }],
  addAsset: (w) => [w.operator, { ...w.example('addAsset'), symbol: `T${String(next()).replaceAll(/\D/g, '')}` }],
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
