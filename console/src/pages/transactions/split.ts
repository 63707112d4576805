// The split of a transaction as parts in the order they leave the gross amount.
import type { Content } from '../../data/assay.ts';

export type Transaction = Content<'getTransaction'>;

export interface Part {
  readonly key: string;
  readonly name: string;
  /** Exact text of the API. */
  readonly amount: string;
  readonly kind: 'tax' | 'fee' | 'rest';
}

/**
 * totalAmount = vatAmount + processingFee + transactionFee + transactionVAT + merchantAmount of a sale, and without
 * transactionVAT, which is inside vatAmount there, of deposits and withdrawals.
 */
export function splitOf(t: Transaction): Part[] {
  const sale = t.type === 'verifyTransaction';
  const part = (key: string, name: string, amount: string | undefined, kind: Part['kind']) =>
    amount === undefined ? [] : [{ key, name, amount, kind }];
  return [
    ...part('vatAmount', 'VAT', t.vatAmount, 'tax'),
    ...part('processingFee', 'Processing fee', t.processingFee, 'fee'),
    ...part('transactionFee', 'Transaction fee', t.transactionFee, 'fee'),
    ...(sale ? part('transactionVAT', 'VAT on the fees', t.transactionVAT, 'tax') : []),
    ...(sale
      ? part('merchantAmount', 'To the merchant', t.merchantAmount, 'rest')
      : part('netAmount', 'Net amount', t.netAmount, 'rest')),
  ];
}
