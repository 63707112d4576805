// What the message lacks or assumes: each a finding with the action to take, never an invented value.

import { fromWire } from '../../core/ids.ts';
import type { SaidSection } from '../../core/reports/document.ts';
import { code, count, section, text } from '../../core/reports/table.ts';
import { phrase } from '../../core/said.ts';

const kinds = {
  PSP_BIC_MISSING: 'The PSP is named by its account id here: no BIC was given. Ask again with the parameter bic.',
  PAYEE_ACCOUNT_MISSING:
    'No IBAN of the payee is kept: its client id here stands as its account identifier. Put the IBAN in its place where the payee has one.',
  PAYEE_ADDRESS_MISSING: 'No address of the payee is kept, only its country. Add it where your records have one.',
  PAYEE_TAX_ID_FORM:
    'The tax number of the payee has characters, or a length, that the schema has no room for, and was left out.',
  PAYEE_VAT_UNCONFIRMED: 'The VAT number of the payee was not confirmed: it is reported as UNCONFIRMED_VAT.',
  PAYER_BY_CALLER:
    'The Member State of the payer is the countryCode of the transaction: no IBAN, BIC or card number of the payer is kept.',
  CUSTOMER_ELSEWHERE:
    'The countryCode is the country of the payee, and the customer is in another Member State by taxDetails.customerCountry: such payments are not reported, and do not count towards the 25. Look where their payers are.',
  PAYER_PHONE_DIFFERS: 'The telephone number of the payer belongs to another country than the countryCode.',
  PREMISES_NOT_TOLD:
    'Whether the payment began at the premises of the merchant is not kept: false stands for payments over a distance.',
  AMOUNT_ROUNDED: 'The amount has more than two decimals and was rounded: the schema has room for two.',
} as const;

export type FindingCode = keyof typeof kinds;

export class Findings {
  readonly #found = new Map<string, { code: FindingCode; account: string; count: number }>();

  /** @param account the account in wire form */
  add(code: FindingCode, account: string, count = 1): void {
    if (count === 0) return;
    const key = `${code}|${account}`;
    const known = this.#found.get(key);
    if (known) known.count += count;
    else this.#found.set(key, { code, account, count });
  }

  /** @param open API path of an account's records */
  section(open: (account: string) => string): SaidSection {
    const rows = [...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, f]) => f);
    return section(rows, {
      name: 'findings',
      title: 'Findings',
      note: 'What the message lacks, or rests on. Nothing in it is made up.',
      columns: [
        code('code', 'Finding'),
        text('account', 'Account'),
        count('count', 'Count'),
        text('what', 'What it means', (f) => phrase(kinds[f.code])),
      ],
      open: (f) => (fromWire('client', f.account) === undefined ? undefined : open(f.account)),
    });
  }
}
