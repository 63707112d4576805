// Charts of a printable report. Coordinates are rounded; the figures beside them are exact text. Bars are rows of a
// text table, so that they are readable at any width and without graphics. Pure.
import { said } from '../said.ts';
import type { ReportSection, Text } from './document.ts';
import { escapeHtml, figure, type Notation } from './html.ts';

/** A chart with more bars is unreadable. */
const mostBars = 60;
const mostPoints = 1000;
const colours = 6;

interface Series {
  readonly title: string;
  readonly type: ReportSection['columns'][number]['type'];
  readonly texts: readonly (string | null)[];
  readonly values: readonly number[];
}

/** How a page's language writes figures, and its words of an English text, escaped. */
export interface Of {
  readonly as: Notation;
  readonly word: (text: Text) => string;
}

/** One chart per currency: amounts in different currencies share no axis. @returns '' if there is nothing to draw */
export function chartOf(s: ReportSection, of: Of): string {
  const at = s.columns.findIndex((c) => c.name === 'currency');
  const currencies = [...new Set(s.rows.map((r) => r.cells[at] ?? ''))];
  if (at < 0 || s.chart?.label === 'currency' || currencies.length < 2) return oneChart(s, '', of);
  return currencies
    .map((c) => oneChart({ ...s, rows: s.rows.filter((r) => (r.cells[at] ?? '') === c) }, c, of))
    .join('');
}

function oneChart(s: ReportSection, caption: string, of: Of): string {
  const { chart } = s;
  if (!chart) return '';
  const rows = s.rows.slice(0, chart.kind === 'bar' ? mostBars : mostPoints);
  const column = (name: string) => s.columns.findIndex((c) => c.name === name);
  const at = column(chart.label);
  const isDay = s.columns[at]?.type === 'date';
  const labels = isDay ? rows.map((r) => of.as.day(r.cells[at] ?? '')) : labelsOf(s, rows, at);
  const series = chart.values.slice(0, colours).map((name): Series => {
    const at = column(name);
    const texts = rows.map((r) => r.cells[at] ?? null);
    return {
      title: s.columns[at]?.title ?? name,
      type: s.columns[at]?.type ?? 'text',
      texts,
      values: texts.map((t) => Number(t ?? 0) || 0),
    };
  });
  if (rows.length < (chart.kind === 'bar' ? 1 : 2) || series.length === 0) return '';
  const all = series.flatMap((x) => x.values);
  const low = Math.min(0, ...all);
  const high = Math.max(0, ...all);
  if (low === high) return '';
  const drawn = chart.kind === 'bar' ? bars(labels, series, low, high, of) : lines(labels, series, low, high, of);
  const rest = s.rows.length - rows.length;
  const head = caption === '' ? '' : `<figcaption>${escapeHtml(caption)}</figcaption>`;
  return `<figure class="chart">${head}${legend(series)}${drawn}${rest > 0 ? `<figcaption>${of.word(said`The first ${rows.length} of ${s.rows.length} rows.`)}</figcaption>` : ''}</figure>`;
}

/** Bars of one name, such as a rule in several operations, take the text of the first column that makes them differ. */
function labelsOf(s: ReportSection, rows: ReportSection['rows'], at: number): string[] {
  const names = rows.map((r) => r.cells[at] ?? '');
  const isTwice = (of: readonly string[]) => new Set(of).size < of.length;
  if (!isTwice(names)) return names;
  const longer = s.columns.flatMap((c, k) =>
    k === at || c.type !== 'text' ? [] : [names.map((name, i) => [name, rows[i]?.cells[k] ?? ''].join(', '))],
  );
  return longer.find((l) => !isTwice(l)) ?? names;
}

const legend = (series: readonly Series[]): string =>
  `<ul class="legend">${series.map((x, i) => `<li class="s${i}">${escapeHtml(x.title)}</li>`).join('')}</ul>`;

const round = (n: number): string => String(Math.round(n * 100) / 100);

function bars(labels: readonly string[], series: readonly Series[], low: number, high: number, of: Of): string {
  const at = (v: number) => ((v - low) / (high - low)) * 100;
  const rows = labels.map((label, i) => {
    const drawn = series.map((x, k) => {
      const v = x.values[i] as number;
      const from = at(Math.min(0, v));
      const bar = `<svg class="bar s${k}" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect x="${round(from)}" width="${round(at(Math.max(0, v)) - from)}" height="1"/></svg>`;
      return `<dd>${bar}<span>${figure(x.texts[i] ?? null, x.type, of.as)}</span></dd>`;
    });
    return `<div><dt>${escapeHtml(label)}</dt>${drawn.join('')}</div>`;
  });
  return `<dl class="bars">${rows.join('')}</dl>`;
}

function lines(labels: readonly string[], series: readonly Series[], low: number, high: number, of: Of): string {
  const x = (i: number) => (i / (labels.length - 1)) * 600;
  const y = (v: number) => 198 - ((v - low) / (high - low)) * 196;
  const drawn = series.map(
    (s, k) => `<polyline class="s${k}" points="${s.values.map((v, i) => `${round(x(i))},${round(y(v))}`).join(' ')}"/>`,
  );
  const zero = `<line class="zero" x1="0" x2="600" y1="${round(y(0))}" y2="${round(y(0))}"/>`;
  const highest = series.map((s, k) => {
    const best = s.values.indexOf(Math.max(...s.values));
    return `<li class="s${k}">${of.word('highest')} ${figure(s.texts[best] ?? null, s.type, of.as)} (${escapeHtml(labels[best] ?? '')})</li>`;
  });
  return `<svg class="lines" viewBox="0 0 600 200" preserveAspectRatio="none" aria-hidden="true">${zero}${drawn.join('')}</svg><div class="axis"><span>${escapeHtml(labels[0] ?? '')}</span><span>${escapeHtml(labels.at(-1) ?? '')}</span></div><ul class="legend">${highest.join('')}</ul>`;
}
