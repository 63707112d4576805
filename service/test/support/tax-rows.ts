// Tax rows and country files for tests: a complete, valid country, of which each test changes a part.
import type { CountryTax, TaxRule } from '../../src/core/tax/rule.ts';

/** A standard VAT of 20 %, contained in the gross of a sale. */
export const taxRow = (over: Partial<TaxRule> = {}): TaxRule => ({
  ruleId: 'AA-VAT-STANDARD-2020',
  taxCode: 'VAT',
  category: 'standard',
  operations: ['verifyTransaction'],
  classifications: [],
  mccRanges: [],
  base: 'GROSS_INCLUSIVE',
  rate: '20',
  compoundsOn: [],
  bearer: 'CUSTOMER',
  inTransaction: true,
  rounding: 'HALF_UP',
  validFrom: '2020-01-01',
  validTo: null,
  source: 'act',
  legalRef: null,
  confidence: 'official',
  ...over,
});

/** VAT on payment fees and on crypto fees: every country has both. */
export const feeRows: readonly TaxRule[] = [
  taxRow({
    ruleId: 'AA-VAT-FEE-2020',
    category: 'payment_service',
    base: 'FEE',
    operations: ['verifyTransaction', 'deposit', 'withdrawal'],
    rate: '10',
  }),
  taxRow({
    ruleId: 'AA-VAT-CRYPTO-FEE-2020',
    category: 'crypto_exchange',
    base: 'FEE',
    operations: ['cryptoDeposit', 'cryptoWithdrawal'],
    rate: '0',
    reason: 'EXEMPT',
  }),
];

export const taxCountry = (rules: readonly TaxRule[], over: Partial<CountryTax> = {}): CountryTax => ({
  jurisdiction: 'AA',
  name: 'Aland',
  timeZone: 'UTC',
  currency: 'EUR',
  sources: {
    act: { title: 'VAT Act', publisher: 'The state', url: 'https://law.example/vat', retrievedOn: '2026-11-21' },
    design: { title: 'Not looked up', publisher: 'Assay', url: null, retrievedOn: '2026-11-21' },
  },
  rules,
  ...over,
});

/** A rate of 0 with its reason. */
export const untaxed = { rate: '0', reason: 'EXEMPT' } as const;
