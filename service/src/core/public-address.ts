// Which IP addresses are public, and which are in a range that an operator configured.

interface Address {
  readonly width: 32 | 128;
  readonly value: bigint;
}

export interface AddressRange extends Address {
  /** Number of leading bits that must match. */
  readonly prefix: number;
}

/** Accepts decimal or hexadecimal notation without a zone; undefined for everything else. */
function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) {
    const value = parseV4(text);
    return value === undefined ? undefined : { width: 32, value };
  }
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map(groupsOf);
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail];
  if (!groups.every((g) => /^[0-9a-f]{1,4}$/i.test(g))) return undefined;
  return { width: 128, value: groups.reduce((sum, g) => (sum << 16n) | BigInt(`0x${g}`), 0n) };
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((p) => /^(0|[1-9]\d{0,2})$/.test(p) && Number(p) <= 255)) return undefined;
  return parts.reduce((sum, p) => (sum << 8n) | BigInt(p), 0n);
}

/** The groups on one side of '::'; an IPv4 address at the end counts as two. */
function groupsOf(text: string): string[] {
  if (text === '') return [];
  const groups = text.split(':');
  const v4 = parseV4(groups.at(-1) as string);
  return v4 === undefined ? groups : [...groups.slice(0, -1), (v4 >> 16n).toString(16), (v4 & 0xffffn).toString(16)];
}

/** A range such as 10.0.0.0/8 or fd00::/8; undefined if the text is not a range. */
export function parseRange(text: string): AddressRange | undefined {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const parsed = parseAddress(address);
  const prefix = Number(bits);
  return parsed && prefix <= parsed.width ? { ...parsed, prefix } : undefined;
}

const isIn = (a: Address, r: AddressRange): boolean => {
  const rest = BigInt(r.width - r.prefix);
  return a.width === r.width && a.value >> rest === r.value >> rest;
};

export function isWithin(address: string, ranges: readonly AddressRange[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && ranges.some((r) => isIn(parsed, r));
}

const ranges = (list: readonly string[]) => list.map((text) => parseRange(text) as AddressRange);

// The special ranges in IANA's registries, and addresses outside them that still lead to internal services.
const special = ranges([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's host agent: a public address that every virtual machine reaches within its host
  '169.254.0.0/16', // link-local; clouds serve a machine's credentials here
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // measurements
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved
  '2001::/23', // protocol assignments, among them Teredo, which wraps an IPv4 address
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which wraps an IPv4 address
  '3fff::/20', // documentation
]);
// Public IPv6 addresses come from this range only; addresses that wrap or translate IPv4 are outside it.
const assigned = ranges(['0.0.0.0/0', '2000::/3']);
const loopback = ranges(['127.0.0.0/8', '::1/128']);

/** Whether the address may belong to anyone on the Internet. Text that is not an address is not public. */
export const isPublicAddress = (address: string): boolean => isWithin(address, assigned) && !isWithin(address, special);

export const isLoopback = (address: string): boolean => isWithin(address, loopback);
