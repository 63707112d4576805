// How wide a table of a report is in print, estimated from its texts: upright, in landscape, or in landscape with small
// type. Page-style.ts has the sizes that belong to each. Pure.
import type { ReportSection } from './document.ts';
import { joints, longestWord } from './html.ts';

/** Text of about this many characters is comfortable to read in a column. */
const comfortable = 16;
/** Width of a character in a broad typeface, and the padding of a cell, in the height of the type. */
const character = 0.62;
const padding = 1;
/** What fits, in the height of the type: 182 mm at 9 pt, and 273 mm at 7.5 pt. */
const upright = 57;
const landscape = 103;

const word = (text: string): number =>
  Math.max(
    ...text
      .split(/\s+|(?<=-)/u)
      .flatMap((w) => (w.length > longestWord ? w.split(joints) : [w]))
      .map((w) => (w.length > longestWord ? 10 : w.length)),
  );
/** Separators of thousands stand between groups of three digits. */
const digits = (text: string): number =>
  text.length + Math.floor(Math.max(0, (text.split('.')[0] ?? '').length - 1) / 3);

/** @returns the classes of the section */
export function layoutOf(s: ReportSection): '' | 'broad' | 'broad fine' {
  let width = 0;
  for (const [i, c] of s.columns.entries()) {
    let most = word(c.title);
    const isText = c.type === 'text';
    for (const row of s.rows) {
      const cell = row.cells[i];
      if (cell === null || cell === undefined) continue;
      if (c.type === 'time') most = Math.max(most, 12);
      else most = Math.max(most, isText ? Math.max(word(cell), Math.min(cell.length, comfortable)) : digits(cell));
    }
    width += most * character + padding;
  }
  if (width <= upright) return '';
  return width <= landscape ? 'broad' : 'broad fine';
}
