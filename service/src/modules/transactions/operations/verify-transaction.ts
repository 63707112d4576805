// Verifies a transaction before the PSP processes it: creates it, or updates the record of the ref.
import { fromWire } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { PaymentMethods } from '../../../entries/transactions.ts';
import { CountryCode, Currency, priceRefusals } from '../../kernel/amounts.ts';
import { Amount, AmountOrZero, Id, operation, Ref, Type } from '../../kernel/operation.ts';
import { readPaymentMethods } from '../../kernel/payment-methods.ts';
import { TaxDetails } from '../../kernel/tax-details.ts';
import { SaleReply } from '../schemas.ts';
import { type SubmissionNeeds, submissionQuery, submit } from '../submit.ts';

// Spec 4.1
const body = Type.Object({
  ref: Ref(),
  totalAmount: Amount('Gross amount of the sale.'),
  currency: Currency,
  countryCode: CountryCode,
  paymentMethods: PaymentMethods,
  transactionFee: AmountOrZero("The PSP's fee for the payment; may be 0."),
  transactionID: Type.Optional(Id('Transaction of a basket the client submitted.')),
  mcc: Type.Optional(
    Type.String({ description: 'Merchant category code, ISO 18245.', maxLength: 8, examples: ['5411'] }),
  ),
  taxDetails: Type.Optional(TaxDetails),
});
const fields = Object.keys(body.properties);

export const verifyTransaction = operation({
  id: 'verifyTransaction',
  method: 'POST',
  path: '/v1/transaction/verifyTransaction',
  spec: '4.1',
  tag: 'Transactions',
  summary: 'Verify a transaction before processing it',
  description:
    'Returns the verdict and the split: totalAmount = vatAmount + processingFee + transactionFee + transactionVAT + merchantAmount, exactly. DECLINED is a result: do not process the transaction. The same ref with an equal body gets the same response. A changed body makes a new revision, which only the account that recorded the transaction, or its PSP, may do (403). A requested decline holds until then.',
  audience: ['psp', 'client'],
  standing: 'decides',
  body,
  query: submissionQuery,
  content: SaleReply,
  example: {
    ref: 'order-1001',
    totalAmount: 107.5,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 107.5 },
    transactionFee: 1.5,
    mcc: '5732',
  },
  refusals: [
    ...priceRefusals,
    'UNKNOWN_MCC',
    'NOT_FOUND',
    'NOT_RECORDER',
    'REF_CONFLICT',
    'STATE_CONFLICT',
    'ALREADY_CHARGED_BACK',
    'BASKET_MISMATCH',
  ],
  async handle(call, s: SubmissionNeeds) {
    const { transactionID, mcc, paymentMethods, taxDetails } = call.body;
    const basketTransaction = transactionID === undefined ? undefined : fromWire('transaction', transactionID);
    if (transactionID !== undefined && !basketTransaction)
      throw refuse('NOT_FOUND', 'no basket transaction with this transactionID');
    return submit(s, call, {
      kind: 'verifyTransaction',
      noun: 'transaction',
      fields,
      body: call.body,
      mcc,
      taxDetails,
      basketTransaction,
      paid: ({ asset }, total) => readPaymentMethods(paymentMethods, asset, total, taxDetails?.singlePurposeVouchers),
    });
  },
});
