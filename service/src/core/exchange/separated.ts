// Reads text files of rows with a separator, with or without quotes around cells.

import { said } from '../said.ts';
import { FileFault } from './quotes.ts';

export interface Line {
  /** Offset in the text. */
  readonly at: number;
  /** Trimmed. */
  readonly cells: readonly string[];
}

function cellsOf(line: string, separator: string, at: number): string[] {
  const cells: string[] = [];
  let from = 0;
  for (;;) {
    if (line[from] === '"') {
      let end = from + 1;
      for (;;) {
        end = line.indexOf('"', end);
        if (end < 0) throw new FileFault(said`a quote is not closed`, at);
        if (line[end + 1] !== '"') break;
        end += 2;
      }
      cells.push(
        line
          .slice(from + 1, end)
          .replaceAll('""', '"')
          .trim(),
      );
      from = end + 1;
      if (from < line.length && line[from] !== separator) throw new FileFault(said`text after a closing quote`, at);
    } else {
      const end = line.indexOf(separator, from);
      cells.push(line.slice(from, end < 0 ? line.length : end).trim());
      from = end < 0 ? line.length : end;
    }
    if (from >= line.length) return cells;
    from++;
    if (from === line.length) return [...cells, ''];
  }
}

/** Lines that are not blank. @throws FileFault */
export function readLines(text: string, separator: string): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end).trim();
    if (line !== '') lines.push({ at, cells: cellsOf(line, separator, at) });
    at = end < 0 ? text.length : end + 1;
  }
  return lines;
}

/** Where columns stand in a header, by their names in lower case. @throws FileFault naming the missing one */
export function columnsOf<const N extends readonly string[]>(
  header: Line,
  names: N,
): { readonly [K in N[number]]: number } {
  const found = header.cells.map((c) => c.toLowerCase());
  return Object.fromEntries(
    names.map((name) => {
      const i = found.findIndex((c) => c.startsWith(name));
      if (i < 0) throw new FileFault(said`the header has no column '${name}'`, header.at);
      return [name, i];
    }),
  ) as { readonly [K in N[number]]: number };
}

/** A cell. @throws FileFault if the line is too short */
export function cell(line: Line, i: number): string {
  const text = line.cells[i];
  if (text === undefined)
    throw new FileFault(said`the line has ${line.cells.length} cells, fewer than the header`, line.at);
  return text;
}
