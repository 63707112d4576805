// A suspicious report as goAML XML, the form of UNODC in which the intelligence units of many countries take it: elements
// and their order as its schema 4 has them, of transactions (STR) or of an activity (SAR). Pure; it is given all it says.
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
  /** Whether the client paid; otherwise it was paid. */
  readonly out: boolean;
  /** How it was paid, in words: the codes of ways of payment and of funds differ by country. */
  readonly way: string;
  /** Exact decimal text in the report's currency. */
  readonly amountLocal: string;
  /** Where it was made in another currency, or in an asset that has no code in ISO 4217. */
  readonly foreign: {
    readonly currency: string;
    readonly amount: string;
    readonly rate: string;
    readonly iso: boolean;
  } | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The customer, where it is known; undefined also if it was erased. */
  readonly customer: StrPerson | undefined;
  /** The account or wallet that was paid out to. */
  readonly account: StrAccount | undefined;
}

export interface StrAccount {
  readonly institution: string;
  readonly number: string;
  /** Whether a bank keeps it; a wallet is kept by none. */
  readonly bank: boolean;
}

export interface Str {
  /** The number that the intelligence unit gave the reporting entity. */
  readonly reportingEntity: string;
  /** The report's own number. */
  readonly reference: string;
  /** Of transactions, or of an activity: who took part, and not what was paid. */
  readonly code: 'STR' | 'SAR';
  readonly at: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Of the intelligence unit: how transactions were conducted, and what was paid with. */
  readonly codes: { readonly transmode: string; readonly funds: string };
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

const entity = (name: string, c: Str['client']) =>
  element(
    name,
    leaf('name', c.name),
    leaf('incorporation_number', c.registrationNumber),
    leaf('business', c.business),
    leaf('incorporation_country_code', c.country),
    leaf('tax_number', c.taxNumber),
  );

const account = (name: string, a: StrAccount) =>
  element(
    name,
    leaf('institution_name', a.institution),
    leaf('non_bank_institution', a.bank ? undefined : 'true'),
    leaf('account', a.number),
  );

/** What was paid, where it was in another currency of ISO 4217. */
const foreignCurrency = (name: string, t: StrTransaction) =>
  t.foreign?.iso
    ? element(
        name,
        leaf('foreign_currency_code', t.foreign.currency),
        leaf('foreign_amount', t.foreign.amount),
        leaf('foreign_exchange_rate', t.foreign.rate),
      )
    : undefined;

/** One who took part: `write` puts him into an element of the name it is given. */
interface Party {
  /** In a transaction of several parties: client, person, or beneficiary. */
  readonly role: string;
  /** Name of the element, in a transaction of several parties and in an activity. */
  readonly as: string;
  readonly kind: 'entity' | 'person' | 'account';
  readonly country: string | null;
  write(name: string): string | undefined;
}

const clientOf = (s: Str, t: StrTransaction): Party => ({
  ...{ role: 'C', as: 'entity_my_client', kind: 'entity', country: s.client.country ?? t.country },
  write: (name) => entity(name, s.client),
});

function othersOf({ customer, account: paidTo, country }: StrTransaction): Party[] {
  return [
    ...(customer
      ? [{ role: 'P', as: 'person', kind: 'person' as const, country, write: (n: string) => person(n, customer) }]
      : []),
    ...(paidTo
      ? [{ role: 'B', as: 'account', kind: 'account' as const, country, write: (n: string) => account(n, paidTo) }]
      : []),
  ];
}

/** One side of a transaction of two: `from` or `to`; the schema marks the side of the reporter's client. */
const side = (s: Str, where: 'from' | 'to', p: Party, mine: boolean, t: StrTransaction) =>
  element(
    `t_${where}${mine ? '_my_client' : ''}`,
    leaf(`${where}_funds_code`, s.codes.funds),
    leaf(`${where}_funds_comment`, t.way),
    foreignCurrency(`${where}_foreign_currency`, t),
    p.write(`${where}_${p.kind}`),
    leaf(`${where}_country`, p.country),
  );

/** Who paid whom, where two took part; a list of those who did, where it is not known or there are more. */
function partiesOf(s: Str, t: StrTransaction): (string | undefined)[] {
  const client = clientOf(s, t);
  const [other, ...more] = othersOf(t);
  if (other && more.length === 0)
    return t.out
      ? [side(s, 'from', client, true, t), side(s, 'to', other, false, t)]
      : [side(s, 'from', other, false, t), side(s, 'to', client, true, t)];
  return [
    element(
      'involved_parties',
      ...[client, ...(other ? [other] : []), ...more].map((p) =>
        element(
          'party',
          leaf('role', p.role),
          p.write(p.as),
          foreignCurrency('foreign_currency', t),
          leaf('country', p.country),
          leaf('significance', '5'),
        ),
      ),
    ),
  ];
}

const transaction = (s: Str, t: StrTransaction) =>
  element(
    'transaction',
    leaf('transactionnumber', t.id),
    leaf('internal_ref_number', t.ref),
    leaf('transaction_location', t.country),
    leaf('transaction_description', t.description),
    leaf('date_transaction', moment(t.at)),
    leaf('transmode_code', s.codes.transmode),
    leaf('transmode_comment', t.way),
    leaf('amount_local', t.amountLocal),
    ...partiesOf(s, t),
    leaf(
      'comments',
      t.foreign && `${t.foreign.amount} ${t.foreign.currency}, at ${t.foreign.rate} ${s.currency} for one`,
    ),
  );

/** The client, and each other party once, with the transactions it took part in. */
function activity(s: Str): string | undefined {
  const seen = new Map<string, { readonly what: string; readonly ids: string[] }>();
  for (const t of s.transactions)
    for (const p of othersOf(t)) {
      const what = p.write(p.kind) ?? '';
      const found = seen.get(what) ?? { what, ids: [] };
      found.ids.push(t.id);
      seen.set(what, found);
    }
  const party = (what: string | undefined, reason: string) =>
    element('report_party', what, leaf('significance', '5'), leaf('reason', reason));
  return element(
    'activity',
    element(
      'report_parties',
      party(entity('entity', s.client), 'Client of the reporting entity'),
      ...[...seen.values()].map(({ what, ids }) =>
        party(what, `Took part in ${ids.length}, among them ${ids.slice(0, mostNamed).join(', ')}`),
      ),
    ),
  );
}
/** The schema allows 4,000 characters of a reason. */
const mostNamed = 100;

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
    ...(s.code === 'SAR' ? [activity(s)] : s.transactions.map((t) => transaction(s, t))),
    element('report_indicators', ...s.indicators.map((i) => leaf('indicator', i))),
  )}\n`;
