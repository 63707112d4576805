// What an attacker must not get: other people's data, loose parsing, keys, secrets, and a journal to edit.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { type IdKind, toWire } from '../../src/core/ids.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { openPersonal } from '../../src/modules/kernel/subjects.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, type Answer, makeTestApp, type TestApp } from '../support/app.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import { deep as inDepth } from '../support/depth.ts';
import { contentOf, expectRefusal, forge, issueKey, placeHold, revokeKey } from '../support/guarantees.ts';
import { entryCount, expectJournalComplete, readersAtEnd, rowCount, uuidOf } from '../support/journal.ts';
import { enter } from '../support/people.ts';
import { plant, subscribe } from '../support/webhooks.ts';

let t: TestApp;
let operator: Account;
let psp: Account;
let client: Account;
let n = 0;

const sale = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ref: `order-${++n}`,
  totalAmount: 107.5,
  currency: 'NGN',
  countryCode: 'NG',
  paymentMethods: { card: 107.5 },
  transactionFee: 0,
  ...over,
});
const verify = (body: unknown, key: string, app = t) => app.post('/v1/transaction/verifyTransaction', body, key);
/** People's own are in sign-in.test.ts. */
const keyed = operations.filter((o) => o.access === undefined);
const withBody = operations.filter((o) => o.body && o.access !== 'session');
const wireNames = (list: readonly Operation[]) => list.map((o) => [o.id, o] as const);
/** A key that the operation takes. */
const keyFor = (o: Operation) =>
  (o.audience.includes('psp') ? psp : o.audience.includes('client') ? client : operator).apiKey;
const absent = (kind: IdKind) => toWire(kind, t.app.services.ids.next());

beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  psp = await t.makePsp();
  client = await t.makeClient(psp);
});
afterAll(() => t?.stop());

