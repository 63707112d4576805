// GET /v1/audit/receipt/:recordId: the receipt of a record.
import { fromWire, type IdKind } from '../../../core/ids.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
import { ReceiptContent, receiptOf } from '../receipt-of.ts';

/** Kinds of records with receipts; their entries name the account they are about. */
const kinds: readonly IdKind[] = ['transaction', 'basket', 'wager', 'payout', 'chargeback', 'cdr', 'erasure', 'filing'];

export const getReceipt = operation({
  id: 'getReceipt',
  method: 'GET',
  path: '/v1/audit/receipt/:recordId',
  tag: 'Audit',
  summary: 'Receipt of a transaction, basket, wager, payout, chargeback, call detail record, erasure or filed return',
  description:
    'All journal entries about the record so far, each with its inclusion proof, and the signed checkpoint they are proved against. `assay verify-receipt` checks a receipt without the service. Personal data in it is sealed. For a call detail record from a file, the entry covers a part of the file, and `portion` leads from there to the record.',
  audience: ['psp', 'client'],
  content: ReceiptContent,
  refusals: ['NOT_FOUND', 'NOT_SEALED', 'RECEIPT_WITHHELD'],
  async handle({ principal, onBehalfOf, params }, s: Needs<'db'>) {
    const wire = params.recordId ?? '';
    const content = await receiptOf(s, {
      psp: principal.psp,
      id: kinds.map((k) => fromWire(k, wire)).find((uuid) => uuid !== undefined),
      cdr: fromWire('cdr', wire),
      own: principal.kind === 'client' ? principal.account : onBehalfOf,
      privately: principal.staff !== undefined,
    });
    return { message: 'receipt', content };
  },
});
