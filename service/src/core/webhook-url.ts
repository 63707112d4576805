// Which webhook addresses may be called: checks on the URL itself, and on the IP addresses its name resolves to.

import { isLoopback, isPublicAddress, isWithin, parseRange } from './public-address.ts';
import { type Said, said } from './said.ts';

export interface WebhookRules {
  /** Allows http, every port, and this machine's own loopback addresses. */
  readonly allowHttp: boolean;
  /** Ranges allowed in addition to the public ones, such as 10.0.0.0/8. */
  readonly allowCidrs: readonly string[];
}

/** Why an address is not called. */
export class WebhookUrlFault {
  readonly reason: 'BAD_URL' | 'ADDRESS_NOT_PUBLIC';
  /** Continues a sentence that begins with what contains the address. */
  readonly why: Said;

  constructor(reason: WebhookUrlFault['reason'], why: Said) {
    this.reason = reason;
    this.why = why;
  }
}

const ports = new Set(['', '443', '8443']);

/** The parsed address, or why it is forbidden. Its name still has to be resolved and each result checked. */
export function readWebhookUrl(text: string, rules: WebhookRules): URL | WebhookUrlFault {
  const bad = (why: Said) => new WebhookUrlFault('BAD_URL', why);
  if (text.length > 2048) return bad(said`is longer than 2048 characters`);
  let u: URL;
  try {
    u = new URL(text);
  } catch {
    return bad(said`is not an absolute web address`);
  }
  if (u.protocol !== 'https:' && !(rules.allowHttp && u.protocol === 'http:'))
    return bad(rules.allowHttp ? said`must start with https:// or http://` : said`must start with https://`);
  if (u.username || u.password) return bad(said`must not carry a user name or password`);
  if (u.hash) return bad(said`must not carry a fragment`);
  if (!u.hostname) return bad(said`names no host`);
  if (!rules.allowHttp && !ports.has(u.port)) return bad(said`must use port 443 or 8443`);
  if (!mayBeCalled(u.hostname, rules))
    return new WebhookUrlFault('ADDRESS_NOT_PUBLIC', said`names a host that is not public: ${u.hostname}`);
  return u;
}

/** Whether a connection to this IP address is allowed. */
export const isAllowedAddress = (address: string, rules: WebhookRules): boolean =>
  isPublicAddress(address) ||
  (rules.allowHttp && isLoopback(address)) ||
  isWithin(
    address,
    rules.allowCidrs.flatMap((text) => parseRange(text) ?? []),
  );

/** The IP address that a URL contains instead of a host name; URL parsing has normalised every spelling. */
export function literalAddress(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

export const isLocalhost = (hostname: string): boolean => /^(.+\.)?localhost\.?$/i.test(hostname);

function mayBeCalled(hostname: string, rules: WebhookRules): boolean {
  const address = literalAddress(hostname);
  if (address !== undefined) return isAllowedAddress(address, rules);
  // If ranges are allowed, a name in an internal network is checked by the addresses it resolves to.
  if (rules.allowCidrs.length > 0) return true;
  return isLocalhost(hostname) ? rules.allowHttp : !isInternalName(hostname);
}

/** Names that never resolve to anything public. */
function isInternalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return !name.includes('.') || /\.(local|internal|home\.arpa)$/.test(name);
}
