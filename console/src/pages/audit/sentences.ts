// A journal entry as a sentence: who did what to whom.
import { say } from '../../words/words.ts';

/** What was done, after who did it; `of` is the account concerned. */
const deeds: Readonly<Record<string, (of: string) => string>> = {
  HOLD_PLACED: (of) => say('placed a hold on {of}', { of }),
  LICENCE_ACCEPTED: (of) => say('accepted a licence of {of}', { of }),
  HOLD_RELEASED: (of) => say('ended a hold on {of}', { of }),
  SUSPENDED: (of) => say('suspended {of}', { of }),
  CLOSED: (of) => say('closed {of} for good', { of }),
  REACTIVATED: (of) => say('reactivated {of}', { of }),
  LEVEL_CHANGED: (of) => say('changed the verification level of {of}', { of }),
  DETAILS_CHANGED: (of) => say('changed the details of {of}', { of }),
  'client.created': (of) => say('registered {of}', { of }),
  'client.updated': (of) => say('changed {of}', { of }),
  'client.changed_privately': (of) => say('changed a private remark or a planned hold of {of}', { of }),
  'client.secret_stored': (of) => say('stored a secret of {of}', { of }),
  'client.webhook_tested': (of) => say('tested a webhook address of {of}', { of }),
  'client.webhook_retried': (of) => say('had a delivery to {of} tried again', { of }),
  'client.webhook_replayed': (of) => say('had events sent to {of} again', { of }),
  'key.issued': (of) => say('issued an API key of {of}', { of }),
  'key.updated': (of) => say('changed an API key of {of}', { of }),
  'key.revoked': (of) => say('revoked an API key of {of}', { of }),
  'review.opened': (of) => say('opened a review of {of}', { of }),
  'review.updated': (of) => say('worked on a review of {of}', { of }),
  'case.opened': (of) => say('opened a case about {of}', { of }),
  'case.updated': (of) => say('worked on a case about {of}', { of }),
  'chargeback.netted': (of) => say('set off a chargeback of {of}', { of }),
  'chargeback.created': (of) => say('recorded a chargeback of {of}', { of }),
  'tax.adjusted': (of) => say('had taxes of {of} adjusted', { of }),
  'rates.changed': () => say('changed rates'),
  'asset.added': () => say('added a crypto asset'),
  'risk_rules.changed': () => say('changed the risk rules'),
  'exchange_rates.loaded': () => say('loaded exchange rates'),
  'list.loaded': () => say('loaded a list'),
  'match.opened': (of) => say('found a match of {of} with a list', { of }),
  'match.updated': (of) => say('decided on a match of {of} with a list', { of }),
  'proposal.opened': () => say('proposed a change'),
  'proposal.decided': () => say('decided on a proposed change'),
  'report.requested': (of) => say('asked for a report on {of}', { of }),
  'report.completed': (of) => say('completed a report on {of}', { of }),
  'report.failed': (of) => say('could not complete a report on {of}', { of }),
  'return.filed': (of) => say('recorded that a return of {of} was filed', { of }),
  'authority.set': (of) => say('let in {of} as an authority, or changed what it sees', { of }),
  'authority.read': (of) => say('read for {of}', { of }),
  'archive.changed': () => say('archived or restored a month'),
  'cdr.file_completed': (of) => say('took in a call record file of {of}', { of }),
  'cdr.lines_written_off': (of) => say('wrote off lines of a call record file of {of}', { of }),
  'cdr.withdrawn': (of) => say('withdrew or corrected a call record of {of}', { of }),
  'cdr.lines_withdrawn': (of) => say('withdrew call records of a file of {of}', { of }),
  'cdr.period_closed': (of) => say('closed a month of call records of {of}', { of }),
  'cdr.declared': (of) => say('declared call figures of {of}', { of }),
  'sftp_login.issued': (of) => say('issued an SFTP login of {of}', { of }),
  'sftp_login.updated': (of) => say('changed an SFTP login of {of}', { of }),
  'sftp_login.revoked': (of) => say('revoked an SFTP login of {of}', { of }),
  'dispute.opened': (of) => say('disputed a chargeback of {of}', { of }),
  'dispute.updated': (of) => say('sent evidence for a dispute of {of}', { of }),
  'dispute.resolved': (of) => say('recorded the decision on a dispute of {of}', { of }),
  'subject.erased': (of) => say('erased a person of {of}', { of }),
  'user.created': (of) => say('added a person to {of}', { of }),
  'user.updated': (of) => say('changed a person of {of}', { of }),
  'user.password_changed': () => say('changed a password'),
  'user.signed_in': () => say('signed in'),
  'user.sign_in_failed': () => say('failed to sign in'),
  'user.signed_out': () => say('signed out'),
  'transaction.created': (of) => say('recorded a transaction of {of}', { of }),
  'transaction.updated': (of) => say('changed a transaction of {of}', { of }),
  'basket.created': (of) => say('submitted a basket of {of}', { of }),
  'basket.updated': (of) => say('changed a basket of {of}', { of }),
  'wager.created': (of) => say('recorded a wager at {of}', { of }),
  'payout.created': (of) => say('recorded a payout of {of}', { of }),
};

interface Entry {
  readonly kind: string;
  readonly step: string | null;
}

/** @param account its name, or what it is called without one @returns undefined for a kind that has no words yet */
export function sentenceOf(e: Entry, who: string, account: string): string | undefined {
  const deed = (e.step === null ? undefined : deeds[e.step]) ?? deeds[e.kind];
  return deed === undefined ? undefined : `${who} ${deed(account)}`;
}
