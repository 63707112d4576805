// What somebody who types into the search may mean: an id, the beginning of a ref, an amount, words of a name, a person, a
// case. Pure; finds nothing itself.
import { anyFromWire, type IdKind } from '../ids.ts';

export interface SearchTerms {
  /** The text without spaces around it. */
  readonly text: string;
  readonly id?: { readonly kind: IdKind; readonly id: string };
  /** Decimal text, with a currency if one is beside it. */
  readonly amount?: { readonly amount: string; readonly currency?: string };
  /** Words of a name, as they are written. */
  readonly words: readonly string[];
  /** The kinds of value that identify a person which the text may be. */
  readonly person: readonly PersonTerm[];
  readonly caseNumber?: number;
  /** Id of a request, as in the header of its answer. */
  readonly request?: string;
}

type PersonTerm = 'customer' | 'msisdn' | 'wallet' | 'chainHash' | 'ip';

const mostWords = 6;
const requestForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function readTerms(typed: string): SearchTerms {
  const text = typed.trim();
  const id = anyFromWire(text);
  const amount = readAmount(text);
  const number = /^(?:case\s*)?(?:no\.?\s*|#\s*)?(\d{1,9})$/i.exec(text)?.[1];
  return {
    text,
    ...(id ? { id } : {}),
    ...(amount ? { amount } : {}),
    words: wordsOf(text),
    person: personTerms(text),
    ...(number === undefined ? {} : { caseNumber: Number(number) }),
    ...(requestForm.test(text) ? { request: text.toLowerCase() } : {}),
  };
}

/** Letters and digits between anything else, as the index of names has them. */
function wordsOf(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, mostWords);
}

function personTerms(text: string): PersonTerm[] {
  if (/\s/.test(text) && !/^[+0][\d\s().-]+$/.test(text)) return [];
  if (text.includes('@')) return /^[^@\s]+@[^@\s]+$/.test(text) ? ['customer'] : [];
  const digits = text.replace(/\D/g, '').length;
  if (/^(\+|00)[\d\s().-]+$/.test(text)) return digits >= 7 && digits <= 17 ? ['msisdn'] : [];
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text) || /^[0-9a-f]*:[0-9a-f:]+$/i.test(text)) return ['ip'];
  return /^[\w:-]{20,120}$/.test(text) && /\d/.test(text) ? ['wallet', 'chainHash'] : [];
}

/**
 * 1,715.23 KES, NGN 1 715,23 and 1715.23 are amounts. If both marks occur, the last is the decimal one. A single kind of
 * mark groups digits if it occurs more than once, or is a comma before exactly three digits.
 */
function readAmount(text: string): { readonly amount: string; readonly currency?: string } | undefined {
  const parts = /^([a-z]{3,5} ?)?(\d[\d.,'’ ]{0,40}?)( ?[a-z]{3,5})?$/i.exec(text.replaceAll(/\s+/g, ' '));
  const [, before, written = '', after] = parts ?? [];
  if (!parts || (before && after)) return undefined;
  const digits = written.replaceAll(/['’ ]/g, '');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const mark = digits[last];
  const kinds = new Set(digits.replaceAll(/\d/g, '')).size;
  const groups =
    mark !== undefined &&
    kinds === 1 &&
    (digits.split(mark).length > 2 || (mark === ',' && /^\d{1,3},\d{3}$/.test(digits)));
  const [whole, fraction] =
    mark === undefined || groups ? [digits, ''] : [digits.slice(0, last), digits.slice(last + 1)];
  if (!/^(\d+|\d{1,3}([.,]\d{3})+)$/.test(whole) || !/^\d{0,18}$/.test(fraction)) return undefined;
  const plain = whole.replaceAll(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  if (plain.length > 20) return undefined;
  const currency = (before ?? after)?.trim().toUpperCase();
  return { amount: fraction === '' ? plain : `${plain}.${fraction}`, ...(currency ? { currency } : {}) };
}
