// Schemas that several transaction operations share.

import { severities } from '../../core/risk/review.ts';
import { customers } from '../../core/tax/rule.ts';
import { reliefs, suppliesSaidBy } from '../../core/tax/supplier.ts';
import { goodsCategories, supplies } from '../../core/tax/supplies.ts';
import { Obstacles, TransactionResource } from '../../entries/transactions.ts';
import { Extended, Money, Named, Nullable, Text, Type } from '../kernel/operation.ts';
import { FeeEvidence, TaxEvidence } from '../rates/index.ts';

export const AssetCode = Type.String({
  description: 'ISO 4217 code or known crypto asset symbol, any case.',
  minLength: 1,
  maxLength: 12,
  examples: ['USDT'],
});
// Spec 2.4; the types are fixed as text, except that the phone number may also be a whole number.
export const Customer = Type.Object(
  {
    email: Type.String({ format: 'email', minLength: 3, maxLength: 254 }),
    name: Type.Optional(Text('Full name.', 200)),
    phoneNumber: Type.Optional(
      Type.Unsafe<string>({
        type: ['string', 'integer'],
        description: 'Telephone number; a whole number is taken as its digits.',
        minLength: 1,
        maxLength: 32,
      }),
    ),
  },
  { $id: 'Customer', description: 'The customer. Stored sealed, under a key for this person.' },
);

/** What `expand=tax,fees,decision` adds to a reply. */
const evidence = {
  tax: Type.Optional(Type.Array(TaxEvidence, { description: 'Each tax of the record. With `expand=tax` only.' })),
  fees: Type.Optional(FeeEvidence),
  decision: Type.Optional(
    Named('DecisionEvidence', 'Verdict and the rules it was decided by.', {
      status: Type.Enum(['PENDING', 'APPROVED', 'DECLINED']),
      reason: Nullable(Type.String()),
      taxDataset: Type.String({ description: 'Version of the tax rules.' }),
      localDate: Type.String({ description: 'Day in the country, `YYYY-MM-DD`, that decided which rules apply.' }),
      riskCode: Type.Optional(
        Type.String({ description: 'Public code, if the risk policy of the PSP declined the transaction.' }),
      ),
      riskRules: Type.Optional(
        Type.Array(
          Named('MatchedRiskRule', 'A rule of the risk book that matched the transaction.', {
            rule: Type.String({ description: 'Id of the rule.' }),
            version: Type.Integer({ description: 'Version of the rule.' }),
            counters: Type.Record(Type.String(), Type.Union([Type.Integer(), Type.String()]), {
              description: 'Values that its counters had: whole numbers, or exact decimal text.',
            }),
            at: Type.String({ description: 'When the record was decided, ISO 8601 UTC.' }),
          }),
          {
            description:
              'Rules of the risk book that matched, with what they counted. For the PSP and operators, of a stored transaction.',
          },
        ),
      ),
      walletHoldId: Type.Optional(
        Type.String({
          description:
            'The hold of its wallet that declined it, `whd_…`. For the PSP and operators, of a stored transaction.',
        }),
      ),
      standing: Nullable(
        Named('StandingVersions', 'The standing that decided, by the versions of the accounts.', {
          version: Type.Integer({ description: "Version of the account's record." }),
          pspVersion: Type.Integer({ description: "Version of its PSP's record." }),
        }),
        'The standing that decided; null where an earlier version did not note it.',
      ),
      wouldChange: Obstacles,
      supply: Type.Optional(
        Nullable(
          Type.Enum(supplies),
          'For a sale: the kind of goods or services sold; null where that is not known, so that the standard rate applied.',
        ),
      ),
      supplySaidBy: Type.Optional(
        Nullable(
          Type.Enum(suppliesSaidBy),
          'For a sale: who said what was sold: the merchant category code, the caller, or the tax profile of the client; null where nobody did, and for sales that earlier versions decided.',
        ),
      ),
      goods: Type.Optional(
        Type.Array(
          Named('SoldGoods', 'Goods or services of one kind in a sale.', {
            category: Type.Optional(
              Type.Enum(goodsCategories, {
                description: 'The category of the lines; absent for those that bear what the sale as a whole bears.',
              }),
            ),
            taxable: Money('The part of the total that bears tax, before discounts and vouchers are left out.'),
          }),
          { description: 'For a sale whose basket says what its lines are: what was sold, by category.' },
        ),
      ),
      supplier: Type.Optional(
        Type.Enum(['REGISTERED', 'ASSUMED_REGISTERED', ...reliefs], {
          description:
            'For a sale: says if the client owed the tax. ASSUMED_REGISTERED: it has no tax profile in the country for that day.',
        }),
      ),
      customer: Type.Optional(
        Type.Enum(['CONSUMER', ...customers], {
          description: 'For a sale: the kind of customer that the law distinguishes.',
        }),
      ),
      untaxed: Type.Optional(
        Named('Untaxed', 'The amounts that were left out of the taxable part of a sale, because of how it was paid.', {
          discounts: Money('Discounts, which are no consideration.'),
          singlePurposeVouchers: Money('Vouchers that were taxed when they were sold.'),
        }),
      ),
    }),
  ),
};

/** A caller's submission, as `expand=request` adds it. */
export const Submitted = Type.Optional(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'The body as it was submitted; what was of an erased person reads `erased`. With `expand=request` only.',
    },
  ),
);

export const TransactionDetail = Extended(
  TransactionResource,
  'TransactionDetail',
  'A transaction with the parts that `expand` names.',
  {
    ...evidence,
    revisions: Type.Optional(
      Type.Array(TransactionResource, { description: 'All revisions, oldest first. With `expand=revisions` only.' }),
    ),
    customer: Type.Optional(
      Type.Unknown({
        description:
          'Personal fields as submitted; `erased` if the person was erased, null if there are none. With `expand=customer` only.',
      }),
    ),
    request: Submitted,
    review: Type.Optional(
      Nullable(
        Named('TransactionReview', 'Whether somebody is to look at the transaction.', {
          state: Type.Enum(['OPEN', 'RESOLVED'], { description: 'OPEN if any of its reviews is.' }),
          severity: Type.Enum(severities, { description: 'The highest of its reviews.' }),
          confirmed: Type.Boolean({ description: 'Whether one of them was resolved as CONFIRMED.' }),
          reviewIds: Type.Array(Type.String(), { description: 'Its reviews, oldest first.' }),
        }),
        "Its reviews; null if there are none. In verifyTransactionStatus with a PSP's key only.",
      ),
    ),
  },
);

export const SaleReply = Named('Decision', 'The verdict on a sale and its exact split.', {
  transactionId: Type.String(),
  vatAmount: Money(),
  processingFee: Money(),
  merchantAmount: Money(),
  transactionFee: Money(),
  transactionVAT: Money(),
  status: Type.Enum(['APPROVED', 'DECLINED']),
  ref: Type.String(),
  ...evidence,
});

export const MovementReply = Named('PaymentDecision', 'The verdict on a deposit or a withdrawal and its exact split.', {
  transactionId: Type.String(),
  vatAmount: Money(),
  processingFee: Money(),
  netAmount: Money('Remainder of the total for the customer or the merchant.'),
  status: Type.Enum(['APPROVED', 'DECLINED']),
  ref: Type.String(),
  ...evidence,
});
