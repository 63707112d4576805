// A report as one printable page: self-contained HTML without scripts that reads well on a telephone, in dark mode and
// on paper. Every text from outside goes through escapeHtml or figure. Pure.
import { chartOf } from './charts.ts';
import type { ReportDocument, ReportSection } from './document.ts';
import { escapeHtml, figure } from './html.ts';
import { pageStyle } from './page-style.ts';

/** Longer sections are only in the CSV; a page is for people. */
export const mostPageRows = 2000;

export function reportPage({ head, content }: ReportDocument): string {
  const facts = [
    ...content.facts.map((f) => [f.title, escapeHtml(f.value)] as const),
    ['As of', `${figure(head.asOf.time, 'time')}, journal entry ${head.asOf.journalSeq}`] as const,
  ];
  const provisional = content.provisional
    ? '<p class="provisional"><strong>Provisional.</strong> The period is still open: figures may change.</p>'
    : '';
  const { sections } = content;
  const contents =
    sections.length > 3
      ? `<nav aria-label="Sections"><ol>${sections.map((s) => `<li><a href="#${s.name}">${escapeHtml(s.title)}</a></li>`).join('')}</ol></nav>`
      : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(content.title)}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<header>
<p class="kind">${escapeHtml(head.kind)} · revision ${head.revision}</p>
<h1>${escapeHtml(content.title)}</h1>
${provisional}<dl class="facts">${facts.map(([title, value]) => `<div><dt>${escapeHtml(title)}</dt><dd>${value}</dd></div>`).join('')}</dl>
${contents}</header>
<main>
${sections.map(sectionHtml).join('\n')}
</main>
<footer><p>Report <code>${escapeHtml(head.reportId)}</code> of <code>${escapeHtml(head.clientId)}</code>, tax rules <code>${escapeHtml(head.dataset)}</code>. The manifest has the hash of this page.</p></footer>
</body>
</html>
`;
}

function sectionHtml(s: ReportSection): string {
  const note = s.note === undefined ? '' : `<p class="note">${escapeHtml(s.note)}</p>`;
  return `<section id="${s.name}"${s.columns.length > 8 ? ' class="broad"' : ''}>
<h2>${escapeHtml(s.title)}</h2>
${note}${chartOf(s)}${s.rows.length === 0 ? '<p class="none">Nothing to show.</p>' : tableHtml(s)}
</section>`;
}

function tableHtml(s: ReportSection): string {
  const number = s.columns.map((c) => !['text', 'date', 'time'].includes(c.type));
  const heads = s.columns.map((c, i) => `<th scope="col"${number[i] ? ' class="n"' : ''}>${escapeHtml(c.title)}</th>`);
  const rows = s.rows.slice(0, mostPageRows).map((row) => {
    const cells = s.columns.map((c, i) => {
      const title = escapeHtml(c.title);
      return `<td data-title="${title}"${number[i] ? ' class="n"' : ''}>${figure(row.cells[i] ?? null, c.type)}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const rest = s.rows.length - rows.length;
  const more =
    rest > 0
      ? `<p class="note">The first ${figure(String(rows.length), 'count')} rows; ${figure(String(rest), 'count')} more stand in the CSV and the JSON of this report.</p>`
      : '';
  const width = s.columns.length > 3 ? 'wide' : 'narrow';
  return `<div class="table"><table class="${width}"><thead><tr>${heads.join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>${more}`;
}
