// Exact decimals and money. Amounts are integers (bigint) of a scale; binary floats never appear. Callers pass the
// number of decimals: there is no currency table here.

/** An exact decimal: `units / 10^scale`. `parseDecimal` returns the smallest scale that holds the value. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export type Rounding = 'HALF_UP' | 'HALF_EVEN' | 'DOWN';

/** Maximum digits of an amount; PostgreSQL's numeric and the wire hold far more. */
export const MAX_DIGITS = 38;

const powers: bigint[] = [];
for (let i = 0, p = 1n; i <= 80; i++, p *= 10n) powers.push(p);

/** 10^n for n ≥ 0. */
export function pow10(n: number): bigint {
  return powers[n] ?? 10n ** BigInt(n);
}

const numberText = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?0*\d{1,3}))?$/;

/**
 * Reads a JSON number's text exactly.
 * @returns undefined if it is not a number, or has more than 38 significant digits or decimals.
 */
export function parseDecimal(text: string): Decimal | undefined {
  return parseShort(text) ?? parseLong(text);
}

/** Digits with at most one point, at most 15 of them: nearly every amount. A safe integer holds them exactly. */
function parseShort(text: string): Decimal | undefined {
  const length = text.length;
  if (length === 0 || length > 16) return undefined;
  let value = 0;
  let point = -1;
  for (let i = 0; i < length; i++) {
    const c = text.charCodeAt(i);
    if (c >= 48 && c <= 57) value = value * 10 + (c - 48);
    else if (c === 46 && point < 0 && i > 0 && i < length - 1) point = i;
    else return undefined;
  }
  if (length === 16 && point < 0) return undefined;
  let scale = point < 0 ? 0 : length - 1 - point;
  while (scale > 0 && value % 10 === 0) {
    value /= 10;
    scale--;
  }
  return { units: BigInt(value), scale };
}

function parseLong(text: string): Decimal | undefined {
  if (text.length > 128) return undefined;
  const m = numberText.exec(text);
  if (!m) return undefined;
  const fraction = m[3] ?? '';
  let digits = (m[2] as string) + fraction;
  let scale = fraction.length - (m[4] ? Number(m[4]) : 0);
  let end = digits.length;
  while (scale > 0 && end > 0 && digits.charCodeAt(end - 1) === 48) {
    end--;
    scale--;
  }
  digits = digits.slice(0, end);
  if (scale < 0) {
    if (-scale + digits.length > 128) return /^0*$/.test(digits) ? { units: 0n, scale: 0 } : undefined;
    digits += '0'.repeat(-scale);
    scale = 0;
  }
  const units = digits === '' ? 0n : BigInt(digits);
  if (units === 0n) return { units: 0n, scale: 0 };
  if (scale > MAX_DIGITS || digits.replace(/^0+/, '').length > MAX_DIGITS) return undefined;
  return { units: m[1] === '-' ? -units : units, scale };
}

/**
 * Parses a decimal from our own data. Its number of digits is unlimited: a tax on, or a sum of, 38-digit amounts has
 * more digits than they do.
 * @throws on malformed text
 */
export function decimal(text: string): Decimal {
  const d = parseDecimal(text) ?? parsePlain(text);
  if (!d) throw new Error(`not a decimal: ${text}`);
  return d;
}

const plainText = /^(-?)(\d+)(?:\.(\d+))?$/;

function parsePlain(text: string): Decimal | undefined {
  const m = plainText.exec(text);
  if (!m) return undefined;
  const fraction = m[3] ?? '';
  let scale = fraction.length;
  while (scale > 0 && fraction.charCodeAt(scale - 1) === 48) scale--;
  const units = BigInt((m[2] as string) + fraction.slice(0, scale));
  return { units: m[1] === '-' ? -units : units, scale };
}

/** The value in units of `scale`, or undefined if it needs more decimals. */
export function unitsAt(d: Decimal, scale: number): bigint | undefined {
  if (d.scale <= scale) return d.units * pow10(scale - d.scale);
  const divisor = pow10(d.scale - scale);
  return d.units % divisor === 0n ? d.units / divisor : undefined;
}

