// Which numbers of a country are of which kind, and whether a text can be one: its form and check digits, by public
// rules. Pure; says nothing of whether a number was ever issued.
import { personValidators, stdnum, type Validator } from 'stdnum';
import type { TaxNumberKind } from '../core/tax/supplier.ts';

type Names = Readonly<Record<string, readonly string[]>>;

/** Numbers of the tax on sales; where that is the number of the taxpayer, that one. */
const vat: Names = {
  ...{ AD: ['nrt'], AL: ['nipt'], AO: ['nif'], AR: ['cuit'], AT: ['uid'], AU: ['abn'], AZ: ['tin'], BE: ['vat'] },
  ...{ BG: ['vat'], BR: ['cnpj'], BY: ['unp'], CA: ['gst', 'qst', 'pst'], CH: ['vat'], CL: ['rut'], CO: ['nit'] },
  ...{ CR: ['cpj'], CY: ['vat'], CZ: ['dic'], DE: ['vat'], DK: ['cvr'], DO: ['rnc'], DZ: ['nif'], EC: ['ruc'] },
  ...{ EE: ['kmkr'], EG: ['tn'], ES: ['nif', 'cif'], FI: ['alv'], FO: ['vn'], FR: ['tva'], GB: ['vat'], GH: ['tin'] },
  ...{ GR: ['vat'], GT: ['nit'], HR: ['oib'], HU: ['anum'], ID: ['npwp'], IE: ['vat'], IN: ['gstin'], IS: ['vsk'] },
  ...{ IT: ['iva'], KE: ['pin'], KR: ['brn'], LT: ['pvm'], LU: ['tva'], LV: ['pvn'], MC: ['tva'], ME: ['pib'] },
  ...{ MK: ['edb'], MT: ['vat'], MX: ['rfc'], NL: ['btw'], NO: ['mva'], NZ: ['ird'], PE: ['ruc'], PL: ['nip'] },
  ...{ PT: ['nif'], PY: ['ruc'], RO: ['cif'], RS: ['pib'], RU: ['inn'], SE: ['vat'], SI: ['ddv'], SK: ['dph'] },
  ...{ SM: ['coe'], SV: ['nit'], TH: ['tin'], TN: ['mf'], TR: ['vkn'], TW: ['ubn'], UY: ['rut'], VE: ['rif'] },
  ...{ VN: ['mst'], ZA: ['vat'] },
};

/** Numbers of businesses as taxpayers, where they are others than those of the tax on sales. */
const tin: Names = {
  ...{ AT: ['tin'], AU: ['tfn', 'abn'], CA: ['bn'], CN: ['uscc'], DE: ['stnr'], FR: ['siren'], GB: ['utr'] },
  ...{ IN: ['pan'], IT: ['iva', 'codicefiscale'], MZ: ['nuit'], PK: ['ntn'], US: ['ein'], ZA: ['tin'] },
};

/** Numbers of company registers. */
const company: Names = {
  ...{ AT: ['businessid'], AU: ['acn'], BE: ['vat'], CA: ['bn'], CH: ['uid'], CN: ['uscc'], CZ: ['ico'], DK: ['cvr'] },
  ...{ EE: ['registrikood'], FI: ['ytunnus'], FR: ['siren', 'siret'], IL: ['hp'], JP: ['cn'], MA: ['ice'] },
  ...{ MD: ['idno'], NO: ['orgnr'], PL: ['regon'], PT: ['nipc'], RO: ['cui', 'onrc'], SE: ['orgnr'], SG: ['uen'] },
  ...{ UA: ['edrpou'] },
};

/** Member states of the customs union, Northern Ireland and the United Kingdom: their own code begins the number. */
const customs = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
);

const named = (country: string, names: readonly string[] | undefined): readonly Validator[] =>
  (names ?? []).flatMap((n) => stdnum[country]?.[n] ?? []);
const of = (names: Names, country: string) => (Object.hasOwn(names, country) ? names[country] : undefined);

function fits(v: Validator, text: string): boolean {
  try {
    return v.validate(text).isValid;
  } catch {
    return false;
  }
}

/** Annex B of the delegated regulation 2015/2446: the country's code and at most 15 characters; HMRC: GB and 12 digits. */
function eoriFits(text: string, country: string): boolean | null {
  if (!customs.has(country)) return null;
  const plain = text.replaceAll(/[\s.-]/g, '').toUpperCase();
  const own = plain.slice(2);
  if (!plain.startsWith(country)) return false;
  return country === 'GB' || country === 'XI' ? /^\d{12}$/.test(own) : /^[A-Z0-9]{1,15}$/.test(own);
}

/** @returns whether the text can be a number of the kind; null where no form of it is known */
export function isNumberOf(kind: TaxNumberKind, text: string, country: string): boolean | null {
  if (kind === 'EORI') return eoriFits(text, country);
  const validators = validatorsOf(kind, country);
  return validators.length === 0 ? null : validators.some((v) => fits(v, text));
}

function validatorsOf(kind: Exclude<TaxNumberKind, 'EORI'>, country: string): readonly Validator[] {
  if (!Object.hasOwn(stdnum, country)) return [];
  if (kind === 'PERSON') return personValidators[country] ?? [];
  if (kind === 'COMPANY') return named(country, of(company, country));
  return named(country, kind === 'TIN' ? (of(tin, country) ?? of(vat, country)) : of(vat, country));
}
