// A journal entry as a sentence: who did what to whom.

/** What was done, after who did it; {of} is the account concerned. */
const deeds: Readonly<Record<string, string>> = {
  HOLD_PLACED: 'placed a hold on {of}',
  HOLD_RELEASED: 'ended a hold on {of}',
  SUSPENDED: 'suspended {of}',
  CLOSED: 'closed {of} for good',
  REACTIVATED: 'reactivated {of}',
  LEVEL_CHANGED: 'changed the verification level of {of}',
  DETAILS_CHANGED: 'changed the details of {of}',
  'client.created': 'registered {of}',
  'client.updated': 'changed {of}',
  'client.changed_privately': 'changed a private remark or a planned hold of {of}',
  'client.secret_stored': 'stored a secret of {of}',
  'client.webhook_tested': 'tested a webhook address of {of}',
  'client.webhook_retried': 'had a delivery to {of} tried again',
  'client.webhook_replayed': 'had events sent to {of} again',
  'key.issued': 'issued an API key of {of}',
  'key.updated': 'changed an API key of {of}',
  'key.revoked': 'revoked an API key of {of}',
  'review.opened': 'opened a review of {of}',
  'review.updated': 'worked on a review of {of}',
  'case.opened': 'opened a case about {of}',
  'case.updated': 'worked on a case about {of}',
  'chargeback.netted': 'set off a chargeback of {of}',
  'chargeback.created': 'recorded a chargeback of {of}',
  'tax.adjusted': 'had taxes of {of} adjusted',
  'rates.changed': 'changed rates',
  'exchange_rates.loaded': 'loaded exchange rates',
  'list.loaded': 'loaded a list',
  'match.opened': 'found a match of {of} with a list',
  'match.updated': 'decided on a match of {of} with a list',
  'proposal.opened': 'proposed a change',
  'proposal.decided': 'decided on a proposed change',
  'report.requested': 'asked for a report on {of}',
  'report.completed': 'completed a report on {of}',
  'report.failed': 'could not complete a report on {of}',
  'return.filed': 'recorded that a return of {of} was filed',
  'archive.changed': 'archived or restored a month',
  'cdr.file_completed': 'took in a call record file of {of}',
  'cdr.lines_written_off': 'wrote off lines of a call record file of {of}',
  'cdr.period_closed': 'closed a month of call records of {of}',
  'cdr.declared': 'declared call figures of {of}',
  'sftp_login.issued': 'issued an SFTP login of {of}',
  'sftp_login.updated': 'changed an SFTP login of {of}',
  'sftp_login.revoked': 'revoked an SFTP login of {of}',
  'dispute.opened': 'disputed a chargeback of {of}',
  'dispute.updated': 'sent evidence for a dispute of {of}',
  'dispute.resolved': 'recorded the decision on a dispute of {of}',
  'subject.erased': 'erased a person of {of}',
  'user.created': 'added a person to {of}',
  'user.updated': 'changed a person of {of}',
  'user.password_changed': 'changed a password',
  'user.signed_in': 'signed in',
  'user.sign_in_failed': 'failed to sign in',
  'user.signed_out': 'signed out',
  'transaction.created': 'recorded a transaction of {of}',
  'transaction.updated': 'changed a transaction of {of}',
  'basket.created': 'submitted a basket of {of}',
  'basket.updated': 'changed a basket of {of}',
  'wager.created': 'recorded a wager at {of}',
  'payout.created': 'recorded a payout of {of}',
};

interface Entry {
  readonly kind: string;
  readonly step: string | null;
}

/** @param account its name, or what it is called without one @returns undefined for a kind that has no words yet */
export function sentenceOf(e: Entry, who: string, account: string): string | undefined {
  const deed = (e.step === null ? undefined : deeds[e.step]) ?? deeds[e.kind];
  return deed === undefined ? undefined : `${who} ${deed.replace('{of}', account)}`;
}
