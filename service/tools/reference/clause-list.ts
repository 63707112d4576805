// The specification's clauses in our own words, and who carries each: an operation answers for its clause with
// its own tests; a clause without an operation is carried by files, and a test names it: `// Spec 7.1`.

export interface Clause {
  readonly clause: string;
  readonly says: string;
  /** Operations (by id) whose tests are the clause's tests; without it, the operation whose `spec` it is. */
  readonly by?: readonly string[];
  /** Files that carry it, where no operation does. */
  readonly where?: readonly string[];
  /** Why there is nothing yet; said openly, and no gap. */
  readonly notYet?: string;
}

const server = 'service/src/adapters/http/server.ts';
const reader = 'service/src/adapters/http/reader.ts';
const table = 'service/src/adapters/http/operations.ts';
const movements = ['cryptoDeposit', 'cryptoWithdrawal', 'deposit', 'withdrawal'];
const hooks = 'service/src/modules/webhooks';
const signature = `${hooks}/signature.ts`;

export const clauses: readonly Clause[] = [
  {
    clause: '1',
    says: 'What the service does',
    by: [
      ...['verifyTransaction', 'declineTransaction', 'chargeBack', ...movements, 'captureWager', 'capturePayout'],
      ...['recordCDR', 'registerClient', 'addPSPSecret', 'submitBasket', 'subscribeToClient'],
    ],
  },
  { clause: '2.1', says: 'Response envelope', where: [server] },
  { clause: '2.2', says: 'Transaction', by: ['verifyTransaction', 'chargeBack', ...movements] },
  { clause: '2.3', says: 'Client', by: ['registerClient', 'verifyClientStatus', 'subscribeToClient'] },
  { clause: '2.4', says: 'Customer', by: [...movements, 'captureWager', 'capturePayout'] },
  { clause: '2.5', says: 'Payment methods', by: ['verifyTransaction', 'submitBasket'] },
  { clause: '2.6', says: 'Basket', by: ['submitBasket'] },
  { clause: '2.7', says: 'Wager and payout', by: ['captureWager', 'capturePayout'] },
  { clause: '2.8', says: 'Call detail record', by: ['recordCDR'] },
  { clause: '2.9', says: 'Webhook subscription', by: ['subscribeToClient'] },
  {
    clause: '3',
    says: 'States and transitions',
    where: ['service/src/core/transaction-states.ts', 'service/src/modules/baskets/operations/submit-basket.ts'],
  },
  { clause: '4.1', says: 'verifyTransaction' },
  { clause: '4.2', says: 'verifyTransactionStatus' },
  { clause: '4.3', says: 'declineTransaction' },
  { clause: '4.4', says: 'chargeBack' },
  { clause: '4.5', says: 'registerClient' },
  { clause: '4.6', says: 'verifyClientStatus' },
  { clause: '4.7', says: 'addPSPSecret' },
  { clause: '4.8', says: 'cryptoDeposit' },
  { clause: '4.9', says: 'cryptoWithdrawal' },
  { clause: '4.10', says: 'deposit' },
  { clause: '4.11', says: 'withdrawal' },
  { clause: '4.12', says: 'captureWager' },
  { clause: '4.13', says: 'capturePayout' },
  { clause: '4.14', says: 'recordCDR' },
  { clause: '4.15', says: 'Call detail records by SFTP', where: ['service/src/adapters/sftp/server.ts'] },
  { clause: '4.16', says: 'submitBasket' },
  { clause: '4.17', says: 'subscribeToClient' },
  { clause: '5.1', says: 'Every operation takes x-api-key', where: [server] },
  { clause: '5.2', says: "A client is registered with its PSP's key and gets its own", by: ['registerClient'] },
  { clause: '5.3', says: 'Only the recording PSP charges back', by: ['chargeBack'] },
  { clause: '5.4', says: 'Only authorised clients see a transaction', by: ['verifyTransactionStatus'] },
  { clause: '5.5', says: "The client's secret signs webhook requests", where: [signature] },
  {
    clause: '5.6',
    says: "A PSP's first key comes from the operator",
    where: ['service/src/adapters/cli/psp.ts', 'service/src/modules/accounts/operations/create-psp.ts'],
  },
  { clause: '6.1', says: 'Subscription', by: ['subscribeToClient'] },
  { clause: '6.2', says: 'The payload is the full resource', where: [`${hooks}/fan-out.ts`] },
  { clause: '6.3', says: 'X-Signature', where: [signature] },
  { clause: '6.4', says: 'Only 200 is a delivery', where: [`${hooks}/deliver.ts`] },
  {
    clause: '6.5',
    says: 'Encoding, retries and names of events',
    where: ['service/src/core/webhooks/schedule.ts', signature],
  },
  { clause: '7.1', says: 'Error reply; a missing field is named', where: [reader, server] },
  { clause: '7.2', says: 'DECLINED is a result', by: ['verifyTransaction', ...movements] },
  { clause: '7.3', says: 'Refusals of decline and chargeback', by: ['declineTransaction', 'chargeBack'] },
  { clause: '7.4', says: 'Statuses, codes and messages', where: ['service/src/core/refusal.ts', server] },
  { clause: '8.1', says: 'SFTP pick-up every 15 minutes', where: ['service/src/modules/telecom/files/intake.ts'] },
  { clause: '8.2', says: 'Limits of rate, size and amounts', where: ['service/src/setting-rows.ts', server] },
  { clause: '9.1', says: 'Paths start with /v1', where: [table] },
  { clause: '9.2', says: 'captureWager and capturePayout bear no prefix', by: ['captureWager', 'capturePayout'] },
  { clause: '9.3', says: 'Versions', where: [server] },
];
