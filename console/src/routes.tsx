// The table of pages, one row per page. A page is loaded on first navigation.
import type { ComponentType } from 'react';

export interface PageRow {
  /** Path below /console; a part that begins with $ is a parameter: see usePath in data/path.ts. */
  readonly path: string;
  /** Shows records of one PSP: an operator has to choose one first. */
  readonly ofPsp?: true;
  /** Works for people of clients too, or is for them alone. */
  readonly forClients?: true | 'alone';
  /** Works for people of authorities too, or is for them alone. */
  readonly forAuthorities?: true | 'alone';
  /** For the operator's staff alone. */
  readonly forStaff?: 'alone';
  /** The file whose default export is the page. */
  readonly load: () => Promise<{ default: ComponentType }>;
}

export const pages: readonly PageRow[] = [
  { path: '/', forClients: true, forAuthorities: true, load: () => import('./pages/overview/overview.tsx') },
  { path: '/waiting', forStaff: 'alone', load: () => import('./pages/overview/waiting.tsx') },
  { path: '/transactions', forClients: true, ofPsp: true, load: () => import('./pages/transactions/transactions.tsx') },
  {
    path: '/transactions/$transactionId',
    forClients: true,
    ofPsp: true,
    load: () => import('./pages/transactions/transaction.tsx'),
  },
  { path: '/baskets', forClients: true, ofPsp: true, load: () => import('./pages/baskets/baskets.tsx') },
  { path: '/baskets/$basketId', forClients: true, ofPsp: true, load: () => import('./pages/baskets/basket.tsx') },
  { path: '/gaming', forClients: true, ofPsp: true, load: () => import('./pages/gaming/wagers.tsx') },
  { path: '/gaming/wagers/$wagerId', forClients: true, ofPsp: true, load: () => import('./pages/gaming/wager.tsx') },
  { path: '/gaming/payouts', forClients: true, ofPsp: true, load: () => import('./pages/gaming/payouts.tsx') },
  { path: '/gaming/payouts/$payoutId', forClients: true, ofPsp: true, load: () => import('./pages/gaming/payout.tsx') },
  { path: '/players', forClients: true, ofPsp: true, load: () => import('./pages/players/players.tsx') },
  { path: '/go/$id', forClients: true, load: () => import('./pages/go/go.tsx') },
  { path: '/persons/$personId', forClients: true, ofPsp: true, load: () => import('./pages/persons/person.tsx') },
  { path: '/events/$eventId', forClients: true, ofPsp: true, load: () => import('./pages/events/event.tsx') },
  { path: '/find', forClients: true, ofPsp: true, load: () => import('./pages/search/find.tsx') },
  { path: '/cases', load: () => import('./pages/cases/cases.tsx') },
  { path: '/cases/$caseId', load: () => import('./pages/cases/case.tsx') },
  { path: '/reviews', load: () => import('./pages/reviews/reviews.tsx') },
  { path: '/reviews/$reviewId', load: () => import('./pages/reviews/review.tsx') },
  { path: '/lists', load: () => import('./pages/lists/lists.tsx') },
  { path: '/lists/$list', load: () => import('./pages/lists/list.tsx') },
  { path: '/risk', load: () => import('./pages/risk/rules.tsx') },
  { path: '/risk/proposals/$proposalId', load: () => import('./pages/risk/proposal.tsx') },
  { path: '/risk/wallets', ofPsp: true, load: () => import('./pages/risk/wallets.tsx') },
  { path: '/risk/$rule', load: () => import('./pages/risk/rule.tsx') },
  { path: '/clients', load: () => import('./pages/clients/clients.tsx') },
  { path: '/clients/$clientId', ofPsp: true, load: () => import('./pages/clients/client.tsx') },
  { path: '/account', forClients: 'alone', load: () => import('./pages/clients/own-account.tsx') },
  { path: '/rates', load: () => import('./pages/rates/rates.tsx') },
  { path: '/audit', load: () => import('./pages/audit/audit.tsx') },
  { path: '/keys', forClients: true, load: () => import('./pages/keys/keys.tsx') },
  { path: '/keys/$keyId', forClients: true, ofPsp: true, load: () => import('./pages/keys/key.tsx') },
  { path: '/requests', forClients: true, ofPsp: true, load: () => import('./pages/keys/requests.tsx') },
  { path: '/approvals', load: () => import('./pages/approvals/approvals.tsx') },
  { path: '/people', forClients: true, load: () => import('./pages/people/people.tsx') },
  { path: '/security', forClients: true, forAuthorities: true, load: () => import('./pages/security/security.tsx') },
  { path: '/webhooks', forClients: true, ofPsp: true, load: () => import('./pages/webhooks/webhooks.tsx') },
  { path: '/webhooks/$webhookId', forClients: true, ofPsp: true, load: () => import('./pages/webhooks/webhook.tsx') },
  {
    path: '/webhooks/$webhookId/deliveries/$deliveryId',
    ofPsp: true,
    forClients: true,
    load: () => import('./pages/webhooks/delivery.tsx'),
  },
  { path: '/cdr', forClients: true, ofPsp: true, load: () => import('./pages/cdr/files.tsx') },
  { path: '/cdr/files/$fileId', forClients: true, ofPsp: true, load: () => import('./pages/cdr/file.tsx') },
  { path: '/cdr/records', forClients: true, ofPsp: true, load: () => import('./pages/cdr/records.tsx') },
  { path: '/cdr/records/$cdrId', forClients: true, ofPsp: true, load: () => import('./pages/cdr/record.tsx') },
  { path: '/cdr/analysis', forClients: true, ofPsp: true, load: () => import('./pages/cdr/analysis.tsx') },
  {
    path: '/cdr/analysis/records',
    forClients: true,
    ofPsp: true,
    load: () => import('./pages/cdr/analysed-records.tsx'),
  },
  { path: '/cdr/periods', forClients: true, ofPsp: true, load: () => import('./pages/cdr/periods.tsx') },
  { path: '/cdr/declarations', forClients: true, ofPsp: true, load: () => import('./pages/cdr/declarations.tsx') },
  {
    path: '/cdr/declarations/$declarationId',
    forClients: true,
    ofPsp: true,
    load: () => import('./pages/cdr/declaration.tsx'),
  },
  { path: '/cdr/logins', forClients: true, ofPsp: true, load: () => import('./pages/cdr/logins.tsx') },
  { path: '/reports', forClients: true, load: () => import('./pages/reports/reports.tsx') },
  { path: '/psps', forStaff: 'alone', load: () => import('./pages/psps/psps.tsx') },
  { path: '/authorities', forStaff: 'alone', load: () => import('./pages/authorities/authorities.tsx') },
  {
    path: '/authorities/$authorityId',
    forStaff: 'alone',
    load: () => import('./pages/authorities/authority.tsx'),
  },
  { path: '/authority', forAuthorities: 'alone', load: () => import('./pages/authority/records.tsx') },
  {
    path: '/authority/records/$recordId',
    forAuthorities: 'alone',
    load: () => import('./pages/authority/record.tsx'),
  },
  { path: '/authority/totals', forAuthorities: 'alone', load: () => import('./pages/authority/totals.tsx') },
  { path: '/authority/calls', forAuthorities: 'alone', load: () => import('./pages/authority/call-totals.tsx') },
  { path: '/authority/calls/list', forAuthorities: 'alone', load: () => import('./pages/authority/calls.tsx') },
  { path: '/authority/calls/$cdrId', forAuthorities: 'alone', load: () => import('./pages/authority/call.tsx') },
  { path: '/authority/returns', forAuthorities: 'alone', load: () => import('./pages/authority/returns.tsx') },
  { path: '/authority/sample', forAuthorities: 'alone', load: () => import('./pages/authority/sample.tsx') },
  { path: '/status', forStaff: 'alone', load: () => import('./pages/status/status.tsx') },
  { path: '/reports/schedules', load: () => import('./pages/reports/schedules.tsx') },
  { path: '/reports/new', forClients: true, load: () => import('./pages/reports/new-report.tsx') },
  { path: '/reports/$reportId', forClients: true, load: () => import('./pages/reports/report.tsx') },
  { path: '/returns', forClients: true, ofPsp: true, load: () => import('./pages/returns/returns.tsx') },
  { path: '/returns/filed', forClients: true, ofPsp: true, load: () => import('./pages/returns/filed.tsx') },
  { path: '/returns/forms', forClients: true, ofPsp: true, load: () => import('./pages/returns/forms.tsx') },
  { path: '/returns/forms/$form', forClients: true, ofPsp: true, load: () => import('./pages/returns/form.tsx') },
  { path: '/returns/$reportId', forClients: true, ofPsp: true, load: () => import('./pages/returns/return.tsx') },
  { path: '/settlement', forClients: true, ofPsp: true, load: () => import('./pages/settlement/statement.tsx') },
  {
    path: '/settlement/outstanding',
    forClients: true,
    ofPsp: true,
    load: () => import('./pages/settlement/outstanding.tsx'),
  },
  {
    path: '/settlement/disputes',
    forClients: true,
    ofPsp: true,
    load: () => import('./pages/settlement/disputes.tsx'),
  },
];
