// Checks of identifiers a caller sends, by public rules: tax numbers, telephone numbers, bank accounts, and Internet,
// geographic and blockchain addresses. Every function is pure and returns observations, never refusals or errors. No
// message quotes the value checked: most are personal.
import { feature, featuresContaining } from '@rapideditor/country-coder';
import { countrySpecs, ValidationErrorsIBAN, validateIBAN } from 'ibantools';
import ipaddr from 'ipaddr.js';
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { entityValidators, personValidators, stdnum, type Validator } from 'stdnum';
import { type Said, said } from '../core/said.ts';
import type { Observation } from '../core/transaction.ts';
import { addressFit, hashFits } from './crypto-addresses.ts';

const none: readonly Observation[] = [];
const one = (code: string, field: string, message: string | Said): readonly Observation[] => [
  { code, field, message: String(message) },
];

/** Tax numbers of organizations that stdnum supports but does not list as such. */
const further: Readonly<Record<string, readonly string[]>> = {
  CA: ['gst', 'qst', 'pst'],
  CZ: ['ico'],
  DZ: ['nif'],
  EG: ['tn'],
  ES: ['nif'],
  FO: ['vn'],
  GH: ['tin'],
  GN: ['nifp'],
  HR: ['oib'],
  IN: ['gstin'],
  KE: ['pin'],
  ME: ['pib'],
  MK: ['edb'],
  RO: ['cif'],
  TH: ['tin', 'moa'],
  TN: ['mf'],
  VE: ['rif'],
};

/** The result of `validate`, even if a validator fails on a text. */
function verdictOf(v: Validator, text: string): string | undefined {
  try {
    const r = v.validate(text);
    return r.isValid ? undefined : (r.error?.name ?? 'InvalidFormat');
  } catch {
    return 'InvalidFormat';
  }
}

function taxNumberValidators(country: string): readonly Validator[] {
  if (!Object.hasOwn(stdnum, country)) return [];
  const others = (further[country] ?? []).flatMap((name) => stdnum[country]?.[name] ?? []);
  return [...(entityValidators[country] ?? []), ...others];
}

/** Whether the tax number of an organization fits its country; null if none can be checked there. */
export const taxNumberValid = (text: string, country: string): boolean | null =>
  taxNumberValidators(country).length === 0 ? null : observeTaxNumber(text, country, '').length === 0;

/**
 * An organization's tax number. A person's number is accepted too (sole traders use theirs), and countries for which
 * stdnum has no organization's number are not checked.
 * @param country ISO 3166-1 alpha-2
 */
export function observeTaxNumber(text: string, country: string, field: string): readonly Observation[] {
  const own = taxNumberValidators(country);
  if (own.length === 0) return none;
  const verdicts = own.map((v) => verdictOf(v, text));
  if (verdicts.includes(undefined)) return none;
  if ((personValidators[country] ?? []).some((v) => verdictOf(v, text) === undefined)) return none;
  return verdicts.includes('InvalidChecksum')
    ? one('TIN_CHECKSUM', field, said`the check digit is wrong for a tax number of ${country}`)
    : one('TIN_FORM', field, said`not of the form of a tax number of ${country}`);
}

/**
 * A telephone number: international if it begins with +, else one of `country`.
 * @param country ISO 3166-1 alpha-2
 */
export function observePhone(text: string | undefined, country: string, field: string): readonly Observation[] {
  if (text === undefined) return none;
  const known = isSupportedCountry(country);
  if (!known && !text.trim().startsWith('+')) return none;
  return parsedPhone(text, known ? country : undefined)?.isValid()
    ? none
    : one(
        'PHONE_INVALID',
        field,
        known ? said`not a valid telephone number (read as in ${country})` : 'not a valid telephone number',
      );
}

function parsedPhone(text: string, country: CountryCode | undefined) {
  try {
    const options = { extract: false, ...(country ? { defaultCountry: country } : {}) };
    return parsePhoneNumberFromString(text.trim(), options);
  } catch {
    return undefined;
  }
}

/** A valid number's calling code and the rest of it; undefined for what is none. @param country as for `observePhone` */
export function phoneParts(
  text: string | undefined,
  country: string,
): { readonly prefix: string; readonly number: string } | undefined {
  const read = text === undefined ? undefined : parsedPhone(text, isSupportedCountry(country) ? country : undefined);
  return read?.isValid() ? { prefix: read.countryCallingCode, number: read.nationalNumber } : undefined;
}

/** Ranges on the public Internet, including translations of IPv4 into IPv6. */
const publicRanges = new Set(['unicast', '6to4', 'teredo', 'rfc6052']);
const rangeNames: Readonly<Record<string, string>> = {
  private: 'private use',
  uniqueLocal: 'private use',
  deprecatedSiteLocal: 'private use',
  carrierGradeNat: "a carrier's own network",
  loopback: 'the machine itself',
  linkLocal: 'a local link',
  multicast: 'multicast',
  unspecified: 'no machine',
  broadcast: 'broadcast',
};

