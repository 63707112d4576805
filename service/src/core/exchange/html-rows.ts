// Reads the rows of the tables in a page, as far as published rates need it: cells of plain text. Never follows anything
// else of a page.

export interface HtmlRow {
  /** Offset in the text. */
  readonly at: number;
  /** Text of its cells, trimmed, without the tags in them. */
  readonly cells: readonly string[];
}

/** Text without tags, with single spaces. */
function plain(html: string): string {
  let text = '';
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    text += html.slice(at, open < 0 ? html.length : open);
    const close = open < 0 ? -1 : html.indexOf('>', open);
    at = close < 0 ? html.length : close + 1;
  }
  return text
    .replaceAll('&nbsp;', ' ')
    .split(/\s/)
    .filter((w) => w !== '')
    .join(' ');
}

function cellsOf(row: string): string[] {
  const cells: string[] = [];
  for (let at = 0; ; ) {
    const next = ['<td', '<th'].map((tag) => row.indexOf(tag, at)).filter((n) => n >= 0);
    if (next.length === 0) return cells;
    const begin = row.indexOf('>', Math.min(...next));
    if (begin < 0) return cells;
    const end = row.indexOf('</t', begin);
    cells.push(plain(row.slice(begin + 1, end < 0 ? row.length : end)));
    at = end < 0 ? row.length : end + 1;
  }
}

export function htmlRows(page: string): HtmlRow[] {
  const rows: HtmlRow[] = [];
  for (let at = 0; ; ) {
    const begin = page.indexOf('<tr', at);
    if (begin < 0) return rows;
    const end = page.indexOf('</tr', begin);
    rows.push({ at: begin, cells: cellsOf(page.slice(begin + 3, end < 0 ? page.length : end)) });
    at = end < 0 ? page.length : end + 1;
  }
}
