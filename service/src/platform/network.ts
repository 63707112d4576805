// Whose an address is, as far as limits, logs and records are concerned.
import ipaddr from 'ipaddr.js';

/** An IPv4 address, or the network of 64 bits that one holder of IPv6 has to himself. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const ip = ipaddr.process(address);
  return ip.kind() === 'ipv4'
    ? ip.toString()
    : `${new ipaddr.IPv6([...ip.toByteArray().slice(0, 8), ...Array<number>(8).fill(0)])}/64`;
}

/** As logs and records have it: no single person's address, and enough to follow who it was. */
export function coarseNetwork(address: string | undefined): string {
  const network = networkOf(address);
  return ipaddr.IPv4.isValid(network) ? `${network.replace(/\.\d+$/, '.0')}/24` : network;
}

/** As records have it; null where the address is not known. */
export function recordedNetwork(address: string | undefined): string | null {
  const network = coarseNetwork(address);
  return network === 'unknown' ? null : network;
}
