// What can happen. Every journal entry is of one of these kinds; those with a wire name are announced by
// webhook (Spec 6). Adding a kind here makes the compiler name the places that must know it.

export const eventKinds = {
  'client.created': 'Client Change',
  'client.updated': 'Client Change',
  'client.secret_stored': null,
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
  'cdr.recorded': null,
  'cdr.file_portion': null,
  'cdr.file_completed': null,
  'cdr.lines_written_off': null,
  'rates.changed': null,
  'sftp_login.issued': null,
  'sftp_login.updated': null,
  'sftp_login.revoked': null,
} as const satisfies Record<string, string | null>;

export type EventKind = keyof typeof eventKinds;