/** Plain decimal text without exponent; trailing zeros are kept up to `scale`. */
export function formatUnits(units: bigint, scale: number): string {
  if (scale === 0) return units.toString();
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(scale + 1, '0');
  const cut = digits.length - scale;
  return `${negative ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

export function formatDecimal(d: Decimal): string {
  return formatUnits(d.units, d.scale);
}

const isCanonical = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

/** Plain decimal text without trailing zeros: "107.50" and "1.075e2" both give "107.5". */
export function canonicalText(text: string): string {
  if (text.length < 16 && isCanonical.test(text)) return text;
  return formatDecimal(decimal(text));
}

/**
 * A value that JSON.stringify writes as a number equal to the decimal: a plain number if a double round-trips, else the
 * full text as a raw JSON number.
 * @param text plain decimal text
 */
export function wireNumber(text: string): number {
  const n = Number(text);
  const back = String(n);
  if (back === text || back === withoutZeros(text)) return n;
  const canonical = canonicalText(text);
  const reread = parseDecimal(back);
  return reread && formatDecimal(reread) === canonical ? n : JSON.rawJSON(canonical);
}

/** "107.50" → "107.5", "3.00" → "3"; text without a point is unchanged. */
function withoutZeros(text: string): string {
  const point = text.indexOf('.');
  if (point < 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return text.slice(0, end - 1 === point ? point : end);
}

/** Integer division with rounding; `denominator` > 0. */
export function divideRounded(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  if (rounding === 'DOWN') return quotient;
  const remainder = numerator % denominator;
  if (remainder === 0n) return quotient;
  const twice = (remainder < 0n ? -remainder : remainder) * 2n;
  const away = numerator < 0n ? quotient - 1n : quotient + 1n;
  if (twice > denominator) return away;
  if (twice < denominator) return quotient;
  return rounding === 'HALF_UP' || quotient % 2n !== 0n ? away : quotient;
}

/**
 * Splits `total` in proportion to `weights` so that the parts sum to it exactly: every part is rounded down, and the
 * units left over go to the largest remainders, the earlier part first on a tie.
 * @throws if all weights are 0 and total is not
 */
export function allocate(total: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((a, b) => a + b, 0n);
  if (sum === 0n) {
    if (total !== 0n) throw new Error('cannot share an amount over no weights');
    return weights.map(() => 0n);
  }
  const parts = weights.map((w) => (total * w) / sum);
  let left = total - parts.reduce((a, b) => a + b, 0n);
  const order = weights
    .map((w, i) => ({ i, remainder: (total * w) % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.i - b.i : a.remainder > b.remainder ? -1 : 1));
  for (const { i } of order) {
    if (left === 0n) break;
    parts[i] = (parts[i] as bigint) + 1n;
    left--;
  }
  return parts;
}

/** A number token of a request: its exact text, never a double. */
export class Numeral {
  readonly text: string;
  #decimal: Decimal | undefined | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** The exact value; undefined if it has more than 38 digits. */
  get decimal(): Decimal | undefined {
    if (this.#decimal === null) this.#decimal = parseDecimal(this.text);
    return this.#decimal;
  }

  /** Written as a number wherever a request's value is stored as JSON. */
  toJSON(): number {
    return this.decimal ? wireNumber(formatDecimal(this.decimal)) : JSON.rawJSON(this.text);
  }
}

/** A fraction of bigints, for rates that compound. */
export interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}

const ratios = new Map<string, Ratio>();

/** A decimal as a fraction. Rates are few and used often, so they are cached. */
export function ratio(text: string): Ratio {
  let r = ratios.get(text);
  if (!r) {
    const d = decimal(text);
    r = { n: d.units, d: pow10(d.scale) };
    if (ratios.size >= 10_000) ratios.clear();
    ratios.set(text, r);
  }
  return r;
}

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export const addRatio = (a: Ratio, b: Ratio): Ratio =>
  a.d === b.d ? { n: a.n + b.n, d: a.d } : { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
export const mulRatio = (a: Ratio, b: Ratio): Ratio => ({ n: a.n * b.n, d: a.d * b.d });
