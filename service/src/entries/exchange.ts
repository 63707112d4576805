// Loads of published exchange rates: the entry about them.
import { publisherIds } from '../core/exchange/publishers.ts';
import { entry } from './define.ts';
import { Named, Type } from './schema.ts';

export const rateKinds = ['DAY', 'MONTH'] as const;

/** What a load read, and what of it was new. */
export const loadFields = {
  publisher: Type.Enum(publisherIds, { description: 'The bank or authority that published the file.' }),
  kind: Type.Enum(rateKinds, { description: 'DAY: rates of days. MONTH: rates that hold for a month.' }),
  name: Type.String({ description: 'Name or address of the file.' }),
  sha256: Type.String({ description: 'SHA-256 of the text of the file in UTF-8, in hex.' }),
  from: Type.String({ description: 'First day in the file that was read, `YYYY-MM-DD`.' }),
  to: Type.String({ description: 'Last day in the file, `YYYY-MM-DD`; of a month its first day.' }),
  currencies: Type.Integer({ description: 'Number of currencies in the file.' }),
  added: Type.Integer({ description: 'Rates that were not known before.' }),
  corrected: Type.Integer({ description: 'Rates that replace others of the same day; the former ones are kept.' }),
};

export const exchangeEntries = {
  'exchange_rates.loaded/1': entry('Exchange rates were loaded from a published file.', {
    data: Named('ExchangeRatesLoad', 'A load of exchange rates.', {
      loadId: Type.String({ description: 'Id of the load, `fxl_…`.' }),
      ...loadFields,
    }),
    evidence: Named('ExchangeRatesEvidence', 'Holds the stored rates to the entry.', {
      rowsSha256: Type.String({ description: 'SHA-256 over the digests of its stored rows, in hex.' }),
      rowsColumns: Type.Integer({ description: 'Number of columns that were hashed.' }),
    }),
  }),
};