describe("another account's data", () => {
  /** Everything of one account that a request can name. */
  interface Target {
    readonly client: string;
    readonly transaction: string;
    readonly basket: string;
    readonly basketTransaction: string;
    readonly wager: string;
    readonly payout: string;
    readonly cdr: string;
    readonly key: string;
    readonly hold: string;
    readonly webhook: string;
    readonly delivery: string;
    readonly event: string;
    readonly chargeback: string;
    readonly declaration: string;
    readonly report: string;
    readonly schedule: string;
    readonly file: string;
    readonly login: string;
    readonly user: string;
    readonly review: string;
    readonly case: string;
    readonly caseFile: string;
    readonly match: string;
    readonly proposal: string;
    readonly dispute: string;
    readonly document: string;
    readonly restriction: string;
    readonly walletHold: string;
    readonly person: string;
    readonly ref: string;
    readonly wagerRef: string;
  }
  interface Probe {
    readonly path?: string;
    readonly body?: Record<string, unknown>;
  }
  const customer = { email: 'ada@example.com' };
  const basketBody = (ref: string) => ({
    ref,
    totalAmount: 107.5,
    items: [{ sku: 'A', title: 'A', description: '', quantity: 1, price: 107.5, subTotal: 107.5 }],
    paymentMethods: { card: 107.5 },
    currency: 'NGN',
    countryCode: 'NG',
  });

  /** How each operation names something; the others name nothing but, by header, an account. */
  const names: Record<string, (x: Target) => Probe> = {
    verifyTransaction: (x) => ({ body: sale({ ref: 'thief', transactionID: x.basketTransaction }) }),
    verifyTransactionStatus: (x) => ({
      path: `/v1/transaction/verifyTransactionStatus?transactionId=${x.transaction}&expand=customer`,
    }),
    declineTransaction: (x) => ({ body: { ref: x.ref } }),
    chargeBack: (x) => ({ body: { ref: x.ref } }),
    capturePayout: (x) => ({ body: { amount: 1, ref: 'thief', customer, wagerReference: x.wagerRef } }),
    getTransaction: (x) => ({ path: `/v1/transaction/${x.transaction}?expand=tax,customer,revisions` }),
    getTransactionHistory: (x) => ({ path: `/v1/transaction/${x.transaction}/history` }),
    openDispute: (x) => ({
      body: { chargebackId: x.chargeback, reason: 'theft', evidenceDueAt: '2030-01-01T00:00:00Z' },
    }),
    getDispute: (x) => ({ path: `/v1/dispute/${x.dispute}?expand=personal` }),
    sendDisputeEvidence: (x) => ({ path: `/v1/dispute/${x.dispute}/evidence` }),
    resolveDispute: (x) => ({ path: `/v1/dispute/${x.dispute}/resolve` }),
    holdWallet: (x) => ({ body: { transactionId: x.transaction, reason: 'theft' } }),
    listWalletHolds: (x) => ({ path: `/v1/wallet-hold?transactionId=${x.transaction}` }),
    releaseWalletHold: (x) => ({ path: `/v1/wallet-hold/${x.walletHold}/release` }),
    endExclusion: (x) => ({ path: `/v1/player/restriction/${x.restriction}/end` }),
    openReview: (x) => ({ body: { transactionId: x.transaction, reason: 'theft' } }),
    getReview: (x) => ({ path: `/v1/review/${x.review}` }),
    noteReview: (x) => ({ path: `/v1/review/${x.review}/note` }),
    assignReview: (x) => ({ path: `/v1/review/${x.review}/assign` }),
    resolveReview: (x) => ({ path: `/v1/review/${x.review}/resolve` }),
    getCase: (x) => ({ path: `/v1/case/${x.case}` }),
    noteCase: (x) => ({ path: `/v1/case/${x.case}/note` }),
    assignCase: (x) => ({ path: `/v1/case/${x.case}/assign` }),
    addCaseFile: (x) => ({ path: `/v1/case/${x.case}/file` }),
    getCaseFile: (x) => ({ path: `/v1/case/${x.case}/file/${x.caseFile}` }),
    linkCase: (x) => ({ path: `/v1/case/${x.case}/link`, body: { to: x.transaction } }),
    caseAction: (x) => ({
      path: `/v1/case/${x.case}/action`,
      body: { action: 'DECLINE', reason: 'theft', transactionId: x.transaction },
    }),
    exportStr: (x) => ({ path: `/v1/case/${x.case}/str` }),
    markStrSent: (x) => ({ path: `/v1/case/${x.case}/str/${x.caseFile}/sent` }),
    escalateCase: (x) => ({ path: `/v1/case/${x.case}/escalate` }),
    closeCase: (x) => ({ path: `/v1/case/${x.case}/close` }),
    approveCase: (x) => ({ path: `/v1/case/${x.case}/approve`, body: {} }),
    rejectCase: (x) => ({ path: `/v1/case/${x.case}/reject` }),
    reopenCase: (x) => ({ path: `/v1/case/${x.case}/reopen` }),
    getProposal: (x) => ({ path: `/v1/admin/proposal/${x.proposal}` }),
    approveProposal: (x) => ({ path: `/v1/admin/proposal/${x.proposal}/approve`, body: {} }),
    rejectProposal: (x) => ({ path: `/v1/admin/proposal/${x.proposal}/reject` }),
    listMatches: (x) => ({ path: `/v1/list-matches?clientId=${x.client}` }),
    getMatch: (x) => ({ path: `/v1/list-matches/${x.match}` }),
    makeMatchException: (x) => ({ path: `/v1/list-matches/${x.match}/exception` }),
    endMatchException: (x) => ({ path: `/v1/list-matches/${x.match}/exception/end` }),
    getClient: (x) => ({ path: `/v1/client/${x.client}` }),
    updateClient: (x) => ({ path: `/v1/client/${x.client}/update` }),
    setTaxProfile: (x) => ({ path: `/v1/client/${x.client}/tax-profile` }),
    addClientDocument: (x) => ({ path: `/v1/client/${x.client}/document` }),
    listClientDocuments: (x) => ({ path: `/v1/client/${x.client}/document` }),
    getClientDocument: (x) => ({ path: `/v1/client/${x.client}/document/${x.document}` }),
    setClientOwners: (x) => ({ path: `/v1/client/${x.client}/owners` }),
    getClientOwners: (x) => ({ path: `/v1/client/${x.client}/owners` }),
    setClientLicence: (x) => ({ path: `/v1/client/${x.client}/licence` }),
    listClientLicences: (x) => ({ path: `/v1/client/${x.client}/licence` }),
    previewStanding: (x) => ({ body: { accountId: x.client, endHolds: true } }),
    getBasket: (x) => ({ path: `/v1/basket/${x.basket}` }),
    getWager: (x) => ({ path: `/v1/wager/${x.wager}` }),
    getPayout: (x) => ({ path: `/v1/payout/${x.payout}` }),
    correctCdr: (x) => ({ path: `/v1/telecom/cdr/${x.cdr}/correct` }),
    withdrawCdr: (x) => ({ path: `/v1/telecom/cdr/${x.cdr}/withdraw`, body: { reason: 'theft' } }),
    getCdr: (x) => ({ path: `/v1/telecom/cdr/${x.cdr}?expand=personal` }),
    getWebhook: (x) => ({ path: `/v1/webhook/${x.webhook}` }),
    pauseWebhook: (x) => ({ path: `/v1/webhook/${x.webhook}/pause` }),
    resumeWebhook: (x) => ({ path: `/v1/webhook/${x.webhook}/resume` }),
    deleteWebhook: (x) => ({ path: `/v1/webhook/${x.webhook}/delete` }),
    setEventTypes: (x) => ({ path: `/v1/webhook/${x.webhook}/eventTypes` }),
    testWebhook: (x) => ({ path: `/v1/webhook/${x.webhook}/test`, body: {} }),
    replayWebhook: (x) => ({ path: `/v1/webhook/${x.webhook}/replay` }),
    listDeliveries: (x) => ({ path: `/v1/webhook/${x.webhook}/deliveries` }),
    getDelivery: (x) => ({ path: `/v1/webhook/${x.webhook}/deliveries/${x.delivery}` }),
    retryDelivery: (x) => ({ path: `/v1/webhook/${x.webhook}/deliveries/${x.delivery}/retry`, body: {} }),
    getEvent: (x) => ({ path: `/v1/event/${x.event}` }),
    getCdrDeclaration: (x) => ({ path: `/v1/telecom/declaration/${x.declaration}` }),
    getReport: (x) => ({ path: `/v1/report/${x.report}` }),
    getReportJson: (x) => ({ path: `/v1/report/${x.report}/json` }),
    getReportCsv: (x) => ({ path: `/v1/report/${x.report}/csv?section=chargebacks` }),
    getReportPage: (x) => ({ path: `/v1/report/${x.report}/page` }),
    getReportXml: (x) => ({ path: `/v1/report/${x.report}/xml` }),
    getReportXlsx: (x) => ({ path: `/v1/report/${x.report}/xlsx` }),
    fileReturn: (x) => ({ path: `/v1/report/${x.report}/filed` }),
    getReportSchedule: (x) => ({ path: `/v1/report-schedule/${x.schedule}` }),
    changeReportSchedule: (x) => ({ path: `/v1/report-schedule/${x.schedule}` }),
    endReportSchedule: (x) => ({ path: `/v1/report-schedule/${x.schedule}/end`, body: {} }),
    rerunReport: (x) => ({ path: `/v1/report/${x.report}/rerun`, body: {} }),
    resolveId: (x) => ({ path: `/v1/id/${x.transaction}` }),
    getPerson: (x) => ({ path: `/v1/person/${x.person}` }),
    listPersonRecords: (x) => ({ path: `/v1/person/${x.person}/record` }),
    listRecordPersons: (x) => ({ path: `/v1/record/${x.wager}/person` }),
    getReceipt: (x) => ({ path: `/v1/audit/receipt/${x.transaction}` }),
    netChargeback: (x) => ({
      body: { ref: 'thief', chargebackId: x.chargeback, transactionId: x.transaction, vatAmount: 1 },
    }),
    getCdrFile: (x) => ({ path: `/v1/telecom/file/${x.file}` }),
    listCdrFileErrors: (x) => ({ path: `/v1/telecom/file/${x.file}/errors` }),
    getRejectedCsv: (x) => ({ path: `/v1/telecom/file/${x.file}/rejected.csv` }),
    withdrawCdrFile: (x) => ({ path: `/v1/telecom/file/${x.file}/withdraw`, body: { reason: 'theft' } }),
    writeOffCdrLines: (x) => ({ path: `/v1/telecom/file/${x.file}/writeOff`, body: { reason: 'theft' } }),
    rotateOwnKey: (x) => ({ path: `/v1/key/${x.key}/rotate` }),
    revokeOwnKey: (x) => ({ path: `/v1/key/${x.key}/revoke` }),
    listKeyMade: (x) => ({ path: `/v1/key/${x.key}/made` }),
    addSftpKey: (x) => ({ path: `/v1/telecom/sftpCredentials/${x.login}/key` }),
    createUser: (x) => ({ body: { email: 'thief@example.com', name: 'Thief', role: 'auditor', accountId: x.client } }),
    disableUser: (x) => ({ path: `/v1/admin/user/${x.user}/disable` }),
    enableUser: (x) => ({ path: `/v1/admin/user/${x.user}/enable` }),
    setUserRole: (x) => ({ path: `/v1/admin/user/${x.user}/role` }),
    resetPassword: (x) => ({ path: `/v1/admin/user/${x.user}/password` }),
    resetSecondFactor: (x) => ({ path: `/v1/admin/user/${x.user}/reset-second-factor` }),
    listUserSessions: (x) => ({ path: `/v1/admin/user/${x.user}/session` }),
    endUserSessions: (x) => ({ path: `/v1/admin/user/${x.user}/end-sessions` }),
    revokeSftpCredentials: (x) => ({ path: `/v1/telecom/sftpCredentials/${x.login}/revoke` }),
  };
  /** Neither names anything of an account nor looks at x-client-id. */
  const outOfReach = new Set([
    'registerClient',
    'taxRates',
    'listTaxChanges',
    'getTaxChangesFeed',
    'listExchangeRates',
    'listExchangePublishers',
    'listRiskRules',
    'getRiskPolicy',
    'setRiskPolicy',
    ...[
      'loadList',
      'listLists',
      'searchLists',
      'listListEntries',
      'getListEntry',
      'putOwnListEntry',
      'removeOwnListEntry',
    ],
    'findSubject',
    'eraseSubject',
    'listReportKinds',
    'listFilingForms',
    'getCheckpoint',
    'getConsistency',
    'getAuditKey',
  ]);
  /** Whether its path, its body or a query parameter that it requires names something that is there. */
  const namesSomething = ({ path, body, query }: Operation) => {
    const fields: Readonly<Record<string, TSchema>> = body?.properties ?? {};
    const isKnown = (field: string) => Reflect.get(fields[field] ?? {}, 'x-characters') === 'any';
    const given = [...Object.keys(fields).filter((f) => f !== 'clientId'), ...(query?.required ?? [])];
    return (
      path.includes(':') ||
      given.some((field) => (field === 'ref' ? isKnown(field) : /(?:Id|ID|Ids|Reference)$/.test(field)))
    );
  };
  /** What lists are narrowed by, and what calls concern, each with something of the victim. */
  const idFields: Readonly<Record<string, keyof Target>> = {
    clientId: 'client',
    accountId: 'client',
    transactionId: 'transaction',
    resourceId: 'transaction',
    chargebackId: 'chargeback',
    caseId: 'case',
    keyId: 'key',
    scheduleId: 'schedule',
  };
  /** Optional fields of calls that take an id. */
  const idsTaken = keyed.flatMap((o) =>
    [o.query, o.body].flatMap((part) =>
      Object.keys(part?.properties ?? {})
        .filter((field) => field in idFields && !o.path.includes(':') && !part?.required?.includes(field))
        .map((field) => [o.id, field, o] as const),
    ),
  );
  const forAccounts = keyed.filter((o) => o.audience.some((a) => a === 'psp' || a === 'client'));
  const forStaff = keyed.filter((o) => o.audience.every((a) => a === 'operator' || a === 'authority'));

  let victim: Target;
  let nobody: Target;
  /** How it makes itself known: a key, or the cookie of a session. */
  type Proof = Readonly<Record<string, string>>;
  let attackers: [who: string, proof: Proof, isClient: boolean][];

  beforeAll(async () => {
    const made = async (path: string, body: unknown, field: string) =>
      contentOf(await t.post(path, body, client.apiKey))[field] as string;
    const basket = contentOf(await t.post('/v1/basket/submitBasket', basketBody('victim-cart'), client.apiKey));
    const hold = await placeHold(t, client, { blocking: false });
    const webhook = await subscribe(t, client);
    const { eventId, deliveryId } = await plant(t, webhook, client);
    drop(dataDirOf(t), client, 'victim.csv', cdrText(cdrRow('victim', { caller_number: '' })));
    await t.app.services.cdrIntake.pickUp();
    const { items: files } = contentOf(await t.get('/v1/telecom/file', client.apiKey));
    const exampleOf = (id: string) => operations.find((o) => o.id === id)?.example;
    await made('/v1/transaction/verifyTransaction', sale({ ref: 'victim-loss' }), 'transactionId');
    const doubted = await made('/v1/transaction/verifyTransaction', sale({ ref: 'victim-doubt' }), 'transactionId');
    const doubt = await t.post('/v1/review', { transactionId: doubted, reason: 'doubt' }, psp.apiKey);
    const named = { ref: 'V', names: ['Lagos Books Ltd'] };
    contentOf(await t.post('/v1/lists/OWN_VICTIM/entries', named, psp.apiKey));
    const matches = () => t.get(`/v1/list-matches?clientId=${client.id}`, psp.apiKey);
    const match = await until('the client matches', async () => contentOf(await matches()).items[0]?.matchId);
    const lost = contentOf(await t.post('/v1/transaction/chargeBack', { ref: 'victim-loss' }, psp.apiKey));
    const disputed = { ...(exampleOf('openDispute') as object), chargebackId: lost.chargebackId };
    contentOf(await t.post(`/v1/client/${client.id}/owners`, exampleOf('setClientOwners'), psp.apiKey));
    await readersAtEnd(t, ['reviews', 'cases']);
    const [{ caseId }] = contentOf(await t.get(`/v1/case?clientId=${client.id}`, psp.apiKey)).items;
    contentOf(await t.post(`/v1/case/${caseId}/file`, exampleOf('addCaseFile'), psp.apiKey));
    const [caseFile] = contentOf(await t.get(`/v1/case/${caseId}`, psp.apiKey)).items;
    const bet = { amount: 10, ref: 'victim-bet', customer, ip: '102.0.2.44', type: 'sports' };
    const wager = await made('/captureWager', bet, 'wagerId');
    const personOf = async (record: string) =>
      contentOf(await t.get(`/v1/record/${record}/person`, client.apiKey)).items[0].personId as string;
    victim = {
      case: caseId,
      caseFile: caseFile.itemId,
      review: contentOf(doubt).reviewId,
      match,
      proposal: contentOf(
        await t.post(
          '/v1/admin/proposal',
          { reason: 'asked for', erasure: { subjects: ['email:v@example.com'] } },
          psp.apiKey,
        ),
      ).proposalId,
      dispute: await made('/v1/dispute', disputed, 'disputeId'),
      document: await made(`/v1/client/${client.id}/document`, exampleOf('addClientDocument'), 'documentId'),
      restriction: await made('/v1/player/exclude', exampleOf('excludePlayer'), 'restrictionId'),
      walletHold: contentOf(await t.post('/v1/wallet-hold', exampleOf('holdWallet'), psp.apiKey)).holdId,
      client: client.id,
      chargeback: lost.chargebackId,
      declaration: await made('/v1/telecom/declaration', exampleOf('declareCdr'), 'declarationId'),
      report: await made('/v1/report', exampleOf('createReport'), 'reportId'),
      schedule: contentOf(
        await t.post('/v1/report-schedule', exampleOf('createReportSchedule'), psp.apiKey, {
          'x-client-id': client.id,
        }),
      ).scheduleId,
      file: files[0].fileId,
      login: await made('/v1/telecom/sftpCredentials', { name: 'victim' }, 'loginId'),
      user: contentOf(await t.post('/v1/admin/user', exampleOf('createUser'), psp.apiKey)).user.userId,
      webhook,
      delivery: deliveryId,
      event: eventId,
      person: await personOf(wager),
      ref: 'victim-ref',
      wagerRef: 'victim-bet',
      transaction: await made('/v1/transaction/verifyTransaction', sale({ ref: 'victim-ref' }), 'transactionId'),
      basket: basket.basketId,
      basketTransaction: basket.transactionId,
      wager,
      payout: await made(
        '/capturePayout',
        { amount: 10, ref: 'victim-win', customer, wagerReference: 'victim-bet' },
        'payoutId',
      ),
      cdr: await made('/v1/telecom/recordCDR', exampleOf('recordCDR'), 'cdrId'),
      key: `key_${client.apiKey.split('_')[1]}`,
      hold,
    };
    nobody = {
      client: absent('client'),
      schedule: absent('reportSchedule'),
      transaction: absent('transaction'),
      basket: absent('basket'),
      basketTransaction: absent('transaction'),
      wager: absent('wager'),
      payout: absent('payout'),
      cdr: absent('cdr'),
      key: absent('key'),
      hold: absent('hold'),
      webhook: absent('webhook'),
      delivery: absent('delivery'),
      event: absent('event'),
      chargeback: absent('chargeback'),
      declaration: absent('declaration'),
      report: absent('report'),
      file: absent('cdrFile'),
      login: absent('sftpLogin'),
      user: absent('user'),
      review: absent('review'),
      case: absent('case'),
      caseFile: absent('caseItem'),
      match: absent('match'),
      proposal: absent('proposal'),
      dispute: absent('dispute'),
      document: absent('document'),
      restriction: absent('restriction'),
      walletHold: absent('walletHold'),
      person: 'nobody0000000000000000000ab',
      ref: 'nobody-ref',
      wagerRef: 'nobody-bet',
    };
    await until('the report is made, so that it writes nothing later', async () => {
      const { state } = contentOf(await t.get(`/v1/report/${victim.report}`, client.apiKey));
      return state === 'DONE';
    });
    const stranger = await t.makePsp();
    const other = await t.makeClient(stranger);
    const neighbour = await t.makeClient(psp);
    const signedIn = async (account: Account): Promise<Proof> => {
      const { cookie, csrfToken } = await enter(t, account, 'administrator');
      return { cookie, 'x-csrf-token': csrfToken };
    };
    const withKey = ({ apiKey }: Account): Proof => ({ 'x-api-key': apiKey });
    attackers = [
      ['another PSP', withKey(stranger), false],
      ["another PSP's client", withKey(other), true],
      ['another client of the same PSP', withKey(neighbour), true],
      ['somebody of another PSP who signed in', await signedIn(stranger), false],
      ['somebody of another client of the same PSP who signed in', await signedIn(neighbour), true],
    ];
  });

  const blank = (text: string) =>
    [...Object.values(victim), ...Object.values(nobody)].reduce((s, v) => s.replaceAll(v, '<named>'), text);
  /** All of an answer that may tell something, with what was asked for left out. */
  const seen = (r: Answer) => ({
    status: r.status,
    headers: [...r.headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name)),
    text: blank(r.text),
  });
  const send = (o: Operation, probe: Probe, headers: Proof) => {
    const path = probe.path ?? o.path.replace(/:[A-Za-z]+/g, absent('transaction'));
    const h = { ...headers };
    return o.method === 'GET' ? t.get(path, undefined, h) : t.post(path, probe.body ?? o.example, undefined, h);
  };

  it('has a call about something of another account of every operation that takes an id', () => {
    const without = forAccounts.filter((o) => namesSomething(o) && !(o.id in names) && !outOfReach.has(o.id));
    expect(
      without.map((o) => o.id),
      'write a call with the ids of another account into `names`, or the operation into `outOfReach`',
    ).toEqual([]);
  });

  it.each(wireNames(forAccounts.filter((o) => o.id in names)))(
    '%s answers about it exactly as about what does not exist',
    async (id, o) => {
      const probe = names[id]!;
      const before = await entryCount(t);
      for (const [who, proof, isClient] of attackers) {
        if (!o.audience.includes('client') && isClient) continue;
        const [theirs, none] = [await send(o, probe(victim), proof), await send(o, probe(nobody), proof)];
        expect({ who, ...seen(theirs) }).toEqual({ who, ...seen(none) });
        expect([who, theirs.status]).toEqual([who, 404]);
      }
      expect(await entryCount(t)).toBe(before);
    },
  );

  it.each(idsTaken.filter(([, , o]) => forAccounts.includes(o) && !outOfReach.has(o.id)))(
    '%s answers to its id as %s exactly as to one that does not exist',
    async (_id, field, o) => {
      const before = await entryCount(t);
      const isQuery = field in (o.query?.properties ?? {});
      const probe = (x: Target): Probe =>
        isQuery
          ? { path: `${o.path}?${field}=${x[idFields[field] as keyof Target]}` }
          : { body: { ...(o.example as object), [field]: x[idFields[field] as keyof Target] } };
      for (const [who, proof, isClient] of attackers) {
        if (!o.audience.includes('client') && isClient) continue;
        const [theirs, none] = [await send(o, probe(victim), proof), await send(o, probe(nobody), proof)];
        expect({ who, ...seen(theirs) }).toEqual({ who, ...seen(none) });
      }
      expect(await entryCount(t)).toBe(before);
    },
  );

  it.each(wireNames(forAccounts.filter((o) => !outOfReach.has(o.id))))(
    '%s answers to its id in x-client-id exactly as to one that does not exist',
    async (id, o) => {
      const before = await entryCount(t);
      for (const [who, proof] of attackers) {
        // What else the request names does not exist: the header alone is on trial.
        const probe = names[id]?.(nobody) ?? {};
        const theirs = await send(o, probe, { ...proof, 'x-client-id': victim.client });
        const none = await send(o, probe, { ...proof, 'x-client-id': nobody.client });
        expect({ who, ...seen(theirs) }).toEqual({ who, ...seen(none) });
      }
      expect(await entryCount(t)).toBe(before);
    },
  );

  it.each(wireNames(forStaff))('%s tells PSPs and clients only that it is not for them', async (_id, o) => {
    const own = ['the account itself', { 'x-api-key': client.apiKey }] as const;
    for (const [who, proof] of [...attackers, own]) {
      const path = (x: Target) =>
        o.path
          .replace(':accountId', x.client)
          .replace(':holdId', x.hold)
          .replace(':keyId', x.key)
          .replace(':feeId', 'X');
      const [theirs, none] = [
        await send(o, { path: path(victim) }, proof),
        await send(o, { path: path(nobody) }, proof),
      ];
      expectRefusal(theirs, 403, 'AUDIENCE');
      expect({ who, ...seen(theirs) }).toEqual({ who, ...seen(none) });
    }
  });

  it('keeps the same ref of two PSPs apart in one batch', async () => {
    const houses = await Promise.all(Array.from({ length: 4 }, () => t.makePsp()));
    const answers = await Promise.all(houses.map((h) => verify(sale({ ref: 'same-ref' }), h.apiKey)));
    expect(new Set(answers.map((r) => contentOf(r).transactionId)).size).toBe(4);
    for (const [i, h] of houses.entries())
      expect(contentOf(await t.get('/v1/transaction?ref=same-ref', h.apiKey)).items).toMatchObject([
        { transactionId: contentOf(answers[i]!).transactionId, clientId: h.id },
      ]);
  });

  it("does not take another PSP's basket that is verified in the same batch", async () => {
    const stranger = await t.makePsp();
    for (let i = 0; i < 5; i++) {
      const { transactionId } = contentOf(
        await t.post('/v1/basket/submitBasket', basketBody(`race-${i}`), client.apiKey),
      );
      const [own, theirs] = await Promise.all([
        verify(sale({ transactionID: transactionId }), client.apiKey),
        verify(sale({ transactionID: transactionId }), stranger.apiKey),
      ]);
      contentOf(own);
      expectRefusal(theirs, 404, 'NOT_FOUND', 'no basket transaction with this transactionID');
    }
    await expectJournalComplete(t);
  });
});

