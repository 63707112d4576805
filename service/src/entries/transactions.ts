// Transactions and chargebacks: the resources as returned and journalled, and their entries.
import { obstacleKinds } from '../core/obstacles.ts';
import { customers, summedOf, taxDebtors } from '../core/tax/rule.ts';
import { reliefs, suppliesSaidBy } from '../core/tax/supplier.ts';
import { goodsCategories, supplies } from '../core/tax/supplies.ts';
import { reckonings } from '../core/transaction.ts';
import { entry } from './define.ts';
import { AmountOrZero, Money, Named, Nullable, Type } from './schema.ts';

// Spec 2.5: card, vouchers, discounts, cash and any other name.
export const PaymentMethods = Type.Record(
  Type.String({ minLength: 1, maxLength: 40 }),
  AmountOrZero('Amount paid by this method.'),
  {
    $id: 'PaymentMethods',
    description:
      'Amount by payment method: card, vouchers, discounts, cash or any other name. These four in other letters (`Cash`) are refused. `discounts` bear no tax where the law says so (the default); cash, vouchers and discounts are not held by the PSP, so that the settlement statement sets them off against what the merchant is owed.',
    maxProperties: 40,
    examples: [{ card: 100, cash: 7.5 }],
  },
);

export const Amounts = Type.Record(Type.String(), Money('The amount.'), {
  $id: 'Amounts',
  description: 'Amounts by the name of the part: `vatAmount`, `processingFee` and so on.',
});

export const Observation = Named('Observation', 'Something odd about what was sent, which is no reason to refuse it.', {
  code: Type.String(),
  field: Type.String(),
  message: Type.String(),
});
export const Observations = Type.Array(Observation);

