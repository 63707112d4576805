// Amounts as text: grouped for reading, never turned into a binary number.
const decimals = new Map<string, number>();

/** Decimals of an ISO 4217 currency; none for what is not one, such as a crypto asset. */
function decimalsOf(currency: string): number {
  let known = decimals.get(currency);
  if (known === undefined) {
    try {
      known = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;
    } catch {
      known = 0;
    }
    decimals.set(currency, known);
  }
  return known;
}

/** 1234567.5 in NGN becomes 1,234,567.50; digits beyond the currency's stay. What is no number stays as it is. */
export function groupDigits(amount: string, currency?: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (!parts) return amount;
  const [, sign, whole, fraction = ''] = parts;
  const padded = fraction.padEnd(currency ? decimalsOf(currency) : 0, '0');
  const grouped = (whole as string).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign ? '−' : ''}${grouped}${padded ? `.${padded}` : ''}`;
}

/** Height of a bar or a point, for drawing only; the text beside it is exact. */
export const forDrawing = (amount: string | number): number => Number(amount);
