// A suspicious transaction report as goAML XML, the form of UNODC in which the intelligence units of many countries take
// it: elements and their order as its schema has them. Pure; it is given all it says.
import { xmlElement } from '../xml.ts';

export interface StrPerson {
  readonly firstName: string;
  readonly lastName: string;
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
}

export interface StrTransaction {
  readonly id: string;
  readonly ref: string | null;
  readonly description: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** The code of the way of payment in the schema: one letter. */
  readonly mode: string;
  /** Exact decimal text in the report's currency. */
  readonly amountLocal: string;
  /** Where it was made in another currency. */
  readonly foreign: { readonly currency: string; readonly amount: string; readonly rate: string } | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The customer, where it is known; undefined also if it was erased. */
  readonly customer: StrPerson | undefined;
  /** The account or wallet that was paid out to. */
  readonly account: { readonly institution: string; readonly number: string } | undefined;
}

export interface Str {
  /** The number that the intelligence unit gave the reporting entity. */
  readonly reportingEntity: string;
  /** The report's own number. */
  readonly reference: string;
  /** A new report, or one about a transaction that was not made. */
  readonly code: 'STR' | 'SAR';
  readonly at: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly reportedBy: StrPerson;
  readonly reason: string;
  readonly action: string;
  readonly client: {
    readonly name: string;
    readonly registrationNumber: string | null;
    readonly taxNumber: string | null;
    readonly country: string | null;
    readonly business: string | null;
  };
  readonly transactions: readonly StrTransaction[];
  /** Codes of the intelligence unit. */
  readonly indicators: readonly string[];
}

/** An element with further elements; nothing if it has none. */
const element = (name: string, ...inside: readonly (string | undefined)[]): string | undefined => {
  const parts = inside.filter((p) => p !== undefined && p !== '');
  return parts.length === 0 ? undefined : `<${name}>${parts.join('')}</${name}>`;
};
const leaf = (name: string, text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === '' ? undefined : xmlElement(name, text);

/** xs:dateTime without a zone, in UTC. */
const moment = (iso: string): string => iso.slice(0, 19);

const person = (name: string, p: StrPerson) =>
  element(
    name,
    leaf('first_name', p.firstName),
    leaf('last_name', p.lastName),
    element('phones', element('phone', p.phoneNumber && phone(p.phoneNumber))),
    leaf('email', p.email),
  );

const phone = (number: string): string =>
  [leaf('tph_contact_type', 'P'), leaf('tph_communication_type', 'M'), leaf('tph_number', number)].join('');

const clientEntity = (c: Str['client']) =>
  element(
    'entity_my_client',
    leaf('name', c.name),
    leaf('incorporation_number', c.registrationNumber),
    leaf('business', c.business),
    leaf('incorporation_country_code', c.country),
    leaf('tax_number', c.taxNumber),
  );

/** The role of a party: the client, the customer, or where it was paid to. */
const party = (role: string, who: string | undefined, country: string | null) =>
  who === undefined
    ? undefined
    : element('party', leaf('role', role), who, leaf('country', country), leaf('significance', '5'));

const transaction = (s: Str, t: StrTransaction) =>
  element(
    'transaction',
    leaf('transactionnumber', t.id),
    leaf('internal_ref_number', t.ref),
    leaf('transaction_location', t.country),
    leaf('transaction_description', t.description),
    leaf('date_transaction', moment(t.at)),
    leaf('transmode_code', t.mode),
    leaf('amount_local', t.amountLocal),
    element(
      'involved_parties',
      party('C', clientEntity(s.client), s.client.country),
      party('P', t.customer && person('person', t.customer), t.country),
      party(
        'B',
        t.account &&
          element('account', leaf('institution_name', t.account.institution), leaf('account', t.account.number)),
        t.country,
      ),
    ),
    leaf(
      'comments',
      t.foreign && `${t.foreign.amount} ${t.foreign.currency}, at ${t.foreign.rate} ${s.currency} for one`,
    ),
  );

/** The document, complete with its declaration. */
export const strXml = (s: Str): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'report',
    leaf('rentity_id', s.reportingEntity),
    leaf('submission_code', 'E'),
    leaf('report_code', s.code),
    leaf('entity_reference', s.reference),
    leaf('submission_date', moment(s.at)),
    leaf('currency_code_local', s.currency),
    person('reporting_person', s.reportedBy),
    leaf('reason', s.reason),
    leaf('action', s.action),
    ...s.transactions.map((t) => transaction(s, t)),
    element('report_indicators', ...s.indicators.map((i) => leaf('indicator', i))),
  )}\n`;
