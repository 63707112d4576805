// Persons, entities and accounts as the schema of goAML has them: its order, its lengths, and what it requires. What has no
// place in an element, since it is longer or of another form, stands in the comments. Pure.
import { xmlElement } from '../xml.ts';

export interface StrPerson {
  readonly firstName: string;
  readonly lastName: string;
  /** YYYY-MM-DD. */
  readonly birthDate?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly nationality?: string | undefined;
  readonly email?: string | undefined;
  /** As it was given; `phone` has its parts, where it is a number. */
  readonly phoneNumber?: string | undefined;
  readonly phone?: { readonly prefix: string; readonly number: string } | undefined;
}

export interface StrAccount {
  readonly institution: string;
  /** BIC of a bank. */
  readonly swift?: string | undefined;
  readonly number: string;
  /** Whether a bank keeps it; a wallet is kept by none. */
  readonly bank: boolean;
}

export interface StrAddress {
  readonly address: string;
  readonly city: string;
}

export interface StrEntity {
  readonly name: string;
  readonly registrationNumber: string | null;
  readonly taxNumber: string | null;
  readonly country: string | null;
  readonly business: string | null;
  /** Undefined if unknown: the schema requires one of a client. */
  readonly address: StrAddress | undefined;
  readonly directors: readonly StrPerson[];
}

/** Codes of the intelligence unit's own lists. */
export interface StrCodes {
  readonly report?: string | undefined;
  readonly transmode?: string | undefined;
  readonly funds?: string | undefined;
  readonly legalForm?: string | undefined;
  readonly contact?: string | undefined;
  readonly communication?: string | undefined;
  readonly partyRole?: string | undefined;
  readonly directorRole?: string | undefined;
}

/** The code that most lists have for what is not known. */
export const unknownCode = '-';
/** Text that the schema requires and nobody knows. */
export const unknown = 'UNKNOWN';

/** An element with further elements; nothing if it has none. */
export const element = (name: string, ...inside: readonly (string | undefined)[]): string | undefined => {
  const parts = inside.filter((p) => p !== undefined && p !== '');
  return parts.length === 0 ? undefined : `<${name}>${parts.join('')}</${name}>`;
};
export const leaf = (name: string, text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === '' ? undefined : xmlElement(name, text);

/** As much of a text as an element may have, counted in characters. */
const upTo = (most: number, text: string): string => [...text].slice(0, most).join('');

/** The comments: what was cut or has no place, whole. */
export const comments = (...said: readonly (readonly [what: string, text: string, fits: boolean])[]) =>
  leaf(
    'comments',
    said
      .filter(([, text, fits]) => !fits && text !== '')
      .map(([what, text]) => `${what}: ${text}`)
      .join('; '),
  );

export const fits = (most: number, text: string | null | undefined): boolean => [...(text ?? '')].length <= most;

/** A form of e-mail address that the schema takes. */
const plainEmail = /^[\w+-]+(?:\.[\w+-]+)*@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,15}$/i;

export const person = (name: string, p: StrPerson, codes: StrCodes, role?: string | undefined) =>
  element(
    name,
    leaf('first_name', upTo(100, p.firstName)),
    leaf('last_name', upTo(100, p.lastName)),
    leaf('birthdate', p.birthDate && `${p.birthDate}T00:00:00`),
    leaf('nationality1', p.nationality),
    element(
      'phones',
      element(
        'phone',
        ...(p.phone
          ? [
              leaf('tph_contact_type', codes.contact ?? unknownCode),
              leaf('tph_communication_type', codes.communication ?? unknownCode),
              leaf('tph_country_prefix', p.phone.prefix),
              leaf('tph_number', p.phone.number),
            ]
          : []),
      ),
    ),
    leaf('email', p.email !== undefined && plainEmail.test(p.email) ? p.email : undefined),
    comments(
      ['Name', `${p.firstName} ${p.lastName}`, fits(100, p.firstName) && fits(100, p.lastName)],
      ['Telephone', p.phoneNumber ?? '', p.phone !== undefined],
      ['E-mail', p.email ?? '', plainEmail.test(p.email ?? '')],
    ),
    leaf('role', role),
  );

/** @param mine the reporter's client, of which the schema requires more */
export const entity = (name: string, e: StrEntity, codes: StrCodes, mine: boolean) =>
  element(
    name,
    leaf('name', upTo(255, e.name)),
    leaf('incorporation_legal_form', codes.legalForm ?? (mine ? unknownCode : undefined)),
    leaf('incorporation_number', upTo(50, e.registrationNumber ?? '')),
    leaf('business', e.business ?? (mine ? unknown : undefined)),
    mine || e.address
      ? element(
          'addresses',
          element(
            'address',
            leaf('address_type', codes.contact ?? unknownCode),
            leaf('address', e.address?.address ?? unknown),
            leaf('city', e.address?.city ?? unknown),
            leaf('country_code', e.country ?? unknownCode),
          ),
        )
      : undefined,
    leaf('incorporation_country_code', e.country ?? (mine ? unknownCode : undefined)),
    ...e.directors.map((d) => person('director_id', d, codes, codes.directorRole)),
    leaf('tax_number', e.taxNumber),
    comments(
      ['Name', e.name, fits(255, e.name)],
      ['Number in the register', e.registrationNumber ?? '', fits(50, e.registrationNumber)],
    ),
  );

const swift = /^[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?$/;

export const account = (name: string, a: StrAccount) => {
  const bic = a.swift !== undefined && swift.test(a.swift) ? a.swift : undefined;
  return element(
    name,
    leaf('institution_name', upTo(255, a.institution)),
    // One of the two is required; for a wallet, and for a bank that nobody named by its code, none is known.
    bic === undefined ? leaf('institution_code', unknown) : leaf('swift', bic),
    leaf('non_bank_institution', a.bank ? undefined : 'true'),
    leaf('account', upTo(50, a.number)),
    comments(
      ['Institution', a.institution, fits(255, a.institution)],
      ['Account', a.number, fits(50, a.number)],
      ['SWIFT', a.swift ?? '', bic !== undefined],
    ),
  );
};
