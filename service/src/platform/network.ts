// The holder of an address, for limits, logs and records.
import ipaddr from 'ipaddr.js';

/** As some proxies name a caller: `192.0.2.7:51034`, `[2001:db8::1]:51034`. */
const withPort = /^(?:([\d.]+):|\[([^\]]+)\]:?)\d*$/;

/** An IPv4 address, or the 64-bit network that one IPv6 holder has; a port beside it is left out. */
export function networkOf(address: string | undefined): string {
  const [, v4, v6] = withPort.exec(address ?? '') ?? [];
  const bare = v4 ?? v6 ?? address;
  if (bare === undefined || !ipaddr.isValid(bare)) return 'unknown';
  const ip = ipaddr.process(bare);
  return ip.kind() === 'ipv4'
    ? ip.toString()
    : `${new ipaddr.IPv6([...ip.toByteArray().slice(0, 8), ...Array<number>(8).fill(0)])}/64`;
}

/** The form for logs and records: not a single person's address, but precise enough to trace its origin. */
export function coarseNetwork(address: string | undefined): string {
  const network = networkOf(address);
  return ipaddr.IPv4.isValid(network) ? `${network.replace(/\.\d+$/, '.0')}/24` : network;
}

/** The form for records; null if the address is unknown. */
export function recordedNetwork(address: string | undefined): string | null {
  const network = coarseNetwork(address);
  return network === 'unknown' ? null : network;
}
