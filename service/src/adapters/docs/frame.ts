// The frame of each page of documentation: search, navigation, the page itself and what is on it.
import { escapeHtml } from '../../core/reports/html.ts';
import type { LinkGroup } from './markdown.ts';

export interface FramedPage {
  readonly title: string;
  readonly html: string;
  /** The address of the page itself. */
  readonly at: string;
  /** Links to what is on the page. */
  readonly on: readonly { readonly title: string; readonly id: string }[];
  /** For the reference, whose examples stand beside the text. */
  readonly wide?: boolean;
}

function group({ title, links }: LinkGroup, at: string): string {
  const isOpen = links.some((l) => l.to === at);
  const items = links
    .map(
      (l) =>
        `<li><a href="${escapeHtml(l.to)}"${l.to === at ? ' aria-current="page"' : ''}>${escapeHtml(l.title)}</a></li>`,
    )
    .join('');
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${items}</ul></details>`;
}

export function framed(page: FramedPage, navigation: readonly LinkGroup[]): string {
  const title = page.title === 'Assay' ? 'Assay' : `${page.title} · Assay`;
  const on = page.on.map((o) => `<li><a href="#${escapeHtml(o.id)}">${escapeHtml(o.title)}</a></li>`).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/docs.css"><script type="module" src="/docs/docs.js"></script></head>
<body${page.wide ? ' class="wide"' : ''}><a class="skip" href="#main">Skip to the page</a>
<header><a class="home" href="/docs">Assay</a>
<search><input id="search" type="search" placeholder="Search (press /)" aria-label="Search the documentation" autocomplete="off" spellcheck="false"><div id="found" role="status" hidden></div></search>
<nav aria-label="Elsewhere"><a href="/docs/try">Try it</a> <a href="/openapi.json">openapi.json</a> <a href="/console">Console</a></nav></header>
<div class="columns"><nav id="contents" aria-label="Contents"><details class="menu"><summary>Contents</summary>${navigation.map((g) => group(g, page.at)).join('\n')}</details></nav>
<main id="main" tabindex="-1">${page.html}</main>
${page.on.length > 1 ? `<nav id="on" aria-label="On this page"><p>On this page</p><ul>${on}</ul></nav>` : ''}</div></body></html>
`;
}
