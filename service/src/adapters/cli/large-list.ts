// A published list that is too large to be sent whole, condensed to its entries where the file lies. Asks neither service nor
// database.
import { countryReader } from '../../core/screening/countries.ts';
import { condensed } from '../../modules/screening/index.ts';
import { loadReference } from '../../platform/data-files.ts';

/** @throws FileFault if it is no XML of a known form */
export const condensedList = (bytes: AsyncIterable<Uint8Array>): Promise<string> =>
  condensed(bytes, countryReader(loadReference().countries));
