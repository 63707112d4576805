// Amounts as text: digits grouped for reading, never converted to a binary number.
import { locale } from '../words/language.ts';
import { say } from '../words/words.ts';

const decimals = new Map<string, number>();

/** Decimals of an ISO 4217 currency; 0 for others, such as crypto assets. */
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

/** The marks between digits in a language, as its browser writes them. */
export function marksOf(of: string): { readonly group: string; readonly decimal: string } {
  const parts = new Intl.NumberFormat(of, { minimumFractionDigits: 1 }).formatToParts(1_234_567);
  const markOf = (type: 'group' | 'decimal') => parts.find((p) => p.type === type)?.value ?? '';
  return { group: markOf('group'), decimal: markOf('decimal') };
}
const marks = marksOf(locale);

/**
 * 1234567.5 in NGN becomes 1,234,567.50; digits beyond the currency's decimals stay. Text that is not a number is
 * returned unchanged.
 */
export function groupDigits(amount: string, currency?: string): string {
  const parts = /^([-−]?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (!parts) return amount;
  const [, sign, whole, fraction = ''] = parts;
  const padded = fraction.padEnd(currency ? decimalsOf(currency) : 0, '0');
  const grouped = (whole as string).replace(/\B(?=(\d{3})+$)/g, marks.group);
  return `${sign ? '−' : ''}${grouped}${padded ? `${marks.decimal}${padded}` : ''}`;
}

/** A share with its sign: 7.5 becomes 7.5%. */
export const percent = (share: string | number): string => say('{share}%', { share: groupDigits(String(share)) });

/** Height of a bar or point, for drawing only; the text beside it is exact. */
export const forDrawing = (amount: string | number): number => Number(amount);

/**
 * Reads a typed amount as decimal text: 1,715.23, 1 715,23 and 1715.23 are equal. If two kinds of marks occur, the last
 * one is the decimal mark; a single kind groups digits if it precedes every three of them and occurs more than once, or
 * is a comma before exactly three in a language whose decimal mark is another one. A currency beside it is returned
 * separately.
 * @param decimal the decimal mark of the language
 */
export function readAmount(
  text: string,
  decimal = marks.decimal,
): { readonly amount: string; readonly currency?: string } | undefined {
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
    (digits.split(mark).length > 2 || (mark === ',' && decimal !== ',' && /^[1-9]\d{0,2},\d{3}$/.test(digits)));
  const [whole, fraction] =
    mark === undefined || isGroup ? [digits, ''] : [digits.slice(0, last), digits.slice(last + 1)];
  if (!/^\d+$|^\d{1,3}([.,]\d{3})+$/.test(whole as string) || !/^\d{0,18}$/.test(fraction as string)) return undefined;
  const plain = (whole as string).replace(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  if (plain.length > 20) return undefined;
  const currency = (before ?? after)?.toUpperCase();
  return { amount: `${plain}${fraction ? `.${fraction}` : ''}`, ...(currency ? { currency } : {}) };
}

/** A number typed in a form as decimal text, exactly: 7,5 as 7.5; text that is no number is returned trimmed. */
export function plainNumber(text: string, decimal = marks.decimal): string {
  const typed = text.trim();
  const [, sign = '', digits = typed] = /^([-−])?\s*(.*)$/.exec(typed) ?? [];
  if (/^\d+(\.\d+)?$/.test(digits)) return `${sign && '-'}${digits}`;
  const read = readAmount(digits, decimal);
  return read && !read.currency ? `${sign && '-'}${read.amount}` : typed;
}

/** Reads a typed currency code; undefined if it is none. */
export const readCode = (text: string): string | undefined =>
  /^[a-z]{3,10}$/i.test(text) ? text.toUpperCase() : undefined;

/** NGN 1315.4 as an amount is read, also one of several: 1,315.40 NGN, 0.5 ETH. Other facts stay as they are. */
export function amountsInWords(value: string): string {
  const one = /^([A-Z][A-Z\d]{2,9}) (-?\d+(?:\.\d+)?)$/;
  const parts = value.split(', ');
  if (!parts.every((part) => one.test(part))) return value;
  return parts
    .map((part) => part.replace(one, (_, currency, amount) => `${groupDigits(amount, currency)} ${currency}`))
    .join(', ');
}
