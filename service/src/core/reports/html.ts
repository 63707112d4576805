// Texts and figures as HTML. Text is always escaped. Pure.
import type { CellType } from './document.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Direction-changing characters would let a text reorder its neighbours; control characters are not shown. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a page
const unshown = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Escapes text for content and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(unshown, '\ufffd').replace(/[&<>"'`]/g, (c) => entities[c] as string);

/** Longer words get break opportunities. */
export const longestWord = 20;
/** Where a long word is put apart: behind these, such as in the name of a rule. */
export const joints = /(?<=[-_/.:])/u;

/** A long word, apart at its joints; what is still long, such as an id, anywhere. */
const broken = (word: string): string =>
  word
    .split(joints)
    .flatMap((part) => (part.length > longestWord ? (part.match(/.{1,10}/gsu) ?? []) : [part]))
    .map(escapeHtml)
    .join('<wbr>');

/** A text in a table: long words, such as ids, get break opportunities; short ones do not. */
const breakable = (text: string): string =>
  text
    .split(/(\S{21,})/u)
    .map((part, i) => (i % 2 === 0 ? escapeHtml(part) : broken(part)))
    .join('');

/** The id of an account, beneath its name. */
export const idBeneath = (id: string): string => `<small>${breakable(id)}</small>`;

/** How a language writes figures and days. */
export interface Notation {
  readonly group: string;
  readonly point: string;
  readonly percent: string;
  /** A day that begins with YYYY-MM-DD. */
  readonly day: (iso: string) => string;
}

export const notations = {
  en: { group: ',', point: '.', percent: '%', day: (iso) => iso },
  fr: {
    group: '\u202f',
    point: ',',
    percent: '\u202f%',
    day: (iso) => iso.replace(/^(\d{4})-(\d{2})-(\d{2})/, '$3/$2/$1'),
  },
} as const satisfies Record<string, Notation>;

/** A cell as displayed: whole parts in groups of three, every digit kept. */
export function figure(cell: string | null, type: CellType, as: Notation = notations.en): string {
  if (cell === null) return '<span class="none">–</span>';
  if (type === 'text') return breakable(cell);
  if (type === 'time')
    return escapeHtml(
      as
        .day(cell)
        .replace('T', ' ')
        .replace(/(\.\d+)?Z$/, ' UTC'),
    );
  if (type === 'date') return escapeHtml(as.day(cell));
  const [whole = '', fraction] = cell.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, as.group);
  const text = escapeHtml(fraction === undefined ? grouped : `${grouped}${as.point}${fraction}`).replace(/^-/, '−');
  return type === 'percent' ? `${text}${as.percent}` : text;
}
