// A report as one printable page: self-contained HTML without scripts that reads well on a telephone, in dark mode and
// on paper. Every text from outside goes through escapeHtml or figure. Pure.
import { english, said, wordBy } from '../said.ts';
import { chartOf, type Of } from './charts.ts';
import type { ReportFact, ReportRow, ReportSection } from './document.ts';
import { escapeHtml, figure, idBeneath, notations } from './html.ts';
import { type Legible, withAmounts } from './legible.ts';
import { pageStyle } from './page-style.ts';
import { layoutOf } from './page-width.ts';

/** Longer sections are only in the CSV; a page is for people. */
export const mostPageRows = 2000;

const isHash = (f: ReportFact): boolean => /[0-9a-f]{16,}/.test(f.value);

/** Amounts among the facts, such as NGN 1315.40, have their digits grouped like those of tables. */
const factHtml = (value: string, as: Of['as']): string =>
  withAmounts(value, (currency, amount) => `${figure(amount, 'money', as)} ${currency}`) ?? escapeHtml(value);

export function reportPage(
  { head, content, account, catalogue = english }: Legible,
  language: keyof typeof notations = 'en',
): string {
  const of: Of = { as: notations[language], word: (text) => escapeHtml(wordBy(text, catalogue)) };
  const { word } = of;
  const forWhom = content.facts.some((f) => f.name === 'account')
    ? []
    : [['Account', isolated(escapeHtml(account ?? ''), account)] as const];
  const facts = [
    ...forWhom,
    ...content.facts
      .filter((f) => !isHash(f))
      .map((f) => [f.title, isolated(factHtml(f.value, of.as), account)] as const),
    ['Account id', `<code>${escapeHtml(head.clientId)}</code>`] as const,
    ['State', word(content.provisional ? 'Provisional' : 'Final')] as const,
    ['As of', word(said`${figure(head.asOf.time, 'time', of.as)}, journal entry ${head.asOf.journalSeq}`)] as const,
  ];
  const proof = [
    ['Report', head.reportId] as const,
    ['Tax data version', head.dataset] as const,
    ...content.facts.filter(isHash).map((f) => [f.title, f.value] as const),
  ];
  const provisional = content.provisional
    ? `<p class="provisional"><strong>${word('Provisional')}.</strong> ${word('The period is still open: figures may change.')}</p>`
    : '';
  const { sections } = content;
  const drawn = sections.map((s) => sectionHtml(s, of));
  // One orientation for all pages: a change of it begins a new sheet.
  const broad = drawn.some((s) => /^<section [^>]*class="broad/.test(s));
  const contents =
    sections.length > 3
      ? `<nav aria-label="${word('Sections')}"><ol>${sections.map((s) => `<li><a href="#${s.name}">${escapeHtml(s.title)}</a></li>`).join('')}</ol></nav>`
      : '';
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(content.title)}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}${idOnEachPage(head.reportId)}</style>
</head>
<body${broad ? ' class="landscape"' : ''}>
<header>
<p class="kind">${escapeHtml(head.kind)} · ${word(said`revision ${head.revision}`)}</p>
<h1>${isolated(escapeHtml(content.title), account)}</h1>
${provisional}<dl class="facts">${facts.map(([title, value]) => `<div><dt>${word(title)}</dt><dd>${value}</dd></div>`).join('')}</dl>
${contents}</header>
<main>
${drawn.join('\n')}
</main>
<footer><dl>${proof.map(([title, value]) => `<div><dt>${word(title)}</dt><dd><code>${escapeHtml(value)}</code></dd></div>`).join('')}</dl>
<p>${word('The manifest of the report has the hash of this page.')}</p></footer>
</body>
</html>
`;
}

/** Sheets that were taken apart are known by the report's id. */
const idOnEachPage = (id: string): string =>
  `@media print{@page{@bottom-left{content:"${id.replace(/[^\w-]/g, '')}";font:8pt sans-serif;color:#444}}}`;

/** A name that is written from right to left does not move the figures after it. */
function isolated(html: string, name: string | undefined): string {
  if (name === undefined || !/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name)) return html;
  return html.replaceAll(escapeHtml(name), (text) => `<bdi>${text}</bdi>`);
}

function sectionHtml(whole: ReportSection, of: Of): string {
  const s = withoutRepeatedNames(whole);
  const layout = layoutOf({ ...s, rows: s.rows.slice(0, mostPageRows) });
  const note = s.note === undefined ? '' : `<p class="note">${escapeHtml(s.note)}</p>`;
  return `<section id="${s.name}"${layout === '' ? '' : ` class="${layout}"`}>
<h2>${escapeHtml(s.title)}</h2>
${note}${chartOf(whole, of)}${s.rows.length === 0 ? `<p class="none">${of.word('Nothing to show.')}</p>` : tableHtml(s, of)}
</section>`;
}

/** Where the name of an account stands in place of its id, a column with the same name adds nothing. */
function withoutRepeatedNames(s: ReportSection): ReportSection {
  const at = s.columns.findIndex((c) => c.name === 'clientId');
  const repeats = (i: number) =>
    i !== at && s.columns[i]?.type === 'text' && s.rows.every((r) => r.ids?.has(at) && r.cells[i] === r.cells[at]);
  const kept = s.columns.map((_, i) => i).filter((i) => at < 0 || s.rows.length === 0 || !repeats(i));
  if (kept.length === s.columns.length) return s;
  const rows = s.rows.map(
    (r): ReportRow => ({
      ...r,
      cells: kept.map((i) => r.cells[i] ?? null),
      ids: new Map([...(r.ids ?? [])].map(([i, id]) => [kept.indexOf(i), id])),
    }),
  );
  return { ...s, columns: s.columns.filter((_, i) => kept.includes(i)), rows };
}

const keptWhole = new Set(['currency', 'box']);

function tableHtml(s: ReportSection, { as, word }: Of): string {
  const number = s.columns.map((c) => !['text', 'date', 'time'].includes(c.type));
  // Figures, days, currencies and names of boxes keep to a line; texts break.
  const kept = s.columns.map((c, i) =>
    number[i] ? ' class="n"' : keptWhole.has(c.name) || c.type === 'date' ? ' class="s"' : '',
  );
  const heads = s.columns.map((c, i) => `<th scope="col"${number[i] ? ' class="n"' : ''}>${escapeHtml(c.title)}</th>`);
  const rows = s.rows.slice(0, mostPageRows).map((row) => {
    const cells = s.columns.map((c, i) => {
      const title = escapeHtml(c.title);
      const text = figure(row.cells[i] ?? null, c.type, as);
      const id = row.ids?.get(i);
      const shown = id === undefined ? text : `<span><bdi>${text}</bdi>${idBeneath(id)}</span>`;
      return `<td data-title="${title}"${kept[i]}>${shown}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const rest = s.rows.length - rows.length;
  const more =
    rest > 0
      ? `<p class="note">${word(said`The first ${figure(String(rows.length), 'count', as)} rows; ${figure(String(rest), 'count', as)} more are in the CSV and the JSON of this report.`)}</p>`
      : '';
  const width = s.columns.length > 3 ? 'wide' : 'narrow';
  return `<div class="table"><table class="${width}"><thead><tr>${heads.join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>${more}`;
}
