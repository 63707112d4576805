// What can happen. Every journal entry is of one of these kinds; those with a wire name are announced by
// webhook (Spec 6). Adding a kind here makes the compiler name the places that must know it.

export const eventKinds = {
  'client.created': 'Client Change',
  'client.updated': 'Client Change',
  'client.secret_stored': null,
  'client.webhook_tested': null,
  'client.webhook_retried': null,
  'client.webhook_replayed': null,
  'key.issued': 'Client Change',
  'key.updated': 'Client Change',
  'key.revoked': 'Client Change',
  'transaction.created': 'New Transaction',
  'transaction.updated': 'Transaction Change',
  'basket.created': 'New Basket',
  'basket.updated': null,
  'wager.created': null,
  'payout.created': null,
  'chargeback.created': null,
  'chargeback.netted': null,
  'cdr.recorded': null,
  'cdr.file_portion': null,
  'cdr.file_completed': null,
  'cdr.lines_written_off': null,
  'cdr.period_closed': null,
  'cdr.declared': null,
  'rates.changed': null,
  'tax.adjusted': null,
  'sftp_login.issued': null,
  'sftp_login.updated': null,
  'sftp_login.revoked': null,
  'subject.erased': null,
  'report.requested': null,
  'report.completed': null,
  'report.failed': null,
} as const satisfies Record<string, string | null>;

export type EventKind = keyof typeof eventKinds;
