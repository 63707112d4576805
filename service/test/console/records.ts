// A PSP with every kind of record that the pages of records show, made over HTTP.
import type { Account, Answer, TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';

export interface Records {
  readonly psp: Account;
  readonly client: Account;
  /** Names as the console shows them. */
  readonly pspName: string;
  readonly clientName: string;
  sale(over?: Record<string, unknown>): Promise<string>;
  /** A basket with an exempt item; gives its ids. */
  basket(over?: Record<string, unknown>): Promise<{ basketId: string; transactionId: string }>;
  wager(ref: string): Promise<string>;
  payout(ref: string, wagerReference: string): Promise<string>;
}

const items = [
  {
    sku: 'BOOK-1',
    title: 'Exercise book',
    description: 'Ruled',
    quantity: 2,
    price: 53.75,
    subTotal: 107.5,
    vatExempt: true,
  },
  { sku: 'PEN-1', title: 'Fountain pen', description: 'Blue', quantity: 3, price: 107.5, subTotal: 322.5 },
  { sku: 'INK-7', title: 'Ink', description: '', quantity: 1, price: 33.33, subTotal: 33.33, category: 'books' },
];
const customer = { email: 'ada@example.com' };

export async function makeRecords(t: TestApp): Promise<Records> {
  const [pspName, clientName] = ['Harbour Pay', 'Lagos Books Ltd'];
  const psp = await t.makePsp(pspName);
  const client = await t.makeClient(psp, { registeredName: clientName });
  const gaming = await t.makeClient(psp, { registeredName: 'Eko Sports Bets', classification: 'IGAMING_LOCAL' });
  let refs = 0;
  const post = (path: string, body: unknown, by = client): Promise<Answer> => t.post(path, body, by.apiKey);
  return {
    psp,
    client,
    pspName,
    clientName,
    async sale(over = {}) {
      const body = {
        ref: `order-${++refs}`,
        totalAmount: 107.5,
        currency: 'NGN',
        countryCode: 'NG',
        paymentMethods: { card: 107.5 },
        transactionFee: 1.5,
        ...over,
      };
      return contentOf(await post('/v1/transaction/verifyTransaction', body)).transactionId;
    },
    async basket(over = {}) {
      const body = {
        ref: `cart-${++refs}`,
        totalAmount: 463.33,
        currency: 'NGN',
        countryCode: 'NG',
        paymentMethods: { card: 463.33 },
        items,
        ...over,
      };
      return contentOf(await post('/v1/basket/submitBasket', body));
    },
    async wager(ref) {
      const body = { amount: 2500, ref, customer, ip: '102.0.2.44', type: 'sports' };
      return contentOf(await post('/captureWager', body, gaming)).wagerId;
    },
    async payout(ref, wagerReference) {
      const body = { amount: 7300.5, ref, customer, wagerReference };
      return contentOf(await post('/capturePayout', body, gaming)).payoutId;
    },
  };
}
