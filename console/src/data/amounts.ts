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

/**
 * An amount as people write it, as decimal text: 1,715.23, 1 715,23 and 1715.23 are one. Of two kinds of marks the last
 * one is the decimal mark; one kind alone groups digits where it stands before every three of them and more than once, or
 * is a comma before exactly three. A currency beside it is given apart.
 */
export function readAmount(text: string): { readonly amount: string; readonly currency?: string } | undefined {
  const parts = /^([A-Za-z]{3,5})?\s*([\d.,'’\s]+?)\s*([A-Za-z]{3,5})?$/.exec(text.trim());
  if (!parts) return undefined;
  const [, before, written = '', after] = parts;
  if (before && after) return undefined;
  const digits = written.replace(/['’\s]/g, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const mark = digits[last];
  const other = mark === '.' ? ',' : '.';
  const isGroup =
    mark !== undefined &&
    !digits.includes(other) &&
    (digits.split(mark).length > 2 || (mark === ',' && /^[1-9]\d{0,2},\d{3}$/.test(digits)));
  const [whole, fraction] =
    mark === undefined || isGroup ? [digits, ''] : [digits.slice(0, last), digits.slice(last + 1)];
  if (!/^\d+$|^\d{1,3}([.,]\d{3})+$/.test(whole as string) || !/^\d{0,18}$/.test(fraction as string)) return undefined;
  const plain = (whole as string).replace(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  if (plain.length > 20) return undefined;
  const currency = (before ?? after)?.toUpperCase();
  return { amount: `${plain}${fraction ? `.${fraction}` : ''}`, ...(currency ? { currency } : {}) };
}
