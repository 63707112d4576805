// Completes telephone numbers without + or 00, as switches write them, to E.164, by the numbering plans of
// libphonenumber-js. Called for millions of numbers, so results are cached for all numbers with the same first digits.
import { type CountryCode, isSupportedCountry, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { type Party, readParty } from '../core/cdr/fields.ts';

/** Number of leading digits a reading may depend on. */
const leading = 8;
const mostKept = 100_000;

/** The prefix to add, and how many digits it replaces. */
interface Completion {
  readonly prefix: string;
  readonly drop: number;
}
const kept = new Map<string, Completion | undefined>();

/**
 * Digits with two possible readings are international if the country's own numbers begin with the trunk prefix 0 and
 * these do not, else national.
 * @param digits 7 to 15 decimal digits
 * @param country ISO 3166-1 alpha-2 of the account; without it no number is national
 * @returns E.164 with +; undefined if no numbering plan has such a number
 */
export function completeNumber(digits: string, country: string | undefined): string | undefined {
  const home = country !== undefined && isSupportedCountry(country) ? country : undefined;
  const key = `${home ?? ''}|${digits.slice(0, leading)}|${digits.length}`;
  if (!kept.has(key)) {
    if (kept.size >= mostKept) kept.clear();
    // The other digits do not distinguish plans; one fills in for all, so that the result depends only on the key.
    kept.set(key, completion(digits.slice(0, leading).padEnd(digits.length, '2'), home));
  }
  const found = kept.get(key);
  return found && `+${found.prefix}${digits.slice(found.drop)}`;
}

/**
 * A telephone number as people write it: with spaces, brackets and dashes, in digits of any script, with the trunk prefix after the
 * country code (`+44 (0)20 …`), an extension or `tel:`.
 * @param country ISO 3166-1 alpha-2, for a number without its country code
 */
export function readNumber(text: string, country?: string): Party | undefined {
  const known = numberAsSent(text, country);
  if (known !== undefined && known.kind !== 'E164') return known;
  const home = country !== undefined && isSupportedCountry(country) ? { defaultCountry: country } : {};
  const written = known?.text ?? text.normalize('NFKC').trim().replace(/^tel:/i, '');
  const full = parsePhoneNumberFromString(written, { ...home, extract: false });
  return full?.isValid() ? { ...known, text: full.number, kind: 'E164' } : known;
}

/** The same, of a number without all that people add to it. */
export const numberAsSent = (text: string, country?: string): Party | undefined =>
  readParty(text.replace(/[\s().-]/g, ''), (digits) => completeNumber(digits, country));

function completion(digits: string, home: CountryCode | undefined): Completion | undefined {
  const plain = digits.startsWith('0') ? undefined : parsePhoneNumberFromString(`+${digits}`);
  const international = plain?.number === `+${digits}` ? plain : undefined;
  const parsed = home && parsePhoneNumberFromString(digits, home);
  const national = parsed?.isValid() ? difference(digits, parsed.number.slice(1)) : undefined;
  const asItIs = { prefix: '', drop: 0 };
  if (international?.isValid() && (home === undefined || trunkPrefixOf(home) === '0')) return asItIs;
  return national ?? (international?.isPossible() ? asItIs : undefined);
}

function trunkPrefixOf(country: CountryCode): string | undefined {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  // The library's types omit this method.
  const plan = metadata.numberingPlan as unknown as { nationalPrefix(): string | null } | undefined;
  return plan?.nationalPrefix() ?? undefined;
}

/** How one becomes the other; undefined if more than the leading digits would change. */
function difference(digits: string, full: string): Completion | undefined {
  for (let drop = 0; drop <= Math.min(leading, digits.length); drop++) {
    const rest = digits.slice(drop);
    if (full.endsWith(rest)) return { prefix: full.slice(0, full.length - rest.length), drop };
  }
  return undefined;
}
