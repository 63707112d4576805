// What the journal tells of a change of rates.
import type { FeeRule } from '../../core/fee.ts';
import { toWire } from '../../core/ids.ts';
import type { CountryFile } from './rates-store.ts';

export const taxEntry = (version: string, files: readonly CountryFile[]) => ({
  dataset: version,
  countries: files.map((f) => ({ jurisdiction: f.country.jurisdiction, hash: f.hash })),
});

export const feeEntry = (rule: FeeRule) => ({ fee: { ...rule, psp: rule.psp && toWire('psp', rule.psp) } });
