// A split without recording anything: what verifyTransaction, a deposit or a withdrawal would answer.
import { formatUnits, wireNumber } from '../../../core/money.ts';
import { notFound, orThrow, Refusal } from '../../../core/refusal.ts';
import { roles } from '../../../core/roles.ts';
import { customerOf, profileOn } from '../../../core/tax/supplier.ts';
import { movements, price } from '../../../core/transaction.ts';
import { Observations, PaymentMethods } from '../../../entries/transactions.ts';
import { concernedAccount, findAccount } from '../../accounts/index.ts';
import { priceRefusals, readAmount, readPlace } from '../../kernel/amounts.ts';
import { Amount, AmountOrZero, Day, Money, Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { readPaymentMethods } from '../../kernel/payment-methods.ts';
import { readTaxDetails, TaxDetails } from '../../kernel/tax-details.ts';
import { refuseUnknownTax } from '../../kernel/unknown-tax.ts';
import { feeEvidence, taxEvidence } from '../evidence.ts';
import { FeeEvidence, TaxEvidence } from '../evidence-schemas.ts';
import type { HasRateKeeper } from '../rate-keeper.ts';

export const taxQuote = operation({
  id: 'taxQuote',
  method: 'POST',
  path: '/v1/tax/quote',
  tag: 'Rates',
  summary: 'Quote a split without recording anything',
  description: 'Priced for the calling account, on the given date or today in that country.',
  audience: ['psp', 'client'],
  standing: 'any',
  idempotent: true,
  roles,
  body: Type.Object({
    operation: Type.Enum(['verifyTransaction', ...movements], { description: 'The operation that is to be priced.' }),
    totalAmount: Amount('Gross amount.'),
    currency: Type.String({ minLength: 1, maxLength: 12 }),
    countryCode: Type.String({ minLength: 2, maxLength: 3 }),
    transactionFee: Type.Optional(AmountOrZero("The PSP's fee; default 0.")),
    paymentMethods: Type.Optional(PaymentMethods),
    mcc: Type.Optional(Type.String({ maxLength: 8, description: 'Merchant category code, ISO 18245.' })),
    taxDetails: Type.Optional(TaxDetails),
    date: Type.Optional(Day('Local calendar date.')),
  }),
  content: Named('TaxQuote', 'The split for the calling account, with its taxes and its fee.', {
    totalAmount: Money(),
    vatAmount: Money(),
    processingFee: Money(),
    transactionFee: Money(),
    merchantAmount: Type.Optional(Money('For verifyTransaction: amount that may be settled to the merchant.')),
    transactionVAT: Type.Optional(Money('For verifyTransaction: taxes on both fees.')),
    netAmount: Type.Optional(Money('For deposits and withdrawals: amount left for the customer.')),
    currency: Type.String(),
    countryCode: Type.String(),
    date: Type.String({ description: 'Local calendar date of the rules.' }),
    tax: Type.Array(TaxEvidence, { description: 'The taxes, each with its rule.' }),
    fees: FeeEvidence,
    observations: Observations,
  }),
  example: {
    operation: 'verifyTransaction',
    totalAmount: 107.5,
    currency: 'NGN',
    countryCode: 'NG',
    transactionFee: 1.5,
  },
  refusals: [...priceRefusals, 'UNKNOWN_MCC', 'NOT_FOUND'],
  async handle(call, s: Needs<'settings' | 'db' | 'reference' | 'rates'> & HasRateKeeper) {
    const { principal, body: b } = call;
    const id = orThrow(concernedAccount(principal, call.onBehalfOf));
    const account = await findAccount(s.db, principal.psp, id);
    if (!account) throw notFound();
    const place = orThrow(readPlace(s, b, b.operation.startsWith('crypto'), call.now, b.date));
    const amount = orThrow(readAmount('totalAmount', b.totalAmount, place.asset, 'positive'));
    const transactionFee =
      b.transactionFee === undefined ? 0n : readAmount('transactionFee', b.transactionFee, place.asset, 'zero');
    if (transactionFee instanceof Refusal) throw transactionFee;
    const mcc = orThrow(b.mcc === undefined ? undefined : s.reference.mcc(b.mcc));
    const told = orThrow(readTaxDetails(s, b.taxDetails, place));
    const sale = b.operation === 'verifyTransaction';
    const paid = orThrow(
      sale
        ? readPaymentMethods(b.paymentMethods ?? {}, place.asset, amount, b.taxDetails?.singlePurposeVouchers)
        : undefined,
    );
    const { date } = place;
    const profile = profileOn(account.taxProfiles, place.country.alpha2, date);
    const priced = price(
      {
        psp: principal.psp,
        kind: b.operation,
        classification: account.classification ?? '',
        country: place.country,
        asset: place.asset,
        amount,
        transactionFee,
        payment: paid?.payment,
        mcc,
        supply: b.taxDetails?.category,
        customer: customerOf(told.customer, account.country, place.country.alpha2, profile),
        subdivision: told.subdivision,
        profile,
        date,
      },
      s.rates.book,
      s.rates.fees,
    );
    if (priced instanceof Refusal) throw priced;
    const unknown = refuseUnknownTax(s, priced.observations);
    if (unknown) throw unknown;
    return {
      message: 'quote; nothing was recorded',
      content: {
        totalAmount: wireNumber(formatUnits(amount, place.asset.decimals)),
        vatAmount: wireNumber(priced.vatAmount),
        processingFee: wireNumber(priced.processingFee),
        transactionFee: wireNumber(priced.transactionFee),
        ...(sale
          ? { merchantAmount: wireNumber(priced.remainder), transactionVAT: wireNumber(priced.transactionVat) }
          : { netAmount: wireNumber(priced.remainder) }),
        currency: place.asset.code,
        countryCode: place.country.alpha2,
        date: priced.evidence.date,
        tax: await taxEvidence(s, priced.evidence),
        fees: await feeEvidence(s, priced),
        observations: [
          ...(b.paymentMethods === undefined ? [] : (paid?.observations ?? [])),
          ...told.observations,
          ...priced.observations,
        ],
      },
    };
  },
});
