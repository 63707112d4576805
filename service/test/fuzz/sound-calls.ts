// One call for each operation that must succeed whatever other calls did before: the operation's example, with records
// made for this call. Operations whose example works unchanged have no entry.

import { toWire } from '../../src/core/ids.ts';
import type { Operation } from '../../src/modules/kernel/operation.ts';
import { loadRiskRules, shippedTax } from '../../src/platform/data-files.ts';
import { until } from '../durability/support/conditions.ts';
import type { Account, KeyKind, TestApp } from '../support/app.ts';
import { allSealed } from '../support/audit.ts';
import { analysed } from '../support/cdr-analysis.ts';
import { cdrRow, cdrText, dataDirOf, drop } from '../support/cdr-files.ts';
import { contentOf } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';
import { made } from '../support/reports.ts';
import { totalled } from '../totals/life.ts';

export interface SoundCall {
  /** Values of path parameters other than those that are there already. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Of whom the things are; without it the key that calls the operation otherwise. */
  readonly key?: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface Cast {
  readonly t: TestApp;
  readonly psp: Account;
  readonly keys: Readonly<Record<KeyKind, string>>;
  /** A country file that may be loaded again. */
  readonly country: unknown;
}

let prepared = 0;

/** Prepares what the call needs. */
export async function soundCall(cast: Cast, operations: readonly Operation[], o: Operation): Promise<SoundCall> {
  const { t, psp, keys } = cast;
  const n = `sound-${++prepared}`;
  const exampleOf = (id: string) => operations.find((x) => x.id === id)?.example as Record<string, unknown>;
  const content = async (path: string, body: unknown, key = keys.client) => {
    const r = await t.post(path, body, key);
    if (r.status !== 200) throw new Error(`${path} answered ${r.status}: ${r.text}`);
    return r.body.content;
  };
  const sale = () =>
    content('/v1/transaction/verifyTransaction', { ...exampleOf('verifyTransaction'), ref: n }) as Promise<{
      transactionId: string;
    }>;
  const hold = async (accountId: string) => {
    const body = { code: 'SOUND', reason: 'fuzz' };
    return (await content(`/v1/admin/account/${accountId}/hold`, body, keys.operator)).flags[0].id as string;
  };
  const accountId = async () => (await t.makeClient(psp, { registrationNumber: n })).id;
  const fee = async () => {
    const pspId = (await t.makePsp()).id;
    return { feeId: n.toUpperCase(), pspId, percent: '1', validFrom: '2026-01-01', reason: 'fuzz' };
  };

  /** An address of its own client, and an event that was announced to it. */
  const subscribed = async (): Promise<SoundCall> => {
    const client = await t.makeClient(psp, { registrationNumber: n });
    await content('/v1/client/subscribeToClient', { webhookUrl: `https://hooks.example.com/${n}` }, client.apiKey);
    const { admin } = t.database;
    const [webhook] = await admin.query<{ id: string }>('SELECT id FROM webhooks WHERE account_id = $1', [client.uuid]);
    const [event, delivery] = [t.app.services.ids.next(), t.app.services.ids.next()];
    const body = JSON.stringify({ id: toWire('event', event), type: 'transaction.created', data: {} });
    await admin.query(
      `INSERT INTO webhook_events (psp_id, id, account_id, type, body, created_at)
       VALUES ($1, $2, $3, 'transaction.created', $4, now())`,
      [psp.uuid, event, client.uuid, body],
    );
    await admin.query(
      `INSERT INTO webhook_deliveries (psp_id, id, webhook_id, event_id, state, attempts, created_at)
       VALUES ($1, $2, $3, $4, 'exhausted', 0, now())`,
      [psp.uuid, delivery, webhook?.id, event],
    );
    return {
      params: {
        webhookId: toWire('webhook', webhook?.id as string),
        eventId: toWire('event', event),
        deliveryId: toWire('delivery', delivery),
      },
      key: client.apiKey,
    };
  };

  /** A file of its own client with a line that was kept out. */
  const filed = async (): Promise<SoundCall> => {
    const client = await t.makeClient(psp, { registrationNumber: n });
    drop(dataDirOf(t), client, `${n}.csv`, cdrText(cdrRow(n, { caller_number: '' })));
    await t.app.services.cdrIntake.pickUp();
    const [file] = await t.database.admin.query('SELECT id FROM cdr_files WHERE account_id = $1', [client.uuid]);
    return { params: { fileId: toWire('cdrFile', file?.id as string) }, key: client.apiKey };
  };

  /** A login of the file drop, of its own client. */
  const login = async (): Promise<SoundCall> => {
    const { apiKey } = await t.makeClient(psp, { registrationNumber: n });
    const { loginId } = await content('/v1/telecom/sftpCredentials', exampleOf('createSftpCredentials'), apiKey);
    return { params: { loginId }, key: apiKey };
  };

  /** A key of the client that calls. */
  const spare = async (): Promise<SoundCall> => ({
    params: { keyId: (await content('/v1/key', { name: n })).keyId },
    ...(o.method === 'GET' ? {} : { body: exampleOf(o.id) }),
  });

  /** A report of its own client that is done. */
  const reported = async (): Promise<SoundCall> => {
    const { apiKey } = await t.makeClient(psp, { registrationNumber: n });
    const { reportId } = await made(t, exampleOf('createReport'), apiKey);
    return { params: { reportId }, key: apiKey };
  };

  /** A schedule of its own client. */
  const scheduled = async (): Promise<SoundCall> => {
    const { id } = await t.makeClient(psp, { registrationNumber: n });
    const asked = { ...exampleOf('createReportSchedule'), clientId: id };
    const { scheduleId } = await content('/v1/report-schedule', asked, keys.operator);
    return { params: { scheduleId }, key: keys.operator };
  };

  /** Somebody of the PSP who may sign in. */
  const person = async (): Promise<SoundCall> => {
    const made = { ...exampleOf('createUser'), email: `${n}@example.com` };
    const { userId } = (await content('/v1/admin/user', made, psp.apiKey)).user;
    return { params: { userId }, key: psp.apiKey, body: exampleOf(o.id) };
  };

  /** A review of a transaction of its own. */
  const reviewed = async (): Promise<SoundCall> => {
    const { transactionId } = await sale();
    const { reviewId } = await content('/v1/review', { transactionId, reason: 'fuzz' }, psp.apiKey);
    return { params: { reviewId }, key: psp.apiKey };
  };

  /** A case of a client of its own. */
  const inCase = async (): Promise<SoundCall & { readonly params: { caseId: string } }> => {
    const client = await t.makeClient(psp, { registrationNumber: n });
    const { transactionId } = await content(
      '/v1/transaction/verifyTransaction',
      exampleOf('verifyTransaction'),
      client.apiKey,
    );
    await content('/v1/review', { transactionId, reason: 'fuzz' }, psp.apiKey);
    await readersAtEnd(t, ['reviews', 'cases']);
    const r = await t.get(`/v1/case?clientId=${client.id}`, psp.apiKey);
    const { caseId } = contentOf(r).items[0];
    return { params: { caseId }, key: psp.apiKey, ...(o.example === undefined ? {} : { body: exampleOf(o.id) }) };
  };

  /** Where another key proposed to end a hold of the client, so that both answers are open to the operator's. */
  const proposedCase = async (): Promise<SoundCall> => {
    const of = await inCase();
    const { clientId } = contentOf(await t.get(`/v1/case/${of.params.caseId}`, psp.apiKey));
    const holdId = await hold(clientId);
    const release = { action: 'RELEASE', reason: 'fuzz', holdId };
    await content(`/v1/case/${of.params.caseId}/action`, release, (await t.makeOperator()).apiKey);
    return { params: of.params, key: keys.operator, body: exampleOf(o.id) };
  };

  /** A report of a case about its transaction. */
  const reportable = async () => {
    const of = await inCase();
    const path = `/v1/case/${of.params.caseId}`;
    const { reviews } = contentOf(await t.get(path, psp.apiKey));
    const body = { ...exampleOf('exportStr'), transactionIds: [reviews[0].transactionId] };
    return { path, call: { ...of, body } };
  };

  /** A chargeback of a transaction of its own, as a dispute of it is asked for. */
  const disputable = async () => {
    await sale();
    const { chargebackId } = await content('/v1/transaction/chargeBack', { ref: n }, keys.psp);
    return { ...exampleOf('openDispute'), chargebackId };
  };
  const disputed = async (): Promise<SoundCall> => {
    const { disputeId } = await content('/v1/dispute', await disputable(), keys.psp);
    return { params: { disputeId }, key: keys.psp };
  };

  /** A document or a licence of its own client. */
  const shown = async (what: 'document' | 'licence'): Promise<SoundCall> => {
    const { id, apiKey } = await t.makeClient(psp, { registrationNumber: n });
    const add = exampleOf(what === 'document' ? 'addClientDocument' : 'setClientLicence');
    const made = await content(`/v1/client/${id}/${what}`, add, apiKey);
    return {
      params: { clientId: id, documentId: made.documentId, licenceId: made.licences?.[0].licenceId },
      ...(o.method === 'GET' ? { key: apiKey } : { body: { reason: 'fuzz' } }),
    };
  };

  /** A proposal of somebody else's. */
  const proposed = async (): Promise<SoundCall> => {
    const { reason, ...row } = await fee();
    const { apiKey } = await t.makeOperator();
    const { proposalId } = await content('/v1/admin/proposal', { reason, fee: row }, apiKey);
    return { params: { proposalId } };
  };

  /** A match of a client with an entry of an own list. */
  const matched = async (): Promise<SoundCall> => {
    const list = `OWN_${n}`.toUpperCase().replaceAll('-', '_');
    await content(`/v1/lists/${list}/entries`, { ref: 'M', names: [n] }, psp.apiKey);
    await t.makeClient(psp, { registrationNumber: n, registeredName: n });
    const { matchId } = await until('the client matches', async () => {
      const r = await t.get(`/v1/list-matches?list=${list}`, psp.apiKey);
      return r.body.content.items[0];
    });
    return { params: { matchId }, key: psp.apiKey };
  };

  /** A deposit of its own, and whom it names. */
  const named = async (): Promise<SoundCall> => {
    const deposit = { ...exampleOf('deposit'), ref: n, customer: { email: `${n}@example.com` } };
    const { transactionId } = await content('/v1/payment/deposit', deposit);
    const { items } = contentOf(await t.get(`/v1/record/${transactionId}/person`, keys.client));
    return { params: { recordId: transactionId, personId: items[0].personId }, key: keys.client };
  };

  /** A list of the PSP's own with an entry. */
  const ownList = async (): Promise<SoundCall> => {
    await content('/v1/lists/OWN_SOUND/entries', exampleOf('putOwnListEntry'), psp.apiKey);
    return { params: { list: 'OWN_SOUND' }, key: psp.apiKey };
  };

  /** An authority, and a record that it sees. */
  const authority = async (): Promise<string> =>
    (await content('/v1/admin/authority', { ...exampleOf('createAuthority'), name: n }, keys.operator)).authorityId;
  const asAuthority = async (): Promise<SoundCall> => ({
    key: keys.operator,
    query: `authorityId=${await authority()}`,
  });
  const shownMore = async () => {
    const kinds = ['transaction', 'basket', 'cdr'];
    const body = { ...exampleOf('createAuthority'), name: n, taxCodes: undefined, recordKinds: kinds };
    const { authorityId } = await content('/v1/admin/authority', body, keys.operator);
    return { key: keys.operator, query: `authorityId=${authorityId}` };
  };
  /** A call that was analysed, and the query of its list. */
  const heard = async () => {
    const { cdrId } = await content('/v1/telecom/recordCDR', { ...exampleOf('recordCDR'), cdr_id: n });
    await analysed(t, psp);
    const { items } = contentOf(await t.get('/v1/telecom/analysis', keys.client));
    const [{ clientId, period }] = items;
    const { key, query } = await shownMore();
    return { key, params: { cdrId }, query: `${query}&pspId=${psp.id}&clientId=${clientId}&period=${period}` };
  };
  const overseen = async (): Promise<SoundCall> => {
    const { transactionId } = await sale();
    await allSealed(t);
    return { ...(await asAuthority()), params: { recordId: transactionId } };
  };

  const calls: Readonly<Record<string, () => Promise<SoundCall> | SoundCall>> = {
    verifyTransactionStatus: async () => ({ query: `transactionId=${(await sale()).transactionId}` }),
    declineTransaction: async () => {
      await sale();
      return { body: { ref: n } };
    },
    chargeBack: async () => {
      await sale();
      return { key: keys.psp, body: { ref: n } };
    },
    registerClient: () => ({ body: { ...exampleOf('registerClient'), registrationNumber: n } }),
    updateClient: () => ({ key: keys.psp, body: exampleOf('updateClient') }),
    capturePayout: async () => {
      await content('/captureWager', { ...exampleOf('captureWager'), ref: n });
      return { body: { ...exampleOf('capturePayout'), ref: n, wagerReference: n } };
    },
    listCdrAnalyses: () => ({ query: 'period=2026-11' }),
    recordCDR: () => ({ body: { ...exampleOf('recordCDR'), cdr_id: n } }),
    correctCdr: async () => {
      const record = { ...exampleOf('recordCDR'), cdr_id: n };
      const { cdrId } = await content('/v1/telecom/recordCDR', record);
      return { params: { cdrId }, body: { reason: 'fuzz', record: { ...record, network_provider: 'Glo' } } };
    },
    createSftpCredentials: async () => ({
      key: (await t.makeClient(psp, { registrationNumber: n })).apiKey,
      body: { ...exampleOf('createSftpCredentials') },
    }),
    getCdrDeclaration: async () => ({
      params: { declarationId: (await content('/v1/telecom/declaration', exampleOf('declareCdr'))).declarationId },
    }),
    writeOffCdrLines: async () => ({ ...(await filed()), body: { reason: 'fuzz' } }),
    getAuthority: async () => ({ params: { authorityId: await authority() } }),
    changeAuthority: async () => ({
      params: { authorityId: await authority() },
      body: exampleOf('changeAuthority'),
    }),
    listAuthorityRecords: asAuthority,
    listAuthoritySample: asAuthority,
    listAuthorityTotals: asAuthority,
    listAuthorityPsps: asAuthority,
    getAuthorityRecord: overseen,
    getAuthorityReceipt: overseen,
    getAuthorityBasket: async () => {
      const { transactionId } = await content('/v1/basket/submitBasket', { ...exampleOf('submitBasket'), ref: n });
      return { ...(await shownMore()), params: { recordId: transactionId } };
    },
    listAuthorityCallTotals: shownMore,
    listAuthorityCalls: heard,
    getAuthorityCall: async () => ({ ...(await heard()), ...(await shownMore()) }),
    getReceipt: async () => {
      const { transactionId } = await sale();
      await allSealed(t);
      return { params: { recordId: transactionId } };
    },
    getCheckpoint: async () => {
      await allSealed(t);
      return {};
    },
    getConsistency: async () => {
      await allSealed(t);
      return { query: 'from=1&to=2' };
    },
    taxRates: () => ({ query: 'country=NG' }),
    listWaitingPsps: () => ({ query: 'figure=openReviews' }),
    listTotals: () => ({ query: 'dayFrom=2026-11-01&dayTo=2026-11-30' }),
    listTaxTotals: () => ({ query: 'dayFrom=2026-11-01&dayTo=2026-11-30' }),
    listAccrualTotals: () => ({ query: 'dayFrom=2026-11-01&dayTo=2026-11-30' }),
    releaseWalletHold: async () => {
      const asked = { ...exampleOf('holdWallet'), reason: `fuzz ${n}` };
      const { holdId } = await content('/v1/wallet-hold', asked, keys.psp);
      return { params: { holdId }, key: keys.psp, body: exampleOf('releaseWalletHold') };
    },
    endExclusion: async () => {
      const asked = { ...exampleOf('excludePlayer'), subjects: [`email:${n}@example.com`] };
      const { restrictionId } = await content('/v1/player/exclude', asked, keys.psp);
      return { params: { restrictionId }, key: keys.psp, body: exampleOf('endExclusion') };
    },
    getStatement: () => ({ query: 'dayFrom=2026-11-01&dayTo=2026-11-30' }),
    netChargeback: async () => {
      await sale();
      const { chargebackId } = await content('/v1/transaction/chargeBack', { ref: n }, keys.psp);
      const later = { ...exampleOf('verifyTransaction'), ref: `${n}-later` };
      const { transactionId } = await content('/v1/transaction/verifyTransaction', later);
      return { key: keys.psp, body: { ref: n, chargebackId, transactionId, vatAmount: 1 } };
    },
    fileReturn: async () => {
      await totalled(t);
      const { id } = await t.makeClient(psp, { registrationNumber: n });
      const asked = { kind: 'filing', form: 'NG-VAT', period: '2026-10' };
      const { reportId } = await made(t, asked, psp.apiKey, { 'x-client-id': id });
      return { params: { reportId }, key: psp.apiKey, body: exampleOf(o.id) };
    },
    getReportSchedule: () => scheduled(),
    changeReportSchedule: async () => ({ ...(await scheduled()), body: { hour: 7 } }),
    endReportSchedule: () => scheduled(),
    getReportXml: async () => {
      const { reportId } = await made(t, { kind: 'cesop', quarter: '2026-Q3', memberState: 'DE' }, psp.apiKey);
      return { params: { reportId }, key: psp.apiKey };
    },
    correctRates: () => ({ body: { ...exampleOf('correctRates'), clientId: psp.id } }),
    getReportCsv: async () => ({ ...(await reported()), query: 'section=byCurrency' }),
    resolveId: async () => ({ params: { id: (await sale()).transactionId }, key: keys.psp }),
    searchAll: () => ({ key: keys.psp, body: { q: n } }),
    getPerson: named,
    listPersonRecords: named,
    listRecordPersons: named,
    getOwner: () => ({ params: { id: psp.id } }),
    setStanding: async () => ({
      params: { accountId: await accountId() },
      body: { verificationLevel: 'ENHANCED', reason: 'fuzz' },
    }),
    placeHold: async () => ({ params: { accountId: await accountId() }, body: { code: 'SOUND', reason: 'fuzz' } }),
    releaseHold: async () => {
      const account = await accountId();
      return { params: { accountId: account, holdId: await hold(account) }, body: { reason: 'fuzz' } };
    },
    createUser: () => ({ key: psp.apiKey, body: { ...exampleOf('createUser'), email: `${n}@example.com` } }),
    rotateOwnKey: spare,
    revokeOwnKey: spare,
    listKeyMade: spare,
    disableUser: person,
    enableUser: person,
    setUserRole: person,
    resetPassword: person,
    resetSecondFactor: person,
    listUserSessions: person,
    endUserSessions: person,
    previewStanding: () => ({ key: keys.psp, body: { accountId: psp.id, endHolds: true } }),
    getClientDocument: () => shown('document'),
    acceptClientDocument: () => shown('document'),
    refuseClientDocument: () => shown('document'),
    acceptClientLicence: () => shown('licence'),
    refuseClientLicence: () => shown('licence'),
    getClientOwners: async () => {
      const { id, apiKey } = await t.makeClient(psp, { registrationNumber: n });
      await content(`/v1/client/${id}/owners`, exampleOf('setClientOwners'), apiKey);
      return { params: { clientId: id }, key: apiKey };
    },
    openDispute: async () => ({ key: keys.psp, body: await disputable() }),
    openReview: async () => ({ body: { transactionId: (await sale()).transactionId, reason: 'fuzz' } }),
    linkCase: async () => ({ ...(await inCase()), body: { to: (await sale()).transactionId } }),
    caseAction: async () => {
      const of = await inCase();
      const path = `/v1/case/${of.params.caseId}`;
      const { reviews } = contentOf(await t.get(path, psp.apiKey));
      return { ...of, body: { action: 'DECLINE', reason: 'fuzz', transactionId: reviews[0].transactionId } };
    },
    getCaseFile: async () => {
      const of = await inCase();
      await content(`/v1/case/${of.params.caseId}/file`, exampleOf('addCaseFile'), psp.apiKey);
      const { items } = contentOf(await t.get(`/v1/case/${of.params.caseId}`, psp.apiKey));
      return { key: psp.apiKey, params: { ...of.params, fileId: items[0].itemId } };
    },
    exportStr: async () => (await reportable()).call,
    markStrSent: async () => {
      const { call, path } = await reportable();
      await content(`${path}/str`, call.body, psp.apiKey);
      const { items } = contentOf(await t.get(path, psp.apiKey));
      const params = { ...call.params, fileId: items[0].itemId };
      const sentOn = new Date(t.now()).toISOString().slice(0, 10);
      return { ...call, params, body: { ...exampleOf(o.id), sentOn } };
    },
    approveCase: () => proposedCase(),
    rejectCase: () => proposedCase(),
    reopenCase: async () => {
      const of = await inCase();
      await content(`/v1/case/${of.params.caseId}/close`, exampleOf('closeCase'), psp.apiKey);
      return of;
    },
    openProposal: async () => {
      const { reason, ...row } = await fee();
      return { body: { reason, fee: row } };
    },
    proposalEffect: async () => {
      // Another country than that of other calls, of which a proposal may be open.
      const text = shippedTax().find((file) => file.includes('"jurisdiction": "AD"')) as string;
      const asked = { reason: 'fuzz', country: JSON.parse(text) };
      return { params: { proposalId: (await content('/v1/admin/proposal', asked, keys.operator)).proposalId } };
    },
    riskReplay: async () => {
      const risk = { ...loadRiskRules().find((r) => r.id === 'DORMANT_CLIENT'), version: 2, severity: 'MEDIUM' };
      const asked = { reason: 'fuzz', risk };
      return { params: { proposalId: (await content('/v1/admin/proposal', asked, keys.operator)).proposalId } };
    },
    listListEntries: () => ownList(),
    getListEntry: async () => ({ ...(await ownList()), params: { list: 'OWN_SOUND', ref: 'B-2' } }),
    getMatch: () => matched(),
    endMatchException: async () => {
      const match = await matched();
      const path = `/v1/list-matches/${match.params?.matchId}/exception`;
      await content(path, exampleOf('makeMatchException'), psp.apiKey);
      return { ...match, body: exampleOf('endMatchException') };
    },
    putOwnListEntry: () => ({ params: { list: 'OWN_SOUND' }, key: psp.apiKey, body: exampleOf('putOwnListEntry') }),
    removeOwnListEntry: async () => ({ ...(await ownList()), body: { ref: 'B-2' } }),
    getTaxFile: () => ({ params: { countryCode: 'LI' } }),
    loadTax: () => ({ body: { reason: 'fuzz', country: cast.country } }),
    setFee: async () => ({ body: await fee() }),
    endFee: async () => {
      const { feeId } = await content('/v1/admin/fee', await fee(), keys.operator);
      return { params: { feeId }, body: { reason: 'fuzz' } };
    },
  };
  const own = await calls[o.id]?.();
  if (own) return own;
  const place = /:(webhook|event|delivery)Id/.test(o.path)
    ? await subscribed()
    : o.path.includes(':fileId')
      ? await filed()
      : o.path.includes(':loginId')
        ? await login()
        : o.path.includes(':reportId')
          ? await reported()
          : o.path.includes(':disputeId')
            ? await disputed()
            : o.path.includes(':matchId')
              ? await matched()
              : o.path.includes(':reviewId')
                ? await reviewed()
                : o.path.includes(':caseId')
                  ? await inCase()
                  : o.path.includes(':proposalId')
                    ? await proposed()
                    : {};
  const example = o.example as Record<string, unknown> | undefined;
  return example === undefined ? place : { ...place, body: 'ref' in example ? { ...example, ref: n } : example };
}
