// A report as JSON: figures stay exact text, whole counts are numbers. Pure; long sections come in pieces.
import { step } from './check.ts';
import type { ReportContent, ReportDocument, ReportSection } from './document.ts';

/** A section with its rows as objects of their columns; `open` is the way to what a line is made of. */
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
 * What is hashed to tell whether two revisions say the same: the figures. Facts tell of inputs, which move on (the
 * journal does with every request of a report), and are left out.
 * @param sections a hash of each section's JSON
 */
export const contentText = ({ title, provisional }: ReportContent, sections: readonly string[]): string =>
  JSON.stringify({ title, provisional, sections });

/** @param sections each section's JSON */
export const reportJson = ({ head, content }: ReportDocument, sections: readonly string[]): string =>
  `${JSON.stringify({ schemaVersion: 1, ...head, ...contentHead(content) }).slice(0, -1)},"sections":[${sections.join()}]}\n`;
