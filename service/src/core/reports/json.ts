// A report as JSON: figures are exact text, counts are numbers. Pure; yields long sections in pieces.
import { step } from './check.ts';
import type { ReportContent, ReportDocument, ReportSection } from './document.ts';

/** A section with its rows as objects keyed by column; `open` links to the rows a line sums. */
export function* sectionJson(s: ReportSection): Generator<string> {
  const head = {
    name: s.name,
    title: s.title,
    ...(s.note === undefined ? {} : { note: s.note }),
    columns: s.columns.map((c) => ({ name: c.name, title: c.title, type: c.type })),
    ...(s.chart ? { chart: s.chart } : {}),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
  for (let from = 0; from < s.rows.length; from += step) {
    const rows = s.rows.slice(from, from + step).map((row) => {
      const out: Record<string, unknown> = {};
      for (const [i, c] of s.columns.entries()) out[c.name] = shown(row.cells[i] ?? null, c.type === 'count');
      if (row.open !== undefined) out.open = row.open;
      return JSON.stringify(out);
    });
    yield (from === 0 ? '' : ',') + rows.join();
  }
  yield ']}';
}

function shown(cell: string | null, count: boolean): string | number | null {
  if (cell === null || !count) return cell;
  const n = Number(cell);
  return Number.isSafeInteger(n) ? n : cell;
}

const contentHead = (c: ReportContent) => ({
  title: c.title,
  provisional: c.provisional,
  facts: c.facts.map(({ name, title, value }) => ({ name, title, value })),
});

/**
 * The figures, hashed to find whether two revisions are equal. Facts are left out: they describe inputs, which change
 * (every request of a report adds to the journal).
 * @param sections a hash of each section's JSON
 */
export const contentText = ({ title, provisional }: ReportContent, sections: readonly string[]): string =>
  JSON.stringify({ title, provisional, sections });

/** @param sections each section's JSON */
export const reportJson = ({ head, content }: ReportDocument, sections: readonly string[]): string =>
  `${JSON.stringify({ schemaVersion: 1, ...head, ...contentHead(content) }).slice(0, -1)},"sections":[${sections.join()}]}\n`;
