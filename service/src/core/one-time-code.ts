// Time-based one-time codes (RFC 6238 over RFC 4226): the time step, its bytes, and the digits of a MAC. Holds no
// secrets; platform/one-time-codes.ts computes the MACs.

export const stepMs = 30_000;
const codeDigits = 6;

/** The time step of a time in milliseconds since the epoch. */
export const stepOf = (now: number): number => Math.floor(now / stepMs);

/** The bytes that are authenticated for a step: 64 bits, most significant first. */
export function bytesOfStep(step: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(step));
  return bytes;
}

/** The digits that stand for a MAC: 31 bits from the place that its last four bits name (RFC 4226, 5.3). */
export function digitsOf(mac: Uint8Array, digits = codeDigits): string {
  const view = new DataView(mac.buffer, mac.byteOffset, mac.byteLength);
  const at = view.getUint8(mac.byteLength - 1) & 15;
  return String((view.getUint32(at) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}
