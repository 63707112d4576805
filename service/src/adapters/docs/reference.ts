// The reference: a page for each group of operations, with what each takes and answers, how it refuses, and how it is
// called.
import { escapeHtml } from '../../core/reports/html.ts';
import {
  contentSchema,
  type Description,
  type OperationRow,
  operationRows,
  parametersOf,
  type Response,
  type Schema,
} from './description.ts';
import { callsOf, exampleOf, json } from './examples.ts';
import type { FramedPage } from './frame.ts';
import { renderInline, renderText } from './markdown.ts';
import { fieldTable, objectOf, typeOf } from './schema-table.ts';

const languageNames: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  java: 'Java',
  php: 'PHP',
};

export const tagAddress = (tag: string): string => `/docs/api/${tag.toLowerCase().replaceAll(' ', '-')}`;

/** Where an operation stands in the reference. */
export const operationAddress = (o: OperationRow['o']): string => `${tagAddress(o.tags[0] as string)}#${o.operationId}`;

export const codeBlock = (text: string): string =>
  `<div class="code"><button type="button" class="copy" hidden>Copy</button><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>`;

function calls(d: Description, row: OperationRow): string {
  const example = exampleOf(d, row);
  const name = `call-${row.o.operationId}`;
  const choices = callsOf(example).map(
    ([language, text], i) =>
      `<input type="radio" name="${name}" id="${name}-${language}" value="${language}"${i === 0 ? ' checked' : ''}><label for="${name}-${language}">${languageNames[language]}</label>${codeBlock(text)}`,
  );
  const reply =
    example.reply === undefined ? '' : `<p>The <code>content</code> of the reply</p>${codeBlock(json(example.reply))}`;
  return `<aside aria-label="Example"><fieldset class="calls"><legend>Example</legend>${choices.join('')}</fieldset>${reply}</aside>`;
}

function parameters(d: Description, row: OperationRow): string {
  const rows = parametersOf(d, row.o).map((p) => {
    const required = p.required ? ' <b class="required">required</b>' : '';
    return `<tr><th scope="row"><code>${escapeHtml(p.name)}</code>${required}</th><td>${p.in}, ${typeOf(p.schema)}</td><td>${renderInline(p.description ?? '')}</td></tr>`;
  });
  return rows.length === 0
    ? ''
    : `<h3>Parameters</h3><div class="table" role="region" tabindex="0" aria-label="parameters"><table class="fields"><thead><tr><th>Parameter</th><th>Where and type</th><th>Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function fields(d: Description, title: string, s: Schema | undefined): string {
  if (s === undefined) return '';
  const object = objectOf(s, d.components.schemas);
  const listed = s.items ? `<p>A list of ${typeOf(s.items)}.</p>` : `<p>${typeOf(s)}</p>`;
  return `<h3>${title}</h3>${object ? fieldTable(object) || '<p>An empty object.</p>' : listed}`;
}

const shared = (d: Description, r: Response): Response =>
  r.$ref ? (d.components.responses[r.$ref.split('/').at(-1) as string] ?? r) : r;

function refusals(d: Description, { o }: OperationRow): string {
  const rows = Object.entries(o.responses)
    .filter(([status]) => status >= '400')
    .map(
      ([status, r]) => `<tr><th scope="row">${status}</th><td>${renderText(shared(d, r).description ?? '')}</td></tr>`,
    );
  return `<details><summary>Refusals</summary><div class="table" role="region" tabindex="0" aria-label="refusals"><table><thead><tr><th>Status</th><th>Code in <code>x-error-code</code>, and meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div></details>`;
}

function operation(d: Description, row: OperationRow): string {
  const { o, method, path } = row;
  const body = o.requestBody?.content['application/json']?.schema;
  const about = [
    o['x-scope'] && `Scope <code>${escapeHtml(o['x-scope'])}</code>`,
    o['x-idempotent'] && 'May be repeated: the same call has one effect',
  ].filter((x) => x);
  return `<section class="operation" id="${o.operationId}"><div><h2><a class="here" href="#${o.operationId}" tabindex="-1">${escapeHtml(o.summary)}</a></h2>
<p class="call"><b class="${method.toLowerCase()}">${method}</b> <code>${escapeHtml(path)}</code> <code class="id">${o.operationId}</code></p>
${renderText(o.description ?? '')}${about.length > 0 ? `<p class="about">${about.join(' · ')}</p>` : ''}
${parameters(d, row)}${fields(d, 'Body', body)}${fields(d, 'Content of the reply', contentSchema(o))}${refusals(d, row)}</div>
${calls(d, row)}</section>`;
}

export function tagPage(d: Description, tag: Description['tags'][number]): FramedPage {
  const rows = operationRows(d).filter(({ o }) => o.tags.includes(tag.name));
  return {
    title: tag.name,
    at: tagAddress(tag.name),
    wide: true,
    html: `<h1>${escapeHtml(tag.name)}</h1>\n<p>${escapeHtml(tag.description)}</p>\n${rows.map((row) => operation(d, row)).join('\n')}`,
    on: rows.map(({ o }) => ({ title: o.summary, id: o.operationId })),
  };
}
