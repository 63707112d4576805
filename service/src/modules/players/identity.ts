// The keyed hashes of what a player is known by. Values are normalised as by the operations that record about players,
// and never quoted.
import type { PspId } from '../../core/ids.ts';
import { mailboxOf } from '../../core/players/mailbox.ts';
import { refuse, said } from '../../core/refusal.ts';
import { numberAsSent, readNumber } from '../../platform/completed-numbers.ts';
import type { Needs } from '../kernel/needs.ts';

export const playerIdentities = {
  email: "the customer's e-mail",
  phone: "the customer's telephone number, with + or 00 and the country code",
  document: 'country and number of a document: `document:NL:123456782`',
} as const;
type IdentityKind = keyof typeof playerIdentities;

const document = /^([A-Za-z]{2}):(.{3,60})$/;

/** The forms of a value: as it is, and the mailbox or number that it reaches, if that is written in another way. */
function formsOf(kind: IdentityKind, value: string, country: string | undefined): string[] {
  switch (kind) {
    case 'email':
      return value.includes('@') ? [value, mailboxOf(value)] : [];
    case 'phone':
      // What restricts a player may be stored by the number as it was sent.
      return [readNumber(value, country), numberAsSent(value, country)].flatMap((n) =>
        n?.kind === 'E164' ? n.text : [],
      );
    case 'document': {
      const [, of, number] = document.exec(value) ?? [];
      const digits = number?.replace(/[^\p{L}\p{N}]/gu, '') ?? '';
      return of === undefined || digits === '' ? [] : [`document|${of}|${digits}`];
    }
  }
}

/**
 * The keyed hashes of a value's forms.
 * @returns undefined if it is not a value of its kind
 */
export function playerHash(
  s: Needs<'subjects'>,
  psp: PspId,
  kind: IdentityKind,
  value: string,
  country?: string,
): readonly string[] | undefined {
  const hashes = formsOf(kind, value.trim(), country).map((text) => s.subjects.identify(psp, text).subject);
  return hashes.length === 0 ? undefined : [...new Set(hashes)];
}

const isKind = (text: string): text is IdentityKind => Object.hasOwn(playerIdentities, text);

/** Sorted hashes. @param texts `email:ada@example.com` @throws FIELD_INVALID */
export function playerHashes(s: Needs<'subjects'>, psp: PspId, texts: readonly string[]): string[] {
  const hashes = texts.flatMap((text, i) => {
    const at = text.indexOf(':');
    const kind = text.slice(0, at);
    const hash = at > 0 && isKind(kind) ? playerHash(s, psp, kind, text.slice(at + 1)) : undefined;
    if (hash === undefined)
      throw refuse(
        'FIELD_INVALID',
        said`the field 'subjects[${i}]' must be one of email:, phone: (with + or 00 and the country code) and document: (country, colon, number), with its value`,
      );
    return hash;
  });
  return [...new Set(hashes)].sort();
}

/** The hashes by which the customer of a payment or wager is found, the e-mail's first. */
export const customerHashes = (
  s: Needs<'subjects'>,
  psp: PspId,
  customer: { readonly email: string; readonly phoneNumber?: string | undefined },
  country: string | undefined,
): readonly string[] => {
  const { email, phoneNumber } = customer;
  const byEmail = [email, mailboxOf(email)].map((text) => s.subjects.identify(psp, text).subject);
  const byPhone = phoneNumber === undefined ? [] : (playerHash(s, psp, 'phone', String(phoneNumber), country) ?? []);
  return [...new Set([...byEmail, ...byPhone])];
};
