// Journal entries in words, and the page of the record each is about.
import { isIdOf } from '../../data/id-kind.ts';
import { say } from '../../words/words.ts';

/** Entry kinds offered as a filter, in this order. */
export const kinds: Readonly<Record<string, string>> = {
  'client.created': say('Client or PSP registered'),
  'client.updated': say('Client or PSP changed (standing, holds, level)'),
  'client.changed_privately': say('Private remark or planned hold changed'),
  'client.licence_expiring': say('Licence about to end'),
  'client.secret_stored': say('Client secret stored'),
  'client.webhook_tested': say('Webhook tested'),
  'client.webhook_retried': say('Webhook retried'),
  'client.webhook_replayed': say('Webhook events replayed'),
  'document.added': say('Document of a client added'),
  'document.decided': say('Document of a client decided'),
  'key.issued': say('API key issued'),
  'key.updated': say('API key changed'),
  'key.revoked': say('API key revoked'),
  'review.opened': say('Review opened'),
  'review.updated': say('Review changed'),
  'case.opened': say('Case opened'),
  'case.updated': say('Case changed'),
  'wallet_hold.placed': say('Wallet put on hold'),
  'wallet_hold.ended': say('Hold of a wallet ended'),
  'restriction.placed': say('Restriction of a player placed'),
  'restriction.changed': say('Restriction of a player changed'),
  'player_policy.set': say('Policy for players changed'),
  'chargeback.netted': say('Chargeback set off'),
  'chargeback.netting_released': say('Set-off of a chargeback released'),
  'tax.adjusted': say('Taxes adjusted'),
  'rates.changed': say('Rates changed'),
  'asset.added': say('Crypto asset added'),
  'audit_key.rotated': say('Key of the seal replaced'),
  'risk_rules.changed': say('Risk rules changed'),
  'risk_policy.changed': say('Rules that decline and hold changed'),
  'exchange_rates.loaded': say('Exchange rates loaded'),
  'list.loaded': say('List loaded'),
  'match.opened': say('Match with a list found'),
  'match.updated': say('Match with a list changed'),
  'proposal.opened': say('Proposal made'),
  'proposal.decided': say('Proposal decided'),
  'report.requested': say('Report requested'),
  'report.completed': say('Report completed'),
  'report.failed': say('Report failed'),
  'return.filed': say('Return recorded as filed'),
  'report_schedule.created': say('Report scheduled'),
  'report_schedule.changed': say('Schedule of a report changed'),
  'report_schedule.ended': say('Schedule of a report ended'),
  'archive.changed': say('Month archived or restored'),
  'cdr.file_completed': say('Call record file completed'),
  'cdr.lines_written_off': say('Call record lines written off'),
  'cdr.withdrawn': say('Call record withdrawn or corrected'),
  'cdr.lines_withdrawn': say('Call records of a file withdrawn'),
  'cdr.period_closed': say('Call record month closed'),
  'cdr.declared': say('Call figures declared'),
  'sftp_login.issued': say('SFTP login issued'),
  'dispute.opened': say('Chargeback disputed'),
  'dispute.updated': say('Evidence sent for a dispute'),
  'dispute.resolved': say('Dispute decided'),
  'sftp_login.updated': say('SFTP login changed'),
  'sftp_login.revoked': say('SFTP login revoked'),
  'subject.erased': say('Person erased'),
  'user.created': say('Person added'),
  'user.updated': say('Person changed'),
  'user.password_changed': say('Password changed'),
  'user.signed_in': say('Signed in'),
  'user.sign_in_failed': say('Sign-in failed'),
  'user.signed_out': say('Signed out'),
  'user.sessions_ended': say('Sessions ended'),
  'user.second_factor_changed': say('Second factor changed'),
  'authority.set': say('Authority let in or changed'),
  'authority.read': say('Read by an authority'),
};

/** Kinds of records, which are listed for one PSP. */
export const recordKinds: Readonly<Record<string, string>> = {
  'transaction.created': say('Transaction recorded'),
  'transaction.updated': say('Transaction changed'),
  'basket.created': say('Basket submitted'),
  'basket.updated': say('Basket changed'),
  'wager.created': say('Wager recorded'),
  'payout.created': say('Payout recorded'),
  'chargeback.created': say('Chargeback recorded'),
  'cdr.recorded': say('Call record taken in'),
  'cdr.file_portion': say('Part of a call record file taken in'),
};

export const steps: Readonly<Record<string, string>> = {
  HOLD_PLACED: say('Hold placed'),
  LICENCE_ACCEPTED: say('Licence accepted'),
  HOLD_RELEASED: say('Hold released'),
  LEVEL_CHANGED: say('Verification level changed'),
  CASE_ALERTED: say('Alert joined a case'),
  CASE_ASSIGNED: say('Case assigned'),
  CASE_UNASSIGNED: say('Case unassigned'),
  CASE_ESCALATED: say('Case escalated'),
  CASE_NOTED: say('Note added to a case'),
  CASE_FILE_ADDED: say('File added to a case'),
  CASE_LINKED: say('Record or case linked to a case'),
  CASE_REPORT_WRITTEN: say('Suspicious transaction report written'),
  CASE_REPORT_SENT: say('Suspicious transaction report sent'),
  CASE_RELEASE_PROPOSED: say('End of a hold proposed in a case'),
  CASE_CLOSE_PROPOSED: say('Closing of a case proposed'),
  CASE_PROPOSAL_APPROVED: say('Proposal in a case approved'),
  CASE_PROPOSAL_REJECTED: say('Proposal in a case rejected'),
  CASE_CLOSED: say('Case closed'),
  CASE_REOPENED: say('Case reopened'),
  CASE_CLIENT_HELD: say('Hold placed from a case'),
  CASE_WALLET_HELD: say('Wallet put on hold from a case'),
  CASE_CLIENT_SUSPENDED: say('Client suspended from a case'),
  CASE_TRANSACTION_DECLINED: say('Transaction declined from a case'),
  CASE_CHARGED_BACK: say('Transaction charged back from a case'),
};