/** Content of verifyTransactionStatus and of list items. */
export const TransactionResource = Named('Transaction', 'A transaction: its request, verdict and split.', {
  transactionId: Type.String(),
  vatAmount: Money(),
  processingFee: Money(),
  merchantAmount: Type.Optional(Money('For verifyTransaction: amount that may be settled to the merchant.')),
  netAmount: Type.Optional(Money('For deposits and withdrawals: amount left for the customer.')),
  transactionFee: Money(),
  transactionVAT: Type.Optional(Money('For verifyTransaction: taxes on both fees.')),
  status: Type.Enum(['PENDING', 'APPROVED', 'DECLINED'], {
    description:
      'APPROVED or DECLINED once verified. PENDING: the transaction of a basket that no verifyTransaction refers to yet; nothing is decided and no tax is due.',
  }),
  ref: Nullable(Type.String(), 'External reference; null for the transaction of a basket that is not verified yet.'),
  type: Type.Enum(['verifyTransaction', 'cryptoDeposit', 'cryptoWithdrawal', 'deposit', 'withdrawal'], {
    description: 'The operation that recorded it.',
  }),
  reason: Nullable(Type.String(), 'Why it was declined; null if it was not.'),
  totalAmount: Money(),
  currency: Type.String(),
  countryCode: Type.String(),
  clientId: Type.String(),
  recordedBy: Type.String(),
  revision: Type.Integer(),
  basketId: Nullable(Type.String(), 'The basket it pays for, `bsk_…`; null if there is none.'),
  paymentMethods: Type.Optional(PaymentMethods),
  mcc: Type.Optional(Type.String({ description: 'Merchant category code, as the caller gave it.' })),
  blochainHash: Type.Optional(
    Type.String({ description: 'Hash of the transfer on its chain, as the caller gave it.' }),
  ),
  chargeback: Nullable(
    Named('TransactionChargeback', 'The chargeback of a transaction.', {
      id: Type.String({ description: 'Id of the chargeback, `chb_…`.' }),
      at: Type.String(),
      reversedAt: Type.Optional(
        Type.String({ description: 'When it was reversed because a dispute was won; absent if it was not.' }),
      ),
      amounts: Amounts,
    }),
    'The chargeback of the transaction; null if there is none.',
  ),
  observations: Observations,
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export const Obstacles = Type.Array(
  Named('Obstacle', 'Something about the standing that declines transactions.', {
    of: Type.Enum(['ACCOUNT', 'PSP'], {
      description: 'ACCOUNT: the standing of the account itself. PSP: that of the PSP it belongs to.',
    }),
    what: Type.Enum(obstacleKinds, { description: 'Part of the standing.' }),
    is: Nullable(
      Type.String(),
      "State of that part; for a hold, its public code; null for a hold of the client's PSP.",
    ),
    needed: Nullable(Type.String(), 'State that would admit transactions; null for a hold, which has to end.'),
  }),
  { description: 'Everything about the standing that declined the transaction.' },
);

export const Evidence = Named('Evidence', 'The rules and rates by which taxes and fees were decided.', {
  dataset: Type.String({ description: 'Version of the tax rules in force.' }),
  date: Type.String({ description: 'Local calendar date that decided which rules apply, `YYYY-MM-DD`.' }),
  tax: Type.Array(
    Named('EvidenceTax', 'A tax by its rule.', {
      rule: Type.String({ description: 'Id of the tax rule.' }),
      taxable: Type.String({ description: 'The amount taxed, exact decimal text.' }),
      tax: Type.String({ description: 'The tax, exact decimal text.' }),
      owedBy: Type.Optional(
        Type.Enum(taxDebtors, {
          description:
            'Debtor of a tax that is due by a return of the period, and no part of the amount and its split. Absent for taxes of the split.',
        }),
      ),
    }),
    { description: 'Taxes of the split in the order of the rules, then those that are owed by a return.' },
  ),
  fee: Nullable(Type.String(), 'Id of the fee row; null if none applies.'),
  classification: Type.Optional(
    Type.String({ description: 'Classification of the client then; absent from what earlier versions decided.' }),
  ),
  decimals: Type.Optional(
    Type.Integer({
      description:
        'Decimals that the parts were worked out in, of a crypto asset whose networks differ in theirs; absent from all else, and from what earlier versions decided.',
    }),
  ),
  reckoning: Type.Optional(
    Type.Enum(reckonings, {
      description:
        'How the parts were calculated: each tax on top rounded by itself (2), and each contained tax too (3); absent from what earlier versions decided.',
    }),
  ),
  supply: Type.Optional(
    Type.Enum(supplies, {
      description: 'What was sold; absent where that is not known, so that the standard rate applied.',
    }),
  ),
  supplySaidBy: Type.Optional(
    Type.Enum(suppliesSaidBy, {
      description:
        'Who said what was sold: the merchant category code, the caller, or the tax profile of the client; absent from what earlier versions decided.',
    }),
  ),
  supplier: Type.Optional(
    Type.Enum(['REGISTERED', ...reliefs], {
      description:
        'Whether the client owed the tax, by its tax profile; absent if it had none, and was assumed to be registered.',
    }),
  ),
  customer: Type.Optional(
    Type.Enum(customers, { description: 'A customer whom the law treats otherwise; absent for all others.' }),
  ),
  goods: Type.Optional(
    Type.Array(
      Named('Goods', 'Goods or services of one kind in a sale.', {
        category: Type.Optional(
          Type.Enum(goodsCategories, {
            description: 'The category of the lines; absent for those that bear what the sale as a whole bears.',
          }),
        ),
        taxable: Type.String({
          description:
            'The part of the total that bears tax, before discounts and vouchers are left out, exact decimal text.',
        }),
      }),
      { description: 'What was sold, by kind, if the lines of the basket say it; absent otherwise.' },
    ),
  ),
  stakeReturned: Type.Optional(
    Type.Literal(true, {
      description: 'The payout gives the stake of a void wager back, which is no win: no tax on wins was due.',
    }),
  ),
  subdivision: Type.Optional(
    Type.String({ description: 'Part of the country whose taxes applied, ISO 3166-2, if one was known.' }),
  ),
  discounts: Type.Optional(
    Type.String({
      description:
        'Discounts that were left out of the taxable part of a sale, exact decimal text; absent if none were.',
    }),
  ),
  singlePurposeVouchers: Type.Optional(
    Type.String({
      description:
        'Vouchers that were left out of the taxable part of a sale because they were taxed when they were sold, exact decimal text; absent if none were.',
    }),
  ),
  notHeld: Type.Optional(
    Named(
      'NotHeld',
      'The parts of a sale that the PSP does not hold, exact decimal text; absent if it holds all of it.',
      {
        discounts: Type.Optional(Type.String({ description: 'Discounts, which nobody paid.' })),
        vouchers: Type.Optional(Type.String({ description: 'Vouchers.' })),
        cash: Type.Optional(Type.String({ description: 'Cash, which the merchant has.' })),
      },
    ),
  ),
  sums: Type.Optional(
    Type.Array(
      Named('CountedSum', 'What a tax counted of a client or customer before, and what this record adds.', {
        rule: Type.String({ description: 'Id of the tax rule.' }),
        sum: Type.String({ description: 'Country, tax, period with its first day, and currency.' }),
        of: Type.Enum(summedOf, { description: 'Whose amounts are counted.' }),
        before: Type.String({ description: 'What was counted before, exact decimal text.' }),
        records: Type.Integer({ description: 'Records counted before.' }),
        adds: Type.String({ description: 'What this record adds, exact decimal text.' }),
        reached: Type.Optional(
          Type.Boolean({ description: 'True if the limit was reached in an earlier period and holds from then on.' }),
        ),
        reaches: Type.Optional(
          Type.String({ description: 'Name of the note made because this record reached such a limit.' }),
        ),
      }),
      { description: 'Of taxes whose law counts a day, month or year; absent if none does.' },
    ),
  ),
  risk: Type.Optional(
    Named('RiskEvidence', 'A decline by the risk policy of the PSP; absent if that did not decline it.', {
      code: Type.String({ description: 'Public code of the decline.' }),
      matches: Type.String({ description: 'Keyed hash of the rules that matched, with their versions and counters.' }),
    }),
  ),
  standing: Type.Optional(
    Named('DecidingStanding', 'The standing that decided a transaction; absent from what earlier versions decided.', {
      version: Type.Integer({ description: "Version of the account's record." }),
      pspVersion: Type.Integer({ description: "Version of its PSP's record." }),
      obstacles: Type.Optional(Obstacles),
    }),
  ),
  accruals: Type.Optional(
    Type.Array(
      Named('Accrual', 'A contribution to the base of a tax that is due by periodic return.', {
        rule: Type.String({ description: 'Id of the tax rule.' }),
        taxCode: Type.String({ description: 'Code of the tax.' }),
        base: Type.String({ description: 'Base of the tax.' }),
        rate: Type.String({ description: 'Percent as text; of brackets, all of theirs.' }),
        productLine: Type.String({ description: 'The product line that the rule was chosen for, in lower case.' }),
        contribution: Type.String({ description: 'Exact decimal text; may be negative.' }),
      }),
      { description: 'Of wagers and payouts.' },
    ),
  ),
});

export const transactionEntries = {
  'transaction.created/1': entry('A transaction was recorded.', { data: TransactionResource, evidence: Evidence }),
  'transaction.updated/1': entry(
    'A transaction was decided again, declined or charged back. There is evidence where taxes and fees were decided.',
    { data: TransactionResource, evidence: Type.Optional(Evidence) },
  ),
  'chargeback.created/1': entry('A transaction was charged back.', {
    data: Named('ChargebackRecord', 'A chargeback as it is kept in the journal.', {
      chargebackId: Type.String(),
      transactionId: Type.String(),
      ref: Type.String({ description: 'External reference of the transaction.' }),
      amounts: Amounts,
    }),
  }),
};
