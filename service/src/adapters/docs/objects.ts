// The objects that operations take and answer with: a page that lists them, and one for each with its fields, an example
// and where it is used.
import { escapeHtml } from '../../core/reports/html.ts';
import { type Description, operationRows, type Schema } from './description.ts';
import { json } from './examples.ts';
import type { FramedPage } from './frame.ts';
import { renderInline, renderText } from './markdown.ts';
import { codeBlock, operationAddress } from './reference.ts';
import { fieldTable, linked, objectAddress, objectOf, objectsAddress, typeOf } from './schema-table.ts';

export function objectsPage(d: Description): FramedPage {
  const named = Object.entries(d.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = named.map(
    ([name, s]) =>
      `<tr id="${name}"><th scope="row">${linked(name)}</th><td>${renderInline(s.description ?? '')}</td></tr>`,
  );
  return {
    title: 'Objects',
    at: objectsAddress,
    html: `<h1>Objects</h1><p>What operations take and answer with, by name.</p>
<div class="table" role="region" tabindex="0" aria-label="objects"><table><thead><tr><th>Object</th><th>Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`,
    on: [],
  };
}

function shape(s: Schema, d: Description): string {
  const object = objectOf(s, d.components.schemas);
  if (object) return fieldTable(object);
  const values = s.enum?.map((v) => `<code>${escapeHtml(String(v))}</code>`).join(' ');
  return `<p>${values ? `One of ${values}` : typeOf(s)}</p>`;
}

/** By object, links to the operations, objects and events whose description names it. */
export function usersOf(d: Description): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  const note = (link: string, described: unknown) => {
    const named = JSON.stringify(described).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    for (const name of new Set([...named].map(([, n = '']) => n))) users.set(name, [...(users.get(name) ?? []), link]);
  };
  for (const { o } of operationRows(d)) note(`<a href="${operationAddress(o)}">${escapeHtml(o.summary)}</a>`, o);
  for (const [name, s] of Object.entries(d.components.schemas)) note(linked(name), s);
  for (const [type, w] of Object.entries(d.webhooks))
    note(`<a href="/docs/reference/events">Event <code>${type}</code></a>`, w);
  return users;
}

const used = (links: readonly string[]): string =>
  links.length === 0 ? '' : `<h2>Where it is used</h2><ul>${links.map((l) => `<li>${l}</li>`).join('')}</ul>`;

/** Undefined if there is no object of the name. */
export function objectPage(d: Description, name: string, users: ReturnType<typeof usersOf>): FramedPage | undefined {
  if (!Object.hasOwn(d.components.schemas, name)) return undefined;
  const s = d.components.schemas[name] as Schema;
  const example = s.examples?.[0];
  return {
    title: name,
    at: objectAddress(name),
    html: `<h1>${escapeHtml(name)}</h1>
${renderText(s.description ?? '')}${shape(s, d)}${example === undefined ? '' : `<h2>Example</h2>${codeBlock(json(example))}`}
${used(users.get(name) ?? [])}<p><a href="${objectsAddress}#${escapeHtml(name)}">All objects</a></p>`,
    on: [],
  };
}
