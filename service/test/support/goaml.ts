// The structure of a goAML report: the order of its elements, how often each may stand, and the form of its texts. Written
// down from what is published of it: the schema document "goAML Schema 4.0" of UNODC (31 January 2013) and 5.0.1 (25 February
// 2022), and schemas 4.0 of Sri Lanka's and Indonesia's (4.0.2) units and 5.0.2 of that of the United Arab Emirates. Where they
// differ, an element is required if most require it, and a text has the least length. Codes differ by country and are
// checked as codes only; what one country adds (as a state in each address, in the Emirates) is not here.
import type { Element } from '../../src/core/exchange/markup.ts';
import { readXml } from '../../src/platform/xml-elements.ts';

const text = (least: number, most: number) => new RegExp(`^[^]{${least},${most}}$`, 'u');
const forms: Readonly<Record<string, RegExp>> = {
  id: /^[1-9]\d{0,8}$/,
  code: /^\S{1,20}$/,
  kind: /^[EM]$/,
  time: /^(?:1[89]|2\d)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d$/,
  decimal: /^\d+(?:\.\d+)?$/,
  currency: /^[A-Z]{3}$/,
  country: /^(?:[A-Z]{2}|-)$/,
  boolean: /^(?:true|false)$/,
  digits: /^\d{1,50}$/,
  prefix: /^\d{1,4}$/,
  email: /^[_a-zA-Z0-9+-]+(?:\.[_a-zA-Z0-9+-]+)*@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*\.[a-zA-Z]{2,15}$/,
  zeroToTen: /^(?:10|\d)$/,
  bic: text(1, 11),
  t30: text(1, 30),
  t34: text(1, 34),
  t50: text(1, 50),
  t100: text(1, 100),
  t255: text(1, 255),
  t4000: text(0, 4000),
};

const who = [
  'gender:code? title:t30? first_name:t100 middle_name:t100? prefix:t100? last_name:t100 birthdate:time? birth_place:t255?',
  'mothers_name:t100? alias:t100? ssn:t30? passport_number:t255? passport_country:country? id_number:t255?',
  'nationality1:country? nationality2:country? nationality3:country? residence:country? phones:phones?',
  'addresses:addresses? email:email* occupation:t255? employer_name:t255? employer_address_id:address?',
  'employer_phone_id:phone? tax_number:t100? tax_reg_number:t100? source_of_wealth:t255? comments:t4000?',
].join(' ');
const entity = (mine: '' | '?') =>
  [
    `name:t255 commercial_name:t255? incorporation_legal_form:code${mine} incorporation_number:t50? business:t255${mine}`,
    `phones:phones? addresses:addresses${mine} email:email? url:t255? incorporation_state:t255?`,
    `incorporation_country_code:country${mine} director_id:director* incorporation_date:time? tax_number:t100?`,
    'tax_reg_number:t100? comments:t4000?',
  ].join(' ');
const side = (where: 'from' | 'to', mine: string) =>
  [
    `${where}_funds_code:code ${where}_funds_comment:t255? ${where}_foreign_currency:foreign?`,
    `${where}_account:account|${where}_person:person|${where}_entity:entity${mine} ${where}_country:country`,
  ].join(' ');
const paid = (between: string) =>
  [
    'transactionnumber:t50 internal_ref_number:t50? transaction_location:t255? transaction_description:t4000',
    'date_transaction:time teller:t50? authorized:t50? late_deposit:boolean? date_posting:time? value_date:time?',
    `transmode_code:code transmode_comment:t50? amount_local:decimal ${between} comments:t4000?`,
  ].join(' ');

/** Of each type the sequences it may have: names with their types, `|` between alternatives, then `?`, `*` or `+`. */
const types: Readonly<Record<string, readonly string[]>> = {
  report: [
    [
      'rentity_id:id rentity_branch:t255? submission_code:kind report_code:code entity_reference:t255 fiu_ref_number:t255?',
      'submission_date:time currency_code_local:currency reporting_person:person location:address? reason:t4000?',
      'action:t4000? transaction:transaction+|activity:activity report_indicators:indicators',
    ].join(' '),
  ],
  transaction: [
    paid('involved_parties:parties'),
    paid('t_from_my_client:fromMine t_to:to'),
    paid('t_from:from t_to_my_client:toMine'),
  ],
  parties: ['party:party+'],
  party: [
    [
      'role:code person:person|account:account|entity:entity|entity_my_client:entityMine funds_code:code funds_comment:t255?',
      'foreign_currency:foreign? country:country significance:zeroToTen? comments:t4000?',
    ].join(' '),
  ],
  fromMine: [side('from', 'Mine')],
  from: [side('from', '')],
  toMine: [side('to', 'Mine')],
  to: [side('to', '')],
  activity: ['report_parties:reportParties'],
  reportParties: ['report_party:reportParty+'],
  reportParty: ['person:person|account:account|entity:entity significance:zeroToTen? reason:t4000 comments:t4000?'],
  indicators: ['indicator:code+'],
  person: [who],
  director: [`${who} role:code?`],
  entity: [entity('?')],
  entityMine: [entity('')],
  account: [
    [
      'institution_name:t255 institution_code:t50|swift:bic non_bank_institution:boolean? branch:t255? account:t50',
      'currency_code:currency? account_name:t255? iban:t34? client_number:t30? comments:t4000?',
    ].join(' '),
  ],
  foreign: ['foreign_currency_code:currency foreign_amount:decimal foreign_exchange_rate:decimal'],
  addresses: ['address:address+'],
  address: ['address_type:code address:t100 town:t255? city:t255 zip:t30? country_code:country state:t255?'],
  phones: ['phone:phone+'],
  phone: ['tph_contact_type:code tph_communication_type:code tph_country_prefix:prefix tph_number:digits'],
};

function inSequence(e: Element, sequence: string, path: string): string[] {
  const found: string[] = [];
  let at = 0;
  for (const token of sequence.split(' ')) {
    const alternatives = new Map(
      token.split('|').map((a) => {
        const [, name = '', type = '', often = ''] = /^(\w+):(\w+)([?*+]?)$/.exec(a) ?? [];
        return [name, { type, often }];
      }),
    );
    let count = 0;
    for (let next = e.children[at]; next; next = e.children[at]) {
      const fits = alternatives.get(next.name);
      if (!fits || (count > 0 && !/[*+]/.test(fits.often))) break;
      found.push(...faultsOf(next, fits.type, `${path}/${next.name}`));
      at++;
      count++;
    }
    const needed = [...alternatives.values()].some(({ often }) => often === '' || often === '+');
    if (count === 0 && needed)
      found.push(`${path} lacks ${[...alternatives.keys()].join(' or ')} before ${e.children[at]?.name ?? 'its end'}`);
  }
  const rest = e.children[at];
  return rest ? [...found, `${path} has ${rest.name} where it may not stand`] : found;
}

function faultsOf(e: Element, type: string, path: string): string[] {
  const form = forms[type];
  if (form)
    return form.test(e.text) && e.children.length === 0 ? [] : [`${path} is no ${type}: ${e.text.slice(0, 60)}`];
  const tried = (types[type] as readonly string[]).map((sequence) => inSequence(e, sequence, path));
  return tried.toSorted((a, b) => a.length - b.length)[0] as string[];
}

/** What of a report is not as it is published; empty for a sound one. */
export const goamlFaults = (report: Element): string[] =>
  report.name === 'report' ? faultsOf(report, 'report', 'report') : [`the root is ${report.name}`];

export const readGoaml = (xml: string): Element => readXml(xml);
