// The mailbox that an e-mail address reaches, by which a player who writes it in another way is the same player. Pure.

/** Gmail's domains are one, and it reads no dots. */
const gmail = new Set(['gmail.com', 'googlemail.com']);

/** A domain as DNS has it: in small letters and ASCII (RFC 5891), without the dot of the root. What is no domain stays as it is. */
function domainOf(text: string): string {
  if (/[^\p{L}\p{M}\p{N}.-]/u.test(text) || !URL.canParse(`http://${text}`)) return text;
  return new URL(`http://${text}`).hostname.replace(/\.$/, '');
}

/** @returns the address in small letters, without what follows a + before its @ (RFC 5233), and at Gmail without dots */
export function mailboxOf(email: string): string {
  const text = email.normalize('NFC').trim().toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = domainOf(text.slice(at + 1));
  const name = text.slice(0, Math.max(at, 0)).replace(/(?<=.)\+.*$/s, '');
  if (!gmail.has(domain)) return at < 0 ? text : `${name}@${domain}`;
  return `${name.replaceAll('.', '') || name}@gmail.com`;
}
