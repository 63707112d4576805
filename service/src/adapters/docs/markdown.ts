// Turns Markdown of this project into HTML: headings can be linked to, and links between its files lead to their pages.
import { posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../core/reports/html.ts';

interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly id: string;
}

/** A part of a page, for its search. */
interface Part {
  readonly heading: Heading | undefined;
  readonly text: string;
}

export interface MarkdownPage {
  readonly title: string;
  readonly html: string;
  readonly parts: readonly Part[];
}

/** The id of a heading, as hosts of Git repositories make it, so that links hold there and here. */
const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** The text of tokens without their marks. */
const plain = (tokens: readonly Token[] | undefined, between = ''): string =>
  (tokens ?? [])
    .map((t): string => {
      if (t.type === 'list') return plain((t as Tokens.List).items, ' ');
      if (t.type === 'table') {
        const { header, rows } = t as Tokens.Table;
        return [header, ...rows].map((r) => r.map((c) => plain(c.tokens)).join(' ')).join(' ');
      }
      const { tokens: inner, text = '' } = t as Token & { readonly tokens?: readonly Token[]; readonly text?: string };
      return inner && inner.length > 0 ? plain(inner) : text;
    })
    .join(between);

/** Where a link leads; undefined for what is not served. */
export type LinkTo = (href: string) => string | undefined;

function rendering(linkTo: LinkTo, ids: Iterator<string>): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const id = escapeHtml(ids.next().value ?? '');
        return `<h${depth} id="${id}"><a class="here" href="#${id}" tabindex="-1">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const to = linkTo(href);
        return to === undefined ? text : `<a href="${escapeHtml(to)}">${text}</a>`;
      },
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], tag: string) =>
          row.map((c) => `<${tag}>${this.parser.parseInline(c.tokens)}</${tag}>`).join('');
        const body = token.rows.map((r) => `<tr>${cells(r, 'td')}</tr>`).join('\n');
        return `<div class="table" role="region" tabindex="0" aria-label="table"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${body}</tbody></table></div>\n`;
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`,
      // Marks of generated files, which are comments; other HTML is shown as it was written.
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
    },
  });
}

export function renderMarkdown(text: string, linkTo: LinkTo): MarkdownPage {
  const tokens = new Marked().lexer(text);
  const seen = new Map<string, number>();
  const parts: { heading: Heading | undefined; text: string }[] = [{ heading: undefined, text: '' }];
  for (const t of tokens) {
    if (t.type === 'heading') {
      const said = plain(t.tokens);
      const id = idOf(said);
      const times = seen.get(id) ?? 0;
      seen.set(id, times + 1);
      parts.push({ heading: { depth: t.depth, text: said, id: times === 0 ? id : `${id}-${times}` }, text: '' });
    } else if (t.type !== 'html') (parts.at(-1) as { text: string }).text += `${plain([t])} `;
  }
  const headings = parts.flatMap((p) => p.heading ?? []);
  const html = rendering(linkTo, headings.map((h) => h.id)[Symbol.iterator]()).parser(tokens);
  return { title: headings[0]?.text ?? '', html, parts };
}

export interface LinkGroup {
  readonly title: string;
  readonly links: readonly { readonly title: string; readonly to: string }[];
}

/** The lists of links of a page, each under its heading. */
export function linkGroups(text: string, linkTo: LinkTo): LinkGroup[] {
  const groups: { title: string; links: { title: string; to: string }[] }[] = [];
  for (const t of new Marked().lexer(text)) {
    if (t.type === 'heading') groups.push({ title: plain(t.tokens), links: [] });
    if (t.type !== 'list') continue;
    for (const token of (t as Tokens.List).items
      .flatMap((i) => i.tokens)
      .flatMap((i) => ('tokens' in i && i.tokens) || [])) {
      const to = token.type === 'link' ? linkTo((token as Tokens.Link).href) : undefined;
      if (to !== undefined) groups.at(-1)?.links.push({ title: plain([token]), to });
    }
  }
  return groups.filter((g) => g.links.length > 0);
}

/** A sentence or paragraph of the OpenAPI description. */
export const renderText = (text: string): string =>
  rendering((href) => href, [''][Symbol.iterator]()).parse(text, { async: false });

export const renderInline = (text: string): string =>
  rendering((href) => href, [''][Symbol.iterator]()).parseInline(text, { async: false });

/** Where the links of a file lead. @param file its path below docs @param known paths of the files that are served */
export const linksOf =
  (file: string, known: ReadonlySet<string>): LinkTo =>
  (href) => {
    if (/^(?:https?:|mailto:|#)/.test(href)) return href;
    const [path = '', anchor] = href.split('#');
    const target = posix.normalize(posix.join(posix.dirname(file), path));
    if (!known.has(target)) return undefined;
    return addressOf(target) + (anchor === undefined ? '' : `#${anchor}`);
  };

/** The address of a file below docs: a page without its ending, and of each folder's README the folder. */
export function addressOf(file: string): string {
  const page = file.replace(/\.md$/, '').replace(/(?:^|\/)README$/, '');
  return page === '' ? '/docs' : `/docs/${page}`;
}