/** Titles of what is done to clients and PSPs alike. */
export const accountDeeds: Readonly<Record<'client' | 'psp', Readonly<Record<string, string>>>> = {
  client: {
    'client.created': say('Client registered'),
    'client.updated': say('Client changed'),
    SUSPENDED: say('Client suspended'),
    CLOSED: say('Client closed'),
    REACTIVATED: say('Client reactivated'),
    DETAILS_CHANGED: say('Client details changed'),
  },
  psp: {
    'client.created': say('PSP registered'),
    'client.updated': say('PSP changed'),
    SUSPENDED: say('PSP suspended'),
    CLOSED: say('PSP closed'),
    REACTIVATED: say('PSP reactivated'),
    DETAILS_CHANGED: say('PSP details changed'),
  },
};

export const fieldNames: Readonly<Record<string, string>> = {
  operationalStanding: say('Standing'),
  verificationLevel: say('Verification level'),
  holds: say('Holds'),
  registeredName: say('Name'),
  registrationNumber: say('Registration number'),
  organizationTin: say('Tax number'),
  countryCode: say('Country'),
  classification: say('Classification'),
  contact: say('Contact'),
  owners: say('Owners'),
  licences: say('Licences'),
  documents: say('Documents'),
  webhookUrls: say('Webhook addresses'),
};

export const readByAuthority = 'authority.read';

const readWords: Readonly<Record<string, string>> = {
  listAuthorityRecords: say('Records'),
  getAuthorityRecord: say('Record'),
  getAuthorityReceipt: say('Receipt'),
  getAuthorityBasket: say('Basket'),
  listAuthorityTotals: say('Totals'),
  listAuthoritySample: say('Sample'),
  listAuthorityCallTotals: say('Taxes on calls'),
  listAuthorityCalls: say('Call records'),
  getAuthorityCall: say('Call record'),
  listAuthorityPsps: say('PSPs'),
  listFilings: say('Filed returns'),
};

interface Read {
  readonly operation: string;
  readonly asFile: boolean;
  readonly parameters: readonly string[];
}

/** What an authority read, and by which filters: undefined for other entries, and if their data was not asked for. */
export function readInWords({ kind, data }: { readonly kind: string; readonly data?: unknown }): string | undefined {
  if (kind !== readByAuthority || !data) return undefined;
  const { operation, asFile, parameters } = data as Read;
  const what = readWords[operation] ?? (operation.startsWith('getReport') ? say('Report') : operation);
  const filters = parameters.filter((p) => !/^(limit|count|cursor)=/.test(p));
  return [asFile ? say('{what}, as a file', { what }) : what, ...filters].join(' · ');
}

interface Entry {
  readonly kind: string;
  readonly clientId: string;
  readonly resourceId: string | null;
}

/** The console page of the record an entry is about, else that of its client. */
export function pageOfEntry(e: Entry): string | undefined {
  const id = e.resourceId ?? '';
  const pages: Readonly<Record<string, string>> = {
    txn: `/transactions/${id}`,
    bsk: `/baskets/${id}`,
    wgr: `/gaming/wagers/${id}`,
    pyt: `/gaming/payouts/${id}`,
    cdr: `/cdr/records/${id}`,
    cdf: `/cdr/files/${id}`,
    dcl: `/cdr/declarations/${id}`,
    rpt: `/reports/${id}`,
    rev: `/reviews/${id}`,
    cli: `/clients/${id}`,
    cas: `/cases/${id}`,
    key: `/keys/${id}`,
    whk: `/webhooks/${id}`,
    chb: `/go/${id}`,
    dsp: `/go/${id}`,
    net: `/go/${id}`,
    fil: `/go/${id}`,
    usr: '/people',
    sfl: '/cdr/logins',
    prp: '/rates?tab=proposals',
  };
  const own = pages[id.slice(0, 3)];
  if (own) return own;
  if (e.kind === 'list.loaded') return '/lists';
  if (e.kind.startsWith('match.')) return `/lists?tab=matches&clientId=${e.clientId}&matchId=${id}`;
  if (e.kind === 'rates.changed') return '/rates';
  if (e.kind === 'risk_rules.changed') return '/risk';
  if (e.kind === 'exchange_rates.loaded') return '/rates?tab=exchange';
  if (e.kind === 'asset.added') return '/rates?tab=assets';
  if (e.kind === 'chargeback.netted') return '/settlement/outstanding';
  if (e.kind.startsWith('cdr.')) return '/cdr/periods';
  return isIdOf('client', e.clientId) ? `/clients/${e.clientId}` : undefined;
}
