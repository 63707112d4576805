// Changes of rates, crypto assets added, and corrections of transactions taxed at other rates: the entries about them.
import { entry } from './define.ts';
import { Money, Named, Nullable, Type } from './schema.ts';

const texts = (description: string) => Type.Array(Type.String(), { description });

const FeeRow = Named('FeeRow', 'A row of the fee schedule.', {
  feeId: Type.String({ description: 'Id of the fee row.' }),
  psp: Type.Optional(Type.String({ description: 'The PSP that it is for; absent if it is for all.' })),
  operations: texts('Operations that it is for.'),
  classifications: texts('Classifications of clients that it is for; empty for all.'),
  countries: texts('Countries that it is for, ISO 3166-1 alpha-2; empty for all.'),
  currency: Type.Optional(Type.String({ description: 'Currency that it is limited to.' })),
  percent: Type.String({ description: 'Percent as text.' }),
  fixed: Type.Optional(Type.String({ description: 'Fixed part, exact decimal text.' })),
  min: Type.Optional(Type.String({ description: 'Least fee, exact decimal text.' })),
  max: Type.Optional(Type.String({ description: 'Highest fee, exact decimal text.' })),
  validFrom: Type.String({ description: 'First day, `YYYY-MM-DD`.' }),
  validTo: Nullable(Type.String(), 'First day on which it does not apply any more; null if it has no end.'),
});

const adjusted = {
  vatAmount: Money(),
  transactionVAT: Money(),
  remainder: Money('What is left after taxes and fees.'),
};
const Taxed = Named('TaxedAs', 'How a transaction is taxed.', {
  ...adjusted,
  tax: Type.Array(
    Named('TaxedLine', 'A tax by its rule.', {
      rule: Type.String({ description: 'Id of the tax rule.' }),
      taxable: Type.String({ description: 'The amount taxed, exact decimal text.' }),
      tax: Type.String({ description: 'The tax, exact decimal text.' }),
    }),
    { description: 'Taxes in the order of the rules.' },
  ),
});

export const rateEntries = {
  'rates.changed/1': entry('Tax rules of countries were loaded, or a fee row was added or ended.', {
    data: Named('RatesChange', 'The rates that were changed: tax rules, a fee row, or the end of one.', {
      dataset: Type.Optional(Type.String({ description: 'Version of the tax rules from then on.' })),
      countries: Type.Optional(
        Type.Array(
          Named('LoadedCountry', 'The tax rules of a country.', {
            jurisdiction: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
            hash: Type.String({ description: 'SHA-256 of the file, in hex.' }),
          }),
          { description: 'Countries whose tax rules were loaded.' },
        ),
      ),
      fee: Type.Optional(FeeRow),
      feeEnded: Type.Optional(Type.String({ description: 'Id of the fee row that was ended.' })),
    }),
    evidence: Named('RatesEvidence', 'Why rates were changed.', {
      reason: Type.String(),
      proposalId: Type.Optional(Type.String({ description: 'The proposal that was approved, `prp_…`.' })),
      proposedBy: Type.Optional(Type.String({ description: 'Who proposed it: `usr_…`.' })),
    }),
  }),
  'asset.added/1': entry('A crypto asset was added to those that amounts may be in.', {
    data: Named('AddedAsset', 'A crypto asset on one network.', {
      symbol: Type.String({ description: 'Its symbol, the currency of requests.' }),
      network: Type.String({ description: 'The network that it is on.' }),
      decimals: Type.Integer({ description: 'Decimals that amounts of it may have there.' }),
      name: Type.String({ description: 'Its name.' }),
    }),
    evidence: Named('AssetEvidence', 'Why it was added.', { reason: Type.String() }),
  }),
  'tax.adjusted/1': entry('Transactions were taxed by the rules in force now; the transactions themselves stay.', {
    data: Named('RateAdjustment', 'Adjustments of a range of transactions.', {
      adjustmentId: Type.String({ description: 'Id of the adjusting entry, `adj_…`.' }),
      countryCode: Type.String(),
      from: Type.String({ description: 'First day of the range, `YYYY-MM-DD`.' }),
      to: Type.String({ description: 'Last day of the range, `YYYY-MM-DD`.' }),
      rule: Nullable(Type.String(), 'The tax rule that the range is limited to; null if it is not.'),
      dataset: Type.String({ description: 'Version of the tax rules that were applied.' }),
      adjustments: Type.Array(
        Named('TransactionAdjustment', 'An adjustment of a transaction.', {
          transactionId: Type.String(),
          clientId: Type.String(),
          revision: Type.Integer(),
          number: Type.Integer({ description: 'Counts the adjustments of the transaction, from 1.' }),
          date: Type.String({ description: 'Local calendar date that decided, `YYYY-MM-DD`.' }),
          currency: Type.String(),
          before: Taxed,
          after: Taxed,
          delta: Named('TaxDifference', 'After less before.', adjusted),
        }),
        { description: 'One for each transaction that is taxed otherwise.' },
      ),
    }),
    evidence: Named('AdjustmentEvidence', 'Why it was corrected, and what holds the rows to the entry.', {
      reason: Type.String(),
      proposalId: Type.Optional(Type.String({ description: 'The proposal that was approved, `prp_…`.' })),
      rowsSha256: Type.String({ description: 'SHA-256 over the digests of its stored rows, in hex.' }),
      rowsColumns: Type.Integer({ description: 'Number of columns that were hashed.' }),
    }),
  }),
};
