// The networks that an IP address is in, in the form in which lists name them: the address itself and each prefix.
import ipaddr from 'ipaddr.js';

/** Of text that is no address, the text. */
export function networksOf(value: string): string[] {
  const text = value.trim().toLowerCase();
  if (!ipaddr.isValid(text)) return [text];
  const address = ipaddr.process(text);
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  const networks = [address.toString()];
  for (let prefix = bits; prefix >= 8; prefix--) networks.push(`${networkAddress(address, prefix)}/${prefix}`);
  return networks;
}

function networkAddress(address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number): string {
  const bytes = address.toByteArray().map((byte, i) => {
    const kept = Math.max(0, Math.min(8, prefix - i * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return ipaddr.fromByteArray(bytes).toString();
}

/** A network or address in the form that `networksOf` gives; undefined if it is neither. */
export function networkText(value: string): string | undefined {
  const text = value.trim().toLowerCase();
  if (ipaddr.isValid(text)) return ipaddr.process(text).toString();
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const [address, prefix] = ipaddr.parseCIDR(text);
  return `${networkAddress(address, prefix)}/${prefix}`;
}
