// A checkout of a PSP: verify the payment first, take the money only when it is approved, and say what to settle.
// ASSAY_URL and ASSAY_KEY (a PSP's) lead to the service; CLIENT_ID names the shop; the total and an order number are
// the arguments.
import { Assay, AssayError } from '@assay/client';

const { ASSAY_URL = 'http://127.0.0.1:8080', ASSAY_KEY, CLIENT_ID } = process.env;
const [total = '107.50', order = `order-${Date.now()}`] = process.argv.slice(2);

const assay = new Assay({ baseUrl: ASSAY_URL, apiKey: ASSAY_KEY, clientId: CLIENT_ID, amounts: 'text' });

/** Stands for the acquirer: whether the card was charged. */
const charge = (amount: string): boolean => Number(amount) < 1_000_000;

try {
  // Repeated by the client when the outcome is unknown: the same ref is never recorded twice.
  const payment = await assay.verifyTransaction({
    ref: order,
    totalAmount: total,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: total },
    transactionFee: '1.50',
  });
  if (payment.status === 'DECLINED') {
    const { reason } = await assay.getTransaction({ transactionId: payment.transactionId });
    console.log(`declined: ${reason}; no money was taken`);
  } else if (charge(total)) {
    console.log(`paid: ${payment.merchantAmount} to the shop, ${payment.vatAmount} VAT, ${payment.processingFee} fee`);
  } else {
    await assay.declineTransaction({ ref: order });
    console.log('the card was refused; the transaction is declined');
  }
} catch (error) {
  if (!(error instanceof AssayError)) throw error;
  console.error(`${error.code}: ${error.message} (request ${error.requestId})`);
  process.exitCode = 1;
}
