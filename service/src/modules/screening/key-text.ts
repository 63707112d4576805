// The exact keys of lists, in the form in which they are compared. Pure.
import { mailboxOf } from '../../core/players/mailbox.ts';
import type { ListedKey } from '../../core/screening/entry.ts';
import { walletText } from '../../platform/wallet-address.ts';

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
