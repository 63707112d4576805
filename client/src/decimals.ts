// Exact decimals in JSON: written as the text they were given as, read as the text in the source. Uses JSON source text
// access (rawJSON, context.source) where the runtime has it; the fallbacks do the same on text.

interface SourceText {
  rawJSON?(text: string): unknown;
}

const form = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * JSON of a body in which decimals given as text are written as numbers.
 * @param rawJson the runtime's; null for the fallback
 */
export function writeJson(
  body: unknown,
  decimals: readonly string[] = [],
  rawJson: SourceText['rawJSON'] | null = (JSON as SourceText).rawJSON,
): string {
  if (decimals.length === 0) return JSON.stringify(body);
  const names = new Set(decimals);
  if (rawJson) return JSON.stringify(convert(body, '', names, rawJson));
  const marker = unusedIn(JSON.stringify(body));
  return JSON.stringify(convert(body, '', names, (text) => `${marker}${text}`)).replaceAll(
    new RegExp(`"${marker}([^"]+)"`, 'g'),
    '$1',
  );
}

function convert(value: unknown, name: string, names: ReadonlySet<string>, raw: (text: string) => unknown): unknown {
  // JSON has no such number: it would be written as null, as if it had been left out.
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${name}: ${value} is no number`);
  if (typeof value === 'string') {
    if (!names.has(name)) return value;
    if (!form.test(value)) throw new TypeError(`${name}: '${value}' is no decimal number; write it like 12.50`);
    return raw(value);
  }
  if (Array.isArray(value)) return value.map((v) => convert(v, `${name}[]`, names, raw));
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  const anyName = names.has(`${name}.*`) ? `${name}.*` : undefined;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, convert(v, anyName ?? k, names, raw)]));
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Whether JSON.parse passes its reviver the source text of a number. */
export const knowsSource = ((): boolean => {
  let source: string | undefined;
  parse('1.0', (_key, value, context) => {
    source = context?.source;
    return value;
  });
  return source === '1.0';
})();

/** Parses JSON with every number as its exact text without an exponent, except the named integers. */
export function readExact(text: string, integers: readonly string[] = [], native = knowsSource): unknown {
  const counts = new Set(integers);
  if (native)
    return parse(text, (key, value, context) =>
      typeof value === 'number' && !counts.has(key) ? plain(context?.source ?? String(value)) : value,
    );
  const marker = unusedIn(text);
  const marked = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"${marker}${token}"`,
  );
  return parse(marked, (key, value) => {
    if (typeof value !== 'string' || !value.startsWith(marker)) return value;
    const number = value.slice(marker.length);
    return counts.has(key) ? Number(number) : plain(number);
  });
}

/** 1e-7 is 0.0000001: amounts are shown and added by their digits. An exponent beyond reason stays as it is. */
function plain(number: string): string {
  const [digits = '', exponent] = number.toLowerCase().split('e');
  const by = Number(exponent ?? 0);
  if (exponent === undefined || Math.abs(by) > 400) return number;
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const point = whole.length + by;
  const all = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${fraction}`.padEnd(point, '0');
  const at = Math.max(1, point);
  const rest = all.slice(at);
  return `${digits.startsWith('-') ? '-' : ''}${all.slice(0, at).replace(/^0+(?=\d)/, '')}${rest ? `.${rest}` : ''}`;
}

/** Letters that do not occur in a text. */
function unusedIn(text: string): string {
  let marker = 'number';
  while (text.includes(marker)) marker += 'x';
  return `${marker}:`;
}

/** Below, at or above zero as `a` is less than, equal to or more than `b`, exactly. @throws TypeError for what is no decimal number */
export function compareDecimals(a: number | string, b: number | string): number {
  const [x, y] = [partsOf(a), partsOf(b)];
  const scale = Math.max(x.scale, y.scale);
  const difference = x.units * 10n ** BigInt(scale - x.scale) - y.units * 10n ** BigInt(scale - y.scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function partsOf(given: number | string): { units: bigint; scale: number } {
  const text = String(given);
  if (!form.test(text)) throw new TypeError(`'${text.slice(0, 60)}' is no decimal number; write it like 12.50`);
  const [digits = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > 400) throw new TypeError(`'${text.slice(0, 60)}' is beyond reason`);
  const units = BigInt(whole + fraction);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}
