// The exact keys of lists, in the form in which they are compared. Pure.
import { mailboxOf } from '../../core/players/mailbox.ts';
import { type Said, said } from '../../core/said.ts';
import type { ListedKey } from '../../core/screening/entry.ts';
import { walletText } from '../../platform/wallet-address.ts';
import { networkText } from './networks.ts';

/** A key in the form that is compared: of a wallet its address in any form, of a person's e-mail address its mailbox, as records name it. */
export function keyText({ kind, value }: ListedKey): string {
  const text = value.normalize('NFC').trim();
  switch (kind) {
    case 'wallet':
      return walletText(text);
    case 'msisdn':
      return text.replace(/^\+|^00/, '').replace(/\D/g, '');
    case 'person':
      return mailboxOf(text);
    case 'country':
      return text.toUpperCase();
    default:
      return text.toLowerCase();
  }
}

/** What of a key is in no form that a record has, so that it would match nothing; undefined if it may match. */
export function keyFault(key: ListedKey, countries: readonly { readonly alpha2: string }[]): Said | undefined {
  switch (key.kind) {
    case 'ip':
      return networkText(key.value) === undefined ? said`an ip that is neither an address nor a network` : undefined;
    case 'msisdn':
      return /^[1-9]\d{6,14}$/.test(keyText(key)) ? undefined : said`an msisdn that is no number with its country code`;
    case 'mcc':
      return /^\d{4}$/.test(keyText(key)) ? undefined : said`an mcc that is not four digits`;
    case 'country': {
      const code = keyText(key);
      return countries.some((c) => c.alpha2 === code) ? undefined : said`a country that is no code of two letters`;
    }
    default:
      return undefined;
  }
}
