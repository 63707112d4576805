// The operations on tax rates and exchange rates, in the order of the reference.
import { listExchangePublishers } from '../../modules/exchange-rates/operations/list-exchange-publishers.ts';
import { listExchangeRates } from '../../modules/exchange-rates/operations/list-exchange-rates.ts';
import { loadExchangeRates } from '../../modules/exchange-rates/operations/load-exchange-rates.ts';
import { getTaxChangesFeed } from '../../modules/rates/operations/get-tax-changes-feed.ts';
import { listTaxChanges } from '../../modules/rates/operations/list-tax-changes.ts';
import { taxQuote } from '../../modules/rates/operations/tax-quote.ts';
import { taxRates } from '../../modules/rates/operations/tax-rates.ts';

export const rateOperations = [
  taxRates,
  taxQuote,
  listTaxChanges,
  getTaxChangesFeed,
  listExchangeRates,
  listExchangePublishers,
  loadExchangeRates,
] as const;
