// Where each kind of id is stored, who may see it, and what it is shown with. Decides nothing about a single id.
import type { IdKind } from '../../core/ids.ts';
import type { Area } from '../../core/scopes.ts';
import type { Audience } from '../kernel/operation.ts';

export interface IdPlace {
  readonly audience: readonly Audience[];
  /** The scope that a key needs to see it. */
  readonly area: Area;
  /** SQL: table `t`, the account it belongs to, and the record that its page shows it with. */
  readonly table: string;
  readonly account: string;
  readonly shownWith?: readonly [kind: IdKind | 'account', sql: string];
  /** SQL of the condition, if it is not `t.id = $1`. */
  readonly where?: string;
  /** SQL of the tenant, if it is not `t.psp_id`; null for what is published to everybody. */
  readonly tenant?: string | null;
  /** Whether some belong to no PSP and are there for every PSP. */
  readonly shared?: true;
  /** SQL of a name that its page needs, such as that of a list. */
  readonly name?: string;
}

const everybody = ['psp', 'client', 'operator'] as const;
const notClients = ['psp', 'operator'] as const;
const staff = ['operator'] as const;

const plain = (table: string, area: Area, audience: readonly Audience[] = everybody): IdPlace => ({
  ...{ audience, area, table, account: 't.account_id' },
});
const within = (place: IdPlace, kind: IdKind | 'account', sql: string): IdPlace => ({
  ...place,
  shownWith: [kind, sql],
});
const account = (kind: 'psp' | 'client'): IdPlace => ({
  ...plain('accounts', 'administration'),
  account: 't.id',
  where: `t.id = $1 AND t.kind = '${kind}'`,
});
const chargedBack = '(SELECT c.transaction_id FROM chargebacks c WHERE c.psp_id = t.psp_id AND c.id = t.chargeback_id)';

export const idPlaces: Readonly<Record<IdKind, IdPlace>> = {
  client: account('client'),
  psp: account('psp'),
  key: plain('api_keys', 'administration'),
  transaction: plain('transactions', 'payments'),
  basket: plain('baskets', 'payments'),
  wager: plain('wagers', 'payments'),
  payout: plain('payouts', 'payments'),
  chargeback: within(plain('chargebacks', 'payments'), 'transaction', 't.transaction_id'),
  netting: within(plain('nettings', 'records'), 'transaction', chargedBack),
  dispute: within(plain('disputes', 'records'), 'transaction', 't.transaction_id'),
  cdr: plain('cdrs', 'records'),
  cdrFile: plain('cdr_files', 'records'),
  declaration: plain('cdr_declarations', 'records'),
  webhook: { ...plain('webhooks', 'administration'), where: "t.id = $1 AND t.state <> 'DELETED'" },
  delivery: {
    ...plain('webhook_deliveries', 'administration'),
    account: '(SELECT w.account_id FROM webhooks w WHERE w.psp_id = t.psp_id AND w.id = t.webhook_id)',
    shownWith: ['webhook', 't.webhook_id'],
  },
  event: plain('webhook_events', 'administration'),
  // Holds are looked at by operation, which knows what a reader may see of them.
  hold: {
    ...within(plain('accounts', 'administration'), 'account', 't.id'),
    account: 't.id',
    where: `t.holds <> '[]' AND strpos(t.holds, '"' || $1::text || '"') > 0`,
  },
  walletHold: { ...plain('wallet_holds', 'records', notClients), account: 't.psp_id' },
  sftpLogin: plain('sftp_logins', 'administration'),
  report: plain('reports', 'records'),
  reportSchedule: plain('report_schedules', 'records', notClients),
  // These exist in the journal alone.
  erasure: { ...plain('journal', 'records', notClients), where: "t.resource_id = $1 AND t.kind = 'subject.erased'" },
  adjustment: { ...plain('journal', 'records', notClients), where: "t.resource_id = $1 AND t.kind = 'tax.adjusted'" },
  filing: within(plain('filings', 'records'), 'report', 't.report_id'),
  review: plain('reviews', 'records', notClients),
  restriction: plain('player_restrictions', 'records'),
  case: plain('cases', 'records', notClients),
  caseItem: within(plain('case_items', 'records', notClients), 'case', 't.case_id'),
  proposal: { ...plain('proposals', 'administration', staff), name: 't.kind', shared: true },
  document: within(plain('client_documents', 'administration'), 'account', 't.account_id'),
  licence: {
    ...within(plain('client_verifications', 'administration'), 'account', 't.id'),
    account: 't.id',
    where: `t.licences <> '[]' AND strpos(t.licences, '"' || $1::text || '"') > 0`,
  },
  exchangeLoad: { ...plain('exchange_rates', 'payments'), tenant: null, account: 'NULL', where: 't.load_id = $1' },
  listLoad: {
    ...plain('list_loads', 'records', notClients),
    tenant: 't.owner_id',
    account: 't.owner_id',
    name: 't.list',
    shared: true,
  },
  match: plain('list_matches', 'records', notClients),
  user: plain('users', 'administration', notClients),
  passkey: {
    ...within(plain('users', 'administration', notClients), 'user', 't.id'),
    where: `t.passkeys IS NOT NULL AND strpos(t.passkeys, '"' || $1::text || '"') > 0`,
  },
  session: {
    ...plain('sessions', 'administration', staff),
    account: 't.psp_id',
    shownWith: ['user', 't.user_id'],
  },
};