describe('requests', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((p) => (typeof p === 'string' ? Buffer.from(p) : Buffer.from(p))));
  const deep = (open: string, close: string, depth: number) => `{"a":${open.repeat(depth)}${close.repeat(depth)}}`;
  const attacks: Record<string, string | Buffer> = {
    'a key twice': '{"ref":"a","ref":"b"}',
    'a key twice, once escaped': '{"ref":"a","\\u0072ef":"b"}',
    'a key twice further in': '{"customer":{"email":"a@b.c","email":"d@e.f"}}',
    'a key twice in an unknown field': '{"x":[{"y":1,"y":2}]}',
    'NUL, escaped': '{"ref":"a\\u0000b"}',
    'NUL in a key': '{"re\\u0000f":"a"}',
    'NUL as a byte': bytes('{"ref":"a', [0], 'b"}'),
    'a lone high surrogate': '{"ref":"\\ud83d"}',
    'a lone low surrogate': '{"ref":"\\ude00"}',
    'a surrogate pair the wrong way round': '{"ref":"\\ude00\\ud83d"}',
    'a lone surrogate in a key': '{"\\ud800":1}',
    'a byte that is not UTF-8': bytes('{"ref":"', [0xff], '"}'),
    'an overlong form': bytes('{"ref":"', [0xc0, 0xaf], '"}'),
    'a surrogate as UTF-8': bytes('{"ref":"', [0xed, 0xa0, 0x80], '"}'),
    'a cut character': bytes('{"ref":"', [0xe2, 0x82], '"}'),
    'a byte order mark': bytes([0xef, 0xbb, 0xbf], '{"ref":"a"}'),
    'UTF-16': Buffer.from('{"ref":"a"}', 'utf16le'),
    'arrays 33 deep': deep('[', ']', 32),
    'objects 33 deep': `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
    'two hundred thousand opening brackets': '['.repeat(200_000),
    'two hundred thousand opening braces': '{"a":'.repeat(40_000),
    NaN: '{"totalAmount":NaN}',
    Infinity: '{"totalAmount":-Infinity}',
    'a leading zero': '{"totalAmount":012.5}',
    'a leading plus': '{"totalAmount":+12.5}',
    'a bare fraction': '{"totalAmount":.5}',
    'a bare point': '{"totalAmount":5.}',
    'a hexadecimal number': '{"totalAmount":0x10}',
    'an empty exponent': '{"totalAmount":1e}',
    'digits with underscores': '{"totalAmount":1_000}',
    'a trailing comma': '{"ref":"a",}',
    'a comment': '{"ref":"a"/* b */}',
    'single quotes': "{'ref':'a'}",
    'a key without quotes': '{ref:"a"}',
    'a raw tab in text': '{"ref":"a\tb"}',
    'a raw line feed in text': '{"ref":"a\nb"}',
    'an unknown escape': '{"ref":"\\x41"}',
    'an unterminated text': '{"ref":"a',
    'an unterminated object': '{"ref":"a"',
    'text after the end': '{"ref":"a"} {"ref":"b"}',
    'a non-breaking space': '{\u00a0"ref":"a"}',
    'an array': '[{"ref":"a"}]',
    'a text': '"ref"',
    'a number': '1',
    null: 'null',
    nothing: '',
    'white space only': ' \n\t ',
  };

  /** All of them go to each operation in the deep form; otherwise each goes to every fifth, as one reader reads for all. */
  const shareOf = (n: number) => Object.entries(attacks).filter((_, i) => inDepth || i % 5 === n % 5);

  it.each(wireNames(withBody))(
    '%s refuses every text that is not one strict JSON object, and records nothing',
    async (_id, o) => {
      const before = await entryCount(t);
      const path = o.path.replace(/:[A-Za-z]+/g, client.id);
      const share = shareOf(withBody.findIndex((x) => x.id === _id)).filter(
        // Without sign-in it would be too large already.
        ([, body]) => o.access !== 'open' || body.length <= 4096,
      );
      const answers = await Promise.all(
        share.map(async ([what, body]) => {
          const r = await t.raw(path, {
            method: o.method,
            headers: { 'content-type': 'application/json', 'x-api-key': keyFor(o) },
            body: body as RequestInit['body'],
          } as RequestInit);
          return [what, r.status, r.headers.get('x-error-code'), Object.keys(r.body ?? {}).join()];
        }),
      );
      expect(answers).toEqual(share.map(([what]) => [what, 400, 'BODY_MALFORMED', 'success,message']));
      expect(await entryCount(t)).toBe(before);
    },
  );

  it.each(wireNames(withBody))('%s takes nothing but application/json in UTF-8', async (_id, o) => {
    // Attempts to sign in are limited by address.
    t.advance(60_000);
    const path = o.path.replace(/:[A-Za-z]+/g, client.id);
    const body = Buffer.from(JSON.stringify(o.example ?? {}));
    for (const type of [
      undefined,
      '',
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/json-patch+json',
      'application/json; charset=iso-8859-1',
      'application/json; charset=utf-16',
      'application/json, text/plain',
    ]) {
      const r = await t.raw(path, {
        method: o.method,
        headers: { 'x-api-key': keyFor(o), ...(type === undefined ? {} : { 'content-type': type }) },
        body,
      });
      expect([type, r.status, r.headers.get('x-error-code')]).toEqual([type, 415, 'CONTENT_TYPE']);
    }
  });

  it('take application/json however it is written', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])
      contentOf(
        await t.raw('/v1/transaction/verifyTransaction', {
          method: 'POST',
          headers: { 'x-api-key': client.apiKey, 'content-type': type },
          body: JSON.stringify(sale()),
        }),
      );
  });

  it('may nest 32 deep', async () => {
    const body = JSON.stringify(sale()).replace(/}$/, `,"note":${'['.repeat(31)}${']'.repeat(31)}}`);
    contentOf(await verify(body, client.apiKey));
  });

  it('are limited in size to the byte, with or without a declared length', async () => {
    const small = await makeTestApp({ env: { BODY_LIMIT: '2048', BASKET_BODY_LIMIT: '4096' } });
    try {
      const house = await small.makePsp();
      const chief = await small.makeOperator();
      const limitOf = ({ largeBody }: Operation) =>
        typeof largeBody === 'number' ? largeBody : largeBody ? 4096 : 2048;
      const smallestLarge = Math.min(...withBody.map(limitOf).filter((limit) => limit > 4096));
      for (const o of withBody) {
        const limit = limitOf(o);
        const path = o.path.replace(/:[A-Za-z]+/g, house.id);
        const key = (o.audience.includes('psp') ? house : chief).apiKey;
        const headers = { 'content-type': 'application/json', 'x-api-key': key };
        // The headers are judged before the body, so that none need be sent.
        const declared = (size: number) =>
          new Promise<unknown>((resolve, reject) => {
            const asked = { ...headers, 'content-length': size, expect: '100-continue' };
            const r = request(`${small.address}${path}`, { method: o.method, headers: asked });
            r.on('continue', () => r.destroy());
            r.on('continue', () => resolve('go on'));
            r.on('response', (a) => resolve([a.statusCode, a.headers['x-error-code']]));
            r.on('response', () => r.destroy());
            r.on('error', reject);
            r.flushHeaders();
          });
        expect([o.id, await declared(limit + 1)]).toEqual([o.id, [413, 'BODY_TOO_LARGE']]);
        expect([o.id, await declared(limit)]).toEqual([o.id, 'go on']);
        // Bodies of many megabytes are counted by the same code: of the larger ones only the deep form sends any.
        if (limit > smallestLarge && !inDepth) continue;
        const ask = async (size: number) => {
          const r = await small.raw(path, { method: o.method, headers, body: '{}'.padEnd(size) });
          return [o.id, size, r.status, r.headers.get('x-error-code')];
        };
        expect(await ask(limit + 1)).toEqual([o.id, limit + 1, 413, 'BODY_TOO_LARGE']);
        expect((await ask(limit))[2]).not.toBe(413);
        const streamed = await small.raw(path, {
          method: o.method,
          headers,
          body: new Blob(['{}'.padEnd(limit + 1)]).stream(),
          duplex: 'half',
        } as RequestInit);
        expectRefusal(streamed, 413, 'BODY_TOO_LARGE', `the body is larger than ${limit} bytes`);
      }
    } finally {
      await small.stop();
    }
  });

  it.each(wireNames(operations))('%s answers other methods with 405 and names its own', async (_id, o) => {
    const path = o.path.replace(/:[A-Za-z]+/g, client.id);
    const served = new Set(operations.filter((p) => p.path === o.path).map((p) => p.method));
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
      if (served.has(method as 'GET')) continue;
      const r = await t.raw(path, { method, headers: { 'x-api-key': keyFor(o) } });
      expect([method, r.status, r.headers.get('x-error-code')]).toEqual([method, 405, 'METHOD']);
      expect(r.headers.get('allow')?.split(', ').sort()).toEqual([...served].sort());
    }
  });

  it('with NUL in an address name nothing', async () => {
    for (const o of keyed.filter((p) => p.path.includes(':'))) {
      const path = o.path.replace(/:[A-Za-z]+/g, 'a%00b');
      const r = await t.raw(path, {
        method: o.method,
        headers: { 'x-api-key': keyFor(o), 'content-type': 'application/json' },
        ...(o.method === 'GET' ? {} : { body: JSON.stringify(o.example ?? {}) }),
      });
      expect([o.id, r.status, Object.keys(r.body)]).toEqual([o.id, 404, ['success', 'message']]);
    }
  });

  it('to no address of the service are answered with 404 in the usual form', async () => {
    for (const path of ['/nowhere', '/v2/sale/verify', '/v1', `/v1/transaction/${'x'.repeat(300)}/y`])
      expectRefusal(await t.post(path, {}, psp.apiKey), 404, 'NO_ROUTE', `no such address: POST ${path.slice(0, 100)}`);
  });
});

describe('keys', () => {
  it.each(wireNames(operations))('%s refuses one in the address and does not repeat it', async (_id, o) => {
    const { apiKey } = psp;
    const path = o.path.replace(/:[A-Za-z]+/g, client.id);
    for (const url of [`${path}?x-api-key=${apiKey}`, `${path}?apiKey=${apiKey}&limit=1`]) {
      const r = await t.raw(url, {
        method: o.method,
        headers: { 'x-api-key': keyFor(o), 'content-type': 'application/json' },
        ...(o.method === 'GET' ? {} : { body: '{}' }),
      });
      expectRefusal(r, 400, 'KEY_IN_URL', 'a key must be sent in the header x-api-key, never in the address');
    }
  });

  it('are refused in an address as a part of it too, known address or not', async () => {
    for (const path of [
      `/v1/transaction/${psp.apiKey}`,
      `/nowhere/${psp.apiKey}`,
      `/v1/nowhere?key=${psp.apiKey}`,
      `/v1/transaction/%ff?key=${psp.apiKey}`,
    ]) {
      const r = await t.get(path, psp.apiKey);
      expectRefusal(r, 400, 'KEY_IN_URL');
      expect(r.text).not.toContain(psp.apiKey.slice(4, 40));
    }
  });

  it('stand in the database as SHA-256 of their secret only', async () => {
    const someone = await t.makeClient(psp);
    const secret = someone.apiKey.slice(31, 74);
    expect(someone.apiKey).toBe(`asy_${someone.apiKey.split('_')[1]}_${secret}_${someone.apiKey.slice(-8)}`);
    const [row] = await t.database.admin.query('SELECT * FROM api_keys WHERE account_id = $1', [someone.uuid]);
    expect(row?.secret_hash).toBe(createHash('sha256').update(secret).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(secret);
  });

  it('are refused everywhere within a second of their revocation, in the process that revoked them at once', async () => {
    const env = { ASSAY_MASTER_KEY: '12'.repeat(32) };
    const one = await makeTestApp({ env });
    try {
      const two = await makeTestApp({ env, database: one.database });
      try {
        const house = await one.makePsp();
        const spare = await issueKey(one, house);
        for (const app of [one, two]) contentOf(await app.get('/v1/client/verifyClientStatus', spare.apiKey));
        await revokeKey(one, spare.keyId);
        expectRefusal(await one.get('/v1/client/verifyClientStatus', spare.apiKey), 401, 'KEY_INVALID');
        two.advance(1000);
        expectRefusal(await two.get('/v1/client/verifyClientStatus', spare.apiKey), 401, 'KEY_INVALID');
        contentOf(await two.get('/v1/client/verifyClientStatus', house.apiKey));
      } finally {
        await two.stop();
      }
    } finally {
      await one.stop();
    }
  });

  it('slow down who guesses them, without keeping out who has one, and are told of in the log', async () => {
    const app = await makeTestApp();
    try {
      const house = await app.makePsp();
      const guess = () => app.get('/v1/client/verifyClientStatus', forge(house.apiKey));
      const answers = await Promise.all(Array.from({ length: 80 }, guess));
      const limited = answers.filter((r) => r.status === 429);
      expect(answers.every((r) => r.status === 401 || r.status === 429)).toBe(true);
      expect(limited.length).toBeGreaterThanOrEqual(25);
      for (const r of limited) {
        expectRefusal(r, 429, 'RATE_LIMITED', 'too many failed sign-ins from this address; wait a little');
        expect(Number(r.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
      contentOf(await app.get('/v1/client/verifyClientStatus', house.apiKey));
      app.advance(60_000);
      expectRefusal(await guess(), 401, 'KEY_INVALID');
      const told = app.logged.filter((line) => line.includes('KEY_INVALID'));
      expect(told.length).toBeGreaterThanOrEqual(50);
      expect(JSON.parse(told[0]!)).toMatchObject({ status: 401, code: 'KEY_INVALID', requestId: expect.any(String) });
      expect((await app.get('/metrics')).text).toMatch(/^assay_auth_failures_total \d\d/m);
    } finally {
      await app.stop();
    }
  });

  it('have a bucket of requests each, refilled steadily', async () => {
    const app = await makeTestApp({ env: { RATE_PER_SECOND: '2', RATE_BURST: '3' } });
    try {
      const [busy, calm] = [await app.makePsp(), await app.makePsp()];
      const ask = (a: Account) => app.get('/v1/client/verifyClientStatus', a.apiKey);
      for (let i = 0; i < 3; i++) contentOf(await ask(busy));
      const over = await ask(busy);
      expectRefusal(over, 429, 'RATE_LIMITED', 'too many requests with this key; slow down');
      expect(Number(over.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect([over.headers.get('ratelimit-limit'), over.headers.get('ratelimit-remaining')]).toEqual(['3', '0']);
      contentOf(await ask(calm));
      app.advance(500);
      contentOf(await ask(busy));
      expect((await ask(busy)).status).toBe(429);
      app.advance(60_000);
      for (let i = 0; i < 3; i++) contentOf(await ask(busy));
      expect((await ask(busy)).status).toBe(429);
    } finally {
      await app.stop();
    }
  });
});

describe('planted canaries', () => {
  // Words that occur nowhere else; whoever finds one has found a leak.
  const plants = {
    customerEmail: 'canary.customer@leak.example',
    customerName: 'Canaria Customerova',
    customerPhone: '+2348039990001',
    clientEmail: 'canary.client@leak.example',
    clientPhone: '+2348039990002',
    cryptoAddress: 'TCanaryAddressCanaryAddressCanaryA',
    bankName: 'Canary Islands Bank',
    bankAccount: '9988776655443322',
    providerSecret: 'sk_live_canary_4242424242',
    latitude: '6.51771239',
    longitude: '3.38881239',
    imei: '352099001761481',
    cdrLatitude: '9.07659939',
    badEmail: 'canary-without-at.leak.example',
    guessedKey: 'asy_canary_guess',
  };
  let app: TestApp;
  let secrets: Record<string, string>;
  const errors: Answer[] = [];

  beforeAll(async () => {
    app = await makeTestApp({ env: { LOG_LEVEL: 'trace' } });
    const house = await app.makePsp();
    const shop = await app.makeClient(house, { email: plants.clientEmail, phoneNumber: plants.clientPhone });
    const spare = await issueKey(app, shop);
    secrets = {
      ...plants,
      pspKey: house.apiKey,
      pspKeySecret: house.apiKey.slice(31, 74),
      pspSecret: house.secret.slice(6),
      clientKeySecret: shop.apiKey.slice(31, 74),
      clientSecret: shop.secret.slice(6),
      spareKeySecret: spare.apiKey.slice(31, 74),
    };
    const customer = {
      email: plants.customerEmail,
      name: plants.customerName,
      phoneNumber: plants.customerPhone,
    };
    const money = { totalAmount: 100, currency: 'NGN', countryCode: 'NG', transactionFee: 0, customer };
    const bank = { bank: plants.bankName, accountNumber: plants.bankAccount };
    const good: [string, Record<string, unknown>][] = [
      ['/v1/payment/cryptoDeposit', { ref: 'c1', blochainHash: '0xabc', ...money }],
      ['/v1/payment/cryptoWithdrawal', { ref: 'c2', blochainHash: '0xabc', toAddress: plants.cryptoAddress, ...money }],
      ['/v1/payment/deposit', { ref: 'c3', ...money }],
      ['/v1/payment/withdrawal', { ref: 'c4', toAddress: bank, ...money }],
      [
        '/captureWager',
        {
          amount: 10,
          ref: 'c5',
          customer,
          ip: '102.0.2.44',
          coordinates: { lat: Number(plants.latitude), lng: Number(plants.longitude) },
          type: 'sports',
        },
      ],
      ['/capturePayout', { amount: 10, ref: 'c6', customer, wagerReference: 'c5' }],
      ['/v1/client/addPSPSecret', { psp: 'STRIPE', secret: plants.providerSecret }],
      [
        '/v1/telecom/recordCDR',
        {
          ...(operations.find((o) => o.id === 'recordCDR')?.example as object),
          imei_caller: plants.imei,
          caller_location: { latitude: Number(plants.cdrLatitude), longitude: 7 },
        },
      ],
    ];
    for (const [path, body] of good) {
      const first = contentOf(await app.post(path, body, shop.apiKey));
      contentOf(await app.post(path, body, shop.apiKey));
      if (first.transactionId)
        contentOf(await app.get(`/v1/transaction/${first.transactionId}?expand=customer,tax`, house.apiKey));
    }
    contentOf(await app.post('/v1/transaction/declineTransaction', { ref: 'c1' }, shop.apiKey));
    contentOf(await app.post('/v1/transaction/chargeBack', { ref: 'c3' }, house.apiKey));

    // Every way of failing that has a canary at hand.
    const wrong = async (r: Promise<Answer>) => {
      const a = await r;
      expect(a.status).toBeGreaterThanOrEqual(400);
      errors.push(a);
    };
    for (const [path, body] of good) {
      const text = JSON.stringify(body);
      await wrong(app.post(path, body));
      await wrong(app.post(path, body, forge(house.apiKey)));
      await wrong(app.post(path, `${text}x`, shop.apiKey));
      await wrong(app.post(path, text.replace('{', '{"ref":"x","ref":"y",'), shop.apiKey));
      await wrong(
        app.post(
          path,
          { ...body, customer: { ...customer, email: plants.badEmail }, psp: 'NONE', call_end_time: 'x' },
          shop.apiKey,
        ),
      );
      await wrong(app.post(path, { ...body, customer: plants.customerName, secret: '', cdr_id: '' }, shop.apiKey));
      await wrong(
        app.post(path, { ...body, amount: 0, totalAmount: 0, psp: '', call_duration_seconds: 7 }, shop.apiKey),
      );
      await wrong(app.post(path, text, shop.apiKey, { 'x-client-id': plants.customerEmail }));
      await wrong(
        app.post(
          `${path}/${plants.customerEmail}?e=${encodeURIComponent(plants.customerEmail)}`,
          body,
          plants.guessedKey,
        ),
      );
    }
    for (const ref of ['c2', 'c4'])
      await wrong(
        app.post(
          ref === 'c2' ? '/v1/payment/cryptoWithdrawal' : '/v1/payment/withdrawal',
          {
            ref,
            blochainHash: '0xabc',
            toAddress: ref === 'c2' ? `${plants.cryptoAddress}2` : { ...bank, a: 1 },
            ...money,
          },
          shop.apiKey,
        ),
      );
    await wrong(
      app.post('/v1/client/registerClient', { email: plants.badEmail, phoneNumber: plants.clientPhone }, house.apiKey),
    );
    await wrong(app.get(`/v1/transaction/x?expand=customer`, plants.guessedKey));

    // And a broken world: the database refuses a row, then all of them.
    await app.database.admin.query('ALTER TABLE transactions ADD CONSTRAINT broken CHECK (amount <> 4242)');
    await wrong(
      app.post('/v1/payment/withdrawal', { ref: 'f1', toAddress: bank, ...money, totalAmount: 4242 }, shop.apiKey),
    );
    await app.database.admin.query('ALTER TABLE transactions DROP CONSTRAINT broken');
    await app.database.admin.query('ALTER TABLE journal RENAME TO journal_gone');
    await wrong(app.post('/v1/payment/withdrawal', { ref: 'f2', toAddress: bank, ...money }, shop.apiKey));
    await app.database.admin.query('ALTER TABLE journal_gone RENAME TO journal');
  });
  afterAll(() => app?.stop());

  it('appear in no log line, down to the finest level', () => {
    expect(app.logged.length).toBeGreaterThan(100);
    const log = app.logged.join('\n');
    for (const [what, word] of Object.entries(secrets)) expect([what, log.includes(word)]).toEqual([what, false]);
  });

  it('appear in no error message', () => {
    expect(errors.length).toBeGreaterThan(70);
    for (const r of errors)
      for (const [what, word] of Object.entries(secrets)) {
        // The caller's own address is said back to it where there is no such address.
        if (what === 'customerEmail' && r.headers.get('x-error-code') === 'NO_ROUTE') continue;
        expect([what, r.text.includes(word), r.text]).toEqual([what, false, r.text]);
      }
  });

  it('appear in no metric', async () => {
    const { text } = await app.get('/metrics');
    expect(text).toContain('assay_http_request_seconds');
    for (const [what, word] of Object.entries(secrets)) expect([what, text.includes(word)]).toEqual([what, false]);
  });

  it('appear in clear in no column of no table, journal bodies included', async () => {
    const db = app.database.admin;
    const tables = await db.query(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`,
    );
    expect(tables.length).toBeGreaterThan(15);
    const words = Object.entries(secrets);
    const forms = words.flatMap(([what, word]) => [
      [what, word] as const,
      [
        `${what} in base64`,
        Buffer.from(word)
          .toString('base64')
          .replace(/.{0,2}=*$/, ''),
      ] as const,
      [`${what} in hex`, Buffer.from(word).toString('hex')] as const,
    ]);
    let looked = 0;
    for (const { name } of tables) {
      for (const { row } of await db.query(`SELECT t::text AS row FROM ${name} t`)) {
        looked++;
        for (const [what, word] of forms)
          if ((row as string).includes(word))
            expect.fail(`${what} stands in ${name}: ${(row as string).slice(0, 300)}`);
      }
    }
    expect(looked).toBeGreaterThan(50);
  });

  it('are found by this search where they do stand: in a row put there', async () => {
    // Proves the search above able to find.
    await app.database.admin.query('CREATE TABLE planted (id int, body json)');
    await app.database.admin.query('INSERT INTO planted VALUES (1, $1)', [
      JSON.stringify({ a: [plants.customerEmail] }),
    ]);
    const [r] = await app.database.admin.query('SELECT t::text AS row FROM planted t');
    await app.database.admin.query('DROP TABLE planted');
    expect(r?.row).toContain(plants.customerEmail);
  });
});