/** An IPv4 or IPv6 address. Its country is not determined: that needs a database which is not shipped. */
export function observeIp(text: string, field: string): readonly Observation[] {
  if (!ipaddr.isValid(text)) return none;
  const range = ipaddr.process(text).range();
  if (publicRanges.has(range)) return none;
  return one(
    'IP_NOT_PUBLIC',
    field,
    `the address is not public: it is set aside for ${rangeNames[range] ?? 'special use'}`,
  );
}

/**
 * Regions that the border data assigns to one country and ISO 3166 or the United Nations to another: neither is a
 * mismatch. By Wikidata id: Crimea; Morocco, which contains Western Sahara.
 */
const alsoOf: Readonly<Record<string, string>> = { Q7835: 'UA', Q1028: 'EH' };

/**
 * Coordinates, compared with the country they should be in.
 * @param country ISO 3166-1 alpha-2; null if there is none to compare with
 */
export function observeCoordinates(
  lat: number,
  lng: number,
  country: string | null,
  field: string,
): readonly Observation[] {
  if (lat === 0 && lng === 0) return one('COORDINATES_ZERO', field, 'the coordinates are 0, 0: most likely not known');
  if (country === null || !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return none;
  const around = featuresContaining([lng, lat]);
  const holds = (a: { properties: { iso1A2: string | undefined; wikidata: string } }) =>
    a.properties.iso1A2 === country || alsoOf[a.properties.wikidata] === country;
  const territory = feature([lng, lat], { level: 'territory' })?.properties;
  const found = territory?.isoStatus === 'official' ? territory.iso1A2 : feature([lng, lat])?.properties.iso1A2;
  // At sea there is no country to differ from.
  if (!found || around.some(holds)) return none;
  return one('COUNTRY_MISMATCH', field, said`the coordinates lie in ${found}, the account is registered in ${country}`);
}

/** Bank details have the caller's own form: maximum depth and number of texts checked. */
const MAX_DEPTH = 4;
const MAX_TEXTS = 64;

/**
 * IBANs among bank details: a text with the form of one, or in a member named like one.
 * @param field name of the whole; the caller's own member names are not recorded
 */
export function observeBankDetails(details: unknown, field: string): readonly Observation[] {
  let left = MAX_TEXTS;
  let form = false;
  const wrong = (value: unknown, name: string, depth: number): boolean => {
    if (typeof value === 'string') {
      if (left-- <= 0) return false;
      const fit = ibanFit(value, /iban/i.test(name));
      form ||= fit === 'form';
      return fit === 'checksum';
    }
    if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return false;
    for (const [key, v] of Object.entries(value)) {
      if (left <= 0) return false;
      if (wrong(v, Array.isArray(value) ? name : key, depth + 1)) return true;
    }
    return false;
  };
  if (wrong(details, '', 0)) return one('IBAN_CHECKSUM', field, 'the check digits of an IBAN in it are wrong');
  return form ? one('IBAN_FORM', field, 'an IBAN in it is not of the form of its country') : none;
}

function ibanFit(text: string, named: boolean): 'fits' | 'form' | 'checksum' | undefined {
  if (text.length > 64) return named ? 'form' : undefined;
  const iban = text.replaceAll(/[\s-]/g, '').toUpperCase();
  const known = /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(iban) ? countrySpecs[iban.slice(0, 2)] : undefined;
  if (!known?.IBANRegistry) return named ? 'form' : undefined;
  const { valid, errorCodes } = validateIBAN(iban);
  if (valid) return 'fits';
  const { WrongIBANChecksum, WrongAccountBankBranchChecksum, WrongBBANLength, WrongBBANFormat } = ValidationErrorsIBAN;
  if (errorCodes.includes(WrongBBANLength) || errorCodes.includes(WrongBBANFormat)) return named ? 'form' : undefined;
  return errorCodes.includes(WrongIBANChecksum) || errorCodes.includes(WrongAccountBankBranchChecksum)
    ? 'checksum'
    : 'fits';
}

/**
 * A transaction hash on one of an asset's networks.
 * @param networks as `Reference.networks` gives them; empty for a currency, which is not checked
 */
export function observeHash(
  text: string,
  symbol: string,
  networks: readonly string[],
  field: string,
): readonly Observation[] {
  return hashFits(text, networks) === false
    ? one('HASH_FORM', field, said`not of the form of a transaction hash on a network of ${symbol}`)
    : none;
}

/** An address on one of an asset's networks. */
export function observeAddress(
  text: string,
  symbol: string,
  networks: readonly string[],
  field: string,
): readonly Observation[] {
  const fit = addressFit(text, networks);
  if (fit === 'checksum')
    return one('ADDRESS_CHECKSUM', field, said`the checksum is wrong for an address on a network of ${symbol}`);
  return fit === 'form'
    ? one('ADDRESS_FORM', field, said`not of the form of an address on a network of ${symbol}`)
    : none;
}
