// Checks a report before it is rendered: its shape, cells that match their column's type, and a size that fits in
// memory. Pure.
import { type Said, said } from '../said.ts';
import type { CellType, ReportColumn, ReportContent, ReportSection } from './document.ts';

/** Maximum cells of a report, over all sections. */
export const mostCells = 1_500_000;
/** Maximum characters of all cells together. */
export const mostText = 32 * 1024 * 1024;
/** Maximum rows that one statement of a report may return. */
export const mostRows = 250_000;
/** Rows checked or rendered per step: about a millisecond of work. */
export const step = 500;

const name = /^[a-z][A-Za-z0-9]{0,63}$/;
const decimal = /^-?\d+(\.\d+)?$/;
const forms: Record<CellType, RegExp | undefined> = {
  text: undefined,
  count: /^-?\d+$/,
  decimal,
  money: decimal,
  percent: decimal,
  date: /^\d{4}-\d{2}-\d{2}$/,
  time: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/,
};

/**
 * Checks a report, some rows per step, so that the caller can do other work in between.
 * @returns what is wrong with the shape, which is a fault of the report kind; undefined if nothing is
 */
export function* shapeProblem(content: ReportContent): Generator<void, string | undefined> {
  const sections = content.sections.map((s) => s.name);
  if (sections.length === 0) return 'it has no section';
  if (new Set(sections).size < sections.length) return 'two sections have the same name';
  for (const s of content.sections) {
    const problem = headProblem(s) ?? (yield* rowProblem(s));
    if (problem !== undefined) return `the section '${s.name}' ${problem}`;
  }
  return undefined;
}

function headProblem(s: ReportSection): string | undefined {
  if (!name.test(s.name)) return 'has a name that is not camelCase';
  const columns = s.columns.map((c) => c.name);
  if (columns.length === 0) return 'has no columns';
  const wrong = columns.find((c, i) => !name.test(c) || c === 'open' || columns.indexOf(c) !== i);
  if (wrong !== undefined) return `has a column named '${wrong}', which is not camelCase, reserved or taken`;
  for (const c of s.chart ? [s.chart.label, ...s.chart.values] : [])
    if (!columns.includes(c)) return `draws the column '${c}', which it does not have`;
  return undefined;
}

function* rowProblem(s: ReportSection): Generator<void, string | undefined> {
  for (const [i, row] of s.rows.entries()) {
    if (i % step === 0) yield;
    if (row.cells.length !== s.columns.length) return `has ${row.cells.length} cells in row ${i + 1}`;
    for (const [at, cell] of row.cells.entries()) {
      const column = s.columns[at] as ReportColumn;
      const form = forms[column.type];
      if (cell !== null && form && !form.test(cell)) return `has no ${column.type} in row ${i + 1}, '${column.name}'`;
    }
    if (row.open !== undefined && !row.open.startsWith('/v1/')) return `opens row ${i + 1} outside of the interface`;
  }
  return undefined;
}

/** @returns a sentence for the requester if the report is too large for memory; otherwise undefined */
export function sizeProblem(content: ReportContent): Said | undefined {
  let cells = 0;
  let text = 0;
  for (const s of content.sections)
    for (const row of s.rows) {
      cells += row.cells.length;
      for (const c of row.cells) text += c?.length ?? 0;
      text += row.open?.length ?? 0;
    }
  for (const f of content.further ?? []) for (const p of f.pieces) text += p.length;
  if (cells > mostCells) return tooLarge(said`${cells} cells; ${mostCells} are the most`);
  if (text > mostText) return tooLarge(said`${text} characters; ${mostText} are the most`);
  return undefined;
}

export const tooLarge = (what: Said): Said =>
  said`the report would be too large: ${what}. Ask for a shorter period or a single client`;
