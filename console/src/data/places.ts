// The console's page of anything that has an id. Paths are without the PSP.

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
  user: () => '/people',
  exchangeLoad: () => '/rates?tab=exchange',
  erasure: ({ id }) => `/audit?resource=${id}`,
  adjustment: ({ id }) => `/audit?resource=${id}`,
  listLoad: ({ name }) => `/lists/${name}`,
  match: ({ id, clientId }) => `/lists?tab=matches&clientId=${clientId}&matchId=${id}`,
  proposal: ({ id, name }) => {
    if (name === 'RISK') return `/risk/proposals/${id}`;
    return /^(OPERATOR|OPERATOR_KEY|ERASURE)$/.test(name ?? '') ? `/approvals?kind=${name}` : '/rates?tab=proposals';
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

/** Whether a text has the form of a request's id, as in the header of its answer. */
export const isRequestId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(text);

/** What the kinds are called. */
export const kindNames: Readonly<Record<string, string>> = {
  client: 'Client',
  psp: 'PSP',
  key: 'API key',
  transaction: 'Transaction',
  basket: 'Basket',
  wager: 'Wager',
  payout: 'Payout',
  chargeback: 'Chargeback',
  netting: 'Set-off of a chargeback',
  dispute: 'Dispute',
  cdr: 'Call record',
  cdrFile: 'Call record file',
  declaration: 'Declaration',
  webhook: 'Webhook',
  delivery: 'Delivery',
  event: 'Event',
  hold: 'Hold',
  sftpLogin: 'SFTP login',
  report: 'Report',
  reportSchedule: 'Schedule of reports',
  erasure: 'Erasure',
  adjustment: 'Adjustment of taxes',
  filing: 'Filed return',
  review: 'Review',
  restriction: 'Restriction of a player',
  case: 'Case',
  caseItem: 'Item of a case',
  proposal: 'Proposal',
  document: 'Document',
  licence: 'Licence',
  exchangeLoad: 'Load of exchange rates',
  listLoad: 'Load of a list',
  match: 'Match with a list',
  user: 'Person',
  session: 'Session',
  passkey: 'Passkey',
  person: 'Customer',
  request: 'Request',
  riskRule: 'Risk rule',
  taxRule: 'Tax rule',
};

/** By what records name a person. */
export const namedByWords: Readonly<Record<string, string>> = {
  customer: 'E-mail of a customer',
  msisdn: 'Telephone number',
  wallet: 'Wallet',
  chainHash: 'Transfer on a chain',
  ip: 'Network address',
};
