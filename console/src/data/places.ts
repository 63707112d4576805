// The console's page of anything that has an id. Paths are without the PSP.
import { say } from '../words/words.ts';

/** What resolveId says of an id, or a hit of the search. */
export interface Located {
  readonly id: string;
  readonly kind: string;
  readonly clientId?: string | null;
  readonly shownWith?: string | null;
  readonly name?: string | null;
}

const own: Readonly<Record<string, string>> = {
  client: '/clients/',
  psp: '/clients/',
  key: '/keys/',
  transaction: '/transactions/',
  basket: '/baskets/',
  wager: '/gaming/wagers/',
  payout: '/gaming/payouts/',
  cdr: '/cdr/records/',
  cdrFile: '/cdr/files/',
  declaration: '/cdr/declarations/',
  webhook: '/webhooks/',
  event: '/events/',
  report: '/reports/',
  review: '/reviews/',
  case: '/cases/',
  person: '/persons/',
  request: '/requests?requestId=',
  riskRule: '/risk/',
};

/** Pages of what is shown with another record. */
const within: Readonly<Record<string, (of: string, id: string) => string>> = {
  chargeback: (of) => `/transactions/${of}`,
  netting: (of) => `/transactions/${of}`,
  dispute: (of) => `/transactions/${of}`,
  delivery: (of, id) => `/webhooks/${of}/deliveries/${id}`,
  event: (of) => `/audit?resource=${of}&records=true`,
  hold: (of) => `/clients/${of}`,
  document: (of) => `/clients/${of}`,
  licence: (of) => `/clients/${of}`,
  filing: (of) => `/returns/${of}`,
  caseItem: (of) => `/cases/${of}`,
  session: () => '/people',
  passkey: () => '/people',
};

/** Pages of what has none of its own. */
const lists: Readonly<Record<string, (l: Located) => string>> = {
  sftpLogin: () => '/cdr/logins',
  reportSchedule: () => '/reports/schedules',
  restriction: () => '/players',
  walletHold: () => '/risk/wallets',
  user: () => '/people',
  exchangeLoad: () => '/rates?tab=exchange',
  erasure: ({ id }) => `/audit?resource=${id}`,
  adjustment: ({ id }) => `/audit?resource=${id}`,
  listLoad: ({ name }) => `/lists/${name}`,
  match: ({ id, clientId }) => `/lists?tab=matches&clientId=${clientId}&matchId=${id}`,
  proposal: ({ id, name }) => {
    if (name === 'RISK') return `/risk/proposals/${id}`;
    return /^(OPERATOR|OPERATOR_KEY|AUTHORITY|ERASURE)$/.test(name ?? '')
      ? `/approvals?kind=${name}`
      : '/rates?tab=proposals';
  },
  taxRule: ({ id }) => `/rates?country=${id.slice(0, 2)}`,
};

export function pageOfLocated(l: Located): string | undefined {
  if (l.shownWith && within[l.kind]) return within[l.kind]?.(l.shownWith, l.id);
  const path = own[l.kind];
  return path ? `${path}${l.id}` : lists[l.kind]?.(l);
}

/** Whether a text has the form of an id, so that /go can say what it is. */
export const isId = (text: string): boolean => /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);

/** txn_01ks…8f2q: the prefix, the first and the last characters. */
export const shortened = (id: string): string =>
  id.length > 20 ? `${id.slice(0, id.indexOf('_') + 5)}…${id.slice(-5)}` : id;

/** Whether a text has the form of a request's id, as in the header of its answer. */
export const isRequestId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(text);

/** What the kinds are called. */
export const kindNames: Readonly<Record<string, string>> = {
  client: say('Client'),
  psp: 'PSP',
  key: 'API key',
  transaction: say('Transaction'),
  basket: say('Basket'),
  wager: say('Wager'),
  payout: say('Payout'),
  chargeback: say('Chargeback'),
  netting: say('Set-off of a chargeback'),
  dispute: say('Dispute'),
  cdr: say('Call record'),
  cdrFile: say('Call record file'),
  declaration: say('Declaration'),
  webhook: say('Webhook'),
  delivery: say('Delivery'),
  event: say('Event'),
  hold: say('Hold'),
  walletHold: say('Hold of a wallet'),
  sftpLogin: say('SFTP login'),
  report: say('Report'),
  reportSchedule: say('Schedule of reports'),
  erasure: say('Erasure'),
  adjustment: say('Adjustment of taxes'),
  filing: say('Filed return'),
  review: say('Review'),
  restriction: say('Restriction of a player'),
  case: say('Case'),
  caseItem: say('Item of a case'),
  proposal: say('Proposal'),
  document: say('Document'),
  licence: say('Licence'),
  exchangeLoad: say('Load of exchange rates'),
  listLoad: say('Load of a list'),
  match: say('Match with a list'),
  user: say('Person'),
  session: say('Session'),
  passkey: say('Passkey'),
  person: say('Customer'),
  request: say('Request'),
  riskRule: say('Risk rule'),
  taxRule: say('Tax rule'),
};

/** By what records name a person. */
export const namedByWords: Readonly<Record<string, string>> = {
  customer: say('E-mail of a customer'),
  msisdn: say('Telephone number'),
  wallet: say('Wallet'),
  chainHash: say('Transfer on a chain'),
  ip: say('Network address'),
};
