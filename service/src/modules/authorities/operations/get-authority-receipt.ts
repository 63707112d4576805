import { ReceiptContent, receiptOf } from '../../audit/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { overseenRecord } from '../overseen-record.ts';
import { asAuthority } from '../view.ts';

export const getAuthorityReceipt = operation({
  id: 'getAuthorityReceipt',
  method: 'GET',
  path: '/v1/authority/record/:recordId/receipt',
  tag: 'Authorities',
  summary: 'Receipt of a record that an authority sees',
  description:
    'As getReceipt. It is checked without the service, by `assay verify-receipt` or the client library, with the key of the log that listAuthorityPsps has.',
  audience: ['operator', 'authority'],
  query: Type.Object(asAuthority),
  content: ReceiptContent,
  refusals: ['NOT_FOUND', 'NOT_SEALED', 'RECEIPT_WITHHELD'],
  async handle(call, s: Needs<'db'>) {
    const { record } = await overseenRecord(s, call);
    const { psp, id } = record;
    return { message: 'receipt', content: await receiptOf(s, { psp, id, own: undefined, privately: false }) };
  },
});
