// Journal entries in words, and the page of the record each is about.

/** Entry kinds offered as a filter, in this order. */
export const kinds: Readonly<Record<string, string>> = {
  'client.created': 'Client registered',
  'client.updated': 'Client changed (standing, holds, level)',
  'client.changed_privately': 'Private remark or planned hold changed',
  'client.secret_stored': 'Client secret stored',
  'client.webhook_tested': 'Webhook tested',
  'client.webhook_retried': 'Webhook retried',
  'client.webhook_replayed': 'Webhook events replayed',
  'key.issued': 'API key issued',
  'key.updated': 'API key changed',
  'key.revoked': 'API key revoked',
  'review.opened': 'Review opened',
  'review.updated': 'Review changed',
  'case.opened': 'Case opened',
  'case.updated': 'Case changed',
  'chargeback.netted': 'Chargeback set off',
  'tax.adjusted': 'Taxes adjusted',
  'rates.changed': 'Rates changed',
  'exchange_rates.loaded': 'Exchange rates loaded',
  'list.loaded': 'List loaded',
  'match.opened': 'Match with a list found',
  'match.updated': 'Match with a list changed',
  'proposal.opened': 'Rate change proposed',
  'proposal.decided': 'Rate change decided',
  'report.requested': 'Report requested',
  'report.completed': 'Report completed',
  'report.failed': 'Report failed',
  'report_schedule.created': 'Report scheduled',
  'report_schedule.changed': 'Schedule of a report changed',
  'report_schedule.ended': 'Schedule of a report ended',
  'archive.changed': 'Month archived or restored',
  'cdr.file_completed': 'Call record file completed',
  'cdr.lines_written_off': 'Call record lines written off',
  'cdr.period_closed': 'Call record month closed',
  'cdr.declared': 'Call figures declared',
  'sftp_login.issued': 'SFTP login issued',
  'dispute.opened': 'Chargeback disputed',
  'dispute.updated': 'Evidence sent for a dispute',
  'dispute.resolved': 'Dispute decided',
  'sftp_login.updated': 'SFTP login changed',
  'sftp_login.revoked': 'SFTP login revoked',
  'subject.erased': 'Person erased',
  'user.created': 'Person added',
  'user.updated': 'Person changed',
  'user.password_changed': 'Password changed',
  'user.signed_in': 'Signed in',
  'user.sign_in_failed': 'Sign-in failed',
  'user.signed_out': 'Signed out',
  'user.sessions_ended': 'Sessions ended',
  'user.second_factor_changed': 'Second factor changed',
};

/** Kinds of records, which are listed for one PSP. */
export const recordKinds: Readonly<Record<string, string>> = {
  'transaction.created': 'Transaction recorded',
  'transaction.updated': 'Transaction changed',
  'basket.created': 'Basket submitted',
  'basket.updated': 'Basket changed',
  'wager.created': 'Wager recorded',
  'payout.created': 'Payout recorded',
  'chargeback.created': 'Chargeback recorded',
  'cdr.recorded': 'Call record taken in',
  'cdr.file_portion': 'Part of a call record file taken in',
};

export const steps: Readonly<Record<string, string>> = {
  HOLD_PLACED: 'Hold placed',
  HOLD_RELEASED: 'Hold released',
  SUSPENDED: 'Client suspended',
  CLOSED: 'Client closed',
  REACTIVATED: 'Client reactivated',
  LEVEL_CHANGED: 'Verification level changed',
  DETAILS_CHANGED: 'Client details changed',
};

export const fieldNames: Readonly<Record<string, string>> = {
  operationalStanding: 'Standing',
  verificationLevel: 'Verification level',
  holds: 'Holds',
  registeredName: 'Name',
  registrationNumber: 'Registration number',
  organizationTin: 'Tax number',
  countryCode: 'Country',
  classification: 'Classification',
};

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
  if (e.kind === 'exchange_rates.loaded') return '/rates?tab=exchange';
  if (e.kind === 'chargeback.netted') return '/settlement/outstanding';
  if (e.kind.startsWith('cdr.')) return '/cdr/periods';
  return e.clientId.startsWith('cli_') ? `/clients/${e.clientId}` : undefined;
}
