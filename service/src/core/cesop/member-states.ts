// The Member States of the European Union, for rules that apply within it. Pure.

/** ISO 3166-1 alpha-2. */
export const memberStates = [
  'AT',
  'BE',
  'BG',
  'CY',
  'CZ',
  'DE',
  'DK',
  'EE',
  'ES',
  'FI',
  'FR',
  'GR',
  'HR',
  'HU',
  'IE',
  'IT',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'PL',
  'PT',
  'RO',
  'SE',
  'SI',
  'SK',
] as const;

export const isMemberState = (country: string): boolean => (memberStates as readonly string[]).includes(country);

/** Prefix of a Member State's VAT numbers. */
export const vatPrefixOf = (country: string): string => (country === 'GR' ? 'EL' : country);
