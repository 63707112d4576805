// What an entry of the journal is about: the kind of its resource's id, and whether it records business or what people
// and the service did besides.
import { type EventKind, eventKinds } from './events.ts';
import { type IdKind, toWire } from './ids.ts';
import { accountWire } from './transaction.ts';

/** `account`: of a client or a PSP. Null: the id stands in the journal alone. */
const resourceOf: Readonly<Record<EventKind, IdKind | 'account' | null>> = {
  'client.created': 'account',
  'client.updated': 'account',
  'client.changed_privately': 'account',
  'client.secret_stored': 'account',
  'client.webhook_tested': 'account',
  'client.webhook_retried': 'account',
  'client.webhook_replayed': 'account',
  'key.issued': 'key',
  'key.updated': 'key',
  'key.revoked': 'key',
  'transaction.created': 'transaction',
  'transaction.updated': 'transaction',
  'basket.created': 'basket',
  'basket.updated': 'basket',
  'wager.created': 'wager',
  'payout.created': 'payout',
  'chargeback.created': 'chargeback',
  'chargeback.netted': 'netting',
  'chargeback.netting_released': 'netting',
  'cdr.recorded': 'cdr',
  'cdr.file_portion': 'cdrFile',
  'cdr.file_completed': 'cdrFile',
  'cdr.lines_written_off': 'cdrFile',
  'cdr.period_closed': null,
  'cdr.declared': 'declaration',
  'rates.changed': 'account',
  'tax.adjusted': 'adjustment',
  'sftp_login.issued': 'sftpLogin',
  'sftp_login.updated': 'sftpLogin',
  'sftp_login.revoked': 'sftpLogin',
  'subject.erased': 'erasure',
  'review.opened': 'review',
  'review.updated': 'review',
  'proposal.opened': 'proposal',
  'proposal.decided': 'proposal',
  'user.created': 'user',
  'user.updated': 'user',
  'user.password_changed': 'user',
  'user.sign_in_failed': 'user',
  'user.signed_in': 'user',
  'user.signed_out': 'user',
  'report.requested': 'report',
  'report.completed': 'report',
  'report.failed': 'report',
};

/** The wire id of what an entry is about. */
export function resourceWire(kind: string, psp: string, resource: string): string | null {
  const of = resourceOf[kind as EventKind] ?? null;
  if (of === null) return null;
  return of === 'account' ? accountWire(psp, resource) : toWire(of, resource);
}

/** Kinds that come by the million: each tells of a record that has a list of its own. */
export const recordKinds: readonly EventKind[] = [
  'transaction.created',
  'transaction.updated',
  'basket.created',
  'basket.updated',
  'wager.created',
  'payout.created',
  'chargeback.created',
  'cdr.recorded',
  'cdr.file_portion',
];

const all = Object.keys(eventKinds) as EventKind[];

/** Kinds by their name, or all of a noun: `client`. Undefined where there is none. */
export function kindsNamed(name: string): readonly EventKind[] | undefined {
  const named = all.filter((k) => k === name || k.startsWith(`${name}.`));
  return named.length > 0 ? named : undefined;
}
