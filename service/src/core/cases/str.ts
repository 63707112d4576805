// A suspicious report as goAML XML, the form of UNODC in which the intelligence units of many countries take it: elements,
// order and what is required as in its schemas 4 and 5, of transactions (STR) or of an activity (SAR). Pure.
import {
  account,
  comments,
  element,
  entity,
  fits,
  leaf,
  person,
  type StrAccount,
  type StrCodes,
  type StrEntity,
  type StrPerson,
  unknownCode,
} from './goaml-parts.ts';

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

export interface Str {
  /** The number that the intelligence unit gave the reporting entity. */
  readonly reportingEntity: string;
  /** The report's own number. */
  readonly reference: string;
  /** STR reports transactions; SAR an activity: the people and accounts involved, without payments. */
  readonly code: 'STR' | 'SAR';
  readonly at: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly codes: StrCodes;
  readonly reportedBy: StrPerson;
  readonly reason: string;
  readonly action: string;
  readonly client: StrEntity;
  readonly transactions: readonly StrTransaction[];
  /** Codes of the intelligence unit. */
  readonly indicators: readonly string[];
}

/** xs:dateTime without a zone, in UTC. */
const moment = (iso: string): string => iso.slice(0, 19);

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

/** A person, account or entity involved. `write` makes its XML in an element of the given name; undefined if nothing is known of it. */
interface Party {
  /** In a transaction of several parties: who it is, since codes of roles differ by country. */
  readonly role: string;
  /** Name of the element, in a transaction of several parties and in an activity. */
  readonly as: string;
  readonly kind: 'entity' | 'person' | 'account';
  readonly country: string | null;
  write(name: string): string | undefined;
}

const clientOf = (s: Str, t: StrTransaction): Party => ({
  ...{ role: 'The client', as: 'entity_my_client', kind: 'entity', country: s.client.country ?? t.country },
  write: (name) => entity(name, s.client, s.codes, true),
});

function othersOf(s: Str, { customer, account: paidTo, country, out }: StrTransaction): Party[] {
  const parties: Party[] = [];
  const write = (n: string) => (customer ? person(n, customer, s.codes) : undefined);
  if (customer) parties.push({ role: 'Its customer', as: 'person', kind: 'person', country, write });
  if (paidTo)
    parties.push({
      ...{ role: out ? 'Where it was paid to' : 'Where it came from', as: 'account', kind: 'account', country },
      write: (n) => account(n, paidTo),
    });
  return parties;
}

/** One side of a transaction of two: `from` or `to`; the schema marks the side of the reporter's client. */
const side = (s: Str, where: 'from' | 'to', p: Party, mine: boolean, t: StrTransaction) =>
  element(
    `t_${where}${mine ? '_my_client' : ''}`,
    leaf(`${where}_funds_code`, s.codes.funds ?? unknownCode),
    leaf(`${where}_funds_comment`, t.way),
    foreignCurrency(`${where}_foreign_currency`, t),
    p.write(`${where}_${p.kind}`),
    leaf(`${where}_country`, p.country),
  );

/** From whom to whom, if there are two parties; otherwise, or if it is not known who paid, the list of parties. */
function partiesOf(s: Str, t: StrTransaction): (string | undefined)[] {
  const client = clientOf(s, t);
  const [other, ...more] = othersOf(s, t);
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
          leaf('role', s.codes.partyRole ?? unknownCode),
          p.write(p.as),
          leaf('funds_code', s.codes.funds ?? unknownCode),
          leaf('funds_comment', t.way),
          foreignCurrency('foreign_currency', t),
          leaf('country', p.country),
          leaf('significance', '5'),
          leaf('comments', p.role),
        ),
      ),
    ),
  ];
}

const transaction = (s: Str, t: StrTransaction) =>
  element(
    'transaction',
    leaf('transactionnumber', t.id),
    leaf('internal_ref_number', fits(50, t.ref) ? t.ref : undefined),
    leaf('transaction_location', t.country),
    leaf('transaction_description', t.description),
    leaf('date_transaction', moment(t.at)),
    leaf('transmode_code', s.codes.transmode ?? unknownCode),
    leaf('transmode_comment', t.way),
    leaf('amount_local', t.amountLocal),
    ...partiesOf(s, t),
    comments(
      [
        'Amount',
        t.foreign ? `${t.foreign.amount} ${t.foreign.currency}, at ${t.foreign.rate} ${s.currency} for one` : '',
        t.foreign === null,
      ],
      ['Reference', t.ref ?? '', fits(50, t.ref)],
    ),
  );

/** The client, and each other party once, with the transactions it is involved in. */
function activity(s: Str): string | undefined {
  const seen = new Map<string, { readonly what: string; readonly ids: string[] }>();
  for (const t of s.transactions)
    for (const p of othersOf(s, t)) {
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
      party(entity('entity', s.client, s.codes, false), 'Client of the reporting entity'),
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
    leaf('report_code', s.codes.report ?? s.code),
    leaf('entity_reference', s.reference),
    leaf('submission_date', moment(s.at)),
    leaf('currency_code_local', s.currency),
    person('reporting_person', s.reportedBy, s.codes),
    leaf('reason', s.reason),
    leaf('action', s.action),
    ...(s.code === 'SAR' ? [activity(s)] : s.transactions.map((t) => transaction(s, t))),
    element('report_indicators', ...s.indicators.map((i) => leaf('indicator', i))),
  )}\n`;
