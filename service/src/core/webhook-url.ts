// Which webhook addresses may be subscribed, as far as the address itself tells. Names are resolved and
// checked again whenever a connection is made.
import { type Refusal, refuse } from './refusal.ts';

const ports = new Set(['', '443', '8443']);

/** The address in its normal form, or why it cannot be used. */
export function checkWebhookUrl(text: string, options: { allowHttp: boolean }): string | Refusal {
  const no = (why: string) => refuse('FIELD_INVALID', `the field 'webhookUrl' ${why}`);
  if (text.length > 2048) return no('is longer than 2048 characters');
  let u: URL;
  try {
    u = new URL(text);
  } catch {
    return no('is not an absolute web address');
  }
  if (u.protocol !== 'https:' && !(options.allowHttp && u.protocol === 'http:'))
    return no(options.allowHttp ? 'must start with https:// or http://' : 'must start with https://');
  if (u.username || u.password) return no('must not carry a user name or password');
  if (u.hash) return no('must not carry a fragment');
  if (!u.hostname) return no('names no host');
  if (!options.allowHttp && !ports.has(u.port)) return no('must use port 443 or 8443');
  if (!options.allowHttp && isInternal(u.hostname)) return no(`names a host that is not public: ${u.hostname}`);
  return u.href;
}

/** Names that are never public, and addresses outside the public ranges. */
export function isInternal(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || /\.(localhost|local|internal|home\.arpa)$/.test(name)) return true;
  if (name.startsWith('[')) return !isPublicV6(name.slice(1, -1));
  return /^\d+\.\d+\.\d+\.\d+$/.test(name) ? !isPublicV4(name) : !name.includes('.');
}

/** Dotted quad, as URL parsing writes every spelling of an IPv4 address. */
export function isPublicV4(address: string): boolean {
  const [a, b, c] = address.split('.').map(Number) as [number, number, number, number];
  return !(
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 192 && b === 88 && c === 99) ||
    (a === 198 && (b === 18 || b === 19)) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113)
  );
}

/** Only 2000::/3, less documentation, Teredo and 6to4; nothing that wraps another address. */
export function isPublicV6(address: string): boolean {
  const a = address.toLowerCase();
  if (!/^[23][0-9a-f]{3}:/.test(a)) return false;
  return !/^(2001:(0{0,3}db8|0{0,4}):|2001::|2002:|3fff:)/.test(a);
}