describe('sealed texts', () => {
  it('do not open in another row: webhook secrets', async () => {
    const [one, two] = [await t.makeClient(psp), await t.makeClient(psp)];
    const { vault } = t.app.services;
    const sealed = async (a: Account) =>
      (await t.database.admin.query('SELECT secret_sealed FROM accounts WHERE id = $1', [a.uuid]))[0]
        ?.secret_sealed as string;
    expect(vault.open(await sealed(one), `accounts/${one.uuid}/secret`)).toBe(one.secret);
    const moved = await sealed(two);
    expect(() => vault.open(moved, `accounts/${one.uuid}/secret`)).toThrow();
  });

  it('do not open in another row or column: provider secrets', async () => {
    const [one, two] = [await t.makeClient(psp), await t.makeClient(psp)];
    const { vault } = t.app.services;
    for (const [a, secret] of [
      [one, 'first'],
      [two, 'second'],
    ] as const)
      for (const provider of ['STRIPE', 'PAYSTACK'])
        contentOf(
          await t.post('/v1/client/addPSPSecret', { psp: provider, secret: `${secret} ${provider}` }, a.apiKey),
        );
    const rows = await t.database.admin.query('SELECT * FROM provider_secrets WHERE account_id = ANY($1::uuid[])', [
      [one.uuid, two.uuid],
    ]);
    expect(rows).toHaveLength(4);
    for (const from of rows)
      for (const to of rows) {
        const open = () => vault.open(from.secret_sealed as string, `provider_secrets/${to.account_id}/${to.provider}`);
        if (from === to) expect(open()).toMatch(new RegExp(`${from.provider}$`));
        else expect(open).toThrow();
      }
    expect(() => vault.open(rows[0]?.secret_sealed as string, `accounts/${one.uuid}/secret`)).toThrow();
  });

  it("do not open in another person's record, nor with another person's key", async () => {
    const someone = await t.makeClient(psp);
    const ids: string[] = [];
    for (const email of ['one@example.com', 'two@example.com'])
      ids.push(
        contentOf(
          await t.post(
            '/v1/payment/deposit',
            {
              ref: `seal-${++n}`,
              totalAmount: 100,
              currency: 'NGN',
              customer: { email },
              countryCode: 'NG',
              transactionFee: 0,
            },
            someone.apiKey,
          ),
        ).transactionId,
      );
    const [a, b] = ids.map(uuidOf) as [string, string];
    const customer = () => t.get(`/v1/transaction/${ids[0]}?expand=customer`, someone.apiKey);
    expect(contentOf(await customer()).customer.customer.email).toBe('one@example.com');
    // The other's sealed text under this person's key.
    const [other] = await t.database.admin.query('SELECT sealed FROM transactions WHERE id = $1', [b]);
    await t.database.admin.query('UPDATE transactions SET sealed = $2 WHERE id = $1', [a, other?.sealed]);
    const moved = await customer();
    expect(moved.status).toBe(500);
    expect(moved.text).not.toContain('@example.com');
    // A key of a person moved to another's row does not open either.
    const [row] = await t.database.admin.query('SELECT * FROM subject_keys WHERE psp_id = $1 LIMIT 1', [psp.uuid]);
    expect(() =>
      t.app.services.vault.open(row?.key_sealed as string, `subject_keys/${psp.uuid}/somebody-else`),
    ).toThrow();
    expect(openPersonal(undefined, 'anything', 'transactions/none')).toBeUndefined();
  });

  it('do not open when a single bit of them was changed', async () => {
    const { vault } = t.app.services;
    const sealed = vault.seal('secret', 'here');
    const raw = Buffer.from(sealed.slice(3), 'base64');
    for (let i = 0; i < raw.length; i++) {
      const bent = Buffer.from(raw);
      bent[i] = (bent[i] as number) ^ 1;
      expect(() => vault.open(`v1:${bent.toString('base64')}`, 'here')).toThrow();
    }
  });

  it('are sealed differently each time', () => {
    const { vault } = t.app.services;
    expect(vault.seal('same', 'here')).not.toBe(vault.seal('same', 'here'));
  });

  it('rest on a master key that only the service may read', () => {
    const file = join(t.app.services.settings.dataDir, 'secrets', 'master.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o077).toBe(0);
  });
});

describe("the service's database role", () => {
  const attempt = async (sql: string) => {
    try {
      await t.app.services.db.query(sql);
      return 'done';
    } catch (e) {
      return (e as { code?: string }).code;
    }
  };

  it('is not the owner', async () => {
    const [r] = await t.app.services.db.query('SELECT current_user AS name');
    expect(r?.name).toBe('assay_app');
  });

  /** What the role may do to tables whose names match, and to their partitions, by the catalogue. */
  const rights = (pattern: string) =>
    t.database.admin.query(
      `SELECT c.relname AS name, has_any_column_privilege('assay_app', c.oid, 'UPDATE') AS "update",
         has_table_privilege('assay_app', c.oid, 'DELETE') AS "delete",
         has_table_privilege('assay_app', c.oid, 'TRUNCATE') AS "truncate",
         has_table_privilege('assay_app', c.oid, 'TRIGGER') AS "trigger", pg_has_role('assay_app', c.relowner, 'MEMBER') AS owner
       FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND c.relname ~ $1
       ORDER BY c.relname`,
      [pattern],
    );
  const none = { update: false, delete: false, truncate: false, trigger: false, owner: false };

  it('can read the journal but neither change nor remove what it holds, whole or by partition', async () => {
    contentOf(await verify(sale(), client.apiKey));
    const before = await entryCount(t);
    const tables = await rights('^journal(_[0-9]{6}|_other)?$');
    expect(tables.length).toBeGreaterThan(6);
    for (const r of tables) expect(r).toEqual({ name: r.name, ...none });
    for (const name of ['journal', tables[1]?.name]) {
      // Who may not grant is only warned.
      await attempt(`GRANT UPDATE, DELETE, TRUNCATE ON ${name} TO assay_app`);
      for (const sql of [
        `UPDATE ${name} SET kind = 'x'`,
        `DELETE FROM ${name}`,
        `TRUNCATE ${name}`,
        `DROP TABLE ${name}`,
        `ALTER TABLE ${name} ADD COLUMN x int`,
        `ALTER TABLE journal DETACH PARTITION ${tables[1]?.name}`,
        `CREATE RULE r AS ON INSERT TO ${name} DO INSTEAD NOTHING`,
      ])
        expect([sql, await attempt(sql)]).toEqual([sql, '42501']);
    }
    expect(await entryCount(t)).toBe(before);
    expect(await attempt('SELECT 1 FROM journal LIMIT 1')).toBe('done');
  });

  it('cannot change what was recorded once: earlier revisions, chargebacks, wagers, payouts', async () => {
    const tables = await rights('^(transaction_revisions|chargebacks|wagers|payouts)(_[0-9]{6}|_other)?$');
    expect(tables.length).toBeGreaterThan(15);
    for (const r of tables) expect(r).toEqual({ name: r.name, ...none });
    for (const name of ['transaction_revisions', 'chargebacks', 'wagers', 'payouts'])
      expect([name, await attempt(`UPDATE ${name} SET psp_id = psp_id`)]).toEqual([name, '42501']);
  });

  it('can remove or empty no record of any kind', async () => {
    for (const name of [
      'accounts',
      'api_keys',
      'subject_keys',
      'refs',
      'transactions',
      'baskets',
      'cdrs',
      'journal_heads',
    ])
      for (const sql of [`DELETE FROM ${name}`, `TRUNCATE ${name}`])
        expect([sql, await attempt(sql)]).toEqual([sql, '42501']);
  });
});

describe('faults', () => {
  let app: TestApp;
  let house: Account;
  const sql = (text: string) => app.database.admin.query(text);
  /** Runs with a table missing, and puts it back. */
  async function without<T>(table: string, run: () => Promise<T>): Promise<T> {
    await sql(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
    try {
      return await run();
    } finally {
      await sql(`ALTER TABLE ${table}_gone RENAME TO ${table}`);
    }
  }
  beforeAll(async () => {
    app = await makeTestApp();
    house = await app.makePsp();
  });
  afterAll(() => app?.stop());

  it('approve nothing that is not committed, and the same ref asked again resolves it', async () => {
    const body = sale();
    contentOf(await verify(sale(), house.apiKey, app));
    const r = await without('journal', () => verify(body, house.apiKey, app));
    expectRefusal(r, 503, 'UNKNOWN_OUTCOME', 'the outcome is unknown; repeat the same request with the same ref');
    expect(r.headers.get('retry-after')).toBe('1');
    expect(await rowCount(app, 'transactions', 'ref = $1', [body.ref])).toBe(0);
    expect(contentOf(await verify(body, house.apiKey, app)).status).toBe('APPROVED');
    await expectJournalComplete(app);
  });

  it('fail only the row that the database refuses, not its neighbours in the batch', async () => {
    await sql('ALTER TABLE transactions ADD CONSTRAINT broken CHECK (amount <> 4242)');
    try {
      const bodies = Array.from({ length: 9 }, (_, i) => sale({ totalAmount: i === 4 ? 4242 : 100 + i }));
      const answers = await Promise.all(bodies.map((b) => verify(b, house.apiKey, app)));
      expect(answers.map((r) => r.status)).toEqual([200, 200, 200, 200, 500, 200, 200, 200, 200]);
    } finally {
      await sql('ALTER TABLE transactions DROP CONSTRAINT broken');
    }
    await expectJournalComplete(app);
  });

  it('answer 503 when too many wait for a slow database: what is refused is not recorded, the rest is', async () => {
    // A third of it may be in hand.
    const full = await makeTestApp({ env: { QUEUE_LIMIT: '9' } });
    try {
      const busy = await full.makePsp();
      const bodies = Array.from({ length: 12 }, () => sale());
      let answers: Promise<Answer>[] = [];
      await full.database.admin.withClient(async (c) => {
        await c.query('BEGIN');
        await c.query('LOCK TABLE journal IN ACCESS EXCLUSIVE MODE');
        answers = bodies.map((b) => verify(b, busy.apiKey, full));
        // While nothing can be committed, only those beyond the queue are answered.
        const first = await Promise.race(answers);
        expectRefusal(first, 503, 'OVERLOADED', 'the service is busy; nothing was recorded. Try again shortly');
        expect(Number(first.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
        await c.query('COMMIT');
      });
      const done = await Promise.all(answers);
      const approved = bodies.filter((_, i) => done[i]?.status === 200);
      expect(approved.length).toBeGreaterThanOrEqual(3);
      expect(done.every((r) => r.status === 200 || r.status === 503)).toBe(true);
      expect(await rowCount(full, 'transactions')).toBe(approved.length);
      for (const b of bodies) expect(contentOf(await verify(b, busy.apiKey, full)).status).toBe('APPROVED');
      expect(await rowCount(full, 'transactions')).toBe(bodies.length);
      await expectJournalComplete(full);
    } finally {
      await full.stop();
    }
  });

  it('answer 500 without a word of what broke; the log has it, with the id of the request', async () => {
    const r = await without('wagers', () => app.get('/v1/wager', house.apiKey));
    expectRefusal(
      r,
      500,
      'INTERNAL',
      'something went wrong here; nothing more is known to be recorded. Repeat the request with the same ref.',
    );
    const line = app.logged.map((l) => JSON.parse(l)).find((l) => l.requestId === r.headers.get('x-request-id'));
    expect(line).toMatchObject({ msg: 'fault', error: expect.stringContaining('wagers'), code: '42P01' });
    expect(line.stack).toContain('.ts');
  });

  it('keep out who cannot be told from a stranger: no database, no entry', async () => {
    contentOf(await app.get('/v1/client/verifyClientStatus', house.apiKey));
    app.advance(1000);
    const r = await without('access_changes', () => app.get('/v1/client/verifyClientStatus', house.apiKey));
    expect(r.status).toBeGreaterThanOrEqual(500);
    expect(r.body.success).toBe(false);
    contentOf(await app.get('/v1/client/verifyClientStatus', house.apiKey));
  });
});
