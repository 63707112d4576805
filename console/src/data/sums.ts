// Adds exact decimals as whole units of their smallest digit, so that a chart's sums are as exact as its rows.

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/** The sum as text; values that are not plain decimals count as zero. */
export function sumOf(amounts: readonly (string | number | null | undefined)[]): string {
  const parts = amounts.flatMap((a) => {
    const found = decimal.exec(String(a ?? ''));
    return found ? [{ negative: found[1] === '-', whole: found[2] as string, fraction: found[3] ?? '' }] : [];
  });
  const digits = Math.max(0, ...parts.map((p) => p.fraction.length));
  let units = 0n;
  for (const { negative, whole, fraction } of parts) {
    const u = BigInt(whole + fraction.padEnd(digits, '0'));
    units += negative ? -u : u;
  }
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = digits ? text.slice(-digits).replace(/0+$/, '') : '';
  return `${units < 0n ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}

/** `part` in percent of `whole`, with one decimal, rounded; undefined if the whole is zero. */
export function percentOf(part: string | number, whole: string | number): string | undefined {
  const units = (text: string, digits: number): bigint => {
    const found = decimal.exec(text);
    const n = BigInt((found?.[2] ?? '0') + (found?.[3] ?? '').padEnd(digits, '0'));
    return found?.[1] === '-' ? -n : n;
  };
  const [p, w] = [String(part), String(whole)];
  const digits = Math.max(...[p, w].map((t) => decimal.exec(t)?.[3]?.length ?? 0));
  const base = units(w, digits);
  if (base <= 0n) return undefined;
  const share = units(p, digits) * 1000n;
  const tenths = (share * 2n + (share < 0n ? -base : base)) / (base * 2n);
  const text = (tenths < 0n ? -tenths : tenths).toString().padStart(2, '0');
  return `${tenths < 0n ? '−' : ''}${text.slice(0, -1)}.${text.slice(-1)}`;
}
